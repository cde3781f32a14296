/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What kills.py kills, and what comes after:
 *
 *   ten-jobs run DIRECTORY NAME LINE [SETTING…] [-- NAME LINE [SETTING…]]…
 *       runs all lines at once, and says so when it begins; SETTING: tty
 *   ten-jobs recover DIRECTORY
 *       does what the next start does, until no keeper is ending a job any more
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "stint-history.h"
#include "stint-job-list.h"

#define GRACE (G_USEC_PER_SEC / 5)
#define AGAIN_MS 20

static void
submit (StintJobList *jobs, const char *directory, char **words)
{
  g_autoptr (StintJobSpec) spec = stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, words[1]);
  g_autoptr (StintJob) job = NULL;
  g_autoptr (GError) error = NULL;

  stint_job_spec_set_name (spec, words[0]);
  stint_job_spec_set_directory (spec, directory);
  stint_job_spec_set_grace (spec, GRACE);
  stint_job_spec_set_tty (spec, words[2] != NULL && g_str_equal (words[2], "tty"));
  job = stint_job_list_submit (jobs, spec, NULL, &error);
  g_assert_no_error (error);
}

static int
run_jobs (StintHistory *history, char **words)
{
  g_autoptr (StintJobList) jobs = stint_job_list_new (STINT_JOB_STORE (history));

  stint_job_list_set_max_running (jobs, 100);
  printf ("begun\n");
  fflush (stdout);
  while (*words != NULL)
    {
      char **next = words;

      while (*next != NULL && !g_str_equal (*next, "--"))
        next++;
      if (*next != NULL)
        *next++ = NULL;
      submit (jobs, stint_history_get_directory (history), words);
      words = next;
    }
  while (stint_job_list_get_n_active (jobs) > 0 || stint_job_list_get_n_saving (jobs) > 0)
    g_main_context_iteration (NULL, TRUE);
  return stint_history_close (history) ? 0 : 1;
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static gboolean
wake (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_REMOVE;
}

static int
recover (StintHistory *history)
{
  int n_recovered = 0;

  do
    {
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GError) error = NULL;
      gboolean again = FALSE;

      stint_history_recover_async (history, keep_result, &result);
      while (result == NULL)
        g_main_context_iteration (NULL, TRUE);
      n_recovered += stint_history_recover_finish (history, result, &error);
      g_assert_no_error (error);
      if (stint_history_get_n_ending (history) == 0)
        break;
      g_timeout_add (AGAIN_MS, wake, &again);
      while (!again)
        g_main_context_iteration (NULL, TRUE);
    }
  while (TRUE);
  printf ("%d\n", n_recovered);
  return stint_history_close (history) ? 0 : 1;
}

static void
on_problem (StintHistory *history, GError *error, gpointer user_data)
{
  fprintf (stderr, "problem: %s\n", error->message);
}

int
main (int argc, char **argv)
{
  g_autoptr (StintHistory) history = NULL;

  g_assert_cmpint (argc, >=, 3);
  history = stint_history_new (argv[2]);
  g_signal_connect (history, "problem", G_CALLBACK (on_problem), NULL);
  if (g_str_equal (argv[1], "recover"))
    return recover (history);
  return run_jobs (history, argv + 3);
}
