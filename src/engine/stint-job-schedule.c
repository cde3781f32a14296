/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where a job stands before it has started, and in a sequence: facts that its list tells it, for
 * faces to show.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-job-fields.h"
#include "stint-job-private.h"

guint
stint_job_get_queue_position (StintJob *self)
{
  return self->queue_position;
}

void
stint_job_set_queue_position (StintJob *self, guint position)
{
  if (self->queue_position == position)
    return;
  self->queue_position = position;
  g_object_notify (G_OBJECT (self), "queue-position");
}

gint64
stint_job_get_start_at (StintJob *self)
{
  return self->start_at;
}

gint64
stint_job_get_start_left (StintJob *self)
{
  if (self->start_mono != STINT_NEVER)
    return MAX (self->start_mono - g_get_monotonic_time (), 0);
  if (self->start_real > 0)
    return MAX (self->start_real - g_get_real_time (), 0);
  return STINT_NEVER;
}

void
stint_job_get_start (StintJob *self, gint64 *monotonic, gint64 *real)
{
  *monotonic = self->start_mono;
  *real = self->start_real;
}

void
stint_job_set_start (StintJob *self, gint64 monotonic, gint64 real)
{
  gint64 start_at = real;

  self->start_mono = monotonic;
  self->start_real = real;
  if (monotonic != STINT_NEVER)
    {
      /* In this order: who is held up in between says too late a time, never one that is too early. */
      gint64 left = stint_job_get_start_left (self);

      start_at = g_get_real_time () + left;
    }
  if (self->start_at == start_at)
    return;
  self->start_at = start_at;
  g_object_notify (G_OBJECT (self), "start-at");
}

guint64
stint_job_get_follows (StintJob *self)
{
  return self->follows;
}

guint
stint_job_get_attempt (StintJob *self)
{
  return self->attempt;
}

void
stint_job_set_origin (StintJob *self, guint64 follows, guint attempt)
{
  self->follows = follows;
  self->attempt = attempt;
}
