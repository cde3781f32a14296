/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What follows a job that is there already: the question, and what is known of it. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-then-dialog.h"

#include "stint-sequence.h"
#include "stint-units.h"

#include <glib/gi18n.h>

#define LINE_CHARS 80

typedef struct
{
  StintJobList *jobs;
  StintJob *job;
  GtkEditable *entry;
  GtkDropDown *when;
} Question;

static void
question_free (gpointer data)
{
  Question *question = data;

  g_object_unref (question->jobs);
  g_object_unref (question->job);
  g_free (question);
}

static void
append_line (GString *text, const char *line)
{
  g_autofree char *clean = stint_text_clean (line, LINE_CHARS);

  if (text->len > 0)
    g_string_append_c (text, '\n');
  g_string_append (text, clean);
}

char *
stint_then_dup_description (StintJobList *jobs, StintJob *job)
{
  g_autoptr (GPtrArray) added = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  StintJobSpec *spec;

  g_return_val_if_fail (STINT_IS_JOB_LIST (jobs), NULL);
  g_return_val_if_fail (STINT_IS_JOB (job), NULL);

  if (stint_job_get_state (job) == STINT_JOB_FINISHED)
    return NULL;
  spec = stint_job_get_spec (job);
  for (guint i = 0; i < stint_job_spec_get_n_then (spec); i++)
    append_line (text, stint_job_spec_get_then (spec, i, NULL));
  added = stint_job_list_dup_continuations (jobs, job);
  for (guint i = 0; i < added->len; i++)
    {
      const char *line =
          stint_sequence_get_added_line (stint_continuation_get_name (added->pdata[i]));

      if (line != NULL)
        append_line (text, line);
    }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static void
on_response (AdwMessageDialog *dialog, const char *response, gpointer user_data)
{
  Question *question = user_data;
  const char *line = gtk_editable_get_text (question->entry);

  if (g_strcmp0 (response, "add") == 0)
    stint_sequence_add (question->jobs, question->job,
                        gtk_drop_down_get_selected (question->when), line);
}

static void
on_changed (GtkEditable *entry, AdwMessageDialog *dialog)
{
  g_autofree char *line = g_strstrip (g_strdup (gtk_editable_get_text (entry)));

  adw_message_dialog_set_response_enabled (dialog, "add", *line != '\0');
}

static GtkWidget *
new_fields (Question *question)
{
  /* In the order of StintThen. */
  const char *const conditions[] = {
    /* Translators: when a command follows a job. */
    _ ("However it ends"),
    /* Translators: when a command follows a job. */
    _ ("If it succeeds"),
    /* Translators: when a command follows a job. */
    _ ("If it fails"),
    NULL,
  };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  GtkWidget *entry = gtk_entry_new ();
  GtkWidget *when = gtk_drop_down_new_from_strings (conditions);

  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _ ("Command to run then"));
  gtk_entry_set_activates_default (GTK_ENTRY (entry), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Command to run then"), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (when), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("When to run it"), -1);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (when), STINT_THEN_ON_SUCCESS);
  gtk_box_append (GTK_BOX (box), entry);
  gtk_box_append (GTK_BOX (box), when);
  question->entry = GTK_EDITABLE (entry);
  question->when = GTK_DROP_DOWN (when);
  return box;
}

void
stint_then_dialog_present (GtkWindow *parent, StintJobList *jobs, StintJob *job)
{
  g_autofree char *title = NULL;
  g_autofree char *body = NULL;
  g_autofree char *follows = NULL;
  Question *question;
  AdwMessageDialog *dialog;

  g_return_if_fail (GTK_IS_WINDOW (parent));
  g_return_if_fail (STINT_IS_JOB_LIST (jobs));
  g_return_if_fail (STINT_IS_JOB (job));

  title = stint_text_clean (stint_job_get_title (job), LINE_CHARS);
  follows = stint_then_dup_description (jobs, job);
  if (follows != NULL)
    /* Translators: the first %s is a job's name, the second a list of commands, a line each. */
    body =
        g_strdup_printf (_ ("When “%s” has ended. This follows it already:\n%s"), title, follows);
  else if (stint_job_get_state (job) == STINT_JOB_FINISHED)
    /* Translators: %s is a job's name. */
    body = g_strdup_printf (_ ("“%s” has ended: it runs now."), title);
  else
    /* Translators: %s is a job's name. */
    body = g_strdup_printf (_ ("When “%s” has ended, in the same directory."), title);

  question = g_new0 (Question, 1);
  question->jobs = g_object_ref (jobs);
  question->job = g_object_ref (job);
  dialog = ADW_MESSAGE_DIALOG (adw_message_dialog_new (parent, _ ("Then Run"), body));
  gtk_window_set_title (GTK_WINDOW (dialog), _ ("Then Run"));
  adw_message_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "add", _ ("_Add"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "add", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, "add");
  adw_message_dialog_set_close_response (dialog, "cancel");
  adw_message_dialog_set_response_enabled (dialog, "add", FALSE);
  adw_message_dialog_set_extra_child (dialog, new_fields (question));
  g_signal_connect (question->entry, "changed", G_CALLBACK (on_changed), dialog);
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_response), question,
                         (GClosureNotify) (void (*) (void)) question_free, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  gtk_widget_grab_focus (GTK_WIDGET (question->entry));
}
