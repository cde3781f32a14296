/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A job's output becomes a file of the user's. What is written is the transcript's; here is where to,
 * and that no half of it is ever left. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-save.h"

#include "stint-units.h"

#include <glib/gi18n.h>
#include <string.h>

#define NAME_CHARS 60

/* File systems that encrypt names take about 140 bytes. */
#define NAME_BYTES 120

typedef struct
{
  StintExportFormat format;
  StintStreams streams;
  gboolean timestamps;
  GFile *file;
  gboolean created; /* it is ours to delete */
  GOutputStream *stream;
  StintExportProgress progress;
  gpointer progress_data;
  GError *error; /* the first one */
} Save;

static void
save_free (Save *save)
{
  g_clear_object (&save->file);
  g_clear_object (&save->stream);
  g_clear_error (&save->error);
  g_free (save);
}

static void
on_deleted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = G_TASK (user_data);
  Save *save = g_task_get_task_data (task);

  g_file_delete_finish (G_FILE (source), result, NULL);
  g_task_return_error (task, g_steal_pointer (&save->error));
}

/* Takes @error. */
static void
fail (GTask *task, GError *error)
{
  Save *save = g_task_get_task_data (task);

  if (!save->created)
    {
      g_task_return_error (task, error);
      g_object_unref (task);
      return;
    }
  save->error = error;
  g_file_delete_async (save->file, G_PRIORITY_DEFAULT, NULL, on_deleted, task);
}

static void
on_closed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = G_TASK (user_data);
  Save *save = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;

  if (!g_output_stream_close_finish (G_OUTPUT_STREAM (source), result, &error) ||
      save->error != NULL)
    {
      fail (task, save->error != NULL ? g_steal_pointer (&save->error) : g_steal_pointer (&error));
      return;
    }
  g_task_return_boolean (task, TRUE);
  g_object_unref (task);
}

static void
on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = G_TASK (user_data);
  Save *save = g_task_get_task_data (task);
  g_autoptr (GCancellable) undone = NULL;

  if (!stint_export_write_finish (result, &save->error))
    {
      /* A stream that is closed so does not take the place of what was there. */
      undone = g_cancellable_new ();
      g_cancellable_cancel (undone);
    }
  g_output_stream_close_async (save->stream, G_PRIORITY_DEFAULT,
                               undone != NULL ? undone : g_task_get_cancellable (task), on_closed,
                               task);
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = G_TASK (user_data);
  StintJob *job = STINT_JOB (g_task_get_source_object (task));
  StintJobSpec *spec = stint_job_get_spec (job);
  Save *save = g_task_get_task_data (task);
  g_autofree char *command = stint_job_spec_dup_command_line (spec);
  StintExportOptions options = {
    .format = save->format,
    .streams = save->streams,
    .title = stint_job_get_title (job),
    .command = command,
    .tty = stint_job_spec_get_tty (spec),
    .started_at = stint_job_get_started_at (job),
    .timestamps = save->timestamps,
  };
  GError *error = NULL;

  save->stream = G_OUTPUT_STREAM (g_file_replace_finish (save->file, result, &error));
  if (save->stream == NULL)
    {
      fail (task, error);
      return;
    }
  stint_export_write_async (stint_transcript_get_reader (stint_job_get_transcript (job)), &options,
                            save->stream, save->progress, save->progress_data,
                            g_task_get_cancellable (task), on_written, task);
}

/* What is there now, be it our own empty file, is replaced as a whole at the end. */
static void
on_created (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GTask *task = G_TASK (user_data);
  Save *save = g_task_get_task_data (task);
  g_autoptr (GFileOutputStream) stream = NULL;
  GError *error = NULL;

  stream = g_file_create_finish (save->file, result, &error);
  if (stream == NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_EXISTS))
    {
      fail (task, error);
      return;
    }
  g_clear_error (&error);
  save->created = stream != NULL;
  g_file_replace_async (save->file, NULL, FALSE, G_FILE_CREATE_NONE, G_PRIORITY_DEFAULT, NULL,
                        on_opened, task);
}

void
stint_save_async (StintJob *job,
                  StintExportFormat format,
                  StintStreams streams,
                  gboolean timestamps,
                  GFile *file,
                  StintExportProgress progress,
                  gpointer progress_data,
                  GCancellable *cancellable,
                  GAsyncReadyCallback callback,
                  gpointer user_data)
{
  GTask *task;
  Save *save;

  g_return_if_fail (STINT_IS_JOB (job));
  g_return_if_fail (stint_job_get_transcript (job) != NULL);
  g_return_if_fail (G_IS_FILE (file));

  task = g_task_new (job, cancellable, callback, user_data);
  g_task_set_source_tag (task, stint_save_async);
  /* It is there when it is there: a cancellation that comes after that is too late. */
  g_task_set_check_cancellable (task, FALSE);

  save = g_new0 (Save, 1);
  save->format = format;
  save->streams = streams;
  save->timestamps = timestamps;
  save->file = g_object_ref (file);
  save->progress = progress;
  save->progress_data = progress_data;
  g_task_set_task_data (task, save, (GDestroyNotify) save_free);
  /* Neither this nor what follows it can be cancelled: a stream that GIO has opened and does not hand
   * out takes the place of what was there when it is freed, empty. */
  g_file_create_async (file, G_FILE_CREATE_NONE, G_PRIORITY_DEFAULT, NULL, on_created, task);
}

gboolean
stint_save_finish (StintJob *job, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, job), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

/* What no file system, or no shell without quotes of its own, takes in a name. */
static gboolean
is_refused (char c)
{
  return strchr ("/\\:*?\"<>|", c) != NULL;
}

char *
stint_save_suggest_name (StintJob *job, StintExportFormat format)
{
  g_autofree char *clean = NULL;
  g_autoptr (GString) name = g_string_new (NULL);

  g_return_val_if_fail (STINT_IS_JOB (job), NULL);

  clean = stint_text_clean (stint_job_get_title (job), NAME_CHARS);
  for (const char *p = clean; *p != '\0'; p = g_utf8_next_char (p))
    {
      gboolean refused = is_refused (*p);
      gsize length = (gsize) (g_utf8_next_char (p) - p);

      if (name->len + length > NAME_BYTES)
        break;
      /* A name that begins with a dot is hidden, one that begins with a dash is taken for an option. */
      if (name->len == 0 && (refused || strchr (" .-~", *p) != NULL))
        continue;
      if (!refused)
        g_string_append_len (name, p, (gssize) length);
      else if (name->str[name->len - 1] != '-')
        g_string_append_c (name, '-');
    }
  while (name->len > 0 && strchr (" .-", name->str[name->len - 1]) != NULL)
    g_string_truncate (name, name->len - 1);
  if (name->len == 0)
    /* Translators: the name of a file, if the job has none that a file could have. */
    g_string_append (name, _ ("output"));
  g_string_append (name, stint_export_format_get_suffix (format));
  return g_string_free (g_steal_pointer (&name), FALSE);
}
