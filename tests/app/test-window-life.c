/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A window while one works in it: preferences count at once in what is shown already, and whatever comes
 * and goes, the keyboard has a place to be.
 */
#include "stint-palette.h"
#include "stint-pane.h"
#include "stint-terminal.h"

#include "window-fixture.h"

static VteTerminal *
find_terminal (WindowFixture *fixture)
{
  return VTE_TERMINAL (
      window_fixture_find_type (GTK_WIDGET (fixture->window), STINT_TYPE_TERMINAL));
}

static void
test_preferences_count_at_once (void)
{
  g_autoptr (GSettings) store = g_settings_new ("io.github.stint.Stint");
  g_autoptr (StintJob) job = NULL;
  g_autoptr (StintPalette) palette = NULL;
  AdwStyleManager *style = adw_style_manager_get_default ();
  WindowFixture fixture;
  VteTerminal *terminal;
  glong rows;

  window_fixture_set_up (&fixture, 1000);
  palette = stint_palette_new (fixture.settings);
  job = window_fixture_show (&fixture, STINT_JOB_KIND_TERMINAL, "echo said; cat");
  wait_until (window_fixture_find_type (GTK_WIDGET (fixture.window), STINT_TYPE_TERMINAL) != NULL);
  terminal = find_terminal (&fixture);

  rows = vte_terminal_get_scrollback_lines (terminal);
  g_settings_set_uint (store, "scrollback-lines", 20000);
  wait_until (vte_terminal_get_scrollback_lines (terminal) == rows + 10000);
  g_settings_set_int (store, "font-percent", 150);
  wait_until (vte_terminal_get_font_scale (terminal) == 1.5);
  g_settings_set_string (store, "font", "Monospace 17");
  wait_until (pango_font_description_get_size (vte_terminal_get_font (terminal)) ==
              17 * PANGO_SCALE);
  g_settings_set_string (store, "palette", "dark");
  wait_until (adw_style_manager_get_dark (style));
  g_settings_set_string (store, "palette", "light");
  wait_until (!adw_style_manager_get_dark (style));

  for (guint i = 0; i < 4; i++)
    g_settings_reset (store, ((const char *[]){ "scrollback-lines", "font-percent", "font",
                                                "palette" })[i]);
  wait_until (vte_terminal_get_font_scale (terminal) == 1);
  stint_job_kill (job);
  window_fixture_tear_down (&fixture);
}

/* Where a key goes: to something that is seen. */
static gboolean
has_focus (WindowFixture *fixture)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (fixture->window));

  return focus != NULL && gtk_widget_get_mapped (focus) && gtk_widget_is_sensitive (focus);
}

static gboolean
is_in_terminal (WindowFixture *fixture)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (fixture->window));

  return focus != NULL && STINT_IS_TERMINAL (focus);
}

static void
activate_and_look (WindowFixture *fixture, const char *action)
{
  window_fixture_activate (fixture, action);
  wait_until (has_focus (fixture));
}

static void
test_focus_is_never_lost (void)
{
  g_autoptr (StintJob) first = NULL;
  g_autoptr (StintJob) second = NULL;
  WindowFixture fixture;
  GtkWindow *dialog;

  window_fixture_set_up (&fixture, 1000);
  wait_until (has_focus (&fixture));
  first = window_fixture_show (&fixture, STINT_JOB_KIND_TERMINAL, "cat");
  wait_until (stint_job_get_state (first) == STINT_JOB_RUNNING);
  activate_and_look (&fixture, "win.focus-pane");
  wait_until (is_in_terminal (&fixture));

  /* The job ends under the fingers; another one takes its place. */
  stint_job_kill (first);
  wait_until (stint_job_get_state (first) == STINT_JOB_FINISHED);
  wait_until (has_focus (&fixture));
  second = window_fixture_show (&fixture, STINT_JOB_KIND_TERMINAL, "cat");
  wait_until (stint_job_get_state (second) == STINT_JOB_RUNNING);
  wait_until (has_focus (&fixture));

  activate_and_look (&fixture, "win.focus-list");
  activate_and_look (&fixture, "win.overview");
  activate_and_look (&fixture, "win.history");
  activate_and_look (&fixture, "win.focus-list");
  activate_and_look (&fixture, "win.filter");
  stint_window_show_job (fixture.window, second);
  activate_and_look (&fixture, "win.focus-pane");

  /* A dialog gives back what it took. */
  window_fixture_activate (&fixture, "win.new-job");
  wait_until (window_fixture_find_dialog (fixture.window) != NULL);
  dialog = window_fixture_find_dialog (fixture.window);
  gtk_window_destroy (dialog);
  wait_until (window_fixture_find_dialog (fixture.window) == NULL);
  wait_until (is_in_terminal (&fixture));

  stint_job_kill (second);
  wait_until (stint_job_get_state (second) == STINT_JOB_FINISHED);
  wait_until (has_focus (&fixture));
  window_fixture_tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  window_fixture_init (&argc, &argv);

  g_test_add_func ("/app/window-life/preferences-count-at-once", test_preferences_count_at_once);
  g_test_add_func ("/app/window-life/focus-is-never-lost", test_focus_is_never_lost);
  return window_fixture_run ();
}
