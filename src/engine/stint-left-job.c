/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What one process leaves to the next of a job. See stint-job-detach.c.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-left-job.h"

StintLeftJob *
stint_left_job_new (guint64 id, StintJobSpec *spec, const char *directory)
{
  StintLeftJob *self;

  g_return_val_if_fail (STINT_IS_JOB_SPEC (spec), NULL);

  self = g_new0 (StintLeftJob, 1);
  self->id = id;
  self->spec = g_object_ref (spec);
  self->directory = g_strdup (directory);
  self->attempt = 1;
  return self;
}

StintLeftJob *
stint_left_job_copy (const StintLeftJob *self)
{
  StintLeftJob *copy = stint_left_job_new (self->id, self->spec, self->directory);

  copy->follows = self->follows;
  copy->attempt = self->attempt;
  copy->added = g_strdup (self->added);
  return copy;
}

void
stint_left_job_free (StintLeftJob *self)
{
  g_object_unref (self->spec);
  g_free (self->directory);
  g_free (self->added);
  g_free (self);
}
