/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A job and its keeper: how one gets the other, what its events do to the job, and what its silence
 * means. What the keeper reports is believed; what GLib says of the keeper's own process only tells
 * that it has been reaped.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-error.h"
#include "stint-job-fields.h"

#include "stint-outcome.h"
#include "stint-result-private.h"
#include "stint-strays.h"
#include "stint-transcript-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <unistd.h>

/* What it says */

static void
handle_started (StintJob *self, const struct keeper_event *event)
{
  StintJobSpec *spec = self->spec;
  g_autofree char *line = stint_job_spec_dup_command_line (spec);

  self->pid = event->pid;
  self->started_mono = event->at;
  /* Not reckoned from now: to who takes the job over or watches it this is told long after. */
  self->started_at = stint_counters_get_page (self->counters)->started_real;
  self->timeout_total = stint_job_spec_get_timeout (spec);
  /* Told again to who comes later, who has the limits as they are by now. */
  if (!self->adopted && !self->elsewhere)
    limits_start (&self->limits, event->at, stint_job_spec_get_timeout (spec),
                  stint_job_spec_get_idle_timeout (spec));
  else if (self->limits.wall_at == LIMITS_NEVER)
    self->timeout_total = 0;
  else
    self->timeout_total = MAX (self->timeout_total, self->limits.wall_at - event->at);
  stint_job_log_step (self, "started in %s: %s", stint_job_spec_get_directory (spec), line);
  g_object_notify (G_OBJECT (self), "pid");
  if (self->state == STINT_JOB_STARTING)
    stint_job_set_state (self, STINT_JOB_RUNNING);
  stint_job_emit_limits_changed (self);
}

static void
handle_stopping (StintJob *self, const struct keeper_event *event)
{
  self->kill_at = event->kill_at;
  self->asked_at = 0;
  /* The leader's own end, and leftovers after it, are no reason to give. */
  if (event->reason > KEEPER_REASON_SIGNALED && event->reason <= KEEPER_REASON_INTERRUPTED)
    stint_job_set_stop_reason (self, (StintReason) event->reason);
  /* It has been continued, or it could not end. */
  if (self->paused)
    stint_job_set_paused (self, FALSE);
  stint_job_set_state (self, STINT_JOB_STOPPING);
  stint_job_emit_limits_changed (self);
}

static void
handle_event (StintKeeperLink *link, gpointer data, StintJob *self)
{
  const struct keeper_event *event = data;
  g_autoptr (StintJob) alive = g_object_ref (self);

  if (self->tap != NULL)
    self->tap (event, self->tap_data);
  switch ((enum keeper_event_type) event->type)
    {
    case KEEPER_EVENT_STARTED:
      handle_started (self, event);
      break;
    case KEEPER_EVENT_IDLE_EXPIRED:
      stint_job_note_silence (self, event->at);
      stint_job_emit_idle_expired (self);
      break;
    case KEEPER_EVENT_LEADER_EXITED:
      stint_job_log_step (self, "its command has ended");
      break;
    case KEEPER_EVENT_STOPPING:
      handle_stopping (self, event);
      break;
    case KEEPER_EVENT_ESCALATED:
      stint_job_log_step (self, "is being killed");
      self->kill_at = event->kill_at;
      stint_job_emit_limits_changed (self);
      break;
    case KEEPER_EVENT_HANG_UP:
      if (self->pty != NULL)
        stint_pty_close (self->pty);
      break;
    case KEEPER_EVENT_DETACHED:
      stint_job_handle_detached (self, event);
      break;
    case KEEPER_EVENT_DONE:
      stint_job_finish_with (self, stint_result_new_from_outcome (&event->outcome,
                                                   stint_job_spec_get_argv (self->spec)[0],
                                                   stint_job_spec_get_directory (self->spec)));
      break;
    default:
      break;
    }
}

/* What is known all the same: the page outlives its keeper. */
static void
note_counters (StintJob *self, StintResult *result)
{
  const struct keeper_counters *page;

  if (self->counters == NULL)
    return;
  page = stint_counters_get_page (self->counters);
  if (page->has_status)
    stint_result_set_wait_status (result, page->wait_status);
  result->stdout_bytes = page->bytes[KEEPER_STREAM_STDOUT];
  result->stderr_bytes = page->bytes[KEEPER_STREAM_STDERR];
  result->lost_bytes = page->lost;
  result->store_error = (int) page->store_error;
  if (page->hole_end > page->hole_start)
    result->hole_bytes = page->hole_end - page->hole_start;
}

static void
handle_strays_ended (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (StintJob) self = data;

  stint_job_finish_with (self, stint_strays_end_finish (result));
}

/* Without a last word: both halves of the keeper were killed, or it could not begin. */
static void
handle_ended (StintKeeperLink *link, StintJob *self)
{
  g_autoptr (StintJob) alive = g_object_ref (self);
  struct keeper_outcome outcome;

  if (self->state == STINT_JOB_FINISHED)
    return;
  if (stint_outcome_read (self->directory, &outcome, NULL))
    {
      stint_job_finish_with (self, stint_result_new_from_outcome (&outcome,
                                                   stint_job_spec_get_argv (self->spec)[0],
                                                   stint_job_spec_get_directory (self->spec)));
    }
  else if (self->elsewhere)
    {
      stint_job_await_orphan (self);
    }
  else
    {
      gboolean begun = self->counters != NULL && stint_counters_get_page (self->counters)->leader != 0;
      StintResult *result = stint_result_new (begun ? STINT_REASON_INTERRUPTED : STINT_REASON_FAILED);

      result->failure = begun ? STINT_FAILURE_NONE : STINT_FAILURE_OTHER;
      result->error = g_strdup (begun ? _ ("The keeper of the job was killed")
                                      : _ ("The keeper ended before it could start the job"));
      result->started_at = self->started_at;
      result->duration = stint_job_get_elapsed (self);
      note_counters (self, result);
      /* Nobody holds together what it had started. */
      if (begun)
        stint_strays_end_async (self->directory, result, handle_strays_ended, g_object_ref (self));
      else
        stint_job_finish_with (self, stint_result_ref (result));
      stint_result_unref (result);
    }
}

/* @data is NULL if nobody waits for it. */
static void
handle_keeper_reaped (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (StintJob) self = data;

  g_subprocess_wait_finish (G_SUBPROCESS (source), result, NULL);
  if (self == NULL)
    return;
  self->keeper_pid = 0;
  self->keeper_runs = FALSE;
  stint_job_complete_run (self);
}

/* How it is started */

static gboolean
make_pty (StintJob *self, GError **error)
{
  guint columns, rows;

  if (!stint_job_spec_get_tty (self->spec))
    return TRUE;
  self->pty = stint_pty_new (error);
  if (self->pty == NULL)
    return FALSE;
  stint_job_spec_get_size (self->spec, &columns, &rows);
  stint_pty_resize (self->pty, columns, rows);
  return TRUE;
}

void
stint_job_duplicate_fd (StintJob *self, int fd, int *copy)
{
  if (fd < 0)
    return;
  *copy = fcntl (fd, F_DUPFD_CLOEXEC, 3);
  if (*copy < 0)
    self->stdio_error = errno;
}

gboolean
stint_job_take_channels (StintJob *self, StintKeeperChannels *channels, GError **error)
{
  self->link = stint_keeper_link_new (g_steal_fd (&channels->control_fd));
  g_signal_connect_object (self->link, "event", G_CALLBACK (handle_event), self, 0);
  g_signal_connect_object (self->link, "ended", G_CALLBACK (handle_ended), self, 0);
  if (self->tap != NULL)
    {
      stint_job_duplicate_fd (self, channels->counters_fd, &self->shared_fds[0]);
      stint_job_duplicate_fd (self, channels->wakeup_fd, &self->shared_fds[1]);
    }
  self->counters =
    stint_counters_new (channels->counters_fd, g_steal_fd (&channels->wakeup_fd), error);
  close (g_steal_fd (&channels->counters_fd));
  if (self->counters == NULL)
    {
      stint_keeper_link_close (self->link);
      return FALSE;
    }
  self->transcript = stint_transcript_new_live (self->directory, self->counters);
  return TRUE;
}

gboolean
stint_job_start_keeper (StintJob *self, GError **error)
{
  g_autoptr (GSubprocess) process = NULL;
  StintKeeperChannels channels;
  const char *pid;
  gboolean counted;

  if (self->stdio_error != 0)
    {
      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (self->stdio_error),
                   _ ("Cannot prepare the job: %s"), stint_error_describe (self->stdio_error));
      return FALSE;
    }
  if (!make_pty (self, error))
    return FALSE;
  process = stint_keeper_launch (self->spec, self->place, &self->stdio,
                                 self->pty != NULL ? stint_pty_get_fd (self->pty) : -1, &channels,
                                 error);
  if (process == NULL)
    return FALSE;

  /* Asked once: it is NULL from the moment that GIO's thread has seen a keeper end. */
  pid = g_subprocess_get_identifier (process);
  if (pid != NULL)
    self->keeper_pid = atoi (pid);
  counted = stint_job_take_channels (self, &channels, error);
  self->tied = self->stdio.stdin_fd >= 0 || self->stdio.tee_fds[0] >= 0 ||
               self->stdio.tee_fds[1] >= 0 || self->stdio.stdout_fd >= 0 ||
               self->stdio.narration_fd >= 0;

  /* A keeper that goes on passing output to a slow reader is not waited for. */
  self->keeper_runs = self->stdio.tee_fds[0] < 0 && self->stdio.tee_fds[1] < 0;
  g_subprocess_wait_async (process, NULL, handle_keeper_reaped,
                           self->keeper_runs ? g_object_ref (self) : NULL);
  return counted;
}
