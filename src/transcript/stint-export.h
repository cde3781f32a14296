/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-reader.h"

G_BEGIN_DECLS

/**
 * StintExportFormat:
 * @STINT_EXPORT_RAW: the bytes that there are, as they were written
 * @STINT_EXPORT_TEXT: UTF-8 lines as they stood on the terminal, without colours
 * @STINT_EXPORT_HTML: a page of its own, with colours
 * @STINT_EXPORT_ASCIICAST: a recording for asciinema, version 2
 */
typedef enum
{
  STINT_EXPORT_RAW,
  STINT_EXPORT_TEXT,
  STINT_EXPORT_HTML,
  STINT_EXPORT_ASCIICAST,
} StintExportFormat;

/**
 * StintExportOptions:
 * @streams: which; all that came from a terminal counts as standard output
 * @title: (nullable): what the job is called
 * @command: (nullable): its command line
 * @tty: whether it ran on a terminal
 * @columns: the terminal's size where it was not recorded; 0: 80
 * @rows: 0: 24
 * @started_at: microseconds since 1970; 0: not known
 * @timestamps: whether each line of text and HTML begins with the local time of its first byte (the
 *   time since the start, where that is not known)
 *
 * Texts may be any bytes.
 */
typedef struct
{
  StintExportFormat format;
  StintStreams streams;
  const char *title;
  const char *command;
  gboolean tty;
  guint columns;
  guint rows;
  gint64 started_at;
  gboolean timestamps;
} StintExportOptions;

/* @done of @total bytes of the output have been written. */
typedef void (*StintExportProgress) (guint64 done, guint64 total, gpointer user_data);

/**
 * stint_export_write:
 * @reader: what to export
 * @options: how
 * @out: where to; it is neither flushed nor closed
 * @progress: (nullable): called at most ten times a second, and at the end
 * @user_data: for @progress
 * @cancellable: (nullable): looked at all the time
 * @error: it cannot be read or written, or was cancelled
 *
 * Writes a transcript: what there is of it when the call begins. Blocks. Its memory is flat.
 *
 * What the output limit removed or could not be stored is told at its place; raw leaves it out.
 *
 * Returns: %FALSE on error; a part has been written then
 */
gboolean stint_export_write (StintReader *reader,
                             const StintExportOptions *options,
                             GOutputStream *out,
                             StintExportProgress progress,
                             gpointer user_data,
                             GCancellable *cancellable,
                             GError **error);

/**
 * stint_export_write_async:
 * @reader: what to export; a stint_reader_dup() of it is read
 * @options: how; copied
 * @out: where to; a reference is held
 * @progress: (nullable): called in the caller's main context, never after @callback
 * @progress_data: for @progress
 * @cancellable: (nullable):
 * @callback: called when it is done
 * @user_data: for @callback
 *
 * stint_export_write() on another thread.
 */
void stint_export_write_async (StintReader *reader,
                               const StintExportOptions *options,
                               GOutputStream *out,
                               StintExportProgress progress,
                               gpointer progress_data,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data);
gboolean stint_export_write_finish (GAsyncResult *result, GError **error);

/* "raw", "text", "html", "asciicast": for command lines, not translated. */
const char *stint_export_format_to_nick (StintExportFormat format);
gboolean stint_export_format_from_nick (const char *nick, StintExportFormat *format);

/* ".log", ".txt", ".html", ".cast". */
const char *stint_export_format_get_suffix (StintExportFormat format);

/* What the suffix of @file says: .txt, .html or .htm, .cast; everything else is raw. */
StintExportFormat stint_export_format_from_file (const char *file);

G_END_DECLS
