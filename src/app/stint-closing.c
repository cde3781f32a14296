/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From "close" to "closed": the question, the waiting, and what is said if something did not end or
 * could not be saved. The ending itself is StintShutdown's. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-closing.h"

#include "stint-ending-dialog.h"
#include "stint-job-text.h"
#include "stint-units.h"

#include <glib/gi18n.h>

/* A shutdown that is faster than this needs no dialog. */
#define SHOW_AFTER_MSEC 250

#define MOST_LISTED 8
#define TITLE_CHARS 60

struct _StintClosing
{
  GObject parent_instance;

  StintJobList *jobs;
  StintShutdown *shutdown;
  StintSettings *settings;
  GtkWindow *window; /* weak */

  AdwMessageDialog *question; /* weak */
  GtkCheckButton *remember;   /* of the question */
  GPtrArray *asked_about;     /* of StintJob: what the open question is about */
  GPtrArray *asked_labels;    /* of GtkLabel: of the first of them, which it lists */
  StintEndingDialog *ending;  /* weak */
  guint show_id;
  guint background_id;
  gboolean by_user; /* and not by a signal: there is somebody to tell */
  GError *error;
};

G_DEFINE_FINAL_TYPE (StintClosing, stint_closing, G_TYPE_OBJECT)

enum
{
  BACKGROUND,
  DONE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void ask (StintClosing *self);

static void
close_ending (StintClosing *self)
{
  g_clear_handle_id (&self->show_id, g_source_remove);
  if (self->ending != NULL)
    gtk_window_destroy (GTK_WINDOW (self->ending));
}

static void
finish (StintClosing *self)
{
  g_signal_emit (self, signals[DONE], 0, self->error);
}

/* The window goes when this has been read. */
static void
tell_error (StintClosing *self)
{
  GtkWidget *dialog =
      adw_message_dialog_new (self->window, _ ("Not Everything Ended Well"), self->error->message);

  gtk_window_set_title (GTK_WINDOW (dialog), _ ("Not Everything Ended Well"));
  adw_message_dialog_add_response (ADW_MESSAGE_DIALOG (dialog), "quit", _ ("_Quit"));
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "quit");
  g_signal_connect_object (dialog, "response", G_CALLBACK (finish), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_shutdown_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintClosing) self = STINT_CLOSING (user_data);

  stint_shutdown_wait_finish (STINT_SHUTDOWN (source), result, &self->error);
  close_ending (self);
  if (self->error != NULL)
    g_printerr ("stint: %s\n", self->error->message);
  if (self->error != NULL && self->by_user && self->window != NULL)
    tell_error (self);
  else
    finish (self);
}

static void
on_hurry (StintClosing *self)
{
  stint_shutdown_stop_now (self->shutdown);
}

static gboolean
on_show_ending (gpointer user_data)
{
  StintClosing *self = STINT_CLOSING (user_data);

  self->show_id = 0;
  if (self->window == NULL || self->ending != NULL)
    return G_SOURCE_REMOVE;
  g_set_weak_pointer (&self->ending, stint_ending_dialog_new (self->window, self->jobs));
  g_signal_connect_object (self->ending, "hurry", G_CALLBACK (on_hurry), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (self->ending));
  return G_SOURCE_REMOVE;
}

static void
on_begun (StintClosing *self)
{
  AdwMessageDialog *question = self->question;

  /* What ends from now on is no longer asked about. */
  g_clear_weak_pointer (&self->question);
  if (question != NULL)
    gtk_window_destroy (GTK_WINDOW (question));
  self->show_id = g_timeout_add (SHOW_AFTER_MSEC, on_show_ending, self);
  stint_shutdown_wait_async (self->shutdown, on_shutdown_done, g_object_ref (self));
}

static void
on_progress (StintClosing *self)
{
  if (self->ending != NULL)
    stint_ending_dialog_update (self->ending);
}

/* (transfer full): those that end with Stint. */
static GPtrArray *
dup_active (StintClosing *self)
{
  GPtrArray *active = stint_job_list_dup_active (self->jobs);

  for (guint i = active->len; i > 0; i--)
    {
      if (stint_job_get_detached (active->pdata[i - 1]))
        g_ptr_array_remove_index (active, i - 1);
    }
  return active;
}

/* Whether a job has come since the question was asked. */
static gboolean
is_out_of_date (StintClosing *self)
{
  g_autoptr (GPtrArray) active = dup_active (self);

  for (guint i = 0; i < active->len; i++)
    {
      if (!g_ptr_array_find (self->asked_about, active->pdata[i], NULL))
        return TRUE;
    }
  return FALSE;
}

static void
remember (StintClosing *self, gboolean background)
{
  if (!gtk_check_button_get_active (self->remember))
    return;
  g_object_set (self->settings, "confirm-close", FALSE, "background-on-close", background, NULL);
}

static void
on_background (gpointer user_data)
{
  StintClosing *self = STINT_CLOSING (user_data);

  self->background_id = 0;
  g_signal_emit (self, signals[BACKGROUND], 0);
}

static void
on_answer (StintClosing *self, const char *response)
{
  gboolean background = g_strcmp0 (response, "background") == 0;

  g_clear_weak_pointer (&self->question);
  if (!background && g_strcmp0 (response, "stop") != 0)
    return;
  remember (self, background);
  /* The window goes with its dialogs: not while one of them answers. */
  if (background)
    self->background_id = g_idle_add_once (on_background, self);
  else if (is_out_of_date (self))
    ask (self);
  else
    stint_shutdown_begin (self->shutdown, "window closed");
}

static GtkWidget *
new_row (const char *text)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), label);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  return row;
}

static GtkWidget *new_job_list (StintClosing *self, GPtrArray *active);

static GtkWidget *
new_question_body (StintClosing *self, GPtrArray *active)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *check = gtk_check_button_new ();
  GtkWidget *label = gtk_label_new_with_mnemonic (_ ("_Remember this, and do not ask again"));

  /* Its own label does not wrap: with large text the dialog would be wider than the screen. */
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), check);
  gtk_check_button_set_child (GTK_CHECK_BUTTON (check), label);
  gtk_accessible_update_relation (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_RELATION_LABELLED_BY, label,
                                  NULL, -1);
  self->remember = GTK_CHECK_BUTTON (check);
  gtk_box_append (GTK_BOX (box), new_job_list (self, active));
  gtk_box_append (GTK_BOX (box), check);
  return box;
}

static GtkWidget *
new_job_list (StintClosing *self, GPtrArray *active)
{
  GtkWidget *list = gtk_list_box_new ();
  guint n_listed = active->len > MOST_LISTED ? MOST_LISTED - 1 : active->len;

  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  gtk_widget_add_css_class (list, "job-names");
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Running jobs"), -1);
  g_clear_pointer (&self->asked_labels, g_ptr_array_unref);
  self->asked_labels = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < n_listed; i++)
    {
      g_autofree char *title =
          stint_text_clean (stint_job_get_title (active->pdata[i]), TITLE_CHARS);
      GtkWidget *row = new_row (title);

      gtk_list_box_append (GTK_LIST_BOX (list), row);
      g_ptr_array_add (self->asked_labels,
                       g_object_ref (gtk_list_box_row_get_child (GTK_LIST_BOX_ROW (row))));
    }
  if (n_listed < active->len)
    {
      guint n_more = active->len - n_listed;
      g_autofree char *more =
          g_strdup_printf (ngettext ("and %u more", "and %u more", n_more), n_more);

      gtk_list_box_append (GTK_LIST_BOX (list), new_row (more));
    }
  return list;
}

/* (nullable): AdwMessageDialog tells nobody which of its buttons is which; it has each twice, for a wide
 * and a narrow window. */
static GtkWidget *
find_button (GtkWidget *widget, const char *label)
{
  GtkWidget *found = NULL;

  if (GTK_IS_BUTTON (widget) && gtk_widget_get_mapped (widget) &&
      g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_button (child, label);
  return found;
}

static gboolean
is_at_cancel (GtkWindow *question)
{
  GtkWidget *focus = gtk_window_get_focus (question);

  return focus != NULL && focus == find_button (GTK_WIDGET (question), _ ("_Cancel"));
}

static gboolean
on_question_shown (GtkWidget *question, GdkFrameClock *clock, gpointer user_data)
{
  GtkWidget *cancel = find_button (question, _ ("_Cancel"));

  if (gtk_widget_get_width (question) == 0 || cancel == NULL)
    return G_SOURCE_CONTINUE;
  gtk_widget_grab_focus (cancel);
  return G_SOURCE_REMOVE;
}

static void
on_question_focus (GtkWindow *question)
{
  if (!is_at_cancel (question))
    gtk_widget_add_tick_callback (GTK_WIDGET (question), on_question_shown, NULL, NULL);
}

static gboolean
on_question_event (GtkWidget *question, GdkEvent *event)
{
  GdkEventType type = gdk_event_get_event_type (event);

  if (type == GDK_KEY_PRESS || type == GDK_BUTTON_PRESS || type == GDK_TOUCH_BEGIN)
    g_signal_handlers_disconnect_by_func (question, on_question_focus, NULL);
  return GDK_EVENT_PROPAGATE;
}

/* The focus begins at what is safe, and not at the check button, which comes first: who presses Space has
 * read nothing yet. And it stays there until the user has done something: the dialog gives the focus to
 * the first when it is mapped, and GTK moves it on when what has it is hidden. */
static void
begin_at_cancel (GtkWidget *question)
{
  GtkEventController *events = gtk_event_controller_legacy_new ();

  gtk_event_controller_set_propagation_phase (events, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (events, "event", G_CALLBACK (on_question_event), question);
  gtk_widget_add_controller (question, events);
  g_signal_connect (question, "notify::focus-widget", G_CALLBACK (on_question_focus), NULL);
  gtk_widget_add_tick_callback (question, on_question_shown, NULL, NULL);
}

/* (transfer full): what is asked while so many are left. */
static char *
dup_heading (guint n_left)
{
  if (n_left == 0)
    return g_strdup (_ ("All Jobs Have Ended"));
  return g_strdup_printf (ngettext ("Stop %u Job and Quit?", "Stop %u Jobs and Quit?", n_left), n_left);
}

/* Where nothing is left to be stopped, nothing is destroyed. */
static void
set_stop_response (AdwMessageDialog *question, guint n_left)
{
  adw_message_dialog_set_response_label (question, "stop",
                                         n_left > 0 ? _ ("_Stop Jobs and Quit") : _ ("_Quit"));
  adw_message_dialog_set_response_appearance (
      question, "stop", n_left > 0 ? ADW_RESPONSE_DESTRUCTIVE : ADW_RESPONSE_DEFAULT);
}

static void
mark_ended (GtkLabel *label, StintJob *job)
{
  g_autofree char *title = stint_text_clean (stint_job_get_title (job), TITLE_CHARS);
  g_autofree char *state = stint_job_text_dup_state (job);
  /* Translators: a job, and how it ended. */
  g_autofree char *text = g_strdup_printf (_ ("%s: %s"), title, state);

  gtk_label_set_label (label, text);
  gtk_widget_add_css_class (GTK_WIDGET (label), "dim-label");
}

/* A job may end by itself while it is asked about: then it is not stopped. What is listed stays in its
 * place under the pointer; what has come since, the next line of one that is listed too, is counted. */
static void
update_question (StintClosing *self)
{
  g_autoptr (GPtrArray) active = NULL;
  g_autofree char *heading = NULL;

  if (self->question == NULL)
    return;
  active = dup_active (self);
  heading = dup_heading (active->len);
  for (guint i = 0; i < self->asked_about->len; i++)
    {
      StintJob *job = self->asked_about->pdata[i];

      if (stint_job_get_state (job) == STINT_JOB_FINISHED && i < self->asked_labels->len)
        mark_ended (self->asked_labels->pdata[i], job);
    }
  adw_message_dialog_set_heading (self->question, heading);
  gtk_window_set_title (GTK_WINDOW (self->question), heading);
  set_stop_response (self->question, active->len);
}

static void
forget_asked (StintClosing *self)
{
  for (guint i = 0; self->asked_about != NULL && i < self->asked_about->len; i++)
    g_signal_handlers_disconnect_by_func (self->asked_about->pdata[i], update_question, self);
  g_clear_pointer (&self->asked_about, g_ptr_array_unref);
}

static void
ask (StintClosing *self)
{
  g_autoptr (GPtrArray) active = dup_active (self);
  g_autofree char *heading = dup_heading (active->len);
  AdwMessageDialog *dialog;

  dialog = ADW_MESSAGE_DIALOG (adw_message_dialog_new (
      self->window, heading,
      _ ("Jobs that are stopped are asked to end, and what is left of them after a few seconds is killed; their "
         "output so far is kept in the history. In the background they go on without the window.")));
  gtk_window_set_title (GTK_WINDOW (dialog), heading);
  adw_message_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "background",
                                    _ ("Keep _Running in the Background"), "stop",
                                    _ ("_Stop Jobs and Quit"), NULL);
  set_stop_response (dialog, active->len);
  adw_message_dialog_set_default_response (dialog, "cancel");
  adw_message_dialog_set_close_response (dialog, "cancel");
  adw_message_dialog_set_extra_child (dialog, new_question_body (self, active));
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_answer), self, G_CONNECT_SWAPPED);
  g_set_weak_pointer (&self->question, dialog);
  forget_asked (self);
  self->asked_about = g_steal_pointer (&active);
  for (guint i = 0; i < self->asked_about->len; i++)
    g_signal_connect_object (self->asked_about->pdata[i], "notify::state",
                             G_CALLBACK (update_question), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
  begin_at_cancel (GTK_WIDGET (dialog));
}

static void
stint_closing_dispose (GObject *object)
{
  StintClosing *self = STINT_CLOSING (object);

  close_ending (self);
  g_clear_handle_id (&self->background_id, g_source_remove);
  if (self->question != NULL)
    gtk_window_destroy (GTK_WINDOW (self->question));
  g_clear_weak_pointer (&self->question);
  g_clear_weak_pointer (&self->ending);
  g_clear_weak_pointer (&self->window);
  forget_asked (self);
  g_clear_pointer (&self->asked_labels, g_ptr_array_unref);
  g_clear_object (&self->shutdown);
  g_clear_object (&self->settings);
  g_clear_object (&self->jobs);
  g_clear_error (&self->error);

  G_OBJECT_CLASS (stint_closing_parent_class)->dispose (object);
}

static void
stint_closing_class_init (StintClosingClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stint_closing_dispose;

  signals[BACKGROUND] = g_signal_new ("background", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                      NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[DONE] = g_signal_new ("done", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
stint_closing_init (StintClosing *self)
{
}

StintClosing *
stint_closing_new (StintJobList *jobs, StintShutdown *shutdown, StintSettings *settings)
{
  StintClosing *self;

  g_return_val_if_fail (STINT_IS_JOB_LIST (jobs), NULL);
  g_return_val_if_fail (STINT_IS_SHUTDOWN (shutdown), NULL);
  g_return_val_if_fail (STINT_IS_SETTINGS (settings), NULL);

  self = g_object_new (STINT_TYPE_CLOSING, NULL);
  self->jobs = g_object_ref (jobs);
  self->shutdown = g_object_ref (shutdown);
  self->settings = g_object_ref (settings);
  g_signal_connect_object (jobs, "notify::n-active", G_CALLBACK (update_question), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (shutdown, "begun", G_CALLBACK (on_begun), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (shutdown, "progress", G_CALLBACK (on_progress), self, G_CONNECT_SWAPPED);
  return self;
}

void
stint_closing_set_window (StintClosing *self, GtkWindow *window)
{
  g_return_if_fail (STINT_IS_CLOSING (self));
  g_return_if_fail (window == NULL || GTK_IS_WINDOW (window));

  g_set_weak_pointer (&self->window, window);
}

void
stint_closing_close (StintClosing *self, gboolean quit)
{
  g_autoptr (GPtrArray) active = NULL;
  gboolean any, background, confirm;

  g_return_if_fail (STINT_IS_CLOSING (self));

  if (stint_shutdown_get_begun (self->shutdown))
    return;
  self->by_user = TRUE;
  active = dup_active (self);
  any = self->window != NULL && active->len > 0;
  confirm = stint_settings_get_confirm_close (self->settings);
  background = !confirm && stint_settings_get_background_on_close (self->settings);
  if (self->question != NULL)
    gtk_window_present (GTK_WINDOW (self->question));
  else if (any && (confirm || (background && quit)))
    ask (self);
  else if (any && background)
    g_signal_emit (self, signals[BACKGROUND], 0);
  else
    stint_shutdown_begin (self->shutdown, quit ? "quit" : "window closed");
}
