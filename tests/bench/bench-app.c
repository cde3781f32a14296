/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bench-app MODE …
 *
 * The whole window process, driven from within; prints rows for `tests/bench/app`.
 *
 *   fill N            N jobs in the history
 *   frames ROUNDS     a start until its first frame has been drawn, beside an empty window's
 *   frame WHOSE TIME  one of them: microseconds since TIME, and of CPU time, of `stint` or `empty`
 *   ticks N SECONDS   N jobs whose countdowns are visible: what turns the main loop, and how often
 *   memory N          the app's memory for each further job in the list
 *   filter N KEYS     a key typed into the filter of N jobs, until the list has been drawn
 *   switch N          another job is shown, until it has been drawn
 *   dialogs ROUNDS    a dialog opens, beside an empty one
 */
#define G_LOG_DOMAIN "bench"
#include "config.h"

#include "bench-loop.h"
#include "bench-report.h"
#include "bench-widgets.h"

#include "stint-application.h"
#include "stint-keeper-launch.h"
#include "stint-pages.h"
#include "stint-pane.h"
#include "stint-sidebar.h"
#include "stint-ticker.h"
#include "stint-window.h"

#include "history-fixture.h"

#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <vte/vte.h>

/* How long things get to come to rest, s: the indicator of what has been scrolled fades for three. */
#define REST 4

/* That of the program, under another name. */
int stint_main (int argc, char **argv);

static StintApplication *app;
static guint n_frames, n_ticks, n_wakeups;

/* That of the main thread: what the others do holds up nobody. */
static gint64
get_cpu_time (void)
{
  struct timespec now;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static void
tell (const char *what, double value, const char *unit)
{
  g_print ("| %-62s | %8.2f %-2s |        |     |\n", what, value, unit);
}

/* Frames, ticks and turns of the main loop are counted where they happen. */

static gboolean
on_render (GSignalInvocationHint *hint, guint n, const GValue *values, gpointer data)
{
  n_frames++;
  return TRUE;
}

static gboolean
on_tick (GSignalInvocationHint *hint, guint n, const GValue *values, gpointer data)
{
  n_ticks++;
  return TRUE;
}

static gint
count_poll (GPollFD *fds, guint n_fds, gint timeout)
{
  /* One that does not wait belongs to the turn before. */
  n_wakeups += timeout != 0;
  return g_poll (fds, n_fds, timeout);
}

static void
hook (GType type, const char *name, GSignalEmissionHook function)
{
  g_type_class_ref (type);
  g_signal_add_emission_hook (g_signal_lookup (name, type), 0, function, NULL, NULL);
}

static void
count_everything (void)
{
  hook (GDK_TYPE_SURFACE, "render", on_render);
  hook (STINT_TYPE_TICKER, "tick", on_tick);
  g_main_context_set_poll_func (NULL, count_poll);
}

/* Until what has been changed is on the screen. */
static void
wait_for_frame (guint since)
{
  while (n_frames == since)
    turn ();
}

/* The window. */

static StintWindow *
get_window (void)
{
  return STINT_WINDOW (gtk_application_get_windows (GTK_APPLICATION (app))->data);
}

static StintJob *
submit (const char *line, gint64 timeout)
{
  g_autoptr (StintJobSpec) spec = stint_job_spec_new_shell (STINT_JOB_KIND_TERMINAL, line);
  g_autoptr (GError) error = NULL;
  StintJob *job;

  stint_job_spec_resolve (spec, "/tmp", NULL, NULL);
  if (timeout > 0)
    stint_job_spec_set_timeout (spec, timeout);
  job = stint_application_submit (app, spec, &error);
  if (job == NULL)
    g_error ("%s", error->message);
  return job;
}

static GPtrArray *
submit_many (guint n, const char *line, gint64 timeout)
{
  GPtrArray *jobs = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (jobs, submit (line, timeout));
  return jobs;
}

static void
wait_for_state (GPtrArray *jobs, StintJobState state)
{
  for (guint i = 0; i < jobs->len; i++)
    while (stint_job_get_state (jobs->pdata[i]) < state)
      turn ();
}

static void
end (GPtrArray *jobs)
{
  for (guint i = 0; i < jobs->len; i++)
    stint_job_kill (jobs->pdata[i]);
  wait_for_state (jobs, STINT_JOB_FINISHED);
  g_ptr_array_unref (jobs);
}

/* The history. */

static void
fill (guint n)
{
  HistoryFixture fixture = { .history = stint_history_new (NULL) };

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *line = g_strdup_printf ("make -C project-%u target-%u", i % 37, i);

      history_fixture_add (&fixture, line);
    }
  stint_history_close (fixture.history);
  g_object_unref (fixture.history);
}

/* The first frame. */

static gint64 begun_at;

static void
tell_frame (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  g_print ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", g_get_monotonic_time () - begun_at,
           (gint64) now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000);
}

/* What follows the first frame is not measured: the jobs' shutdown and the rest. */
static gboolean
on_first_frame (GSignalInvocationHint *hint, guint n, const GValue *values, gpointer data)
{
  if (n_frames == 0)
    return TRUE;
  tell_frame ();
  _exit (0);
}

static void
show_empty (GtkApplication *application, gpointer data)
{
  GtkWidget *window = adw_application_window_new (application);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *terminal = vte_terminal_new ();

  gtk_window_set_default_size (GTK_WINDOW (window), 1000, 700);
  gtk_widget_set_vexpand (terminal, TRUE);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), terminal);
  adw_application_window_set_content (ADW_APPLICATION_WINDOW (window), box);
  gtk_window_present (GTK_WINDOW (window));
}

static void
begin_frame (const char *whose, const char *begun)
{
  char program[] = "stint", option[] = "--foreground";
  char *argv[] = { program, option, NULL };
  g_autoptr (AdwApplication) empty = NULL;

  begun_at = g_ascii_strtoll (begun, NULL, 10);
  hook (GDK_TYPE_SURFACE, "render", on_render);
  hook (GDK_TYPE_FRAME_CLOCK, "after-paint", on_first_frame);
  if (g_str_equal (whose, "stint"))
    {
      stint_main (2, argv);
      return;
    }
  empty = adw_application_new ("io.github.stint.Empty", G_APPLICATION_DEFAULT_FLAGS);
  g_signal_connect (empty, "activate", G_CALLBACK (show_empty), NULL);
  g_application_run (G_APPLICATION (empty), 0, NULL);
}

static void
take_frame (const char *program, const char *whose, GArray *wall, GArray *cpu)
{
  g_autofree char *now = g_strdup_printf ("%" G_GINT64_FORMAT, g_get_monotonic_time ());
  g_autofree char *out = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process =
      g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error,
                        program, "frame", whose, now, NULL);
  gint64 times[2];
  char *rest;

  if (process == NULL ||
      !g_subprocess_communicate_utf8 (process, NULL, NULL, &out, NULL, &error))
    g_error ("%s", error->message);
  times[0] = g_ascii_strtoll (out, &rest, 10);
  times[1] = g_ascii_strtoll (rest, NULL, 10);
  if (times[1] == 0)
    g_error ("%s has not shown a frame", whose);
  g_array_append_val (wall, times[0]);
  g_array_append_val (cpu, times[1]);
}

static void
compare_frames (const char *program, guint n_rounds)
{
  GArray *times[4];

  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    times[i] = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (guint i = 0; i <= n_rounds; i++)
    {
      take_frame (program, "stint", times[0], times[1]);
      take_frame (program, "empty", times[2], times[3]);
      /* The first round warms up what all of them share. */
      for (guint j = 0; i == 0 && j < G_N_ELEMENTS (times); j++)
        g_array_set_size (times[j], 0);
    }
  tell ("first frame of stint --foreground", (double) percentile (times[0], 50) / 1000, "ms");
  tell ("  of an empty GTK, libadwaita and VTE window", (double) percentile (times[2], 50) / 1000,
        "ms");
  report ("first frame / the empty window's",
          (double) percentile (times[0], 50) / (double) percentile (times[2], 50), "x", 1.3);
  tell ("CPU time until then / the empty window's",
        (double) percentile (times[1], 50) / (double) percentile (times[3], 50), "x");
}

/* Countdowns. */

static void
count_for (const char *what, double seconds, double limit)
{
  g_autofree char *ticks = g_strdup_printf ("%s: timer dispatches a second", what);
  g_autofree char *frames = g_strdup_printf ("%s: frames a second", what);
  g_autofree char *wakeups = g_strdup_printf ("%s: turns of the main loop a second", what);
  g_autofree char *cpu = g_strdup_printf ("%s: CPU time of the main thread a second", what);
  gint64 cpu_before, at, took;
  double per_second;

  run_for (REST);
  n_ticks = n_frames = n_wakeups = 0;
  cpu_before = get_cpu_time ();
  at = g_get_monotonic_time ();
  run_for (seconds);
  took = g_get_monotonic_time () - at;
  per_second = (double) G_USEC_PER_SEC / (double) took;
  /* A machine that is late once has one more in its time. */
  report (ticks, n_ticks * per_second, "", limit * 1.1);
  report (frames, n_frames * per_second, "", limit * 1.1);
  tell (wakeups, n_wakeups * per_second, "");
  tell (cpu, (double) (get_cpu_time () - cpu_before) * per_second / 1000, "ms");
}

static void
run_tool (const char *command)
{
  g_autoptr (GError) error = NULL;

  if (!g_spawn_command_line_sync (command, NULL, NULL, NULL, &error))
    g_error ("%s", error->message);
}

static void
measure_ticks (guint n, double seconds)
{
  GPtrArray *jobs = submit_many (n, "exec sleep 1000", G_GINT64_CONSTANT (900) * G_USEC_PER_SEC);
  GtkWidget *window = GTK_WIDGET (get_window ());
  g_autofree char *visible = g_strdup_printf ("%u countdowns visible", n);

  wait_for_state (jobs, STINT_JOB_RUNNING);
  count_for (visible, seconds, 1);
  /* There is no window manager here: what one does to a window that is minimised. */
  run_tool ("sh -c 'xdotool search --onlyvisible --name Stint windowunmap'");
  count_for ("minimised", seconds, 0);
  run_tool ("sh -c 'xdotool search --name Stint windowmap'");
  gtk_widget_hide (window);
  count_for ("without a window on the screen", seconds, 0);
  end (jobs);
}

/* Memory. */

/* Anonymous memory that is ours alone, bytes. */
static gint64
get_memory (void)
{
  g_autofree char *text = NULL;
  const char *line;

  malloc_trim (0);
  if (!g_file_get_contents ("/proc/self/smaps_rollup", &text, NULL, NULL) ||
      (line = strstr (text, "\nPrivate_Dirty:")) == NULL)
    g_error ("/proc/self/smaps_rollup cannot be read");
  return g_ascii_strtoll (line + strlen ("\nPrivate_Dirty:"), NULL, 10) * 1024;
}

static void
measure_memory (guint n)
{
  /* What the first ones cost is paid once. */
  GPtrArray *first = submit_many (20, "exec sleep 1000", 900 * G_USEC_PER_SEC);
  GPtrArray *further;
  gint64 before;
  double each;

  wait_for_state (first, STINT_JOB_RUNNING);
  run_for (REST);
  before = get_memory ();
  further = submit_many (n, "exec sleep 1000", 900 * G_USEC_PER_SEC);
  wait_for_state (further, STINT_JOB_RUNNING);
  run_for (REST);
  each = (double) (get_memory () - before) / n;
  report ("memory for each further job in the list", each / 1024, "K", 64);
  end (further);
  end (first);
}

/* Keys. */

typedef struct
{
  GArray *wall; /* of gint64, microseconds */
  GArray *cpu;
  gint64 wall_at, cpu_at;
} Clock;

static void
clock_init (Clock *self)
{
  self->wall = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->cpu = g_array_new (FALSE, FALSE, sizeof (gint64));
}

/* Returns: how many frames have been drawn before. */
static guint
clock_begin (Clock *self)
{
  self->wall_at = g_get_monotonic_time ();
  self->cpu_at = get_cpu_time ();
  return n_frames;
}

static void
clock_end (Clock *self)
{
  gint64 wall = g_get_monotonic_time () - self->wall_at;
  gint64 cpu = get_cpu_time () - self->cpu_at;

  g_array_append_val (self->wall, wall);
  g_array_append_val (self->cpu, cpu);
}

static double
clock_get_cpu (Clock *self, guint percent)
{
  return (double) percentile (self->cpu, percent) / 1000;
}

static void
clock_tell (Clock *self, const char *what)
{
  g_autofree char *wall = g_strdup_printf ("%s, until it is drawn", what);
  g_autofree char *cpu = g_strdup_printf ("%s, CPU time", what);

  tell (wall, (double) percentile (self->wall, 50) / 1000, "ms");
  tell (cpu, clock_get_cpu (self, 50), "ms");
}

static void
measure_filter (guint n, guint n_keys)
{
  GtkWidget *sidebar = find_mapped (GTK_WIDGET (get_window ()), STINT_TYPE_SIDEBAR);
  g_autofree char *what = g_strdup_printf ("a key in the filter of %u jobs", n);
  GPtrArray *jobs = g_ptr_array_new_with_free_func (g_object_unref);
  GtkWidget *entry;
  Clock clock;

  clock_init (&clock);
  stint_application_set_max_running (app, 1);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *line = g_strdup_printf ("sleep 1000; make -C project-%u", i);

      g_ptr_array_add (jobs, submit (line, 0));
    }
  for (guint i = 0; i < n; i++)
    while (stint_job_get_id (jobs->pdata[i]) == 0)
      turn ();
  g_object_set (sidebar, "filtering", TRUE, NULL);
  run_for (REST);
  entry = find_mapped (sidebar, GTK_TYPE_SEARCH_ENTRY);
  for (guint i = 0; i < n_keys; i++)
    {
      static const char *const texts[] = { "p", "pr", "project-9", "project-99", "" };
      guint before = clock_begin (&clock);

      gtk_editable_set_text (GTK_EDITABLE (entry), texts[i % G_N_ELEMENTS (texts)]);
      /* Once for the text, once for the list, which waits until nothing more is typed. */
      g_signal_emit_by_name (entry, "search-changed");
      wait_for_frame (before);
      clock_end (&clock);
      run_for (0.3);
    }
  clock_tell (&clock, what);
  report ("  the 95th percentile, CPU time", clock_get_cpu (&clock, 95), "ms", 16);
  end (jobs);
}

static gboolean
is_shown (StintJob *job)
{
  GtkWidget *pane = find_mapped (GTK_WIDGET (get_window ()), STINT_TYPE_PANE);

  return pane != NULL && gtk_widget_get_width (pane) > 0 &&
         stint_pane_get_job (STINT_PANE (pane)) == job;
}

static void
show (Clock *clock, StintJob *job)
{
  guint before = clock_begin (clock);

  stint_window_show_job (get_window (), job);
  while (!is_shown (job) || n_frames == before)
    turn ();
  clock_end (clock);
  run_for (0.2);
}

static void
measure_switch (guint n)
{
  GPtrArray *jobs = submit_many (n, "seq 1000; exec sleep 1000", 0);
  Clock made, kept, empty;

  clock_init (&made);
  clock_init (&kept);
  clock_init (&empty);
  wait_for_state (jobs, STINT_JOB_RUNNING);
  run_for (REST);
  for (guint i = 0; i < n; i++)
    show (&made, jobs->pdata[i]);
  for (guint i = 0; i < n; i++)
    show (&kept, jobs->pdata[n - 1 - i % 2]);
  /* What a frame of a window of this size costs anyhow. */
  for (guint i = 0; i < n; i++)
    {
      guint before = clock_begin (&empty);

      gtk_widget_queue_draw (GTK_WIDGET (get_window ()));
      wait_for_frame (before);
      clock_end (&empty);
    }
  clock_tell (&made, "another job is shown, for the first time");
  report ("  the 95th percentile, CPU time", clock_get_cpu (&made, 95), "ms", 50);
  clock_tell (&kept, "another job is shown, again");
  report ("  the 95th percentile, CPU time", clock_get_cpu (&kept, 95), "ms", 16);
  tell ("  a frame of the same window, CPU time", clock_get_cpu (&empty, 50), "ms");
  end (jobs);
}

/* Dialogs. */

typedef GtkWindow *(*Opener) (void);

/* (nullable): the one that has been opened last. */
static GtkWindow *
get_dialog (void)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *link = windows; link != NULL; link = link->next)
    if (gtk_window_get_transient_for (link->data) == GTK_WINDOW (get_window ()))
      return link->data;
  return NULL;
}

static GtkWindow *
open_new_job (void)
{
  g_action_group_activate_action (G_ACTION_GROUP (app), "new-job", NULL);
  return get_dialog ();
}

static GtkWindow *
open_preferences (void)
{
  g_action_group_activate_action (G_ACTION_GROUP (app), "preferences", NULL);
  return get_dialog ();
}

static GtkWindow *
open_empty (void)
{
  GtkWidget *dialog = adw_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *entry = gtk_entry_new ();

  gtk_window_set_transient_for (GTK_WINDOW (dialog), GTK_WINDOW (get_window ()));
  gtk_window_set_default_size (GTK_WINDOW (dialog), 520, 640);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), entry);
  adw_window_set_content (ADW_WINDOW (dialog), box);
  gtk_window_present (GTK_WINDOW (dialog));
  return GTK_WINDOW (dialog);
}

static GtkWindow *
open_empty_preferences (void)
{
  GtkWidget *dialog = adw_preferences_window_new ();
  GtkWidget *page = adw_preferences_page_new ();
  GtkWidget *group = adw_preferences_group_new ();
  GtkWidget *row = adw_entry_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), "Row");
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), ADW_PREFERENCES_GROUP (group));
  adw_preferences_window_add (ADW_PREFERENCES_WINDOW (dialog), ADW_PREFERENCES_PAGE (page));
  gtk_window_set_transient_for (GTK_WINDOW (dialog), GTK_WINDOW (get_window ()));
  gtk_window_present (GTK_WINDOW (dialog));
  return GTK_WINDOW (dialog);
}

static void
open_one (Clock *clock, Opener opener)
{
  guint before;
  GtkWindow *dialog;

  before = clock_begin (clock);
  dialog = opener ();
  while (!gtk_widget_get_mapped (GTK_WIDGET (dialog)) ||
         gtk_widget_get_width (GTK_WIDGET (dialog)) == 0)
    turn ();
  wait_for_frame (before);
  clock_end (clock);
  run_for (0.3);
  gtk_window_destroy (dialog);
  run_for (0.3);
}

static void
compare_dialogs (guint n_rounds)
{
  static const struct
  {
    const char *what;
    Opener opener;
    Opener empty;
  } dialogs[] = {
    { "New Job", open_new_job, open_empty },
    { "Preferences", open_preferences, open_empty_preferences },
  };

  for (guint i = 0; i < G_N_ELEMENTS (dialogs); i++)
    {
      g_autofree char *ratio = g_strdup_printf ("%s / the empty one, CPU time", dialogs[i].what);
      Clock ours, empty;

      clock_init (&ours);
      clock_init (&empty);
      for (guint j = 0; j <= n_rounds; j++)
        {
          open_one (&ours, dialogs[i].opener);
          open_one (&empty, dialogs[i].empty);
          if (j > 0)
            continue;
          tell ("  for the first time, CPU time", clock_get_cpu (&ours, 50), "ms");
          g_array_set_size (ours.cpu, 0);
          g_array_set_size (ours.wall, 0);
          g_array_set_size (empty.cpu, 0);
          g_array_set_size (empty.wall, 0);
        }
      clock_tell (&ours, dialogs[i].what);
      clock_tell (&empty, "  an empty one");
      report (ratio, clock_get_cpu (&ours, 50) / clock_get_cpu (&empty, 50), "x", 2);
    }
}

static char **arguments;

static gboolean
run_mode (gpointer data)
{
  const char *mode = arguments[1];
  guint n = arguments[2] != NULL ? (guint) atoi (arguments[2]) : 0;
  guint m = n > 0 && arguments[3] != NULL ? (guint) atoi (arguments[3]) : 0;

  run_for (REST);
  if (g_str_equal (mode, "ticks"))
    measure_ticks (n, m);
  else if (g_str_equal (mode, "memory"))
    measure_memory (n);
  else if (g_str_equal (mode, "filter"))
    measure_filter (n, m);
  else if (g_str_equal (mode, "switch"))
    measure_switch (n);
  else if (g_str_equal (mode, "dialogs"))
    compare_dialogs (n);
  else
    g_error ("there is no mode “%s”", mode);
  _exit (0);
}

int
main (int argc, char **argv)
{
  if (argc < 3)
    {
      g_printerr ("usage: bench-app MODE NUMBER…\n");
      return 2;
    }
  signal (SIGPIPE, SIG_IGN);
  arguments = argv;
  if (g_str_equal (argv[1], "fill"))
    fill ((guint) atoi (argv[2]));
  else if (g_str_equal (argv[1], "frames"))
    compare_frames (argv[0], (guint) atoi (argv[2]));
  else if (g_str_equal (argv[1], "frame") && argc == 4)
    begin_frame (argv[2], argv[3]);
  else
    {
      char *own[] = { argv[0], NULL };

      gtk_init ();
      count_everything ();
      /* For that GTK 4.8 wants 60 frames a second of any window, until ten seconds after the last key. */
      g_object_set (gtk_settings_get_default (), "gtk-cursor-blink", FALSE, NULL);
      stint_descriptors_raise_limit ();
      app = stint_application_new (G_APPLICATION_NON_UNIQUE);
      g_application_hold (G_APPLICATION (app));
      g_idle_add (run_mode, NULL);
      return g_application_run (G_APPLICATION (app), 1, own);
    }
  return 0;
}
