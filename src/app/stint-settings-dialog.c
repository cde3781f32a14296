/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The settings, to be changed by a person. Widgets that are named like a setting in the .ui file are
 * bound to it; only what has to be checked or translated has code here. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-settings-dialog.h"

#include "stint-button-names.h"
#include "stint-duration-row.h"
#include "stint-error.h"
#include "stint-field-note.h"

#include <glib/gi18n.h>
#include <unistd.h>

struct _StintSettingsDialog
{
  AdwPreferencesWindow parent_instance;

  /* Template widgets */
  AdwEntryRow *workspace_row;
  StintFieldNote *workspace_row_note;
  AdwEntryRow *shell_row;
  StintFieldNote *shell_row_note;
  StintFieldNote *not_for_note;
  AdwActionRow *font_row;
  GtkWidget *font_reset;
  AdwComboRow *palette_row;

  /* Owned */
  StintSettings *settings;
  GtkWindow *font_chooser; /* weak */
};

G_DEFINE_FINAL_TYPE (StintSettingsDialog, stint_settings_dialog, ADW_TYPE_PREFERENCES_WINDOW)

enum
{
  CLEAR_HISTORY,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* A setting, the widget of that name, and which of the widget's properties holds it. */
static const struct
{
  const char *setting;
  const char *property;
} bound[] = {
  { "max-running", "value" },
  { "job-niceness", "value" },
  { "confirm-close", "active" },
  { "background-on-close", "active" },
  { "inhibit-suspend", "active" },
  { "shell-timeout-seconds", "seconds" },
  { "shell-idle-seconds", "seconds" },
  { "terminal-timeout-seconds", "seconds" },
  { "terminal-idle-seconds", "seconds" },
  { "agent-timeout-seconds", "seconds" },
  { "agent-idle-seconds", "seconds" },
  { "grace-seconds", "seconds" },
  { "notify-finished", "active" },
  { "notify-failed", "active" },
  { "notify-needs-you", "active" },
  { "notify-limit-warning", "active" },
  { "notify-min-duration", "seconds" },
  { "notify-not-for", "text" },
  { "font-percent", "value" },
  { "scrollback-lines", "value" },
  { "wrap", "active" },
  { "history-days", "value" },
  { "history-jobs", "value" },
  { "history-megabytes", "value" },
  { "history-search-kib", "value" },
};

/* In the order of the list in the .ui file. */
static const char *const palettes[] = { "system", "light", "dark", "high-contrast" };

static void
set_mistake (GError **error, const char *message)
{
  g_set_error_literal (error, STINT_ERROR, STINT_ERROR_INVALID, message);
}

gboolean
stint_settings_check_directory (const char *path, GError **error)
{
  g_return_val_if_fail (path != NULL, FALSE);

  if (*path == '\0')
    return TRUE;
  if (!g_path_is_absolute (path))
    set_mistake (error, _ ("Enter the whole path, from /"));
  else if (!g_file_test (path, G_FILE_TEST_EXISTS))
    set_mistake (error, _ ("There is no such directory"));
  else if (!g_file_test (path, G_FILE_TEST_IS_DIR))
    set_mistake (error, _ ("This is not a directory"));
  else if (access (path, X_OK) != 0)
    set_mistake (error, _ ("You may not enter this directory"));
  else
    return TRUE;
  return FALSE;
}

gboolean
stint_settings_check_shell (const char *path, GError **error)
{
  g_return_val_if_fail (path != NULL, FALSE);

  if (*path == '\0')
    return TRUE;
  if (!g_path_is_absolute (path))
    set_mistake (error, _ ("Enter the whole path of the shell, such as /bin/bash"));
  else if (!g_file_test (path, G_FILE_TEST_EXISTS))
    set_mistake (error, _ ("There is no such program"));
  else if (!g_file_test (path, G_FILE_TEST_IS_REGULAR) || access (path, X_OK) != 0)
    set_mistake (error, _ ("This is not a program that can be executed"));
  else
    return TRUE;
  return FALSE;
}

/* What is wrong is said, and the setting stays as it was. */
static void
take (StintSettingsDialog *self,
      AdwEntryRow *row,
      StintFieldNote *note,
      const char *setting,
      gboolean (*check) (const char *, GError **))
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (row))));
  g_autoptr (GError) error = NULL;

  if (self->settings == NULL)
    return;
  check (text, &error);
  stint_field_note_set_mistake (note, row, error != NULL ? error->message : NULL);
  if (error == NULL)
    g_object_set (self->settings, setting, text, NULL);
}

static void
on_workspace_changed (StintSettingsDialog *self)
{
  take (self, self->workspace_row, self->workspace_row_note, "workspace",
        stint_settings_check_directory);
}

static void
on_shell_changed (StintSettingsDialog *self)
{
  take (self, self->shell_row, self->shell_row_note, "shell", stint_settings_check_shell);
}

static void
update_font (StintSettingsDialog *self)
{
  const char *font = stint_settings_get_font (self->settings);

  adw_action_row_set_subtitle (self->font_row, font != NULL ? font : _ ("The system’s"));
  gtk_widget_set_visible (self->font_reset, font != NULL);
}

static void
on_reset_font (StintSettingsDialog *self)
{
  g_object_set (self->settings, "font", "", NULL);
}

static void
on_font_chosen (StintSettingsDialog *self, int response, GtkFontChooser *chooser)
{
  g_autofree char *font = NULL;

  if (response == GTK_RESPONSE_OK || response == GTK_RESPONSE_APPLY)
    font = gtk_font_chooser_get_font (chooser);
  if (font != NULL)
    g_object_set (self->settings, "font", font, NULL);
  gtk_window_destroy (GTK_WINDOW (chooser));
}

static gboolean
is_monospace (const PangoFontFamily *family, const PangoFontFace *face, gpointer user_data)
{
  return pango_font_family_is_monospace ((PangoFontFamily *) family);
}

static void
on_choose_font (StintSettingsDialog *self)
{
  const char *font = stint_settings_get_font (self->settings);
  GtkWidget *chooser;

  if (self->font_chooser != NULL)
    {
      gtk_window_present (self->font_chooser);
      return;
    }
  chooser = gtk_font_chooser_dialog_new (_ ("Font of the Output"), GTK_WINDOW (self));
  gtk_window_set_modal (GTK_WINDOW (chooser), TRUE);
  gtk_font_chooser_set_filter_func (GTK_FONT_CHOOSER (chooser), is_monospace, NULL, NULL);
  gtk_font_chooser_set_font (GTK_FONT_CHOOSER (chooser), font != NULL ? font : "Monospace 11");
  g_signal_connect_object (chooser, "response", G_CALLBACK (on_font_chosen), self,
                           G_CONNECT_SWAPPED);
  g_set_weak_pointer (&self->font_chooser, GTK_WINDOW (chooser));
  gtk_window_present (GTK_WINDOW (chooser));
}

static gboolean
palette_to_position (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  const char *name = g_value_get_string (from);

  for (guint i = 0; i < G_N_ELEMENTS (palettes); i++)
    if (g_strcmp0 (name, palettes[i]) == 0)
      {
        g_value_set_uint (to, i);
        return TRUE;
      }
  g_value_set_uint (to, 0);
  return TRUE;
}

static gboolean
palette_from_position (GBinding *binding, const GValue *from, GValue *to, gpointer user_data)
{
  guint position = g_value_get_uint (from);

  if (position >= G_N_ELEMENTS (palettes))
    return FALSE;
  g_value_set_static_string (to, palettes[position]);
  return TRUE;
}

static void
on_clear_history (StintSettingsDialog *self)
{
  g_signal_emit (self, signals[CLEAR_HISTORY], 0);
}

static void
stint_settings_dialog_dispose (GObject *object)
{
  StintSettingsDialog *self = STINT_SETTINGS_DIALOG (object);

  g_clear_weak_pointer (&self->font_chooser);
  g_clear_object (&self->settings);

  G_OBJECT_CLASS (stint_settings_dialog_parent_class)->dispose (object);
}

static void
stint_settings_dialog_class_init (StintSettingsDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stint_settings_dialog_dispose;

  signals[CLEAR_HISTORY] = g_signal_new ("clear-history", G_TYPE_FROM_CLASS (klass),
                                         G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  g_type_ensure (STINT_TYPE_DURATION_ROW);
  g_type_ensure (STINT_TYPE_FIELD_NOTE);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-settings-dialog.ui");
  for (guint i = 0; i < G_N_ELEMENTS (bound); i++)
    gtk_widget_class_bind_template_child_full (widget_class, bound[i].setting, FALSE, 0);
  gtk_widget_class_bind_template_child (widget_class, StintSettingsDialog, workspace_row);
  gtk_widget_class_bind_template_child (widget_class, StintSettingsDialog, workspace_row_note);
  gtk_widget_class_bind_template_child (widget_class, StintSettingsDialog, shell_row);
  gtk_widget_class_bind_template_child (widget_class, StintSettingsDialog, shell_row_note);
  gtk_widget_class_bind_template_child (widget_class, StintSettingsDialog, not_for_note);
  gtk_widget_class_bind_template_child (widget_class, StintSettingsDialog, font_row);
  gtk_widget_class_bind_template_child (widget_class, StintSettingsDialog, font_reset);
  gtk_widget_class_bind_template_child (widget_class, StintSettingsDialog, palette_row);
  gtk_widget_class_bind_template_callback (widget_class, on_workspace_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_shell_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_reset_font);
  gtk_widget_class_bind_template_callback (widget_class, on_choose_font);
  gtk_widget_class_bind_template_callback (widget_class, on_clear_history);
}

static void
stint_settings_dialog_init (StintSettingsDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  stint_button_names_mend (GTK_WIDGET (self), "edit-find-symbolic", _ ("Search"));
  stint_field_note_set_hint (self->workspace_row_note, _ ("Empty: your home directory"));
  stint_field_note_set_hint (self->shell_row_note, _ ("Empty: /bin/sh"));
  stint_field_note_set_hint (self->not_for_note, _ ("Names of commands or jobs, such as “ssh top”"));
}

static void
set_text (AdwEntryRow *row, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (row), text != NULL ? text : "");
}

StintSettingsDialog *
stint_settings_dialog_new (GtkWindow *parent, StintSettings *settings)
{
  StintSettingsDialog *self;

  g_return_val_if_fail (parent == NULL || GTK_IS_WINDOW (parent), NULL);
  g_return_val_if_fail (STINT_IS_SETTINGS (settings), NULL);

  self = g_object_new (STINT_TYPE_SETTINGS_DIALOG, "transient-for", parent, NULL);
  set_text (self->workspace_row, stint_settings_get_workspace (settings));
  set_text (self->shell_row, stint_settings_get_shell (settings));
  self->settings = g_object_ref (settings);
  for (guint i = 0; i < G_N_ELEMENTS (bound); i++)
    {
      GObject *widget = gtk_widget_get_template_child (
          GTK_WIDGET (self), STINT_TYPE_SETTINGS_DIALOG, bound[i].setting);

      g_object_bind_property (settings, bound[i].setting, widget, bound[i].property,
                              G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
    }
  g_object_bind_property_full (settings, "palette", self->palette_row, "selected",
                               G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL, palette_to_position,
                               palette_from_position, NULL, NULL);
  g_signal_connect_object (settings, "notify::font", G_CALLBACK (update_font), self,
                           G_CONNECT_SWAPPED);
  update_font (self);
  return self;
}
