/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The order of the sidebar, and what stays in place when it changes.
 */
#include "stint-job-order.h"

#include "engine-fixture.h"

static void
assert_order (StintJobOrder *order, StintJob **jobs, guint n_jobs)
{
  GListModel *model = stint_job_order_get_model (order);

  g_assert_cmpuint (g_list_model_get_n_items (model), ==, n_jobs);
  for (guint i = 0; i < n_jobs; i++)
    {
      g_autoptr (StintJob) job = g_list_model_get_item (model, i);

      g_assert_true (job == jobs[i]);
      g_assert_cmpuint (stint_job_order_find (order, job), ==, i);
    }
}

static StintJob *
submit (StintJobList *list, const char *line)
{
  g_autoptr (StintJobSpec) spec = fixture_shell (line);

  return fixture_submit (list, spec);
}

static void
wait_for_state (StintJob *job, StintJobState state)
{
  wait_until (stint_job_get_state (job) == state);
}

static void
test_running_queued_finished (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobOrder) order = stint_job_order_new (G_LIST_MODEL (list));
  g_autoptr (StintJob) done = submit (list, "true");
  g_autoptr (StintJob) first = NULL;
  g_autoptr (StintJob) second = NULL;
  g_autoptr (StintJob) waiting = NULL;

  wait_for_state (done, STINT_JOB_FINISHED);
  stint_job_list_set_max_running (list, 2);
  first = submit (list, "sleep 60");
  second = submit (list, "sleep 60");
  waiting = submit (list, "sleep 60");
  wait_for_state (first, STINT_JOB_RUNNING);
  wait_for_state (second, STINT_JOB_RUNNING);
  assert_order (order, (StintJob *[]){ second, first, waiting, done }, 4);

  stint_job_kill (second);
  wait_for_state (second, STINT_JOB_FINISHED);
  wait_for_state (waiting, STINT_JOB_RUNNING);
  assert_order (order, (StintJob *[]){ waiting, first, second, done }, 4);

  stint_job_kill (waiting);
  stint_job_kill (first);
  fixture_wait_for_all (list);
  assert_order (order, (StintJob *[]){ waiting, second, first, done }, 4);
}

/* The history is read in the background, and may come after jobs that have been started since. */
static void
test_loaded_jobs_come_last (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobOrder) order = stint_job_order_new (G_LIST_MODEL (list));
  g_autoptr (StintJob) job = submit (list, "true");
  g_autoptr (StintJobSpec) spec = fixture_shell ("true");
  g_autoptr (StintResult) result = stint_result_new (STINT_REASON_EXITED);
  g_autoptr (StintJob) old = NULL;
  g_autoptr (StintJob) older = NULL;
  guint64 id;

  fixture_wait_for_all (list);
  id = stint_job_get_id (job);
  g_assert_cmpuint (id, >, 0);
  old = stint_job_new_finished (id + 2, spec, result, NULL);
  older = stint_job_new_finished (id + 1, spec, result, NULL);
  stint_job_list_append_finished (list, older);
  stint_job_list_append_finished (list, old);
  assert_order (order, (StintJob *[]){ old, older, job }, 3);
}

static void
test_selection_stays_on_the_job (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobOrder) order = stint_job_order_new (G_LIST_MODEL (list));
  g_autoptr (GtkSingleSelection) selection =
      gtk_single_selection_new (g_object_ref (stint_job_order_get_model (order)));
  g_autoptr (StintJob) chosen = submit (list, "sleep 60");
  g_autoptr (StintJob) other = NULL;
  g_autoptr (StintJob) another = NULL;

  wait_for_state (chosen, STINT_JOB_RUNNING);
  gtk_single_selection_set_selected (selection, stint_job_order_find (order, chosen));
  other = submit (list, "sleep 60");
  wait_for_state (other, STINT_JOB_RUNNING);
  g_assert_true (gtk_single_selection_get_selected_item (selection) == chosen);

  stint_job_kill (other);
  wait_for_state (other, STINT_JOB_FINISHED);
  g_assert_true (gtk_single_selection_get_selected_item (selection) == chosen);

  another = submit (list, "sleep 60");
  wait_for_state (another, STINT_JOB_RUNNING);
  stint_job_kill (chosen);
  wait_for_state (chosen, STINT_JOB_FINISHED);
  g_assert_true (gtk_single_selection_get_selected_item (selection) == chosen);
  g_assert_cmpuint (gtk_single_selection_get_selected (selection), ==,
                    stint_job_order_find (order, chosen));

  stint_job_kill (another);
  fixture_wait_for_all (list);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/job-order/running-queued-finished", test_running_queued_finished);
  g_test_add_func ("/app/job-order/loaded-jobs-come-last", test_loaded_jobs_come_last);
  g_test_add_func ("/app/job-order/selection-stays-on-the-job", test_selection_stays_on_the_job);
  return g_test_run ();
}
