/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What keys and menus ask the window for. What is done with the job that is shown is in its group `shown`. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-window-private.h"

#include "stint-button-names.h"

#include <glib/gi18n.h>

/* Made when it is asked for: a widget for each key would hold up the first frame. */
static void
help_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  GtkApplicationWindow *window = GTK_APPLICATION_WINDOW (widget);
  GtkShortcutsWindow *help = gtk_application_window_get_help_overlay (window);

  if (help == NULL)
    {
      g_autoptr (GtkBuilder) builder =
          gtk_builder_new_from_resource ("/io/github/stint/Stint/help-overlay.ui");

      help = GTK_SHORTCUTS_WINDOW (gtk_builder_get_object (builder, "help_overlay"));
      gtk_application_window_set_help_overlay (window, help);
      stint_button_names_mend (GTK_WIDGET (help), "edit-find-symbolic", _ ("Search"));
    }
  gtk_window_present (GTK_WINDOW (help));
}

static void
new_job_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  stint_window_ask_new_job (STINT_WINDOW (widget), NULL);
}

static void
focus_list_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  StintWindow *self = STINT_WINDOW (widget);

  g_clear_object (&self->focus_job);
  stint_window_show_list (self);
  stint_sidebar_focus (self->sidebar);
}

static void
focus_pane_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  stint_window_focus_content (STINT_WINDOW (widget));
}

static void
filter_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  StintWindow *self = STINT_WINDOW (widget);

  stint_window_show_list (self);
  g_object_set (self->sidebar, "filtering", TRUE, NULL);
}

static void
show_place (StintWindow *self, StintPlace place)
{
  g_clear_object (&self->focus_job);
  stint_sidebar_select_place (self->sidebar, place);
  stint_window_show_content (self);
  gtk_widget_grab_focus (gtk_stack_get_visible_child (self->content_stack));
}

static void
overview_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  show_place (STINT_WINDOW (widget), STINT_PLACE_OVERVIEW);
}

static void
history_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  show_place (STINT_WINDOW (widget), STINT_PLACE_HISTORY);
}

static void
back_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  stint_window_go_back (STINT_WINDOW (widget));
}

/* To the page beside the current one, and from the last to the first. */
static void
next_page_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  StintWindow *self = STINT_WINDOW (widget);
  guint n_pages = stint_window_shows_pages (self) ? stint_pages_get_n_pages (self->pages) : 0;

  for (guint i = 0; i < n_pages; i++)
    {
      if (stint_pages_get_page (self->pages, i) == stint_window_get_page (self))
        {
          StintJobPage *next = stint_pages_get_page (self->pages, (i + 1) % n_pages);

          stint_pages_set_current (self->pages, next);
          stint_job_page_focus_pane (next);
          return;
        }
    }
}

static void
close_page_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  StintWindow *self = STINT_WINDOW (widget);

  if (stint_window_shows_pages (self))
    stint_pages_close (self->pages, stint_window_get_page (self));
}

void
stint_window_install_actions (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.show-help-overlay", NULL, help_action);
  gtk_widget_class_install_action (widget_class, "win.new-job", NULL, new_job_action);
  gtk_widget_class_install_action (widget_class, "win.focus-list", NULL, focus_list_action);
  gtk_widget_class_install_action (widget_class, "win.focus-pane", NULL, focus_pane_action);
  gtk_widget_class_install_action (widget_class, "win.filter", NULL, filter_action);
  gtk_widget_class_install_action (widget_class, "win.overview", NULL, overview_action);
  gtk_widget_class_install_action (widget_class, "win.history", NULL, history_action);
  gtk_widget_class_install_action (widget_class, "win.back", NULL, back_action);
  gtk_widget_class_install_action (widget_class, "win.next-page", NULL, next_page_action);
  gtk_widget_class_install_action (widget_class, "win.close-page", NULL, close_page_action);
}
