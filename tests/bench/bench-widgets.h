/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looking for what is on the screen.
 */
#pragma once

#include <gtk/gtk.h>

/* Returns: (transfer none) (nullable): the first of @type below @widget that is mapped, or itself. */
static inline GtkWidget *
find_mapped (GtkWidget *widget, GType type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type) && gtk_widget_get_mapped (widget))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_mapped (child, type);

      if (found != NULL)
        return found;
    }
  return NULL;
}
