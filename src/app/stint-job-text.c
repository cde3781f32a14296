/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Jobs in words and icons. Pure functions of a job; no widgets. */

#include "config.h"

#include "stint-job-text.h"

#include "stint-units.h"

#include <glib/gi18n.h>
#include <string.h>

#define DIRECTORY_CHARS 200

static char *
dup_stopping (StintReason reason)
{
  switch (reason)
    {
    case STINT_REASON_TIMEOUT:
      return g_strdup (_ ("Stopping: time limit"));
    case STINT_REASON_IDLE_TIMEOUT:
      return g_strdup (_ ("Stopping: no output"));
    case STINT_REASON_TERMINATED:
      return g_strdup (_ ("Terminating"));
    case STINT_REASON_KILLED:
      return g_strdup (_ ("Killing"));
    case STINT_REASON_CANCELLED:
      return g_strdup (_ ("Cancelling"));
    case STINT_REASON_EXITED:
    case STINT_REASON_SIGNALED:
    case STINT_REASON_NONE:
    case STINT_REASON_FAILED:
    case STINT_REASON_INTERRUPTED:
    default:
      /* Translators: the command itself has ended, and what it left running is being ended. */
      return g_strdup (_ ("Cleaning up"));
    }
}

char *
stint_job_text_dup_ended (const StintResult *result)
{
  switch (result->reason)
    {
    case STINT_REASON_EXITED:
      if (!result->has_exit_code || result->exit_code == 0)
        return g_strdup (_ ("Done"));
      return g_strdup_printf (_ ("Exited with code %d"), result->exit_code);
    case STINT_REASON_SIGNALED:
      {
        g_autofree char *name = stint_signal_dup_name (result->term_signal);

        /* Translators: %s is the name of a signal, such as SIGSEGV. */
        return g_strdup_printf (_ ("Ended by %s"), name);
      }
    case STINT_REASON_TIMEOUT:
      return g_strdup (_ ("Time limit reached"));
    case STINT_REASON_IDLE_TIMEOUT:
      return g_strdup (_ ("No output for too long"));
    case STINT_REASON_TERMINATED:
      return g_strdup (_ ("Terminated"));
    case STINT_REASON_KILLED:
      return g_strdup (_ ("Killed"));
    case STINT_REASON_CANCELLED:
      return g_strdup (_ ("Cancelled"));
    case STINT_REASON_FAILED:
      return g_strdup (_ ("Could not start"));
    case STINT_REASON_INTERRUPTED:
      return g_strdup (_ ("Interrupted"));
    case STINT_REASON_NONE:
    default:
      return g_strdup (_ ("Ended"));
    }
}

char *
stint_job_text_dup_state (StintJob *job)
{
  g_return_val_if_fail (STINT_IS_JOB (job), NULL);

  switch (stint_job_get_state (job))
    {
    case STINT_JOB_QUEUED:
      if (stint_job_get_start_left (job) != STINT_NEVER)
        return g_strdup (_ ("Waiting for its time"));
      return g_strdup (_ ("Waiting for its turn"));
    case STINT_JOB_STARTING:
      return g_strdup (_ ("Starting"));
    case STINT_JOB_RUNNING:
      if (stint_job_get_paused (job))
        return g_strdup (_ ("Paused"));
      /* Translators: by “stintctl run”, and not in this window. */
      return g_strdup (stint_job_is_elsewhere (job) ? _ ("Running in a terminal") : _ ("Running"));
    case STINT_JOB_STOPPING:
      return dup_stopping (stint_job_get_stop_reason (job));
    case STINT_JOB_FINISHED:
    default:
      return stint_job_text_dup_ended (stint_job_get_result (job));
    }
}

const char *
stint_job_text_get_ended_icon (const StintResult *result)
{
  switch (result->reason)
    {
    case STINT_REASON_EXITED:
      return stint_result_is_success (result) ? "object-select-symbolic" : "dialog-error-symbolic";
    case STINT_REASON_TIMEOUT:
    case STINT_REASON_IDLE_TIMEOUT:
      return "alarm-symbolic";
    case STINT_REASON_TERMINATED:
    case STINT_REASON_KILLED:
    case STINT_REASON_CANCELLED:
      return "media-playback-stop-symbolic";
    case STINT_REASON_INTERRUPTED:
      return "dialog-warning-symbolic";
    case STINT_REASON_NONE:
    case STINT_REASON_SIGNALED:
    case STINT_REASON_FAILED:
    default:
      return "dialog-error-symbolic";
    }
}

const char *
stint_job_text_get_icon (StintJob *job)
{
  g_return_val_if_fail (STINT_IS_JOB (job), NULL);

  switch (stint_job_get_state (job))
    {
    case STINT_JOB_QUEUED:
    case STINT_JOB_STARTING:
      return "content-loading-symbolic";
    case STINT_JOB_RUNNING:
      return stint_job_get_paused (job) ? "media-playback-pause-symbolic"
                                        : "media-playback-start-symbolic";
    case STINT_JOB_STOPPING:
      return "process-stop-symbolic";
    case STINT_JOB_FINISHED:
    default:
      return stint_job_text_get_ended_icon (stint_job_get_result (job));
    }
}

const char *
stint_job_text_get_style (StintJob *job)
{
  g_return_val_if_fail (STINT_IS_JOB (job), NULL);

  switch (stint_job_get_state (job))
    {
    case STINT_JOB_RUNNING:
      return "accent";
    case STINT_JOB_STOPPING:
      return "warning";
    case STINT_JOB_FINISHED:
      break;
    case STINT_JOB_QUEUED:
    case STINT_JOB_STARTING:
    default:
      return "dim-label";
    }

  return stint_job_text_get_ended_style (stint_job_get_result (job));
}

const char *
stint_job_text_get_ended_style (const StintResult *result)
{
  if (stint_result_is_success (result))
    return "success";
  switch (result->reason)
    {
    case STINT_REASON_TERMINATED:
    case STINT_REASON_KILLED:
    case STINT_REASON_CANCELLED:
      return "dim-label";
    case STINT_REASON_TIMEOUT:
    case STINT_REASON_IDLE_TIMEOUT:
    case STINT_REASON_INTERRUPTED:
      return "warning";
    case STINT_REASON_NONE:
    case STINT_REASON_EXITED:
    case STINT_REASON_SIGNALED:
    case STINT_REASON_FAILED:
    default:
      return "error";
    }
}

char *
stint_job_text_dup_elapsed (StintJob *job)
{
  gint64 elapsed;

  g_return_val_if_fail (STINT_IS_JOB (job), NULL);

  if (stint_job_get_started_at (job) == 0)
    return NULL;
  elapsed = stint_job_get_elapsed (job);
  if (stint_job_get_state (job) == STINT_JOB_FINISHED)
    return stint_duration_format_words (elapsed);
  /* Elapsed time counts up: the second that has begun is not over. */
  return stint_duration_format_clock (elapsed - elapsed % G_USEC_PER_SEC);
}

char *
stint_job_text_dup_progress (StintJob *job)
{
  guint percent;

  g_return_val_if_fail (STINT_IS_JOB (job), NULL);

  switch (stint_job_get_progress (job, &percent))
    {
    case STINT_PROGRESS_NORMAL:
      /* Translators: how much of its work a job has done. */
      return g_strdup_printf (_ ("%u%%"), percent);
    case STINT_PROGRESS_ERROR:
      /* Translators: how much of its work a job had done when something went wrong. */
      return g_strdup_printf (_ ("Error at %u%%"), percent);
    case STINT_PROGRESS_PAUSED:
      /* Translators: how much of its work a job has done, which it does not go on with at present. */
      return g_strdup_printf (_ ("Held at %u%%"), percent);
    /* That it runs is said already. */
    case STINT_PROGRESS_UNKNOWN:
    case STINT_PROGRESS_NONE:
    default:
      return NULL;
    }
}

char *
stint_job_text_dup_kill_countdown (StintJob *job)
{
  gint64 left;

  g_return_val_if_fail (STINT_IS_JOB (job), NULL);

  left = stint_job_get_kill_left (job);
  if (stint_job_get_state (job) != STINT_JOB_STOPPING || left == STINT_NEVER)
    return NULL;
  left = (left + G_USEC_PER_SEC - 1) / G_USEC_PER_SEC;
  /* Translators: what is left of a job is killed by the signal SIGKILL then. */
  return g_strdup_printf (_ ("SIGKILL in %d s"), (int) CLAMP (left, 0, G_MAXINT));
}

static char *
dup_start_left (StintJob *job)
{
  gint64 left = stint_job_get_start_left (job);

  return left != STINT_NEVER ? stint_duration_format_clock (MAX (left, 0)) : NULL;
}

char *
stint_job_text_dup_waiting (StintJob *job)
{
  g_autofree char *left = NULL;
  guint position;

  g_return_val_if_fail (STINT_IS_JOB (job), NULL);

  if (stint_job_get_state (job) != STINT_JOB_QUEUED)
    return NULL;
  left = dup_start_left (job);
  if (left != NULL)
    /* Translators: when a job starts; %s is a countdown such as "4:59". */
    return g_strdup_printf (_ ("in %s"), left);
  position = stint_job_get_queue_position (job);
  if (position == 0)
    return NULL;
  /* Translators: the place of a job in the queue. */
  return position == 1 ? g_strdup (_ ("next")) : g_strdup_printf (_ ("number %u"), position);
}

char *
stint_job_text_dup_queue (StintJob *job)
{
  g_autofree char *left = NULL;
  guint position;

  g_return_val_if_fail (STINT_IS_JOB (job), NULL);

  left = dup_start_left (job);
  position = stint_job_get_queue_position (job);
  if (left != NULL)
    /* Translators: %s is a countdown such as "4:59". */
    return g_strdup_printf (_ ("Starts in %s"), left);
  if (position == 1)
    return g_strdup (_ ("The next to start when another job has ended"));
  if (position > 1)
    return g_strdup_printf (_ ("Number %u in the queue"), position);
  return g_strdup (_ ("Waiting for its turn"));
}

char *
stint_job_text_dup_started (StintJob *job, GDateTime *now)
{
  g_autoptr (GDateTime) started = NULL;
  g_autoptr (GDateTime) local = NULL;
  gint64 usec;

  g_return_val_if_fail (STINT_IS_JOB (job), NULL);
  g_return_val_if_fail (now != NULL, NULL);

  usec = stint_job_get_started_at (job);
  if (usec == 0)
    return NULL;
  started = g_date_time_new_from_unix_utc (usec / G_USEC_PER_SEC);
  if (started == NULL)
    return NULL;
  local = g_date_time_to_timezone (started, g_date_time_get_timezone (now));
  if (g_date_time_get_year (local) == g_date_time_get_year (now) &&
      g_date_time_get_day_of_year (local) == g_date_time_get_day_of_year (now))
    return g_date_time_format (local, "%H:%M");
  /* Translators: the day and time a job started, for strftime(). */
  return g_date_time_format (local, _ ("%-d %b %H:%M"));
}

char *
stint_job_text_dup_kind (StintJobKind kind)
{
  switch (kind)
    {
    case STINT_JOB_KIND_SHELL:
      return g_strdup (_ ("Background Shell"));
    case STINT_JOB_KIND_AGENT:
      return g_strdup (_ ("Agent Command"));
    case STINT_JOB_KIND_TERMINAL:
    default:
      return g_strdup (_ ("Terminal"));
    }
}

const char *
stint_job_text_get_kind_icon (StintJobKind kind)
{
  switch (kind)
    {
    case STINT_JOB_KIND_SHELL:
      return "system-run-symbolic";
    case STINT_JOB_KIND_AGENT:
      return "stint-agent-symbolic";
    case STINT_JOB_KIND_TERMINAL:
    default:
      return "utilities-terminal-symbolic";
    }
}

const char *
stint_job_text_get_section (StintSection section)
{
  switch (section)
    {
    case STINT_SECTION_NEEDS_YOU:
      /* Translators: the jobs that wait for the user. */
      return _ ("Needs You");
    case STINT_SECTION_RUNNING:
      return _ ("Running");
    case STINT_SECTION_QUEUED:
      return _ ("Queued");
    case STINT_SECTION_RECENT:
    default:
      /* Translators: the jobs that have ended lately. */
      return _ ("Recent");
    }
}

const char *
stint_job_text_describe_kind (StintJobKind kind)
{
  switch (kind)
    {
    case STINT_JOB_KIND_SHELL:
      return _ (
          "A shell runs the line in the background. Output and errors are kept apart; there is no input.");
    case STINT_JOB_KIND_AGENT:
      return _ (
          "Works unattended: a question can’t hang it, because there is no input and silence ends it.");
    case STINT_JOB_KIND_TERMINAL:
    default:
      return _ ("Has a terminal that you see and type into.");
    }
}

char *
stint_job_text_dup_directory (const char *directory)
{
  const char *home = g_get_home_dir ();
  gsize length = strlen (home);
  g_autofree char *shown = NULL;

  g_return_val_if_fail (directory != NULL, NULL);

  if (length > 1 && strncmp (directory, home, length) == 0 &&
      (directory[length] == '\0' || directory[length] == '/'))
    shown = g_strconcat ("~", directory + length, NULL);
  return stint_text_clean (shown != NULL ? shown : directory, DIRECTORY_CHARS);
}

double
stint_job_text_get_fraction (gint64 left, gint64 total)
{
  if (total <= 0 || left == STINT_NEVER)
    return 0;
  return CLAMP ((double) left / (double) total, 0.0, 1.0);
}

gboolean
stint_job_text_get_nearest_limit (StintJob *job, gint64 *left, double *fraction)
{
  gint64 timeout, idle;

  g_return_val_if_fail (STINT_IS_JOB (job), FALSE);

  timeout = stint_job_get_timeout_left (job);
  idle = stint_job_get_idle_left (job);
  if (timeout == STINT_NEVER && idle == STINT_NEVER)
    return FALSE;
  if (timeout <= idle)
    {
      *left = timeout;
      *fraction = stint_job_text_get_fraction (timeout, stint_job_get_timeout_total (job));
    }
  else
    {
      *left = idle;
      *fraction = stint_job_text_get_fraction (idle, stint_job_get_idle_total (job));
    }
  return TRUE;
}
