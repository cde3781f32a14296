/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a job ended: from what the keeper says to what people and scripts read.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-result-private.h"

#include "stint-error.h"
#include "stint-outcome.h"
#include "stint-units.h"

#include <glib/gi18n-lib.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

G_STATIC_ASSERT ((int) STINT_REASON_EXITED == (int) KEEPER_REASON_EXITED);
G_STATIC_ASSERT ((int) STINT_REASON_SIGNALED == (int) KEEPER_REASON_SIGNALED);
G_STATIC_ASSERT ((int) STINT_REASON_TIMEOUT == (int) KEEPER_REASON_TIMEOUT);
G_STATIC_ASSERT ((int) STINT_REASON_IDLE_TIMEOUT == (int) KEEPER_REASON_IDLE_TIMEOUT);
G_STATIC_ASSERT ((int) STINT_REASON_TERMINATED == (int) KEEPER_REASON_TERMINATED);
G_STATIC_ASSERT ((int) STINT_REASON_KILLED == (int) KEEPER_REASON_KILLED);
G_STATIC_ASSERT ((int) STINT_REASON_CANCELLED == (int) KEEPER_REASON_CANCELLED);
G_STATIC_ASSERT ((int) STINT_REASON_FAILED == (int) KEEPER_REASON_FAILED);
G_STATIC_ASSERT ((int) STINT_REASON_INTERRUPTED == (int) KEEPER_REASON_INTERRUPTED);

G_DEFINE_BOXED_TYPE (StintResult, stint_result, stint_result_ref, stint_result_unref)

static const char *const reason_nicks[] = {
  "none",   "exited",    "signaled", "timeout",     "idle-timeout", "terminated",
  "killed", "cancelled", "failed",   "interrupted",
};

const char *
stint_reason_to_nick (StintReason reason)
{
  g_return_val_if_fail ((guint) reason < G_N_ELEMENTS (reason_nicks), NULL);
  return reason_nicks[reason];
}

StintReason
stint_reason_from_nick (const char *nick)
{
  for (guint i = 0; i < G_N_ELEMENTS (reason_nicks); i++)
    if (g_strcmp0 (nick, reason_nicks[i]) == 0)
      return (StintReason) i;
  return STINT_REASON_NONE;
}

char *
stint_signal_dup_name (int signal_number)
{
  const char *name = sigabbrev_np (signal_number);

  if (name != NULL)
    return g_strconcat ("SIG", name, NULL);
  if (signal_number >= SIGRTMIN && signal_number <= SIGRTMAX)
    return g_strdup_printf ("SIGRTMIN+%d", signal_number - SIGRTMIN);
  return g_strdup_printf ("SIG%d", signal_number);
}

StintResult *
stint_result_new (StintReason reason)
{
  StintResult *self = g_atomic_rc_box_new0 (StintResult);

  self->reason = reason;
  return self;
}

StintResult *
stint_result_ref (StintResult *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
stint_result_clear (gpointer data)
{
  StintResult *self = data;

  for (guint i = 0; i < self->n_survivors; i++)
    g_free (self->survivors[i].name);
  g_free (self->survivors);
  g_free (self->error);
}

void
stint_result_unref (StintResult *self)
{
  g_atomic_rc_box_release_full (self, stint_result_clear);
}

void
stint_result_set_wait_status (StintResult *self, int wait_status)
{
  self->has_exit_code = WIFEXITED (wait_status);
  self->exit_code = self->has_exit_code ? WEXITSTATUS (wait_status) : 0;
  self->term_signal = WIFSIGNALED (wait_status) ? WTERMSIG (wait_status) : 0;
}

static char *
describe_failure (const struct keeper_outcome *outcome, const char *command, const char *directory)
{
  g_autofree char *name = stint_text_clean (command, 60);
  g_autofree char *place = stint_text_clean (directory, 200);
  const char *reason = g_strerror (outcome->error);

  switch ((enum keeper_step) outcome->step)
    {
    case KEEPER_STEP_EXEC:
      /* Translators: a command, and the system's reason */
      return g_strdup_printf (_ ("Cannot run “%s”: %s"), name, reason);
    case KEEPER_STEP_DIRECTORY:
      /* Translators: a directory, and the system's reason */
      return g_strdup_printf (_ ("Cannot run in “%s”: %s"), place, reason);
    case KEEPER_STEP_FORK:
      return g_strdup_printf (_ ("Cannot start a process: %s"), reason);
    case KEEPER_STEP_SESSION:
      return g_strdup_printf (_ ("Cannot set up the terminal: %s"), reason);
    case KEEPER_STEP_STDIO:
    case KEEPER_STEP_KEEPER:
    case KEEPER_STEP_NONE:
    default:
      return g_strdup_printf (_ ("Cannot prepare the job: %s"), reason);
    }
}

static StintFailure
classify_failure (const struct keeper_outcome *outcome)
{
  if (outcome->step != KEEPER_STEP_EXEC)
    return STINT_FAILURE_OTHER;
  if (outcome->error == ENOENT || outcome->error == ENOTDIR)
    return STINT_FAILURE_NOT_FOUND;
  return STINT_FAILURE_NOT_EXECUTABLE;
}

StintResult *
stint_result_new_from_outcome (const struct keeper_outcome *outcome,
                               const char *command,
                               const char *directory)
{
  gboolean reason_known =
    outcome->reason > KEEPER_REASON_NONE && outcome->reason <= KEEPER_REASON_INTERRUPTED;
  StintResult *self =
    stint_result_new (reason_known ? (StintReason) outcome->reason : STINT_REASON_INTERRUPTED);
  gint64 end = outcome->leader_end_at != 0 ? outcome->leader_end_at : outcome->ended_at;

  if (outcome->has_status)
    stint_result_set_wait_status (self, outcome->wait_status);
  if (self->reason == STINT_REASON_FAILED)
    {
      self->failure = classify_failure (outcome);
      self->error = describe_failure (outcome, command, directory);
    }
  self->escalated = outcome->escalated != 0;
  self->leftovers = outcome->leftovers;
  self->n_survivors = MIN (outcome->n_survivors, KEEPER_MAX_SURVIVORS);
  self->survivors = g_new0 (StintSurvivor, self->n_survivors);
  for (guint i = 0; i < self->n_survivors; i++)
    {
      g_autofree char *name =
        g_strndup (outcome->survivors[i].name, sizeof outcome->survivors[i].name);

      self->survivors[i].pid = outcome->survivors[i].pid;
      self->survivors[i].name = stint_text_clean (name, 20);
    }
  if (outcome->started_at != 0)
    {
      self->started_at = outcome->ended_real - (outcome->ended_at - outcome->started_at);
      self->duration = MAX (end - outcome->started_at, 0);
    }
  self->cpu_time = outcome->cpu;
  self->max_rss = outcome->max_rss;
  self->stdout_bytes = outcome->stdout_bytes;
  self->stderr_bytes = outcome->stderr_bytes;
  self->lost_bytes = outcome->lost;
  self->hole_bytes = outcome->hole_end - outcome->hole_start;
  self->store_error = (int) outcome->store_error;
  return self;
}

/* Whether @reason is one that whoever runs a job asks for, be it as the last thing that they do. */
static gboolean
was_asked_for (StintReason reason)
{
  return reason == STINT_REASON_TERMINATED || reason == STINT_REASON_KILLED ||
         reason == STINT_REASON_CANCELLED;
}

StintResult *
stint_result_load_outcome (const char *directory, gboolean interrupted, GError **error)
{
  struct keeper_outcome outcome;
  StintResult *self;

  if (!stint_outcome_read (directory, &outcome, error))
    return NULL;
  self = stint_result_new_from_outcome (&outcome, "", "");
  if (interrupted && was_asked_for (self->reason))
    self->reason = STINT_REASON_INTERRUPTED;
  return self;
}

gboolean
stint_result_is_success (const StintResult *self)
{
  return self->reason == STINT_REASON_EXITED && self->has_exit_code && self->exit_code == 0;
}

StintEnding
stint_result_get_ending (const StintResult *self)
{
  switch (self->reason)
    {
    case STINT_REASON_TERMINATED:
    case STINT_REASON_KILLED:
    case STINT_REASON_CANCELLED:
    case STINT_REASON_INTERRUPTED:
      return STINT_ENDING_CANCELLED;
    case STINT_REASON_EXITED:
      return stint_result_is_success (self) ? STINT_ENDING_SUCCESS : STINT_ENDING_FAILURE;
    case STINT_REASON_NONE:
    case STINT_REASON_SIGNALED:
    case STINT_REASON_TIMEOUT:
    case STINT_REASON_IDLE_TIMEOUT:
    case STINT_REASON_FAILED:
    default:
      return STINT_ENDING_FAILURE;
    }
}

int
stint_result_get_exit_status (const StintResult *self)
{
  switch (self->reason)
    {
    case STINT_REASON_TIMEOUT:
    case STINT_REASON_IDLE_TIMEOUT:
      return STINT_EXIT_LIMIT;
    case STINT_REASON_TERMINATED:
      return STINT_EXIT_SIGNAL_BASE + SIGTERM;
    case STINT_REASON_KILLED:
    case STINT_REASON_INTERRUPTED:
      return STINT_EXIT_SIGNAL_BASE + SIGKILL;
    case STINT_REASON_CANCELLED:
      return STINT_EXIT_SIGNAL_BASE + SIGINT;
    case STINT_REASON_EXITED:
    case STINT_REASON_SIGNALED:
      return self->has_exit_code ? self->exit_code : STINT_EXIT_SIGNAL_BASE + self->term_signal;
    case STINT_REASON_FAILED:
      if (self->failure == STINT_FAILURE_NOT_FOUND)
        return STINT_EXIT_NOT_FOUND;
      return self->failure == STINT_FAILURE_NOT_EXECUTABLE ? STINT_EXIT_NOT_EXECUTABLE
                                                           : STINT_EXIT_OWN_FAILURE;
    case STINT_REASON_NONE:
    default:
      return STINT_EXIT_OWN_FAILURE;
    }
}

static char *
dup_main_clause (const StintResult *self)
{
  g_autofree char *after = stint_duration_format_words (self->duration);
  g_autofree char *signal_name = stint_signal_dup_name (self->term_signal);

  switch (self->reason)
    {
    case STINT_REASON_EXITED:
      if (self->exit_code == 0)
        return g_strdup_printf (_ ("Finished after %s"), after);
      return g_strdup_printf (_ ("Exited with code %d after %s"), self->exit_code, after);
    case STINT_REASON_SIGNALED:
      return g_strdup_printf (_ ("Ended by %s after %s"), signal_name, after);
    case STINT_REASON_TIMEOUT:
      return g_strdup_printf (_ ("Stopped: its time was up after %s"), after);
    case STINT_REASON_IDLE_TIMEOUT:
      return g_strdup_printf (_ ("Stopped: no output for too long, after %s"), after);
    case STINT_REASON_TERMINATED:
      return g_strdup_printf (_ ("Terminated after %s"), after);
    case STINT_REASON_KILLED:
      return g_strdup_printf (_ ("Killed after %s"), after);
    case STINT_REASON_CANCELLED:
      if (self->started_at == 0)
        return g_strdup (_ ("Cancelled before it started"));
      return g_strdup_printf (_ ("Cancelled after %s"), after);
    case STINT_REASON_FAILED:
      return g_strdup (self->error != NULL ? self->error : _ ("Could not be started"));
    case STINT_REASON_INTERRUPTED:
      return g_strdup (_ ("Interrupted: the Stint that ran it ended unexpectedly"));
    case STINT_REASON_NONE:
    default:
      return g_strdup (_ ("Unknown"));
    }
}

char *
stint_result_dup_sentence (const StintResult *self)
{
  g_autofree char *clause = dup_main_clause (self);
  g_autoptr (GString) sentence = g_string_new (clause);

  if (self->escalated)
    g_string_append_printf (sentence, "; %s", _ ("SIGKILL was needed"));
  if (self->leftovers > 0)
    {
      g_string_append (sentence, "; ");
      g_string_append_printf (sentence,
                              g_dngettext (GETTEXT_PACKAGE, "%u leftover process ended",
                                           "%u leftover processes ended", self->leftovers),
                              self->leftovers);
    }
  for (guint i = 0; i < self->n_survivors; i++)
    {
      g_string_append (sentence, "; ");
      /* Translators: a process's name and number */
      g_string_append_printf (sentence, _ ("%s (%d) could not be ended"), self->survivors[i].name,
                              self->survivors[i].pid);
    }
  if (self->lost_bytes > 0)
    {
      g_autofree char *size = g_format_size (self->lost_bytes);

      g_string_append (sentence, "; ");
      g_string_append_printf (sentence, _ ("%s of output could not be stored"), size);
    }
  return g_string_free (g_steal_pointer (&sentence), FALSE);
}
