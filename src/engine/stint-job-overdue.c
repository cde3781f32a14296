/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A keeper that should have spoken and has not: its job has passed its end, or has been asked to stop.
 * One that somebody has stopped is continued. One that says nothing even then is past help, and what
 * it kept is ended without it: no job outlives its time.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-job-fields.h"
#include "stint-job-private.h"

#include "stint-strays.h"

#include <glib/gi18n-lib.h>

/* A keeper gives up this long after SIGKILL, and says so. */
#define GIVE_UP G_USEC_PER_SEC

/* How late it may be on a busy machine before it is looked for, and how long after that it is left
 * alone. */
static gint64 margin = 2 * G_USEC_PER_SEC;
static gint64 patience = 10 * G_USEC_PER_SEC;

void
stint_job_set_patience (gint64 new_margin, gint64 new_patience)
{
  margin = new_margin;
  patience = new_patience;
}

/* Returns: when the next word of the keeper is due, monotonic. */
static gint64
get_due (StintJob *self)
{
  if (self->link == NULL || self->state == STINT_JOB_FINISHED)
    return STINT_NEVER;
  if (self->asked_at != 0)
    return self->asked_at;
  /* Another process may have paused it or given it more time, and holds its keeper to that. */
  if (self->elsewhere)
    return STINT_NEVER;
  if (self->state == STINT_JOB_STOPPING && self->kill_at < STINT_NEVER - GIVE_UP)
    return self->kill_at + GIVE_UP;
  if (self->state == STINT_JOB_RUNNING && self->limits.paused_at == 0)
    return self->limits.wall_at;
  return STINT_NEVER;
}

static void
continue_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  stint_strays_continue_keeper (data);
  g_task_return_boolean (task, TRUE);
}

static void
continue_keeper (StintJob *self)
{
  /* Not of the job: the thread may be the last to let go of the task, and so of its source. */
  g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);

  /* By Ctrl+Z, for one: what is asked of the job goes through its owner. */
  if (self->elsewhere)
    stint_keeper_link_continue_peer (self->link);
  g_task_set_source_tag (task, continue_keeper);
  g_task_set_task_data (task, g_strdup (self->directory), g_free);
  g_task_run_in_thread (task, continue_in_thread);
}

static void
handle_ended_without (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (StintJob) self = data;
  g_autoptr (StintResult) ended = stint_strays_end_finish (result);
  g_autofree char *warning = NULL;

  if (self->state == STINT_JOB_FINISHED)
    return;
  warning = g_strdup_printf (
      g_dngettext (
          GETTEXT_PACKAGE,
          "The keeper of this job does not answer. %u process of the job was killed without it",
          "The keeper of this job does not answer. %u processes of the job were killed without it",
          ended->leftovers),
      ended->leftovers);
  stint_job_set_warning (self, warning);
}

static gboolean
handle_overdue (gpointer data)
{
  StintJob *self = data;
  gint64 due = get_due (self);

  self->overdue_source = 0;
  if (due == STINT_NEVER || g_get_monotonic_time () < due + margin)
    {
      stint_job_watch_keeper (self);
      return G_SOURCE_REMOVE;
    }
  if (!self->overdue)
    {
      self->overdue = TRUE;
      g_debug ("job %" G_GUINT64_FORMAT ": its keeper is overdue", self->id);
      continue_keeper (self);
      self->overdue_source = g_timeout_add ((guint) (patience / 1000), handle_overdue, self);
    }
  else
    {
      g_autoptr (StintResult) ended = stint_result_new (STINT_REASON_INTERRUPTED);

      stint_strays_end_async (self->directory, ended, handle_ended_without, g_object_ref (self));
    }
  return G_SOURCE_REMOVE;
}

void
stint_job_watch_keeper (StintJob *self)
{
  gint64 due = get_due (self), now;

  g_clear_handle_id (&self->overdue_source, g_source_remove);
  self->overdue = FALSE;
  if (due >= STINT_NEVER - margin)
    return;
  now = g_get_monotonic_time ();
  due = MAX (due + margin - now, 0);
  self->overdue_source =
      g_timeout_add ((guint) MIN (due / 1000 + 1, G_MAXINT32), handle_overdue, self);
}
