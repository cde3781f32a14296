/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether all of a page can be seen: at twice the size of text, and from right to left.
 */
#include "stint-job-bar.h"
#include "stint-pane.h"

#include "window-fixture.h"

#define DPI (96 * 1024)
#define WIDE 1100

static void
set_text_scale (double scale)
{
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", (int) (DPI * scale), NULL);
}

/* A control that is on the screen in name only: a part of it is beyond the window's edge. */
static gboolean
is_cut_off (GtkWidget *widget, gpointer data)
{
  GtkWidget *window = data;
  graphene_rect_t bounds;

  return (GTK_IS_BUTTON (widget) || GTK_IS_MENU_BUTTON (widget)) && gtk_widget_get_mapped (widget) &&
         gtk_widget_compute_bounds (widget, window, &bounds) &&
         (bounds.origin.x < 0 ||
          bounds.origin.x + bounds.size.width > (float) gtk_widget_get_width (window));
}

static gboolean
is_named_terminate (GtkWidget *widget, gpointer data)
{
  return GTK_IS_BUTTON (widget) && gtk_widget_get_mapped (widget) &&
         g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), "_Terminate") == 0;
}

/* Waits until the page of a running job has been laid out. */
static StintJob *
show_running (WindowFixture *fixture)
{
  GtkWidget *window = GTK_WIDGET (fixture->window);
  StintJob *job = window_fixture_show (fixture, STINT_JOB_KIND_SHELL, "sleep 600");

  wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
  wait_until (window_fixture_find_type (window, STINT_TYPE_PANE) != NULL);
  wait_until (window_fixture_find (window, is_named_terminate, NULL) != NULL);
  return job;
}

static void
check_all_is_seen (int width, double scale)
{
  WindowFixture fixture;
  g_autoptr (StintJob) job = NULL;
  GtkWidget *window;

  set_text_scale (scale);
  window_fixture_set_up (&fixture, width);
  window = GTK_WIDGET (fixture.window);
  job = show_running (&fixture);
  wait_until (window_fixture_find (window, is_cut_off, window) == NULL);
  g_assert_cmpint (gtk_widget_get_width (window), <=, width + SHADOW);
  stint_job_kill (job);
  wait_until (stint_job_get_state (job) == STINT_JOB_FINISHED);
  wait_until (window_fixture_find (window, is_cut_off, window) == NULL);
  window_fixture_tear_down (&fixture);
  set_text_scale (1);
}

/* The words of an error leave room for the state beside both limits. */
static void
test_progress (void)
{
  WindowFixture fixture;
  g_autoptr (StintJob) job = NULL;
  GtkWidget *bar, *state;

  window_fixture_set_up (&fixture, WIDE);
  job = window_fixture_show (&fixture, STINT_JOB_KIND_SHELL,
                             "printf '\\033]9;4;2;80\\007'; sleep 600");
  bar = window_fixture_find_type (GTK_WIDGET (fixture.window), STINT_TYPE_JOB_BAR);
  g_assert_nonnull (bar);
  wait_until (window_fixture_find_text (bar, "Error at 80%") != NULL);
  state = window_fixture_find_text (bar, "Running");
  g_assert_nonnull (state);
  /* What it was given while the words were not there yet. */
  wait_until (gtk_widget_get_width (window_fixture_find_text (bar, "Error at 80%")) > 0);
  wait_until (!pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (state))));
  stint_job_kill (job);
  wait_until (stint_job_get_state (job) == STINT_JOB_FINISHED);
  window_fixture_tear_down (&fixture);
}

static void
test_wide (void)
{
  check_all_is_seen (WIDE, 1);
}

/* Large text folds the bar, as a narrow page does. */
static void
test_large_text (void)
{
  check_all_is_seen (WIDE, 2);
}

static void
test_large_text_narrow (void)
{
  check_all_is_seen (NARROWEST, 1.5);
  check_all_is_seen (NARROWEST, 2);
}

static void
test_right_to_left (void)
{
  gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
  check_all_is_seen (WIDE, 1);
  check_all_is_seen (NARROWEST, 1);
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

int
main (int argc, char **argv)
{
  window_fixture_init (&argc, &argv);

  g_test_add_func ("/layout/wide", test_wide);
  g_test_add_func ("/layout/progress", test_progress);
  g_test_add_func ("/layout/large-text", test_large_text);
  g_test_add_func ("/layout/large-text-narrow", test_large_text_narrow);
  g_test_add_func ("/layout/right-to-left", test_right_to_left);
  return window_fixture_run ();
}
