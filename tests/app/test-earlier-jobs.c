/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What earlier processes left comes into the list, and what was interrupted is shown to who could not see
 * it end.
 */
#include "config.h"

#include "stint-earlier-jobs.h"

#include "engine-fixture.h"
#include "history-fixture.h"
#include "protocol.h"
#include "stint-archive.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

typedef struct
{
  HistoryFixture *history;
  StintJobList *jobs;
  StintJobBoard *board;
  StintProblems *problems;
  StintEarlierJobs *earlier;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJobPlace) orphan = NULL;

  fixture->history = history_fixture_new ();
  history_fixture_add (fixture->history, "true");
  orphan = history_fixture_begin (fixture->history, "sleep 1000");
  history_fixture_add (fixture->history, "false");
  /* Its owner seems to have died: another process has its id. */
  history_fixture_sql (fixture->history, "UPDATE jobs SET owner_start = 1 WHERE id = 2");
  close (g_steal_fd (&orphan->lock_fd));
}

static void
begin (Fixture *fixture)
{
  StintHistory *history = fixture->history->history;
  g_autoptr (StintSettings) settings = stint_settings_new ();

  fixture->jobs = stint_job_list_new (STINT_JOB_STORE (history));
  fixture->board = stint_job_board_new (fixture->jobs);
  fixture->problems = stint_problems_new ();
  fixture->earlier = stint_earlier_jobs_new (history, fixture->jobs, fixture->board, settings,
                                             fixture->problems);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  stint_earlier_jobs_stop (fixture->earlier);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->problems)), ==, 0);
  g_object_unref (fixture->earlier);
  g_object_unref (fixture->problems);
  g_object_unref (fixture->board);
  g_object_unref (fixture->jobs);
  /* Old jobs are looked for meanwhile. */
  wait_until (G_OBJECT (fixture->history->history)->ref_count == 1);
  history_fixture_free (fixture->history);
}

static guint
count (gpointer model)
{
  return g_list_model_get_n_items (G_LIST_MODEL (model));
}

static void
test_loaded (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) interrupted = NULL;

  begin (fixture);
  wait_until (count (fixture->jobs) == 3);
  interrupted = stint_job_list_lookup (fixture->jobs, 2);
  g_assert_cmpint (stint_job_get_result (interrupted)->reason, ==, STINT_REASON_INTERRUPTED);

  /* The others have been seen. */
  g_assert_cmpuint (count (fixture->board), ==, 1);
  g_assert_nonnull (stint_job_board_find (fixture->board, interrupted));
  g_assert_cmpuint (stint_job_board_get_count (fixture->board, STINT_SECTION_NEEDS_YOU), ==, 1);
}

/* It was let go, and ended while no Stint was there: as its keeper wrote it down. */
static void
write_outcome (HistoryFixture *history, guint64 id, int exit_code)
{
  const struct keeper_outcome outcome = {
    .magic = KEEPER_OUTCOME_MAGIC,
    .version = KEEPER_VERSION,
    .reason = KEEPER_REASON_EXITED,
    .has_status = 1,
    .wait_status = exit_code << 8,
    .started_at = 1000000,
    .leader_end_at = 2000000,
    .ended_at = 2000000,
    .ended_real = 1700000003000000,
  };
  g_autofree char *path =
      g_strdup_printf ("%s/jobs/%" G_GUINT64_FORMAT "/outcome", history->directory, id);

  g_assert_true (g_file_set_contents (path, (const char *) &outcome, sizeof outcome, NULL));
}

/* The job that failed unseen is shown, not one that was interrupted long ago, though that is newer. */
static void
test_let_go (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) old = NULL;
  g_autoptr (StintJob) failed = NULL;

  history_fixture_sql (fixture->history, "UPDATE jobs SET detached = 1 WHERE id = 2");
  write_outcome (fixture->history, 2, 3);
  history_fixture_sql (fixture->history, "UPDATE jobs SET reason = 'interrupted' WHERE id = 3");
  begin (fixture);
  wait_until (count (fixture->jobs) == 3);
  failed = stint_job_list_lookup (fixture->jobs, 2);
  old = stint_job_list_lookup (fixture->jobs, 3);
  g_assert_cmpint (stint_job_get_result (failed)->reason, ==, STINT_REASON_EXITED);
  g_assert_cmpint (stint_job_get_result (failed)->exit_code, ==, 3);
  g_assert_cmpint (stint_job_get_result (old)->reason, ==, STINT_REASON_INTERRUPTED);

  g_assert_cmpuint (count (fixture->board), ==, 1);
  g_assert_nonnull (stint_job_board_find (fixture->board, failed));
  g_assert_cmpuint (stint_job_board_get_count (fixture->board, STINT_SECTION_NEEDS_YOU), ==, 1);
}

/* `stintctl history` was there first, and had nowhere to show it; a second window shows nothing again. */
static void
test_recovered_by_others (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintArchive) archive = stint_archive_new (fixture->history->directory);
  g_autoptr (GPtrArray) left = g_ptr_array_new_with_free_func ((GDestroyNotify) stint_left_job_free);
  g_autoptr (GArray) recovered = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (StintJob) interrupted = NULL;
  g_autoptr (GError) error = NULL;
  guint n_ending;

  stint_archive_recover (archive, FALSE, left, recovered, &n_ending, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (recovered->len, ==, 1);
  begin (fixture);
  wait_until (count (fixture->jobs) == 3);
  interrupted = stint_job_list_lookup (fixture->jobs, 2);
  g_assert_cmpuint (count (fixture->board), ==, 1);
  g_assert_nonnull (stint_job_board_find (fixture->board, interrupted));
  g_assert_cmpint (history_fixture_recover (fixture->history), ==, 0);
}

/* One that was recovered is shown though so many are newer that it is not loaded with them. */
static void
test_old (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) job = NULL;

  history_fixture_sql (
      fixture->history,
      "INSERT INTO jobs (kind, command, tags, spec, state, created_at, started_at, duration, reason, "
      "failure, exit_code, survivors) "
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) "
      "SELECT kind, command, tags, spec, state, created_at, started_at, duration, reason, failure, "
      "exit_code, survivors FROM n JOIN jobs ON jobs.id = 3");
  begin (fixture);
  wait_until ((job = stint_job_list_lookup (fixture->jobs, 2)) != NULL);
  g_assert_cmpint (stint_job_get_result (job)->reason, ==, STINT_REASON_INTERRUPTED);
  g_assert_nonnull (stint_job_board_find (fixture->board, job));
  g_assert_cmpuint (count (fixture->board), ==, 1);
  g_assert_cmpuint (count (fixture->jobs), ==, 201);
}

/* The application quits before the history has answered. */
static void
test_stopped (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) loaded = NULL;

  begin (fixture);
  stint_earlier_jobs_stop (fixture->earlier);
  /* The history answers in order: what was asked before has been answered. */
  loaded = history_fixture_load (fixture->history);
  g_assert_cmpuint (loaded->len, ==, 3);
  g_assert_cmpuint (count (fixture->jobs), ==, 0);
}

/* A keeper's socket where nobody answers any more, as one leaves it that is just ending. */
static void
leave_socket (const char *directory)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  g_autofree char *path = g_build_filename (directory, "control", NULL);
  int fd = socket (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

  g_assert_cmpuint (g_strlcpy (address.sun_path, path, sizeof address.sun_path), <,
                    sizeof address.sun_path);
  g_assert_no_errno (bind (fd, (struct sockaddr *) &address, sizeof address));
  close (fd);
}

/* A job ends between the look at it and its being taken over: here, while the test holds its lock. Its
 * end appears as soon as its keeper has gone, however it ended, and nobody has to ask again. */
static void
test_ends_meanwhile (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJobPlace) place = history_fixture_begin (fixture->history, "sleep 1000");
  g_autoptr (GPtrArray) loaded = NULL;
  g_autoptr (StintJob) job = NULL;

  history_fixture_sql (fixture->history,
                       "UPDATE jobs SET owner_start = 1, detached = 1 WHERE id = 4");
  leave_socket (place->directory);
  begin (fixture);
  wait_until (count (fixture->jobs) == 3);
  /* The history answers in order. */
  loaded = history_fixture_load (fixture->history);
  job = stint_job_list_lookup (fixture->jobs, 4);
  g_assert_null (job);

  close (g_steal_fd (&place->lock_fd));
  wait_until (count (fixture->jobs) == 4);
  job = stint_job_list_lookup (fixture->jobs, 4);
  g_assert_cmpint (stint_job_get_state (job), ==, STINT_JOB_FINISHED);
  g_assert_nonnull (stint_job_board_find (fixture->board, job));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/app/earlier-jobs/loaded", Fixture, NULL, set_up, test_loaded, tear_down);
  g_test_add ("/app/earlier-jobs/let-go", Fixture, NULL, set_up, test_let_go, tear_down);
  g_test_add ("/app/earlier-jobs/recovered-by-others", Fixture, NULL, set_up,
              test_recovered_by_others, tear_down);
  g_test_add ("/app/earlier-jobs/old", Fixture, NULL, set_up, test_old, tear_down);
  g_test_add ("/app/earlier-jobs/stopped", Fixture, NULL, set_up, test_stopped, tear_down);
  g_test_add ("/app/earlier-jobs/ends-meanwhile", Fixture, NULL, set_up, test_ends_meanwhile,
              tear_down);
  return g_test_run ();
}
