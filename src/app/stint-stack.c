/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Stacks whose hidden pages are hidden from everybody. */

#include "config.h"

#include "stint-stack.h"

void
stint_stack_show (GtkStack *stack, GtkWidget *child)
{
  g_return_if_fail (GTK_IS_STACK (stack));
  g_return_if_fail (gtk_widget_get_parent (child) == GTK_WIDGET (stack));

  gtk_widget_show (child);
  gtk_stack_set_visible_child (stack, child);
  for (GtkWidget *other = gtk_widget_get_first_child (GTK_WIDGET (stack)); other != NULL;
       other = gtk_widget_get_next_sibling (other))
    {
      if (other != child)
        gtk_widget_hide (other);
    }
}
