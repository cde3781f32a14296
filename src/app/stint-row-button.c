/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The button at the end of a row of a preferences group. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-row-button.h"

GtkWidget *
stint_row_button_new (const char *icon, const char *label)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  return button;
}
