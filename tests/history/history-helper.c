/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Another process that uses the history: history-helper [--uid N] [--file-size N] MODE DIRECTORY [N]
 *
 *   write   begins and finishes N jobs and says what became of them
 *   hold    begins a job and lives on, with a child that has the job's lock as a keeper has. Each of
 *           the two ends when it reads the end of its input.
 */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "stint-history.h"
#include "stint-scratch-store.h"

static guint n_problems;

static void
on_problem (StintHistory *history, GError *error, gpointer user_data)
{
  fprintf (stderr, "problem: %s\n", error->message);
  n_problems++;
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

static StintJobPlace *
begin (StintHistory *history, StintJobSpec *spec)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (StintJob) job = stint_job_new (spec, NULL);
  StintJobPlace *place;

  stint_job_store_begin_async (STINT_JOB_STORE (history), job, keep_result, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  place = stint_job_store_begin_finish (STINT_JOB_STORE (history), result, &error);
  g_assert_no_error (error);
  if (place->warning != NULL)
    fprintf (stderr, "warning: %s\n", place->warning);
  return place;
}

static gboolean
finish (StintHistory *history, StintJobSpec *spec, guint64 id)
{
  g_autoptr (StintResult) how = stint_result_new (STINT_REASON_EXITED);
  g_autoptr (StintJob) job = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  gboolean ok;

  stint_result_set_wait_status (how, 0);
  job = stint_job_new_finished (id, spec, how, NULL);
  stint_job_store_finish_async (STINT_JOB_STORE (history), job, keep_result, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  ok = stint_job_store_finish_finish (STINT_JOB_STORE (history), result, &error);
  if (error != NULL)
    fprintf (stderr, "finish: %s\n", error->message);
  return ok;
}

static int
write_jobs (StintHistory *history, StintJobSpec *spec, int n)
{
  int n_kept = 0, n_scratch = 0, n_failed = 0;

  for (int i = 0; i < n; i++)
    {
      g_autoptr (StintJobPlace) place = begin (history, spec);

      if (!finish (history, spec, place->id))
        n_failed++;
      if (place->scratch)
        {
          n_scratch++;
          g_assert_nonnull (place->warning);
          stint_scratch_store_remove (place->directory);
        }
      else
        n_kept++;
    }
  stint_history_close (history);
  printf ("kept %d scratch %d failed %d problems %u\n", n_kept, n_scratch, n_failed, n_problems);
  return 0;
}

static int
hold_job (StintHistory *history, StintJobSpec *spec)
{
  g_autoptr (StintJobPlace) place = begin (history, spec);
  char byte;

  if (fork () == 0)
    {
      /* Its input ends with the test's end of it. That of the owner is the same. */
      _exit (read (STDIN_FILENO, &byte, 1) == 0 ? 0 : 1);
    }
  printf ("%" G_GUINT64_FORMAT "\n", place->id);
  fflush (stdout);
  return read (STDIN_FILENO, &byte, 1) == 0 ? 0 : 1;
}

int
main (int argc, char **argv)
{
  g_autoptr (StintHistory) history = NULL;
  g_autoptr (StintJobSpec) spec = stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, "true");

  while (argc > 2 && argv[1][0] == '-')
    {
      rlim_t size = strtoul (argv[2], NULL, 10);

      if (strcmp (argv[1], "--uid") == 0)
        g_assert_no_errno (setresuid ((uid_t) size, (uid_t) size, (uid_t) size));
      else
        {
          signal (SIGXFSZ, SIG_IGN);
          g_assert_no_errno (setrlimit (RLIMIT_FSIZE, &(struct rlimit){ size, size }));
        }
      argv += 2;
      argc -= 2;
    }
  g_assert_cmpint (argc, >=, 3);
  history = stint_history_new (argv[2]);
  g_signal_connect (history, "problem", G_CALLBACK (on_problem), NULL);
  if (strcmp (argv[1], "hold") == 0)
    return hold_job (history, spec);
  return write_jobs (history, spec, argc > 3 ? atoi (argv[3]) : 1);
}
