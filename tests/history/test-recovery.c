/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a crash left behind gets its true end, and nothing else is touched.
 */
#include "config.h"

#include <signal.h>
#include <unistd.h>

#include "history-fixture.h"
#include "protocol.h"

/* Started long ago, ended 2.5 s later by SIGKILL, while it was being stopped. */
static struct keeper_outcome
make_outcome (void)
{
  return (struct keeper_outcome){
    .magic = KEEPER_OUTCOME_MAGIC,
    .version = KEEPER_VERSION,
    .reason = KEEPER_REASON_INTERRUPTED,
    .has_status = 1,
    .wait_status = 7 << 8,
    .pid = 1234,
    .escalated = 1,
    .leftovers = 3,
    .started_at = 1000000,
    .leader_end_at = 3500000,
    .ended_at = 4000000,
    .ended_real = 1700000003000000,
    .cpu = 70000,
    .max_rss = 1 << 20,
    .stdout_bytes = 11,
    .stderr_bytes = 22,
  };
}

static void
write_outcome (HistoryFixture *fixture, guint64 id, const struct keeper_outcome *outcome)
{
  g_autofree char *path =
      g_strdup_printf ("%s/jobs/%" G_GUINT64_FORMAT "/outcome", fixture->directory, id);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, (const char *) outcome, sizeof *outcome, &error);
  g_assert_no_error (error);
}

/* A row that looks as if its owner had died: another process has its id, or there was a reboot. */
static guint64
add_orphan (HistoryFixture *fixture, const char *change)
{
  g_autoptr (StintJobPlace) place = history_fixture_begin (fixture, "true");
  g_autofree char *sql =
      g_strdup_printf ("UPDATE jobs SET %s WHERE id = %" G_GUINT64_FORMAT, change, place->id);

  history_fixture_sql (fixture, sql);
  close (place->lock_fd);
  place->lock_fd = -1;
  return place->id;
}

static void
test_with_outcome (gconstpointer change)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  struct keeper_outcome outcome = make_outcome ();
  g_autoptr (GPtrArray) jobs = NULL;
  StintResult *result;
  guint64 id;

  id = add_orphan (fixture, change);
  write_outcome (fixture, id, &outcome);
  g_assert_cmpint (history_fixture_recover (fixture), ==, 1);
  g_assert_cmpuint (stint_history_get_n_ending (fixture->history), ==, 0);
  jobs = history_fixture_load (fixture);
  g_assert_cmpuint (jobs->len, ==, 1);
  g_assert_cmpuint (stint_job_get_id (g_ptr_array_index (jobs, 0)), ==, id);
  g_assert_nonnull (stint_job_get_directory (g_ptr_array_index (jobs, 0)));
  result = stint_job_get_result (g_ptr_array_index (jobs, 0));
  g_assert_cmpint (result->reason, ==, STINT_REASON_INTERRUPTED);
  g_assert_true (result->has_exit_code);
  g_assert_cmpint (result->exit_code, ==, 7);
  g_assert_true (result->escalated);
  g_assert_cmpuint (result->leftovers, ==, 3);
  g_assert_cmpint (result->started_at, ==, 1700000000000000);
  g_assert_cmpint (result->duration, ==, 2500000);
  g_assert_cmpuint (result->stdout_bytes, ==, 11);
  g_assert_cmpuint (result->stderr_bytes, ==, 22);

  /* Once is enough. */
  g_assert_cmpint (history_fixture_recover (fixture), ==, 0);
  history_fixture_assert_no_problem (fixture);
}

/* It ended by itself, or for its limits; only the row could not be written. */
static void
test_unsaved (void)
{
  static const enum keeper_reason reasons[] = { KEEPER_REASON_EXITED, KEEPER_REASON_TIMEOUT };

  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    {
      g_autoptr (HistoryFixture) fixture = history_fixture_new ();
      struct keeper_outcome outcome = make_outcome ();
      g_autoptr (GPtrArray) jobs = NULL;
      StintResult *result;

      outcome.reason = reasons[i];
      write_outcome (fixture, add_orphan (fixture, "owner_start = 1"), &outcome);
      g_assert_cmpint (history_fixture_recover (fixture), ==, 1);
      jobs = history_fixture_load (fixture);
      result = stint_job_get_result (g_ptr_array_index (jobs, 0));
      g_assert_cmpint (result->reason, ==, (StintReason) reasons[i]);
      g_assert_cmpint (result->exit_code, ==, 7);
    }
}

/* Killed while it opened a place to be met at, or wrote the outcome: nothing of that stays. */
static void
test_half_made (void)
{
  static const char *const names[] = { "control", "owner", "owner.new", "outcome.new" };
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  struct keeper_outcome outcome = make_outcome ();
  guint64 id = add_orphan (fixture, "owner_pid = 99999999");
  g_autofree char *directory =
      g_strdup_printf ("%s/jobs/%" G_GUINT64_FORMAT, fixture->directory, id);

  write_outcome (fixture, id, &outcome);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (directory, names[i], NULL);

      g_assert_true (g_file_set_contents (path, "", 0, NULL));
    }
  g_assert_cmpint (history_fixture_recover (fixture), ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (directory, names[i], NULL);

      g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
    }
}

static void
test_signal (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  struct keeper_outcome outcome = make_outcome ();
  g_autoptr (GPtrArray) jobs = NULL;
  StintResult *result;

  outcome.wait_status = SIGKILL;
  write_outcome (fixture, add_orphan (fixture, "owner_start = 1"), &outcome);
  g_assert_cmpint (history_fixture_recover (fixture), ==, 1);
  jobs = history_fixture_load (fixture);
  result = stint_job_get_result (g_ptr_array_index (jobs, 0));
  g_assert_false (result->has_exit_code);
  g_assert_cmpint (result->term_signal, ==, SIGKILL);
}

/* Nobody could write one, or it is damaged, or the whole directory is gone: it ended all the same. */
static void
test_without_outcome (gconstpointer how)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autofree char *outcome = history_fixture_path (fixture, "jobs/1/outcome");
  g_autofree char *lock = history_fixture_path (fixture, "jobs/1/lock");
  g_autofree char *directory = history_fixture_path (fixture, "jobs/1");
  g_autoptr (GPtrArray) jobs = NULL;
  gint64 before = g_get_real_time ();
  StintResult *result;

  add_orphan (fixture, "owner_start = 1");
  if (g_str_equal (how, "damaged"))
    g_assert_true (g_file_set_contents (outcome, "STKO", -1, NULL));
  else if (g_str_equal (how, "gone"))
    {
      unlink (lock);
      g_assert_no_errno (rmdir (directory));
    }
  g_assert_cmpint (history_fixture_recover (fixture), ==, 1);
  jobs = history_fixture_load (fixture);
  g_assert_cmpuint (jobs->len, ==, 1);
  result = stint_job_get_result (g_ptr_array_index (jobs, 0));
  g_assert_cmpint (result->reason, ==, STINT_REASON_INTERRUPTED);
  g_assert_false (result->has_exit_code);
  g_assert_cmpint (result->term_signal, ==, 0);
  g_assert_cmpint (result->started_at, >=, before);
  g_assert_cmpint (result->started_at, <=, g_get_real_time ());
}

/* Owner alive, lock free: the moment between the keeper's end and the row's. */
static void
test_live_owner (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintJobSpec) spec = history_fixture_spec ("true");
  g_autoptr (StintJobPlace) place = history_fixture_begin_spec (fixture, spec);
  g_autoptr (StintResult) how = stint_result_new (STINT_REASON_TERMINATED);
  g_autoptr (GPtrArray) jobs = NULL;
  struct keeper_outcome outcome = make_outcome ();

  close (place->lock_fd);
  place->lock_fd = -1;
  write_outcome (fixture, place->id, &outcome);
  g_assert_false (stint_job_store_is_locked (place->directory));
  g_assert_cmpint (history_fixture_recover (fixture), ==, 0);
  g_assert_cmpuint (stint_history_get_n_ending (fixture->history), ==, 0);

  g_assert_true (history_fixture_finish (fixture, place->id, spec, how, NULL));
  jobs = history_fixture_load (fixture);
  g_assert_cmpint (stint_job_get_result (g_ptr_array_index (jobs, 0))->reason, ==,
                   STINT_REASON_TERMINATED);
}

/* Owner dead, lock held: the keeper is at it. The control is that it works as soon as it is free. */
static void
test_held_lock (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintJobPlace) place = history_fixture_begin (fixture, "true");

  history_fixture_sql (fixture, "UPDATE jobs SET owner_start = 1");
  g_assert_cmpint (history_fixture_recover (fixture), ==, 0);
  g_assert_cmpuint (stint_history_get_n_ending (fixture->history), ==, 1);
  g_assert_cmpint (
      history_fixture_count (fixture, "SELECT count (*) FROM jobs WHERE state = 'running'"), ==, 1);

  close (place->lock_fd);
  place->lock_fd = -1;
  g_assert_cmpint (history_fixture_recover (fixture), ==, 1);
  g_assert_cmpuint (stint_history_get_n_ending (fixture->history), ==, 0);
}

static void
test_finished_row (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  struct keeper_outcome outcome = make_outcome ();
  g_autoptr (GPtrArray) jobs = NULL;

  write_outcome (fixture, history_fixture_add (fixture, "true"), &outcome);
  history_fixture_sql (fixture, "UPDATE jobs SET owner_start = 1");
  g_assert_cmpint (history_fixture_recover (fixture), ==, 0);
  jobs = history_fixture_load (fixture);
  g_assert_cmpint (stint_job_get_result (g_ptr_array_index (jobs, 0))->reason, ==,
                   STINT_REASON_EXITED);
}

/* Two windows start at once: each row is recovered by one of them. */
static void
test_two_at_once (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintHistory) second = stint_history_new (fixture->directory);
  g_autoptr (GAsyncResult) first_result = NULL;
  g_autoptr (GAsyncResult) second_result = NULL;
  GAsyncResult *pending[2] = { NULL, NULL };
  int n_first, n_second;

  for (guint i = 0; i < 100; i++)
    stint_job_place_free (history_fixture_begin (fixture, "true"));
  history_fixture_sql (fixture, "UPDATE jobs SET owner_start = 1");
  stint_history_recover_async (fixture->history, history_fixture_keep_result, &pending[0]);
  stint_history_recover_async (second, history_fixture_keep_result, &pending[1]);
  first_result = history_fixture_await (&pending[0]);
  second_result = history_fixture_await (&pending[1]);
  n_first = stint_history_recover_finish (fixture->history, first_result, NULL);
  n_second = stint_history_recover_finish (second, second_result, NULL);
  g_test_message ("%d and %d", n_first, n_second);
  g_assert_cmpint (n_first + n_second, ==, 100);
}

static void
read_line_done (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  char **line = user_data;

  *line = g_data_input_stream_read_line_finish_utf8 (G_DATA_INPUT_STREAM (source), result, NULL,
                                                     &error);
  g_assert_no_error (error);
  if (*line == NULL)
    *line = g_strdup ("end");
}

static char *
read_line (GDataInputStream *stream)
{
  char *line = NULL;

  g_data_input_stream_read_line_async (stream, G_PRIORITY_DEFAULT, NULL, read_line_done, &line);
  while (line == NULL)
    g_main_context_iteration (NULL, TRUE);
  return line;
}

/* The whole of it with real processes: the owner runs; is killed; its keeper lives on, and ends. */
static void
test_killed_owner (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) owner =
      g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error,
                        g_getenv ("STINT_HISTORY_HELPER"), "hold", fixture->directory, NULL);
  g_autoptr (GDataInputStream) output = NULL;
  g_autoptr (GAsyncResult) ended = NULL;
  GAsyncResult *pending = NULL;
  g_autofree char *id = NULL;
  g_autofree char *end = NULL;

  g_assert_no_error (error);
  output = g_data_input_stream_new (g_subprocess_get_stdout_pipe (owner));
  id = read_line (output);
  g_assert_cmpstr (id, ==, "1");
  g_assert_cmpint (history_fixture_recover (fixture), ==, 0);
  g_assert_cmpuint (stint_history_get_n_ending (fixture->history), ==, 0);

  g_subprocess_send_signal (owner, SIGKILL);
  g_subprocess_wait_async (owner, NULL, history_fixture_keep_result, &pending);
  ended = history_fixture_await (&pending);
  g_assert_cmpint (history_fixture_recover (fixture), ==, 0);
  g_assert_cmpuint (stint_history_get_n_ending (fixture->history), ==, 1);

  /* The end of its output is the end of the last of them. */
  g_assert_true (g_output_stream_close (g_subprocess_get_stdin_pipe (owner), NULL, NULL));
  end = read_line (output);
  g_assert_cmpstr (end, ==, "end");
  g_assert_cmpint (history_fixture_recover (fixture), ==, 1);
  g_assert_cmpuint (stint_history_get_n_ending (fixture->history), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  history_fixture_watch ();
  g_test_add_data_func ("/recovery/other-process", "owner_start = owner_start + 1",
                        test_with_outcome);
  g_test_add_data_func ("/recovery/dead-process", "owner_pid = 99999999", test_with_outcome);
  g_test_add_data_func ("/recovery/reboot", "boot_id = '0'", test_with_outcome);
  g_test_add_data_func ("/recovery/no-owner", "owner_pid = NULL, boot_id = NULL",
                        test_with_outcome);
  g_test_add_func ("/recovery/unsaved", test_unsaved);
  g_test_add_func ("/recovery/half-made", test_half_made);
  g_test_add_func ("/recovery/signal", test_signal);
  g_test_add_data_func ("/recovery/no-outcome", "none", test_without_outcome);
  g_test_add_data_func ("/recovery/damaged-outcome", "damaged", test_without_outcome);
  g_test_add_data_func ("/recovery/no-directory", "gone", test_without_outcome);
  g_test_add_func ("/recovery/live-owner", test_live_owner);
  g_test_add_func ("/recovery/held-lock", test_held_lock);
  g_test_add_func ("/recovery/finished-row", test_finished_row);
  g_test_add_func ("/recovery/two-at-once", test_two_at_once);
  g_test_add_func ("/recovery/killed-owner", test_killed_owner);
  return g_test_run ();
}
