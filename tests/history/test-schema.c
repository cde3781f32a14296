/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Databases of earlier versions (samples/schema-N.sql, as those versions wrote them) come up to date
 * with everything in them; and a file with random damage never crashes anything, is never overwritten,
 * and is always told of.
 */
#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#include "history-fixture.h"
#include "stint-database.h"
#include "stint-error.h"
#include "stint-indexer.h"
#include "stint-schema.h"
#include "stint-search-index.h"
#include "stint-searcher.h"

/* More by hand: STINT_TEST_ROUNDS=1000. */
#define ROUNDS 50

#define N_INDEXED 20

static guint
get_rounds (void)
{
  const char *rounds = g_getenv ("STINT_TEST_ROUNDS");

  return rounds != NULL ? (guint) atoi (rounds) : ROUNDS;
}

static void
load_sample (HistoryFixture *fixture, int version)
{
  g_autofree char *name = g_strdup_printf ("history/samples/schema-%d.sql", version);
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, name, NULL);
  g_autofree char *sql = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &sql, NULL, &error);
  g_assert_no_error (error);
  history_fixture_sql (fixture, sql);
  history_fixture_sql (fixture, "PRAGMA journal_mode = WAL");
}

static void
test_every_version (void)
{
  for (int version = 1; version < STINT_SCHEMA_VERSION; version++)
    {
      g_autoptr (HistoryFixture) fixture = history_fixture_new ();
      g_autoptr (GPtrArray) jobs = NULL;
      StintJobSpec *spec;

      load_sample (fixture, version);
      jobs = history_fixture_load (fixture);
      history_fixture_assert_no_problem (fixture);
      g_assert_cmpuint (jobs->len, ==, 4);
      spec = stint_job_get_spec (g_ptr_array_index (jobs, 3));
      g_assert_cmpstr (stint_job_spec_get_name (spec), ==, "A name “quoted”");
      g_assert_cmpint (stint_job_get_result (g_ptr_array_index (jobs, 1))->reason, ==,
                       STINT_REASON_TIMEOUT);
      g_assert_cmpint (history_fixture_count (fixture, "PRAGMA user_version"), ==,
                       STINT_SCHEMA_VERSION);
      g_assert_cmpint (history_fixture_count (fixture, "SELECT count (*) FROM job_tags "
                                                       "WHERE tag IN ('nightly', 'two words')"),
                       ==, 2);
      g_assert_cmpint (history_fixture_count (fixture, "SELECT last FROM changes"), ==, 4);
      g_assert_cmpint (history_fixture_count (fixture, "SELECT count (*) FROM "
                                                       "pragma_foreign_key_check ()"),
                       ==, 0);
      g_assert_cmpuint (history_fixture_add (fixture, "true"), ==, 5);
    }
}

/* What comes up from an old version is what is made anew. */
static void
test_same_tables (void)
{
  g_autoptr (HistoryFixture) fresh = history_fixture_new ();
  g_autoptr (HistoryFixture) old = history_fixture_new ();
  g_autofree char *path = history_fixture_path (old, "history.db");
  g_autofree char *attach = g_strdup_printf ("ATTACH '%s' AS old", path);
  sqlite3 *db;
  sqlite3_stmt *statement;

  history_fixture_add (fresh, "true");
  load_sample (old, 1);
  history_fixture_add (old, "true");
  db = history_fixture_connect (fresh);
  g_assert_cmpint (sqlite3_exec (db, attach, NULL, NULL, NULL), ==, SQLITE_OK);
  g_assert_cmpint (
    sqlite3_prepare_v2 (db,
                        "SELECT name FROM (SELECT type, name, sql FROM main.sqlite_schema EXCEPT "
                        "SELECT type, name, sql FROM old.sqlite_schema)",
                        -1, &statement, NULL),
    ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_DONE);
  sqlite3_finalize (statement);
  sqlite3_close (db);
}

static void
damage (GByteArray *content, GRand *rand)
{
  guint n = (guint) g_rand_int_range (rand, 1, 40);

  if (g_rand_int_range (rand, 0, 8) == 0)
    {
      g_byte_array_set_size (content, (guint) g_rand_int_range (rand, 0, (gint32) content->len));
      return;
    }
  for (guint i = 0; i < n; i++)
    {
      guint at = (guint) g_rand_int_range (rand, 0, (gint32) content->len);

      /* The header and the first page tell most. */
      if (g_rand_boolean (rand))
        at %= MIN (content->len, 4096);
      content->data[at] = (guint8) g_rand_int (rand);
    }
}

/* Everything that reads, and who begins and finishes a job. Whatever comes of it, it comes. */
static void
use (HistoryFixture *fixture)
{
  g_autoptr (StintSearcher) searcher = stint_searcher_new (fixture->directory);
  g_autoptr (StintHistoryQuery) query = stint_history_query_parse ("true failed:no", 0, NULL);
  g_autoptr (GArray) hits = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  guint64 ids[] = { 1, 2, 3 };

  hits = stint_searcher_run (searcher, query, STINT_SORT_NEWEST, STINT_GROUP_DIRECTORY, NULL, NULL,
                             NULL, NULL);
  entries = stint_searcher_read (searcher, ids, G_N_ELEMENTS (ids), NULL);
  for (guint i = 0; entries != NULL && i < entries->len; i++)
    g_clear_pointer (&g_ptr_array_index (entries, i), stint_entry_free);
  stint_index_update (fixture->directory, STINT_INDEX_DEFAULT_LIMIT, NULL, NULL, NULL, NULL);
}

static void
check_damaged (GBytes *original, GRand *rand)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autofree char *path = history_fixture_path (fixture, "history.db");
  g_autoptr (GByteArray) content = g_byte_array_new ();
  g_autoptr (StintJobPlace) place = NULL;
  g_autoptr (GAsyncResult) loaded = NULL;
  GAsyncResult *pending = NULL;
  g_autoptr (GPtrArray) jobs = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *aside = NULL;

  g_byte_array_append (content, g_bytes_get_data (original, NULL),
                       (guint) g_bytes_get_size (original));
  damage (content, rand);
  g_assert_true (g_file_set_contents (path, (const char *) content->data, (gssize) content->len, NULL));
  use (fixture);

  stint_history_load_async (fixture->history, 100, history_fixture_keep_result, &pending);
  loaded = history_fixture_await (&pending);
  jobs = stint_history_load_finish (fixture->history, loaded, &error);
  place = history_fixture_begin (fixture, "true");
  /* Whoever begins a job gets a place for it. */
  g_assert_nonnull (place->directory);
  if (place->scratch)
    g_assert_true (g_remove (place->directory) == 0 || errno != 0);
  /* What was moved aside is the file as it was. */
  if (history_fixture_find (fixture, "history.db.", &aside) > 0)
    {
      g_assert_cmpuint (fixture->problems->len, >, 0);
      if (!g_str_has_suffix (aside, "-wal") && !g_str_has_suffix (aside, "-shm"))
        g_assert_true (g_file_test (aside, G_FILE_TEST_IS_REGULAR));
    }
  g_ptr_array_set_size (fixture->problems, 0);
}

static void
test_random_damage (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autofree char *copy = history_fixture_path (fixture, "copy");
  g_autofree char *sql = g_strdup_printf ("VACUUM INTO '%s'", copy);
  g_autofree char *content = NULL;
  g_autoptr (GBytes) original = NULL;
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int ());
  gsize length;

  for (guint i = 0; i < 20; i++)
    history_fixture_add (fixture, "true");
  history_fixture_sql (fixture, sql);
  g_assert_true (g_file_get_contents (copy, &content, &length, NULL));
  original = g_bytes_new (content, length);
  for (guint i = 0; i < get_rounds (); i++)
    check_damaged (original, rand);
}

static void
note_warning (guint64 done, guint64 total, const GError *warning, gpointer user_data)
{
  *(gboolean *) user_data |= warning != NULL;
}

/* (transfer full): all there is to see of the history's own files. */
static char *
sum_history (HistoryFixture *fixture)
{
  g_autofree char *path = history_fixture_path (fixture, "history.db");
  g_autofree char *wal = history_fixture_path (fixture, "history.db-wal");
  g_autofree char *content = NULL;
  g_autofree char *wal_content = NULL;
  g_autofree char *sum = NULL;
  g_autofree char *wal_sum = NULL;
  gsize length, wal_length = 0;

  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  g_file_get_contents (wal, &wal_content, &wal_length, NULL);
  sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (guchar *) content, length);
  wal_sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (guchar *) wal_content, wal_length);
  return g_strconcat (sum, " ", wal_sum, NULL);
}

/* Returns: whether it was told. Damage can also make it one of another version, or change a number that
 * nothing tells from the right one: that is an index like any other. */
static gboolean
check_damaged_index (HistoryFixture *fixture, GBytes *original, GRand *rand)
{
  static const char *const suffixes[] = { "", "-wal", "-shm" };
  g_autoptr (StintSearcher) searcher = stint_searcher_new (fixture->directory);
  g_autofree char *path = history_fixture_path (fixture, "search.db");
  g_autoptr (GByteArray) content = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  gboolean told = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *old = g_strconcat (path, suffixes[i], NULL);

      g_unlink (old);
    }
  g_byte_array_append (content, g_bytes_get_data (original, NULL),
                       (guint) g_bytes_get_size (original));
  damage (content, rand);
  g_assert_true (g_file_set_contents (path, (const char *) content->data, (gssize) content->len, NULL));

  /* Searching goes on by what the rows say. */
  history_fixture_count_hits (searcher, "true");
  stint_index_update (fixture->directory, STINT_INDEX_DEFAULT_LIMIT, note_warning, &told, NULL, &error);
  g_assert_no_error (error);
  /* What was made again is whole: no row has this word. */
  if (told)
    g_assert_cmpuint (history_fixture_count_hits (searcher, "written"), ==, N_INDEXED);
  return told;
}

/* Whatever is done to the search index: it is found in what the rows say, it is made again, and nothing
 * is ever done to the history itself. */
static void
test_random_index_damage (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autofree char *path = history_fixture_path (fixture, "search.db");
  g_autofree char *content = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr (GBytes) original = NULL;
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int ());
  g_autoptr (GError) error = NULL;
  guint n_told = 0;
  gsize length;

  for (guint i = 0; i < N_INDEXED; i++)
    history_fixture_add_output (fixture, "true", "This was written.\n");
  stint_index_update (fixture->directory, STINT_INDEX_DEFAULT_LIMIT, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  original = g_bytes_new (content, length);
  before = sum_history (fixture);
  for (guint i = 0; i < get_rounds (); i++)
    n_told += check_damaged_index (fixture, original, rand) ? 1 : 0;
  after = sum_history (fixture);
  g_assert_cmpstr (before, ==, after);
  g_assert_cmpuint (history_fixture_find (fixture, "history.db.", NULL), ==, 0);
  history_fixture_assert_no_problem (fixture);
  g_test_message ("told %u times of %u", n_told, get_rounds ());
  /* Most damage is noticed: that none of it was is no accident. */
  g_assert_cmpuint (n_told, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  history_fixture_watch ();

  g_test_add_func ("/schema/every-version", test_every_version);
  g_test_add_func ("/schema/same-tables", test_same_tables);
  g_test_add_func ("/schema/random-damage", test_random_damage);
  g_test_add_func ("/schema/random-index-damage", test_random_index_damage);

  return g_test_run ();
}
