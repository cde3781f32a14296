/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The presets as buttons. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-preset-buttons.h"

#include "stint-units.h"

#include <adwaita.h>

#define NAME_CHARS 60
#define MAX_WIDTH_CHARS 24

static GtkWidget *
create_button (gpointer item, gpointer user_data)
{
  StintPreset *preset = STINT_PRESET (item);
  g_autofree char *name = stint_text_clean (stint_preset_get_name (preset), NAME_CHARS);
  g_autofree char *line = stint_job_spec_dup_command_line (stint_preset_get_spec (preset));
  g_autofree char *command = stint_text_clean (line, 2 * NAME_CHARS);
  GtkWidget *child = gtk_flow_box_child_new ();
  GtkWidget *button = gtk_button_new ();
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (name);

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (label), MAX_WIDTH_CHARS);
  gtk_box_append (GTK_BOX (content), gtk_image_new_from_icon_name (stint_preset_get_icon (preset)));
  gtk_box_append (GTK_BOX (content), label);
  gtk_widget_set_halign (content, GTK_ALIGN_CENTER);
  gtk_button_set_child (GTK_BUTTON (button), content);
  gtk_widget_set_tooltip_text (button, command);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "app.start-preset");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", stint_preset_get_id (preset));
  /* The button has the focus, not the place that it stands in. */
  gtk_widget_set_focusable (child, FALSE);
  gtk_flow_box_child_set_child (GTK_FLOW_BOX_CHILD (child), button);
  return child;
}

static void
update (GtkWidget *box, guint position, guint removed, guint added, GListModel *presets)
{
  gtk_widget_set_visible (box, g_list_model_get_n_items (presets) > 0);
}

GtkWidget *
stint_preset_buttons_new (StintPresets *presets)
{
  GtkWidget *box = gtk_flow_box_new ();

  g_return_val_if_fail (STINT_IS_PRESETS (presets), NULL);

  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (box), GTK_SELECTION_NONE);
  gtk_widget_set_hexpand (box, TRUE);
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (box), 4);
  gtk_flow_box_set_column_spacing (GTK_FLOW_BOX (box), 6);
  gtk_flow_box_set_row_spacing (GTK_FLOW_BOX (box), 6);
  gtk_flow_box_bind_model (GTK_FLOW_BOX (box), G_LIST_MODEL (presets), create_button, NULL, NULL);
  g_signal_connect_object (presets, "items-changed", G_CALLBACK (update), box, G_CONNECT_SWAPPED);
  update (box, 0, 0, 0, G_LIST_MODEL (presets));
  return box;
}
