/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The window: the list at the left, the page of the selected job at the right. It asks for what the
 * user wants by signals; the application does it. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-window-private.h"

#include "stint-button-names.h"
#include "stint-ticker.h"

G_DEFINE_FINAL_TYPE (StintWindow, stint_window, ADW_TYPE_APPLICATION_WINDOW)

enum
{
  START,
  NEW_JOB_WANTED,
  CLOSE_WANTED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

void
stint_window_start (StintWindow *self, StintJobSpec *spec)
{
  g_signal_emit (self, signals[START], 0, spec);
}

/* After the first layout, and not within it: what is laid out must not change meanwhile. */
static gboolean
on_first_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  StintWindow *self = STINT_WINDOW (widget);

  if (gtk_widget_get_width (widget) == 0)
    return G_SOURCE_CONTINUE;
  self->has_size = TRUE;
  stint_window_update_folded (self);
  /* Else it is a job's command that has the focus. Where nothing is listed there is one thing to do, and
   * folded too it is what is seen. */
  if (g_list_model_get_n_items (G_LIST_MODEL (self->board)) == 0 &&
      stint_sidebar_get_place (self->sidebar) == STINT_PLACE_OVERVIEW)
    {
      stint_window_show_content (self);
      gtk_widget_grab_focus (GTK_WIDGET (self->overview));
    }
  else if (stint_window_get_focused_pane (self) == NULL)
    stint_sidebar_focus (self->sidebar);
  return G_SOURCE_REMOVE;
}

static gboolean
stint_window_close_request (GtkWindow *window)
{
  g_signal_emit (window, signals[CLOSE_WANTED], 0);
  return GDK_EVENT_STOP;
}

/* A window that is minimised stays mapped to its widgets. */
static void
update_suspended (GtkWidget *widget)
{
  GdkSurface *surface = gtk_native_get_surface (GTK_NATIVE (widget));

  stint_ticker_set_suspended (stint_ticker_get_default (),
                              (gdk_toplevel_get_state (GDK_TOPLEVEL (surface)) &
                               GDK_TOPLEVEL_STATE_MINIMIZED) != 0);
}

static void
stint_window_realize (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (stint_window_parent_class)->realize (widget);
  g_signal_connect_object (gtk_native_get_surface (GTK_NATIVE (widget)), "notify::state",
                           G_CALLBACK (update_suspended), widget, G_CONNECT_SWAPPED);
}

static void
stint_window_unrealize (GtkWidget *widget)
{
  stint_ticker_set_suspended (stint_ticker_get_default (), FALSE);
  GTK_WIDGET_CLASS (stint_window_parent_class)->unrealize (widget);
}

/* However it goes: closed, by Quit, or with the session. */
static void
stint_window_unmap (GtkWidget *widget)
{
  StintWindow *self = STINT_WINDOW (widget);
  int width, height;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  stint_settings_set_window (self->settings, width, height,
                             gtk_window_is_maximized (GTK_WINDOW (self)));

  GTK_WIDGET_CLASS (stint_window_parent_class)->unmap (widget);
}

static void
stint_window_dispose (GObject *object)
{
  StintWindow *self = STINT_WINDOW (object);

  g_clear_handle_id (&self->seen_id, g_source_remove);
  if (self->page_job_signals != NULL)
    g_signal_group_set_target (self->page_job_signals, NULL);
  g_clear_object (&self->page_job_signals);
  g_clear_weak_pointer (&self->new_job_dialog);
  g_clear_object (&self->presets);
  g_clear_object (&self->focus_job);
  g_clear_weak_pointer (&self->dismissed_toast);
  g_clear_pointer (&self->dismissed, g_ptr_array_unref);
  for (guint i = 0; self->looked_at != NULL && i < self->looked_at->len; i++)
    stint_job_entry_set_looked_at (self->looked_at->pdata[i], FALSE);
  g_clear_pointer (&self->looked_at, g_ptr_array_unref);
  g_clear_object (&self->board);
  g_clear_object (&self->jobs);
  g_clear_object (&self->settings);
  g_clear_weak_pointer (&self->problems_window);
  g_clear_object (&self->told);
  g_clear_object (&self->problems);

  G_OBJECT_CLASS (stint_window_parent_class)->dispose (object);
}

static void
stint_window_class_init (StintWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stint_window_dispose;
  widget_class->realize = stint_window_realize;
  widget_class->unrealize = stint_window_unrealize;
  widget_class->unmap = stint_window_unmap;
  GTK_WINDOW_CLASS (klass)->close_request = stint_window_close_request;

  signals[START] = g_signal_new ("start", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 1, STINT_TYPE_JOB_SPEC);
  signals[NEW_JOB_WANTED] =
      g_signal_new ("new-job-wanted", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[CLOSE_WANTED] =
      g_signal_new ("close-wanted", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new ("shown-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  g_type_ensure (STINT_TYPE_SIDEBAR);
  g_type_ensure (STINT_TYPE_OVERVIEW);
  g_type_ensure (STINT_TYPE_HISTORY_PAGE);
  g_type_ensure (STINT_TYPE_PAGES);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-window.ui");
  gtk_widget_class_bind_template_child (widget_class, StintWindow, toast_overlay);
  gtk_widget_class_bind_template_child (widget_class, StintWindow, leaflet);
  gtk_widget_class_bind_template_child (widget_class, StintWindow, sidebar_box);
  gtk_widget_class_bind_template_child (widget_class, StintWindow, content);
  gtk_widget_class_bind_template_child (widget_class, StintWindow, list_title);
  gtk_widget_class_bind_template_child (widget_class, StintWindow, menu_button);
  gtk_widget_class_bind_template_child (widget_class, StintWindow, sidebar);
  gtk_widget_class_bind_template_child (widget_class, StintWindow, page_title);
  gtk_widget_class_bind_template_child (widget_class, StintWindow, back_button);
  gtk_widget_class_bind_template_child (widget_class, StintWindow, content_stack);
  gtk_widget_class_bind_template_child (widget_class, StintWindow, overview);
  gtk_widget_class_bind_template_child (widget_class, StintWindow, history);
  gtk_widget_class_bind_template_child (widget_class, StintWindow, pages);
  stint_window_bind_list (widget_class);
  stint_window_bind_pages (widget_class);
  stint_window_install_actions (widget_class);
}

static void
stint_window_init (StintWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_add_tick_callback (GTK_WIDGET (self), on_first_frame, NULL, NULL);
  stint_window_set_up_starting (self);
}

static void
set_up_size (StintWindow *self)
{
  int width, height;
  gboolean maximized;

  stint_settings_get_window (self->settings, &width, &height, &maximized);
  gtk_window_set_default_size (GTK_WINDOW (self), width, height);
  if (maximized)
    gtk_window_maximize (GTK_WINDOW (self));
}

StintWindow *
stint_window_new (AdwApplication *application,
                  StintJobList *jobs,
                  StintJobBoard *board,
                  StintSettings *settings,
                  StintProblems *problems)
{
  StintWindow *self;

  g_return_val_if_fail (ADW_IS_APPLICATION (application), NULL);
  g_return_val_if_fail (STINT_IS_JOB_LIST (jobs), NULL);
  g_return_val_if_fail (STINT_IS_JOB_BOARD (board), NULL);
  g_return_val_if_fail (STINT_IS_SETTINGS (settings), NULL);
  g_return_val_if_fail (STINT_IS_PROBLEMS (problems), NULL);

  self = g_object_new (STINT_TYPE_WINDOW, "application", application, NULL);
  self->jobs = g_object_ref (jobs);
  self->board = g_object_ref (board);
  self->settings = g_object_ref (settings);
  self->problems = g_object_ref (problems);
  stint_button_names_watch_toasts (self->toast_overlay);
  stint_window_set_up_problems (self);
  stint_window_set_up_list (self);
  stint_window_set_up_pages (self);
  set_up_size (self);
  stint_window_update_folded (self);
  stint_sidebar_select_place (self->sidebar, STINT_PLACE_OVERVIEW);
  stint_window_show_selected (self);
  return self;
}

/* One that has been dismissed, or is of the history, comes back to the list. */
void
stint_window_show_job (StintWindow *self, StintJob *job)
{
  g_return_if_fail (STINT_IS_WINDOW (self));
  g_return_if_fail (STINT_IS_JOB (job));

  if (stint_job_board_find (self->board, job) == NULL)
    stint_job_board_add_finished (self->board, job, FALSE);
  g_set_object (&self->focus_job, job);
  if (stint_sidebar_select_job (self->sidebar, job))
    stint_window_show_content (self);
}

void
stint_window_show_list (StintWindow *self)
{
  g_return_if_fail (STINT_IS_WINDOW (self));

  adw_leaflet_set_visible_child (self->leaflet, self->sidebar_box);
}

void
stint_window_show_history (StintWindow *self, const char *search)
{
  g_return_if_fail (STINT_IS_WINDOW (self));

  gtk_widget_activate_action (GTK_WIDGET (self), "win.history", NULL);
  if (search != NULL)
    stint_history_page_search (self->history, search);
}

gboolean
stint_window_get_terminal_size (StintWindow *self, guint *columns, guint *rows)
{
  g_return_val_if_fail (STINT_IS_WINDOW (self), FALSE);

  return stint_job_page_get_terminal_size (stint_window_get_page (self), columns, rows);
}
