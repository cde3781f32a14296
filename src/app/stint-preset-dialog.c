/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Names a preset. What it starts was decided before. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-preset-dialog.h"

#include "stint-field-note.h"
#include "stint-preset-actions.h"

#include <glib/gi18n.h>
#include <string.h>

struct _StintPresetDialog
{
  AdwWindow parent_instance;

  /* Template widgets */
  AdwEntryRow *name_row;
  StintFieldNote *name_note;
  AdwActionRow *shortcut_row;
  GtkWidget *clear_button;
  GtkToggleButton *listen_button;
  GtkFlowBox *icons;
  GtkWidget *save_button;

  /* Owned */
  StintPresets *presets;
  StintPreset *preset; /* (nullable) */
  StintJobSpec *spec;
  char *shortcut; /* (nullable) */
  const char *icon;
};

G_DEFINE_FINAL_TYPE (StintPresetDialog, stint_preset_dialog, ADW_TYPE_WINDOW)

static const struct
{
  const char *icon;
  const char *name;
} choices[] = {
  { STINT_PRESET_DEFAULT_ICON, N_ ("Start") },
  { "utilities-terminal-symbolic", N_ ("Terminal") },
  { "system-run-symbolic", N_ ("Gears") },
  { "emblem-system-symbolic", N_ ("Gear") },
  { "applications-engineering-symbolic", N_ ("Tools") },
  { "object-select-symbolic", N_ ("Check Mark") },
  { "edit-find-symbolic", N_ ("Magnifying Glass") },
  { "document-send-symbolic", N_ ("Send") },
  { "folder-symbolic", N_ ("Folder") },
  { "network-server-symbolic", N_ ("Server") },
  { "starred-symbolic", N_ ("Star") },
  { "view-refresh-symbolic", N_ ("Refresh") },
};

static gboolean
check_name (StintPresetDialog *self)
{
  const char *name = gtk_editable_get_text (GTK_EDITABLE (self->name_row));
  gboolean blank = name[strspn (name, " \t")] == '\0';

  stint_field_note_set_mistake (self->name_note, self->name_row,
                                blank ? _ ("Enter a name for the preset") : NULL);
  return !blank;
}

static void
on_name_changed (StintPresetDialog *self)
{
  if (self->presets != NULL)
    check_name (self);
}

static void
update_shortcut (StintPresetDialog *self, const char *mistake)
{
  g_autofree char *label = NULL;
  g_autofree char *escaped = NULL;

  if (gtk_toggle_button_get_active (self->listen_button))
    label = mistake != NULL ? g_strdup (mistake)
                            : g_strdup (_ ("Press the keys: Ctrl and Shift with another"));
  else if (self->shortcut != NULL)
    {
      guint key;
      GdkModifierType modifiers;

      gtk_accelerator_parse (self->shortcut, &key, &modifiers);
      label = gtk_accelerator_get_label (key, modifiers);
    }
  else
    label = g_strdup (_ ("None"));
  escaped = g_markup_escape_text (label, -1);
  adw_action_row_set_subtitle (self->shortcut_row, escaped);
  gtk_widget_set_visible (self->clear_button, self->shortcut != NULL);
}

static void
on_listen_toggled (StintPresetDialog *self)
{
  update_shortcut (self, NULL);
}

static void
on_clear_clicked (StintPresetDialog *self)
{
  g_clear_pointer (&self->shortcut, g_free);
  gtk_widget_grab_focus (GTK_WIDGET (self->listen_button));
  update_shortcut (self, NULL);
}

static gboolean
is_modifier (guint key)
{
  return (key >= GDK_KEY_Shift_L && key <= GDK_KEY_Hyper_R) || key == GDK_KEY_ISO_Level3_Shift;
}

/* While it listens, every key is for it but Escape and those that move on. */
static gboolean
on_key_pressed (StintPresetDialog *self, guint key, guint keycode, GdkModifierType state)
{
  GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask ();
  g_autofree char *shortcut = NULL;
  g_autoptr (GError) error = NULL;

  if (!gtk_toggle_button_get_active (self->listen_button))
    return GDK_EVENT_PROPAGATE;
  if (is_modifier (key))
    return GDK_EVENT_STOP;
  if (modifiers == 0 && (key == GDK_KEY_Tab || key == GDK_KEY_space || key == GDK_KEY_Return))
    return GDK_EVENT_PROPAGATE;
  if (modifiers == 0 && key == GDK_KEY_Escape)
    {
      gtk_toggle_button_set_active (self->listen_button, FALSE);
      return GDK_EVENT_STOP;
    }
  shortcut = gtk_accelerator_name (gdk_keyval_to_lower (key), modifiers);
  if (stint_preset_actions_check_shortcut (GTK_APPLICATION (g_application_get_default ()),
                                           self->presets, self->preset, shortcut, &error))
    {
      g_free (self->shortcut);
      self->shortcut = g_steal_pointer (&shortcut);
      gtk_toggle_button_set_active (self->listen_button, FALSE);
    }
  update_shortcut (self, error != NULL ? error->message : NULL);
  return GDK_EVENT_STOP;
}

static void
on_icon_toggled (GtkToggleButton *button, GParamSpec *pspec, StintPresetDialog *self)
{
  if (gtk_toggle_button_get_active (button))
    self->icon = gtk_button_get_icon_name (GTK_BUTTON (button));
}

static void
add_icons (StintPresetDialog *self, const char *chosen)
{
  GtkToggleButton *first = NULL;

  self->icon = STINT_PRESET_DEFAULT_ICON;
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    {
      GtkWidget *button = gtk_toggle_button_new ();
      GtkWidget *child = gtk_flow_box_child_new ();

      gtk_button_set_icon_name (GTK_BUTTON (button), choices[i].icon);
      gtk_widget_add_css_class (button, "flat");
      gtk_widget_set_tooltip_text (button, _ (choices[i].name));
      gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      _ (choices[i].name), -1);
      if (first == NULL)
        first = GTK_TOGGLE_BUTTON (button);
      else
        gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (button), first);
      g_signal_connect_object (button, "notify::active", G_CALLBACK (on_icon_toggled), self,
                               G_CONNECT_DEFAULT);
      if (i == 0 || g_strcmp0 (choices[i].icon, chosen) == 0)
        gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE);
      /* The button has the focus, not the place that it stands in. */
      gtk_widget_set_focusable (child, FALSE);
      gtk_flow_box_child_set_child (GTK_FLOW_BOX_CHILD (child), button);
      gtk_flow_box_insert (self->icons, child, -1);
    }
}

static void
on_save_clicked (StintPresetDialog *self)
{
  g_autofree char *name =
      g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->name_row))));
  g_autoptr (StintPreset) preset = NULL;

  if (!check_name (self))
    {
      gtk_widget_grab_focus (GTK_WIDGET (self->name_row));
      return;
    }
  preset = stint_preset_new (self->preset != NULL ? stint_preset_get_id (self->preset) : NULL, name,
                             self->icon, self->shortcut, self->spec);
  stint_presets_put (self->presets, preset);
  gtk_window_close (GTK_WINDOW (self));
}

static void
stint_preset_dialog_dispose (GObject *object)
{
  StintPresetDialog *self = STINT_PRESET_DIALOG (object);

  g_clear_object (&self->presets);
  g_clear_object (&self->preset);
  g_clear_object (&self->spec);
  g_clear_pointer (&self->shortcut, g_free);
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_PRESET_DIALOG);

  G_OBJECT_CLASS (stint_preset_dialog_parent_class)->dispose (object);
}

static void
stint_preset_dialog_class_init (StintPresetDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stint_preset_dialog_dispose;

  g_type_ensure (STINT_TYPE_FIELD_NOTE);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-preset-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, StintPresetDialog, name_row);
  gtk_widget_class_bind_template_child (widget_class, StintPresetDialog, name_note);
  gtk_widget_class_bind_template_child (widget_class, StintPresetDialog, shortcut_row);
  gtk_widget_class_bind_template_child (widget_class, StintPresetDialog, clear_button);
  gtk_widget_class_bind_template_child (widget_class, StintPresetDialog, listen_button);
  gtk_widget_class_bind_template_child (widget_class, StintPresetDialog, icons);
  gtk_widget_class_bind_template_child (widget_class, StintPresetDialog, save_button);
  gtk_widget_class_bind_template_callback (widget_class, on_name_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_listen_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_clear_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_save_clicked);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
stint_preset_dialog_init (StintPresetDialog *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_window_set_default_widget (GTK_WINDOW (self), self->save_button);
  /* Before the shortcuts of the application have them. */
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (on_key_pressed), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

StintPresetDialog *
stint_preset_dialog_new (GtkWindow *parent,
                         StintPresets *presets,
                         StintPreset *preset,
                         StintJobSpec *spec)
{
  StintPresetDialog *self;
  g_autofree char *title = NULL;

  g_return_val_if_fail (STINT_IS_PRESETS (presets), NULL);
  g_return_val_if_fail (STINT_IS_JOB_SPEC (spec), NULL);

  self = g_object_new (STINT_TYPE_PRESET_DIALOG, "transient-for", parent, NULL);
  title =
      preset != NULL ? g_strdup (stint_preset_get_name (preset)) : stint_job_spec_dup_title (spec);
  gtk_editable_set_text (GTK_EDITABLE (self->name_row), title);
  self->presets = g_object_ref (presets);
  self->preset = preset != NULL ? g_object_ref (preset) : NULL;
  self->spec = g_object_ref (spec);
  if (preset != NULL)
    self->shortcut = g_strdup (stint_preset_get_shortcut (preset));
  add_icons (self, preset != NULL ? stint_preset_get_icon (preset) : NULL);
  update_shortcut (self, NULL);
  gtk_widget_grab_focus (GTK_WIDGET (self->name_row));
  return self;
}
