/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What keys and buttons of the window do where nobody expected them to be pressed: twice, on what is not shown,
 * on what has gone meanwhile.
 */
#include "stint-error.h"
#include "stint-job-page.h"
#include "stint-overview.h"
#include "stint-pages.h"
#include "stint-preset-actions.h"
#include "stint-sidebar.h"

#include "window-fixture.h"

#include <glib/gstdio.h>

static void
count_start (guint *n_started)
{
  (*n_started)++;
}

/* In the menu and by its key, while it still stops: each press hurries, and one run follows. */
static void
test_restart_twice_starts_one (void)
{
  g_autoptr (StintJob) job = NULL;
  g_autoptr (GPtrArray) jobs = g_ptr_array_new ();
  g_autoptr (StintJobActions) menu = NULL;
  guint n_started = 0;
  WindowFixture fixture;

  window_fixture_set_up (&fixture, 1000);
  g_signal_connect_swapped (fixture.window, "start", G_CALLBACK (count_start), &n_started);
  job = window_fixture_show (&fixture, STINT_JOB_KIND_SHELL,
                             "trap '' TERM; echo ready; while :; do sleep 1; done");
  fixture_wait_for_output (job, "ready");
  g_ptr_array_add (jobs, job);
  menu = stint_job_actions_new (jobs);
  g_signal_connect_swapped (menu, "start", G_CALLBACK (count_start), &n_started);

  window_fixture_activate (&fixture, "shown.restart");
  wait_until (stint_job_get_state (job) == STINT_JOB_STOPPING);
  window_fixture_activate (&fixture, "shown.restart");
  g_action_group_activate_action (stint_job_actions_get_group (menu), "restart", NULL);
  stint_job_kill (job);
  wait_until (stint_job_get_state (job) == STINT_JOB_FINISHED);
  fixture_wait_for_all (fixture.jobs);
  wait_until (n_started > 0);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpuint (n_started, ==, 1);
  window_fixture_tear_down (&fixture);
}

static GtkWidget *
get_focus (WindowFixture *fixture)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (fixture->window));

  return focus != NULL && gtk_widget_get_mapped (focus) ? focus : NULL;
}

static GtkWidget *
find_pages (WindowFixture *fixture)
{
  return window_fixture_find_type (GTK_WIDGET (fixture->window), STINT_TYPE_PAGES);
}

/* Keys that ask for a page where none is shown give the focus to no terminal that nobody sees, and close nothing. */
static void
test_hidden_page_gets_no_keys (void)
{
  g_autoptr (StintJob) first = NULL;
  g_autoptr (StintJob) second = NULL;
  WindowFixture fixture;
  StintPages *pages;

  window_fixture_set_up (&fixture, 1000);
  first = window_fixture_show (&fixture, STINT_JOB_KIND_TERMINAL, "cat");
  second = window_fixture_start (&fixture, STINT_JOB_KIND_TERMINAL, "cat");
  wait_until (stint_job_get_state (second) == STINT_JOB_RUNNING);
  wait_until (find_pages (&fixture) != NULL);
  pages = STINT_PAGES (find_pages (&fixture));
  stint_pages_show_beside (pages, second);
  wait_until (stint_job_page_is_live (stint_pages_get_page (pages, 0)));
  wait_until (stint_job_page_is_live (stint_pages_get_page (pages, 1)));

  window_fixture_activate (&fixture, "win.overview");
  wait_until (find_pages (&fixture) == NULL);
  window_fixture_activate (&fixture, "win.focus-pane");
  g_assert_nonnull (get_focus (&fixture));
  g_assert_nonnull (gtk_widget_get_ancestor (get_focus (&fixture), STINT_TYPE_OVERVIEW));
  window_fixture_activate (&fixture, "win.next-page");
  g_assert_nonnull (get_focus (&fixture));
  window_fixture_activate (&fixture, "win.close-page");
  g_assert_cmpuint (stint_pages_get_n_pages (pages), ==, 2);
  window_fixture_tear_down (&fixture);
}

/* The bar acts on what is seen to be selected. */
static void
test_bar_has_what_is_selected (void)
{
  g_autoptr (StintJob) first = NULL;
  g_autoptr (StintJob) second = NULL;
  WindowFixture fixture;
  GtkWidget *list, *sidebar;

  window_fixture_set_up (&fixture, 1000);
  first = window_fixture_start (&fixture, STINT_JOB_KIND_SHELL, "true");
  second = window_fixture_start (&fixture, STINT_JOB_KIND_SHELL, "sleep 60");
  wait_until (stint_job_get_state (first) == STINT_JOB_FINISHED);
  wait_until (stint_job_get_state (second) == STINT_JOB_RUNNING);
  sidebar = window_fixture_find_type (GTK_WIDGET (fixture.window), STINT_TYPE_SIDEBAR);
  list = window_fixture_find_type (sidebar, GTK_TYPE_LIST_VIEW);
  gtk_widget_activate_action (list, "list.select-all", NULL);
  wait_until (window_fixture_find_text (sidebar, "2 jobs selected") != NULL);

  /* One goes, and the other alone needs no bar. */
  g_assert_true (stint_job_board_dismiss (fixture.board, first));
  wait_until (window_fixture_find_text (sidebar, "2 jobs selected") == NULL);

  /* What the filter hides is not selected any more. */
  g_object_unref (g_steal_pointer (&first));
  first = window_fixture_start (&fixture, STINT_JOB_KIND_SHELL, "sleep 61");
  wait_until (stint_job_get_state (first) == STINT_JOB_RUNNING);
  gtk_widget_activate_action (list, "list.select-all", NULL);
  wait_until (window_fixture_find_text (sidebar, "2 jobs selected") != NULL);
  window_fixture_activate (&fixture, "win.filter");
  gtk_editable_set_text (
      GTK_EDITABLE (window_fixture_find_type (sidebar, GTK_TYPE_SEARCH_ENTRY)), "no such job");
  wait_until (window_fixture_find_text (sidebar, "No job like that") != NULL);
  g_assert_null (window_fixture_find_text (sidebar, "2 jobs selected"));
  window_fixture_tear_down (&fixture);
}

/* Who types fast has Enter pressed before the entry says that it has changed. */
static void
test_enter_takes_what_was_typed (void)
{
  g_autoptr (StintJob) wanted = NULL;
  g_autoptr (StintJob) other = NULL;
  WindowFixture fixture;
  GtkWidget *entry, *sidebar;

  window_fixture_set_up (&fixture, 1000);
  wanted = window_fixture_start (&fixture, STINT_JOB_KIND_SHELL, "echo wanted; sleep 60");
  other = window_fixture_start (&fixture, STINT_JOB_KIND_SHELL, "sleep 60");
  wait_until (stint_job_get_state (wanted) == STINT_JOB_RUNNING);
  wait_until (stint_job_get_state (other) == STINT_JOB_RUNNING);
  sidebar = window_fixture_find_type (GTK_WIDGET (fixture.window), STINT_TYPE_SIDEBAR);
  window_fixture_activate (&fixture, "win.filter");
  wait_until (window_fixture_find_type (sidebar, GTK_TYPE_SEARCH_ENTRY) != NULL);
  entry = window_fixture_find_type (sidebar, GTK_TYPE_SEARCH_ENTRY);
  gtk_editable_set_text (GTK_EDITABLE (entry), "wanted");
  g_signal_emit_by_name (entry, "activate");
  g_assert_true (stint_sidebar_get_job (STINT_SIDEBAR (sidebar)) == wanted);
  window_fixture_tear_down (&fixture);
}

/* The same in the output: the hit of a shorter word that is shown is one of the longer. */
static void
test_enter_finds_what_was_typed (void)
{
  g_autoptr (StintJob) job = NULL;
  WindowFixture fixture;
  GtkWidget *entry, *window;

  window_fixture_set_up (&fixture, 1000);
  window = GTK_WIDGET (fixture.window);
  job = window_fixture_show (&fixture, STINT_JOB_KIND_SHELL, "echo ab; echo ab; sleep 60");
  fixture_wait_for_output (job, "ab\nab\n");
  wait_until (gtk_widget_activate_action (window, "shown-output.find", NULL));
  wait_until (window_fixture_find_type (window, GTK_TYPE_SEARCH_ENTRY) != NULL);
  entry = window_fixture_find_type (window, GTK_TYPE_SEARCH_ENTRY);
  gtk_editable_set_text (GTK_EDITABLE (entry), "a");
  wait_until (window_fixture_find_text (window, "1 of 2") != NULL);
  gtk_editable_set_text (GTK_EDITABLE (entry), "ab");
  g_signal_emit_by_name (entry, "activate");
  wait_until (window_fixture_find_text (window, "1 of 2") == NULL);
  wait_until (window_fixture_find_text (window, "1 of 2") != NULL);
  window_fixture_tear_down (&fixture);
}

/* A preset's key comes before the pane's: it must not be one of those. */
static void
test_keys_of_the_pane_are_no_presets (void)
{
  g_autofree char *directory = g_dir_make_tmp ("stint-test-XXXXXX", NULL);
  g_autoptr (StintPresets) presets = stint_presets_new (directory);
  GtkApplication *application = GTK_APPLICATION (window_fixture_get_application ());
  const char *const taken[] = { "<Control><Shift>c", "<Control><Shift>v", "<Control><Shift>Home" };

  for (guint i = 0; i < G_N_ELEMENTS (taken); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_false (stint_preset_actions_check_shortcut (application, presets, NULL, taken[i], &error));
      g_assert_error (error, STINT_ERROR, STINT_ERROR_INVALID);
    }
  g_assert_true (
      stint_preset_actions_check_shortcut (application, presets, NULL, "<Control><Shift>b", NULL));
  g_clear_object (&presets);
  g_rmdir (directory);
}

int
main (int argc, char **argv)
{
  window_fixture_init (&argc, &argv);

  g_test_add_func ("/app/window-actions/restart-twice-starts-one", test_restart_twice_starts_one);
  g_test_add_func ("/app/window-actions/hidden-page-gets-no-keys", test_hidden_page_gets_no_keys);
  g_test_add_func ("/app/window-actions/bar-has-what-is-selected", test_bar_has_what_is_selected);
  g_test_add_func ("/app/window-actions/enter-takes-what-was-typed", test_enter_takes_what_was_typed);
  g_test_add_func ("/app/window-actions/enter-finds-what-was-typed", test_enter_finds_what_was_typed);
  g_test_add_func ("/app/window-actions/keys-of-the-pane-are-no-presets",
                   test_keys_of_the_pane_are_no_presets);
  return window_fixture_run ();
}
