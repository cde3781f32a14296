/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The content: the page of the selected job, and what its keys are. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-window-private.h"

#include "stint-job-text.h"
#include "stint-shortcuts.h"
#include "stint-stack.h"

#include <glib/gi18n.h>
#include <inttypes.h>

StintPane *
stint_window_get_focused_pane (StintWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  GtkWidget *pane = focus != NULL ? gtk_widget_get_ancestor (focus, STINT_TYPE_PANE) : NULL;

  return pane != NULL ? STINT_PANE (pane) : NULL;
}

/* While the program in the pane takes the keys, only those with Ctrl+Shift are ours. */
static void
update_shortcuts (StintWindow *self)
{
  StintPane *pane = stint_window_get_focused_pane (self);
  gboolean taken = pane != NULL && stint_pane_is_live (pane);
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));

  if (application != NULL)
    stint_shortcuts_apply (application, taken);
  gtk_menu_button_set_primary (self->menu_button, !taken);
}

static void
on_page_live (StintWindow *self)
{
  if (self->focus_job != NULL && stint_job_page_is_live (self->page) &&
      stint_job_page_get_job (self->page) == self->focus_job)
    {
      stint_job_page_focus_pane (self->page);
      g_clear_object (&self->focus_job);
    }
  update_shortcuts (self);
}

/* The command stands in the bar below; the title says what else there is to know. */
static void
update_page_title (StintWindow *self)
{
  StintJob *job = stint_job_page_get_job (self->page);
  StintJobSpec *spec = job != NULL ? stint_job_get_spec (job) : NULL;
  g_autofree char *kind =
      spec != NULL ? stint_job_text_dup_kind (stint_job_spec_get_kind (spec)) : NULL;
  g_autofree char *subtitle = NULL;

  /* Translators: the number of a job, as used on the command line. */
  if (job != NULL && stint_job_get_id (job) != 0)
    subtitle = g_strdup_printf (_ ("Job %" PRIu64), stint_job_get_id (job));
  if (spec != NULL && stint_job_spec_get_name (spec) != NULL)
    adw_window_title_set_title (self->page_title, stint_job_get_title (job));
  else
    adw_window_title_set_title (self->page_title, kind != NULL ? kind : "");
  adw_window_title_set_subtitle (self->page_title, subtitle != NULL ? subtitle : "");
}

/* Its menus and keys find them here, wherever the focus is. */
static void
on_output_actions (StintWindow *self)
{
  gtk_widget_insert_action_group (GTK_WIDGET (self), "output",
                                  stint_job_page_get_output_actions (self->page));
}

void
stint_window_show_page_of (StintWindow *self, StintJob *job)
{
  stint_job_page_set_job (self->page, job);
  g_signal_group_set_target (self->page_job_signals, job);
  stint_stack_show (self->content_stack,
                    job != NULL ? GTK_WIDGET (self->page) : self->content_empty);
  update_page_title (self);
  on_page_live (self);
}

/* Folded, moving through the list opens nothing; choosing does. */
void
stint_window_on_selection (StintWindow *self)
{
  if (adw_leaflet_get_folded (self->leaflet) &&
      adw_leaflet_get_visible_child (self->leaflet) == self->sidebar)
    return;
  stint_window_show_page_of (self, gtk_single_selection_get_selected_item (self->selection));
}

void
stint_window_show_content (StintWindow *self)
{
  stint_window_show_page_of (self, gtk_single_selection_get_selected_item (self->selection));
  adw_leaflet_set_visible_child (self->leaflet, self->content);
}

static void
on_row_activated (StintWindow *self, guint position)
{
  gtk_single_selection_set_selected (self->selection, position);
  stint_window_show_content (self);
  stint_job_page_focus_pane (self->page);
}

/* Before the window has a size nothing may make it wider than the narrowest. */
void
stint_window_update_narrow (StintWindow *self)
{
  g_object_set (self->page, "narrow", !self->has_size || adw_leaflet_get_folded (self->leaflet),
                NULL);
}

void
stint_window_update_folded (StintWindow *self)
{
  stint_window_update_narrow (self);
  gtk_list_view_set_single_click_activate (self->list_view, adw_leaflet_get_folded (self->leaflet));
  stint_window_on_selection (self);
}

void
stint_window_run_again (StintWindow *self, StintJob *job)
{
  g_autoptr (StintJobSpec) spec = stint_job_spec_copy (stint_job_get_spec (job));

  stint_window_start (self, spec);
}

static void
on_page_problem (StintWindow *self, StintJob *job, GError *error, StintJobPage *page)
{
  g_autofree char *title = NULL;

  /* Translators: %s is a job's name. */
  title = g_strdup_printf (_ ("A problem with “%s”"), stint_job_get_title (job));
  stint_problems_raise (self->problems, title, error);
}

void
stint_window_set_up_pages (StintWindow *self)
{
  g_signal_connect (self, "notify::focus-widget", G_CALLBACK (update_shortcuts), NULL);
  g_signal_connect_object (self->page, "notify::output-actions", G_CALLBACK (on_output_actions), self,
                           G_CONNECT_SWAPPED);
  self->page_job_signals = g_signal_group_new (STINT_TYPE_JOB);
  g_signal_group_connect_swapped (self->page_job_signals, "notify::id",
                                  G_CALLBACK (update_page_title), self);
}

void
stint_window_bind_pages (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_callback (widget_class, on_row_activated);
  gtk_widget_class_bind_template_callback (widget_class, stint_window_update_folded);
  gtk_widget_class_bind_template_callback (widget_class, stint_window_run_again);
  gtk_widget_class_bind_template_callback (widget_class, on_page_problem);
  gtk_widget_class_bind_template_callback (widget_class, on_page_live);
}
