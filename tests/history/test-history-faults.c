/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A history that is newer, damaged, locked, not writable or gone: jobs run, nothing is overwritten,
 * and the user is told.
 */
#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "history-fixture.h"
#include "stint-error.h"
#include "stint-scratch-store.h"
#include "stint-state-lock.h"

static void
assert_scratch (StintJobPlace *place)
{
  g_assert_true (place->scratch);
  g_assert_nonnull (place->warning);
  g_test_message ("warning: %s", place->warning);
  stint_scratch_store_remove (place->directory);
}

static void
assert_kept (StintJobPlace *place, guint64 id)
{
  g_assert_false (place->scratch);
  g_assert_null (place->warning);
  g_assert_cmpuint (place->id, ==, id);
}

static GBytes *
read_file (const char *path)
{
  g_autoptr (GError) error = NULL;
  char *content;
  gsize length;

  g_file_get_contents (path, &content, &length, &error);
  g_assert_no_error (error);
  return g_bytes_new_take (content, length);
}

/* The fixture's history has three jobs, and is closed. */
static HistoryFixture *
new_with_jobs (void)
{
  HistoryFixture *fixture = history_fixture_new ();

  for (guint i = 0; i < 3; i++)
    history_fixture_add (fixture, "true");
  history_fixture_reopen (fixture);
  return fixture;
}

/* Moved aside byte by byte, once, and said; ids go on above the directories that stay. */
static void
check_moved_aside (HistoryFixture *fixture, const char *kind, int code, guint64 next)
{
  g_autofree char *path = history_fixture_path (fixture, "history.db");
  g_autofree char *wal = history_fixture_path (fixture, "history.db-wal");
  g_autofree char *prefix = g_strconcat ("history.db.", kind, "-", NULL);
  g_autofree char *jobs = history_fixture_path (fixture, "jobs/3");
  g_autofree char *aside = NULL;
  g_autofree char *aside_wal = NULL;
  g_autoptr (GBytes) before = read_file (path);
  g_autoptr (GBytes) after = NULL;
  g_autoptr (GBytes) wal_before = read_file (wal);
  g_autoptr (GBytes) wal_after = NULL;
  g_autoptr (StintJobPlace) place = NULL;

  place = history_fixture_begin (fixture, "true");
  assert_kept (place, next);
  history_fixture_assert_problem (fixture, code);
  /* With -wal and -shm. */
  g_assert_cmpuint (history_fixture_find (fixture, prefix, NULL), ==, 3);
  history_fixture_find (fixture, prefix, &aside);
  if (g_str_has_suffix (aside, "-wal") || g_str_has_suffix (aside, "-shm"))
    *strrchr (aside, '-') = '\0';
  aside_wal = g_strconcat (aside, "-wal", NULL);
  after = read_file (aside);
  wal_after = read_file (aside_wal);
  g_assert_true (g_bytes_equal (before, after));
  g_assert_true (g_bytes_equal (wal_before, wal_after));
  g_assert_true (g_file_test (jobs, G_FILE_TEST_IS_DIR));

  /* Not twice. */
  g_assert_cmpuint (history_fixture_add (fixture, "true"), ==, next + 1);
  history_fixture_reopen (fixture);
  g_assert_cmpuint (history_fixture_add (fixture, "true"), ==, next + 2);
  history_fixture_assert_no_problem (fixture);
  g_assert_cmpuint (history_fixture_find (fixture, prefix, NULL), ==, 3);
}

/* The control to all that follows: a history that is in order stays where it is. */
static void
test_in_order (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();
  g_autoptr (StintJobPlace) place = history_fixture_begin (fixture, "true");

  assert_kept (place, 4);
  history_fixture_assert_no_problem (fixture);
  g_assert_cmpuint (history_fixture_find (fixture, "history.db.", NULL), ==, 0);
  g_assert_cmpint (history_fixture_count (fixture, "SELECT count (*) FROM jobs"), ==, 4);
}

static void
test_newer (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();

  history_fixture_sql (fixture, "PRAGMA user_version = 1000");
  check_moved_aside (fixture, "newer", STINT_ERROR_TOO_NEW, 4);
}

static void
test_negative_version (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();

  history_fixture_sql (fixture, "PRAGMA user_version = -1");
  check_moved_aside (fixture, "damaged", STINT_ERROR_DAMAGED, 4);
}

static void
overwrite (HistoryFixture *fixture, gsize start, gsize length)
{
  g_autofree char *path = history_fixture_path (fixture, "history.db");
  g_autofree char *junk = g_malloc (length);
  int fd = g_open (path, O_WRONLY | O_CLOEXEC, 0);

  memset (junk, 0xa5, length);
  g_assert_cmpint (pwrite (fd, junk, length, (off_t) start), ==, (gssize) length);
  close (fd);
}

static void
test_no_database (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();

  history_fixture_sql (fixture, "PRAGMA wal_checkpoint (TRUNCATE)");
  overwrite (fixture, 0, 100);
  check_moved_aside (fixture, "damaged", STINT_ERROR_DAMAGED, 4);
}

/* Opening it goes well: the damage is met only by the job's own statements. */
static void
test_damaged_pages (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();

  history_fixture_sql (fixture, "PRAGMA wal_checkpoint (TRUNCATE)");
  overwrite (fixture, 4096, 2 * 4096);
  check_moved_aside (fixture, "damaged", STINT_ERROR_DAMAGED, 4);
}

static void
test_other_tables (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();

  history_fixture_sql (fixture, "ALTER TABLE jobs RENAME COLUMN spec TO something");
  check_moved_aside (fixture, "damaged", STINT_ERROR_DAMAGED, 4);
}

static void
test_foreign_database (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();

  history_fixture_sql (fixture, "PRAGMA user_version = 0");
  check_moved_aside (fixture, "damaged", STINT_ERROR_DAMAGED, 4);
}

/* Loading a damaged history is no error: there is a new one, and it is empty. */
static void
test_load_damaged (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();
  g_autoptr (GPtrArray) before = history_fixture_load (fixture);
  g_autoptr (GPtrArray) after = NULL;

  g_assert_cmpuint (before->len, ==, 3);
  history_fixture_reopen (fixture);
  history_fixture_sql (fixture, "PRAGMA wal_checkpoint (TRUNCATE)");
  overwrite (fixture, 4096, 4 * 4096);
  after = history_fixture_load (fixture);
  g_assert_cmpuint (after->len, ==, 0);
  history_fixture_assert_problem (fixture, STINT_ERROR_DAMAGED);
}

/* While another process sets the history up, or moves it aside, nobody else does. */
static void
test_setup_lock (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();
  g_autoptr (StintJobPlace) scratch = NULL;
  int lock;

  history_fixture_sql (fixture, "PRAGMA user_version = 1000");
  lock = stint_state_lock_take (fixture->directory, 0, NULL);
  g_assert_cmpint (lock, >=, 0);
  scratch = history_fixture_begin (fixture, "true");
  assert_scratch (scratch);
  g_assert_cmpuint (history_fixture_find (fixture, "history.db.newer-", NULL), ==, 0);
  g_ptr_array_set_size (fixture->problems, 0);

  close (lock);
  check_moved_aside (fixture, "newer", STINT_ERROR_TOO_NEW, scratch->id + 1);
}

/* A new database goes on above the directories of the old one. */
static void
test_ids_after_loss (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();
  g_autofree char *lock = history_fixture_path (fixture, "jobs/1/lock");
  g_autofree char *first = history_fixture_path (fixture, "jobs/1");

  g_unlink (lock);
  g_assert_no_errno (g_rmdir (first));
  history_fixture_sql (fixture, "PRAGMA user_version = 1000");
  g_assert_cmpuint (history_fixture_add (fixture, "true"), ==, 4);
}

/* Another process moves it aside, or the user removes it, while jobs run here. */
static void
test_exchanged_meanwhile (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autofree char *path = history_fixture_path (fixture, "history.db");
  g_autofree char *aside = history_fixture_path (fixture, "history.db.aside");
  g_autoptr (StintJobSpec) spec = history_fixture_spec ("make");
  g_autoptr (StintJobPlace) place = history_fixture_begin_spec (fixture, spec);
  g_autoptr (StintJobPlace) next = NULL;
  g_autoptr (StintResult) result = stint_result_new (STINT_REASON_EXITED);
  g_autoptr (GPtrArray) jobs = NULL;

  g_assert_no_errno (g_rename (path, aside));
  next = history_fixture_begin (fixture, "true");
  assert_kept (next, 2);
  stint_result_set_wait_status (result, 5 << 8);
  g_assert_true (history_fixture_finish (fixture, place->id, spec, result, NULL));
  jobs = history_fixture_load (fixture);
  g_assert_cmpuint (jobs->len, ==, 1);
  g_assert_cmpuint (stint_job_get_id (g_ptr_array_index (jobs, 0)), ==, 1);
  g_assert_cmpint (stint_job_get_result (g_ptr_array_index (jobs, 0))->exit_code, ==, 5);
  g_assert_cmpint (history_fixture_count (fixture, "SELECT count (*) FROM jobs"), ==, 2);
}

/* The directory cannot be made at all. */
static void
test_no_directory (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autofree char *file = history_fixture_path (fixture, "file");
  g_autofree char *below = g_build_filename (file, "stint", NULL);
  g_autoptr (StintJobSpec) spec = history_fixture_spec ("true");
  g_autoptr (StintResult) result = stint_result_new (STINT_REASON_EXITED);
  g_autoptr (StintJobPlace) first = NULL;
  g_autoptr (StintJobPlace) second = NULL;
  g_autoptr (StintJobPlace) kept = NULL;
  g_autofree char *own = g_steal_pointer (&fixture->directory);

  g_assert_true (g_file_set_contents (file, "", -1, NULL));
  fixture->directory = below;
  history_fixture_reopen (fixture);
  first = history_fixture_begin_spec (fixture, spec);
  assert_scratch (first);
  history_fixture_assert_problem (fixture, STINT_ERROR_FAILED);
  second = history_fixture_begin_spec (fixture, spec);
  assert_scratch (second);
  g_assert_cmpuint (first->id, !=, second->id);
  /* Said once; and the end of such a job is no news. */
  g_assert_true (history_fixture_finish (fixture, first->id, spec, result, NULL));
  history_fixture_assert_no_problem (fixture);

  /* It can be made now. Ids go on. */
  g_assert_no_errno (g_unlink (file));
  kept = history_fixture_begin_spec (fixture, spec);
  assert_kept (kept, 3);
  g_assert_true (history_fixture_finish (fixture, second->id, spec, result, NULL));
  g_assert_cmpint (history_fixture_count (fixture, "SELECT count (*) FROM jobs"), ==, 1);

  fixture->directory = g_steal_pointer (&own);
}

static sqlite3 *
lock_database (HistoryFixture *fixture)
{
  sqlite3 *db = history_fixture_connect (fixture);

  g_assert_cmpint (sqlite3_exec (db, "BEGIN IMMEDIATE", NULL, NULL, NULL), ==, SQLITE_OK);
  return db;
}

static void
unlock_database (sqlite3 *db)
{
  g_assert_cmpint (sqlite3_exec (db, "ROLLBACK", NULL, NULL, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
}

static void
test_locked (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();
  sqlite3 *db = lock_database (fixture);
  g_autoptr (StintJobPlace) first = history_fixture_begin (fixture, "true");
  g_autoptr (StintJobPlace) second = history_fixture_begin (fixture, "true");
  g_autoptr (StintJobPlace) kept = NULL;
  g_autoptr (StintJobPlace) scratch = NULL;
  g_autoptr (GPtrArray) jobs = NULL;

  assert_scratch (first);
  assert_scratch (second);
  history_fixture_assert_problem (fixture, STINT_ERROR_FAILED);
  g_assert_cmpuint (first->id, >, 3);
  g_assert_cmpuint (second->id, ==, first->id + 1);
  /* Readers don't mind. */
  jobs = history_fixture_load (fixture);
  g_assert_cmpuint (jobs->len, ==, 3);

  unlock_database (db);
  kept = history_fixture_begin (fixture, "true");
  assert_kept (kept, second->id + 1);
  history_fixture_assert_no_problem (fixture);
  g_assert_cmpuint (history_fixture_find (fixture, "history.db.", NULL), ==, 0);

  /* A new failure is said again. */
  db = lock_database (fixture);
  scratch = history_fixture_begin (fixture, "true");
  assert_scratch (scratch);
  history_fixture_assert_problem (fixture, STINT_ERROR_FAILED);
  unlock_database (db);
}

static gboolean
on_timeout (gpointer user_data)
{
  unlock_database (user_data);
  return G_SOURCE_REMOVE;
}

/* Somebody reads the empty database at the moment at which it is to be set up; or writes into it. */
static void
test_setup_waits (gconstpointer how)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autofree char *path = history_fixture_path (fixture, "history.db");
  g_autoptr (StintJobPlace) place = NULL;
  sqlite3 *db;

  g_assert_true (g_file_set_contents (path, "", 0, NULL));
  db = history_fixture_connect (fixture);
  g_assert_cmpint (sqlite3_exec (db, how, NULL, NULL, NULL), ==, SQLITE_OK);
  g_timeout_add (100, on_timeout, db);
  place = history_fixture_begin (fixture, "true");
  assert_kept (place, 1);
  history_fixture_assert_no_problem (fixture);
}

/* The end of a job that could not be saved is said, and saved when that becomes possible. */
static void
test_finish_locked (gconstpointer when)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintJobSpec) spec = history_fixture_spec ("true");
  g_autoptr (StintJobPlace) place = history_fixture_begin_spec (fixture, spec);
  g_autoptr (StintResult) result = stint_result_new (STINT_REASON_KILLED);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) before = NULL;
  g_autoptr (GPtrArray) during = NULL;
  sqlite3 *db = lock_database (fixture);

  g_assert_false (history_fixture_finish (fixture, place->id, spec, result, &error));
  g_assert_error (error, STINT_ERROR, STINT_ERROR_FAILED);
  before = history_fixture_load (fixture);
  g_assert_cmpuint (before->len, ==, 0);
  unlock_database (db);

  if (g_str_equal (when, "next"))
    during = history_fixture_load (fixture);
  else
    stint_history_close (fixture->history);
  g_assert_cmpint (history_fixture_count (fixture,
                                          "SELECT count (*) FROM jobs "
                                          "WHERE state = 'finished' AND reason = 'killed'"),
                   ==, 1);
}

/* (transfer full): what the helper says. */
static char *
run_helper (const char *const *arguments)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GAsyncResult *pending = NULL;
  char *output = NULL;

  g_ptr_array_add (argv, (gpointer) g_getenv ("STINT_HISTORY_HELPER"));
  for (guint i = 0; arguments[i] != NULL; i++)
    g_ptr_array_add (argv, (gpointer) arguments[i]);
  g_ptr_array_add (argv, NULL);
  process =
      g_subprocess_newv ((const char *const *) argv->pdata, G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8_async (process, NULL, NULL, history_fixture_keep_result, &pending);
  result = history_fixture_await (&pending);
  g_subprocess_communicate_utf8_finish (process, result, &output, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_successful (process));
  return output;
}

#define RUN_HELPER(...) run_helper ((const char *const[]){ __VA_ARGS__, NULL })

/* Every write beyond the first byte of a file fails, as on a full disk. */
static void
test_disk_full (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();
  g_autofree char *control = RUN_HELPER ("write", fixture->directory, "2");
  g_autofree char *full = NULL;
  g_autofree char *fresh = NULL;
  g_autofree char *empty = history_fixture_path (fixture, "empty");
  g_autoptr (GPtrArray) jobs = NULL;

  g_assert_cmpstr (control, ==, "kept 2 scratch 0 failed 0 problems 0\n");
  full = RUN_HELPER ("--file-size", "1", "write", fixture->directory, "2");
  g_assert_cmpstr (full, ==, "kept 0 scratch 2 failed 0 problems 1\n");
  fresh = RUN_HELPER ("--file-size", "1", "write", empty, "2");
  g_assert_cmpstr (fresh, ==, "kept 0 scratch 2 failed 0 problems 1\n");

  /* Nothing is lost that was there, and no directory is left of what was not kept. */
  g_assert_cmpuint (history_fixture_add (fixture, "true"), ==, 6);
  jobs = history_fixture_load (fixture);
  g_assert_cmpuint (jobs->len, ==, 6);
  g_assert_cmpuint (history_fixture_find (fixture, "history.db.", NULL), ==, 0);
  history_fixture_assert_no_problem (fixture);
}

static void
test_forbidden (gconstpointer mode)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();
  g_autofree char *control = NULL;
  g_autofree char *said = NULL;
  g_autofree char *jobs_directory = history_fixture_path (fixture, "jobs");
  g_autofree char *own = g_strdup_printf ("%u", (guint) getuid ());
  g_autoptr (GPtrArray) jobs = NULL;
  int bits;

  control = RUN_HELPER ("--uid", own, "write", fixture->directory, "1");
  g_assert_cmpstr (control, ==, "kept 1 scratch 0 failed 0 problems 0\n");
  /* Root lets somebody else try; anybody else forbids it to himself. */
  bits = (int) strtol (mode, NULL, 8);
  if (getuid () != 0)
    bits = (bits & 077) | (bits & 07) << 6;
  g_assert_no_errno (g_chmod (jobs_directory, bits));
  g_assert_no_errno (g_chmod (fixture->directory, bits));
  said = RUN_HELPER ("--uid", getuid () == 0 ? "65534" : own, "write", fixture->directory, "2");
  g_assert_cmpstr (said, ==, "kept 0 scratch 2 failed 0 problems 1\n");
  g_assert_no_errno (g_chmod (fixture->directory, 0700));
  g_assert_no_errno (g_chmod (jobs_directory, 0700));
  jobs = history_fixture_load (fixture);
  g_assert_cmpuint (jobs->len, ==, 4);
}

/* jobs/ is gone and cannot be made: no row without a directory. */
static void
test_no_jobs_directory (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autofree char *jobs = history_fixture_path (fixture, "jobs");
  g_autoptr (StintJobPlace) place = NULL;
  g_autoptr (StintJobPlace) kept = NULL;

  g_assert_no_errno (symlink ("/nowhere/at/all", jobs));
  place = history_fixture_begin (fixture, "true");
  assert_scratch (place);
  history_fixture_assert_problem (fixture, STINT_ERROR_FAILED);
  g_assert_cmpint (history_fixture_count (fixture, "SELECT count (*) FROM jobs"), ==, 0);

  g_assert_no_errno (g_unlink (jobs));
  kept = history_fixture_begin (fixture, "true");
  assert_kept (kept, 2);
  g_assert_cmpint (history_fixture_count (fixture, "SELECT count (*) FROM jobs"), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  history_fixture_watch ();
  g_test_add_func ("/history-faults/in-order", test_in_order);
  g_test_add_func ("/history-faults/newer", test_newer);
  g_test_add_func ("/history-faults/negative-version", test_negative_version);
  g_test_add_func ("/history-faults/no-database", test_no_database);
  g_test_add_func ("/history-faults/damaged-pages", test_damaged_pages);
  g_test_add_func ("/history-faults/other-tables", test_other_tables);
  g_test_add_func ("/history-faults/foreign-database", test_foreign_database);
  g_test_add_func ("/history-faults/load-damaged", test_load_damaged);
  g_test_add_func ("/history-faults/setup-lock", test_setup_lock);
  g_test_add_func ("/history-faults/ids-after-loss", test_ids_after_loss);
  g_test_add_func ("/history-faults/exchanged-meanwhile", test_exchanged_meanwhile);
  g_test_add_func ("/history-faults/no-directory", test_no_directory);
  g_test_add_func ("/history-faults/locked", test_locked);
  g_test_add_data_func ("/history-faults/setup-waits/reader", "BEGIN; SELECT * FROM sqlite_master",
                        test_setup_waits);
  g_test_add_data_func ("/history-faults/setup-waits/writer", "BEGIN IMMEDIATE", test_setup_waits);
  g_test_add_data_func ("/history-faults/setup-waits/exclusive", "BEGIN EXCLUSIVE",
                        test_setup_waits);
  g_test_add_data_func ("/history-faults/finish-locked/next", "next", test_finish_locked);
  g_test_add_data_func ("/history-faults/finish-locked/close", "close", test_finish_locked);
  g_test_add_func ("/history-faults/disk-full", test_disk_full);
  g_test_add_data_func ("/history-faults/forbidden/all", "0700", test_forbidden);
  g_test_add_data_func ("/history-faults/forbidden/write", "0755", test_forbidden);
  g_test_add_func ("/history-faults/no-jobs-directory", test_no_jobs_directory);
  return g_test_run ();
}
