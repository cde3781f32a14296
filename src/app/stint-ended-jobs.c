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

/* Microseconds since 1970; 0 if it never ran. */
static gint64
get_end (StintJob *job)
{
  const StintResult *result = stint_job_get_result (job);

  return result != NULL && result->started_at != 0 ? result->started_at + result->duration : 0;
}

static gboolean
ended_before (StintJob *a, StintJob *b)
{
  gint64 a_end = get_end (a), b_end = get_end (b);

  return a_end != b_end ? a_end < b_end : stint_job_get_id (a) < stint_job_get_id (b);
}

/* Returns: (transfer full) (nullable): of those that ended and are not listed the one that did so first,
 * wherever it stands: those of earlier are loaded after those of now, the newest first. */
static StintJob *
find_oldest (EndedJobs *self)
{
  guint n_jobs = g_list_model_get_n_items (G_LIST_MODEL (self->jobs));
  g_autoptr (StintJob) oldest = NULL;

  for (guint i = 0; i < n_jobs; i++)
    {
      g_autoptr (StintJob) job = g_list_model_get_item (G_LIST_MODEL (self->jobs), i);

      if (stint_job_get_state (job) == STINT_JOB_FINISHED &&
          stint_job_board_find (self->board, job) == NULL &&
          (oldest == NULL || ended_before (job, oldest)))
        g_set_object (&oldest, job);
    }
  return g_steal_pointer (&oldest);
}

static gboolean
on_idle (gpointer user_data)
{
  EndedJobs *self = user_data;

  self->idle_id = 0;
  while (count_unlisted (self) > STINT_ENDED_JOBS_KEPT)
    {
      g_autoptr (StintJob) job = find_oldest (self);

      if (job == NULL)
        break;
      stint_job_list_remove (self->jobs, job);
    }
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
