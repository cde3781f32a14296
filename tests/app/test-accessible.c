/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Everybody: every view, wide and as narrow as a telephone, is walked widget by widget. What can have
 * the focus has a name, and nothing makes the window wider than 360 pixels. And a list that is sorted
 * anew never moves what is done to another job.
 */
#include "stint-closing.h"
#include "stint-job-row.h"
#include "stint-sidebar.h"
#include "stint-text-window.h"
#include "stint-then-dialog.h"

#include "window-fixture.h"

static gboolean
has_name (GtkWidget *widget)
{
  GtkAccessible *accessible = GTK_ACCESSIBLE (widget);

  /* GTK calls a button by its icon, if nobody else does. */
  if (GTK_IS_BUTTON (widget) && gtk_button_get_icon_name (GTK_BUTTON (widget)) != NULL)
    {
      g_autofree char *other = gtk_test_accessible_check_property (
          accessible, GTK_ACCESSIBLE_PROPERTY_LABEL, gtk_button_get_icon_name (GTK_BUTTON (widget)));

      return other != NULL &&
             gtk_test_accessible_has_property (accessible, GTK_ACCESSIBLE_PROPERTY_LABEL);
    }
  /* Labels are their own names, and what is in an entry or a menu button has that one's. */
  if (GTK_IS_LABEL (widget) ||
      gtk_test_accessible_has_property (accessible, GTK_ACCESSIBLE_PROPERTY_LABEL) ||
      gtk_test_accessible_has_relation (accessible, GTK_ACCESSIBLE_RELATION_LABELLED_BY))
    return TRUE;
  if (GTK_IS_TEXT (widget) || GTK_IS_MENU_BUTTON (gtk_widget_get_parent (widget)) ||
      GTK_IS_DROP_DOWN (gtk_widget_get_parent (widget)))
    return has_name (gtk_widget_get_parent (widget));
  return FALSE;
}

/* A scrolled window has the focus for what is in it, and a drop-down names what it lists itself. */
static gboolean
is_gtks_own (GtkWidget *widget)
{
  return GTK_IS_SCROLLED_WINDOW (widget) ||
         (gtk_widget_get_ancestor (widget, GTK_TYPE_DROP_DOWN) != NULL && !GTK_IS_DROP_DOWN (widget));
}

/* What is wrong with the widgets of a view, one a line. */
static void
walk (GtkWidget *widget, const char *view, GString *faults)
{
  if (!gtk_widget_get_mapped (widget))
    return;
  if (gtk_widget_get_focusable (widget) && gtk_widget_is_sensitive (widget) &&
      gtk_widget_get_can_focus (widget) && !is_gtks_own (widget) && !GTK_IS_WINDOW (widget) &&
      !GTK_IS_POPOVER (widget) &&
      gtk_widget_get_ancestor (widget, GTK_TYPE_WINDOW_CONTROLS) == NULL && !has_name (widget))
    g_string_append_printf (faults, "%s: %s (%s) has no name\n", view, G_OBJECT_TYPE_NAME (widget),
                            gtk_widget_get_css_name (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    walk (child, view, faults);
}

static void
check (gpointer window, int width, const char *view, GString *faults)
{
  int minimum;

  walk (GTK_WIDGET (window), view, faults);
  gtk_widget_measure (GTK_WIDGET (window), GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL,
                      NULL);
  if (minimum > NARROWEST + SHADOW)
    g_string_append_printf (faults, "%s: is %d wide at least\n", view, minimum);
  if (width == NARROWEST && gtk_widget_get_width (GTK_WIDGET (window)) > NARROWEST + SHADOW)
    g_string_append_printf (faults, "%s: is %d wide\n", view,
                            gtk_widget_get_width (GTK_WIDGET (window)));
}

static void
check_dialog (WindowFixture *fixture, int width, const char *view, GString *faults)
{
  GtkWindow *dialog;

  wait_until (window_fixture_find_dialog (fixture->window) != NULL);
  dialog = window_fixture_find_dialog (fixture->window);
  check (dialog, width, view, faults);
  gtk_window_destroy (dialog);
}

static void
check_dialogs (WindowFixture *fixture, StintJob *job, int width, GString *faults)
{
  g_autoptr (StintShutdown) shutdown = stint_shutdown_new (fixture->jobs);
  g_autoptr (StintClosing) closing =
      stint_closing_new (fixture->jobs, shutdown, fixture->settings);

  stint_then_dialog_present (GTK_WINDOW (fixture->window), fixture->jobs, job);
  check_dialog (fixture, width, "then run", faults);
  gtk_window_present (GTK_WINDOW (stint_text_window_new (GTK_WINDOW (fixture->window), job)));
  check_dialog (fixture, width, "as text", faults);
  stint_closing_set_window (closing, GTK_WINDOW (fixture->window));
  stint_closing_close (closing, FALSE);
  check_dialog (fixture, width, "closing", faults);
}

static void
check_views (int width)
{
  g_autofree char *word = g_strnfill (200, 'x');
  g_autofree char *line = g_strdup_printf ("trap '' TERM HUP; echo %s; while :; do sleep 1; done",
                                           word);
  g_autoptr (StintJob) running = NULL;
  g_autoptr (StintJob) failed = NULL;
  g_autoptr (StintJob) queued = NULL;
  g_autoptr (GString) faults = g_string_new (NULL);
  WindowFixture fixture;

  window_fixture_set_up (&fixture, width);
  check (fixture.window, width, "overview, empty", faults);
  window_fixture_activate (&fixture, "win.history");
  check (fixture.window, width, "history, empty", faults);
  window_fixture_activate (&fixture, "win.focus-list");
  check (fixture.window, width, "list, empty", faults);

  failed = window_fixture_start (&fixture, STINT_JOB_KIND_SHELL, "echo out; exit 3");
  wait_until (stint_job_get_state (failed) == STINT_JOB_FINISHED);
  running = window_fixture_start (&fixture, STINT_JOB_KIND_TERMINAL, line);
  fixture_wait_for_output (running, "x");
  stint_job_list_set_max_running (fixture.jobs, 1);
  queued = window_fixture_start (&fixture, STINT_JOB_KIND_AGENT, "true");

  stint_window_show_job (fixture.window, queued);
  check (fixture.window, width, "queued", faults);
  stint_window_show_job (fixture.window, failed);
  check (fixture.window, width, "failed", faults);
  stint_window_show_job (fixture.window, running);
  check (fixture.window, width, "running", faults);
  window_fixture_activate (&fixture, "shown-output.find");
  check (fixture.window, width, "finding", faults);
  window_fixture_activate (&fixture, "win.overview");
  check (fixture.window, width, "overview", faults);
  window_fixture_activate (&fixture, "win.history");
  check (fixture.window, width, "history", faults);
  window_fixture_activate (&fixture, "win.filter");
  check (fixture.window, width, "list, filtering", faults);
  check_dialogs (&fixture, running, width, faults);

  stint_window_show_job (fixture.window, running);
  stint_job_terminate (running);
  wait_until (stint_job_get_state (running) == STINT_JOB_STOPPING);
  check (fixture.window, width, "stopping", faults);
  g_assert_cmpstr (faults->str, ==, "");
  window_fixture_tear_down (&fixture);
}

static void
test_wide (void)
{
  check_views (1000);
}

static void
test_narrow (void)
{
  check_views (NARROWEST);
}

/* The control: what the walk is for is found by it. */
static void
test_faults_are_found (void)
{
  g_autoptr (GString) faults = g_string_new (NULL);
  GtkWidget *window = gtk_window_new ();
  GtkWidget *button = gtk_button_new_from_icon_name ("edit-copy-symbolic");

  gtk_widget_set_size_request (button, 500, -1);
  gtk_window_set_child (GTK_WINDOW (window), button);
  gtk_window_present (GTK_WINDOW (window));
  wait_until (gtk_widget_get_mapped (button));
  check (window, 1000, "control", faults);
  g_assert_nonnull (strstr (faults->str, "GtkButton (button) has no name"));
  g_assert_nonnull (strstr (faults->str, "wide at least"));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* (nullable): the list item of a job, which has the focus. */
static GtkWidget *
find_item (GtkWidget *list, StintJob *job)
{
  for (GtkWidget *item = gtk_widget_get_first_child (list); item != NULL;
       item = gtk_widget_get_next_sibling (item))
    {
      GtkWidget *row = gtk_widget_get_first_child (item);

      if (STINT_IS_JOB_ROW (row) && stint_job_row_get_job (STINT_JOB_ROW (row)) == job &&
          gtk_widget_get_mapped (item))
        return item;
    }
  return NULL;
}

static void
on_actions_made (StintSidebar *sidebar, StintJobActions *actions, StintJobActions **kept)
{
  g_set_object (kept, actions);
}

/* Under an open menu, a focus and a selection. */
static void
test_a_new_order_moves_nothing (void)
{
  WindowFixture fixture;
  StintSidebar *sidebar;
  GtkWidget *list, *item;
  StintJobActions *menu = NULL;
  StintJob *jobs[3];

  window_fixture_set_up (&fixture, 1000);
  sidebar = STINT_SIDEBAR (
      window_fixture_find_type (GTK_WIDGET (fixture.window), STINT_TYPE_SIDEBAR));
  for (guint i = 0; i < G_N_ELEMENTS (jobs); i++)
    {
      jobs[i] = window_fixture_start (&fixture, STINT_JOB_KIND_SHELL, "sleep 60");
      wait_until (stint_job_get_state (jobs[i]) == STINT_JOB_RUNNING);
    }
  g_assert_true (stint_sidebar_select_job (sidebar, jobs[1]));
  wait_until (window_fixture_find_type (GTK_WIDGET (sidebar), GTK_TYPE_LIST_VIEW) != NULL);
  list = window_fixture_find_type (GTK_WIDGET (sidebar), GTK_TYPE_LIST_VIEW);
  wait_until (find_item (list, jobs[1]) != NULL);
  stint_sidebar_focus (sidebar);
  item = find_item (list, jobs[1]);
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (fixture.window)) == item);
  g_signal_connect (sidebar, "actions-made", G_CALLBACK (on_actions_made), &menu);
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (sidebar), "sidebar.menu", NULL));
  g_assert_nonnull (menu);

  /* The first goes to the top, the last to the bottom, and a new one comes between them. */
  stint_job_board_set_asks (fixture.board, jobs[0], "Go on?");
  stint_job_kill (jobs[2]);
  wait_until (stint_job_get_state (jobs[2]) == STINT_JOB_FINISHED);
  g_object_unref (window_fixture_start (&fixture, STINT_JOB_KIND_SHELL, "sleep 60"));
  stint_job_board_set_asks (fixture.board, jobs[1], "Go on?");

  /* What a screen reader is at, what is selected, and what the menu acts on are still the same job. */
  g_assert_true (find_item (list, jobs[1]) == item);
  g_assert_true (stint_sidebar_get_job (sidebar) == jobs[1]);
  g_assert_cmpuint (stint_job_actions_get_jobs (menu)->len, ==, 1);
  g_assert_true (stint_job_actions_get_jobs (menu)->pdata[0] == jobs[1]);
  g_action_group_activate_action (stint_job_actions_get_group (menu), "kill", NULL);
  wait_until (stint_job_get_state (jobs[1]) == STINT_JOB_FINISHED);
  g_assert_cmpint (stint_job_get_state (jobs[0]), ==, STINT_JOB_RUNNING);
  g_clear_object (&menu);
  for (guint i = 0; i < G_N_ELEMENTS (jobs); i++)
    g_object_unref (jobs[i]);
  window_fixture_tear_down (&fixture);
}

static void
test_text_window (void)
{
  g_autoptr (StintJob) job = NULL;
  g_autofree char *text = NULL;
  GtkTextBuffer *buffer;
  GtkTextIter from, to;
  StintTextWindow *window;
  WindowFixture fixture;

  window_fixture_set_up (&fixture, 1000);
  job = window_fixture_start (&fixture, STINT_JOB_KIND_TERMINAL,
               "printf '\\033[31mred\\033[0m\\n'; sleep 0.5; echo more");
  wait_until (stint_job_get_transcript (job) != NULL);
  window = stint_text_window_new (GTK_WINDOW (fixture.window), job);
  buffer = stint_text_window_get_buffer (window);
  wait_until (stint_job_get_state (job) == STINT_JOB_FINISHED);
  wait_until (gtk_text_buffer_get_char_count (buffer) >= 9);
  gtk_text_buffer_get_bounds (buffer, &from, &to);
  text = gtk_text_buffer_get_text (buffer, &from, &to, FALSE);
  g_assert_cmpstr (text, ==, "red\nmore\n");
  gtk_window_destroy (GTK_WINDOW (window));
  window_fixture_tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  window_fixture_init (&argc, &argv);
  g_test_add_func ("/app/accessible/wide", test_wide);
  g_test_add_func ("/app/accessible/narrow", test_narrow);
  g_test_add_func ("/app/accessible/faults-are-found", test_faults_are_found);
  g_test_add_func ("/app/accessible/a-new-order-moves-nothing", test_a_new_order_moves_nothing);
  g_test_add_func ("/app/accessible/text-window", test_text_window);
  return window_fixture_run ();
}
