/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What keys and menus ask the window for. Each acts on the job that is shown. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-window-private.h"

#include "stint-job.h"

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
  stint_window_focus_selected_row (self);
}

static void
focus_pane_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  StintWindow *self = STINT_WINDOW (widget);

  stint_window_show_content (self);
  stint_job_page_focus_pane (self->page);
}

static void
terminate_job_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  StintJob *job = stint_job_page_get_job (STINT_WINDOW (widget)->page);

  if (job != NULL)
    stint_job_terminate (job);
}

static void
kill_job_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  StintJob *job = stint_job_page_get_job (STINT_WINDOW (widget)->page);

  if (job != NULL)
    stint_job_kill (job);
}

static void
run_again_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  StintWindow *self = STINT_WINDOW (widget);
  StintJob *job = stint_job_page_get_job (self->page);

  if (job != NULL && stint_job_get_state (job) == STINT_JOB_FINISHED)
    stint_window_run_again (self, job);
}

void
stint_window_install_actions (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "win.new-job", NULL, new_job_action);
  gtk_widget_class_install_action (widget_class, "win.focus-list", NULL, focus_list_action);
  gtk_widget_class_install_action (widget_class, "win.focus-pane", NULL, focus_pane_action);
  gtk_widget_class_install_action (widget_class, "win.terminate-job", NULL, terminate_job_action);
  gtk_widget_class_install_action (widget_class, "win.kill-job", NULL, kill_job_action);
  gtk_widget_class_install_action (widget_class, "win.run-again", NULL, run_again_action);
}
