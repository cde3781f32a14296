/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What earlier processes left, and what other processes run. How it is recovered is the history's and the
 * engine's; when, and what is shown of it, is decided here. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-earlier-jobs.h"

#include "stint-elsewhere.h"
#include "stint-history-keeping.h"
#include "stint-history-lookup.h"

#include <glib/gi18n.h>

#define JOBS_LOADED 200

/* A job of a Stint that died may still be ending: its keeper needs its grace. Then it is looked for
 * again, a few times. */
#define RECOVER_AGAIN_SECONDS 10
#define RECOVER_TIMES 4

struct _StintEarlierJobs
{
  GObject parent_instance;

  /* Owned; NULL once it has been stopped */
  StintHistory *history;
  StintJobList *jobs;
  StintJobBoard *board;
  StintSettings *settings;
  StintProblems *problems;
  StintElsewhere *elsewhere; /* NULL before the first recovery */

  GHashTable *missed; /* set of guint64: jobs that ended as they were being taken over */
  GHashTable *unseen; /* set of guint64: recovered jobs that are still to be loaded */
  guint recover_id;
  guint n_recoveries; /* how often it has been tried */
};

G_DEFINE_FINAL_TYPE (StintEarlierJobs, stint_earlier_jobs, G_TYPE_OBJECT)

typedef struct
{
  StintEarlierJobs *earlier;
  guint64 id;
  char *directory;
} Adoption;

static void recover (StintEarlierJobs *self);

static Adoption *
adoption_new (StintEarlierJobs *earlier, const StintLeftJob *job)
{
  Adoption *self = g_new0 (Adoption, 1);

  self->earlier = g_object_ref (earlier);
  self->id = job->id;
  self->directory = g_strdup (job->directory);
  return self;
}

static void
adoption_free (Adoption *self)
{
  g_object_unref (self->earlier);
  g_free (self->directory);
  g_free (self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Adoption, adoption_free)

static void
add_loaded (StintEarlierJobs *self, StintJob *job)
{
  guint64 id = stint_job_get_id (job);
  g_autoptr (StintJob) known = stint_job_list_lookup (self->jobs, id);
  gboolean missed, unseen;

  if (known != NULL)
    return;
  stint_job_list_append_finished (self->jobs, job);
  /* It ended while this window was there, or while nobody could see it; however it ended. */
  missed = g_hash_table_remove (self->missed, &id);
  unseen = g_hash_table_remove (self->unseen, &id);
  if (missed || unseen)
    stint_job_board_add_finished (self->board, job, TRUE);
}

static void
on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintEarlierJobs) self = STINT_EARLIER_JOBS (user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (StintJob) job = stint_history_find_job_finish (STINT_HISTORY (source), result, &error);

  if (self->jobs == NULL)
    return;
  if (job != NULL)
    add_loaded (self, job);
  else
    stint_problems_raise (self->problems, _ ("Earlier jobs could not be read"), error);
}

/* What was recovered and is older than all that was loaded. */
static void
find_the_rest (StintEarlierJobs *self)
{
  GHashTableIter iter;
  gpointer id;

  g_hash_table_iter_init (&iter, self->unseen);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    {
      stint_history_find_job_async (self->history, *(guint64 *) id, on_found, g_object_ref (self));
      /* It is looked for once, and shown however it ended. */
      g_hash_table_iter_steal (&iter);
      g_hash_table_add (self->missed, id);
    }
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintEarlierJobs) self = STINT_EARLIER_JOBS (user_data);
  g_autoptr (GPtrArray) loaded = NULL;
  g_autoptr (GError) error = NULL;

  loaded = stint_history_load_finish (STINT_HISTORY (source), result, &error);
  if (self->jobs == NULL)
    return;
  if (loaded == NULL)
    {
      stint_problems_raise (self->problems, _ ("Earlier jobs could not be read"), error);
      return;
    }
  /* They come newest first; the list has the oldest first. */
  for (guint i = loaded->len; i > 0; i--)
    add_loaded (self, loaded->pdata[i - 1]);
  find_the_rest (self);
}

static void
wait_in_thread (GTask *task, gpointer source, gpointer directory, GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;

  if (!stint_job_store_wait_until_unlocked (directory, &error))
    g_debug ("%s: %s", (const char *) directory, error->message);
  g_task_return_boolean (task, TRUE);
}

static void
on_unlocked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintEarlierJobs) self = STINT_EARLIER_JOBS (user_data);

  g_task_propagate_boolean (G_TASK (result), NULL);
  if (self->jobs == NULL)
    return;
  self->n_recoveries = MIN (self->n_recoveries, 1);
  recover (self);
}

/* One that has just ended is recovered, once its keeper has written down how. */
static void
await_end (StintEarlierJobs *self, const Adoption *adoption)
{
  /* Not of this object: the thread may be the last to let go of the task, and so of its source. */
  g_autoptr (GTask) task = g_task_new (NULL, NULL, on_unlocked, g_object_ref (self));

  g_hash_table_add (self->missed, g_memdup2 (&adoption->id, sizeof adoption->id));
  g_task_set_task_data (task, g_strdup (adoption->directory), g_free);
  g_task_run_in_thread (task, wait_in_thread);
}

static void
on_adopted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Adoption) adoption = user_data;
  StintEarlierJobs *self = adoption->earlier;
  g_autoptr (GError) error = NULL;
  g_autoptr (StintJob) job = stint_job_list_adopt_finish (STINT_JOB_LIST (source), result, &error);

  /* One that somebody else has is in good hands. */
  if (job != NULL || self->jobs == NULL ||
      g_error_matches (error, G_IO_ERROR, G_IO_ERROR_BUSY))
    return;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND) ||
      g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED))
    await_end (self, adoption);
  else
    stint_problems_raise (self->problems, _ ("A job that was let go could not be taken over"), error);
}

/* Takes over what an earlier process let go, each as soon as its keeper answers. */
static void
take_over (StintEarlierJobs *self)
{
  g_autoptr (GPtrArray) left = stint_history_take_left (self->history);

  for (guint i = 0; i < left->len; i++)
    {
      const StintLeftJob *job = left->pdata[i];
      g_autoptr (StintJob) known = stint_job_list_lookup (self->jobs, job->id);

      /* Its end is waited for already. */
      if (known != NULL || g_hash_table_contains (self->missed, &job->id))
        continue;
      stint_job_list_adopt_async (self->jobs, job, on_adopted, adoption_new (self, job));
    }
}

static gboolean
on_recover_again (gpointer user_data)
{
  StintEarlierJobs *self = STINT_EARLIER_JOBS (user_data);

  self->recover_id = 0;
  recover (self);
  return G_SOURCE_REMOVE;
}

/* The process that ran a job in a terminal was killed. */
static void
on_orphaned (StintEarlierJobs *self)
{
  self->n_recoveries = MIN (self->n_recoveries, 1);
  if (self->recover_id == 0)
    recover (self);
}

static void
note_recovered (StintEarlierJobs *self)
{
  g_autoptr (GArray) recovered = stint_history_take_recovered (self->history);

  for (guint i = 0; i < recovered->len; i++)
    g_hash_table_add (self->unseen,
                      g_memdup2 (&g_array_index (recovered, guint64, i), sizeof (guint64)));
}

static void
on_recovered (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintEarlierJobs) self = STINT_EARLIER_JOBS (user_data);
  g_autoptr (GError) error = NULL;
  int n_recovered = stint_history_recover_finish (STINT_HISTORY (source), result, &error);
  gboolean first = self->n_recoveries++ == 0;

  if (self->jobs == NULL)
    return;
  if (n_recovered < 0)
    stint_problems_raise (self->problems, _ ("Interrupted jobs could not be recovered"), error);
  take_over (self);
  note_recovered (self);
  if (first)
    {
      self->elsewhere = stint_elsewhere_new (self->history, self->jobs);
      g_signal_connect_object (self->elsewhere, "orphaned", G_CALLBACK (on_orphaned), self,
                               G_CONNECT_SWAPPED);
      stint_history_keeping_begin (self->history, self->settings, self->problems);
    }
  if (first || n_recovered > 0)
    stint_history_load_async (self->history, JOBS_LOADED, on_loaded, g_object_ref (self));
  if (stint_history_get_n_ending (self->history) > 0 && self->n_recoveries < RECOVER_TIMES &&
      self->recover_id == 0)
    self->recover_id = g_timeout_add_seconds (RECOVER_AGAIN_SECONDS, on_recover_again, self);
}

static void
recover (StintEarlierJobs *self)
{
  stint_history_recover_async (self->history, on_recovered, g_object_ref (self));
}

static void
stint_earlier_jobs_dispose (GObject *object)
{
  StintEarlierJobs *self = STINT_EARLIER_JOBS (object);

  g_clear_handle_id (&self->recover_id, g_source_remove);
  g_hash_table_remove_all (self->missed);
  g_clear_object (&self->elsewhere);
  g_clear_object (&self->problems);
  g_clear_object (&self->settings);
  g_clear_object (&self->board);
  g_clear_object (&self->jobs);
  g_clear_object (&self->history);

  G_OBJECT_CLASS (stint_earlier_jobs_parent_class)->dispose (object);
}

static void
stint_earlier_jobs_finalize (GObject *object)
{
  g_hash_table_unref (STINT_EARLIER_JOBS (object)->missed);
  g_hash_table_unref (STINT_EARLIER_JOBS (object)->unseen);

  G_OBJECT_CLASS (stint_earlier_jobs_parent_class)->finalize (object);
}

static void
stint_earlier_jobs_class_init (StintEarlierJobsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stint_earlier_jobs_dispose;
  G_OBJECT_CLASS (klass)->finalize = stint_earlier_jobs_finalize;
}

static void
stint_earlier_jobs_init (StintEarlierJobs *self)
{
  self->missed = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->unseen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
}

StintEarlierJobs *
stint_earlier_jobs_new (StintHistory *history,
                        StintJobList *jobs,
                        StintJobBoard *board,
                        StintSettings *settings,
                        StintProblems *problems)
{
  StintEarlierJobs *self;

  g_return_val_if_fail (STINT_IS_HISTORY (history), NULL);
  g_return_val_if_fail (STINT_IS_JOB_LIST (jobs), NULL);
  g_return_val_if_fail (STINT_IS_JOB_BOARD (board), NULL);
  g_return_val_if_fail (STINT_IS_SETTINGS (settings), NULL);
  g_return_val_if_fail (STINT_IS_PROBLEMS (problems), NULL);

  self = g_object_new (STINT_TYPE_EARLIER_JOBS, NULL);
  self->history = g_object_ref (history);
  self->jobs = g_object_ref (jobs);
  self->board = g_object_ref (board);
  self->settings = g_object_ref (settings);
  self->problems = g_object_ref (problems);
  recover (self);
  return self;
}

void
stint_earlier_jobs_stop (StintEarlierJobs *self)
{
  g_return_if_fail (STINT_IS_EARLIER_JOBS (self));

  /* Who still waits for the history holds it, and finds nothing. */
  g_object_run_dispose (G_OBJECT (self));
}
