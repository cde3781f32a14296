/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What follows a job goes with it when it is let go: the process that takes the job over runs it, once;
 * and where nobody saw the end it is told rather than run.
 */
#include "config.h"

#include "next-fixture.h"

#include "stint-archive.h"
#include "stint-error.h"
#include "stint-sequence.h"

static guint
count_jobs (Next *next)
{
  return g_list_model_get_n_items (G_LIST_MODEL (next->jobs));
}

/* Until the last of @n jobs and all before it have ended and been saved. */
static void
wait_for_jobs (Next *next, guint n)
{
  wait_until (count_jobs (next) == n && stint_job_list_get_n_active (next->jobs) == 0 &&
              stint_job_list_get_n_saving (next->jobs) == 0);
}

/* As wait_for_jobs(), where the first is one that was let go: it is not counted as active. */
static void
wait_for_end_and_jobs (Next *next, StintJob *job, guint n)
{
  wait_until (stint_job_get_state (job) == STINT_JOB_FINISHED);
  wait_for_jobs (next, n);
}

static void
test_then (void)
{
  g_autoptr (Next) next = next_new ();
  g_autoptr (StintJob) job = NULL;
  g_autoptr (GPtrArray) followers = NULL;

  next_let_go (next, "exit", "read line < fifo", "then=echo next; exit 3", "then=exit 4", NULL);
  job = next_adopt_well (next);
  next_say (next, "\n");
  wait_for_end_and_jobs (next, job, 2);
  followers = stint_job_list_dup_followers (next->jobs, job);
  g_assert_cmpuint (followers->len, ==, 1);
  g_assert_true (next_has_written (followers->pdata[0], "next"));
  g_assert_cmpint (stint_job_get_result (followers->pdata[0])->exit_code, ==, 3);
  g_assert_cmpint (history_fixture_count (next->fixture, "SELECT follows FROM jobs WHERE id = 2"),
                   ==, 1);

  /* The next start finds nothing to do. */
  g_assert_cmpint (history_fixture_recover (next->fixture), ==, 0);
  g_assert_cmpint (history_fixture_count (next->fixture, "SELECT count (*) FROM jobs"), ==, 2);
  history_fixture_assert_no_problem (next->fixture);
}

/* It is known which attempt was let go: they are not begun anew. */
static void
test_retry (void)
{
  g_autoptr (Next) next = next_new ();
  g_autoptr (StintJob) job = NULL;
  g_autoptr (StintJob) last = NULL;

  next_let_go (next, "die",
               "test -e first || { touch first; exit 1; }; "
               "test -e second || { touch second; read line < fifo; }; exit 1",
               "retries=2", "attempt=2", NULL);
  job = next_adopt_well (next);
  g_assert_cmpuint (stint_job_get_attempt (job), ==, 2);
  g_assert_cmpuint (stint_job_get_follows (job), ==, 1);
  next_say (next, "\n");
  wait_for_end_and_jobs (next, job, 2);
  last = g_list_model_get_item (G_LIST_MODEL (next->jobs), 0);
  g_assert_cmpuint (stint_job_get_attempt (last), ==, 3);
  g_assert_cmpint (history_fixture_count (next->fixture, "SELECT count (*) FROM jobs"), ==, 3);
  g_assert_cmpint (history_fixture_count (next->fixture, "SELECT count (*) FROM jobs "
                                                         "WHERE attempt = id"),
                   ==, 3);
}

/* What somebody added while it ran, whether or not it had been let go by then. */
static void
test_added (void)
{
  g_autoptr (Next) next = next_new ();
  g_autoptr (StintJob) job = NULL;
  g_autoptr (GPtrArray) followers = NULL;
  g_autoptr (GPtrArray) jobs = NULL;

  next_let_go (next, "exit", "read line < fifo; exit 1", "add=echo before",
               "add-after=echo after", NULL);
  job = next_adopt_well (next);
  /* And goes with it again, to whoever comes then; the history answers in order. */
  jobs = history_fixture_load (next->fixture);
  g_assert_cmpint (history_fixture_count (next->fixture,
                                          "SELECT json_array_length (added_lines) FROM jobs"),
                   ==, 2);
  next_say (next, "\n");
  wait_for_end_and_jobs (next, job, 3);
  followers = stint_job_list_dup_followers (next->jobs, job);
  g_assert_cmpuint (followers->len, ==, 2);
  g_assert_true (next_has_written (followers->pdata[0], "before"));
  g_assert_true (next_has_written (followers->pdata[1], "after"));
}

static void
wait_until_recovered (Next *next)
{
  while (history_fixture_recover (next->fixture) == 0)
    g_usleep (10000);
}

/* The shutdown comes first; the next start tells what it has kept from following. */
static void
test_closed (void)
{
  g_autoptr (Next) next = next_new ();
  g_autoptr (StintJob) job = NULL;

  next_let_go (next, "exit", "read line < fifo", "then=echo next", "add=echo added", NULL);
  job = next_adopt_well (next);
  stint_job_list_close (next->jobs);
  next_say (next, "\n");
  next_wait_for_end (next, job);
  g_assert_cmpuint (count_jobs (next), ==, 1);
  history_fixture_assert_no_problem (next->fixture);

  /* This process has ended. */
  g_assert_cmpint (history_fixture_count (next->fixture,
                                          "SELECT count (*) FROM jobs WHERE state = 'running'"),
                   ==, 1);
  history_fixture_sql (next->fixture, "UPDATE jobs SET owner_start = 1");
  wait_until_recovered (next);
  history_fixture_assert_problem (next->fixture, STINT_ERROR_NOT_RUNNING);
  history_fixture_assert_no_problem (next->fixture);
  g_assert_cmpint (history_fixture_count (next->fixture,
                                          "SELECT count (*) FROM jobs WHERE state = 'finished' "
                                          "AND reason = 'exited' AND exit_code = 0"),
                   ==, 1);
}

/* The control: what nothing follows is saved here. */
static void
test_closed_alone (void)
{
  g_autoptr (Next) next = next_new ();
  g_autoptr (StintJob) job = NULL;

  next_let_go (next, "exit", "read line < fifo", NULL);
  job = next_adopt_well (next);
  stint_job_list_close (next->jobs);
  next_say (next, "\n");
  next_wait_for_end (next, job);
  g_assert_cmpint (history_fixture_count (next->fixture,
                                          "SELECT count (*) FROM jobs WHERE state = 'finished'"),
                   ==, 1);
  history_fixture_assert_no_problem (next->fixture);
}

/* It ended and nobody was there: that is told, once; and only if something was to follow that end. */
static void
test_told (gconstpointer data)
{
  const char *const *settings = data;
  g_autoptr (Next) next = next_new ();

  next_let_go (next, "exit", settings[0], settings[1], NULL);
  next_say (next, "\n");
  wait_until_recovered (next);
  if (settings[2] != NULL)
    history_fixture_assert_problem (next->fixture, STINT_ERROR_NOT_RUNNING);
  history_fixture_assert_no_problem (next->fixture);
  g_assert_cmpint (history_fixture_recover (next->fixture), ==, 0);
  history_fixture_assert_no_problem (next->fixture);
  g_assert_cmpint (history_fixture_count (next->fixture, "SELECT count (*) FROM jobs"), ==, 1);
}

/* Somebody else has completed its row in the meantime, and tells: here a trigger stands for that. */
static void
test_told_elsewhere (void)
{
  g_autoptr (Next) next = next_new ();
  g_autofree char *directory = NULL;

  next_let_go (next, "exit", "read line < fifo", "then=echo next", NULL);
  directory = history_fixture_path (next->fixture, "jobs/1");
  next_say (next, "\n");
  g_assert_true (stint_job_store_wait_until_unlocked (directory, NULL));
  history_fixture_sql (next->fixture, "CREATE TRIGGER elsewhere BEFORE UPDATE ON jobs "
                                      "BEGIN SELECT raise (IGNORE); END");
  g_assert_cmpint (history_fixture_recover (next->fixture), ==, 0);
  history_fixture_assert_no_problem (next->fixture);

  history_fixture_sql (next->fixture, "DROP TRIGGER elsewhere");
  g_assert_cmpint (history_fixture_recover (next->fixture), ==, 1);
  history_fixture_assert_problem (next->fixture, STINT_ERROR_NOT_RUNNING);
}

/* Who has no window has completed its row: that tells nobody, and the next window tells. */
static void
test_told_later (void)
{
  g_autoptr (Next) next = next_new ();
  g_autoptr (StintArchive) archive = stint_archive_new (next->fixture->directory);
  g_autoptr (GPtrArray) left = g_ptr_array_new_with_free_func ((GDestroyNotify) stint_left_job_free);
  g_autoptr (GArray) recovered = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GPtrArray) problems = NULL;
  g_autofree char *directory = NULL;
  guint n_ending;

  next_let_go (next, "exit", "read line < fifo", "then=echo next", NULL);
  directory = history_fixture_path (next->fixture, "jobs/1");
  next_say (next, "\n");
  g_assert_true (stint_job_store_wait_until_unlocked (directory, NULL));
  g_assert_cmpint (stint_archive_recover (archive, FALSE, left, recovered, &n_ending, NULL), ==, 1);
  g_assert_cmpint (stint_archive_recover (archive, FALSE, left, recovered, &n_ending, NULL), ==, 0);
  problems = stint_archive_take_problems (archive);
  g_assert_true (problems == NULL || problems->len == 0);

  g_assert_cmpint (history_fixture_recover (next->fixture), ==, 1);
  history_fixture_assert_problem (next->fixture, STINT_ERROR_NOT_RUNNING);
  g_assert_cmpint (history_fixture_recover (next->fixture), ==, 0);
  history_fixture_assert_no_problem (next->fixture);
}

/* Who let it go has seen to what follows, and then died: neither run again nor told of, not even if it
 * died before the end was written. */
static void
test_done_before (void)
{
  g_autoptr (Next) next = next_new ();
  g_autoptr (GPtrArray) left = NULL;

  next_let_go (next, "end", "read line < fifo", "then=exec sleep 1000", NULL);
  history_fixture_sql (next->fixture,
                       "UPDATE jobs SET state = 'running', reason = NULL WHERE id = 1");
  while (history_fixture_count (next->fixture,
                                "SELECT count (*) FROM jobs WHERE state = 'finished'") < 2)
    {
      history_fixture_recover (next->fixture);
      g_usleep (10000);
    }
  left = stint_history_take_left (next->fixture->history);
  g_assert_cmpuint (left->len, ==, 0);
  g_assert_cmpint (history_fixture_count (next->fixture, "SELECT count (*) FROM jobs"), ==, 2);
  history_fixture_assert_no_problem (next->fixture);
}

int
main (int argc, char **argv)
{
  static const char *const then[] = { "read line < fifo", "then=echo next", "told" };
  static const char *const retry[] = { "read line < fifo; exit 1", "retries=1", "told" };
  static const char *const added[] = { "read line < fifo; exit 1", "add=echo next", "told" };
  static const char *const other_end[] = { "read line < fifo; exit 1", "then=echo next", NULL };
  static const char *const nothing[] = { "read line < fifo", "timeout=1000", NULL };

  g_test_init (&argc, &argv, NULL);
  next_watch ();
  g_test_add_func ("/followers/then", test_then);
  g_test_add_func ("/followers/retry", test_retry);
  g_test_add_func ("/followers/added", test_added);
  g_test_add_func ("/followers/closed", test_closed);
  g_test_add_func ("/followers/control/closed-alone", test_closed_alone);
  g_test_add_data_func ("/followers/told/then", then, test_told);
  g_test_add_data_func ("/followers/told/retry", retry, test_told);
  g_test_add_data_func ("/followers/told/added", added, test_told);
  g_test_add_data_func ("/followers/told/control/other-end", other_end, test_told);
  g_test_add_data_func ("/followers/told/control/nothing", nothing, test_told);
  g_test_add_func ("/followers/told/elsewhere", test_told_elsewhere);
  g_test_add_func ("/followers/told/later", test_told_later);
  g_test_add_func ("/followers/done-before", test_done_before);
  return g_test_run ();
}
