/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A job directory made by hand.
 */
#pragma once

#include <gio/gio.h>

#include "protocol.h"

typedef struct
{
  char *path;
  int output_fd;
  int index_fd;
} Directory;

void directory_init (Directory *directory);
void directory_clear (Directory *directory);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Directory, directory_clear)

/* Appends output, and the record that tells from where it came; each record is 1 ms after the last. */
void directory_append (Directory *directory, enum keeper_stream stream, const char *bytes, gsize size);
void directory_append_text (Directory *directory, enum keeper_stream stream, const char *text);

/* Appends only a record, at the end of the output. */
void directory_append_record (Directory *directory, enum keeper_index_kind kind, guint32 value);

/* The job has ended. */
void directory_write_outcome (Directory *directory, guint64 hole_start, guint64 hole_end);

gboolean directory_has (Directory *directory, const char *name);
