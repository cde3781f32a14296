/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the search index has beside the words: the beginnings of words, and the titles that parts of
 * commands and names are found by; an index of an earlier version; and one whose header is damaged.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "history-fixture.h"
#include "stint-beginnings.h"
#include "stint-database.h"
#include "stint-error.h"
#include "stint-history-titles.h"
#include "stint-indexer.h"
#include "stint-search-index.h"
#include "stint-search-text.h"
#include "stint-searcher.h"

/* A connection to the history with its index attached, as the searcher has it. */
static sqlite3 *
connect_both (HistoryFixture *fixture)
{
  sqlite3 *db = history_fixture_connect (fixture);
  g_autofree char *path = history_fixture_path (fixture, "search.db");
  g_autofree char *attach = g_strdup_printf ("ATTACH '%s' AS search", path);

  g_assert_cmpint (sqlite3_exec (db, attach, NULL, NULL, NULL), ==, SQLITE_OK);
  return db;
}

/* (transfer full) (nullable): what @sql, which selects ids, gives for @value. */
static char *
select_ids (sqlite3 *db, const char *sql, const char *value)
{
  g_autofree char *all = g_strdup_printf ("SELECT group_concat (id) FROM (%s)", sql);
  sqlite3_stmt *statement = NULL;
  char *ids;

  g_assert_cmpint (sqlite3_prepare_v2 (db, all, -1, &statement, NULL), ==, SQLITE_OK);
  sqlite3_bind_text (statement, 1, value, -1, SQLITE_STATIC);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  ids = g_strdup ((const char *) sqlite3_column_text (statement, 0));
  sqlite3_finalize (statement);
  return ids;
}

static void
assert_no_warning (HistoryFixture *fixture)
{
  g_autoptr (GError) warning = history_fixture_index (fixture);

  g_assert_no_error (warning);
}

static void
test_beginnings_of_text (void)
{
  static const char *const marked[] = { "k", "KE", "keb", "keba", "é", "я7", "3" };
  static const char *const not_marked[] = { "kebab", "", "k-", "-", "你", "e\xcc\x81", "k e" };
  g_autoptr (StintBeginnings) beginnings = NULL;
  const char *text = "Kebab kettle k x_yz ÉCOLE école 你 12";
  sqlite3 *db = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (marked); i++)
    {
      g_autofree char *word = stint_beginnings_dup_word (marked[i], FALSE);

      g_assert_true (g_str_has_prefix (word, STINT_SEARCH_TEXT_MARK));
      g_assert_cmpstr (word + strlen (STINT_SEARCH_TEXT_MARK), ==, marked[i]);
    }
  for (guint i = 0; i < G_N_ELEMENTS (not_marked); i++)
    g_assert_null (stint_beginnings_dup_word (not_marked[i], FALSE));

  g_assert_cmpint (sqlite3_open (":memory:", &db), ==, SQLITE_OK);
  beginnings = stint_beginnings_new (db);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GString) plain =
          g_string_new (stint_beginnings_get_text (beginnings)->str);

      g_assert_cmpstr (plain->str, ==, "");
      g_assert_cmpint (stint_beginnings_add (beginnings, text, strlen (text), FALSE), ==,
                       SQLITE_OK);
      g_string_assign (plain, stint_beginnings_get_text (beginnings)->str);
      g_string_replace (plain, STINT_SEARCH_TEXT_MARK, "", 0);
      g_assert_cmpstr (plain->str, ==, "k ke keb keba ket kett x y yz e ec eco ecol 1 12 ");
      stint_beginnings_clear (beginnings);
    }
  g_clear_pointer (&beginnings, stint_beginnings_free);
  sqlite3_close (db);
}

/* What FTS5 finds by a prefix is found by the beginning of a word, and nothing else. */
static void
test_beginnings (void)
{
  static const char *const words[] = {
    "k", "ke", "KE", "s", "st", "é", "e", "É", "ec", "1", "42", "я", "яб", "ta", "q", "x_", "ü", "你",
    "keb", "KEBA", "kett", "éco", "eclA", "42nd", "ябл", "ябло", "über",
  };
  static const char *const outputs[] = {
    "kebab stew 12\n", "école Kettle über\n", "ябло́ко 42nd\n", "ECLAIR table x_y\n", "你好 世界\n",
    STINT_SEARCH_TEXT_MARK "q " STINT_SEARCH_TEXT_MARK "st\n", "\033[31mstart\033[0m\n",
  };
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintSearcher) searcher = stint_searcher_new (fixture->directory);
  guint n_found = 0;
  sqlite3 *db;

  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++)
    history_fixture_add_output (fixture, "true", outputs[i]);
  assert_no_warning (fixture);
  db = connect_both (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    {
      g_autoptr (StintHistoryQuery) query = stint_history_query_parse (words[i], 0, NULL);
      g_autofree char *prefix = g_strdup_printf (
          "{command name tags directory output} : \"%s\" *", words[i]);
      g_autofree char *expected = select_ids (
          db, "SELECT rowid AS id FROM docs WHERE docs MATCH ? ORDER BY 1", prefix);
      g_autofree char *found =
          select_ids (db, "SELECT rowid AS id FROM docs WHERE docs MATCH ? ORDER BY 1",
                      stint_history_query_get_match (query));

      g_test_message ("%s: %s", words[i], found);
      g_assert_cmpstr (found, ==, expected);
      n_found += found != NULL;
    }
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
  /* The mark is no word of an output's. */
  g_assert_cmpuint (n_found, ==, G_N_ELEMENTS (words));
  g_assert_cmpuint (history_fixture_count_hits (searcher, "q"), ==, 1);
  g_assert_cmpuint (history_fixture_count_hits (searcher, "st -ke"), ==, 2);
  g_assert_cmpuint (history_fixture_count_hits (searcher, "tr t k"), ==, 2);
}

/* Of commands and names alone, and of as many words as are asked for: found by their beginnings, or by a prefix. */
static void
test_beginnings_of_titles (void)
{
  static const struct
  {
    const char *terms[3];
    guint n;
  } cases[] = {
    { { "k" }, 2 },         { { "ke", "st" }, 1 }, { { "kebab" }, 1 }, { { "stew", "kebab" }, 1 },
    { { "yak" }, 0 },       { { "y" }, 0 },        { { "tmp" }, 0 },   { { "KETT" }, 1 },
    { { "kettle", "l" }, 1 },
  };
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintSearcher) searcher = stint_searcher_new (fixture->directory);
  g_autoptr (GError) error = NULL;

  history_fixture_add_output (fixture, "echo kebab stew", "yak\n");
  history_fixture_add_output (fixture, "true", "kebab stew yak\n");
  history_fixture_sql (fixture, "UPDATE jobs SET name = 'Kettle lid' WHERE id = 2");
  assert_no_warning (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GPtrArray) found =
          stint_searcher_find_titles (searcher, cases[i].terms, 9, NULL, &error);

      g_assert_no_error (error);
      g_test_message ("%s", cases[i].terms[0]);
      g_assert_cmpuint (found->len, ==, cases[i].n);
    }
}

/* A word that was taken out of the index takes its beginnings with it. */
static void
test_beginnings_are_taken_out (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintSearcher) searcher = stint_searcher_new (fixture->directory);

  history_fixture_add_output (fixture, "true", "written\n");
  history_fixture_sql (fixture, "UPDATE jobs SET name = 'zebra' WHERE id = 1");
  assert_no_warning (fixture);
  g_assert_cmpuint (history_fixture_count_hits (searcher, "ze"), ==, 1);
  g_assert_cmpuint (history_fixture_count_hits (searcher, "name:ebr"), ==, 1);
  history_fixture_sql (fixture, "UPDATE jobs SET name = 'yak' WHERE id = 1");
  assert_no_warning (fixture);
  g_assert_cmpuint (history_fixture_count_hits (searcher, "ze"), ==, 0);
  g_assert_cmpuint (history_fixture_count_hits (searcher, "ya"), ==, 1);
  g_assert_cmpuint (history_fixture_count_hits (searcher, "wr"), ==, 1);
  g_assert_cmpuint (history_fixture_count_hits (searcher, "name:ebr"), ==, 0);
}

/* Words are looked up whole, from the fifth letter on: those that are there, and none that was taken out. */
static void
test_words_are_taken_out (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autofree char *words = NULL, *later = NULL;
  sqlite3 *db;

  history_fixture_add_output (fixture, "true", "written tenth WRITTEN four écoles\n");
  history_fixture_sql (fixture, "UPDATE jobs SET name = 'secret' WHERE id = 1");
  assert_no_warning (fixture);
  db = connect_both (fixture);
  sqlite3_exec (db, "CREATE VIRTUAL TABLE temp.v USING fts5vocab ('search', 'words', 'row')", NULL, NULL, NULL);
  words = select_ids (db, "SELECT term AS id FROM temp.v WHERE doc > CAST (? AS INTEGER)", "0");
  history_fixture_sql (fixture, "UPDATE jobs SET name = 'public' WHERE id = 1");
  assert_no_warning (fixture);
  later = select_ids (db, "SELECT term AS id FROM temp.v WHERE doc > CAST (? AS INTEGER)", "0");
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
  g_assert_cmpstr (words, ==, "ecoles,secret,tenth,written");
  g_assert_cmpstr (later, ==, "ecoles,public,tenth,written");
}

/* A part of a command or of a name is found by the index's titles, as it is by looking at each job: those
 * included that the index does not have yet. */
static void
test_titles (void)
{
  static const struct
  {
    const char *text, *ids;
    gboolean by_titles;
  } cases[] = {
    { "command:make", "1,2,6,7", TRUE },  { "command:MAKE", "1,2,6,7", TRUE },
    { "command:ma", "1,2,6,7", FALSE },   { "command:ake-a", "2", TRUE },
    { "command:l-m", "1", TRUE },         { "command:\"o 'a\"", "3", TRUE },
    { "command:你好世", "4", TRUE },      { "command:好世", "4", FALSE },
    { "command:ÉCO", "5", TRUE },         { "command:éco", NULL, TRUE },
    { "command:nothing", NULL, TRUE },    { "-command:make", "3,4,5", FALSE },
    { "name:special", "3", TRUE },        { "name:make", NULL, TRUE },
    { "command:make command:all", "1,2", TRUE },
    { "command:make-all-make-all-make-all-make-all-make-all-make-all", NULL, TRUE },
  };
  static const char *const lines[] = {
    "make all-make", "make-all", "echo 'a \"b'", "echo 你好世界", "ÉCOLE", "late make",
  };
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintSearcher) searcher = stint_searcher_new (fixture->directory);
  g_autoptr (StintJobPlace) running = NULL;
  sqlite3 *db;

  for (guint i = 0; i < 5; i++)
    history_fixture_add (fixture, lines[i]);
  history_fixture_sql (fixture, "UPDATE jobs SET name = 'a special one' WHERE id = 3");
  assert_no_warning (fixture);
  history_fixture_add (fixture, lines[5]);
  running = history_fixture_begin (fixture, "make running");
  db = connect_both (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (StintHistoryQuery) query = stint_history_query_parse (cases[i].text, 0, NULL);
      g_autofree char *by_rows = history_fixture_select (db, cases[i].text, STINT_FILTER_NONE);
      g_autofree char *by_titles =
          history_fixture_select (db, cases[i].text, STINT_FILTER_FEW | STINT_FILTER_INDEXED);
      g_autoptr (GString) sql = g_string_new (NULL);

      g_test_message ("%s: %s", cases[i].text, by_titles);
      g_assert_cmpstr (by_rows, ==, cases[i].ids);
      g_assert_cmpstr (by_titles, ==, cases[i].ids);
      stint_history_query_append_filters (query, sql, STINT_FILTER_FEW | STINT_FILTER_INDEXED);
      g_assert_cmpint (strstr (sql->str, "titles") != NULL, ==, cases[i].by_titles);
    }
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
}

/* One in so many that walking to it is given up: found by the titles, and by looking at each job where there
 * is no index. */
static void
test_one_command_in_many (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintSearcher) searcher = stint_searcher_new (fixture->directory);

  history_fixture_add (fixture, "make needle");
  history_fixture_sql (
      fixture, "INSERT INTO jobs (kind, command, tags, spec, state, created_at, started_at, duration, "
               "reason, exit_code, directory) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 "
               "FROM n WHERE i < 20000) SELECT 'terminal', 'top', '[]', '{}', 'finished', 4e15 + i, "
               "4e15 + i, 5000000, 'exited', 0, '/top' FROM n");
  g_assert_cmpuint (history_fixture_count_hits (searcher, "command:needle"), ==, 1);
  assert_no_warning (fixture);
  g_assert_cmpuint (history_fixture_count_hits (searcher, "command:needle"), ==, 1);
  g_assert_cmpuint (history_fixture_count_hits (searcher, "command:needles"), ==, 0);
  g_assert_cmpuint (history_fixture_count_hits (searcher, "command:top"), ==, 20000);
}

/* Puts an index of @version, as of this history and up to date, in place of what there is. */
static void
put_old_index (HistoryFixture *fixture, guint version)
{
  g_autofree char *name = g_strdup_printf ("history/samples/search-%u.sql", version);
  g_autofree char *sample = g_test_build_filename (G_TEST_DIST, name, NULL);
  g_autofree char *path = history_fixture_path (fixture, "search.db");
  g_autofree char *sql = NULL;
  g_autofree char *identity = NULL;
  sqlite3 *db;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (sample, &sql, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
  db = connect_both (fixture);
  identity = select_ids (db, "SELECT identity AS id FROM changes WHERE ?1 IS NULL", NULL);
  sqlite3_close (db);
  g_free (sql);
  sql = g_strdup_printf ("UPDATE state SET identity = %s", identity);
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
}

static void
keep_progress (guint64 done, guint64 total, const GError *warning, gpointer user_data)
{
  GArray *progress = user_data;

  g_assert_no_error (warning);
  g_array_append_val (progress, done);
  g_array_append_val (progress, total);
}

/* An index of an earlier version is no damage, and not looked at: it is made again, and says how far it is. */
static void
assert_made_again (guint earlier)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintSearcher) searcher = stint_searcher_new (fixture->directory);
  g_autoptr (GArray) progress = g_array_new (FALSE, FALSE, sizeof (guint64));
  const guint64 expected[] = { 0, 1, 1, 1 };
  gint64 version = 0;
  g_autoptr (GError) error = NULL;
  sqlite3 *db;

  history_fixture_add_output (fixture, "true", "written\n");
  put_old_index (fixture, earlier);
  g_assert_cmpuint (history_fixture_count_hits (searcher, "true"), ==, 1);
  g_assert_cmpuint (history_fixture_count_hits (searcher, "t"), ==, 1);
  g_assert_cmpuint (history_fixture_count_hits (searcher, "command:tru"), ==, 1);
  g_assert_cmpuint (history_fixture_count_hits (searcher, "superseded"), ==, 0);
  g_assert_false (stint_searcher_take_lost_index (searcher));

  stint_index_update (fixture->directory, STINT_INDEX_DEFAULT_LIMIT, keep_progress, progress, NULL,
                      &error);
  g_assert_no_error (error);
  g_assert_cmpmem (progress->data, progress->len * sizeof (guint64), expected, sizeof expected);
  db = connect_both (fixture);
  g_assert_cmpint (stint_search_index_read_integer (db, "PRAGMA search.user_version", &version), ==,
                   SQLITE_ROW);
  sqlite3_close (db);
  g_assert_cmpint (version, ==, STINT_INDEX_VERSION);
  g_assert_cmpuint (history_fixture_count_hits (searcher, "superseded"), ==, 0);
  g_assert_cmpuint (history_fixture_count_hits (searcher, "written"), ==, 1);
  g_assert_cmpuint (history_fixture_count_hits (searcher, "wr"), ==, 1);
  g_assert_cmpuint (history_fixture_count_hits (searcher, "command:tru"), ==, 1);
  g_assert_cmpuint (history_fixture_find (fixture, "search.db.", NULL), ==, 0);
}

static void
test_earlier_versions (void)
{
  for (guint version = 1; version < STINT_INDEX_VERSION; version++)
    assert_made_again (version);
}

/* Every byte of the file's header, and some values: whatever SQLite makes of it, that it may only read the
 * file included, the index works in the end, and the history is left alone. */
static void
test_header (void)
{
  static const guint8 values[] = { 0x00, 0x03, 0x7f, 0xff };
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autofree char *path = history_fixture_path (fixture, "search.db");
  g_autofree char *content = NULL;
  guint n_told = 0;
  gsize length;

  history_fixture_add_output (fixture, "true", "written\n");
  assert_no_warning (fixture);
  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  for (guint i = 0; i < 100 * G_N_ELEMENTS (values); i++)
    {
      g_autoptr (StintSearcher) searcher = stint_searcher_new (fixture->directory);
      g_autofree char *damaged = g_memdup2 (content, length);
      g_autoptr (GError) first = NULL;
      g_autoptr (GError) second = NULL;

      for (guint j = 0; j < 3; j++)
        {
          g_autofree char *old = g_strconcat (path, ((const char *[]){ "", "-wal", "-shm" })[j], NULL);

          g_unlink (old);
        }
      damaged[i / G_N_ELEMENTS (values)] = (char) values[i % G_N_ELEMENTS (values)];
      g_assert_true (g_file_set_contents (path, damaged, (gssize) length, NULL));
      g_test_message ("byte %u: %u", i / (guint) G_N_ELEMENTS (values), values[i % G_N_ELEMENTS (values)]);
      g_assert_cmpuint (history_fixture_count_hits (searcher, "true"), ==, 1);
      /* More to take in: who has only read has not found out that it cannot be written. */
      history_fixture_sql (fixture, "UPDATE jobs SET name = name || 'x' WHERE id = 1");
      first = history_fixture_index (fixture);
      history_fixture_count_hits (searcher, "written");
      second = history_fixture_index (fixture);
      /* Once is enough. */
      g_assert_true (first == NULL || second == NULL);
      n_told += first != NULL || second != NULL;
      g_assert_cmpuint (history_fixture_count_hits (searcher, "written"), ==, 1);
      g_assert_cmpuint (history_fixture_count_hits (searcher, "wr"), ==, 1);
      g_assert_cmpuint (history_fixture_count_hits (searcher, "command:true"), ==, 1);
    }
  g_test_message ("told %u times", n_told);
  g_assert_cmpuint (n_told, >, 0);
  g_assert_cmpuint (history_fixture_find (fixture, "history.db.", NULL), ==, 0);
  history_fixture_assert_no_problem (fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  history_fixture_watch ();

  g_test_add_func ("/search-index/beginnings-of-text", test_beginnings_of_text);
  g_test_add_func ("/search-index/beginnings", test_beginnings);
  g_test_add_func ("/search-index/beginnings-are-taken-out", test_beginnings_are_taken_out);
  g_test_add_func ("/search-index/words-are-taken-out", test_words_are_taken_out);
  g_test_add_func ("/search-index/beginnings-of-titles", test_beginnings_of_titles);
  g_test_add_func ("/search-index/titles", test_titles);
  g_test_add_func ("/search-index/one-command-in-many", test_one_command_in_many);
  g_test_add_func ("/search-index/earlier-versions", test_earlier_versions);
  g_test_add_func ("/search-index/header", test_header);

  return g_test_run ();
}
