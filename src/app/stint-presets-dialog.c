/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list of presets in which they are looked after. A button knows its preset, not its place. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-presets-dialog.h"

#include "stint-stack.h"
#include "stint-toast.h"
#include "stint-units.h"

#include <glib/gi18n.h>

#define NAME_CHARS 60
#define COMMAND_CHARS 120

struct _StintPresetsDialog
{
  AdwWindow parent_instance;

  /* Template widgets */
  AdwToastOverlay *toast_overlay;
  GtkStack *stack;
  GtkWidget *list_page;
  GtkListBox *list;
  GtkWidget *empty_page;

  /* Owned */
  StintPresets *presets;
};

G_DEFINE_FINAL_TYPE (StintPresetsDialog, stint_presets_dialog, ADW_TYPE_WINDOW)

enum
{
  EDIT,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* What a button and a toast hold. */
typedef struct
{
  StintPresetsDialog *dialog; /* unowned: it owns the widget */
  StintPreset *preset;
} Target;

static void
target_free (gpointer data, GClosure *closure)
{
  Target *target = data;

  g_object_unref (target->preset);
  g_free (target);
}

static Target *
target_new (StintPresetsDialog *dialog, StintPreset *preset)
{
  Target *target = g_new0 (Target, 1);

  target->dialog = dialog;
  target->preset = g_object_ref (preset);
  return target;
}

static void
on_undo (AdwToast *toast, gpointer user_data)
{
  Target *target = user_data;

  stint_presets_put (target->dialog->presets, target->preset);
}

/* The button goes with its row: the same button of the row that comes in its place has the focus, or of
 * the last one; without any, the window looks for itself. */
static void
focus_in_place (StintPresetsDialog *self, int index)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (self->list, index);

  if (row == NULL && index > 0)
    row = gtk_list_box_get_row_at_index (self->list, index - 1);
  if (row == NULL || !gtk_widget_child_focus (GTK_WIDGET (row), GTK_DIR_TAB_BACKWARD))
    gtk_widget_child_focus (GTK_WIDGET (self), GTK_DIR_TAB_FORWARD);
}

static void
on_remove_clicked (GtkButton *button, gpointer user_data)
{
  Target *target = user_data;
  StintPresetsDialog *self = target->dialog;
  GtkWidget *row = gtk_widget_get_ancestor (GTK_WIDGET (button), GTK_TYPE_LIST_BOX_ROW);
  int index = gtk_list_box_row_get_index (GTK_LIST_BOX_ROW (row));
  g_autoptr (StintPreset) preset = g_object_ref (target->preset);
  g_autofree char *name = stint_text_clean (stint_preset_get_name (preset), NAME_CHARS);
  g_autofree char *text = NULL;
  AdwToast *toast;

  /* Translators: %s is the name of a preset. */
  text = g_strdup_printf (_ ("“%s” removed"), name);
  toast = stint_toast_new (text);
  adw_toast_set_button_label (toast, _ ("_Undo"));
  adw_toast_set_timeout (toast, 10);
  g_signal_connect_data (toast, "button-clicked", G_CALLBACK (on_undo), target_new (self, preset),
                         target_free, 0);
  stint_presets_remove (self->presets, preset);
  focus_in_place (self, index);
  adw_toast_overlay_add_toast (self->toast_overlay, toast);
}

static void
on_edit_clicked (GtkButton *button, gpointer user_data)
{
  Target *target = user_data;
  StintPresetsDialog *self = target->dialog;
  g_autoptr (StintPreset) preset = g_object_ref (target->preset);

  g_signal_emit (self, signals[EDIT], 0, preset);
  gtk_window_close (GTK_WINDOW (self));
}

static void
on_start_clicked (GtkButton *button, gpointer user_data)
{
  Target *target = user_data;
  StintPresetsDialog *self = target->dialog;
  g_autoptr (StintPreset) preset = g_object_ref (target->preset);

  g_action_group_activate_action (G_ACTION_GROUP (g_application_get_default ()), "start-preset",
                                  g_variant_new_string (stint_preset_get_id (preset)));
  gtk_window_close (GTK_WINDOW (self));
}

static void
add_button (StintPresetsDialog *self,
            AdwActionRow *row,
            StintPreset *preset,
            const char *icon,
            const char *label,
            GCallback on_clicked)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  g_signal_connect_data (button, "clicked", on_clicked, target_new (self, preset), target_free, 0);
  adw_action_row_add_suffix (row, button);
}

static GtkWidget *
create_row (gpointer item, gpointer user_data)
{
  StintPresetsDialog *self = STINT_PRESETS_DIALOG (user_data);
  StintPreset *preset = STINT_PRESET (item);
  AdwActionRow *row = ADW_ACTION_ROW (adw_action_row_new ());
  g_autofree char *name = stint_text_clean (stint_preset_get_name (preset), NAME_CHARS);
  g_autofree char *line = stint_job_spec_dup_command_line (stint_preset_get_spec (preset));
  g_autofree char *command = stint_text_clean (line, COMMAND_CHARS);
  /* Translators: these are the names of buttons; %s is the name of a preset. */
  g_autofree char *start = g_strdup_printf (_ ("Start “%s”"), name);
  g_autofree char *edit = g_strdup_printf (_ ("Change “%s”"), name);
  g_autofree char *remove = g_strdup_printf (_ ("Remove “%s”"), name);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), name);
  adw_action_row_set_title_lines (row, 1);
  adw_action_row_set_subtitle (row, command);
  adw_action_row_set_subtitle_lines (row, 1);
  adw_action_row_set_icon_name (row, stint_preset_get_icon (preset));
  add_button (self, row, preset, "media-playback-start-symbolic", start,
              G_CALLBACK (on_start_clicked));
  add_button (self, row, preset, "document-edit-symbolic", edit, G_CALLBACK (on_edit_clicked));
  add_button (self, row, preset, "user-trash-symbolic", remove, G_CALLBACK (on_remove_clicked));
  return GTK_WIDGET (row);
}

static void
update (StintPresetsDialog *self)
{
  stint_stack_show (self->stack, g_list_model_get_n_items (G_LIST_MODEL (self->presets)) > 0
                                     ? self->list_page
                                     : self->empty_page);
}

static void
stint_presets_dialog_dispose (GObject *object)
{
  StintPresetsDialog *self = STINT_PRESETS_DIALOG (object);

  if (self->presets != NULL && self->list != NULL)
    gtk_list_box_bind_model (self->list, NULL, NULL, NULL, NULL);
  g_clear_object (&self->presets);
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_PRESETS_DIALOG);

  G_OBJECT_CLASS (stint_presets_dialog_parent_class)->dispose (object);
}

static void
stint_presets_dialog_class_init (StintPresetsDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stint_presets_dialog_dispose;

  signals[EDIT] = g_signal_new ("edit", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 1, STINT_TYPE_PRESET);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-presets-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, StintPresetsDialog, toast_overlay);
  gtk_widget_class_bind_template_child (widget_class, StintPresetsDialog, stack);
  gtk_widget_class_bind_template_child (widget_class, StintPresetsDialog, list_page);
  gtk_widget_class_bind_template_child (widget_class, StintPresetsDialog, list);
  gtk_widget_class_bind_template_child (widget_class, StintPresetsDialog, empty_page);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
stint_presets_dialog_init (StintPresetsDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

StintPresetsDialog *
stint_presets_dialog_new (GtkWindow *parent, StintPresets *presets)
{
  StintPresetsDialog *self;

  g_return_val_if_fail (STINT_IS_PRESETS (presets), NULL);

  self = g_object_new (STINT_TYPE_PRESETS_DIALOG, "transient-for", parent, NULL);
  self->presets = g_object_ref (presets);
  gtk_list_box_bind_model (self->list, G_LIST_MODEL (presets), create_row, self, NULL);
  g_signal_connect_object (presets, "items-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
  return self;
}
