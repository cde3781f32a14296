/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A list that is sorted anew never moves what is done to another job; and output is there as text for
 * who cannot see a terminal.
 */
#include "stint-job-row.h"
#include "stint-sidebar.h"
#include "stint-text-window.h"

#include "window-fixture.h"

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
  g_test_add_func ("/app/accessible/a-new-order-moves-nothing", test_a_new_order_moves_nothing);
  g_test_add_func ("/app/accessible/text-window", test_text_window);
  return window_fixture_run ();
}
