/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What GTK does when the pointer comes over an item of a list, and is better left. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-row-hover.h"

static void
ignore_on (GtkWidget *item)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (item);

  for (guint i = g_list_model_get_n_items (controllers); i > 0; i--)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i - 1);

      if (GTK_IS_EVENT_CONTROLLER_MOTION (controller))
        gtk_widget_remove_controller (item, controller);
    }
}

void
stint_row_hover_ignore (GtkWidget *row)
{
  GtkWidget *list = gtk_widget_get_ancestor (row, GTK_TYPE_LIST_VIEW);

  /* In a table it is a cell's child: the item is around all cells of its row. */
  for (GtkWidget *item = row; list != NULL && (item = gtk_widget_get_parent (item)) != list;)
    ignore_on (item);
}
