/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  STINT_LINE_SAME,
  STINT_LINE_ADDED,
  STINT_LINE_REMOVED,
  STINT_LINE_GAP, /* lines that are the same are left out here; it has no text */
} StintLineChange;

/* A line of a diff. @text: into what was compared, without its line end; @size: in bytes. */
typedef struct
{
  StintLineChange change;
  const char *text;
  gsize size;
} StintDiffLine;

/**
 * stint_line_diff:
 * @old_text: (nullable): what was there; %NULL: nothing
 * @new_text: what is there now
 * @context: how many lines that are the same to show around those that are not
 * @n_added: (out): how many lines were added in all
 * @n_removed: (out): how many were removed
 *
 * Compares line by line. What is too long to be compared well is said to be removed and added as a
 * whole, from the first line that differs to the last.
 *
 * Returns: (transfer full) (element-type StintDiffLine): good as long as both texts are
 */
GArray *stint_line_diff (
  const char *old_text, const char *new_text, guint context, guint *n_added, guint *n_removed);

G_END_DECLS
