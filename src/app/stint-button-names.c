/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Some buttons of libadwaita 1.2 and GTK 4.8 have no name, so that a screen reader reads out that of their
 * icon. Here they get one. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-button-names.h"

#include <glib/gi18n.h>

static void
name_button (GtkButton *button, GParamSpec *pspec, const char *label)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

static void
free_label (gpointer label, GClosure *closure)
{
  g_free (label);
}

static gboolean
is_meant (GtkWidget *widget, const char *icon)
{
  const char *name = GTK_IS_BUTTON (widget) ? gtk_button_get_icon_name (GTK_BUTTON (widget)) : NULL;

  return name != NULL && (icon == NULL || g_str_equal (name, icon)) &&
         gtk_widget_get_ancestor (widget, GTK_TYPE_WINDOW_CONTROLS) == NULL;
}

void
stint_button_names_mend (GtkWidget *widget, const char *icon, const char *label)
{
  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (label != NULL);

  if (is_meant (widget, icon))
    {
      name_button (GTK_BUTTON (widget), NULL, label);
      /* Another icon takes it away again. */
      g_signal_connect_data (widget, "notify::icon-name", G_CALLBACK (name_button),
                             g_strdup (label), free_label, G_CONNECT_AFTER);
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    stint_button_names_mend (child, icon, label);
}

static void
on_children (GListModel *children, guint position, guint removed, guint added)
{
  for (guint i = position; i < position + added; i++)
    {
      g_autoptr (GtkWidget) child = g_list_model_get_item (children, i);

      /* What is not a toast stands in the overlay from the beginning. */
      stint_button_names_mend (child, "window-close-symbolic", _ ("Dismiss"));
    }
}

void
stint_button_names_watch_toasts (AdwToastOverlay *overlay)
{
  GListModel *children;

  g_return_if_fail (ADW_IS_TOAST_OVERLAY (overlay));

  children = gtk_widget_observe_children (GTK_WIDGET (overlay));
  g_signal_connect (children, "items-changed", G_CALLBACK (on_children), NULL);
  /* As long as the overlay is there. */
  g_object_set_data_full (G_OBJECT (overlay), "stint-children", children, g_object_unref);
}

GtkWidget *
stint_button_names_new_password_row (void)
{
  GtkWidget *row = adw_password_entry_row_new ();

  /* Translators: the name of a button in a field for a password. */
  stint_button_names_mend (row, NULL, _ ("Show or hide what is typed"));
  return row;
}
