/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How jobs leave the history: by age, number and size, by hand, all at once; what may not leave; and a
 * removal that was cut short.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "history-fixture.h"
#include "stint-error.h"
#include "stint-history-change.h"
#include "stint-indexer.h"
#include "stint-job-directories.h"
#include "stint-search-index.h"

#define DAY (G_GINT64_CONSTANT (86400) * G_USEC_PER_SEC)

static guint64
add_old (HistoryFixture *fixture, gint64 age, guint kib)
{
  g_autoptr (StintJobSpec) spec = history_fixture_spec ("secret-command");
  g_autoptr (StintJobPlace) place = history_fixture_begin_spec (fixture, spec);
  g_autoptr (StintResult) result = stint_result_new (STINT_REASON_EXITED);
  g_autofree char *output = g_build_filename (place->directory, "output", NULL);
  g_autofree char *text = g_strnfill (kib * 1024, 'x');

  g_assert_true (g_file_set_contents (output, text, -1, NULL));
  stint_result_set_wait_status (result, 0);
  result->started_at = g_get_real_time () - age;
  result->stdout_bytes = kib * 1024;
  g_assert_true (history_fixture_finish (fixture, place->id, spec, result, NULL));
  history_fixture_sql (fixture, "UPDATE jobs SET created_at = started_at");
  return place->id;
}

static gboolean
has_directory (HistoryFixture *fixture, guint64 id)
{
  g_autofree char *name = g_strdup_printf ("jobs/%" G_GUINT64_FORMAT, id);
  g_autofree char *path = history_fixture_path (fixture, name);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
assert_left (HistoryFixture *fixture, const char *ids)
{
  g_autoptr (StintArchive) archive = stint_archive_new (fixture->directory);
  g_autoptr (GError) error = NULL;
  g_autofree char *sql = g_strdup_printf (
    "SELECT (SELECT group_concat (id) FROM (SELECT id FROM jobs ORDER BY id)) IS '%s'", ids);

  g_assert_cmpint (history_fixture_count (fixture, sql), ==, 1);
  stint_archive_sweep (archive, &error);
  g_assert_no_error (error);
  g_assert_cmpint (history_fixture_count (fixture, "SELECT count (*) FROM removals"), ==, 0);
}

static StintRemoved
finish (HistoryFixture *fixture, GAsyncResult **pending)
{
  g_autoptr (GAsyncResult) result = history_fixture_await (pending);
  g_autoptr (GError) error = NULL;
  StintRemoved removed;

  stint_history_change_finish (fixture->history, result, &removed, &error);
  g_assert_no_error (error);
  return removed;
}

static StintRemoved
prune (HistoryFixture *fixture, gint64 max_age, guint64 max_jobs, guint64 max_bytes)
{
  GAsyncResult *pending = NULL;

  stint_history_prune_async (fixture->history, &(StintRetention) { max_age, max_jobs, max_bytes },
                             history_fixture_keep_result, &pending);
  return finish (fixture, &pending);
}

static StintRemoved
remove_job (HistoryFixture *fixture, guint64 id)
{
  GAsyncResult *pending = NULL;

  stint_history_remove_async (fixture->history, &id, 1, history_fixture_keep_result, &pending);
  return finish (fixture, &pending);
}

static void
test_nothing (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();

  add_old (fixture, 1000 * DAY, 64);
  g_assert_cmpuint (prune (fixture, 0, 0, 0).n_jobs, ==, 0);
  assert_left (fixture, "1");
}

static void
test_age (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintJobPlace) running = NULL;
  StintRemoved removed;

  add_old (fixture, 91 * DAY, 16);
  add_old (fixture, 89 * DAY, 16);
  add_old (fixture, 0, 16);
  add_old (fixture, 200 * DAY, 16);
  history_fixture_sql (fixture, "UPDATE jobs SET pinned = 1 WHERE id = 4");
  running = history_fixture_begin (fixture, "sleep");
  history_fixture_sql (fixture, "UPDATE jobs SET started_at = 1, created_at = 1 WHERE id = 5");
  removed = prune (fixture, 90 * DAY, 0, 0);
  g_assert_cmpuint (removed.n_jobs, ==, 1);
  g_assert_cmpuint (removed.bytes, >=, 16 * 1024);
  assert_left (fixture, "2,3,4,5");
  g_assert_false (has_directory (fixture, 1));
  g_assert_true (has_directory (fixture, 4));
}

static void
test_number (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();

  for (guint i = 0; i < 5; i++)
    add_old (fixture, (5 - i) * DAY, 1);
  g_assert_cmpuint (prune (fixture, 0, 2, 0).n_jobs, ==, 3);
  assert_left (fixture, "4,5");
}

static void
test_size (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();

  for (guint i = 0; i < 4; i++)
    add_old (fixture, (5 - i) * DAY, 256);
  g_assert_cmpuint (prune (fixture, 0, 0, 600 * 1024).n_jobs, ==, 2);
  assert_left (fixture, "3,4");
}

/* What is looked at stays, and can go afterwards. */
static void
test_held (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autofree char *path = history_fixture_path (fixture, "jobs/1");
  StintRemoved removed;
  int first, second;

  add_old (fixture, 100 * DAY, 1);
  first = stint_job_directories_hold (path);
  second = stint_job_directories_hold (path);
  g_assert_cmpint (first, >=, 0);
  g_assert_cmpint (second, >=, 0);
  close (first);
  removed = prune (fixture, 90 * DAY, 0, 0);
  g_assert_cmpuint (removed.n_jobs, ==, 0);
  g_assert_cmpuint (removed.n_held, ==, 1);
  assert_left (fixture, "1");
  close (second);
  g_assert_cmpuint (remove_job (fixture, 1).n_jobs, ==, 1);
  g_assert_cmpint (history_fixture_count (fixture, "SELECT count (*) FROM jobs"), ==, 0);
}

static void
test_running_stays (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintJobPlace) place = history_fixture_begin (fixture, "sleep");

  g_assert_cmpuint (remove_job (fixture, place->id).n_held, ==, 1);
  assert_left (fixture, "1");
  g_assert_true (has_directory (fixture, 1));
}

/* The row is gone, and then the power: the rest goes at the next start; ids are not given again. */
static void
test_cut_short (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autofree char *search = NULL;
  guint64 id = add_old (fixture, 0, 1);
  StintRemoved removed;
  g_autoptr (StintArchive) archive = stint_archive_new (fixture->directory);
  g_autofree char *wal = history_fixture_path (fixture, "search.db-wal");

  g_assert_true (stint_index_update (fixture->directory, STINT_INDEX_DEFAULT_LIMIT, NULL, NULL, NULL,
                                     NULL));
  g_assert_true (stint_archive_remove (archive, &id, 1, &removed, NULL));
  g_assert_true (has_directory (fixture, id));
  g_assert_cmpint (history_fixture_count (fixture, "SELECT count (*) FROM removals"), ==, 1);

  history_fixture_reopen (fixture);
  /* Its words cannot be taken out of the index just now: the note of it stays. */
  g_assert_no_errno (g_mkdir (wal, 0700));
  g_assert_false (stint_archive_sweep (archive, NULL));
  g_assert_cmpint (history_fixture_count (fixture, "SELECT count (*) FROM removals"), ==, 1);
  g_assert_no_errno (g_rmdir (wal));

  g_assert_true (stint_archive_sweep (archive, NULL));
  g_assert_false (has_directory (fixture, id));
  g_assert_cmpint (history_fixture_count (fixture, "SELECT count (*) FROM removals"), ==, 0);
  g_assert_cmpuint (history_fixture_add (fixture, "true"), ==, id + 1);
}

static gboolean
contains (HistoryFixture *fixture, const char *file, const char *word)
{
  g_autofree char *path = history_fixture_path (fixture, file);
  g_autofree char *content = NULL;
  gsize length = 0;

  return g_file_get_contents (path, &content, &length, NULL) &&
         memmem (content, length, word, strlen (word)) != NULL;
}

static gboolean
is_anywhere (HistoryFixture *fixture, const char *word)
{
  return contains (fixture, "history.db", word) || contains (fixture, "history.db-wal", word) ||
         contains (fixture, "search.db", word) || contains (fixture, "search.db-wal", word);
}

/* Not a byte of what was run is left in any file. */
static void
test_clear (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  GAsyncResult *pending = NULL;

  for (guint i = 0; i < 20; i++)
    add_old (fixture, i * DAY, 1);
  history_fixture_sql (fixture, "UPDATE jobs SET pinned = 1 WHERE id = 4");
  g_assert_true (stint_index_update (fixture->directory, STINT_INDEX_DEFAULT_LIMIT, NULL, NULL, NULL,
                                     NULL));
  g_assert_true (is_anywhere (fixture, "secret-command"));
  stint_history_clear_async (fixture->history, history_fixture_keep_result, &pending);
  g_assert_cmpuint (finish (fixture, &pending).n_jobs, ==, 20);
  g_assert_false (is_anywhere (fixture, "secret-command"));
  g_assert_false (is_anywhere (fixture, "secret"));
  for (guint id = 1; id <= 20; id++)
    g_assert_false (has_directory (fixture, id));
  g_assert_cmpuint (history_fixture_add (fixture, "true"), ==, 21);
}

static void
test_changes (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (GPtrArray) jobs = NULL;
  GAsyncResult *pending = NULL;
  g_autoptr (GAsyncResult) failed = NULL;
  g_autoptr (GError) error = NULL;

  history_fixture_add (fixture, "true");
  stint_history_rename_async (fixture->history, 1, "new name", history_fixture_keep_result, &pending);
  finish (fixture, &pending);
  stint_history_set_tags_async (fixture->history, 1, (const char *[]) { "a", "b\n", "", NULL },
                                history_fixture_keep_result, &pending);
  finish (fixture, &pending);
  stint_history_pin_async (fixture->history, 1, TRUE, history_fixture_keep_result, &pending);
  finish (fixture, &pending);
  stint_history_save_search_async (fixture->history, "mine", "failed:yes", history_fixture_keep_result,
                                   &pending);
  finish (fixture, &pending);
  g_assert_cmpint (history_fixture_count (fixture, "SELECT count (*) FROM job_tags"), ==, 2);
  g_assert_cmpint (history_fixture_count (fixture, "SELECT pinned FROM jobs"), ==, 1);
  g_assert_cmpint (history_fixture_count (fixture, "SELECT count (*) FROM searches"), ==, 1);
  jobs = history_fixture_load (fixture);
  g_assert_cmpstr (stint_job_spec_get_name (stint_job_get_spec (g_ptr_array_index (jobs, 0))), ==,
                   "new name");

  stint_history_rename_async (fixture->history, 99, "x", history_fixture_keep_result, &pending);
  failed = history_fixture_await (&pending);
  g_assert_false (stint_history_change_finish (fixture->history, failed, NULL, &error));
  g_assert_error (error, STINT_ERROR, STINT_ERROR_INVALID);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  history_fixture_watch ();

  g_test_add_func ("/retention/nothing", test_nothing);
  g_test_add_func ("/retention/age", test_age);
  g_test_add_func ("/retention/number", test_number);
  g_test_add_func ("/retention/size", test_size);
  g_test_add_func ("/retention/held", test_held);
  g_test_add_func ("/retention/running-stays", test_running_stays);
  g_test_add_func ("/retention/cut-short", test_cut_short);
  g_test_add_func ("/retention/clear", test_clear);
  g_test_add_func ("/retention/changes", test_changes);

  return g_test_run ();
}
