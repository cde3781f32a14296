/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The process that starts a job and does not see its end: let-go DIRECTORY HOW LINE [SETTING…]
 *
 *   HOW      exit    lets it go and ends, as a window that is closed
 *            die     lets it go and is killed
 *            attach  lets it go, holds on to it again, and is killed
 *            keep    is killed
 *            end     lets it go, gives it the line that it reads from the fifo, sees its end and what
 *                    follows it begin, and is killed
 *   SETTING  tty, part, timeout=SECONDS, idle=SECONDS; then=LINE, retries=N (at once); attempt=N: that one
 *            is let go; add=LINE, add-after=LINE: added to follow it, before and after it is let go
 *
 * It says "id" when the job runs, and so on.
 */
#include "config.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stint-history.h"
#include "stint-job-list.h"
#include "stint-sequence.h"
#include "stint-shutdown.h"

static void
read_setting (StintJobSpec *spec, const char *setting)
{
  if (g_str_equal (setting, "tty"))
    stint_job_spec_set_tty (spec, TRUE);
  else if (g_str_equal (setting, "part"))
    stint_job_spec_set_parent (spec, 1000);
  else if (g_str_has_prefix (setting, "timeout="))
    stint_job_spec_set_timeout (spec, atoi (setting + 8) * G_USEC_PER_SEC);
  else if (g_str_has_prefix (setting, "idle="))
    stint_job_spec_set_idle_timeout (spec, atoi (setting + 5) * G_USEC_PER_SEC);
  else if (g_str_has_prefix (setting, "then="))
    stint_job_spec_add_then (spec, STINT_THEN_ON_SUCCESS, setting + 5);
  else if (g_str_has_prefix (setting, "retries="))
    {
      stint_job_spec_set_retries (spec, (guint) atoi (setting + 8));
      stint_job_spec_set_retry_delay (spec, 0);
    }
}

/* (nullable): what follows the "=" of the setting that begins with @prefix. */
static const char *
find_setting (char **settings, const char *prefix)
{
  for (guint i = 0; settings[i] != NULL; i++)
    if (g_str_has_prefix (settings[i], prefix))
      return settings[i] + strlen (prefix);
  return NULL;
}

static void
add_line (StintJobList *jobs, StintJob *job, char **settings, const char *prefix)
{
  const char *line = find_setting (settings, prefix);

  if (line != NULL)
    stint_sequence_add (jobs, job, STINT_THEN_ALWAYS, line);
}

/* The job reads a line from the fifo: waits for it. */
static void
say_line (const char *directory)
{
  g_autofree char *path = g_build_filename (directory, "fifo", NULL);
  int fd = open (path, O_WRONLY | O_CLOEXEC);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, "\n", 1), ==, 1);
  close (fd);
}

/* (transfer full): the newest job, which runs. */
static StintJob *
wait_for_attempt (StintJobList *jobs, guint attempt)
{
  for (;;)
    {
      g_autoptr (StintJob) job = g_list_model_get_item (G_LIST_MODEL (jobs), 0);

      if (stint_job_get_attempt (job) == attempt &&
          stint_job_get_state (job) == STINT_JOB_RUNNING)
        return g_steal_pointer (&job);
      g_main_context_iteration (NULL, TRUE);
    }
}

static void
wait_for_detached (StintJob *job, gboolean detached)
{
  while (stint_job_get_detached (job) != detached)
    g_main_context_iteration (NULL, TRUE);
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* Returns: the exit status of a window that is closed. */
static int
shut_down (StintJobList *jobs, StintHistory *history)
{
  g_autoptr (StintShutdown) shutdown = stint_shutdown_new (jobs);
  g_autoptr (GAsyncResult) result = NULL;

  stint_shutdown_begin (shutdown, "closed");
  stint_shutdown_wait_async (shutdown, keep_result, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  return stint_shutdown_wait_finish (shutdown, result, NULL) && stint_history_close (history) ? 0 : 1;
}

int
main (int argc, char **argv)
{
  g_autoptr (StintHistory) history = NULL;
  g_autoptr (StintJobList) jobs = NULL;
  g_autoptr (StintJobSpec) spec = NULL;
  g_autoptr (StintJob) job = NULL;
  g_autoptr (GError) error = NULL;
  const char *attempt;

  g_assert_cmpint (argc, >=, 4);
  history = stint_history_new (argv[1]);
  jobs = stint_job_list_new (STINT_JOB_STORE (history));
  spec = stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, argv[3]);
  stint_job_spec_set_directory (spec, argv[1]);
  for (int i = 4; i < argc; i++)
    read_setting (spec, argv[i]);
  job = stint_job_list_submit (jobs, spec, NULL, &error);
  g_assert_no_error (error);
  g_object_unref (job);
  attempt = find_setting (argv + 4, "attempt=");
  job = wait_for_attempt (jobs, attempt != NULL ? (guint) atoi (attempt) : 1);
  add_line (jobs, job, argv + 4, "add=");

  if (!g_str_equal (argv[2], "keep"))
    {
      g_assert_true (stint_job_can_detach (job));
      g_assert_true (stint_job_detach (job, &error));
      wait_for_detached (job, TRUE);
      g_assert_cmpuint (stint_job_list_get_n_active (jobs), ==, 0);
    }
  add_line (jobs, job, argv + 4, "add-after=");
  if (g_str_equal (argv[2], "end"))
    {
      say_line (argv[1]);
      while (stint_job_get_state (job) != STINT_JOB_FINISHED ||
             stint_job_list_get_n_saving (jobs) > 0)
        g_main_context_iteration (NULL, TRUE);
      g_object_unref (wait_for_attempt (jobs, 1));
    }
  if (g_str_equal (argv[2], "attach"))
    {
      stint_job_attach (job);
      wait_for_detached (job, FALSE);
      g_assert_cmpuint (stint_job_list_get_n_active (jobs), ==, 1);
    }
  printf ("%" G_GUINT64_FORMAT "\n", stint_job_get_id (job));
  fflush (stdout);
  if (g_str_equal (argv[2], "exit"))
    return shut_down (jobs, history);
  raise (SIGKILL);
  return 1;
}
