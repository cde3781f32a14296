/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Single things of the history, read by threads that nobody waits for.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-history-lookup.h"

#include "stint-error.h"
#include "stint-job-directories.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <unistd.h>

typedef struct
{
  char *directory;
  guint64 id;
  guint limit;
  GDestroyNotify free_answer;
} Lookup;

static void
lookup_free (gpointer data)
{
  g_free (((Lookup *) data)->directory);
  g_free (data);
}

/* The thread may keep its task a moment longer than the answer takes: that task holds no history. */
static void
on_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const Lookup *lookup = g_task_get_task_data (G_TASK (result));
  GError *error = NULL;
  gpointer answer = g_task_propagate_pointer (G_TASK (result), &error);

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, answer, lookup->free_answer);
}

static void
run (StintHistory *self,
     guint64 id,
     guint limit,
     GTaskThreadFunc func,
     GDestroyNotify free_answer,
     gpointer tag,
     GAsyncReadyCallback callback,
     gpointer user_data)
{
  GTask *task = g_task_new (self, NULL, callback, user_data);
  g_autoptr (GTask) in_thread = g_task_new (NULL, NULL, on_done, task);
  Lookup *lookup = g_new0 (Lookup, 1);

  lookup->directory = g_strdup (stint_history_get_directory (self));
  lookup->id = id;
  lookup->limit = limit;
  lookup->free_answer = free_answer;
  g_task_set_source_tag (task, tag);
  g_task_set_source_tag (in_thread, tag);
  g_task_set_task_data (in_thread, lookup, lookup_free);
  g_task_run_in_thread (in_thread, func);
}

static void
find_job_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Lookup *lookup = data;
  g_autoptr (StintSearcher) searcher = stint_searcher_new (lookup->directory);
  GError *error = NULL;
  StintRecord *record = stint_searcher_load (searcher, lookup->id, &error);

  if (record != NULL)
    g_task_return_pointer (task, record, (GDestroyNotify) stint_record_free);
  else
    g_task_return_error (task, error);
}

void
stint_history_find_job_async (StintHistory *self,
                              guint64 id,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_return_if_fail (STINT_IS_HISTORY (self));

  run (self, id, 0, find_job_in_thread, (GDestroyNotify) stint_record_free,
       stint_history_find_job_async, callback, user_data);
}

static void
let_go (gpointer data, GObject *where)
{
  close (GPOINTER_TO_INT (data));
}

StintJob *
stint_history_find_job_finish (StintHistory *self, GAsyncResult *result, GError **error)
{
  g_autoptr (StintRecord) record = NULL;
  StintJob *job;
  int hold;

  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  record = g_task_propagate_pointer (G_TASK (result), error);
  if (record == NULL)
    return NULL;
  job = stint_record_new_job (record);
  hold = record->directory != NULL ? stint_job_directories_hold (record->directory) : -1;
  if (hold >= 0)
    g_object_weak_ref (G_OBJECT (job), let_go, GINT_TO_POINTER (hold));
  return job;
}

static void
find_runs_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Lookup *lookup = data;
  g_autoptr (StintSearcher) searcher = stint_searcher_new (lookup->directory);
  GError *error = NULL;
  g_autoptr (GPtrArray) entries = stint_searcher_read (searcher, &lookup->id, 1, &error);
  StintEntry *entry = entries != NULL ? g_ptr_array_index (entries, 0) : NULL;
  GPtrArray *runs =
      entry != NULL ? stint_searcher_find_runs (searcher, entry, lookup->limit, &error) : NULL;

  if (runs != NULL)
    {
      g_ptr_array_insert (runs, 0, entry);
      g_task_return_pointer (task, runs, (GDestroyNotify) g_ptr_array_unref);
      return;
    }
  g_clear_pointer (&entry, stint_entry_free);
  if (error == NULL)
    g_set_error (&error, STINT_ERROR, STINT_ERROR_INVALID,
                 _ ("There is no job %" PRIu64 " in the history"), lookup->id);
  g_task_return_error (task, error);
}

void
stint_history_find_runs_async (StintHistory *self,
                               guint64 id,
                               guint limit,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_return_if_fail (STINT_IS_HISTORY (self));

  run (self, id, limit, find_runs_in_thread, (GDestroyNotify) g_ptr_array_unref,
       stint_history_find_runs_async, callback, user_data);
}

GPtrArray *
stint_history_find_runs_finish (StintHistory *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
read_saved_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Lookup *lookup = data;
  g_autoptr (StintSearcher) searcher = stint_searcher_new (lookup->directory);
  GError *error = NULL;
  GHashTable *saved = stint_searcher_read_saved (searcher, &error);

  if (saved != NULL)
    g_task_return_pointer (task, saved, (GDestroyNotify) g_hash_table_unref);
  else
    g_task_return_error (task, error);
}

void
stint_history_read_saved_async (StintHistory *self,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_return_if_fail (STINT_IS_HISTORY (self));

  run (self, 0, 0, read_saved_in_thread, (GDestroyNotify) g_hash_table_unref,
       stint_history_read_saved_async, callback, user_data);
}

GHashTable *
stint_history_read_saved_finish (StintHistory *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
