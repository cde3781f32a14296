/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Many processes write at once, into a history that none of them has made yet, and none loses a row.
 */
#include "config.h"

#include <glib/gstdio.h>

#include "history-fixture.h"

#define N_PROCESSES 8
#define N_JOBS 25
#define ALL_KEPT "kept 25 scratch 0 failed 0 problems 0\n"

typedef struct
{
  GSubprocess *process;
  GAsyncResult *result;
} Writer;

static void
writer_start (Writer *self, HistoryFixture *fixture)
{
  g_autoptr (GError) error = NULL;

  self->result = NULL;
  self->process =
      g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, g_getenv ("STINT_HISTORY_HELPER"),
                        "write", fixture->directory, G_STRINGIFY (N_JOBS), NULL);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8_async (self->process, NULL, NULL, history_fixture_keep_result,
                                       &self->result);
}

/* (transfer full): what it says. */
static char *
writer_wait (Writer *self)
{
  g_autoptr (GAsyncResult) result = history_fixture_await (&self->result);
  g_autoptr (GError) error = NULL;
  char *output = NULL;

  g_subprocess_communicate_utf8_finish (self->process, result, &output, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_successful (self->process));
  g_clear_object (&self->process);
  return output;
}

static void
assert_all_there (HistoryFixture *fixture, guint first, guint n)
{
  g_assert_cmpint (history_fixture_count (fixture, "SELECT count (*) FROM jobs"), ==, (int) n);
  g_assert_cmpint (history_fixture_count (fixture,
                                          "SELECT count (*) FROM jobs WHERE state = 'finished' "
                                          "AND reason = 'exited' AND exit_code = 0"),
                   ==, (int) n);
  g_assert_cmpint (history_fixture_count (fixture, "SELECT min (id) FROM jobs"), ==, (int) first);
  g_assert_cmpint (history_fixture_count (fixture, "SELECT max (id) FROM jobs"), ==,
                   (int) (first + n - 1));
  for (guint id = first; id < first + n; id++)
    {
      g_autofree char *directory = g_strdup_printf ("%s/jobs/%u", fixture->directory, id);

      g_assert_true (g_file_test (directory, G_FILE_TEST_IS_DIR));
    }
}

static void
test_processes (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  Writer writers[N_PROCESSES];

  for (guint i = 0; i < N_PROCESSES; i++)
    writer_start (&writers[i], fixture);
  for (guint i = 0; i < N_PROCESSES; i++)
    {
      g_autofree char *said = writer_wait (&writers[i]);

      g_assert_cmpstr (said, ==, ALL_KEPT);
    }
  assert_all_there (fixture, 1, N_PROCESSES * N_JOBS);
  g_assert_cmpuint (history_fixture_find (fixture, "history.db.", NULL), ==, 0);
}

/* The control: what is lost is seen, by the writer and by the count. */
static void
test_loss_is_seen (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autofree char *said = NULL;
  sqlite3 *db;
  Writer writer;

  history_fixture_add (fixture, "true");
  db = history_fixture_connect (fixture);
  g_assert_cmpint (sqlite3_exec (db, "BEGIN IMMEDIATE", NULL, NULL, NULL), ==, SQLITE_OK);
  writer_start (&writer, fixture);
  said = writer_wait (&writer);
  g_assert_cmpstr (said, ==, "kept 0 scratch 25 failed 0 problems 1\n");
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
  assert_all_there (fixture, 1, 1);
}

/* All of them find out at once that it must be moved aside, and one does it. */
static void
test_move_aside (gconstpointer kind)
{
  gboolean newer = g_str_equal (kind, "newer");
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autofree char *path = history_fixture_path (fixture, "history.db");
  g_autofree char *prefix = g_strconcat ("history.db.", kind, "-", NULL);
  guint n_problems = 0;
  Writer writers[N_PROCESSES];

  history_fixture_add (fixture, "true");
  history_fixture_reopen (fixture);
  if (newer)
    history_fixture_sql (fixture, "PRAGMA user_version = 1000");
  else
    {
      /* Or SQLite would read all of it from the WAL. */
      history_fixture_sql (fixture, "PRAGMA wal_checkpoint (TRUNCATE)");
      g_assert_true (g_file_set_contents (path, "This is no database.", -1, NULL));
    }

  for (guint i = 0; i < N_PROCESSES; i++)
    writer_start (&writers[i], fixture);
  for (guint i = 0; i < N_PROCESSES; i++)
    {
      g_autofree char *said = writer_wait (&writers[i]);

      if (g_str_equal (said, "kept 25 scratch 0 failed 0 problems 1\n"))
        n_problems++;
      else
        g_assert_cmpstr (said, ==, ALL_KEPT);
    }
  g_assert_cmpuint (n_problems, ==, 1);
  assert_all_there (fixture, 2, N_PROCESSES * N_JOBS);
  g_assert_cmpuint (history_fixture_find (fixture, prefix, NULL), ==, 3);
}

/* Two histories in one process: SQLite's locks belong to the process. */
static void
test_same_process (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintHistory) second = stint_history_new (fixture->directory);
  g_autoptr (StintJobSpec) spec = history_fixture_spec ("true");
  g_autoptr (StintJob) job = stint_job_new (spec, NULL);
  GAsyncResult *results[2 * N_JOBS] = { NULL };
  g_autoptr (GHashTable) ids = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    stint_job_store_begin_async (STINT_JOB_STORE (i % 2 == 0 ? fixture->history : second), job,
                                 history_fixture_keep_result, &results[i]);
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    {
      StintJobStore *store = STINT_JOB_STORE (i % 2 == 0 ? fixture->history : second);
      g_autoptr (GAsyncResult) result = history_fixture_await (&results[i]);
      g_autoptr (StintJobPlace) place = stint_job_store_begin_finish (store, result, NULL);

      g_assert_false (place->scratch);
      g_assert_true (g_hash_table_add (ids, GUINT_TO_POINTER (place->id)));
    }
  g_assert_cmpint (history_fixture_count (fixture, "SELECT count (*) FROM jobs"), ==, 2 * N_JOBS);
}

/* What is not checkpointed has a bound, and is not forgotten. */
static void
test_bounded_wal (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autofree char *wal = history_fixture_path (fixture, "history.db-wal");
  GStatBuf st;

  for (guint i = 0; i < 500; i++)
    history_fixture_add (fixture, "true");
  g_assert_no_errno (g_stat (wal, &st));
  g_test_message ("WAL: %" G_GINT64_FORMAT " bytes", (gint64) st.st_size);
  g_assert_cmpint (st.st_size, >, 0);
  g_assert_cmpint (st.st_size, <, 2 << 20);
  history_fixture_reopen (fixture);
  assert_all_there (fixture, 1, 500);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  history_fixture_watch ();
  g_test_add_func ("/concurrency/processes", test_processes);
  g_test_add_func ("/concurrency/loss-is-seen", test_loss_is_seen);
  g_test_add_data_func ("/concurrency/move-aside/newer", "newer", test_move_aside);
  g_test_add_data_func ("/concurrency/move-aside/damaged", "damaged", test_move_aside);
  g_test_add_func ("/concurrency/same-process", test_same_process);
  g_test_add_func ("/concurrency/bounded-wal", test_bounded_wal);
  return g_test_run ();
}
