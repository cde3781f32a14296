/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A job's end on this side: its result is set and saved, and whoever waits is answered, each exactly
 * once. Waiters have the result as soon as it is there; who ran it, when all is reaped and saved.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-job-fields.h"
#include "stint-job-private.h"

#include "stint-outcome.h"
#include "stint-transcript-private.h"

#include <glib/gi18n-lib.h>

/* Waiting */

typedef struct
{
  StintJob *job; /* (unowned): the task holds it */
  GTask *task;   /* (unowned): this is its data */
  GSource *cancel_source;
} Waiter;

static void
waiter_free (gpointer data)
{
  Waiter *waiter = data;

  if (waiter->cancel_source != NULL)
    {
      g_source_destroy (waiter->cancel_source);
      g_source_unref (waiter->cancel_source);
    }
  g_free (waiter);
}

static gboolean
handle_wait_cancelled (GCancellable *cancellable, gpointer data)
{
  Waiter *waiter = data;
  g_autoptr (GTask) task = g_object_ref (waiter->task);

  g_ptr_array_remove (waiter->job->waiters, task);
  g_task_return_error_if_cancelled (task);
  return G_SOURCE_REMOVE;
}

static void
return_result (GTask *task, StintResult *result)
{
  g_task_return_pointer (task, stint_result_ref (result), (GDestroyNotify) stint_result_unref);
}

void
stint_job_wait_async (StintJob *self,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Waiter *waiter;

  g_return_if_fail (STINT_IS_JOB (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, stint_job_wait_async);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (self->state == STINT_JOB_FINISHED)
    {
      return_result (task, self->result);
      return;
    }

  waiter = g_new0 (Waiter, 1);
  waiter->job = self;
  waiter->task = task;
  if (cancellable != NULL)
    {
      waiter->cancel_source = g_cancellable_source_new (cancellable);
      g_source_set_priority (waiter->cancel_source, G_PRIORITY_HIGH);
      g_source_set_callback (waiter->cancel_source, G_SOURCE_FUNC (handle_wait_cancelled), waiter,
                             NULL);
      g_source_attach (waiter->cancel_source, g_main_context_get_thread_default ());
    }
  g_task_set_task_data (task, waiter, waiter_free);
  g_ptr_array_add (self->waiters, g_steal_pointer (&task));
}

StintResult *
stint_job_wait_finish (StintJob *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
complete_waiters (StintJob *self)
{
  g_autoptr (GPtrArray) waiters = g_steal_pointer (&self->waiters);

  self->waiters = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < waiters->len; i++)
    {
      GTask *task = waiters->pdata[i];
      Waiter *waiter = g_task_get_task_data (task);

      if (waiter->cancel_source != NULL)
        g_source_destroy (waiter->cancel_source);
      return_result (task, self->result);
    }
}

/* The end */

static void
handle_saved (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (StintJob) self = data;

  stint_job_store_finish_finish (STINT_JOB_STORE (source), result, &self->save_error);
  if (self->save_error != NULL)
    stint_job_log_step (self, "could not be saved: %s", self->save_error->message);
  self->saving = FALSE;
  stint_job_complete_run (self);
}

void
stint_job_complete_run (StintJob *self)
{
  g_autoptr (GTask) task = NULL;

  if (self->state != STINT_JOB_FINISHED || self->saving || self->keeper_runs ||
      self->run_task == NULL)
    return;
  task = g_steal_pointer (&self->run_task);
  if (self->cancel_source != NULL)
    g_source_destroy (self->cancel_source);
  g_clear_pointer (&self->cancel_source, g_source_unref);
  if (self->save_error != NULL)
    g_task_return_error (task, g_error_copy (self->save_error));
  else
    return_result (task, self->result);
}

static void
note_losses (StintJob *self)
{
  g_autofree char *size = NULL, *warning = NULL;

  if (self->result->store_error == 0)
    return;
  if (self->result->lost_bytes == 0)
    {
      /* Translators: the times at which output came; and the system's reason */
      warning = g_strdup_printf (_ ("The times of the output could not be stored: %s"),
                                 g_strerror (self->result->store_error));
      stint_job_set_warning (self, warning);
      return;
    }
  size = g_format_size (self->result->lost_bytes);
  /* Translators: an amount of bytes, and the system's reason */
  warning = g_strdup_printf (_ ("%s of output could not be stored: %s"), size,
                             g_strerror (self->result->store_error));
  stint_job_set_warning (self, warning);
}

void
stint_job_leave_end (StintJob *self)
{
  struct keeper_outcome outcome;

  g_return_if_fail (STINT_IS_JOB (self) && self->detached);

  self->end_left = stint_outcome_read (self->directory, &outcome, NULL);
}

void
stint_job_finish_with (StintJob *self, StintResult *result)
{
  g_autofree char *sentence = NULL;

  if (self->result != NULL)
    {
      stint_result_unref (result);
      return;
    }
  self->result = result;
  sentence = stint_result_dup_sentence (result);
  stint_job_log_step (self, "ended: %s (%s)", stint_reason_to_nick (result->reason), sentence);
  if (result->started_at != 0)
    self->started_at = result->started_at;
  self->pid = 0;
  self->kill_at = STINT_NEVER;
  if (self->paused)
    stint_job_set_paused (self, FALSE);
  g_clear_handle_id (&self->overdue_source, g_source_remove);
  stint_stdio_close (&self->stdio);
  g_clear_pointer (&self->place, stint_job_place_free);
  if (self->pty != NULL)
    stint_pty_close (self->pty);
  if (self->transcript != NULL)
    stint_transcript_complete (self->transcript);
  stint_job_clear_alerts (self);
  g_clear_object (&self->counters);
  note_losses (self);
  g_object_notify (G_OBJECT (self), "pid");
  g_object_notify (G_OBJECT (self), "result");

  self->saving = self->begun;
  stint_job_set_state (self, STINT_JOB_FINISHED);
  complete_waiters (self);
  if (self->end_left)
    self->saving = FALSE;
  else if (self->begun)
    stint_job_store_finish_async (self->store, self, handle_saved, g_object_ref (self));
  stint_job_complete_run (self);
}

void
stint_job_finish_with_error (StintJob *self, const GError *error)
{
  StintResult *result = stint_result_new (STINT_REASON_FAILED);

  result->failure = STINT_FAILURE_OTHER;
  result->error = g_strdup (error->message);
  stint_job_finish_with (self, result);
}

void
stint_job_finish_unstarted (StintJob *self)
{
  stint_job_finish_with (self, stint_result_new (self->stop_reason));
}
