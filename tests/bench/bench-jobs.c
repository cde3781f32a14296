/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Jobs through the engine, with the history on, against bare GSubprocess in the same run; and how
 * long Kill takes.
 */
#define G_LOG_DOMAIN "bench"
#include "config.h"

#include "bench-report.h"

#include "stint-history.h"
#include "stint-job-list.h"

#include <glib/gstdio.h>
#include <signal.h>

#define N_JOBS 500
#define AT_ONCE 8
#define N_KILLS 200
#define ROUNDS 5

static const char *const true_argv[] = { "/bin/true", NULL };

/* The peer: as many processes at once, each waited for. */

static guint n_spawned, n_reaped;

static void
handle_reaped (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GSubprocess) process = G_SUBPROCESS (source);

  g_subprocess_wait_finish (process, result, NULL);
  n_reaped++;
}

static gint64
time_bare (void)
{
  gint64 begun = g_get_monotonic_time ();

  n_spawned = n_reaped = 0;
  while (n_reaped < N_JOBS)
    {
      while (n_spawned < N_JOBS && n_spawned - n_reaped < AT_ONCE)
        {
          GSubprocess *process = g_subprocess_newv (true_argv, G_SUBPROCESS_FLAGS_STDOUT_PIPE, NULL);

          n_spawned++;
          g_subprocess_wait_async (process, NULL, handle_reaped, NULL);
        }
      g_main_context_iteration (NULL, TRUE);
    }
  return g_get_monotonic_time () - begun;
}

static void
wait_for_all (StintJobList *list)
{
  while (stint_job_list_get_n_active (list) > 0 || stint_job_list_get_n_saving (list) > 0)
    g_main_context_iteration (NULL, TRUE);
}

static gint64
time_engine (StintHistory *history)
{
  g_autoptr (StintJobList) list = stint_job_list_new (STINT_JOB_STORE (history));
  gint64 begun = g_get_monotonic_time ();

  stint_job_list_set_max_running (list, AT_ONCE);
  for (guint i = 0; i < N_JOBS; i++)
    {
      g_autoptr (StintJobSpec) spec = stint_job_spec_new (STINT_JOB_KIND_SHELL, true_argv);
      g_autoptr (StintJob) job = stint_job_list_submit (list, spec, NULL, NULL);
    }
  wait_for_all (list);
  return g_get_monotonic_time () - begun;
}

static void
time_kills (StintHistory *history, GArray *times)
{
  const char *const argv[] = { "/bin/sleep", "1000", NULL };
  g_autoptr (StintJobList) list = stint_job_list_new (STINT_JOB_STORE (history));

  for (guint i = 0; i < N_KILLS; i++)
    {
      g_autoptr (StintJobSpec) spec = stint_job_spec_new (STINT_JOB_KIND_SHELL, argv);
      g_autoptr (StintJob) job = stint_job_list_submit (list, spec, NULL, NULL);
      gint64 begun, took;

      while (stint_job_get_state (job) != STINT_JOB_RUNNING)
        g_main_context_iteration (NULL, TRUE);
      begun = g_get_monotonic_time ();
      stint_job_kill (job);
      while (stint_job_get_state (job) != STINT_JOB_FINISHED)
        g_main_context_iteration (NULL, TRUE);
      took = g_get_monotonic_time () - begun;
      g_array_append_val (times, took);
    }
  wait_for_all (list);
}

int
main (int argc, char **argv)
{
  g_autofree char *directory = g_dir_make_tmp ("stint-bench-XXXXXX", NULL);
  g_autoptr (StintHistory) history = stint_history_new (directory);
  g_autoptr (GArray) bare = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) engine = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) kills = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autofree char *remove = g_strdup_printf ("rm -rf '%s'", directory);

  signal (SIGPIPE, SIG_IGN);
  for (guint i = 0; i < ROUNDS; i++)
    {
      gint64 took = time_bare ();

      g_array_append_val (bare, took);
      took = time_engine (history);
      g_array_append_val (engine, took);
    }
  time_kills (history, kills);
  stint_history_close (history);

  report ("500 jobs, 8 at once, history on / 500 bare GSubprocess",
          (double) percentile (engine, 50) / (double) percentile (bare, 50), "x", 2.5);
  report ("Kill to finished, 99th percentile", (double) percentile (kills, 99) / 1000, "ms", 10);
  return g_spawn_command_line_sync (remove, NULL, NULL, NULL, NULL) ? 0 : 1;
}
