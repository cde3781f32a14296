/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sessions that an agent keeps: all of them are shown, one is gone on with, another is deleted. And
 * one of earlier that is gone on with from its page.
 */
#include "acp-fixture.h"
#include "stint-agent-view.h"
#include "stint-resources.h"
#include "stint-sessions-dialog.h"
#include "widget-walk.h"

#include <adwaita.h>

static void
count (guint *n)
{
  ++*n;
}

static void
on_start (StintJobSpec **start, StintJobSpec *spec)
{
  g_set_object (start, spec);
}

static GtkWidget *
find_list (GtkWidget *widget)
{
  if (GTK_IS_LIST_BOX (widget))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_list (child);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static AdwActionRow *
get_row (GtkWidget *dialog, int i)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (find_list (dialog)), i);

  return row != NULL ? ADW_ACTION_ROW (row) : NULL;
}

static GtkWidget *
find_button (GtkWidget *widget)
{
  if (GTK_IS_BUTTON (widget))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_button (child);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static AdwMessageDialog *
find_question (void)
{
  g_autoptr (GListModel) windows = g_object_ref (gtk_window_get_toplevels ());

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      if (ADW_IS_MESSAGE_DIALOG (window))
        return ADW_MESSAGE_DIALOG (window);
    }
  return NULL;
}

static GtkWidget *
show (StintAgentSession *session, StintJobSpec **start)
{
  GtkWidget *dialog = stint_sessions_dialog_new (NULL, session);
  guint n_listed = 0;
  gulong id = g_signal_connect_swapped (dialog, "listed", G_CALLBACK (count), &n_listed);

  g_signal_connect_swapped (dialog, "start", G_CALLBACK (on_start), start);
  gtk_window_present (GTK_WINDOW (dialog));
  wait_until (n_listed == 1);
  g_signal_handler_disconnect (dialog, id);
  return dialog;
}

/* Another job with the same agent. Returns: (transfer full): ready */
static StintAgentSession *
open_session (Fixture *f, const char *id)
{
  StintAgentSession *session = stint_agent_session_new (
      f->jobs, stint_agent_session_get_profile (f->session), f->directory);

  stint_agent_session_set_session_id (session, id);
  g_assert_true (stint_agent_session_start (session, NULL));
  wait_until (stint_agent_session_get_state (session) == STINT_AGENT_READY);
  return session;
}

static void
close_session (StintAgentSession *session)
{
  stint_agent_session_stop (session);
  wait_until (stint_agent_session_get_state (session) == STINT_AGENT_ENDED);
}

static void
test_sessions (void)
{
  g_autoptr (StintJobSpec) spec = NULL;
  g_autoptr (GString) faults = g_string_new (NULL);
  AdwMessageDialog *question;
  GtkWidget *dialog;
  Fixture f;

  fixture_set_up (&f, "lists", NULL);
  fixture_wait_for_state (&f, STINT_AGENT_READY);
  dialog = show (f.session, &spec);
  /* Of all pages. */
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (get_row (dialog, 0))), ==, "A");
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (get_row (dialog, 1))), ==, "b");
  g_assert_null (get_row (dialog, 2));
  wait_until (gtk_widget_get_width (dialog) > 0);
  widget_walk (dialog, gtk_widget_get_width (dialog), "earlier sessions", faults);
  g_assert_cmpstr (faults->str, ==, "");

  g_signal_emit_by_name (find_button (GTK_WIDGET (get_row (dialog, 1))), "clicked");
  question = find_question ();
  g_assert_nonnull (question);
  adw_message_dialog_response (question, "delete");
  gtk_window_destroy (GTK_WINDOW (question));
  wait_until (get_row (dialog, 1) == NULL);
  g_assert_nonnull (get_row (dialog, 0));

  g_signal_emit_by_name (get_row (dialog, 0), "activated");
  g_assert_nonnull (spec);
  g_assert_cmpstr (stint_job_spec_get_session_id (spec), ==, "a");
  g_assert_true (stint_job_spec_get_session (spec));
  /* Where it was, not where this job is. */
  g_assert_cmpstr (stint_job_spec_get_directory (spec), ==, "/");
  while (g_main_context_pending (NULL))
    g_main_context_iteration (NULL, FALSE);
  fixture_tear_down (&f);
}

/* One that another job has can be neither taken from it nor deleted under it; not even if that came
 * later than the list. */
static void
test_open_elsewhere (void)
{
  g_autoptr (StintAgentSession) other = NULL;
  g_autoptr (StintAgentSession) third = NULL;
  g_autoptr (StintJobSpec) spec = NULL;
  GtkWidget *dialog;
  Fixture f;

  fixture_set_up (&f, "lists", NULL);
  fixture_wait_for_state (&f, STINT_AGENT_READY);
  other = open_session (&f, "b");
  dialog = show (f.session, &spec);
  g_assert_true (gtk_list_box_row_get_activatable (GTK_LIST_BOX_ROW (get_row (dialog, 0))));
  g_assert_nonnull (find_button (GTK_WIDGET (get_row (dialog, 0))));
  g_assert_false (gtk_list_box_row_get_activatable (GTK_LIST_BOX_ROW (get_row (dialog, 1))));
  g_assert_null (find_button (GTK_WIDGET (get_row (dialog, 1))));

  third = open_session (&f, "a");
  g_signal_emit_by_name (get_row (dialog, 0), "activated");
  g_assert_null (spec);
  close_session (third);
  g_signal_emit_by_name (get_row (dialog, 0), "activated");
  g_assert_nonnull (spec);

  close_session (other);
  while (g_main_context_pending (NULL))
    g_main_context_iteration (NULL, FALSE);
  fixture_tear_down (&f);
}

static GtkWidget *
find_labelled (GtkWidget *widget, const char *label)
{
  if (GTK_IS_BUTTON (widget) &&
      g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_labelled (child, label);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* It begins now, whenever the first one did; and what has followed that one does not follow again. */
static void
test_earlier_one (void)
{
  g_autoptr (StintJobSpec) earlier = fixture_shell ("agent");
  g_autoptr (StintResult) result = stint_result_new (STINT_REASON_EXITED);
  g_autoptr (StintJob) job = NULL;
  g_autoptr (StintJobSpec) spec = NULL;
  GtkWidget *view;
  GtkWindow *window = GTK_WINDOW (gtk_window_new ());

  stint_job_spec_set_session (earlier, TRUE);
  stint_job_spec_set_start_delay (earlier, 8 * G_TIME_SPAN_HOUR);
  stint_job_spec_add_then (earlier, STINT_THEN_ON_SUCCESS, "deploy");
  job = stint_job_new_finished (1, earlier, result, NULL);
  view = stint_agent_view_new (job);
  g_signal_connect_swapped (view, "start", G_CALLBACK (on_start), &spec);
  gtk_window_set_child (window, view);

  g_signal_emit_by_name (find_labelled (view, "_Begin Anew"), "clicked");
  g_assert_nonnull (spec);
  g_assert_true (stint_job_spec_get_session (spec));
  g_assert_cmpint (stint_job_spec_get_start_delay (spec), ==, 0);
  g_assert_cmpuint (stint_job_spec_get_n_then (spec), ==, 0);
  gtk_window_destroy (window);
}

int
main (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_resources_register (stint_get_resource ());
  g_test_add_func ("/sessions-dialog/sessions", test_sessions);
  g_test_add_func ("/sessions-dialog/open-elsewhere", test_open_elsewhere);
  g_test_add_func ("/sessions-dialog/earlier-one", test_earlier_one);
  return g_test_run ();
}
