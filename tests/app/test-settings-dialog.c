/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The dialog of the settings: what is changed in it is set at once, what is wrong is said and not set,
 * and what is set elsewhere is shown. And the colours follow their setting.
 */
#include "config.h"

#include "stint-duration-row.h"
#include "stint-palette.h"
#include "stint-resources.h"
#include "stint-settings-dialog.h"

static GObject *
get_child (StintSettingsDialog *dialog, const char *name)
{
  GObject *child =
      gtk_widget_get_template_child (GTK_WIDGET (dialog), STINT_TYPE_SETTINGS_DIALOG, name);

  if (child == NULL)
    g_error ("the dialog has no %s", name);
  return child;
}

static void
write_text (StintSettingsDialog *dialog, const char *name, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (get_child (dialog, name)), text);
}

static guint
get_count (StintSettings *settings, const char *name)
{
  guint value;

  g_object_get (settings, name, &value, NULL);
  return value;
}

static void
test_switches_and_numbers (void)
{
  static const char *const switches[] = {
    "confirm-close", "background-on-close",   "inhibit-suspend",      "notify-finished",
    "notify-failed", "notify-needs-you", "notify-limit-warning", "wrap",
  };
  g_autoptr (StintSettings) settings = stint_settings_new ();
  StintSettingsDialog *dialog = stint_settings_dialog_new (NULL, settings);

  for (guint i = 0; i < G_N_ELEMENTS (switches); i++)
    {
      gboolean before, after;
      GtkSwitch *widget = GTK_SWITCH (get_child (dialog, switches[i]));

      g_object_get (settings, switches[i], &before, NULL);
      g_assert_cmpint (gtk_switch_get_active (widget), ==, before);
      gtk_switch_set_active (widget, !before);
      g_object_get (settings, switches[i], &after, NULL);
      g_assert_cmpint (after, ==, !before);
      g_object_set (settings, switches[i], before, NULL);
      g_assert_cmpint (gtk_switch_get_active (widget), ==, before);
    }
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (get_child (dialog, "max-running")), 3);
  g_assert_cmpuint (stint_settings_get_max_running (settings), ==, 3);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (get_child (dialog, "job-niceness")), 4);
  g_assert_cmpuint (stint_settings_get_job_niceness (settings), ==, 4);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (get_child (dialog, "history-days")), 7);
  g_assert_cmpuint (stint_settings_get_history_days (settings), ==, 7);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (get_child (dialog, "history-jobs")), 1000);
  g_assert_cmpuint (stint_settings_get_history_jobs (settings), ==, 1000);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (get_child (dialog, "history-megabytes")), 512);
  g_assert_cmpuint (stint_settings_get_history_bytes (settings), ==, 512 * (G_GUINT64_CONSTANT (1) << 20));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (get_child (dialog, "history-search-kib")), 64);
  g_assert_cmpuint (stint_settings_get_history_search_bytes (settings), ==, 64 * 1024);
  g_object_set (settings, "max-running", 0, "job-niceness", 19, "history-days", 90, "history-jobs", 0,
                "history-megabytes", 10240, "history-search-kib", 1024, NULL);
  gtk_window_destroy (GTK_WINDOW (dialog));
}

static void
test_durations (void)
{
  g_autoptr (StintSettings) settings = stint_settings_new ();
  StintSettingsDialog *dialog = stint_settings_dialog_new (NULL, settings);
  GtkEditable *row = GTK_EDITABLE (get_child (dialog, "agent-idle-seconds"));
  g_autoptr (StintFieldNote) note = NULL;

  g_object_get (row, "note", &note, NULL);
  g_assert_cmpstr (gtk_editable_get_text (row), ==, "10m");
  write_text (dialog, "agent-idle-seconds", "1h30m");
  g_assert_cmpuint (get_count (settings, "agent-idle-seconds"), ==, 5400);
  g_assert_cmpstr (gtk_editable_get_text (row), ==, "1h30m");
  g_assert_null (stint_field_note_get_mistake (note));

  /* As written it stays, and the setting as it was. */
  write_text (dialog, "agent-idle-seconds", "soon");
  g_assert_nonnull (stint_field_note_get_mistake (note));
  g_assert_cmpuint (get_count (settings, "agent-idle-seconds"), ==, 5400);
  write_text (dialog, "agent-idle-seconds", "400d");
  g_assert_nonnull (stint_field_note_get_mistake (note));
  g_assert_cmpuint (get_count (settings, "agent-idle-seconds"), ==, 5400);

  write_text (dialog, "agent-idle-seconds", "");
  g_assert_null (stint_field_note_get_mistake (note));
  g_assert_cmpuint (get_count (settings, "agent-idle-seconds"), ==, 0);
  write_text (dialog, "agent-idle-seconds", "250ms");
  g_assert_cmpuint (get_count (settings, "agent-idle-seconds"), ==, 1);

  g_object_set (settings, "agent-idle-seconds", 600, NULL);
  g_assert_cmpstr (gtk_editable_get_text (row), ==, "10m");
  gtk_window_destroy (GTK_WINDOW (dialog));
}

static void
test_paths (void)
{
  g_autoptr (StintSettings) settings = stint_settings_new ();
  StintSettingsDialog *dialog = stint_settings_dialog_new (NULL, settings);
  StintFieldNote *shell = STINT_FIELD_NOTE (get_child (dialog, "shell_row_note"));
  StintFieldNote *workspace = STINT_FIELD_NOTE (get_child (dialog, "workspace_row_note"));
  const char *const no_shells[] = { "bash", "/nonexistent/sh", "/tmp", "/etc/passwd" };
  const char *const no_directories[] = { "src", "/nonexistent/dir", "/dev/null" };

  for (guint i = 0; i < G_N_ELEMENTS (no_shells); i++)
    {
      write_text (dialog, "shell_row", no_shells[i]);
      g_assert_nonnull (stint_field_note_get_mistake (shell));
      g_assert_null (stint_settings_get_shell (settings));
    }
  write_text (dialog, "shell_row", " /bin/sh ");
  g_assert_null (stint_field_note_get_mistake (shell));
  g_assert_cmpstr (stint_settings_get_shell (settings), ==, "/bin/sh");

  for (guint i = 0; i < G_N_ELEMENTS (no_directories); i++)
    {
      write_text (dialog, "workspace_row", no_directories[i]);
      g_assert_nonnull (stint_field_note_get_mistake (workspace));
      g_assert_null (stint_settings_get_workspace (settings));
    }
  write_text (dialog, "workspace_row", "/tmp");
  g_assert_cmpstr (stint_settings_get_workspace (settings), ==, "/tmp");

  write_text (dialog, "workspace_row", "");
  write_text (dialog, "shell_row", "");
  g_assert_null (stint_settings_get_workspace (settings));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

static void
test_font (void)
{
  g_autoptr (StintSettings) settings = stint_settings_new ();
  StintSettingsDialog *dialog = stint_settings_dialog_new (NULL, settings);
  AdwActionRow *row = ADW_ACTION_ROW (get_child (dialog, "font_row"));
  GtkWidget *reset = GTK_WIDGET (get_child (dialog, "font_reset"));

  g_assert_false (gtk_widget_get_visible (reset));
  g_object_set (settings, "font", "Monospace 14", NULL);
  g_assert_cmpstr (adw_action_row_get_subtitle (row), ==, "Monospace 14");
  g_assert_true (gtk_widget_get_visible (reset));
  g_signal_emit_by_name (reset, "clicked");
  g_assert_null (stint_settings_get_font (settings));
  g_assert_false (gtk_widget_get_visible (reset));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

static void
test_colors (void)
{
  g_autoptr (StintSettings) settings = stint_settings_new ();
  StintSettingsDialog *dialog = stint_settings_dialog_new (NULL, settings);
  AdwComboRow *row = ADW_COMBO_ROW (get_child (dialog, "palette_row"));
  AdwStyleManager *manager = adw_style_manager_get_default ();
  g_autoptr (StintPalette) palette = stint_palette_new (settings);

  g_assert_cmpuint (adw_combo_row_get_selected (row), ==, 0);
  g_assert_cmpint (adw_style_manager_get_color_scheme (manager), ==, ADW_COLOR_SCHEME_DEFAULT);
  adw_combo_row_set_selected (row, 2);
  g_assert_cmpstr (stint_settings_get_palette (settings), ==, "dark");
  g_assert_true (adw_style_manager_get_dark (manager));
  adw_combo_row_set_selected (row, 1);
  g_assert_cmpstr (stint_settings_get_palette (settings), ==, "light");
  g_assert_false (adw_style_manager_get_dark (manager));
  adw_combo_row_set_selected (row, 3);
  g_assert_cmpstr (stint_settings_get_palette (settings), ==, "high-contrast");
  g_assert_cmpint (adw_style_manager_get_color_scheme (manager), ==, ADW_COLOR_SCHEME_DEFAULT);
  g_object_set (settings, "palette", "system", NULL);
  g_assert_cmpuint (adw_combo_row_get_selected (row), ==, 0);
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* On a telephone too, with every page shown once. */
static void
test_narrow (void)
{
  static const char *const pages[] = { "jobs", "limits", "notifications", "output" };
  g_autoptr (StintSettings) settings = stint_settings_new ();
  StintSettingsDialog *dialog = stint_settings_dialog_new (NULL, settings);

  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      int minimum;

      adw_preferences_window_set_visible_page_name (ADW_PREFERENCES_WINDOW (dialog), pages[i]);
      gtk_widget_measure (GTK_WIDGET (dialog), GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL,
                          NULL);
      /* And the shadow that a window without a window manager draws around itself. */
      g_assert_cmpint (minimum, <=, 360 + 20);
    }
  gtk_window_destroy (GTK_WINDOW (dialog));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  g_resources_register (stint_get_resource ());
  g_test_add_func ("/app/settings-dialog/switches-and-numbers", test_switches_and_numbers);
  g_test_add_func ("/app/settings-dialog/durations", test_durations);
  g_test_add_func ("/app/settings-dialog/paths", test_paths);
  g_test_add_func ("/app/settings-dialog/font", test_font);
  g_test_add_func ("/app/settings-dialog/colors", test_colors);
  g_test_add_func ("/app/settings-dialog/narrow", test_narrow);
  return g_test_run ();
}
