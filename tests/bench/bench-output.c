/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bench-output MODE …
 *
 * The whole window process, driven from within; prints numbers for `tests/bench/output`.
 *
 *   run visible|hidden pty|pipe COMMAND…   a job from its start to its end: its directory, how often
 *                                          its pane was looked for and shown, how often it changed
 *   gaps N SECONDS LINES [PEER [FILE]]     N floods, one of them shown: the longest gap and the 99th
 *                                          percentile; then those of PEER, beside it, and of PEER
 *                                          with FILE
 *   echo N KEYS LINES HOW                  N hidden floods, and typing into a job that echoes by its
 *                                          terminal (`driver`) or itself (`program`): 99th percentile
 *                                          and longest time
 *   memory N BYTES LINES                   kibibytes of anonymous memory before and after N jobs
 *   open N FILE                            N times: from when a job that has ended is opened, which
 *                                          wrote FILE several times, until its last line is shown
 *   hidden SECONDS LINES                   per mille of a core that the app takes without a flood,
 *                                          and with one that is hidden
 */
#define G_LOG_DOMAIN "bench"
#include "config.h"

#include "bench-gaps.h"
#include "bench-loop.h"
#include "bench-widgets.h"

#include "stint-application.h"
#include "stint-keeper-launch.h"
#include "stint-pane.h"
#include "stint-window.h"

#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <vte/vte.h>

/* Directories of jobs that have ended are removed this many jobs later. */
#define KEPT 6
#define AT_ONCE 2

static StintApplication *app;
static GPtrArray *floods;
static int status;

static StintWindow *
get_window (void)
{
  GList *windows = gtk_application_get_windows (GTK_APPLICATION (app));

  return windows != NULL ? STINT_WINDOW (windows->data) : NULL;
}

/* The job whose pane is on the screen. */
static StintJob *
get_shown (void)
{
  GtkWidget *pane = find_mapped (GTK_WIDGET (get_window ()), STINT_TYPE_PANE);

  return pane != NULL && gtk_widget_get_width (pane) > 0 ? stint_pane_get_job (STINT_PANE (pane))
                                                         : NULL;
}

static void
show (StintJob *job)
{
  stint_window_show_job (get_window (), job);
  while (get_shown () != job)
    turn ();
}

static StintJob *
start (StintJobKind kind, const char *const *argv)
{
  g_autoptr (StintJobSpec) spec = stint_job_spec_new (kind, argv);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) own = g_get_environ ();
  StintJob *job;

  stint_job_spec_resolve (spec, "/", NULL, (const char *const *) own);
  job = stint_application_start (app, spec, &error);
  if (job == NULL)
    g_error ("%s", error->message);
  return job;
}

static StintJob *
start_idle (void)
{
  const char *const argv[] = { "sleep", "infinity", NULL };
  StintJob *job = start (STINT_JOB_KIND_TERMINAL, argv);

  show (job);
  run_for (1);
  return job;
}

static void
wait_for (StintJob *job)
{
  while (stint_job_get_state (job) != STINT_JOB_FINISHED)
    turn ();
}

static void
end (StintJob *job)
{
  stint_job_kill (job);
  wait_for (job);
  g_object_unref (job);
}

static void
start_floods (guint n, const char *lines)
{
  const char *const argv[] = { lines, "flood", NULL };

  floods = g_ptr_array_new ();
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (floods, start (STINT_JOB_KIND_TERMINAL, argv));
  for (guint i = 0; i < n; i++)
    while (stint_job_get_output_bytes (floods->pdata[i]) == 0)
      turn ();
}

/* Removed with what they left: nobody compares it. */
static void
remove_directory (StintJob *job)
{
  const char *const argv[] = { "rm", "-rf", stint_job_get_directory (job), NULL };
  g_autoptr (GSubprocess) process = g_subprocess_newv (argv, G_SUBPROCESS_FLAGS_NONE, NULL);

  g_subprocess_wait (process, NULL, NULL);
}

static void
end_floods (void)
{
  for (guint i = 0; i < floods->len; i++)
    stint_job_kill (floods->pdata[i]);
  for (guint i = 0; i < floods->len; i++)
    {
      wait_for (floods->pdata[i]);
      remove_directory (floods->pdata[i]);
      g_object_unref (floods->pdata[i]);
    }
  g_clear_pointer (&floods, g_ptr_array_unref);
}

/* A job from its start to its end. */

typedef struct
{
  StintJob *job;
  guint n_looks, n_shown, n_changes;
} Watch;

static gboolean
look (gpointer data)
{
  Watch *watch = data;

  watch->n_looks++;
  watch->n_shown += get_shown () == watch->job;
  return G_SOURCE_CONTINUE;
}

static gboolean
count_change (GSignalInvocationHint *hint, guint n, const GValue *values, gpointer data)
{
  ((Watch *) data)->n_changes++;
  return TRUE;
}

static void
run_one (char **argv)
{
  gboolean visible = g_str_equal (argv[0], "visible");
  g_autoptr (StintJob) job = NULL;
  StintJob *idle = start_idle ();
  Watch watch = { 0 };
  guint signal, timer;
  gulong hook;

  job = start (g_str_equal (argv[1], "pty") ? STINT_JOB_KIND_TERMINAL : STINT_JOB_KIND_SHELL,
               (const char *const *) argv + 2);
  show (visible ? job : idle);
  watch.job = job;
  signal = g_signal_lookup ("contents-changed", VTE_TYPE_TERMINAL);
  hook = g_signal_add_emission_hook (signal, 0, count_change, &watch, NULL);
  timer = g_timeout_add (50, look, &watch);
  wait_for (job);
  look (&watch);
  g_source_remove (timer);
  g_signal_remove_emission_hook (signal, hook);

  g_print ("%s %u %u %u\n", stint_job_get_directory (job), watch.n_looks, watch.n_shown,
           watch.n_changes);
  status = stint_result_is_success (stint_job_get_result (job)) ? 0 : 1;
  end (idle);
}

/* The main loop's gaps. */

static void
measure_gaps (char **argv)
{
  guint n = (guint) atoi (argv[0]);
  double seconds = g_ascii_strtod (argv[1], NULL);
  GSubprocess *peers[2] = { NULL };
  Gaps gaps;

  start_floods (n, argv[2]);
  show (floods->pdata[0]);
  for (guint i = 0; i < G_N_ELEMENTS (peers) && argv[3] != NULL && (i == 0 || argv[4] != NULL); i++)
    peers[i] = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, NULL, argv[3], argv[1],
                                 i > 0 ? argv[4] : NULL, NULL);
  run_for (2);
  gaps_begin (&gaps);
  run_for (seconds);
  gaps_end (&gaps);
  if (get_shown () != floods->pdata[0])
    g_error ("the flood is not shown");
  end_floods ();
  for (guint i = 0; i < G_N_ELEMENTS (peers); i++)
    {
      g_autofree char *printed = NULL;

      if (peers[i] != NULL && g_subprocess_communicate_utf8 (peers[i], NULL, NULL, &printed, NULL, NULL))
        g_print ("%s", printed);
      g_clear_object (&peers[i]);
    }
}

/* Typing. */

typedef struct
{
  VteTerminal *terminal;
  glong column;
  gint64 typed_at;
  GArray *times;
} Typing;

static void
handle_changed (Typing *typing)
{
  glong column, row;
  gint64 took;

  vte_terminal_get_cursor_position (typing->terminal, &column, &row);
  if (typing->typed_at == 0 || column == typing->column)
    return;
  took = g_get_monotonic_time () - typing->typed_at;
  typing->typed_at = 0;
  g_array_append_val (typing->times, took);
}

static void
measure_echo (char **argv)
{
  const char *const driver[] = { "cat", NULL };
  const char *const program[] = { "sh", "-c", "stty raw -echo; exec cat", NULL };
  guint n_keys = (guint) atoi (argv[1]);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  Typing typing = { .times = g_array_new (FALSE, FALSE, sizeof (gint64)) };
  StintJob *job;

  start_floods ((guint) atoi (argv[0]), argv[2]);
  job = start (STINT_JOB_KIND_TERMINAL, g_str_equal (argv[3], "driver") ? driver : program);
  show (job);
  run_for (2);
  typing.terminal = VTE_TERMINAL (find_mapped (GTK_WIDGET (get_window ()), VTE_TYPE_TERMINAL));
  g_signal_connect_swapped (typing.terminal, "contents-changed", G_CALLBACK (handle_changed), &typing);

  for (guint i = 0; i < n_keys; i++)
    {
      glong row;
      gint64 given_up = g_get_monotonic_time () + 5 * G_USEC_PER_SEC;

      vte_terminal_get_cursor_position (typing.terminal, &typing.column, &row);
      typing.typed_at = g_get_monotonic_time ();
      g_signal_emit_by_name (typing.terminal, "commit", "x", 1);
      while (typing.typed_at != 0 && g_get_monotonic_time () < given_up)
        turn ();
      if (typing.typed_at != 0)
        g_error ("a key was not echoed");
      run_for (g_rand_double_range (rand, 0.01, 0.07));
    }
  if (get_shown () != job)
    g_error ("the job is not shown");
  g_print ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", percentile (typing.times, 99),
           percentile (typing.times, 100));
  end_floods ();
  end (job);
}

/* Memory. */

static gint64
measure_memory (void)
{
  g_autofree char *text = NULL;
  const char *line;

  malloc_trim (0);
  if (!g_file_get_contents ("/proc/self/smaps_rollup", &text, NULL, NULL) ||
      (line = strstr (text, "\nAnonymous:")) == NULL)
    g_error ("no smaps_rollup");
  return g_ascii_strtoll (line + strlen ("\nAnonymous:"), NULL, 10);
}

static void
compare_memory (char **argv)
{
  guint n = (guint) atoi (argv[0]);
  const char *const command[] = { argv[2], "flood", argv[1], NULL };
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func (g_object_unref);
  StintJob *idle = start_idle ();
  gint64 before, after;

  run_for (1);
  before = measure_memory ();
  for (guint i = 0; i < n; i++)
    {
      g_ptr_array_add (jobs, start (i % 2 == 0 ? STINT_JOB_KIND_TERMINAL : STINT_JOB_KIND_SHELL, command));
      if (i >= AT_ONCE)
        wait_for (jobs->pdata[i - AT_ONCE]);
      if (i >= KEPT)
        remove_directory (jobs->pdata[i - KEPT]);
    }
  for (guint i = n - MIN (n, KEPT); i < n; i++)
    wait_for (jobs->pdata[i]);
  show (idle);
  run_for (10);
  after = measure_memory ();
  g_print ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", before, after);
  for (guint i = n - MIN (n, KEPT); i < n; i++)
    remove_directory (jobs->pdata[i]);
  end (idle);
}

/* What a job that nobody looks at costs. */

static double
get_cpu_seconds (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static double
measure_share (double seconds)
{
  gint64 begun = g_get_monotonic_time ();
  double cpu = get_cpu_seconds ();

  run_for (seconds);
  return (get_cpu_seconds () - cpu) * 1e6 / (double) (g_get_monotonic_time () - begun);
}

static void
measure_hidden (char **argv)
{
  double seconds = g_ascii_strtod (argv[0], NULL), without;
  StintJob *idle = start_idle ();

  run_for (3);
  without = measure_share (seconds);
  start_floods (1, argv[1]);
  show (idle);
  run_for (1);
  g_print ("%.2f %.2f\n", without * 1000, measure_share (seconds) * 1000);
  if (get_shown () != idle)
    g_error ("the flood is shown");
  end_floods ();
  end (idle);
}

/* Opening. */

#define OPEN_COPIES "8"

static gboolean
is_at_end (void)
{
  GtkWidget *terminal = find_mapped (GTK_WIDGET (get_window ()), VTE_TYPE_TERMINAL);
  g_autofree char *text = NULL;

  if (terminal == NULL)
    return FALSE;
  /* VTE 0.70 has nothing else. */
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS
  text = vte_terminal_get_text (VTE_TERMINAL (terminal), NULL, NULL, NULL);
  G_GNUC_END_IGNORE_DEPRECATIONS
  return strstr (text, "the very last line") != NULL;
}

static gboolean
note_change (GSignalInvocationHint *hint, guint n, const GValue *values, gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_CONTINUE;
}

/* Its pane is made anew each time: others have taken its place meanwhile. Looked at when a terminal has
 * changed, and not at each turn: to look for it costs as much as to show it. */
static void
measure_open (char **argv)
{
  const char *const noisy[] = { "sh", "-c",
                                "i=0; while [ $i -lt " OPEN_COPIES " ]; do cat \"$0\"; i=$((i+1)); done; "
                                "echo the very last line",
                                argv[1], NULL };
  const char *const quiet[] = { "true", NULL };
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));
  StintJob *job = start (STINT_JOB_KIND_SHELL, noisy);
  StintJob *others[8];
  gboolean changed;
  guint signal;
  gulong hook;

  wait_for (job);
  for (gsize i = 0; i < G_N_ELEMENTS (others); i++)
    {
      others[i] = start (STINT_JOB_KIND_SHELL, quiet);
      wait_for (others[i]);
    }
  show (job);
  signal = g_signal_lookup ("contents-changed", VTE_TYPE_TERMINAL);
  hook = g_signal_add_emission_hook (signal, 0, note_change, &changed, NULL);
  for (int i = 0; i < atoi (argv[0]); i++)
    {
      gint64 began;

      for (gsize j = 0; j < G_N_ELEMENTS (others); j++)
        show (others[j]);
      run_for (0.3);
      changed = FALSE;
      began = g_get_monotonic_time ();
      stint_window_show_job (get_window (), job);
      while (!changed || get_shown () != job || !is_at_end ())
        {
          changed = FALSE;
          while (!changed)
            turn ();
        }
      began = g_get_monotonic_time () - began;
      g_array_append_val (times, began);
    }
  g_signal_remove_emission_hook (signal, hook);
  g_print ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", percentile (times, 50), percentile (times, 100));
  remove_directory (job);
}

static const struct
{
  const char *name;
  int n_arguments;
  void (*function) (char **argv);
} modes[] = {
  { "run", 3, run_one },
  { "gaps", 3, measure_gaps },
  { "echo", 4, measure_echo },
  { "memory", 3, compare_memory },
  { "hidden", 2, measure_hidden },
  { "open", 2, measure_open },
};

static gboolean
run_mode (gpointer data)
{
  char **argv = data;

  for (gsize i = 0; i < G_N_ELEMENTS (modes); i++)
    if (g_str_equal (argv[0], modes[i].name))
      {
        while (get_window () == NULL || gtk_widget_get_width (GTK_WIDGET (get_window ())) == 0)
          turn ();
        modes[i].function (argv + 1);
      }
  g_application_quit (G_APPLICATION (app));
  return G_SOURCE_REMOVE;
}

int
main (int argc, char **argv)
{
  gboolean known = FALSE;

  for (gsize i = 0; argc > 1 && i < G_N_ELEMENTS (modes); i++)
    known |= g_str_equal (argv[1], modes[i].name) && argc - 2 >= modes[i].n_arguments;
  if (!known)
    {
      g_printerr ("bench-output: see the top of bench-output.c\n");
      return 126;
    }

  /* As main.c does. */
  signal (SIGPIPE, SIG_IGN);
  stint_descriptors_raise_limit ();
  g_setenv ("TERM", "xterm-256color", TRUE);
  app = stint_application_new (G_APPLICATION_NON_UNIQUE);
  g_idle_add (run_mode, argv + 1);
  g_application_run (G_APPLICATION (app), 1, argv);
  g_object_unref (app);
  return status;
}
