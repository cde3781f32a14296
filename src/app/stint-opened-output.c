/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A job's output in another program: an editor, or whatever the desktop has for text. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-opened-output.h"

#include "stint-open-uri.h"
#include "stint-save.h"

#include <errno.h>
#include <gdk/gdk.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <inttypes.h>

/* Seconds: who has it open so long has saved it, or can open it again. */
#define KEPT (24 * 60 * 60)

/* What is written before anything is seen must be written soon. */
#define MAX_SIZE (64 * 1024 * 1024)

/* (transfer full) (type filename): where the copies are. */
static char *
dup_directory (void)
{
  return g_build_filename (g_get_user_cache_dir (), "stint", "opened", NULL);
}

/* What cannot be removed is tried again the next time. */
static void
sweep (const char *path)
{
  g_autoptr (GDir) directory = g_dir_open (path, 0, NULL);
  gint64 oldest = g_get_real_time () / G_USEC_PER_SEC - KEPT;
  const char *name;

  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
    {
      g_autofree char *file = g_build_filename (path, name, NULL);
      GStatBuf status;

      if (g_lstat (file, &status) == 0 && S_ISREG (status.st_mode) && status.st_mtime < oldest)
        g_unlink (file);
    }
}

/* In a thread: returns the directory. */
static void
prepare (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_autofree char *path = dup_directory ();

  if (g_mkdir_with_parents (path, 0700) != 0)
    {
      int code = errno;

      g_task_return_new_error (task, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", path,
                               g_strerror (code));
      return;
    }
  sweep (path);
  g_task_return_pointer (task, g_steal_pointer (&path), g_free);
}

static void
on_launched (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = G_TASK (user_data);
  g_autoptr (GError) error = NULL;

  if (g_app_info_launch_default_for_uri_finish (result, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = G_TASK (user_data);
  GCancellable *cancellable = g_task_get_cancellable (task);
  g_autofree char *uri = g_file_get_uri (g_task_get_task_data (task));
  GError *error = NULL;

  if (!stint_save_finish (STINT_JOB (source), result, &error))
    g_task_return_error (task, error);
  else if (!g_task_return_error_if_cancelled (task))
    stint_open_uri_async (uri, cancellable, on_launched, g_steal_pointer (&task));
}

static void
on_prepared (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = G_TASK (user_data);
  GCancellable *cancellable = g_task_get_cancellable (task);
  StintJob *job = STINT_JOB (source);
  GError *error = NULL;
  g_autofree char *directory = g_task_propagate_pointer (G_TASK (result), &error);
  g_autofree char *suggested = NULL;
  g_autofree char *name = NULL;
  GFile *file;

  if (directory == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  /* Two jobs may have the same title; opened once more, a job's is written anew. */
  suggested = stint_save_suggest_name (job, STINT_EXPORT_TEXT);
  name = g_strdup_printf ("%" PRIu64 " %s", stint_job_get_id (job), suggested);
  file = g_file_new_build_filename (directory, name, NULL);
  g_task_set_task_data (task, file, g_object_unref);
  stint_save_async (job, STINT_EXPORT_TEXT, STINT_STREAMS_BOTH, FALSE, file, NULL, NULL, cancellable,
                    on_saved, g_steal_pointer (&task));
}

void
stint_opened_output_async (StintJob *job,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  g_autoptr (GTask) preparation = NULL;

  g_return_if_fail (STINT_IS_JOB (job));
  g_return_if_fail (stint_job_get_transcript (job) != NULL);

  task = g_task_new (job, cancellable, callback, user_data);
  g_task_set_source_tag (task, stint_opened_output_async);
  if (stint_reader_get_size (stint_transcript_get_reader (stint_job_get_transcript (job))) > MAX_SIZE)
    {
      g_autofree char *size = g_format_size (MAX_SIZE);

      /* Translators: %s is a size. */
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NO_SPACE,
                               _ ("More than %s is not opened at once: use “Save Output…” instead."), size);
      return;
    }
  preparation = g_task_new (job, cancellable, on_prepared, g_steal_pointer (&task));
  g_task_set_source_tag (preparation, stint_opened_output_async);
  g_task_run_in_thread (preparation, prepare);
}

gboolean
stint_opened_output_finish (StintJob *job, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, job), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}
