/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What can be asked of a job that runs: stop, pause, more time, input. Each is a request to its
 * keeper; what follows from it comes back as an event.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-job-fields.h"
#include "stint-job-private.h"

#include "stint-error.h"

#include <glib/gi18n-lib.h>

static gboolean
has_keeper (StintJob *self)
{
  return self->link != NULL && self->state != STINT_JOB_FINISHED;
}

static void
stop_with (StintJob *self, const struct keeper_request *request)
{
  if (self->state == STINT_JOB_FINISHED)
    return;
  if (has_keeper (self))
    {
      stint_keeper_link_send (self->link, request);
      /* Asked again it says nothing that it has not said. */
      if (self->asked_at == 0 &&
          (self->state != STINT_JOB_STOPPING || request->type == KEEPER_REQUEST_KILL))
        self->asked_at = g_get_monotonic_time ();
      stint_job_watch_keeper (self);
      return;
    }
  stint_job_set_stop_reason (self, (StintReason) request->reason);
  /* One whose place is still being made ends when it is there. */
  if (self->begun)
    stint_job_finish_unstarted (self);
}

void
stint_job_stop (StintJob *self, StintReason reason, gint64 grace)
{
  const struct keeper_request request = {
    .type = KEEPER_REQUEST_STOP,
    .reason = (uint32_t) reason,
    .grace = grace,
  };

  g_return_if_fail (STINT_IS_JOB (self));
  g_return_if_fail (reason == STINT_REASON_TERMINATED || reason == STINT_REASON_CANCELLED ||
                    reason == STINT_REASON_TIMEOUT || reason == STINT_REASON_IDLE_TIMEOUT);
  stop_with (self, &request);
}

void
stint_job_terminate (StintJob *self)
{
  stint_job_stop (self, STINT_REASON_TERMINATED, -1);
}

void
stint_job_kill_for (StintJob *self, StintReason reason)
{
  const struct keeper_request request = {
    .type = KEEPER_REQUEST_KILL,
    .reason = (uint32_t) reason,
  };

  g_return_if_fail (STINT_IS_JOB (self));
  stop_with (self, &request);
}

void
stint_job_kill (StintJob *self)
{
  stint_job_kill_for (self, STINT_REASON_KILLED);
}

static void
look_for_activity (StintJob *self)
{
  if (self->counters != NULL)
    limits_activity (&self->limits, stint_counters_get_last_activity (self->counters));
}

void
stint_job_pause (StintJob *self)
{
  g_return_if_fail (STINT_IS_JOB (self));

  if (self->state != STINT_JOB_RUNNING || self->paused)
    return;
  look_for_activity (self);
  limits_pause (&self->limits, g_get_monotonic_time ());
  stint_keeper_link_send (self->link, &(struct keeper_request) { .type = KEEPER_REQUEST_PAUSE });
  stint_job_set_paused (self, TRUE);
  stint_job_emit_limits_changed (self);
}

void
stint_job_resume (StintJob *self)
{
  g_return_if_fail (STINT_IS_JOB (self));

  if (!self->paused)
    return;
  limits_resume (&self->limits, g_get_monotonic_time ());
  if (has_keeper (self))
    stint_keeper_link_send (self->link, &(struct keeper_request) { .type = KEEPER_REQUEST_RESUME });
  stint_job_set_paused (self, FALSE);
  stint_job_emit_limits_changed (self);
}

static void
set_limits (StintJob *self, gint64 wall_at, gint64 idle)
{
  const struct keeper_request request = {
    .type = KEEPER_REQUEST_LIMITS,
    .wall_at = wall_at,
    .idle = idle,
    .idle_action =
      self->on_idle == STINT_ON_IDLE_NOTIFY ? KEEPER_IDLE_NOTIFY : KEEPER_IDLE_TERMINATE,
  };

  look_for_activity (self);
  limits_set (&self->limits, g_get_monotonic_time (), wall_at, idle);
  stint_keeper_link_send (self->link, &request);
  stint_job_emit_limits_changed (self);
}

void
stint_job_set_timeout_left (StintJob *self, gint64 usec)
{
  gint64 now = self->limits.paused_at != 0 ? self->limits.paused_at : g_get_monotonic_time ();

  g_return_if_fail (STINT_IS_JOB (self) && usec >= 0);

  if (self->state != STINT_JOB_RUNNING)
    return;
  self->timeout_total = usec == STINT_NEVER ? 0 : MAX (self->timeout_total, usec);
  set_limits (self, usec > STINT_NEVER - now ? LIMITS_NEVER : now + usec, self->limits.idle);
}

void
stint_job_set_idle_limit (StintJob *self, gint64 usec)
{
  g_return_if_fail (STINT_IS_JOB (self) && usec >= 0);

  if (self->state == STINT_JOB_RUNNING)
    set_limits (self, self->limits.wall_at, usec);
}

void
stint_job_set_on_idle (StintJob *self, StintOnIdle on_idle)
{
  g_return_if_fail (STINT_IS_JOB (self));

  if (self->state != STINT_JOB_RUNNING || self->on_idle == on_idle)
    return;
  self->on_idle = on_idle;
  set_limits (self, self->limits.wall_at, self->limits.idle);
}

StintOnIdle
stint_job_get_on_idle (StintJob *self)
{
  return self->on_idle;
}

gint64
stint_job_get_timeout_left (StintJob *self)
{
  if (self->state != STINT_JOB_RUNNING)
    return STINT_NEVER;
  return limits_wall_left (&self->limits, g_get_monotonic_time ());
}

gint64
stint_job_get_idle_left (StintJob *self)
{
  if (self->state != STINT_JOB_RUNNING)
    return STINT_NEVER;
  look_for_activity (self);
  return limits_idle_left (&self->limits, g_get_monotonic_time ());
}

gint64
stint_job_get_kill_left (StintJob *self)
{
  if (self->state != STINT_JOB_STOPPING || self->kill_at == STINT_NEVER)
    return STINT_NEVER;
  return MAX (self->kill_at - g_get_monotonic_time (), 0);
}

gint64
stint_job_get_timeout_total (StintJob *self)
{
  return self->timeout_total;
}

gint64
stint_job_get_idle_total (StintJob *self)
{
  return self->limits.idle;
}

GPtrArray *
stint_job_dup_processes (StintJob *self, guint max)
{
  g_return_val_if_fail (STINT_IS_JOB (self), NULL);

  if (!has_keeper (self) || self->keeper_pid == 0)
    return g_ptr_array_new_with_free_func ((GDestroyNotify) stint_process_free);
  return stint_processes_below (self->keeper_pid, "stint-keeper", max);
}

gboolean
stint_job_write (StintJob *self, GBytes *data, GError **error)
{
  g_return_val_if_fail (STINT_IS_JOB (self), FALSE);

  if (self->pty == NULL || !has_keeper (self))
    {
      g_set_error_literal (error, STINT_ERROR, STINT_ERROR_NOT_RUNNING,
                           _ ("The job takes no input now"));
      return FALSE;
    }
  return stint_pty_write (self->pty, data, error);
}

void
stint_job_resize (StintJob *self, guint columns, guint rows)
{
  const struct keeper_request request = {
    .type = KEEPER_REQUEST_RESIZED,
    .columns = (uint16_t) MIN (columns, G_MAXUINT16),
    .rows = (uint16_t) MIN (rows, G_MAXUINT16),
  };

  g_return_if_fail (STINT_IS_JOB (self));

  if (self->pty == NULL || !has_keeper (self) || !stint_pty_resize (self->pty, columns, rows))
    return;
  if (self->counters != NULL)
    limits_resized (&self->limits, g_get_monotonic_time (),
                    stint_counters_get_last_activity (self->counters));
  stint_keeper_link_send (self->link, &request);
}

gboolean
stint_job_takes_lines (StintJob *self)
{
  g_return_val_if_fail (STINT_IS_JOB (self), FALSE);

  return self->pty != NULL && has_keeper (self) && stint_pty_takes_lines (self->pty);
}
