/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Jobs that wait for their time when Stint quits: what is kept of them, and that a file which is no list of
 * jobs is told and left as it is.
 */
#include "config.h"

#include "stint-history.h"
#include "stint-scheduled.h"

#include "engine-fixture.h"

#include <adwaita.h>
#include <glib/gstdio.h>

#define DAY (G_GINT64_CONSTANT (24) * 3600 * G_USEC_PER_SEC)

static StintJob *
submit (StintJobList *jobs, const char *name, gint64 delay)
{
  g_autoptr (StintJobSpec) spec = fixture_shell ("sleep 1000");

  stint_job_spec_set_name (spec, name);
  if (delay > 0)
    stint_job_spec_set_start_delay (spec, delay);
  return fixture_submit (jobs, spec);
}

static void
test_kept (void)
{
  g_autofree char *directory = g_dir_make_tmp ("stint-test-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (directory, "scheduled.json", NULL);
  g_autoptr (StintScheduled) scheduled = stint_scheduled_new (directory);
  g_autoptr (StintJobList) jobs = fixture_list ();
  g_autoptr (StintJob) running = submit (jobs, "now", 0);
  g_autoptr (StintJob) waiting = NULL;
  g_autofree char *text = NULL;
  GStatBuf status;

  wait_until (stint_job_get_state (running) == STINT_JOB_RUNNING);
  g_assert_cmpuint (stint_scheduled_keep (scheduled, jobs), ==, 0);
  g_assert_false (g_file_test (file, G_FILE_TEST_EXISTS));

  waiting = submit (jobs, "later", DAY);
  wait_until (stint_job_get_id (waiting) != 0);
  /* fixture_list() keeps nothing, and so is nothing kept of what leaves no trace. */
  if (stint_job_is_scratch (waiting))
    {
      g_assert_cmpuint (stint_scheduled_keep (scheduled, jobs), ==, 0);
    }
  else
    {
      g_assert_cmpuint (stint_scheduled_keep (scheduled, jobs), ==, 1);
      g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
      g_assert_nonnull (strstr (text, "later"));
      g_assert_nonnull (strstr (text, "startAt"));
      g_assert_null (strstr (text, "\"now\""));
      g_assert_cmpint (g_stat (file, &status), ==, 0);
      g_assert_cmpint (status.st_mode & 0777, ==, 0600);
      g_unlink (file);
    }
  stint_job_kill (running);
  stint_job_kill (waiting);
  fixture_wait_for_all (jobs);
  g_rmdir (directory);
}

/* Without a window nobody is asked, and what was kept before stays. */
static void
test_kept_with_earlier (void)
{
  g_autofree char *directory = g_dir_make_tmp ("stint-test-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (directory, "scheduled.json", NULL);
  g_autoptr (StintHistory) history = stint_history_new (directory);
  g_autoptr (StintJobList) jobs = stint_job_list_new (STINT_JOB_STORE (history));
  const char *const names[] = { "earlier", "later" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (StintScheduled) scheduled = stint_scheduled_new (directory);
      g_autoptr (StintJob) waiting = submit (jobs, names[i], DAY);
      g_autofree char *text = NULL;

      wait_until (stint_job_get_id (waiting) != 0);
      g_assert_cmpuint (stint_scheduled_keep (scheduled, jobs), ==, 1);
      g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
      g_assert_nonnull (strstr (text, "earlier"));
      g_assert_true (i == 0 || strstr (text, "later") != NULL);
      stint_job_kill (waiting);
      fixture_wait_for_all (jobs);
    }
  g_assert_true (stint_history_close (history));
}

static void
on_problem (guint *n_problems)
{
  ++*n_problems;
}

static void
test_damaged (void)
{
  g_autofree char *directory = g_dir_make_tmp ("stint-test-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (directory, "scheduled.json", NULL);
  g_autoptr (StintScheduled) scheduled = stint_scheduled_new (directory);
  g_autofree char *text = NULL;
  GtkWidget *window = adw_window_new ();
  guint n_problems = 0;

  g_assert_true (g_file_set_contents (file, "{ \"no\": \"list\" }", -1, NULL));
  g_signal_connect_swapped (scheduled, "problem", G_CALLBACK (on_problem), &n_problems);
  stint_scheduled_offer (scheduled, GTK_WINDOW (window));
  wait_until (n_problems == 1);
  g_assert_true (g_file_get_contents (file, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "{ \"no\": \"list\" }");
  gtk_window_destroy (GTK_WINDOW (window));
  g_unlink (file);
  g_rmdir (directory);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add_func ("/scheduled/kept", test_kept);
  g_test_add_func ("/scheduled/kept-with-earlier", test_kept_with_earlier);
  g_test_add_func ("/scheduled/damaged", test_damaged);

  return g_test_run ();
}
