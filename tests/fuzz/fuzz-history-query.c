/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A search of the history from anything that can be typed: it is a query that SQLite takes, or an error
 * for people.
 */
#include "fuzz.h"
#include "stint-error.h"
#include "stint-history-query.h"

/* 2026-11-22 */
#define NOW (G_GINT64_CONSTANT (1795305600) * G_USEC_PER_SEC)

static sqlite3 *
open_tables (void)
{
  static sqlite3 *db;

  if (db != NULL)
    return db;
  g_assert_cmpint (sqlite3_open (":memory:", &db), ==, SQLITE_OK);
  g_assert_cmpint (
    sqlite3_exec (db,
                  "CREATE TABLE jobs (id INTEGER PRIMARY KEY, name, kind, command, directory, tags, "
                  "state, reason, exit_code, signal, started_at, created_at, duration, pinned, "
                  "changed);"
                  "INSERT INTO jobs (id, command, state) VALUES (1, 'true', 'finished');"
                  "CREATE TABLE job_tags (job, tag);"
                  "CREATE VIRTUAL TABLE docs USING fts5 (command, output, content = '');"
                  "ATTACH ':memory:' AS search; CREATE TABLE search.state (stamp);"
                  "CREATE VIRTUAL TABLE search.titles USING fts5 (command, name, content = '', "
                  "tokenize = 'trigram', detail = column);"
                  "INSERT INTO search.titles (rowid, command, name) VALUES (1, 'true', NULL);",
                  NULL, NULL, NULL),
    ==, SQLITE_OK);
  return db;
}

static void
select_with (StintHistoryQuery *query, StintFilterFlags flags)
{
  g_autoptr (GString) sql = g_string_new ("SELECT id FROM jobs WHERE 1");
  sqlite3_stmt *statement = NULL;

  stint_history_query_append_filters (query, sql, flags);
  g_assert_cmpint (sqlite3_prepare_v2 (open_tables (), sql->str, -1, &statement, NULL), ==, SQLITE_OK);
  g_assert_cmpint (stint_history_query_bind_filters (query, statement, 1, flags), ==,
                   sqlite3_bind_parameter_count (statement) + 1);
  while (sqlite3_step (statement) == SQLITE_ROW)
    ;
  g_assert_cmpint (sqlite3_finalize (statement), ==, SQLITE_OK);
}

static void
match (const char *expression)
{
  sqlite3_stmt *statement = NULL;

  if (expression == NULL)
    return;
  g_assert_cmpint (sqlite3_prepare_v2 (open_tables (), "SELECT rowid FROM docs WHERE docs MATCH ?1", -1,
                                       &statement, NULL),
                   ==, SQLITE_OK);
  sqlite3_bind_text (statement, 1, expression, -1, SQLITE_STATIC);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_DONE);
  sqlite3_finalize (statement);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_autoptr (GError) error = NULL;
  g_autoptr (StintHistoryQuery) query = stint_history_query_parse (text, NOW, &error);

  if (query == NULL)
    {
      g_assert_error (error, STINT_ERROR, STINT_ERROR_INVALID);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      return 0;
    }
  select_with (query, STINT_FILTER_NONE);
  select_with (query, STINT_FILTER_FEW);
  select_with (query, STINT_FILTER_FEW | STINT_FILTER_WORDS);
  select_with (query, STINT_FILTER_FEW | STINT_FILTER_INDEXED);
  match (stint_history_query_get_match (query));
  match (stint_history_query_get_unwanted (query));
  return 0;
}
