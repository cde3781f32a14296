/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Letting a job go, so that it outlives this process, and taking over one that was let go. The keeper
 * decides: a job is let go once it says so, and goes to the first engine that comes for it.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-job-fields.h"
#include "stint-job-private.h"

#include "stint-error.h"
#include "stint-job-spec-private.h"

#include <glib/gi18n-lib.h>

/* Why it cannot be let go, or NULL. */
static const char *
get_obstacle (StintJob *self)
{
  if (self->state != STINT_JOB_RUNNING || self->link == NULL)
    return _ ("Only a job that runs can be let go");
  if (self->scratch)
    return _ ("This job is not kept in the history, so nothing could find it again");
  if (self->tied)
    return _ ("This job's input or output goes through this process, and would end with it");
  return NULL;
}

gboolean
stint_job_get_detached (StintJob *self)
{
  g_return_val_if_fail (STINT_IS_JOB (self), FALSE);
  return self->detached;
}

gboolean
stint_job_can_detach (StintJob *self)
{
  g_return_val_if_fail (STINT_IS_JOB (self), FALSE);
  return !self->detached && get_obstacle (self) == NULL;
}

gboolean
stint_job_detach (StintJob *self, GError **error)
{
  const char *obstacle;

  g_return_val_if_fail (STINT_IS_JOB (self), FALSE);

  obstacle = get_obstacle (self);
  if (obstacle != NULL)
    {
      g_set_error_literal (error, STINT_ERROR,
                           self->state != STINT_JOB_RUNNING ? STINT_ERROR_NOT_RUNNING
                                                            : STINT_ERROR_INVALID,
                           obstacle);
      return FALSE;
    }
  stint_keeper_link_send (self->link, &(struct keeper_request){ .type = KEEPER_REQUEST_DETACH });
  return TRUE;
}

void
stint_job_attach (StintJob *self)
{
  g_return_if_fail (STINT_IS_JOB (self));

  if (self->link != NULL && self->state != STINT_JOB_FINISHED)
    stint_keeper_link_send (self->link, &(struct keeper_request){ .type = KEEPER_REQUEST_ATTACH });
}

static void
set_detached (StintJob *self, gboolean detached)
{
  if (self->detached == detached || self->state == STINT_JOB_FINISHED)
    return;
  self->detached = detached;
  g_object_notify (G_OBJECT (self), "detached");
}

/* A row that could not be changed does no harm to the job: the keeper's socket is what counts. */
static void
handle_noted (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (StintJob) self = data;
  g_autoptr (GError) error = NULL;

  if (!stint_job_store_note_finish (STINT_JOB_STORE (source), result, &error))
    {
      g_autofree char *warning =
          /* Translators: followed by the reason */
          g_strdup_printf (_ ("Whether this job is let go could not be recorded: %s"),
                           error->message);

      stint_job_set_warning (self, warning);
    }
  /* An older note may say what its keeper has taken back since. */
  if (--self->n_notes == 0)
    set_detached (self, self->let_go);
}

/* It is recorded first: whoever is told that it is let go may end this process. */
static void
note (StintJob *self)
{
  self->n_notes++;
  stint_job_store_note_async (self->store, self, self->let_go, handle_noted, g_object_ref (self));
}

void
stint_job_handle_detached (StintJob *self, const struct keeper_event *event)
{
  /* Whose job it is records it. */
  if (self->elsewhere)
    return;
  if (event->error != 0)
    {
      g_autofree char *warning =
          /* Translators: the system's reason */
          g_strdup_printf (_ ("The job could not be let go: %s"), g_strerror (event->error));

      stint_job_set_warning (self, warning);
    }
  else
    {
      self->let_go = event->detached != 0;
      note (self);
    }
}

void
stint_job_note_added (StintJob *self, StintThen when, const char *line)
{
  if (self->added == NULL)
    {
      self->added = stint_job_spec_copy (self->spec);
      stint_job_spec_clear_schedule (self->added);
    }
  stint_job_spec_add_then (self->added, when, line);
  self->added_moved = FALSE;
  if (self->let_go && self->run_task != NULL && self->state != STINT_JOB_FINISHED)
    note (self);
}

char *
stint_job_dup_added (StintJob *self)
{
  return self->added != NULL ? stint_job_spec_then_to_text (self->added) : NULL;
}

char *
stint_job_move_added (StintJob *self)
{
  char *added = stint_job_dup_added (self);

  g_clear_object (&self->added);
  self->added_moved = added != NULL;
  return added;
}

gboolean
stint_job_has_moved_added (StintJob *self)
{
  return self->added_moved;
}

StintJob *
stint_job_new_adopted (const StintLeftJob *left, StintKeeperHandover *handover, GError **error)
{
  g_autoptr (StintJob) self = stint_job_new (left->spec, NULL);

  self->id = left->id;
  self->directory = g_strdup (left->directory);
  stint_job_set_origin (self, left->follows, left->attempt);
  self->begun = TRUE;
  self->let_go = TRUE;
  self->detached = TRUE;
  self->adopted = TRUE;
  self->limits = handover->adoption.limits;
  self->on_idle = handover->adoption.idle_action == KEEPER_IDLE_NOTIFY ? STINT_ON_IDLE_NOTIFY
                                                                       : STINT_ON_IDLE_TERMINATE;
  self->paused = self->limits.paused_at != 0;
  self->state = STINT_JOB_STARTING;
  if (handover->pty_fd >= 0)
    self->pty = stint_pty_new_for_fd (g_steal_fd (&handover->pty_fd));
  if (!stint_job_take_channels (self, &handover->channels, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
stint_job_run_adopted_async (StintJob *self,
                             StintJobStore *store,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  g_return_if_fail (STINT_IS_JOB (self) && self->adopted && self->run_task == NULL);

  self->run_task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (self->run_task, stint_job_run_adopted_async);
  self->store = g_object_ref (store);
  /* The row's owner is this process now. */
  note (self);
}
