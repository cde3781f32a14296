/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Jobs that have ended leave the memory one day: not those that are listed, and not those that run.
 */
#include "stint-ended-jobs.h"

#include "engine-fixture.h"

#define MANY (STINT_ENDED_JOBS_KEPT + STINT_BOARD_MOST_RECENT + 20)

static guint
count_jobs (StintJobList *list)
{
  return g_list_model_get_n_items (G_LIST_MODEL (list));
}

/* Jobs that have ended one after the other, each seen. Returns: (transfer full): the first. */
static StintJob *
add_many (StintJobList *list, StintJobBoard *board)
{
  g_autoptr (StintJobSpec) spec = fixture_shell ("true");
  g_autoptr (StintResult) result = stint_result_new (STINT_REASON_EXITED);
  StintJob *first = NULL;

  for (guint i = 1; i <= MANY; i++)
    {
      g_autoptr (StintJob) job = stint_job_new_finished (1000 + i, spec, result, NULL);

      stint_job_list_append_finished (list, job);
      stint_job_board_add_finished (board, job, FALSE);
      if (first == NULL)
        first = g_steal_pointer (&job);
    }
  return first;
}

static void
test_limit (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobBoard) board = stint_job_board_new (list);
  g_autoptr (StintJobSpec) spec = fixture_shell ("exec sleep 60");
  g_autoptr (StintResult) result = stint_result_new (STINT_REASON_TIMEOUT);
  g_autoptr (StintJob) running = fixture_submit (list, spec);
  g_autoptr (StintJob) failed = stint_job_new_finished (1, spec, result, NULL);
  g_autoptr (StintJob) first = NULL;
  g_autoptr (StintJob) last = NULL;

  stint_ended_jobs_limit (list, board);
  /* The oldest of all: it runs. And one that nobody has seen. */
  wait_until (stint_job_get_state (running) == STINT_JOB_RUNNING);
  stint_job_list_append_finished (list, failed);
  stint_job_board_add_finished (board, failed, TRUE);

  first = add_many (list, board);
  wait_until (count_jobs (list) == STINT_ENDED_JOBS_KEPT + STINT_BOARD_MOST_RECENT + 2);
  g_assert_null (stint_job_list_lookup (list, stint_job_get_id (first)));
  last = stint_job_list_lookup (list, 1000 + MANY);
  g_assert_nonnull (last);
  g_assert_nonnull (stint_job_board_find (board, last));
  g_assert_nonnull (stint_job_board_find (board, running));
  g_assert_nonnull (stint_job_board_find (board, failed));

  stint_job_kill (running);
  fixture_wait_for_all (list);
}

/* Those of earlier come after one that ran here, the newest first; and what ran long ended late. */
static void
test_order (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobBoard) board = stint_job_board_new (list);
  g_autoptr (StintJobSpec) spec = fixture_shell ("true");
  guint n_jobs = STINT_ENDED_JOBS_KEPT + STINT_BOARD_MOST_RECENT;

  stint_ended_jobs_limit (list, board);
  for (guint i = 0; i < n_jobs + 3; i++)
    {
      g_autoptr (StintResult) result = stint_result_new (STINT_REASON_EXITED);
      g_autoptr (StintJob) job = NULL;
      guint id = 2000 - i;

      /* The last of the list is the first that began, and the last that ended. */
      result->started_at = id * G_TIME_SPAN_MINUTE;
      result->duration = i == n_jobs + 2 ? G_TIME_SPAN_DAY * 7 : G_TIME_SPAN_SECOND;
      job = stint_job_new_finished (id, spec, result, NULL);
      stint_job_list_append_finished (list, job);
    }
  for (guint i = 0; i < STINT_BOARD_MOST_RECENT; i++)
    {
      g_autoptr (StintJob) job = g_list_model_get_item (G_LIST_MODEL (list), i);

      stint_job_board_add_finished (board, job, FALSE);
    }
  wait_until (count_jobs (list) == n_jobs);
  for (guint i = 0; i < n_jobs + 3; i++)
    {
      g_autoptr (StintJob) job = stint_job_list_lookup (list, 2000 - i);
      gboolean old = i >= n_jobs - 1 && i < n_jobs + 2;

      g_assert_cmpint (job == NULL, ==, old);
    }
}

/* The control: without it all of them stay. */
static void
test_no_limit (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobBoard) board = stint_job_board_new (list);
  g_autoptr (StintJob) first = add_many (list, board);

  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpuint (count_jobs (list), ==, MANY);
}

/* The board goes before anything was taken off. */
static void
test_end (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  StintJobBoard *board = stint_job_board_new (list);
  g_autoptr (StintJob) first = NULL;

  stint_ended_jobs_limit (list, board);
  first = add_many (list, board);
  g_object_unref (board);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpuint (count_jobs (list), ==, MANY);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/ended-jobs/limit", test_limit);
  g_test_add_func ("/app/ended-jobs/order", test_order);
  g_test_add_func ("/app/ended-jobs/no-limit", test_no_limit);
  g_test_add_func ("/app/ended-jobs/end", test_end);
  return g_test_run ();
}
