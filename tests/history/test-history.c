/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The history when all goes well: what goes in comes out, in order, and nothing else is kept.
 */
#include "config.h"

#include <fcntl.h>
#include <ftw.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "history-fixture.h"
#include "stint-error.h"
#include "stint-scratch-store.h"

static void
test_nothing_before_first_request (void)
{
  g_autofree char *parent = g_dir_make_tmp ("stint-history-XXXXXX", NULL);
  g_autofree char *directory = g_build_filename (parent, "state", NULL);
  g_autoptr (StintHistory) history = stint_history_new (directory);

  g_assert_cmpstr (stint_history_get_directory (history), ==, directory);
  stint_history_close (history);
  g_assert_false (g_file_test (directory, G_FILE_TEST_EXISTS));
  g_assert_no_errno (g_rmdir (parent));
}

static void
test_default_directory (void)
{
  g_autofree char *expected = g_build_filename (g_get_user_state_dir (), "stint", NULL);
  g_autoptr (StintHistory) history = stint_history_new (NULL);

  g_assert_cmpstr (stint_history_get_directory (history), ==, expected);
}

/* The base directory specification: what is not absolute is ignored. */
static void
test_relative_directory_is_ignored (void)
{
  if (g_test_subprocess ())
    {
      g_autofree char *expected = g_build_filename (g_get_home_dir (), ".local", "state", "stint", NULL);
      g_autoptr (StintHistory) history = stint_history_new (NULL);

      g_assert_cmpstr (g_get_user_state_dir (), ==, "somewhere");
      g_assert_cmpstr (stint_history_get_directory (history), ==, expected);
      return;
    }
  g_setenv ("XDG_STATE_HOME", "somewhere", TRUE);
  g_test_trap_subprocess (NULL, 0, 0);
  g_test_trap_assert_passed ();
}

static void
test_begin_and_finish (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintJobSpec) spec = history_fixture_spec ("make -j4");
  g_autoptr (StintJobPlace) place = history_fixture_begin_spec (fixture, spec);
  g_autoptr (StintResult) result = stint_result_new (STINT_REASON_EXITED);
  g_autofree char *directory = history_fixture_path (fixture, "jobs/1");
  g_autoptr (GPtrArray) before = NULL;
  g_autoptr (GPtrArray) after = NULL;
  g_autoptr (GError) error = NULL;
  StintJob *job;

  g_assert_cmpuint (place->id, ==, 1);
  g_assert_cmpstr (place->directory, ==, directory);
  g_assert_false (place->scratch);
  g_assert_null (place->warning);
  g_assert_true (stint_job_store_is_locked (directory));
  g_assert_cmpint (history_fixture_count (fixture,
                                          "SELECT count (*) FROM jobs WHERE state = 'running' "
                                          "AND reason IS NULL AND command = 'make -j4'"),
                   ==, 1);
  before = history_fixture_load (fixture);
  g_assert_cmpuint (before->len, ==, 0);

  stint_result_set_wait_status (result, 3 << 8);
  result->started_at = 1700000000123456;
  g_assert_true (history_fixture_finish (fixture, 1, spec, result, &error));
  g_assert_no_error (error);
  after = history_fixture_load (fixture);
  g_assert_cmpuint (after->len, ==, 1);
  job = g_ptr_array_index (after, 0);
  g_assert_cmpuint (stint_job_get_id (job), ==, 1);
  g_assert_cmpint (stint_job_get_state (job), ==, STINT_JOB_FINISHED);
  g_assert_cmpstr (stint_job_get_directory (job), ==, directory);
  g_assert_cmpint (stint_job_get_result (job)->exit_code, ==, 3);
  g_assert_cmpint (stint_job_get_started_at (job), ==, 1700000000123456);
  g_assert_cmpstr (stint_job_spec_get_shell_line (stint_job_get_spec (job)), ==, "make -j4");
  history_fixture_assert_no_problem (fixture);
}

/* The lock of a place lasts as long as its descriptor: the control to the above. */
static void
test_lock_ends (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  StintJobPlace *place = history_fixture_begin (fixture, "true");
  g_autofree char *directory = g_strdup (place->directory);

  g_assert_true (stint_job_store_is_locked (directory));
  close (place->lock_fd);
  place->lock_fd = -1;
  stint_job_place_free (place);
  g_assert_false (stint_job_store_is_locked (directory));
}

static void
test_never_started (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintJobSpec) spec = history_fixture_spec ("  ");
  g_autoptr (StintJobPlace) place = history_fixture_begin_spec (fixture, spec);
  g_autoptr (StintResult) result = stint_result_new (STINT_REASON_CANCELLED);
  g_autoptr (GPtrArray) jobs = NULL;
  StintResult *loaded;

  g_assert_true (history_fixture_finish (fixture, place->id, spec, result, NULL));
  jobs = history_fixture_load (fixture);
  g_assert_cmpuint (jobs->len, ==, 1);
  loaded = stint_job_get_result (g_ptr_array_index (jobs, 0));
  g_assert_cmpint (loaded->reason, ==, STINT_REASON_CANCELLED);
  g_assert_false (loaded->has_exit_code);
  g_assert_cmpint (loaded->term_signal, ==, 0);
  g_assert_cmpint (loaded->started_at, ==, 0);
}

static void
test_newest_first (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (GPtrArray) jobs = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  GAsyncResult *pending = NULL;

  for (guint64 id = 1; id <= 5; id++)
    g_assert_cmpuint (history_fixture_add (fixture, "true"), ==, id);
  history_fixture_reopen (fixture);
  stint_history_load_async (fixture->history, 3, history_fixture_keep_result, &pending);
  result = history_fixture_await (&pending);
  jobs = stint_history_load_finish (fixture->history, result, NULL);
  g_assert_cmpuint (jobs->len, ==, 3);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (stint_job_get_id (g_ptr_array_index (jobs, i)), ==, 5 - i);
}

static void
test_deleted_transcript (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autofree char *kept = history_fixture_path (fixture, "jobs/1");
  g_autofree char *lock = history_fixture_path (fixture, "jobs/2/lock");
  g_autofree char *deleted = history_fixture_path (fixture, "jobs/2");
  g_autoptr (GPtrArray) jobs = NULL;

  history_fixture_add (fixture, "one");
  history_fixture_add (fixture, "two");
  g_unlink (lock);
  g_assert_no_errno (g_rmdir (deleted));
  jobs = history_fixture_load (fixture);
  g_assert_cmpuint (jobs->len, ==, 2);
  g_assert_null (stint_job_get_directory (g_ptr_array_index (jobs, 0)));
  g_assert_cmpstr (stint_job_get_directory (g_ptr_array_index (jobs, 1)), ==, kept);
}

static void
test_ids_not_reused (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autofree char *lock = history_fixture_path (fixture, "jobs/2/lock");
  g_autofree char *directory = history_fixture_path (fixture, "jobs/2");

  history_fixture_add (fixture, "true");
  history_fixture_add (fixture, "true");
  history_fixture_reopen (fixture);
  history_fixture_sql (fixture, "DELETE FROM jobs");
  g_unlink (lock);
  g_assert_no_errno (g_rmdir (directory));
  g_assert_cmpint (history_fixture_count (fixture, "SELECT count (*) FROM jobs"), ==, 0);
  g_assert_cmpuint (history_fixture_add (fixture, "true"), ==, 3);
}

/* A directory without a row is somebody's transcript all the same. */
static void
test_stale_directory (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autofree char *two = history_fixture_path (fixture, "jobs/2");
  g_autofree char *seven = history_fixture_path (fixture, "jobs/7");
  g_autofree char *foreign = history_fixture_path (fixture, "jobs/99x");
  g_autofree char *output = g_build_filename (two, "output", NULL);
  g_autofree char *text = NULL;

  g_assert_cmpuint (history_fixture_add (fixture, "true"), ==, 1);
  g_assert_no_errno (g_mkdir (two, 0700));
  g_assert_no_errno (g_mkdir (seven, 0700));
  g_assert_no_errno (g_mkdir (foreign, 0700));
  g_assert_true (g_file_set_contents (output, "precious", -1, NULL));
  g_assert_cmpuint (history_fixture_add (fixture, "true"), ==, 8);
  g_assert_cmpuint (history_fixture_add (fixture, "true"), ==, 9);
  g_assert_true (g_file_get_contents (output, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "precious");
}

static void
assert_mode (HistoryFixture *fixture, const char *name, mode_t expected)
{
  g_autofree char *path = history_fixture_path (fixture, name);
  struct stat st;

  g_test_message ("%s", name);
  g_assert_no_errno (stat (path, &st));
  g_assert_cmphex (st.st_mode & 0777, ==, expected);
}

static void
test_modes (void)
{
  mode_t umask_before = umask (0);
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autofree char *state = history_fixture_path (fixture, "a/b");
  g_autofree char *control = history_fixture_path (fixture, "control");

  /* The control: nothing but the history's own doing keeps the files private. */
  close (g_open (control, O_CREAT | O_WRONLY | O_CLOEXEC, 0666));
  assert_mode (fixture, "control", 0666);

  stint_history_close (fixture->history);
  g_object_unref (fixture->history);
  fixture->history = stint_history_new (state);
  history_fixture_add (fixture, "true");
  assert_mode (fixture, "a", 0700);
  assert_mode (fixture, "a/b", 0700);
  assert_mode (fixture, "a/b/history.db", 0600);
  assert_mode (fixture, "a/b/history.db-wal", 0600);
  assert_mode (fixture, "a/b/history.db-shm", 0600);
  assert_mode (fixture, "a/b/history.lock", 0600);
  assert_mode (fixture, "a/b/jobs", 0700);
  assert_mode (fixture, "a/b/jobs/1", 0700);
  umask (umask_before);
}

static const char *needle;
static guint n_found;

static int
search_file (const char *path, const struct stat *st, int type, struct FTW *where)
{
  g_autofree char *content = NULL;
  gsize length;

  if (type == FTW_F && g_file_get_contents (path, &content, &length, NULL) &&
      memmem (content, length, needle, strlen (needle)) != NULL)
    n_found++;
  return 0;
}

static guint
count_files_with (HistoryFixture *fixture, const char *text)
{
  needle = text;
  n_found = 0;
  g_assert_no_errno (nftw (fixture->directory, search_file, 16, FTW_PHYS));
  return n_found;
}

static void
test_secrets (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintJobSpec) spec = history_fixture_spec ("true");
  g_autoptr (StintJobPlace) place = NULL;
  g_autoptr (StintResult) result = stint_result_new (STINT_REASON_EXITED);

  g_setenv ("STINT_TEST_INHERITED", "inherited-value", TRUE);
  g_assert_true (stint_job_spec_add_env (spec, "API_TOKEN=hidden-value", NULL));
  g_assert_true (stint_job_spec_add_env (spec, "PLAIN=plain-value", NULL));
  stint_job_spec_resolve (spec, "/", NULL, NULL);
  place = history_fixture_begin_spec (fixture, spec);
  stint_result_set_wait_status (result, 0);
  g_assert_true (history_fixture_finish (fixture, place->id, spec, result, NULL));

  g_assert_cmpuint (count_files_with (fixture, "hidden-value"), ==, 0);
  g_assert_cmpuint (count_files_with (fixture, "inherited-value"), ==, 0);
  /* The controls: the name is there, and a value that is no secret. */
  g_assert_cmpuint (count_files_with (fixture, "API_TOKEN"), >, 0);
  g_assert_cmpuint (count_files_with (fixture, "plain-value"), >, 0);
}

/* Whoever is not waited for is saved all the same. */
static void
test_close_drains (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintJobSpec) spec = history_fixture_spec ("true");
  g_autoptr (StintJob) job = stint_job_new (spec, NULL);
  g_autoptr (StintJobPlace) late = NULL;
  g_autoptr (GAsyncResult) refused = NULL;
  g_autoptr (GError) error = NULL;
  GAsyncResult *pending[20] = { NULL };
  GAsyncResult *after = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (pending); i++)
    stint_job_store_begin_async (STINT_JOB_STORE (fixture->history), job,
                                 history_fixture_keep_result, &pending[i]);
  stint_history_close (fixture->history);
  g_assert_cmpint (history_fixture_count (fixture, "SELECT count (*) FROM jobs"), ==, 20);

  stint_job_store_begin_async (STINT_JOB_STORE (fixture->history), job,
                               history_fixture_keep_result, &after);
  refused = history_fixture_await (&after);
  late = stint_job_store_begin_finish (STINT_JOB_STORE (fixture->history), refused, &error);
  g_assert_null (late);
  g_assert_error (error, STINT_ERROR, STINT_ERROR_SHUTTING_DOWN);

  /* Callbacks come in the order of the requests, after the close too. */
  for (guint i = 0; i < G_N_ELEMENTS (pending); i++)
    {
      g_autoptr (GAsyncResult) result = history_fixture_await (&pending[i]);
      g_autoptr (StintJobPlace) place =
          stint_job_store_begin_finish (STINT_JOB_STORE (fixture->history), result, NULL);

      g_assert_cmpuint (place->id, ==, i + 1);
    }
}

/* A request keeps the history; the last reference never goes on the worker's thread, which would
 * wait for itself. */
static void
test_unref_while_pending (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();

  for (guint i = 0; i < 50; i++)
    {
      StintHistory *history = stint_history_new (fixture->directory);
      g_autoptr (GAsyncResult) result = NULL;
      g_autoptr (GPtrArray) jobs = NULL;
      GAsyncResult *pending = NULL;

      stint_history_load_async (history, 1, history_fixture_keep_result, &pending);
      g_object_unref (history);
      result = history_fixture_await (&pending);
      jobs = g_task_propagate_pointer (G_TASK (result), NULL);
      g_assert_nonnull (jobs);
    }
}

static gpointer
run_with_own_context (gpointer user_data)
{
  HistoryFixture *fixture = user_data;
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GPtrArray) jobs = NULL;

  g_main_context_push_thread_default (context);
  jobs = history_fixture_load (fixture);
  g_main_context_pop_thread_default (context);
  return GUINT_TO_POINTER (jobs->len);
}

/* Answers come in the context that asked: if this one came in the main context, the thread would
 * wait for ever, since nobody iterates that. */
static void
test_context_of_caller (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  GThread *thread;

  history_fixture_add (fixture, "true");
  thread = g_thread_new ("asker", run_with_own_context, fixture);
  g_assert_cmpuint (GPOINTER_TO_UINT (g_thread_join (thread)), ==, 1);
}

/* What is not to be kept has a place, an id of its own, and no row; others go on above it. */
static void
test_unkept (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  guint64 before = history_fixture_add (fixture, "true");
  g_autoptr (StintJobSpec) spec = history_fixture_spec ("echo never-written");
  g_autoptr (StintResult) result = NULL;
  g_autoptr (StintJobPlace) place = NULL;
  g_autoptr (GError) error = NULL;

  stint_job_spec_set_keep (spec, FALSE);
  place = history_fixture_begin_spec (fixture, spec);
  g_assert_true (place->scratch);
  g_assert_null (place->warning);
  g_assert_cmpuint (place->id, >, before);
  result = stint_result_new (STINT_REASON_EXITED);
  g_assert_true (history_fixture_finish (fixture, place->id, spec, result, &error));
  g_assert_no_error (error);
  history_fixture_assert_no_problem (fixture);
  g_assert_cmpint (history_fixture_count (fixture, "SELECT count(*) FROM jobs"), ==, 1);
  g_assert_cmpint (history_fixture_count (
                       fixture, "SELECT count(*) FROM jobs WHERE spec LIKE '%never-written%'"),
                   ==, 0);
  g_assert_cmpuint (history_fixture_add (fixture, "true"), >, place->id);
  g_assert_true (g_file_test (place->directory, G_FILE_TEST_IS_DIR));
  stint_scratch_store_remove (place->directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  history_fixture_watch ();
  g_test_add_func ("/history/nothing-before-first-request", test_nothing_before_first_request);
  g_test_add_func ("/history/default-directory", test_default_directory);
  g_test_add_func ("/history/relative-directory-is-ignored", test_relative_directory_is_ignored);
  g_test_add_func ("/history/begin-and-finish", test_begin_and_finish);
  g_test_add_func ("/history/lock-ends", test_lock_ends);
  g_test_add_func ("/history/never-started", test_never_started);
  g_test_add_func ("/history/newest-first", test_newest_first);
  g_test_add_func ("/history/deleted-transcript", test_deleted_transcript);
  g_test_add_func ("/history/ids-not-reused", test_ids_not_reused);
  g_test_add_func ("/history/stale-directory", test_stale_directory);
  g_test_add_func ("/history/modes", test_modes);
  g_test_add_func ("/history/secrets", test_secrets);
  g_test_add_func ("/history/close-drains", test_close_drains);
  g_test_add_func ("/history/unref-while-pending", test_unref_while_pending);
  g_test_add_func ("/history/context-of-caller", test_context_of_caller);
  g_test_add_func ("/history/unkept", test_unkept);
  return g_test_run ();
}
