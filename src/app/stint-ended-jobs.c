/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How many jobs that have ended stay in memory. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-ended-jobs.h"

typedef struct
{
  StintJobList *jobs;
  StintJobBoard *board; /* borrowed: this ends with it */
  guint idle_id;
} EndedJobs;

static guint
count_unlisted (EndedJobs *self)
{
  guint n_jobs = g_list_model_get_n_items (G_LIST_MODEL (self->jobs));
  guint n_listed = g_list_model_get_n_items (G_LIST_MODEL (self->board));

  return n_jobs > n_listed ? n_jobs - n_listed : 0;
}

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  guint64 id = stint_job_get_id (*(StintJob *const *) a);
  guint64 other = stint_job_get_id (*(StintJob *const *) b);

  return (id > other) - (id < other);
}

/* Earlier jobs come late into the list, so its order says nothing.
 * Returns: (transfer full) (element-type StintJob): those that ended and are not listed, oldest
 *   first */
static GPtrArray *
find_unlisted (EndedJobs *self)
{
  guint n_jobs = g_list_model_get_n_items (G_LIST_MODEL (self->jobs));
  GPtrArray *unlisted = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n_jobs; i++)
    {
      g_autoptr (StintJob) job = g_list_model_get_item (G_LIST_MODEL (self->jobs), i);

      if (stint_job_get_state (job) == STINT_JOB_FINISHED &&
          stint_job_board_find (self->board, job) == NULL)
        g_ptr_array_add (unlisted, g_steal_pointer (&job));
    }
  g_ptr_array_sort (unlisted, compare_ids);
  return unlisted;
}

static gboolean
on_idle (gpointer user_data)
{
  EndedJobs *self = user_data;
  g_autoptr (GPtrArray) unlisted = find_unlisted (self);

  self->idle_id = 0;
  for (guint i = 0; i < unlisted->len && count_unlisted (self) > STINT_ENDED_JOBS_KEPT; i++)
    stint_job_list_remove (self->jobs, unlisted->pdata[i]);
  return G_SOURCE_REMOVE;
}

/* Not within the change: others are being told of it. */
static void
on_items_changed (GListModel *model, guint position, guint removed, guint added, EndedJobs *self)
{
  if (self->idle_id == 0 && count_unlisted (self) > STINT_ENDED_JOBS_KEPT)
    self->idle_id = g_idle_add (on_idle, self);
}

static void
ended_jobs_free (gpointer data, GClosure *closure)
{
  EndedJobs *self = data;

  g_clear_handle_id (&self->idle_id, g_source_remove);
  g_object_unref (self->jobs);
  g_free (self);
}

void
stint_ended_jobs_limit (StintJobList *jobs, StintJobBoard *board)
{
  EndedJobs *self;

  g_return_if_fail (STINT_IS_JOB_LIST (jobs));
  g_return_if_fail (STINT_IS_JOB_BOARD (board));

  self = g_new0 (EndedJobs, 1);
  self->jobs = g_object_ref (jobs);
  self->board = board;
  g_signal_connect_data (board, "items-changed", G_CALLBACK (on_items_changed), self,
                         ended_jobs_free, 0);
}
