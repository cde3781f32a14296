/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long starting a job holds up the main thread of a GTK process that has a terminal on the
 * screen and a few hundred megabytes in memory; beside it a bare GSubprocess in the same process.
 */
#define G_LOG_DOMAIN "bench"
#include "config.h"

#include "bench-report.h"

#include "stint-history.h"
#include "stint-job-list.h"
#include "stint-keeper-launch.h"

#include <adwaita.h>
#include <signal.h>
#include <string.h>
#include <vte/vte.h>

#define N_JOBS 300
#define BALLAST (256 * 1024 * 1024)

static GArray *stalls;

GSubprocess *__real_stint_keeper_launch (StintJobSpec *spec,
                                         StintJobPlace *place,
                                         const StintStdio *stdio,
                                         int pty_fd,
                                         StintKeeperChannels *channels,
                                         GError **error);
GSubprocess *__wrap_stint_keeper_launch (StintJobSpec *spec,
                                         StintJobPlace *place,
                                         const StintStdio *stdio,
                                         int pty_fd,
                                         StintKeeperChannels *channels,
                                         GError **error);

GSubprocess *
__wrap_stint_keeper_launch (StintJobSpec *spec,
                            StintJobPlace *place,
                            const StintStdio *stdio,
                            int pty_fd,
                            StintKeeperChannels *channels,
                            GError **error)
{
  gint64 begun = g_get_monotonic_time (), took;
  GSubprocess *process =
    __real_stint_keeper_launch (spec, place, stdio, pty_fd, channels, error);

  took = g_get_monotonic_time () - begun;
  g_array_append_val (stalls, took);
  return process;
}

static void
time_jobs (StintHistory *history)
{
  const char *const argv[] = { "/bin/true", NULL };
  g_autoptr (StintJobList) list = stint_job_list_new (STINT_JOB_STORE (history));

  for (guint i = 0; i < N_JOBS; i++)
    {
      g_autoptr (StintJobSpec) spec = stint_job_spec_new (STINT_JOB_KIND_TERMINAL, argv);
      g_autoptr (StintJob) job = stint_job_list_submit (list, spec, NULL, NULL);

      while (stint_job_list_get_n_active (list) > 0 || stint_job_list_get_n_saving (list) > 0)
        g_main_context_iteration (NULL, TRUE);
    }
}

static void
time_bare (GArray *times)
{
  for (guint i = 0; i < N_JOBS; i++)
    {
      gint64 begun = g_get_monotonic_time (), took;
      g_autoptr (GSubprocess) process =
        g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, NULL, "/bin/true", NULL);

      took = g_get_monotonic_time () - begun;
      g_array_append_val (times, took);
      g_subprocess_wait (process, NULL, NULL);
    }
}

static void
handle_activate (GtkApplication *app, gpointer data)
{
  g_autofree char *directory = g_dir_make_tmp ("stint-bench-XXXXXX", NULL);
  g_autofree char *remove = g_strdup_printf ("rm -rf '%s'", directory);
  g_autoptr (StintHistory) history = stint_history_new (directory);
  g_autoptr (GArray) bare = g_array_new (FALSE, FALSE, sizeof (gint64));
  GtkWidget *window = adw_application_window_new (app);
  g_autofree char *ballast = g_malloc (BALLAST);

  memset (ballast, 1, BALLAST);
  adw_application_window_set_content (ADW_APPLICATION_WINDOW (window), vte_terminal_new ());
  gtk_window_present (GTK_WINDOW (window));
  while (g_main_context_iteration (NULL, FALSE))
    ;
  time_jobs (history);
  time_bare (bare);
  stint_history_close (history);
  report ("starting a job holds up the window, 99th percentile",
          (double) percentile (stalls, 99) / 1000, "ms", 1);
  g_print ("| %-62s | %8.2f ms |        |     |\n", "  beside it: a bare GSubprocess in the same window",
           (double) percentile (bare, 99) / 1000);
  gtk_window_destroy (GTK_WINDOW (window));
  g_spawn_command_line_sync (remove, NULL, NULL, NULL, NULL);
}

int
main (int argc, char **argv)
{
  g_autoptr (AdwApplication) app = adw_application_new (NULL, G_APPLICATION_FLAGS_NONE);

  signal (SIGPIPE, SIG_IGN);
  stalls = g_array_new (FALSE, FALSE, sizeof (gint64));
  stint_descriptors_raise_limit ();
  g_signal_connect (app, "activate", G_CALLBACK (handle_activate), NULL);
  return g_application_run (G_APPLICATION (app), argc, argv);
}
