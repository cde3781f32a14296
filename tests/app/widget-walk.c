/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "widget-walk.h"

#include "window-fixture.h"

static gboolean
has_name (GtkWidget *widget)
{
  GtkAccessible *accessible = GTK_ACCESSIBLE (widget);

  /* GTK calls a button by its icon, if nobody else does. */
  if (GTK_IS_BUTTON (widget) && gtk_button_get_icon_name (GTK_BUTTON (widget)) != NULL)
    {
      g_autofree char *other = gtk_test_accessible_check_property (
          accessible, GTK_ACCESSIBLE_PROPERTY_LABEL, gtk_button_get_icon_name (GTK_BUTTON (widget)));

      return other != NULL &&
             gtk_test_accessible_has_property (accessible, GTK_ACCESSIBLE_PROPERTY_LABEL);
    }
  /* Labels are their own names, and what is in an entry or a menu button has that one's. */
  if (GTK_IS_LABEL (widget) ||
      gtk_test_accessible_has_property (accessible, GTK_ACCESSIBLE_PROPERTY_LABEL) ||
      gtk_test_accessible_has_relation (accessible, GTK_ACCESSIBLE_RELATION_LABELLED_BY))
    return TRUE;
  if (GTK_IS_TEXT (widget) && gtk_widget_get_ancestor (widget, ADW_TYPE_ENTRY_ROW) != NULL)
    return has_name (gtk_widget_get_ancestor (widget, ADW_TYPE_ENTRY_ROW));
  if (GTK_IS_TEXT (widget) || GTK_IS_MENU_BUTTON (gtk_widget_get_parent (widget)) ||
      GTK_IS_DROP_DOWN (gtk_widget_get_parent (widget)))
    return has_name (gtk_widget_get_parent (widget));
  return FALSE;
}

/* A drop-down and a combo row name themselves what they list. */
static gboolean
is_part_of (GtkWidget *widget, GType type)
{
  return !G_TYPE_CHECK_INSTANCE_TYPE (widget, type) &&
         gtk_widget_get_ancestor (widget, type) != NULL;
}

/* A scrolled window has the focus for what is in it, and an expander row's first row for all of it. */
static gboolean
is_gtks_own (GtkWidget *widget)
{
  return GTK_IS_SCROLLED_WINDOW (widget) || ADW_IS_EXPANDER_ROW (widget) ||
         (GTK_IS_LIST_BOX (widget) && is_part_of (widget, ADW_TYPE_EXPANDER_ROW)) ||
         is_part_of (widget, GTK_TYPE_DROP_DOWN) ||
         is_part_of (widget, ADW_TYPE_COMBO_ROW);
}

static void
walk (GtkWidget *widget, const char *view, GString *faults)
{
  if (!gtk_widget_get_mapped (widget))
    return;
  if (gtk_widget_get_focusable (widget) && gtk_widget_is_sensitive (widget) &&
      gtk_widget_get_can_focus (widget) && !is_gtks_own (widget) && !GTK_IS_WINDOW (widget) &&
      !GTK_IS_POPOVER (widget) &&
      gtk_widget_get_ancestor (widget, GTK_TYPE_WINDOW_CONTROLS) == NULL && !has_name (widget))
    g_string_append_printf (faults, "%s: %s (%s) has no name\n", view, G_OBJECT_TYPE_NAME (widget),
                            gtk_widget_get_css_name (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    walk (child, view, faults);
}

void
widget_walk (gpointer window, int width, const char *view, GString *faults)
{
  int minimum;

  walk (GTK_WIDGET (window), view, faults);
  if (width == 0)
    return;
  gtk_widget_measure (GTK_WIDGET (window), GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL,
                      NULL);
  if (minimum > NARROWEST + SHADOW)
    g_string_append_printf (faults, "%s: is %d wide at least\n", view, minimum);
  if (width == NARROWEST && gtk_widget_get_width (GTK_WIDGET (window)) > NARROWEST + SHADOW)
    g_string_append_printf (faults, "%s: is %d wide\n", view,
                            gtk_widget_get_width (GTK_WIDGET (window)));
}
