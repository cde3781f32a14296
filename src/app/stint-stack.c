/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stacks whose hidden pages are hidden from everybody. */

#include "config.h"

#include "stint-stack.h"

/* GTK 4.8 never lets go of a widget that is hidden while it has the focus. */
static void
drop_focus (GtkStack *stack, GtkWidget *child)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (stack));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (stack)) && focus != child &&
      !gtk_widget_is_ancestor (focus, child))
    gtk_root_set_focus (root, NULL);
}

void
stint_stack_show (GtkStack *stack, GtkWidget *child)
{
  g_return_if_fail (GTK_IS_STACK (stack));
  g_return_if_fail (gtk_widget_get_parent (child) == GTK_WIDGET (stack));

  drop_focus (stack, child);
  gtk_widget_show (child);
  gtk_stack_set_visible_child (stack, child);
  for (GtkWidget *other = gtk_widget_get_first_child (GTK_WIDGET (stack)); other != NULL;
       other = gtk_widget_get_next_sibling (other))
    {
      if (other != child)
        gtk_widget_hide (other);
    }
}
