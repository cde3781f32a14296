/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An agent command goes on: it is offered where it can, and what is written is what the agent is told.
 */
#include "stint-continue-dialog.h"

#include "widget-walk.h"
#include "window-fixture.h"

#include <glib/gstdio.h>

typedef struct
{
  WindowFixture window;
  char *directory;
  char *agent; /* an agent's program, which says what it is told */
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  self->directory = g_dir_make_tmp ("stint-test-XXXXXX", &error);
  g_assert_no_error (error);
  self->agent = g_build_filename (self->directory, "claude", NULL);
  g_file_set_contents_full (self->agent, "#!/bin/sh\necho \"told $*\"\n", -1,
                            G_FILE_SET_CONTENTS_NONE, 0755, &error);
  g_assert_no_error (error);
  window_fixture_set_up (&self->window, GPOINTER_TO_INT (data));
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  window_fixture_tear_down (&self->window);
  g_unlink (self->agent);
  g_rmdir (self->directory);
  g_free (self->agent);
  g_free (self->directory);
}

/* (transfer full): it has ended, and its page is shown. */
static StintJob *
run (Fixture *self, StintJobKind kind, const char *arguments)
{
  g_autofree char *line = g_strconcat (self->agent, " ", arguments, NULL);
  StintJob *job = window_fixture_show (&self->window, kind, line);

  wait_until (stint_job_get_state (job) == STINT_JOB_FINISHED);
  return job;
}

static gboolean
is_button (GtkWidget *widget, gpointer label)
{
  return GTK_IS_BUTTON (widget) && gtk_widget_get_mapped (widget) &&
         g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0;
}

static GtkWidget *
find_button (Fixture *self, const char *label)
{
  return window_fixture_find (GTK_WIDGET (self->window.window), is_button, (gpointer) label);
}

static void
write_prompt (GtkWindow *dialog, const char *text)
{
  GtkWidget *view = window_fixture_find_type (GTK_WIDGET (dialog), GTK_TYPE_TEXT_VIEW);

  gtk_text_buffer_set_text (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), text, -1);
}

static gboolean
can_start (GtkWindow *dialog)
{
  return adw_message_dialog_get_response_enabled (ADW_MESSAGE_DIALOG (dialog), "continue");
}

/* The job that was submitted last. */
static StintJob *
get_last (Fixture *self)
{
  GListModel *jobs = G_LIST_MODEL (self->window.jobs);
  StintJob *last = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (jobs); i++)
    {
      g_autoptr (StintJob) job = g_list_model_get_item (jobs, i);

      if (last == NULL || stint_job_get_id (job) > stint_job_get_id (last))
        last = job;
    }
  return last;
}

static void
test_goes_on (Fixture *self, gconstpointer data)
{
  g_autoptr (StintJob) job = run (self, STINT_JOB_KIND_AGENT, "-p hello");
  g_autoptr (GString) faults = g_string_new (NULL);
  g_autofree char *command = g_strconcat (self->agent, " -p --continue {prompt}", NULL);
  GtkWindow *dialog;
  GtkWidget *entry;

  wait_until (find_button (self, "Contin_ue…") != NULL);
  widget_walk (self->window.window, GPOINTER_TO_INT (data), "an agent command that has ended", faults);
  g_signal_emit_by_name (find_button (self, "Contin_ue…"), "clicked");
  wait_until (window_fixture_find_dialog (self->window.window) != NULL);
  dialog = window_fixture_find_dialog (self->window.window);
  wait_until (gtk_widget_get_width (GTK_WIDGET (dialog)) > 0);
  widget_walk (dialog, GPOINTER_TO_INT (data), "the next prompt", faults);
  g_assert_cmpstr (faults->str, ==, "");

  /* Nothing is started without a prompt, and with a command that is none. */
  entry = window_fixture_find_type (GTK_WIDGET (dialog), GTK_TYPE_ENTRY);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "claude -p --continue {prompt}");
  g_assert_false (can_start (dialog));
  write_prompt (dialog, " \n");
  g_assert_false (can_start (dialog));
  write_prompt (dialog, "don't stop;\n$HOME ");
  g_assert_true (can_start (dialog));
  gtk_editable_set_text (GTK_EDITABLE (entry), "claude '");
  g_assert_false (can_start (dialog));
  g_assert_nonnull (window_fixture_find_text (GTK_WIDGET (dialog), "The command cannot be understood"));
  gtk_editable_set_text (GTK_EDITABLE (entry), command);
  g_assert_true (can_start (dialog));

  adw_message_dialog_response (ADW_MESSAGE_DIALOG (dialog), "continue");
  wait_until (get_last (self) != job);
  g_assert_cmpuint (stint_job_get_follows (get_last (self)), ==, stint_job_get_id (job));
  fixture_wait_for_output (get_last (self), "told -p --continue don't stop;\n$HOME\n");
  wait_until (stint_job_get_state (get_last (self)) == STINT_JOB_FINISHED);
  gtk_window_destroy (dialog);
}

/* Not for who has a terminal, for what is no agent, and while it runs. */
static void
test_is_offered_to_agents_only (Fixture *self, gconstpointer data)
{
  static const struct
  {
    StintJobKind kind;
    const char *arguments;
    gboolean offered;
  } cases[] = {
    { STINT_JOB_KIND_AGENT, "-p hello", TRUE },
    { STINT_JOB_KIND_AGENT, "--version", FALSE },
    { STINT_JOB_KIND_TERMINAL, "-p hello", FALSE },
  };
  g_autoptr (StintJob) running = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (StintJob) job = run (self, cases[i].kind, cases[i].arguments);

      g_assert_cmpint (stint_continue_dialog_is_for (job), ==, cases[i].offered);
      wait_until (find_button (self, "Run _Again") != NULL);
      wait_until ((find_button (self, "Contin_ue…") != NULL) == cases[i].offered);
    }
  running = window_fixture_start (&self->window, STINT_JOB_KIND_AGENT, "cat; claude -p hello");
  g_assert_false (stint_continue_dialog_is_for (running));
}

int
main (int argc, char **argv)
{
  window_fixture_init (&argc, &argv);

  g_test_add ("/app/continue-dialog/goes-on", Fixture, GINT_TO_POINTER (1000), set_up, test_goes_on,
              tear_down);
  g_test_add ("/app/continue-dialog/goes-on-narrow", Fixture, GINT_TO_POINTER (NARROWEST), set_up,
              test_goes_on, tear_down);
  g_test_add ("/app/continue-dialog/is-offered-to-agents-only", Fixture, GINT_TO_POINTER (1000),
              set_up, test_is_offered_to_agents_only, tear_down);
  return window_fixture_run ();
}
