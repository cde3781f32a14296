/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window with real jobs, driven from within: how narrow it gets, what has a name, what ticks, and
 * that nothing breaks when it goes.
 */
#include "stint-closing.h"
#include "stint-history-clearing.h"
#include "stint-history-page.h"
#include "stint-job-row.h"
#include "stint-new-job-dialog.h"
#include "stint-overview.h"
#include "stint-pane.h"
#include "stint-panes.h"
#include "stint-ticker.h"

#include "window-fixture.h"

#include <gdk/x11/gdkx.h>

static int
measure (WindowFixture *fixture)
{
  int minimum;

  gtk_widget_measure (GTK_WIDGET (fixture->window), GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL,
                      NULL, NULL);
  return minimum;
}

/* However long names are, and whatever a job does, the window fits a telephone. */
static void
test_narrowest (void)
{
  g_autofree char *long_word = g_strnfill (400, 'x');
  g_autofree char *line =
      g_strdup_printf ("trap '' TERM HUP; echo %s; while :; do sleep 1; done", long_word);
  g_autoptr (StintJob) job = NULL;
  WindowFixture fixture;

  window_fixture_set_up (&fixture, NARROWEST);
  g_assert_cmpint (measure (&fixture), <=, NARROWEST + SHADOW);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (fixture.window)), <=, NARROWEST + SHADOW);

  job = window_fixture_show (&fixture, STINT_JOB_KIND_TERMINAL, line);
  wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
  wait_until (window_fixture_find_type (GTK_WIDGET (fixture.window), STINT_TYPE_PANE) != NULL);
  g_assert_cmpint (measure (&fixture), <=, NARROWEST + SHADOW);
  stint_job_terminate (job);
  wait_until (stint_job_get_state (job) == STINT_JOB_STOPPING);
  g_assert_cmpint (measure (&fixture), <=, NARROWEST + SHADOW);
  stint_job_kill (job);
  wait_until (stint_job_get_state (job) == STINT_JOB_FINISHED);
  g_assert_cmpint (measure (&fixture), <=, NARROWEST + SHADOW);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (fixture.window)), <=, NARROWEST + SHADOW);
  window_fixture_tear_down (&fixture);
}

/* The first layout has a job to show already. */
static void
test_narrow_from_the_start (void)
{
  StintJobList *jobs = fixture_list ();
  g_autoptr (StintJobSpec) spec = stint_job_spec_new_shell (STINT_JOB_KIND_TERMINAL, "sleep 60");
  g_autoptr (StintJob) job = NULL;
  WindowFixture fixture;

  stint_job_spec_set_timeout (spec, G_GINT64_CONSTANT (3600) * G_USEC_PER_SEC);
  stint_job_spec_set_idle_timeout (spec, G_GINT64_CONSTANT (3600) * G_USEC_PER_SEC);
  job = fixture_submit (jobs, spec);
  wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
  window_fixture_set_up_with (&fixture, NARROWEST, jobs);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (fixture.window)), <=, NARROWEST + SHADOW);
  stint_job_kill (job);
  window_fixture_tear_down (&fixture);
}

static gboolean
is_icon_button_without_tooltip (GtkWidget *widget, gpointer data)
{
  const char *class_name = gtk_widget_get_css_name (widget);

  /* Window controls name themselves; those of a calendar are GTK's. */
  if (gtk_widget_get_ancestor (widget, GTK_TYPE_WINDOW_CONTROLS) != NULL ||
      gtk_widget_get_ancestor (widget, GTK_TYPE_CALENDAR) != NULL)
    return FALSE;
  return g_strcmp0 (class_name, "button") == 0 && GTK_IS_BUTTON (widget) &&
         gtk_widget_get_visible (widget) &&
         gtk_button_get_icon_name (GTK_BUTTON (widget)) != NULL &&
         gtk_widget_get_tooltip_text (widget) == NULL;
}

/* GTK_A11Y=test keeps what screen readers would be told. */
static void
test_icons_have_names (void)
{
  g_autoptr (StintJob) job = NULL;
  WindowFixture fixture;
  StintNewJobDialog *dialog;

  window_fixture_set_up (&fixture, 1000);
  job = window_fixture_show (&fixture, STINT_JOB_KIND_TERMINAL, "sleep 60");
  wait_until (window_fixture_find_type (GTK_WIDGET (fixture.window), STINT_TYPE_PANE) != NULL);
  g_assert_null (
      window_fixture_find (GTK_WIDGET (fixture.window), is_icon_button_without_tooltip, NULL));

  dialog = stint_new_job_dialog_new (GTK_WINDOW (fixture.window), fixture.settings, NULL);
  g_assert_null (window_fixture_find (GTK_WIDGET (dialog), is_icon_button_without_tooltip, NULL));
  gtk_window_destroy (GTK_WINDOW (dialog));
  stint_job_kill (job);
  window_fixture_tear_down (&fixture);
}

static void
test_row_says_name_and_state (void)
{
  g_autoptr (GtkTooltip) tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  gboolean shown = FALSE;
  g_autoptr (StintJob) job = NULL;
  WindowFixture fixture;
  GtkWidget *row;

  window_fixture_set_up (&fixture, 1000);
  job = window_fixture_show (&fixture, STINT_JOB_KIND_SHELL, "sleep 60");
  wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
  wait_until (window_fixture_find_type (GTK_WIDGET (fixture.window), STINT_TYPE_JOB_ROW) != NULL);
  row = window_fixture_find_type (GTK_WIDGET (fixture.window), STINT_TYPE_JOB_ROW);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "sleep 60, Running");
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (gtk_widget_get_parent (row)),
                                       GTK_ACCESSIBLE_PROPERTY_LABEL, "sleep 60, Running");
  g_assert_true (gtk_widget_get_has_tooltip (row));
  g_signal_emit_by_name (row, "query-tooltip", 1, 1, FALSE, tooltip, &shown);
  g_assert_true (shown);
  stint_job_kill (job);
  wait_until (stint_job_get_state (job) == STINT_JOB_FINISHED);
  gtk_test_accessible_assert_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       "sleep 60, Killed");
  window_fixture_tear_down (&fixture);
}

/* There is no window manager here: what one does. */
static void
minimise (WindowFixture *fixture, gboolean minimised)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (fixture->window));
  g_autofree char *id = g_strdup_printf ("%lu", gdk_x11_surface_get_xid (surface));
  const char *action = minimised ? "windowunmap" : "windowmap";
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process =
      g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, &error, "xdotool", action, id, NULL);

  g_assert_no_error (error);
  g_subprocess_wait_check (process, NULL, &error);
  g_assert_no_error (error);
}

/* One timer for all countdowns, and none when there is none or nobody sees them. */
static void
test_ticks_only_when_seen (void)
{
  StintTicker *ticker = stint_ticker_get_default ();
  g_autoptr (StintJob) job = NULL;
  WindowFixture fixture;

  window_fixture_set_up (&fixture, 1000);
  g_assert_false (stint_ticker_is_running (ticker));
  job = window_fixture_show (&fixture, STINT_JOB_KIND_TERMINAL, "sleep 60");
  wait_until (stint_ticker_is_running (ticker));
  gtk_widget_hide (GTK_WIDGET (fixture.window));
  g_assert_false (stint_ticker_is_running (ticker));
  gtk_window_present (GTK_WINDOW (fixture.window));
  wait_until (stint_ticker_is_running (ticker));
  minimise (&fixture, TRUE);
  wait_until (!stint_ticker_is_running (ticker));
  minimise (&fixture, FALSE);
  wait_until (stint_ticker_is_running (ticker));
  stint_job_kill (job);
  wait_until (stint_job_get_state (job) == STINT_JOB_FINISHED);
  g_assert_false (stint_ticker_is_running (ticker));
  window_fixture_tear_down (&fixture);
}

static void
test_window_goes_while_jobs_run (void)
{
  g_autoptr (StintJob) terminal = NULL;
  g_autoptr (StintJob) shell = NULL;
  WindowFixture fixture;

  window_fixture_set_up (&fixture, 1000);
  terminal = window_fixture_show (&fixture, STINT_JOB_KIND_TERMINAL,
                                  "while :; do echo x; sleep 0.01; done");
  shell = window_fixture_show (&fixture, STINT_JOB_KIND_SHELL, "seq 100000; sleep 60");
  wait_until (window_fixture_find_type (GTK_WIDGET (fixture.window), STINT_TYPE_PANE) != NULL);
  gtk_window_destroy (GTK_WINDOW (fixture.window));
  wait_until (fixture.window == NULL);
  stint_job_terminate (terminal);
  stint_job_kill (shell);
  window_fixture_tear_down (&fixture);
}

static void
test_panes_are_few (void)
{
  StintJob *jobs[STINT_PANES_KEPT + 3];
  GtkWidget *panes;
  StintPane *last;
  WindowFixture fixture;

  window_fixture_set_up (&fixture, 1000);
  for (guint i = 0; i < G_N_ELEMENTS (jobs); i++)
    {
      jobs[i] = window_fixture_show (&fixture, STINT_JOB_KIND_TERMINAL, "sleep 60");
      wait_until (stint_job_get_state (jobs[i]) == STINT_JOB_RUNNING);
    }
  panes = window_fixture_find_type (GTK_WIDGET (fixture.window), STINT_TYPE_PANES);
  g_assert_cmpuint (stint_panes_get_n_kept (STINT_PANES (panes)), ==, STINT_PANES_KEPT);

  /* One that was kept comes back as it was. */
  last = stint_panes_get_visible (STINT_PANES (panes));
  stint_window_show_job (fixture.window, jobs[G_N_ELEMENTS (jobs) - 2]);
  stint_window_show_job (fixture.window, jobs[G_N_ELEMENTS (jobs) - 1]);
  g_assert_true (stint_panes_get_visible (STINT_PANES (panes)) == last);

  for (guint i = 0; i < G_N_ELEMENTS (jobs); i++)
    {
      stint_job_kill (jobs[i]);
      g_object_unref (jobs[i]);
    }
  window_fixture_tear_down (&fixture);
}

static void
test_only_a_live_terminal_is_typed_into (void)
{
  g_autoptr (StintJob) terminal = NULL;
  g_autoptr (StintJob) shell = NULL;
  WindowFixture fixture;
  StintPane *pane;

  window_fixture_set_up (&fixture, 1000);
  terminal = window_fixture_show (&fixture, STINT_JOB_KIND_TERMINAL, "cat");
  wait_until (window_fixture_find_type (GTK_WIDGET (fixture.window), STINT_TYPE_PANE) != NULL);
  pane = STINT_PANE (window_fixture_find_type (GTK_WIDGET (fixture.window), STINT_TYPE_PANE));
  wait_until (stint_pane_is_live (pane));
  stint_job_kill (terminal);
  wait_until (stint_job_get_state (terminal) == STINT_JOB_FINISHED);
  g_assert_false (stint_pane_is_live (pane));

  shell = window_fixture_show (&fixture, STINT_JOB_KIND_SHELL, "sleep 60");
  wait_until (stint_job_get_state (shell) == STINT_JOB_RUNNING);
  pane = STINT_PANE (window_fixture_find_type (GTK_WIDGET (fixture.window), STINT_TYPE_PANE));
  g_assert_true (stint_pane_get_job (pane) == shell);
  g_assert_false (stint_pane_is_live (pane));
  stint_job_kill (shell);
  window_fixture_tear_down (&fixture);
}

static void
test_size_is_kept_however_it_goes (void)
{
  WindowFixture fixture;
  int width, height;
  gboolean maximized;

  window_fixture_set_up (&fixture, 1000);
  stint_settings_set_window (fixture.settings, 1, 1, FALSE);
  gtk_window_destroy (GTK_WINDOW (fixture.window));
  stint_settings_get_window (fixture.settings, &width, &height, &maximized);
  g_assert_cmpint (width, >=, 1000);
  g_assert_cmpint (height, >=, 600);
  g_assert_false (maximized);
  window_fixture_tear_down (&fixture);
}

/* Who closes the window while a removal can still be undone has removed the job. */
static void
test_removal_survives_the_window (void)
{
  g_autofree char *directory = g_dir_make_tmp ("stint-window-XXXXXX", NULL);
  g_autoptr (StintHistory) history = stint_history_new (directory);
  StintJobList *earlier = stint_job_list_new (STINT_JOB_STORE (history));
  g_autoptr (StintJobSpec) spec = fixture_shell ("true");
  StintJob *job = fixture_submit (earlier, spec);
  g_autofree char *place = NULL;
  WindowFixture fixture;
  GtkWidget *page;
  guint64 id;

  fixture_wait_for_all (earlier);
  id = stint_job_get_id (job);
  place = g_strdup (stint_job_get_directory (job));
  g_assert_true (g_file_test (place, G_FILE_TEST_IS_DIR));
  g_object_unref (job);
  g_object_unref (earlier);

  window_fixture_set_up_with (&fixture, 1000, stint_job_list_new (STINT_JOB_STORE (history)));
  stint_window_set_history (fixture.window, history);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (fixture.window), "win.history", NULL));
  page = window_fixture_find_type (GTK_WIDGET (fixture.window), STINT_TYPE_HISTORY_PAGE);
  g_assert_nonnull (page);
  g_assert_true (gtk_widget_activate_action (page, "history.remove", "t", id));
  gtk_window_destroy (GTK_WINDOW (fixture.window));
  wait_until (!g_file_test (place, G_FILE_TEST_EXISTS));
  window_fixture_tear_down (&fixture);
  g_assert_true (stint_history_close (history));
}

/* (nullable): the button or the toast that says so. */
static GtkWidget *
find_toast (WindowFixture *fixture, const char *text)
{
  return window_fixture_find_text (GTK_WIDGET (fixture->window), text);
}

static void
close_window (WindowFixture *fixture)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  wait_until (fixture->window == NULL);
}

/* They are told by the next window, and once. */
static void
test_problems_without_a_window (void)
{
  g_autoptr (GError) disk = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_NO_SPACE, "No space");
  g_autoptr (GError) other = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, "Something else");
  WindowFixture fixture;

  window_fixture_set_up (&fixture, 1000);
  stint_problems_raise (fixture.problems, "Seen", disk);
  wait_until (find_toast (&fixture, "Seen") != NULL);
  close_window (&fixture);
  stint_problems_raise (fixture.problems, "Not seen", other);
  window_fixture_reopen (&fixture);
  wait_until (find_toast (&fixture, "Not seen") != NULL);
  close_window (&fixture);

  stint_problems_raise (fixture.problems, "First", disk);
  stint_problems_raise (fixture.problems, "Second", other);
  window_fixture_reopen (&fixture);
  wait_until (find_toast (&fixture, "2 problems while") != NULL);
  close_window (&fixture);
  g_assert_cmpuint (stint_problems_get_n_untold (fixture.problems), ==, 0);
  window_fixture_tear_down (&fixture);
}

static void
press_button_of_toast (WindowFixture *fixture, const char *label)
{
  wait_until (find_toast (fixture, label) != NULL);
  g_signal_emit_by_name (gtk_widget_get_ancestor (find_toast (fixture, label), GTK_TYPE_BUTTON),
                         "clicked");
}

/* What can be undone for a few seconds only does not wait for it to be closed, and it comes back. */
static void
test_problem_makes_way (void)
{
  g_autoptr (GError) disk = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_NO_SPACE, "No space");
  g_autoptr (GError) other = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, "Something else");
  g_autoptr (StintJob) job = NULL;
  WindowFixture fixture;

  window_fixture_set_up (&fixture, 1000);
  job = window_fixture_show (&fixture, STINT_JOB_KIND_SHELL, "true");
  wait_until (stint_job_get_state (job) == STINT_JOB_FINISHED);
  stint_problems_raise (fixture.problems, "The first one", disk);
  wait_until (find_toast (&fixture, "The first one") != NULL);
  window_fixture_activate (&fixture, "shown.dismiss");
  wait_until (find_toast (&fixture, "1 job taken off") != NULL);
  g_assert_null (stint_job_board_find (fixture.board, job));

  /* One that comes meanwhile is told after it, together with the first. */
  stint_problems_raise (fixture.problems, "The second one", other);
  g_assert_nonnull (find_toast (&fixture, "1 job taken off"));
  press_button_of_toast (&fixture, "Undo");
  g_assert_nonnull (stint_job_board_find (fixture.board, job));
  wait_until (find_toast (&fixture, "2 problems") != NULL);

  /* Those that nobody wants to see any more are not told of. */
  stint_problems_clear (fixture.problems);
  wait_until (find_toast (&fixture, "2 problems") == NULL);
  stint_problems_raise (fixture.problems, "The third one", disk);
  wait_until (find_toast (&fixture, "The third one") != NULL);
  window_fixture_tear_down (&fixture);
}

/* Folded too, what is seen first starts something. */
static void
test_first_start_in_a_narrow_window (void)
{
  WindowFixture fixture;

  window_fixture_set_up (&fixture, NARROWEST);
  wait_until (gtk_window_get_focus (GTK_WINDOW (fixture.window)) != NULL &&
              gtk_widget_get_ancestor (gtk_window_get_focus (GTK_WINDOW (fixture.window)), STINT_TYPE_OVERVIEW) != NULL);
  g_assert_true (gtk_widget_get_mapped (gtk_window_get_focus (GTK_WINDOW (fixture.window))));
  window_fixture_tear_down (&fixture);
}

/* A window of this @width in which a problem is told. Returns: (transfer none): its @title, allocated */
static GtkWidget *
set_up_with_toast (WindowFixture *fixture, int width, const char *title)
{
  g_autoptr (GError) disk = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_NO_SPACE, "No space");

  window_fixture_set_up (fixture, width);
  stint_problems_raise (fixture->problems, title, disk);
  wait_until (find_toast (fixture, title) != NULL);
  wait_until (gtk_widget_get_width (find_toast (fixture, title)) > 0);
  return find_toast (fixture, title);
}

/* All of a title is read in a narrow window too; and what stands in it is no markup. */
static void
test_problem_in_a_narrow_window (void)
{
  static const char title[] = "Interrupted jobs could not be recovered from <this> & that";
  WindowFixture fixture;
  GtkWidget *label = set_up_with_toast (&fixture, 360, title);

  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (label)), ==, title);
  g_assert_false (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label))));
  g_assert_cmpint (gtk_widget_get_width (label), <, 360);
  window_fixture_tear_down (&fixture);
}

/* Where there is room for it, it is one line. */
static void
test_problem_in_a_wide_window (void)
{
  static const char title[] = "The history has a problem";
  WindowFixture fixture;
  GtkWidget *label = set_up_with_toast (&fixture, 1000, title);

  g_assert_cmpint (pango_layout_get_line_count (gtk_label_get_layout (GTK_LABEL (label))), ==, 1);
  window_fixture_tear_down (&fixture);
}

/* A job runs and the window is asked to close. Returns: (transfer none): the question */
static GtkWindow *
ask_to_close (WindowFixture *fixture,
              StintJob **job,
              StintShutdown **shutdown,
              StintClosing **closing)
{
  *job = window_fixture_start (fixture, STINT_JOB_KIND_SHELL, "sleep 60");
  wait_until (stint_job_get_state (*job) == STINT_JOB_RUNNING);
  *shutdown = stint_shutdown_new (fixture->jobs);
  *closing = stint_closing_new (fixture->jobs, *shutdown, fixture->settings);
  stint_closing_set_window (*closing, GTK_WINDOW (fixture->window));
  stint_closing_close (*closing, FALSE);
  return window_fixture_find_dialog (fixture->window);
}

static gboolean
is_at (GtkWindow *question, const char *label)
{
  GtkWidget *focus = gtk_window_get_focus (question);

  return GTK_IS_BUTTON (focus) && gtk_widget_get_mapped (focus) &&
         g_strcmp0 (gtk_button_get_label (GTK_BUTTON (focus)), label) == 0;
}

/* Who presses Space without reading has cancelled, whatever moved the focus but the user. */
static void
test_closing_question_begins_at_cancel (void)
{
  g_autoptr (StintShutdown) shutdown = NULL;
  g_autoptr (StintClosing) closing = NULL;
  g_autoptr (StintJob) job = NULL;
  GtkWindow *question;
  GtkWidget *check;
  WindowFixture fixture;

  window_fixture_set_up (&fixture, 1000);
  question = ask_to_close (&fixture, &job, &shutdown, &closing);
  wait_until (is_at (question, "_Cancel"));
  check = window_fixture_find_type (GTK_WIDGET (question), GTK_TYPE_CHECK_BUTTON);
  gtk_widget_grab_focus (check);
  wait_until (is_at (question, "_Cancel"));
  gtk_window_destroy (question);
  window_fixture_tear_down (&fixture);
}

static gboolean
is_asked (AdwMessageDialog *question, const char *heading, const char *response)
{
  return g_strcmp0 (adw_message_dialog_get_heading (question), heading) == 0 &&
         g_strcmp0 (gtk_window_get_title (GTK_WINDOW (question)), heading) == 0 &&
         g_strcmp0 (adw_message_dialog_get_response_label (question, "stop"), response) == 0;
}

/* While a job that came after the question runs, not all have ended: as the next line of one does. */
static void
test_closing_question_counts_what_comes (void)
{
  g_autoptr (StintShutdown) shutdown = NULL;
  g_autoptr (StintClosing) closing = NULL;
  g_autoptr (StintJob) first = NULL;
  g_autoptr (StintJob) second = NULL;
  AdwMessageDialog *question;
  WindowFixture fixture;

  window_fixture_set_up (&fixture, 1000);
  question = ADW_MESSAGE_DIALOG (ask_to_close (&fixture, &first, &shutdown, &closing));
  g_assert_true (is_asked (question, "Stop 1 Job and Quit?", "_Stop Jobs and Quit"));
  second = window_fixture_start (&fixture, STINT_JOB_KIND_SHELL, "sleep 60");
  wait_until (is_asked (question, "Stop 2 Jobs and Quit?", "_Stop Jobs and Quit"));
  stint_job_kill (first);
  wait_until (is_asked (question, "Stop 1 Job and Quit?", "_Stop Jobs and Quit"));
  stint_job_kill (second);
  wait_until (is_asked (question, "All Jobs Have Ended", "_Quit"));
  g_assert_cmpint (adw_message_dialog_get_response_appearance (question, "stop"), ==,
                   ADW_RESPONSE_DEFAULT);
  gtk_window_destroy (GTK_WINDOW (question));
  window_fixture_tear_down (&fixture);
}

/* From the list too; and Undo brings it back to both. */
static void
test_what_is_removed_is_not_listed (void)
{
  g_autofree char *directory = g_dir_make_tmp ("stint-window-XXXXXX", NULL);
  g_autoptr (StintHistory) history = stint_history_new (directory);
  g_autoptr (StintJob) job = NULL;
  WindowFixture fixture;
  GtkWidget *page, *undo;

  window_fixture_set_up_with (&fixture, 1000, stint_job_list_new (STINT_JOB_STORE (history)));
  stint_window_set_history (fixture.window, history);
  job = window_fixture_start (&fixture, STINT_JOB_KIND_SHELL, "true");
  fixture_wait_for_all (fixture.jobs);
  g_assert_nonnull (stint_job_board_find (fixture.board, job));
  window_fixture_activate (&fixture, "win.history");
  page = window_fixture_find_type (GTK_WIDGET (fixture.window), STINT_TYPE_HISTORY_PAGE);
  g_assert_true (gtk_widget_activate_action (page, "history.remove", "t", stint_job_get_id (job)));
  g_assert_null (stint_job_board_find (fixture.board, job));

  wait_until (find_toast (&fixture, "Undo") != NULL);
  undo = gtk_widget_get_ancestor (find_toast (&fixture, "Undo"), GTK_TYPE_BUTTON);
  g_signal_emit_by_name (undo, "clicked");
  g_assert_nonnull (stint_job_board_find (fixture.board, job));
  g_assert_true (g_file_test (stint_job_get_directory (job), G_FILE_TEST_IS_DIR));
  window_fixture_tear_down (&fixture);
  g_assert_true (stint_history_close (history));
}

/* What is deleted is not listed either; what runs stays. */
static void
test_history_is_deleted (void)
{
  g_autofree char *directory = g_dir_make_tmp ("stint-window-XXXXXX", NULL);
  g_autoptr (StintHistory) history = stint_history_new (directory);
  g_autoptr (StintJob) ended = NULL;
  g_autoptr (StintJob) running = NULL;
  AdwPreferencesWindow *parent;
  WindowFixture fixture;

  window_fixture_set_up_with (&fixture, 1000, stint_job_list_new (STINT_JOB_STORE (history)));
  ended = window_fixture_show (&fixture, STINT_JOB_KIND_SHELL, "true");
  fixture_wait_for_all (fixture.jobs);
  running = window_fixture_show (&fixture, STINT_JOB_KIND_SHELL, "sleep 60");
  wait_until (stint_job_get_state (running) == STINT_JOB_RUNNING);
  parent = ADW_PREFERENCES_WINDOW (adw_preferences_window_new ());

  adw_message_dialog_response (
      stint_history_clearing_ask (parent, history, fixture.board, fixture.problems), "cancel");
  adw_message_dialog_response (
      stint_history_clearing_ask (parent, history, fixture.board, fixture.problems), "delete");
  wait_until (stint_job_board_find (fixture.board, ended) == NULL);
  g_assert_false (g_file_test (stint_job_get_directory (ended), G_FILE_TEST_EXISTS));
  g_assert_nonnull (stint_job_board_find (fixture.board, running));
  g_assert_true (g_file_test (stint_job_get_directory (running), G_FILE_TEST_EXISTS));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture.problems)), ==, 0);
  gtk_window_destroy (GTK_WINDOW (parent));
  stint_job_kill (running);
  window_fixture_tear_down (&fixture);
  g_assert_true (stint_history_close (history));
}

int
main (int argc, char **argv)
{
  window_fixture_init (&argc, &argv);
  g_test_add_func ("/app/window/narrowest", test_narrowest);
  g_test_add_func ("/app/window/narrow-from-the-start", test_narrow_from_the_start);
  g_test_add_func ("/app/window/icons-have-names", test_icons_have_names);
  g_test_add_func ("/app/window/row-says-name-and-state", test_row_says_name_and_state);
  g_test_add_func ("/app/window/ticks-only-when-seen", test_ticks_only_when_seen);
  g_test_add_func ("/app/window/window-goes-while-jobs-run", test_window_goes_while_jobs_run);
  g_test_add_func ("/app/window/panes-are-few", test_panes_are_few);
  g_test_add_func ("/app/window/only-a-live-terminal-is-typed-into",
                   test_only_a_live_terminal_is_typed_into);
  g_test_add_func ("/app/window/size-is-kept-however-it-goes", test_size_is_kept_however_it_goes);
  g_test_add_func ("/app/window/removal-survives-the-window", test_removal_survives_the_window);
  g_test_add_func ("/app/window/history-is-deleted", test_history_is_deleted);
  g_test_add_func ("/app/window/problems-without-a-window", test_problems_without_a_window);
  g_test_add_func ("/app/window/problem-makes-way", test_problem_makes_way);
  g_test_add_func ("/app/window/problem-in-a-narrow-window", test_problem_in_a_narrow_window);
  g_test_add_func ("/app/window/problem-in-a-wide-window", test_problem_in_a_wide_window);
  g_test_add_func ("/app/window/first-start-in-a-narrow-window", test_first_start_in_a_narrow_window);
  g_test_add_func ("/app/window/closing-question-begins-at-cancel",
                   test_closing_question_begins_at_cancel);
  g_test_add_func ("/app/window/closing-question-counts-what-comes",
                   test_closing_question_counts_what_comes);
  g_test_add_func ("/app/window/what-is-removed-is-not-listed",
                   test_what_is_removed_is_not_listed);
  return window_fixture_run ();
}
