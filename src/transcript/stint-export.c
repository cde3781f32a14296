/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Transcripts for other programs. How each format is written is in a file of its own, but for raw,
 * which is nearly nothing.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-export-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define PROGRESS_INTERVAL (G_USEC_PER_SEC / 10)

static void
raw_begin_or_end (StintExport *self)
{
}

static void
raw_take (StintExport *self, const StintPiece *piece)
{
  if (piece->kind == STINT_PIECE_DATA)
    stint_sink_append (&self->sink, (const char *) piece->data, piece->size);
}

static const StintExportFormatClass raw_class = {
  .nick = "raw",
  .suffix = ".log",
  .begin = raw_begin_or_end,
  .take = raw_take,
  .end = raw_begin_or_end,
};

static const StintExportFormatClass *const classes[] = {
  [STINT_EXPORT_RAW] = &raw_class,
  [STINT_EXPORT_TEXT] = &stint_export_text_class,
  [STINT_EXPORT_HTML] = &stint_export_html_class,
  [STINT_EXPORT_ASCIICAST] = &stint_export_cast_class,
};

const char *
stint_export_format_to_nick (StintExportFormat format)
{
  g_return_val_if_fail (format < G_N_ELEMENTS (classes), NULL);

  return classes[format]->nick;
}

gboolean
stint_export_format_from_nick (const char *nick, StintExportFormat *format)
{
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (g_strcmp0 (nick, classes[i]->nick) == 0)
      {
        *format = (StintExportFormat) i;
        return TRUE;
      }
  return FALSE;
}

const char *
stint_export_format_get_suffix (StintExportFormat format)
{
  g_return_val_if_fail (format < G_N_ELEMENTS (classes), NULL);

  return classes[format]->suffix;
}

StintExportFormat
stint_export_format_from_file (const char *file)
{
  const char *dot = strrchr (file, '.');

  if (dot == NULL || strchr (dot, '/') != NULL)
    return STINT_EXPORT_RAW;
  if (g_ascii_strcasecmp (dot, ".htm") == 0)
    return STINT_EXPORT_HTML;
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if (g_ascii_strcasecmp (dot, classes[i]->suffix) == 0)
      return (StintExportFormat) i;
  return STINT_EXPORT_RAW;
}

void
stint_export_take_lines (StintExport *self,
                         const StintPiece *piece,
                         void (*tell) (StintExport *self, const char *note))
{
  g_autofree char *note = NULL;

  switch (piece->kind)
    {
    case STINT_PIECE_DATA:
      stint_screen_feed (self->screen, piece->stream, piece->offset, piece->time, piece->data,
                         piece->size);
      break;
    case STINT_PIECE_RESIZE:
      stint_screen_resize (self->screen, piece->columns, piece->rows);
      break;
    case STINT_PIECE_REMOVED:
    case STINT_PIECE_LOST:
    default:
      note = stint_export_dup_note (piece);
      stint_screen_skip (self->screen);
      tell (self, note);
      break;
    }
}

void
stint_export_end_line (StintExport *self)
{
  if (self->continues)
    stint_sink_append (&self->sink, "\n", 1);
  self->continues = FALSE;
}

char *
stint_export_dup_note (const StintPiece *piece)
{
  g_autofree char *size = g_format_size (piece->missing);

  if (piece->kind == STINT_PIECE_REMOVED)
    /* Translators: in an exported output, at the place of what is missing; %s is a size */
    return g_strdup_printf (_ ("… %s removed by the output limit …"), size);
  /* Translators: in an exported output, at the place of what is missing; %s is a size */
  return g_strdup_printf (_ ("… %s could not be stored …"), size);
}

static gboolean
is_wanted (const StintExportOptions *options, const StintPiece *piece)
{
  return piece->kind != STINT_PIECE_DATA || stint_streams_include (options->streams, piece->stream);
}

static gboolean
write_pieces (StintExport *self,
              StintWalk *walk,
              StintExportProgress progress,
              gpointer user_data,
              GCancellable *cancellable,
              GError **error)
{
  const StintExportFormatClass *class = classes[self->options->format];
  guint64 total = stint_walk_get_end (walk);
  gint64 told_at = g_get_monotonic_time ();
  g_autoptr (GError) why = NULL;
  StintPiece piece;

  class->begin (self);
  while (stint_walk_next (walk, &piece, &why))
    {
      if (is_wanted (self->options, &piece))
        class->take (self, &piece);
      if (stint_sink_has_failed (&self->sink))
        return stint_sink_flush (&self->sink, error);
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (progress != NULL && g_get_monotonic_time () - told_at >= PROGRESS_INTERVAL)
        {
          told_at = g_get_monotonic_time ();
          progress (piece.offset + piece.size, total, user_data);
        }
    }
  if (why != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&why));
      return FALSE;
    }
  class->end (self);
  if (!stint_sink_flush (&self->sink, error))
    return FALSE;
  if (progress != NULL)
    progress (total, total, user_data);
  return TRUE;
}

gboolean
stint_export_write (StintReader *reader,
                    const StintExportOptions *options,
                    GOutputStream *out,
                    StintExportProgress progress,
                    gpointer user_data,
                    GCancellable *cancellable,
                    GError **error)
{
  StintExport export = { .options = options };
  g_autoptr (StintWalk) walk = NULL;
  gboolean ok;

  g_return_val_if_fail (reader != NULL && options != NULL && G_IS_OUTPUT_STREAM (out), FALSE);
  g_return_val_if_fail (options->format < G_N_ELEMENTS (classes), FALSE);

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  walk = stint_walk_new (reader);
  export.columns = options->columns != 0 ? options->columns : STINT_SCREEN_DEFAULT_COLUMNS;
  export.rows = options->rows != 0 ? options->rows : STINT_SCREEN_DEFAULT_ROWS;
  stint_walk_get_size (walk, &export.columns, &export.rows);
  stint_timestamp_init (&export.timestamp, options->started_at);
  stint_sink_init (&export.sink, out, cancellable);
  ok = write_pieces (&export, walk, progress, user_data, cancellable, error);
  g_clear_pointer (&export.screen, stint_screen_free);
  g_clear_pointer (&export.cast, g_free);
  stint_sink_clear (&export.sink);
  return ok;
}

typedef struct
{
  StintReader *reader;
  StintExportOptions options;
  char *title;
  char *command;
  GOutputStream *out;
  StintExportProgress progress;
  gpointer progress_data;
  GMainContext *context;
} Request;

static void
request_free (Request *request)
{
  g_clear_pointer (&request->reader, stint_reader_free);
  g_free (request->title);
  g_free (request->command);
  g_object_unref (request->out);
  g_main_context_unref (request->context);
  g_free (request);
}

typedef struct
{
  StintExportProgress progress;
  gpointer user_data;
  guint64 done;
  guint64 total;
} Progress;

static gboolean
tell_progress (gpointer data)
{
  Progress *progress = data;

  progress->progress (progress->done, progress->total, progress->user_data);
  return G_SOURCE_REMOVE;
}

/* The task's answer goes the same way and cannot overtake it. */
static void
send_progress (guint64 done, guint64 total, gpointer user_data)
{
  Request *request = user_data;
  g_autoptr (GSource) source = g_idle_source_new ();
  Progress *progress = g_new (Progress, 1);

  *progress = (Progress){ request->progress, request->progress_data, done, total };
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, tell_progress, progress, g_free);
  g_source_attach (source, request->context);
}

static void
write_in_thread (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  Request *request = task_data;
  GError *error = NULL;

  if (stint_export_write (request->reader, &request->options, request->out,
                          request->progress != NULL ? send_progress : NULL, request, cancellable,
                          &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
stint_export_write_async (StintReader *reader,
                          const StintExportOptions *options,
                          GOutputStream *out,
                          StintExportProgress progress,
                          gpointer progress_data,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Request *request;

  g_return_if_fail (reader != NULL && options != NULL && G_IS_OUTPUT_STREAM (out));

  request = g_new0 (Request, 1);
  request->reader = stint_reader_dup (reader);
  request->options = *options;
  request->options.title = request->title = g_strdup (options->title);
  request->options.command = request->command = g_strdup (options->command);
  request->out = g_object_ref (out);
  request->progress = progress;
  request->progress_data = progress_data;
  request->context = g_main_context_ref_thread_default ();
  g_task_set_source_tag (task, stint_export_write_async);
  g_task_set_task_data (task, request, (GDestroyNotify) request_free);
  g_task_run_in_thread (task, write_in_thread);
}

gboolean
stint_export_write_finish (GAsyncResult *result, GError **error)
{
  Request *request;

  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);

  /* Here and not with the task, which its thread may be the last to hold: a live job's is of this thread. */
  request = g_task_get_task_data (G_TASK (result));
  g_clear_pointer (&request->reader, stint_reader_free);
  return g_task_propagate_boolean (G_TASK (result), error);
}
