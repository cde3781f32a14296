/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tests of the history share: a history in a directory of its own, and its calls made to
 * look synchronous by iterating the main context.
 */
#include "config.h"

#include <errno.h>
#include <ftw.h>
#include <glib/gstdio.h>

#include "history-fixture.h"
#include "stint-indexer.h"
#include "stint-search-index.h"
#include "stint-error.h"

#define WATCHDOG 120 /* s */

static gboolean
on_watchdog (gpointer user_data)
{
  g_error ("The test hangs");
  return G_SOURCE_REMOVE;
}

void
history_fixture_watch (void)
{
  g_timeout_add_seconds (WATCHDOG, on_watchdog, NULL);
}

static void
on_problem (StintHistory *history, GError *error, gpointer user_data)
{
  HistoryFixture *self = user_data;

  g_ptr_array_add (self->problems, g_error_copy (error));
}

static void
open_history (HistoryFixture *self)
{
  self->history = stint_history_new (self->directory);
  g_signal_connect (self->history, "problem", G_CALLBACK (on_problem), self);
}

static void
close_history (HistoryFixture *self)
{
  stint_history_close (self->history);
  g_assert_finalize_object (self->history);
}

HistoryFixture *
history_fixture_new (void)
{
  HistoryFixture *self = g_new0 (HistoryFixture, 1);

  self->directory = g_dir_make_tmp ("stint-history-XXXXXX", NULL);
  g_assert_nonnull (self->directory);
  self->problems = g_ptr_array_new_with_free_func ((GDestroyNotify) g_error_free);
  open_history (self);
  return self;
}

static int
remove_one (const char *path, const struct stat *st, int type, struct FTW *where)
{
  /* The search index is filled by a thread that nobody waits for: it may have made a file just now. */
  if (g_remove (path) < 0)
    g_assert_cmpint (errno, ==, type == FTW_DP ? ENOTEMPTY : ENOENT);
  return 0;
}

void
history_fixture_free (HistoryFixture *self)
{
  close_history (self);
  while (g_file_test (self->directory, G_FILE_TEST_EXISTS))
    nftw (self->directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  g_ptr_array_unref (self->problems);
  g_free (self->directory);
  g_free (self);
}

void
history_fixture_reopen (HistoryFixture *self)
{
  close_history (self);
  open_history (self);
}

char *
history_fixture_path (HistoryFixture *self, const char *name)
{
  return g_build_filename (self->directory, name, NULL);
}

void
history_fixture_assert_problem (HistoryFixture *self, int code)
{
  const GError *problem;

  g_assert_cmpuint (self->problems->len, ==, 1);
  problem = g_ptr_array_index (self->problems, 0);
  g_test_message ("problem: %s", problem->message);
  g_assert_error (problem, STINT_ERROR, code);
  g_ptr_array_set_size (self->problems, 0);
}

void
history_fixture_assert_no_problem (HistoryFixture *self)
{
  const GError *problem = self->problems->len > 0 ? g_ptr_array_index (self->problems, 0) : NULL;

  g_assert_no_error (problem);
}

void
history_fixture_keep_result (GObject *source, GAsyncResult *result, gpointer user_data)
{
  GAsyncResult **kept = user_data;

  g_assert_null (*kept);
  *kept = g_object_ref (result);
}

GAsyncResult *
history_fixture_await (GAsyncResult **result)
{
  while (*result == NULL)
    g_main_context_iteration (g_main_context_get_thread_default (), TRUE);
  return g_steal_pointer (result);
}

StintJobSpec *
history_fixture_spec (const char *line)
{
  return stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, line);
}

StintJobPlace *
history_fixture_begin_spec (HistoryFixture *self, StintJobSpec *spec)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GAsyncResult *pending = NULL;
  g_autoptr (StintJob) job = stint_job_new (spec, NULL);
  StintJobPlace *place;

  stint_job_store_begin_async (STINT_JOB_STORE (self->history), job, history_fixture_keep_result,
                               &pending);
  result = history_fixture_await (&pending);
  place = stint_job_store_begin_finish (STINT_JOB_STORE (self->history), result, &error);
  g_assert_no_error (error);
  g_assert_nonnull (place);
  g_assert_true (g_file_test (place->directory, G_FILE_TEST_IS_DIR));
  g_assert_cmpint (place->lock_fd, >=, 0);
  return place;
}

StintJobPlace *
history_fixture_begin (HistoryFixture *self, const char *line)
{
  g_autoptr (StintJobSpec) spec = history_fixture_spec (line);

  return history_fixture_begin_spec (self, spec);
}

gboolean
history_fixture_finish (HistoryFixture *self,
                        guint64 id,
                        StintJobSpec *spec,
                        StintResult *result,
                        GError **error)
{
  g_autoptr (StintJob) job = stint_job_new_finished (id, spec, result, NULL);
  g_autoptr (GAsyncResult) answer = NULL;
  GAsyncResult *pending = NULL;

  stint_job_store_finish_async (STINT_JOB_STORE (self->history), job, history_fixture_keep_result,
                                &pending);
  answer = history_fixture_await (&pending);
  return stint_job_store_finish_finish (STINT_JOB_STORE (self->history), answer, error);
}

GPtrArray *
history_fixture_load (HistoryFixture *self)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GAsyncResult *pending = NULL;
  GPtrArray *jobs;

  stint_history_load_async (self->history, 1000, history_fixture_keep_result, &pending);
  result = history_fixture_await (&pending);
  jobs = stint_history_load_finish (self->history, result, &error);
  g_assert_no_error (error);
  g_assert_nonnull (jobs);
  return jobs;
}

int
history_fixture_recover (HistoryFixture *self)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  GAsyncResult *pending = NULL;
  int n;

  stint_history_recover_async (self->history, history_fixture_keep_result, &pending);
  result = history_fixture_await (&pending);
  n = stint_history_recover_finish (self->history, result, &error);
  g_assert_no_error (error);
  return n;
}

guint64
history_fixture_add (HistoryFixture *self, const char *line)
{
  g_autoptr (StintJobSpec) spec = history_fixture_spec (line);
  g_autoptr (StintJobPlace) place = history_fixture_begin_spec (self, spec);
  g_autoptr (StintResult) result = stint_result_new (STINT_REASON_EXITED);
  g_autoptr (GError) error = NULL;

  g_assert_false (place->scratch);
  g_assert_null (place->warning);
  stint_result_set_wait_status (result, 0);
  result->started_at = g_get_real_time ();
  history_fixture_finish (self, place->id, spec, result, &error);
  g_assert_no_error (error);
  return place->id;
}

guint64
history_fixture_add_output (HistoryFixture *self, const char *line, const char *output)
{
  guint64 id = history_fixture_add (self, line);
  g_autofree char *name = g_strdup_printf ("jobs/%" G_GUINT64_FORMAT "/output", id);
  g_autofree char *path = history_fixture_path (self, name);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, output, -1, &error);
  g_assert_no_error (error);
  return id;
}

static void
keep_warning (guint64 done, guint64 total, const GError *warning, gpointer user_data)
{
  GError **kept = user_data;

  if (warning != NULL && *kept == NULL)
    *kept = g_error_copy (warning);
}

GError *
history_fixture_index (HistoryFixture *self)
{
  g_autoptr (GError) error = NULL;
  GError *warning = NULL;

  stint_index_update (self->directory, STINT_INDEX_DEFAULT_LIMIT, keep_warning, &warning, NULL, &error);
  g_assert_no_error (error);
  return warning;
}

sqlite3 *
history_fixture_connect (HistoryFixture *self)
{
  g_autofree char *path = history_fixture_path (self, "history.db");
  sqlite3 *db = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  sqlite3_busy_timeout (db, 5000);
  sqlite3_db_config (db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  return db;
}

void
history_fixture_sql (HistoryFixture *self, const char *sql)
{
  sqlite3 *db = history_fixture_connect (self);

  sqlite3_exec (db, sql, NULL, NULL, NULL);
  g_assert_cmpstr (sqlite3_errmsg (db), ==, "not an error");
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
}

int
history_fixture_count (HistoryFixture *self, const char *sql)
{
  sqlite3 *db = history_fixture_connect (self);
  sqlite3_stmt *statement;
  int count;

  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  count = sqlite3_column_int (statement, 0);
  sqlite3_finalize (statement);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
  return count;
}

guint
history_fixture_count_hits (StintSearcher *searcher, const char *text)
{
  g_autoptr (StintHistoryQuery) query = stint_history_query_parse (text, 0, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) hits = stint_searcher_run (searcher, query, STINT_SORT_NEWEST,
                                                STINT_GROUP_NONE, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return hits->len;
}

char *
history_fixture_select (sqlite3 *db, const char *text, StintFilterFlags flags)
{
  g_autoptr (StintHistoryQuery) query = stint_history_query_parse (text, g_get_real_time (), NULL);
  g_autoptr (GString) sql =
      g_string_new ("SELECT group_concat (id) FROM (SELECT id FROM jobs WHERE 1");
  sqlite3_stmt *statement;
  char *ids;

  stint_history_query_append_filters (query, sql, flags);
  g_string_append (sql, " ORDER BY id)");
  g_assert_cmpint (sqlite3_prepare_v2 (db, sql->str, -1, &statement, NULL), ==, SQLITE_OK);
  stint_history_query_bind_filters (query, statement, 1, flags);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  ids = g_strdup ((const char *) sqlite3_column_text (statement, 0));
  sqlite3_finalize (statement);
  return ids;
}

guint
history_fixture_find (HistoryFixture *self, const char *prefix, char **path)
{
  g_autoptr (GDir) dir = g_dir_open (self->directory, 0, NULL);
  const char *name;
  guint n = 0;

  if (path != NULL)
    *path = NULL;
  while ((name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, prefix))
      {
        if (path != NULL && *path == NULL)
          *path = history_fixture_path (self, name);
        n++;
      }
  return n;
}
