/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A job that another process owns, as it is seen here. What its owner passes on is what its keeper says,
 * so that it has limits, output and an end like any other; its row and its input are its owner's.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-job-fields.h"
#include "stint-job-private.h"

#include "stint-result.h"

gboolean
stint_job_is_elsewhere (StintJob *self)
{
  g_return_val_if_fail (STINT_IS_JOB (self), FALSE);
  return self->elsewhere;
}

StintJob *
stint_job_new_elsewhere (const StintLeftJob *left, StintKeeperHandover *handover, GError **error)
{
  g_autoptr (StintJob) self = stint_job_new (left->spec, NULL);

  self->id = left->id;
  self->directory = g_strdup (left->directory);
  stint_job_set_origin (self, left->follows, left->attempt);
  self->elsewhere = TRUE;
  self->tied = TRUE;
  self->limits = handover->adoption.limits;
  self->on_idle = handover->adoption.idle_action == KEEPER_IDLE_NOTIFY ? STINT_ON_IDLE_NOTIFY
                                                                       : STINT_ON_IDLE_TERMINATE;
  self->paused = self->limits.paused_at != 0;
  self->state = STINT_JOB_STARTING;
  if (!stint_job_take_channels (self, &handover->channels, error))
    return NULL;
  return g_steal_pointer (&self);
}

static void
wait_for_lock (GTask *task, gpointer source, gpointer directory, GCancellable *cancellable)
{
  stint_job_store_wait_until_unlocked (directory, NULL);
  g_task_return_boolean (task, TRUE);
}

static void
handle_unlocked (GObject *source, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (StintJob) self = data;
  StintResult *result = stint_result_load_outcome (self->directory, TRUE, NULL);

  g_task_propagate_boolean (G_TASK (async_result), NULL);
  if (result == NULL)
    {
      result = stint_result_new (STINT_REASON_INTERRUPTED);
      result->started_at = self->started_at;
      result->duration = stint_job_get_elapsed (self);
    }
  stint_job_finish_with (self, result);
}

void
stint_job_await_orphan (StintJob *self)
{
  /* Not of the job: the thread may be the last to let go of the task, and so of its source. */
  g_autoptr (GTask) task = g_task_new (NULL, NULL, handle_unlocked, g_object_ref (self));

  g_task_set_task_data (task, g_strdup (self->directory), g_free);
  g_task_run_in_thread (task, wait_for_lock);
}
