/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The next prompt of an agent command: by the command that goes on with what the agent did last, which
 * can be changed here. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-continue-dialog.h"

#include "stint-agent-command.h"
#include "stint-units.h"

#include <glib/gi18n.h>

#define TITLE_CHARS 80

struct _StintContinueDialog
{
  AdwMessageDialog parent_instance;

  GtkTextView *prompt;
  GtkEditable *command;
  GtkWidget *mistake;

  StintJob *job;
};

G_DEFINE_FINAL_TYPE (StintContinueDialog, stint_continue_dialog, ADW_TYPE_MESSAGE_DIALOG)

enum
{
  START,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

gboolean
stint_continue_dialog_is_for (StintJob *job)
{
  g_autofree char *next = NULL;

  g_return_val_if_fail (STINT_IS_JOB (job), FALSE);

  if (stint_job_get_state (job) == STINT_JOB_FINISHED)
    next = stint_agent_command_dup_next (stint_job_get_spec (job));
  return next != NULL;
}

/* (transfer full) (nullable): NULL if nothing is said yet, which is no @error, or the command is wrong. */
static StintJobSpec *
new_spec (StintContinueDialog *self, GError **error)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->prompt);
  GtkTextIter start, end;
  g_autofree char *prompt = NULL;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  prompt = g_strstrip (gtk_text_buffer_get_text (buffer, &start, &end, FALSE));
  if (prompt[0] == '\0')
    return NULL;
  return stint_agent_command_new_next (stint_job_get_spec (self->job),
                                       gtk_editable_get_text (self->command), prompt, error);
}

static void
update (StintContinueDialog *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StintJobSpec) spec = new_spec (self, &error);

  adw_message_dialog_set_response_enabled (ADW_MESSAGE_DIALOG (self), "continue", spec != NULL);
  gtk_label_set_label (GTK_LABEL (self->mistake), error != NULL ? error->message : "");
  gtk_widget_set_visible (self->mistake, error != NULL);
}

static void
stint_continue_dialog_response (AdwMessageDialog *dialog, const char *response)
{
  StintContinueDialog *self = STINT_CONTINUE_DIALOG (dialog);
  g_autoptr (StintJobSpec) spec = NULL;

  if (g_strcmp0 (response, "continue") == 0)
    spec = new_spec (self, NULL);
  if (spec != NULL)
    g_signal_emit (self, signals[START], 0, self->job, spec);
}

/* Return begins a new line of the prompt. */
static gboolean
on_key (StintContinueDialog *self, guint key, guint code, GdkModifierType state)
{
  if ((key != GDK_KEY_Return && key != GDK_KEY_KP_Enter) ||
      (state & gtk_accelerator_get_default_mod_mask ()) != GDK_CONTROL_MASK)
    return FALSE;
  if (adw_message_dialog_get_response_enabled (ADW_MESSAGE_DIALOG (self), "continue"))
    adw_message_dialog_response (ADW_MESSAGE_DIALOG (self), "continue");
  return TRUE;
}

static GtkWidget *
new_prompt (StintContinueDialog *self)
{
  GtkWidget *view = gtk_text_view_new ();
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkEventController *controller = gtk_event_controller_key_new ();

  self->prompt = GTK_TEXT_VIEW (view);
  gtk_text_view_set_wrap_mode (self->prompt, GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab (self->prompt, FALSE);
  gtk_text_view_set_left_margin (self->prompt, 8);
  gtk_text_view_set_right_margin (self->prompt, 8);
  gtk_text_view_set_top_margin (self->prompt, 8);
  gtk_text_view_set_bottom_margin (self->prompt, 8);
  gtk_widget_set_tooltip_text (view, _ ("Ctrl+Return starts it"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Next Prompt"), -1);
  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect_object (controller, "key-pressed", G_CALLBACK (on_key), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (view, controller);
  g_signal_connect_object (gtk_text_view_get_buffer (self->prompt), "changed", G_CALLBACK (update),
                           self, G_CONNECT_SWAPPED);
  gtk_scrolled_window_set_has_frame (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scroller), 96);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), view);
  return scroller;
}

static GtkWidget *
new_command (StintContinueDialog *self)
{
  GtkWidget *entry = gtk_entry_new ();

  self->command = GTK_EDITABLE (entry);
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  gtk_widget_add_css_class (entry, "monospace");
  /* Translators: do not translate {prompt}. */
  gtk_widget_set_tooltip_text (entry, _ ("The command; {prompt} is what is written above"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Command"), -1);
  g_signal_connect_object (entry, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  return entry;
}

static void
stint_continue_dialog_finalize (GObject *object)
{
  g_clear_object (&STINT_CONTINUE_DIALOG (object)->job);

  G_OBJECT_CLASS (stint_continue_dialog_parent_class)->finalize (object);
}

static void
stint_continue_dialog_class_init (StintContinueDialogClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stint_continue_dialog_finalize;
  ADW_MESSAGE_DIALOG_CLASS (klass)->response = stint_continue_dialog_response;

  signals[START] = g_signal_new ("start", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 2, STINT_TYPE_JOB, STINT_TYPE_JOB_SPEC);
}

static void
stint_continue_dialog_init (StintContinueDialog *self)
{
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (self);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);

  gtk_window_set_title (GTK_WINDOW (self), _ ("Continue"));
  adw_message_dialog_set_heading (dialog, _ ("Continue"));
  adw_message_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "continue", _ ("Contin_ue"),
                                    NULL);
  adw_message_dialog_set_response_appearance (dialog, "continue", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, "continue");
  adw_message_dialog_set_close_response (dialog, "cancel");
  adw_message_dialog_set_response_enabled (dialog, "continue", FALSE);
  gtk_box_append (GTK_BOX (box), new_prompt (self));
  gtk_box_append (GTK_BOX (box), new_command (self));
  self->mistake = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->mistake), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->mistake), 0);
  gtk_widget_add_css_class (self->mistake, "error");
  gtk_widget_set_visible (self->mistake, FALSE);
  gtk_box_append (GTK_BOX (box), self->mistake);
  adw_message_dialog_set_extra_child (dialog, box);
}

StintContinueDialog *
stint_continue_dialog_new (GtkWindow *parent, StintJob *job)
{
  StintContinueDialog *self;
  g_autofree char *title = NULL;
  g_autofree char *body = NULL;
  g_autofree char *next = NULL;

  g_return_val_if_fail (parent == NULL || GTK_IS_WINDOW (parent), NULL);
  g_return_val_if_fail (STINT_IS_JOB (job) && stint_continue_dialog_is_for (job), NULL);

  self = g_object_new (STINT_TYPE_CONTINUE_DIALOG, "transient-for", parent, "modal", TRUE, NULL);
  self->job = g_object_ref (job);
  title = stint_text_clean (stint_job_get_title (job), TITLE_CHARS);
  /* Translators: %s is a job's name. */
  body = g_strdup_printf (_ ("What the agent of “%s” is told next, in the same directory."), title);
  adw_message_dialog_set_body (ADW_MESSAGE_DIALOG (self), body);
  next = stint_agent_command_dup_next (stint_job_get_spec (job));
  gtk_editable_set_text (self->command, next);
  gtk_window_set_focus (GTK_WINDOW (self), GTK_WIDGET (self->prompt));
  return self;
}
