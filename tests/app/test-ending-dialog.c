/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is shown while the last jobs end: how many, their processes, how long they still have, and the way
 * not to wait.
 */
#include "stint-closing.h"
#include "stint-ending-dialog.h"
#include "stint-resources.h"

#include "engine-fixture.h"

#include <string.h>

/* (transfer none) (nullable): a mapped widget of this type that shows @part. */
static GtkWidget *
find (GtkWidget *widget, GType type, const char *part)
{
  if (!gtk_widget_get_mapped (widget))
    return NULL;
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type))
    {
      g_autofree char *label = NULL;

      g_object_get (widget, "label", &label, NULL);
      if (label != NULL && strstr (label, part) != NULL)
        return widget;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find (child, type, part);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
on_hurry (StintEndingDialog *dialog, guint *n_times)
{
  (*n_times)++;
}

static void
test_what_it_waits_for (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) stubborn_spec =
    fixture_shell ("trap '' TERM HUP; echo ready; while :; do sleep 0.2; done");
  g_autoptr (StintJobSpec) other_spec = fixture_shell ("sleep 60");
  g_autoptr (StintJob) stubborn = NULL;
  g_autoptr (StintJob) other = NULL;
  GtkWindow *parent = GTK_WINDOW (gtk_window_new ());
  StintEndingDialog *dialog;
  GtkWidget *button;
  guint n_hurries = 0;

  stubborn = fixture_submit (list, stubborn_spec);
  other = fixture_submit (list, other_spec);
  fixture_wait_for_output (stubborn, "ready");
  wait_until (stint_job_get_state (other) == STINT_JOB_RUNNING);

  dialog = stint_ending_dialog_new (parent, list);
  g_signal_connect (dialog, "hurry", G_CALLBACK (on_hurry), &n_hurries);
  gtk_window_present (GTK_WINDOW (dialog));
  wait_until (find (GTK_WIDGET (dialog), GTK_TYPE_LABEL, "Waiting for 2 jobs") != NULL);

  stint_job_stop (stubborn, STINT_REASON_CANCELLED, G_GINT64_CONSTANT (3600) * G_USEC_PER_SEC);
  stint_job_stop (other, STINT_REASON_CANCELLED, G_GINT64_CONSTANT (3600) * G_USEC_PER_SEC);
  wait_until (stint_job_get_state (other) == STINT_JOB_FINISHED);
  stint_ending_dialog_update (dialog);
  wait_until (find (GTK_WIDGET (dialog), GTK_TYPE_LABEL, "Waiting for 1 job") != NULL);
  wait_until (find (GTK_WIDGET (dialog), GTK_TYPE_LABEL, "SIGKILL in") != NULL);
  /* Large text leaves room for the beginning of a line. */
  g_assert_true (g_str_has_prefix (
      gtk_label_get_label (
          GTK_LABEL (find (GTK_WIDGET (dialog), GTK_TYPE_LABEL, "SIGKILL in"))),
      "SIGKILL in"));
  wait_until (find (GTK_WIDGET (dialog), GTK_TYPE_LABEL, "sh (") != NULL);

  /* It stays until the shutdown is over. */
  gtk_window_close (GTK_WINDOW (dialog));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (dialog)));
  button = find (GTK_WIDGET (dialog), GTK_TYPE_BUTTON, "Now");
  g_assert_nonnull (button);
  g_signal_emit_by_name (button, "clicked");
  g_assert_cmpuint (n_hurries, ==, 1);

  stint_job_kill (stubborn);
  fixture_wait_for_all (list);
  stint_ending_dialog_update (dialog);
  g_assert_null (find (GTK_WIDGET (dialog), GTK_TYPE_LABEL, "Waiting for"));
  gtk_window_destroy (GTK_WINDOW (dialog));
  gtk_window_destroy (parent);
}

/* Nothing but Stop Now ends a job that ignores SIGTERM: neither its grace nor the shutdown's bounds, which
 * are longer than any test here. */
#define LONGEST_MSEC 1000
#define HOUR G_GINT64_CONSTANT (3600)

static gboolean holding;

guint __real_g_timeout_add (guint msec, GSourceFunc function, gpointer data);
guint __wrap_g_timeout_add (guint msec, GSourceFunc function, gpointer data);
void __real_stint_job_stop (StintJob *self, StintReason reason, gint64 grace);
void __wrap_stint_job_stop (StintJob *self, StintReason reason, gint64 grace);

guint
__wrap_g_timeout_add (guint msec, GSourceFunc function, gpointer data)
{
  return __real_g_timeout_add (holding && msec > LONGEST_MSEC ? HOUR * 1000 : msec, function, data);
}

void
__wrap_stint_job_stop (StintJob *self, StintReason reason, gint64 grace)
{
  __real_stint_job_stop (self, reason, holding ? HOUR * G_USEC_PER_SEC : grace);
}

/* (transfer none) (nullable): the window of this type that is shown. */
static GtkWindow *
find_window (GType type)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);

      if (G_TYPE_CHECK_INSTANCE_TYPE (window, type) &&
          gtk_widget_get_mapped (GTK_WIDGET (window)))
        return window;
    }
  return NULL;
}

static void
on_done (StintClosing *closing, GError *error, guint *n_times)
{
  g_assert_no_error (error);
  (*n_times)++;
}

/* From the window that is closed to the end of a job that does not want to: by the question, and by Stop
 * Now. */
static void
test_stop_now (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) spec =
    fixture_shell ("trap '' TERM HUP; echo ready; while :; do sleep 0.2; done");
  g_autoptr (StintJob) job = fixture_submit (list, spec);
  g_autoptr (StintSettings) settings = stint_settings_new ();
  g_autoptr (StintShutdown) shutdown = stint_shutdown_new (list);
  g_autoptr (StintClosing) closing = stint_closing_new (list, shutdown, settings);
  GtkWindow *window = GTK_WINDOW (gtk_window_new ());
  GtkWidget *button;
  guint n_done = 0;

  fixture_wait_for_output (job, "ready");
  g_signal_connect (closing, "done", G_CALLBACK (on_done), &n_done);
  gtk_window_present (window);
  stint_closing_set_window (closing, window);
  holding = TRUE;
  stint_closing_close (closing, TRUE);
  wait_until (find_window (ADW_TYPE_MESSAGE_DIALOG) != NULL);
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (find_window (ADW_TYPE_MESSAGE_DIALOG)), "stop");

  wait_until (find_window (STINT_TYPE_ENDING_DIALOG) != NULL &&
              stint_job_get_state (job) == STINT_JOB_STOPPING);
  g_assert_cmpint (stint_job_get_kill_left (job), >, 60 * G_USEC_PER_SEC);
  g_assert_cmpuint (n_done, ==, 0);
  button = find (GTK_WIDGET (find_window (STINT_TYPE_ENDING_DIALOG)), GTK_TYPE_BUTTON, "Now");
  g_signal_emit_by_name (button, "clicked");
  wait_until (n_done > 0);
  holding = FALSE;
  g_assert_cmpuint (n_done, ==, 1);
  g_assert_cmpint (stint_job_get_result (job)->reason, ==, STINT_REASON_CANCELLED);
  g_assert_true (stint_job_get_result (job)->escalated);
  gtk_window_destroy (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  g_resources_register (stint_get_resource ());
  g_test_add_func ("/app/ending-dialog/what-it-waits-for", test_what_it_waits_for);
  g_test_add_func ("/app/ending-dialog/stop-now", test_stop_now);
  return g_test_run ();
}
