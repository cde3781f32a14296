/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When a job starts, how often it is tried, and what is run after it.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-job-spec-private.h"

#define LONGEST_RETRY_DELAY (G_GINT64_CONSTANT (300) * G_USEC_PER_SEC)

static const char *const then_nicks[] = { "always", "success", "failure" };

const char *
stint_then_to_nick (StintThen when)
{
  g_return_val_if_fail ((guint) when < G_N_ELEMENTS (then_nicks), NULL);
  return then_nicks[when];
}

gboolean
stint_then_from_nick (const char *nick, StintThen *when)
{
  for (guint i = 0; i < G_N_ELEMENTS (then_nicks); i++)
    if (g_strcmp0 (nick, then_nicks[i]) == 0)
      {
        *when = (StintThen) i;
        return TRUE;
      }
  return FALSE;
}

static void
then_line_free (gpointer data)
{
  StintThenLine *then = data;

  g_free (then->line);
  g_free (then);
}

void
stint_job_spec_init_schedule (StintJobSpec *self)
{
  self->retry_delay = STINT_DEFAULT_RETRY_DELAY;
  self->then = g_ptr_array_new_with_free_func (then_line_free);
}

static void
copy_then (StintJobSpec *to, StintJobSpec *from, guint first)
{
  for (guint i = first; i < from->then->len; i++)
    {
      const StintThenLine *then = from->then->pdata[i];

      stint_job_spec_add_then (to, then->when, then->line);
    }
}

void
stint_job_spec_copy_schedule (StintJobSpec *to, StintJobSpec *from)
{
  to->start_delay = from->start_delay;
  to->start_at = from->start_at;
  to->retries = from->retries;
  to->retry_delay = from->retry_delay;
  copy_then (to, from, 0);
}

gint64
stint_job_spec_get_start_delay (StintJobSpec *self)
{
  return self->start_delay;
}

void
stint_job_spec_set_start_delay (StintJobSpec *self, gint64 usec)
{
  g_return_if_fail (!self->sealed && usec >= 0);
  self->start_delay = usec;
  self->start_at = 0;
}

gint64
stint_job_spec_get_start_at (StintJobSpec *self)
{
  return self->start_at;
}

void
stint_job_spec_set_start_at (StintJobSpec *self, gint64 real_usec)
{
  g_return_if_fail (!self->sealed && real_usec >= 0);
  self->start_at = real_usec;
  self->start_delay = 0;
}

guint
stint_job_spec_get_retries (StintJobSpec *self)
{
  return self->retries;
}

void
stint_job_spec_set_retries (StintJobSpec *self, guint retries)
{
  g_return_if_fail (!self->sealed && retries <= STINT_MAX_RETRIES);
  self->retries = retries;
}

gint64
stint_job_spec_get_retry_delay (StintJobSpec *self)
{
  return self->retry_delay;
}

void
stint_job_spec_set_retry_delay (StintJobSpec *self, gint64 usec)
{
  g_return_if_fail (!self->sealed && usec >= 0);
  self->retry_delay = usec;
}

gint64
stint_job_spec_get_retry_pause (StintJobSpec *self, guint attempt)
{
  gint64 longest = MAX (LONGEST_RETRY_DELAY, self->retry_delay);
  gint64 pause = self->retry_delay;

  for (guint i = 1; i < attempt && pause > 0 && pause < longest; i++)
    pause *= 2;
  return MIN (pause, longest);
}

void
stint_job_spec_add_then (StintJobSpec *self, StintThen when, const char *line)
{
  StintThenLine *then;

  g_return_if_fail (!self->sealed && line != NULL);

  then = g_new0 (StintThenLine, 1);
  then->when = when;
  then->line = g_strdup (line);
  g_ptr_array_add (self->then, then);
}

guint
stint_job_spec_get_n_then (StintJobSpec *self)
{
  return self->then->len;
}

const char *
stint_job_spec_get_then (StintJobSpec *self, guint i, StintThen *when)
{
  const StintThenLine *then;

  g_return_val_if_fail (i < self->then->len, NULL);

  then = self->then->pdata[i];
  if (when != NULL)
    *when = then->when;
  return then->line;
}

StintJobSpec *
stint_job_spec_new_then (StintJobSpec *self, guint i)
{
  /* What the agent was told is not what its follower reads, and its idle default is not for it. */
  StintJobKind kind = self->kind == STINT_JOB_KIND_AGENT ? STINT_JOB_KIND_SHELL : self->kind;
  const char *line = stint_job_spec_get_then (self, i, NULL);
  StintJobSpec *spec;

  g_return_val_if_fail (line != NULL, NULL);

  spec = stint_job_spec_new_shell (kind, line);
  stint_job_spec_set_directory (spec, self->directory);
  spec->inherited = g_strdupv (self->inherited);
  for (guint j = 0; j < self->env_changes->len; j++)
    g_ptr_array_add (spec->env_changes, g_strdup (self->env_changes->pdata[j]));
  for (guint j = 0; j < self->tags->len; j++)
    stint_job_spec_add_tag (spec, self->tags->pdata[j]);
  stint_job_spec_copy_secrets (spec, self);
  spec->grace = self->grace;
  spec->output_limit = self->output_limit;
  spec->niceness = self->niceness;
  spec->leftovers = self->leftovers;
  stint_job_spec_set_tty (spec, stint_job_spec_get_tty (self));
  spec->columns = self->columns;
  spec->rows = self->rows;
  copy_then (spec, self, i + 1);
  return spec;
}

void
stint_job_spec_clear_schedule (StintJobSpec *self)
{
  g_return_if_fail (!self->sealed);
  stint_job_spec_set_start_delay (self, 0);
  self->retries = 0;
  g_ptr_array_set_size (self->then, 0);
}
