/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The window: the list at the left, the page of the selected job at the right. It asks for what the
 * user wants by signals; the application does it. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-window.h"

#include "stint-job-order.h"
#include "stint-job-page.h"
#include "stint-job-row.h"
#include "stint-job-text.h"
#include "stint-new-job-dialog.h"
#include "stint-pane.h"
#include "stint-problem-dialog.h"
#include "stint-shortcuts.h"
#include "stint-stack.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <inttypes.h>

struct _StintWindow
{
  AdwApplicationWindow parent_instance;

  /* Template widgets */
  AdwToastOverlay *toast_overlay;
  AdwLeaflet *leaflet;
  GtkWidget *sidebar;
  GtkWidget *content;
  AdwWindowTitle *list_title;
  GtkMenuButton *menu_button;
  GtkStack *list_stack;
  GtkWidget *list_empty;
  GtkWidget *list_scroller;
  GtkListView *list_view;
  AdwWindowTitle *page_title;
  GtkStack *content_stack;
  GtkWidget *content_empty;
  StintJobPage *page;

  /* Owned */
  StintJobList *jobs;
  StintSettings *settings;
  StintProblems *problems;
  StintJobOrder *order;
  GtkSingleSelection *selection;
  GSignalGroup *page_job_signals;
  StintJob *focus_job;       /* gets the focus when it can be typed into */
  GtkWindow *new_job_dialog; /* weak */
  gboolean has_size;
};

G_DEFINE_FINAL_TYPE (StintWindow, stint_window, ADW_TYPE_APPLICATION_WINDOW)

enum
{
  START,
  CLOSE_WANTED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
update_list (StintWindow *self)
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

static StintPane *
get_focused_pane (StintWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  GtkWidget *pane = focus != NULL ? gtk_widget_get_ancestor (focus, STINT_TYPE_PANE) : NULL;

  return pane != NULL ? STINT_PANE (pane) : NULL;
}

/* While the program in the pane takes the keys, only those with Ctrl+Shift are ours. */
static void
update_shortcuts (StintWindow *self)
{
  StintPane *pane = get_focused_pane (self);
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

static void
show_page_of (StintWindow *self, StintJob *job)
{
  stint_job_page_set_job (self->page, job);
  g_signal_group_set_target (self->page_job_signals, job);
  stint_stack_show (self->content_stack,
                    job != NULL ? GTK_WIDGET (self->page) : self->content_empty);
  update_page_title (self);
  on_page_live (self);
}

/* Folded, moving through the list opens nothing; choosing does. */
static void
on_selection_changed (StintWindow *self)
{
  if (adw_leaflet_get_folded (self->leaflet) &&
      adw_leaflet_get_visible_child (self->leaflet) == self->sidebar)
    return;
  show_page_of (self, gtk_single_selection_get_selected_item (self->selection));
}

static void
show_content (StintWindow *self)
{
  show_page_of (self, gtk_single_selection_get_selected_item (self->selection));
  adw_leaflet_set_visible_child (self->leaflet, self->content);
}

static void
on_row_activated (StintWindow *self, guint position)
{
  gtk_single_selection_set_selected (self->selection, position);
  show_content (self);
  stint_job_page_focus_pane (self->page);
}

/* Before the window has a size nothing may make it wider than the narrowest. */
static void
update_narrow (StintWindow *self)
{
  g_object_set (self->page, "narrow", !self->has_size || adw_leaflet_get_folded (self->leaflet),
                NULL);
}

/* GtkListView would give the focus to itself: it does not know what was selected by us. */
static void
focus_selected_row (StintWindow *self)
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

static void
on_folded (StintWindow *self)
{
  update_narrow (self);
  gtk_list_view_set_single_click_activate (self->list_view, adw_leaflet_get_folded (self->leaflet));
  on_selection_changed (self);
}

static void
on_run_again (StintWindow *self, StintJob *job)
{
  g_autoptr (StintJobSpec) spec = stint_job_spec_copy (stint_job_get_spec (job));

  g_signal_emit (self, signals[START], 0, spec);
}

static void
on_page_problem (StintWindow *self, StintJob *job, GError *error, StintJobPage *page)
{
  g_autofree char *title = NULL;

  /* Translators: %s is a job's name. */
  title = g_strdup_printf (_ ("A problem with “%s”"), stint_job_get_title (job));
  stint_problems_raise (self->problems, title, error);
}

static void
on_details_clicked (StintProblem *problem, AdwToast *toast)
{
  GtkApplication *application = GTK_APPLICATION (g_application_get_default ());

  stint_problem_dialog_present (problem, gtk_application_get_active_window (application));
}

static void
on_problem_raised (StintWindow *self, StintProblem *problem)
{
  g_autofree char *title = g_markup_escape_text (stint_problem_get_title (problem), -1);
  AdwToast *toast = adw_toast_new (title);

  adw_toast_set_timeout (toast, 0);
  adw_toast_set_button_label (toast, _ ("_Details"));
  g_signal_connect_data (toast, "button-clicked", G_CALLBACK (on_details_clicked),
                         g_object_ref (problem), (GClosureNotify) (void (*) (void)) g_object_unref,
                         G_CONNECT_SWAPPED);
  adw_toast_overlay_add_toast (self->toast_overlay, toast);
}

static void
on_dialog_start (StintWindow *self, StintJobSpec *spec)
{
  g_signal_emit (self, signals[START], 0, spec);
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
  focus_selected_row (self);
}

static void
focus_pane_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  StintWindow *self = STINT_WINDOW (widget);

  show_content (self);
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
    on_run_again (self, job);
}

/* After the first layout, and not within it: what is laid out must not change meanwhile. */
static gboolean
on_first_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  StintWindow *self = STINT_WINDOW (widget);

  if (gtk_widget_get_width (widget) == 0)
    return G_SOURCE_CONTINUE;
  self->has_size = TRUE;
  update_narrow (self);
  /* Else it is the command that has the focus. */
  if (get_focused_pane (self) == NULL)
    focus_selected_row (self);
  return G_SOURCE_REMOVE;
}

static gboolean
stint_window_close_request (GtkWindow *window)
{
  StintWindow *self = STINT_WINDOW (window);
  int width, height;

  gtk_window_get_default_size (window, &width, &height);
  stint_settings_set_window (self->settings, width, height, gtk_window_is_maximized (window));
  g_signal_emit (self, signals[CLOSE_WANTED], 0);
  return GDK_EVENT_STOP;
}

static void
stint_window_dispose (GObject *object)
{
  StintWindow *self = STINT_WINDOW (object);

  if (self->selection != NULL)
    g_signal_handlers_disconnect_by_data (self->selection, self);
  if (self->page_job_signals != NULL)
    g_signal_group_set_target (self->page_job_signals, NULL);
  g_clear_object (&self->page_job_signals);
  g_clear_weak_pointer (&self->new_job_dialog);
  g_clear_object (&self->focus_job);
  g_clear_object (&self->selection);
  g_clear_object (&self->order);
  g_clear_object (&self->jobs);
  g_clear_object (&self->settings);
  g_clear_object (&self->problems);

  G_OBJECT_CLASS (stint_window_parent_class)->dispose (object);
}

static void
stint_window_class_init (StintWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stint_window_dispose;
  GTK_WINDOW_CLASS (klass)->close_request = stint_window_close_request;

  signals[START] = g_signal_new ("start", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 1, STINT_TYPE_JOB_SPEC);
  signals[CLOSE_WANTED] =
      g_signal_new ("close-wanted", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  g_type_ensure (STINT_TYPE_JOB_PAGE);
  g_type_ensure (STINT_TYPE_JOB_ROW);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-window.ui");
  gtk_widget_class_bind_template_child (widget_class, StintWindow, toast_overlay);
  gtk_widget_class_bind_template_child (widget_class, StintWindow, leaflet);
  gtk_widget_class_bind_template_child (widget_class, StintWindow, sidebar);
  gtk_widget_class_bind_template_child (widget_class, StintWindow, content);
  gtk_widget_class_bind_template_child (widget_class, StintWindow, list_title);
  gtk_widget_class_bind_template_child (widget_class, StintWindow, menu_button);
  gtk_widget_class_bind_template_child (widget_class, StintWindow, list_stack);
  gtk_widget_class_bind_template_child (widget_class, StintWindow, list_empty);
  gtk_widget_class_bind_template_child (widget_class, StintWindow, list_scroller);
  gtk_widget_class_bind_template_child (widget_class, StintWindow, list_view);
  gtk_widget_class_bind_template_child (widget_class, StintWindow, page_title);
  gtk_widget_class_bind_template_child (widget_class, StintWindow, content_stack);
  gtk_widget_class_bind_template_child (widget_class, StintWindow, content_empty);
  gtk_widget_class_bind_template_child (widget_class, StintWindow, page);
  gtk_widget_class_bind_template_callback (widget_class, on_row_activated);
  gtk_widget_class_bind_template_callback (widget_class, on_folded);
  gtk_widget_class_bind_template_callback (widget_class, on_run_again);
  gtk_widget_class_bind_template_callback (widget_class, on_page_problem);
  gtk_widget_class_bind_template_callback (widget_class, on_page_live);

  gtk_widget_class_install_action (widget_class, "win.new-job", NULL, new_job_action);
  gtk_widget_class_install_action (widget_class, "win.focus-list", NULL, focus_list_action);
  gtk_widget_class_install_action (widget_class, "win.focus-pane", NULL, focus_pane_action);
  gtk_widget_class_install_action (widget_class, "win.terminate-job", NULL, terminate_job_action);
  gtk_widget_class_install_action (widget_class, "win.kill-job", NULL, kill_job_action);
  gtk_widget_class_install_action (widget_class, "win.run-again", NULL, run_again_action);
}

static void
stint_window_init (StintWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_add_tick_callback (GTK_WIDGET (self), on_first_frame, NULL, NULL);
  g_signal_connect (self, "notify::focus-widget", G_CALLBACK (update_shortcuts), NULL);
  g_signal_connect_object (self->page, "notify::output-actions", G_CALLBACK (on_output_actions), self,
                           G_CONNECT_SWAPPED);
  self->page_job_signals = g_signal_group_new (STINT_TYPE_JOB);
  g_signal_group_connect_swapped (self->page_job_signals, "notify::id",
                                  G_CALLBACK (update_page_title), self);
}

static void
set_up_list (StintWindow *self)
{
  self->order = stint_job_order_new (G_LIST_MODEL (self->jobs));
  self->selection =
      gtk_single_selection_new (g_object_ref (stint_job_order_get_model (self->order)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_list_view_set_model (self->list_view, GTK_SELECTION_MODEL (self->selection));

  g_signal_connect_swapped (self->selection, "notify::selected-item",
                            G_CALLBACK (on_selection_changed), self);
  g_signal_connect_swapped (self->selection, "items-changed", G_CALLBACK (update_list), self);
  g_signal_connect_object (self->jobs, "notify::n-active", G_CALLBACK (update_list), self,
                           G_CONNECT_SWAPPED);
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
                  StintSettings *settings,
                  StintProblems *problems)
{
  StintWindow *self;

  g_return_val_if_fail (ADW_IS_APPLICATION (application), NULL);
  g_return_val_if_fail (STINT_IS_JOB_LIST (jobs), NULL);
  g_return_val_if_fail (STINT_IS_SETTINGS (settings), NULL);
  g_return_val_if_fail (STINT_IS_PROBLEMS (problems), NULL);

  self = g_object_new (STINT_TYPE_WINDOW, "application", application, NULL);
  self->jobs = g_object_ref (jobs);
  self->settings = g_object_ref (settings);
  self->problems = g_object_ref (problems);
  stint_job_page_set_settings (self->page, settings);
  g_signal_connect_object (problems, "raised", G_CALLBACK (on_problem_raised), self,
                           G_CONNECT_SWAPPED);
  set_up_list (self);
  set_up_size (self);
  on_folded (self);
  update_list (self);
  show_page_of (self, gtk_single_selection_get_selected_item (self->selection));
  return self;
}

void
stint_window_show_job (StintWindow *self, StintJob *job)
{
  guint position;

  g_return_if_fail (STINT_IS_WINDOW (self));
  g_return_if_fail (STINT_IS_JOB (job));

  position = stint_job_order_find (self->order, job);
  if (position == GTK_INVALID_LIST_POSITION)
    return;
  g_set_object (&self->focus_job, job);
  gtk_single_selection_set_selected (self->selection, position);
  gtk_widget_activate_action (GTK_WIDGET (self->list_view), "list.scroll-to-item", "u", position);
  show_content (self);
}

void
stint_window_show_list (StintWindow *self)
{
  g_return_if_fail (STINT_IS_WINDOW (self));

  adw_leaflet_set_visible_child (self->leaflet, self->sidebar);
}

void
stint_window_ask_new_job (StintWindow *self, const char *directory)
{
  g_return_if_fail (STINT_IS_WINDOW (self));

  if (self->new_job_dialog == NULL)
    {
      StintNewJobDialog *dialog =
          stint_new_job_dialog_new (GTK_WINDOW (self), self->settings, directory);

      g_signal_connect_object (dialog, "start", G_CALLBACK (on_dialog_start), self,
                               G_CONNECT_SWAPPED);
      g_set_weak_pointer (&self->new_job_dialog, GTK_WINDOW (dialog));
    }
  gtk_window_present (self->new_job_dialog);
}

gboolean
stint_window_get_terminal_size (StintWindow *self, guint *columns, guint *rows)
{
  g_return_val_if_fail (STINT_IS_WINDOW (self), FALSE);

  return stint_job_page_get_terminal_size (self->page, columns, rows);
}
