/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The sidebar: the list of the jobs, and which of them is selected. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-window-private.h"

#include "stint-job-row.h"
#include "stint-stack.h"

#include <glib/gi18n.h>

void
stint_window_update_list (StintWindow *self)
{
  guint n_jobs = g_list_model_get_n_items (G_LIST_MODEL (self->selection));
  guint n_active = stint_job_list_get_n_active (self->jobs);
  g_autofree char *subtitle = NULL;

  if (n_active > 0)
    subtitle = g_strdup_printf (ngettext ("%u running", "%u running", n_active), n_active);
  adw_window_title_set_subtitle (self->list_title, subtitle != NULL ? subtitle : "");
  stint_stack_show (self->list_stack, n_jobs > 0 ? self->list_scroller : self->list_empty);
  if (n_jobs > 0 &&
      gtk_single_selection_get_selected (self->selection) == GTK_INVALID_LIST_POSITION)
    gtk_single_selection_set_selected (self->selection, 0);
}

/* GtkListView would give the focus to itself: it does not know what was selected by us. */
void
stint_window_focus_selected_row (StintWindow *self)
{
  StintJob *selected = gtk_single_selection_get_selected_item (self->selection);

  for (GtkWidget *item = gtk_widget_get_first_child (GTK_WIDGET (self->list_view)); item != NULL;
       item = gtk_widget_get_next_sibling (item))
    {
      GtkWidget *row = gtk_widget_get_first_child (item);

      if (STINT_IS_JOB_ROW (row) && stint_job_row_get_job (STINT_JOB_ROW (row)) == selected &&
          gtk_widget_grab_focus (item))
        return;
    }
  gtk_widget_grab_focus (GTK_WIDGET (self->list_view));
}

void
stint_window_set_up_list (StintWindow *self)
{
  self->order = stint_job_order_new (G_LIST_MODEL (self->jobs));
  self->selection =
      gtk_single_selection_new (g_object_ref (stint_job_order_get_model (self->order)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_list_view_set_model (self->list_view, GTK_SELECTION_MODEL (self->selection));

  g_signal_connect_swapped (self->selection, "notify::selected-item",
                            G_CALLBACK (stint_window_on_selection), self);
  g_signal_connect_swapped (self->selection, "items-changed", G_CALLBACK (stint_window_update_list), self);
  g_signal_connect_object (self->jobs, "notify::n-active", G_CALLBACK (stint_window_update_list), self,
                           G_CONNECT_SWAPPED);
}
