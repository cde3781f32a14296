/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Changes to jobs of the history as the main context asks for them. Rows are the worker's; what is
 * left of removed jobs is swept up by a thread of its own, so that no job waits for it.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-history-change.h"

#include "stint-error.h"
#include "stint-history-private.h"

#include <glib/gi18n-lib.h>

typedef struct _Change Change;

struct _Change
{
  GTask *task;
  gboolean (*run) (StintArchive *archive, Change *self, GError **error);
  guint64 id;
  char *text;
  char *other_text;
  char **words;
  gboolean flag;
  GArray *ids;
  StintRemoved removed;
  gboolean removes;
  gboolean prunes;
  GError *error;
};

static void
change_free (Change *self)
{
  g_clear_object (&self->task);
  g_free (self->text);
  g_free (self->other_text);
  g_strfreev (self->words);
  g_clear_pointer (&self->ids, g_array_unref);
  g_clear_error (&self->error);
  g_free (self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Change, change_free)

static void
work (StintArchive *archive, gpointer data)
{
  Change *self = data;

  self->run (archive, self, &self->error);
}

static void
sweep_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  StintSweeping *sweeping = data;
  StintArchive *archive = stint_archive_new (sweeping->directory);
  GError *error = NULL;
  gboolean ok = stint_archive_sweep (archive, &error);

  stint_archive_free (archive);
  g_mutex_lock (&sweeping->mutex);
  sweeping->n_running--;
  g_cond_broadcast (&sweeping->cond);
  g_mutex_unlock (&sweeping->mutex);
  if (ok)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* Nobody waits for it, and it keeps no history alive. */
static void
on_swept (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree GWeakRef *history = user_data;
  g_autoptr (StintHistory) self = g_weak_ref_get (history);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) problems = g_ptr_array_new ();

  g_weak_ref_clear (history);
  if (g_task_propagate_boolean (G_TASK (result), &error) || self == NULL)
    return;
  g_ptr_array_add (problems, error);
  stint_history_emit_problems (self, problems);
}

StintSweeping *
stint_sweeping_new (const char *directory)
{
  StintSweeping *self = g_atomic_rc_box_new0 (StintSweeping);

  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
  self->directory = g_strdup (directory);
  return self;
}

static void
sweeping_clear (gpointer data)
{
  StintSweeping *self = data;

  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  g_free (self->directory);
}

void
stint_sweeping_unref (gpointer data)
{
  g_atomic_rc_box_release_full (data, sweeping_clear);
}

void
stint_sweeping_wait (StintSweeping *self, gint64 usec)
{
  gint64 end = g_get_monotonic_time () + usec;

  g_mutex_lock (&self->mutex);
  while (self->n_running > 0 && g_cond_wait_until (&self->cond, &self->mutex, end))
    ;
  g_mutex_unlock (&self->mutex);
}

void
stint_history_sweep (StintHistory *self)
{
  StintSweeping *sweeping = stint_history_get_sweeping (self);
  GWeakRef *history = g_new0 (GWeakRef, 1);
  g_autoptr (GTask) task = NULL;

  g_weak_ref_init (history, self);
  task = g_task_new (NULL, NULL, on_swept, history);
  g_task_set_source_tag (task, stint_history_sweep);
  g_task_set_task_data (task, g_atomic_rc_box_acquire (sweeping), stint_sweeping_unref);
  g_mutex_lock (&sweeping->mutex);
  sweeping->n_running++;
  g_mutex_unlock (&sweeping->mutex);
  g_task_run_in_thread (task, sweep_in_thread);
}

static void
done (GPtrArray *problems, gpointer data)
{
  g_autoptr (Change) self = data;
  StintHistory *history = g_task_get_source_object (self->task);

  stint_history_emit_problems (history, problems);
  stint_history_note_change (history);
  if (self->removes && self->removed.n_jobs > 0)
    stint_history_sweep (history);
  if (self->prunes && self->removed.n_jobs > 0)
    stint_history_emit_pruned (history, self->removed.n_jobs, self->removed.bytes);
  if (self->error != NULL)
    g_task_return_error (self->task, g_steal_pointer (&self->error));
  else
    g_task_return_pointer (self->task, g_memdup2 (&self->removed, sizeof self->removed), g_free);
}

static Change *
change_new (StintHistory *self,
            gboolean (*run) (StintArchive *, Change *, GError **),
            GAsyncReadyCallback callback,
            gpointer user_data)
{
  Change *change = g_new0 (Change, 1);

  change->task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (change->task, run);
  change->run = run;
  return change;
}

static void
push (StintHistory *self, Change *change)
{
  StintHistoryWorker *worker = stint_history_get_worker (self);

  if (worker != NULL)
    {
      stint_history_worker_push (worker, g_task_get_context (change->task), work, done, change);
      return;
    }
  g_task_return_new_error (change->task, STINT_ERROR, STINT_ERROR_SHUTTING_DOWN, "%s",
                           _ ("The history is closed"));
  change_free (change);
}

static gboolean
run_rename (StintArchive *archive, Change *self, GError **error)
{
  return stint_archive_rename (archive, self->id, self->text, error);
}

void
stint_history_rename_async (StintHistory *self,
                            guint64 id,
                            const char *name,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  Change *change = change_new (self, run_rename, callback, user_data);

  change->id = id;
  change->text = g_strdup (name);
  push (self, change);
}

static gboolean
run_set_tags (StintArchive *archive, Change *self, GError **error)
{
  return stint_archive_set_tags (archive, self->id, (const char *const *) self->words, error);
}

void
stint_history_set_tags_async (StintHistory *self,
                              guint64 id,
                              const char *const *tags,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  Change *change = change_new (self, run_set_tags, callback, user_data);

  change->id = id;
  change->words = g_strdupv ((char **) tags);
  push (self, change);
}

static gboolean
run_pin (StintArchive *archive, Change *self, GError **error)
{
  return stint_archive_pin (archive, &self->id, 1, self->flag, error);
}

void
stint_history_pin_async (StintHistory *self,
                         guint64 id,
                         gboolean pinned,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  Change *change = change_new (self, run_pin, callback, user_data);

  change->id = id;
  change->flag = pinned;
  push (self, change);
}

static gboolean
run_save_search (StintArchive *archive, Change *self, GError **error)
{
  return stint_archive_save_search (archive, self->text, self->other_text, error);
}

void
stint_history_save_search_async (StintHistory *self,
                                 const char *name,
                                 const char *query,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  Change *change = change_new (self, run_save_search, callback, user_data);

  change->text = g_strdup (name);
  change->other_text = g_strdup (query);
  push (self, change);
}

static gboolean
run_remove (StintArchive *archive, Change *self, GError **error)
{
  return stint_archive_remove (archive, (const guint64 *) (void *) self->ids->data, self->ids->len,
                               &self->removed, error);
}

void
stint_history_remove_async (StintHistory *self,
                            const guint64 *ids,
                            guint n_ids,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  Change *change = change_new (self, run_remove, callback, user_data);

  change->removes = TRUE;
  change->ids = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_array_append_vals (change->ids, ids, n_ids);
  push (self, change);
}

/* What a thread looks for, that may be left behind. */
typedef struct
{
  char *directory;
  StintRetention retention;
} Expiry;

static void
expiry_free (gpointer data)
{
  g_free (((Expiry *) data)->directory);
  g_free (data);
}

/* To find what is over the size every job directory is measured: not on the worker. */
static void
find_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Expiry *expiry = data;
  StintArchive *archive = stint_archive_new (expiry->directory);
  GError *error = NULL;
  GArray *ids =
    stint_archive_find_expired (archive, &expiry->retention, g_get_real_time (), &error);

  if (ids != NULL)
    g_task_return_pointer (task, ids, (GDestroyNotify) g_array_unref);
  else
    g_task_return_error (task, error);
  stint_archive_free (archive);
}

static void
on_expired_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Change *change = user_data;

  change->ids = g_task_propagate_pointer (G_TASK (result), &change->error);
  if (change->ids != NULL)
    {
      push (g_task_get_source_object (change->task), change);
      return;
    }
  g_task_return_error (change->task, g_steal_pointer (&change->error));
  change_free (change);
}

void
stint_history_prune_async (StintHistory *self,
                           const StintRetention *retention,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  Change *change = change_new (self, run_remove, callback, user_data);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_expired_found, change);
  Expiry *expiry = g_new0 (Expiry, 1);

  change->removes = change->prunes = TRUE;
  expiry->directory = g_strdup (stint_history_get_directory (self));
  expiry->retention = *retention;
  g_task_set_source_tag (task, stint_history_prune_async);
  g_task_set_task_data (task, expiry, expiry_free);
  g_task_run_in_thread (task, find_in_thread);
}

static gboolean
run_clear (StintArchive *archive, Change *self, GError **error)
{
  return stint_archive_clear (archive, &self->removed, error);
}

void
stint_history_clear_async (StintHistory *self, GAsyncReadyCallback callback, gpointer user_data)
{
  push (self, change_new (self, run_clear, callback, user_data));
}

gboolean
stint_history_change_finish (StintHistory *self,
                             GAsyncResult *result,
                             StintRemoved *removed,
                             GError **error)
{
  g_autofree StintRemoved *answer = NULL;

  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);

  answer = g_task_propagate_pointer (G_TASK (result), error);
  if (answer == NULL)
    return FALSE;
  if (removed != NULL)
    *removed = *answer;
  return TRUE;
}
