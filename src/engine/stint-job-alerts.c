/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a job tells of its limits while it runs: that little is left of one that will end it, and that
 * it is silent, if that is only to be told.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-clock-source.h"
#include "stint-job-fields.h"
#include "stint-job-private.h"

/* A tenth of a limit before its end, but no longer than this. */
#define WARNING_SHARE 10
#define LONGEST_WARNING (G_GINT64_CONSTANT (60) * G_USEC_PER_SEC)

/* After a warning of a silence: does it still last? */
#define SHORTEST_LOOK (G_USEC_PER_SEC / 10)

static gint64
get_warning_time (gint64 total)
{
  return MIN (total / WARNING_SHARE, LONGEST_WARNING);
}

static void
clear_source (StintJob *self)
{
  if (self->warning_source != NULL)
    g_source_destroy (self->warning_source);
  g_clear_pointer (&self->warning_source, g_source_unref);
}

/* Returns: microseconds until there may be something to warn of, or STINT_NEVER. */
static gint64
check_timeout (StintJob *self)
{
  gint64 left = stint_job_get_timeout_left (self);
  gint64 due;

  if (left == STINT_NEVER)
    return STINT_NEVER;
  due = left - get_warning_time (self->timeout_total);
  if (due > 0)
    {
      self->warned_timeout = FALSE;
      return due;
    }
  if (!self->warned_timeout)
    {
      self->warned_timeout = TRUE;
      stint_job_emit_limit_warning (self, STINT_REASON_TIMEOUT, left);
    }
  return STINT_NEVER;
}

/* The idle limit moves on with every output: that is looked at when the warning would be due. */
static gint64
check_idle (StintJob *self)
{
  gint64 left = stint_job_get_idle_left (self);
  gint64 due;

  if (left == STINT_NEVER || self->on_idle != STINT_ON_IDLE_TERMINATE)
    return STINT_NEVER;
  due = left - get_warning_time (self->limits.idle);
  if (due > 0)
    return due;
  if (self->warned_idle != self->limits.idle_since)
    {
      self->warned_idle = self->limits.idle_since;
      stint_job_emit_limit_warning (self, STINT_REASON_IDLE_TIMEOUT, left);
    }
  return MAX (left, SHORTEST_LOOK);
}

static gboolean
handle_warning (gpointer data)
{
  g_autoptr (StintJob) self = g_object_ref (data);

  stint_job_watch_limits (self);
  return G_SOURCE_REMOVE;
}

void
stint_job_watch_limits (StintJob *self)
{
  gint64 timeout, idle, next;

  clear_source (self);
  if (self->state != STINT_JOB_RUNNING || self->paused)
    return;
  timeout = check_timeout (self);
  idle = check_idle (self);
  next = MIN (timeout, idle);
  /* Whoever was warned may have given it more time: then this has been called meanwhile. */
  if (next == STINT_NEVER || self->warning_source != NULL || self->state != STINT_JOB_RUNNING)
    return;
  self->warning_source = stint_monotonic_source_new (g_get_monotonic_time () + next);
  g_source_set_callback (self->warning_source, handle_warning, self, NULL);
  g_source_attach (self->warning_source, g_main_context_get_thread_default ());
}

/* Silence */

static void
handle_output (StintJob *self)
{
  g_signal_handlers_disconnect_by_func (self->counters, handle_output, self);
  stint_counters_unfollow (self->counters);
  self->silent = FALSE;
  g_object_notify (G_OBJECT (self), "silent");
}

void
stint_job_note_silence (StintJob *self, gint64 at)
{
  if (self->silent || self->counters == NULL)
    return;
  self->silent = TRUE;
  g_signal_connect_swapped (self->counters, "grew", G_CALLBACK (handle_output), self);
  stint_counters_follow (self->counters);
  g_object_notify (G_OBJECT (self), "silent");
  /* It has spoken since the keeper looked. */
  if (self->silent && stint_counters_get_last_output (self->counters) > at)
    handle_output (self);
}

void
stint_job_clear_alerts (StintJob *self)
{
  clear_source (self);
  if (self->silent && self->counters != NULL)
    handle_output (self);
}

gboolean
stint_job_get_silent (StintJob *self)
{
  return self->silent;
}
