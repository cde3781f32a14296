/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * StintScreenMode:
 * @full_screen: whether the terminal shows its alternate screen
 * @entered_at: offset of the sequence that switched to it, if it does
 *
 * Follows which of a terminal's two screens is shown, and nothing else. Begins as zeroes.
 */
typedef struct
{
  gboolean full_screen;
  guint64 entered_at;

  /*< private >*/
  guint state;
  guint parameter;
  gboolean names_screen; /* one of the parameters so far is 47, 1047 or 1049 */
  guint64 sequence_at;
} StintScreenMode;

/**
 * stint_screen_mode_scan:
 * @self: what is known so far
 * @offset: where @data stands in the output
 * @data: (array length=length): the next bytes; a sequence may be cut anywhere
 * @length: how many
 */
void
stint_screen_mode_scan (StintScreenMode *self, guint64 offset, const guint8 *data, gsize length);

G_END_DECLS
