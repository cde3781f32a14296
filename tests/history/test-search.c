/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Searching the history: filters, words in rows and in output, with an index, without one, and with
 * one that is damaged or behind; and that who indexes keeps nobody waiting.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "history-fixture.h"
#include "stint-error.h"
#include "stint-history-change.h"
#include "stint-indexer.h"
#include "stint-search-index.h"
#include "stint-searcher.h"
#include "stint-snippet.h"
#include "stint-vocabulary.h"

#define DAY (G_GINT64_CONSTANT (86400) * G_USEC_PER_SEC)

typedef struct
{
  const char *line, *directory, *name, *tag, *output;
  int exit_code;
  gint64 age, duration;
} Job;

static const Job jobs[] = {
  { "make all", "/src/app", "build", "nightly", "cc main.c\nerror E42: missing ;\n", 2, 2 * DAY, 60 },
  { "make clean", "/src/app", NULL, NULL, "removed\n", 0, DAY, 1 },
  { "echo 你好", "/src/lib", NULL, NULL, "\033[31m构建失败了\033[0m 第三步\n", 0, 0, 2 },
  { "translate ar", "/home/x", NULL, "weekly", "تمت عملية البناء بنجاح\n", 0, 0, 3 },
  { "grep --color x_y", "/src", NULL, NULL, NULL, 1, 0, 4 },
};

static void
write_output (HistoryFixture *fixture, guint64 id, const char *text)
{
  g_autofree char *name = g_strdup_printf ("jobs/%" G_GUINT64_FORMAT "/output", id);
  g_autofree char *path = history_fixture_path (fixture, name);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, text, -1, &error);
  g_assert_no_error (error);
}

static guint64
add_job (HistoryFixture *fixture, const Job *job)
{
  g_autoptr (StintJobSpec) spec = history_fixture_spec (job->line);
  g_autoptr (StintJobPlace) place = NULL;
  g_autoptr (StintResult) result = stint_result_new (STINT_REASON_EXITED);
  g_autoptr (GError) error = NULL;

  stint_job_spec_set_directory (spec, job->directory);
  stint_job_spec_set_name (spec, job->name);
  if (job->tag != NULL)
    stint_job_spec_add_tag (spec, job->tag);
  place = history_fixture_begin_spec (fixture, spec);
  if (job->output != NULL)
    write_output (fixture, place->id, job->output);
  stint_result_set_wait_status (result, job->exit_code << 8);
  result->started_at = g_get_real_time () - job->age;
  result->duration = job->duration * G_USEC_PER_SEC;
  history_fixture_finish (fixture, place->id, spec, result, &error);
  g_assert_no_error (error);
  return place->id;
}

static HistoryFixture *
new_with_jobs (void)
{
  HistoryFixture *fixture = history_fixture_new ();

  for (guint i = 0; i < G_N_ELEMENTS (jobs); i++)
    g_assert_cmpuint (add_job (fixture, &jobs[i]), ==, i + 1);
  return fixture;
}

static void
update_index (HistoryFixture *fixture)
{
  g_clear_error (&(GError *){ history_fixture_index (fixture) });
}

/* (transfer full): the ids, in order: "3 1", with a bar before each that begins a group. */
static char *
search_as (StintSearcher *searcher, const char *text, StintHistorySort sort, StintHistoryGroup group)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StintHistoryQuery) query =
    stint_history_query_parse (text, g_get_real_time (), &error);
  g_autoptr (GArray) hits = NULL;
  GString *ids = g_string_new (NULL);

  g_assert_no_error (error);
  hits = stint_searcher_run (searcher, query, sort, group, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < hits->len; i++)
    {
      guint64 hit = g_array_index (hits, guint64, i);

      g_string_append_printf (ids, "%s%s%" G_GUINT64_FORMAT, i > 0 ? " " : "",
                              (hit & STINT_HIT_GROUP_START) != 0 ? "|" : "", STINT_HIT_ID (hit));
    }
  return g_string_free (ids, FALSE);
}

static void
assert_found (StintSearcher *searcher, const char *text, const char *ids)
{
  g_autofree char *found = search_as (searcher, text, STINT_SORT_NEWEST, STINT_GROUP_NONE);

  g_test_message ("%s: %s", text, found);
  g_assert_cmpstr (found, ==, ids);
}

static void
test_filters (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();
  g_autoptr (StintSearcher) searcher = stint_searcher_new (fixture->directory);

  assert_found (searcher, "", "5 4 3 2 1");
  assert_found (searcher, "failed:yes", "5 1");
  assert_found (searcher, "failed:no", "4 3 2");
  assert_found (searcher, "-failed:yes", "4 3 2");
  assert_found (searcher, "exit:2", "1");
  assert_found (searcher, "dir:/src", "5 3 2 1");
  assert_found (searcher, "dir:/src/", "5 3 2 1");
  assert_found (searcher, "dir:/sr", "");
  assert_found (searcher, "-dir:/src", "4");
  assert_found (searcher, "dir:app", "2 1");
  assert_found (searcher, "tag:nightly", "1");
  assert_found (searcher, "name:BUILD", "1");
  assert_found (searcher, "command:clean", "2");
  assert_found (searcher, "kind:shell", "5 4 3 2 1");
  assert_found (searcher, "kind:agent", "");
  assert_found (searcher, "since:36h", "5 4 3 2");
  assert_found (searcher, "until:36h", "1");
  assert_found (searcher, "longer:3s", "5 1");
  assert_found (searcher, "shorter:2s", "2");
  assert_found (searcher, "pinned:yes", "");
  assert_found (searcher, "pinned:no exit:1", "5");
  assert_found (searcher, "running:yes", "");
  assert_found (searcher, "reason:exited failed:yes dir:/src/app", "1");
  assert_found (searcher, "--", "5");
}

static void
check_row_words (StintSearcher *searcher)
{
  assert_found (searcher, "make", "2 1");
  assert_found (searcher, "mak", "2 1");
  assert_found (searcher, "MAKE All", "1");
  assert_found (searcher, "build", "1");
  assert_found (searcher, "nightly", "1");
  assert_found (searcher, "lib", "3");
  assert_found (searcher, "你", "3");
  assert_found (searcher, "x_y", "5");
  assert_found (searcher, "make failed:yes", "1");
  assert_found (searcher, "make -clean", "1");
  assert_found (searcher, "nothing-like-this", "");
}

/* Words of the rows are found before anything is indexed. */
static void
test_without_index (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();
  g_autoptr (StintSearcher) searcher = stint_searcher_new (fixture->directory);

  check_row_words (searcher);
  /* The control to the next test. */
  assert_found (searcher, "E42", "");
}

static void
test_with_index (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();
  g_autoptr (StintSearcher) searcher = stint_searcher_new (fixture->directory);

  update_index (fixture);
  check_row_words (searcher);
  assert_found (searcher, "E42", "1");
  assert_found (searcher, "\"error E42\"", "1");
  assert_found (searcher, "\"E42 error\"", "");
  assert_found (searcher, "make E42", "1");
  assert_found (searcher, "make -E42", "2");
  assert_found (searcher, "失败", "3");
  assert_found (searcher, "败失", "");
  assert_found (searcher, "البناء", "4");
  /* No control sequence is a word. */
  assert_found (searcher, "31m", "");
}

/* Overwrites all of the index but for the first page, so that it opens. */
static void
damage_tables (HistoryFixture *fixture)
{
  g_autofree char *path = history_fixture_path (fixture, "search.db");
  g_autofree char *wal = history_fixture_path (fixture, "search.db-wal");
  g_autofree char *content = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &content, &length, NULL));
  g_assert_cmpuint (length, >, 8192);
  g_assert_false (g_file_test (wal, G_FILE_TEST_EXISTS));
  memset (content + 4096, 0xa5, length - 4096);
  g_assert_true (g_file_set_contents (path, content, (gssize) length, NULL));
}

/* An index that is damaged is told of, once, and made again; that there is none, or one of another
 * history, is nothing to be told. The history itself is not touched. */
static void
test_damage_is_told (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();
  g_autoptr (StintSearcher) searcher = NULL;
  g_autofree char *path = history_fixture_path (fixture, "search.db");
  g_autoptr (GError) error = NULL;

  g_assert_null (history_fixture_index (fixture));
  g_assert_null (history_fixture_index (fixture));
  history_fixture_sql (fixture, "UPDATE changes SET identity = identity + 1");
  g_assert_null (history_fixture_index (fixture));
  g_assert_no_errno (g_unlink (path));
  g_assert_null (history_fixture_index (fixture));

  /* By who writes it. */
  g_file_set_contents (path, "This is no database, and never was.", -1, NULL);
  error = history_fixture_index (fixture);
  g_assert_error (error, STINT_ERROR, STINT_ERROR_DAMAGED);
  g_assert_nonnull (strstr (error->message, "made again"));
  g_clear_error (&error);
  g_assert_null (history_fixture_index (fixture));

  /* By who reads it, who finds what the rows say. */
  damage_tables (fixture);
  searcher = stint_searcher_new (fixture->directory);
  g_assert_false (stint_searcher_take_lost_index (searcher));
  assert_found (searcher, "make", "2 1");
  g_assert_true (stint_searcher_take_lost_index (searcher));
  assert_found (searcher, "make", "2 1");
  g_assert_false (stint_searcher_take_lost_index (searcher));
  error = history_fixture_index (fixture);
  g_assert_error (error, STINT_ERROR, STINT_ERROR_DAMAGED);
  assert_found (searcher, "E42", "1");

  g_assert_cmpuint (history_fixture_find (fixture, "history.db.", NULL), ==, 0);
  g_assert_cmpuint (history_fixture_find (fixture, "search.db.", NULL), ==, 0);
}

/* Damages what is known of words, which only a search for one meets. */
static void
damage_words (HistoryFixture *fixture)
{
  g_autofree char *path = history_fixture_path (fixture, "search.db");
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, "UPDATE docs_data SET block = x'a5a5a5a5' WHERE id > 10", NULL,
                                 NULL, NULL),
                   ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_changes (db), >, 0);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
}

static void
add_many (HistoryFixture *fixture)
{
  history_fixture_add (fixture, "true");
  history_fixture_sql (
    fixture, "INSERT INTO jobs (kind, command, tags, spec, state, created_at, started_at, reason, "
             "exit_code) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) "
             "SELECT 'shell', 'needle', '[]', '{}', 'finished', 4e15 + i, 4e15 + i, 'exited', 0 FROM n");
}

/* What another process does that has found the same damage, and is sooner. */
static void
make_again (const guint64 *hits, guint n_hits, gpointer user_data)
{
  HistoryFixture *fixture = user_data;
  g_autoptr (StintSearchIndex) index = stint_search_index_new (fixture->directory);
  g_autofree char *path = history_fixture_path (fixture, "search.db");
  g_autoptr (GError) warning = NULL;
  StintFileIdentity file;

  stint_file_identity_read (&file, path);
  stint_search_index_condemn (index, &file);
  warning = history_fixture_index (fixture);
  g_assert_error (warning, STINT_ERROR, STINT_ERROR_DAMAGED);
}

/* While a search goes on without the index, which was damaged, that can be made again: the new one is left
 * alone. */
static void
test_made_again_meanwhile (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintSearcher) searcher = stint_searcher_new (fixture->directory);
  g_autoptr (StintHistoryQuery) query = stint_history_query_parse ("needle", 0, NULL);
  g_autofree char *path = history_fixture_path (fixture, "search.db");

  add_many (fixture);
  update_index (fixture);
  for (guint again = 0; again < 2; again++)
    {
      g_autoptr (GArray) hits = NULL;
      g_autoptr (GError) warning = NULL;

      damage_words (fixture);
      hits = stint_searcher_run (searcher, query, STINT_SORT_NEWEST, STINT_GROUP_NONE,
                                 again ? make_again : NULL, fixture, NULL, NULL);
      g_assert_cmpuint (hits->len, ==, 300);
      g_assert_true (stint_searcher_take_lost_index (searcher));
      g_assert_cmpint (g_file_test (path, G_FILE_TEST_EXISTS), ==, again);
      warning = history_fixture_index (fixture);
      g_assert_cmpint (warning != NULL, ==, !again);
    }
  assert_found (searcher, "true", "1");
  g_assert_false (stint_searcher_take_lost_index (searcher));
}

/* That it cannot be reached at the moment is no damage: it stays as it is. */
static void
test_out_of_reach (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();
  g_autoptr (StintSearcher) searcher = stint_searcher_new (fixture->directory);
  g_autofree char *path = history_fixture_path (fixture, "search.db");
  g_autofree char *wal = history_fixture_path (fixture, "search.db-wal");
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr (GError) error = NULL;
  gsize length_before, length_after;

  update_index (fixture);
  g_assert_true (g_file_get_contents (path, &before, &length_before, NULL));
  g_assert_no_errno (g_mkdir (wal, 0700));
  g_assert_false (stint_index_update (fixture->directory, STINT_INDEX_DEFAULT_LIMIT, NULL, NULL, NULL,
                                      &error));
  g_assert_error (error, STINT_ERROR, STINT_ERROR_FAILED);
  g_assert_true (g_file_get_contents (path, &after, &length_after, NULL));
  g_assert_cmpmem (before, length_before, after, length_after);

  g_assert_no_errno (g_rmdir (wal));
  assert_found (searcher, "E42", "1");
  g_assert_null (history_fixture_index (fixture));
}

/* In the background it becomes a problem, which the window shows. */
static void
test_damage_is_a_problem (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();
  g_autofree char *path = history_fixture_path (fixture, "search.db");

  g_file_set_contents (path, "This is no database, and never was.", -1, NULL);
  stint_history_index (fixture->history, STINT_INDEX_DEFAULT_LIMIT);
  while (fixture->problems->len == 0)
    g_main_context_iteration (NULL, TRUE);
  history_fixture_assert_problem (fixture, STINT_ERROR_DAMAGED);
}

/* Whether few are expected to pass or many is a way to find them, and makes no difference. */
static void
test_few_or_many (void)
{
  static const char *const texts[] = {
    "failed:yes",   "failed:no",      "-failed:yes",  "pinned:yes",     "pinned:no",   "-pinned:no",
    "running:yes",  "running:no",     "kind:shell",   "-kind:agent",    "exit:0",      "exit:2",
    "-exit:2",      "reason:exited",  "signal:9",     "reason:timeout", "dir:/src",    "dir:/src/app",
    "dir:/sr",      "-dir:/src",      "dir:SRC",      "dir:p",          "-dir:app",    "dir:nowhere",
    "tag:nightly",  "tag:NIGHTLY",    "-tag:nightly", "name:buil",      "-name:build", "name:x",
    "command:make", "-command:clean", "longer:1s",    "-longer:1s",     "shorter:3s",  "longer:59s",
    "since:1d",     "until:yesterday", "dir:/src tag:nightly longer:1s", "-tag:weekly shorter:1m",
  };
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();
  g_autoptr (StintJobPlace) running = history_fixture_begin (fixture, "sleep 1000");
  sqlite3 *db;

  history_fixture_sql (fixture, "UPDATE jobs SET pinned = 1 WHERE id IN (2, 3);"
                                "UPDATE jobs SET directory = '/src0' WHERE id = 3;"
                                "UPDATE jobs SET exit_code = NULL, signal = 9, reason = 'killed' "
                                "WHERE id = 4; UPDATE jobs SET directory = NULL WHERE id = 5");
  db = history_fixture_connect (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *many = history_fixture_select (db, texts[i], STINT_FILTER_NONE);
      g_autofree char *few = history_fixture_select (db, texts[i], STINT_FILTER_FEW);

      g_test_message ("%s: %s", texts[i], many);
      g_assert_cmpstr (many, ==, few);
    }
  sqlite3_close (db);
}

/* One in many is found though walking to it is given up. */
static void
test_one_in_many (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();
  g_autoptr (StintSearcher) searcher = stint_searcher_new (fixture->directory);
  g_autofree char *by_day = NULL;
  g_autofree char *longest = NULL;

  history_fixture_sql (
    fixture, "INSERT INTO jobs (kind, command, tags, spec, state, created_at, started_at, duration, "
             "reason, exit_code, directory) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 "
             "FROM n WHERE i < 20000) SELECT 'terminal', 'top', '[]', '{}', 'finished', 4e15 + i, "
             "4e15 + i, 5000000, 'exited', 0, '/top' FROM n");
  assert_found (searcher, "tag:nightly", "1");
  assert_found (searcher, "dir:/src/app", "2 1");
  assert_found (searcher, "dir:app", "2 1");
  assert_found (searcher, "name:build", "1");
  assert_found (searcher, "longer:59s", "1");
  assert_found (searcher, "shorter:2s", "2");
  assert_found (searcher, "kind:shell dir:/src", "5 3 2 1");
  assert_found (searcher, "dir:nowhere", "");
  by_day = search_as (searcher, "dir:/src", STINT_SORT_NEWEST, STINT_GROUP_DAY);
  g_assert_cmpstr (by_day, ==, "|5 3 |2 |1");
  longest = search_as (searcher, "shorter:5s", STINT_SORT_LONGEST, STINT_GROUP_NONE);
  g_assert_cmpstr (longest, ==, "5 4 3 2");
}

static void
keep_page (const guint64 *hits, guint n_hits, gpointer user_data)
{
  GArray *page = user_data;

  g_array_set_size (page, 0);
  g_array_append_vals (page, hits, n_hits);
}

/* The first page is found by whole words, if those that begin as what was typed are few, and by what was
 * typed, if they are many; it is the beginning of the result either way. */
static void
test_first_page (void)
{
  static const char *const texts[] = { "need", "needle", "NEEDLE", "w", "w1", "need w", "need \"w1\"", "é" };
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintSearcher) searcher = stint_searcher_new (fixture->directory);
  g_autoptr (GArray) page = g_array_new (FALSE, FALSE, sizeof (guint64));

  /* By one statement: so many jobs take their time. */
  history_fixture_add (fixture, "true");
  history_fixture_sql (
    fixture, "INSERT INTO jobs (kind, command, tags, spec, state, created_at, started_at, reason, "
             "exit_code) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300) "
             "SELECT 'shell', iif (i % 2, 'needle', 'needless') || ' w' || i || ' w1 é' || i, '[]', "
             "'{}', 'finished', 4e15 + i, 4e15 + i, 'exited', 0 FROM n");
  update_index (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (StintHistoryQuery) query = stint_history_query_parse (texts[i], 0, NULL);
      g_autoptr (GArray) hits = NULL;

      g_array_set_size (page, 0);
      hits = stint_searcher_run (searcher, query, STINT_SORT_NEWEST, STINT_GROUP_NONE, keep_page, page,
                                 NULL, NULL);
      g_test_message ("%s: %u", texts[i], hits->len);
      g_assert_cmpuint (hits->len, >=, 150);
      g_assert_cmpmem (page->data, page->len * sizeof (guint64), hits->data,
                       STINT_FIRST_PAGE * sizeof (guint64));
    }
}

/* A word that begins as what was typed is found, whichever it is. */
static void
test_vocabulary (void)
{
  static const struct
  {
    const char *word, *match;
  } cases[] = {
    { "maker", "(\"maker\" OR \"makers\")" },
    { "MAKER", "(\"maker\" OR \"makers\")" },
    { "make", "(\"makefile\" OR \"maker\" OR \"makers\")" }, /* itself is found by its beginning */
    { "makefile", "(\"makefile\")" },
    { "z", NULL },
    { "word", NULL }, /* too many */
    { "a-b", NULL },  /* two */
    { "caf\303\251", NULL },
    { "", NULL },
  };
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (GString) line = g_string_new ("make Makefile café maple makers maker");
  sqlite3 *db;
  g_autofree char *path = history_fixture_path (fixture, "search.db");
  g_autofree char *attach = g_strdup_printf ("ATTACH '%s' AS search", path);

  for (guint i = 0; i < 40; i++)
    g_string_append_printf (line, " word%u maker", i);
  history_fixture_add (fixture, line->str);
  update_index (fixture);
  db = history_fixture_connect (fixture);
  g_assert_cmpint (sqlite3_exec (db, attach, NULL, NULL, NULL), ==, SQLITE_OK);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *match = stint_vocabulary_expand (db, cases[i].word);

      g_assert_cmpstr (match, ==, cases[i].match);
    }
  sqlite3_close (db);
}

/* A job is found at once: from its row until the index has it. */
static void
test_index_behind (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();
  g_autoptr (StintSearcher) searcher = stint_searcher_new (fixture->directory);
  g_autoptr (StintJobPlace) running = NULL;
  const Job late = { "make late", "/tmp", NULL, NULL, "E42\n", 0, 0, 1 };

  update_index (fixture);
  g_assert_cmpuint (add_job (fixture, &late), ==, 6);
  running = history_fixture_begin (fixture, "make running");
  assert_found (searcher, "make", "7 6 2 1");
  assert_found (searcher, "E42", "1");
  update_index (fixture);
  assert_found (searcher, "make", "7 6 2 1");
  assert_found (searcher, "E42", "6 1");

  history_fixture_sql (fixture, "UPDATE jobs SET name = 'special', tags = '[\"new\"]' WHERE id = 2");
  assert_found (searcher, "special", "2");
  assert_found (searcher, "tag:new", "2");
  update_index (fixture);
  assert_found (searcher, "special", "2");
  history_fixture_sql (fixture, "UPDATE jobs SET name = NULL WHERE id = 2");
  update_index (fixture);
  assert_found (searcher, "special", "");
  assert_found (searcher, "removed", "2");
}

static void
test_damaged_index (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();
  g_autoptr (StintSearcher) searcher = stint_searcher_new (fixture->directory);
  g_autofree char *path = history_fixture_path (fixture, "search.db");
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, "This is no database, and never was.", -1, &error);
  g_assert_no_error (error);
  assert_found (searcher, "make", "2 1");
  update_index (fixture);
  assert_found (searcher, "E42", "1");

  /* Of another history: its ids are other jobs. */
  history_fixture_sql (fixture, "UPDATE changes SET identity = identity + 1");
  assert_found (searcher, "E42", "");
  update_index (fixture);
  assert_found (searcher, "E42", "1");
}

static void
test_sorts_and_groups (void)
{
  static const struct
  {
    StintHistorySort sort;
    StintHistoryGroup group;
    const char *ids;
  } cases[] = {
    { STINT_SORT_OLDEST, STINT_GROUP_NONE, "1 2 3 4 5" },
    { STINT_SORT_LONGEST, STINT_GROUP_NONE, "1 5 4 3 2" },
    { STINT_SORT_SHORTEST, STINT_GROUP_NONE, "2 3 4 5 1" },
    { STINT_SORT_COMMAND, STINT_GROUP_NONE, "3 5 1 2 4" },
    { STINT_SORT_TITLE, STINT_GROUP_NONE, "1 3 5 2 4" },
    { STINT_SORT_TITLE_REVERSE, STINT_GROUP_NONE, "4 2 5 3 1" },
    { STINT_SORT_DIRECTORY, STINT_GROUP_NONE, "4 5 1 2 3" },
    { STINT_SORT_DIRECTORY_REVERSE, STINT_GROUP_NONE, "3 2 1 5 4" },
    { STINT_SORT_OUTCOME, STINT_GROUP_NONE, "5 1 4 3 2" },
    { STINT_SORT_OUTCOME_REVERSE, STINT_GROUP_NONE, "2 3 4 1 5" },
    { STINT_SORT_KIND, STINT_GROUP_NONE, "1 2 3 4 5" },
    { STINT_SORT_KIND_REVERSE, STINT_GROUP_NONE, "5 4 3 2 1" },
    { STINT_SORT_TAGS, STINT_GROUP_NONE, "1 4 2 3 5" },
    { STINT_SORT_TAGS_REVERSE, STINT_GROUP_NONE, "5 3 2 4 1" },
    { STINT_SORT_OUTCOME, STINT_GROUP_DIRECTORY, "|4 |5 |1 2 |3" },
    { STINT_SORT_NEWEST, STINT_GROUP_DAY, "|5 4 3 |2 |1" },
    { STINT_SORT_SHORTEST, STINT_GROUP_DAY, "|3 4 5 |2 |1" },
    { STINT_SORT_NEWEST, STINT_GROUP_DIRECTORY, "|4 |5 |2 1 |3" },
    { STINT_SORT_NEWEST, STINT_GROUP_COMMAND, "|3 |5 |1 |2 |4" },
    { STINT_SORT_DIRECTORY, STINT_GROUP_DIRECTORY, "|4 |5 |1 2 |3" },
    { STINT_SORT_DIRECTORY_REVERSE, STINT_GROUP_DIRECTORY, "|3 |2 1 |5 |4" },
    { STINT_SORT_TITLE, STINT_GROUP_COMMAND, "|3 |5 |1 |2 |4" },
    { STINT_SORT_TITLE_REVERSE, STINT_GROUP_COMMAND, "|4 |2 |1 |5 |3" },
  };
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();
  g_autoptr (StintSearcher) searcher = stint_searcher_new (fixture->directory);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *ids = search_as (searcher, "", cases[i].sort, cases[i].group);

      g_assert_cmpstr (ids, ==, cases[i].ids);
    }
}

/* Each order that a column's title asks for is an index's: a million rows are not sorted for a page. */
static void
test_orders_have_indexes (void)
{
  static const char *const orders[] = {
    "coalesce (started_at, created_at) DESC, id DESC",
    "duration DESC, id DESC",
    "substr (coalesce (name, command), 1, 64) COLLATE NOCASE, id",
    "directory, coalesce (started_at, created_at), id",
    "CASE WHEN state = 'running' THEN 3 WHEN reason IN ('terminated', 'killed', 'cancelled') THEN 1 "
    "WHEN reason = 'exited' AND coalesce (exit_code, 0) = 0 THEN 0 ELSE 2 END DESC, id DESC",
    "kind, coalesce (started_at, created_at), id",
    "tags, id",
  };
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();
  sqlite3 *db = history_fixture_connect (fixture);

  for (guint i = 0; i < G_N_ELEMENTS (orders); i++)
    {
      g_autofree char *sql =
          g_strdup_printf ("EXPLAIN QUERY PLAN SELECT id FROM jobs ORDER BY %s", orders[i]);
      sqlite3_stmt *statement;

      g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL), ==, SQLITE_OK);
      while (sqlite3_step (statement) == SQLITE_ROW)
        {
          const char *step = (const char *) sqlite3_column_text (statement, 3);

          g_assert_null (strstr (step, "TEMP B-TREE"));
        }
      sqlite3_finalize (statement);
    }
  sqlite3_close (db);
}

static void
test_rank (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintSearcher) searcher = stint_searcher_new (fixture->directory);
  const Job named = { "release it", "/tmp", NULL, NULL, "ok\n", 0, 0, 1 };
  const Job mentions = { "true", "/tmp", NULL, NULL, "one two three release four five\n", 0, 0, 1 };
  g_autofree char *ids = NULL;

  add_job (fixture, &named);
  for (guint i = 0; i < 3; i++)
    add_job (fixture, &mentions);
  update_index (fixture);
  assert_found (searcher, "release", "4 3 2 1");
  ids = search_as (searcher, "release", STINT_SORT_RANK, STINT_GROUP_NONE);
  g_assert_true (g_str_has_prefix (ids, "1 "));
  /* Whose letter one is better than whose? The newest first, and no merge of all that begins so. */
  g_free (ids);
  ids = search_as (searcher, "r", STINT_SORT_RANK, STINT_GROUP_NONE);
  g_assert_cmpstr (ids, ==, "4 3 2 1");
}

static void
test_snippet (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();
  g_autofree char *first = history_fixture_path (fixture, "jobs/1");
  g_autofree char *third = history_fixture_path (fixture, "jobs/3");
  g_autofree char *fifth = history_fixture_path (fixture, "jobs/5");
  g_autoptr (StintSnippet) snippet = NULL;
  g_autoptr (StintSnippet) chinese = NULL;
  g_autoptr (GString) longer = g_string_new (NULL);

  snippet = stint_snippet_find (first, (const char *[]) { "e42", "missing", NULL }, 80, NULL);
  g_assert_cmpstr (snippet->text, ==, "error E42: missing ;");
  g_assert_cmpint (snippet->start, ==, 6);
  g_assert_cmpint (snippet->end, ==, 9);
  chinese = stint_snippet_find (third, (const char *[]) { "失败", NULL }, 80, NULL);
  g_assert_cmpstr (chinese->text, ==, "构建失败了 第三步");
  g_assert_null (stint_snippet_find (first, (const char *[]) { "absent", NULL }, 80, NULL));
  g_assert_null (stint_snippet_find (fifth, (const char *[]) { "x", NULL }, 80, NULL));

  /* Cut to what stands around the hit, between characters. */
  for (guint i = 0; i < 200; i++)
    g_string_append (longer, "é");
  g_string_append (longer, "needle");
  for (guint i = 0; i < 200; i++)
    g_string_append (longer, "ü");
  write_output (fixture, 2, longer->str);
  stint_snippet_free (g_steal_pointer (&snippet));
  first[strlen (first) - 1] = '2';
  snippet = stint_snippet_find (first, (const char *[]) { "needle", NULL }, 60, NULL);
  g_assert_true (g_utf8_validate (snippet->text, -1, NULL));
  g_assert_cmpint (g_utf8_strlen (snippet->text, -1), <, 70);
  g_assert_true (g_str_has_prefix (snippet->text + snippet->start, "needle"));
}

static void
on_page (const guint64 *hits, guint n_hits, gpointer user_data)
{
  guint *n = user_data;

  *n = n_hits;
}

/* The first page comes first; the whole is 8 bytes a job; and a search can be called off. */
static void
test_many (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintSearcher) searcher = stint_searcher_new (fixture->directory);
  g_autoptr (StintHistoryQuery) query = stint_history_query_parse ("", 0, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GArray) hits = NULL;
  g_autoptr (GError) error = NULL;
  guint n_first = 0;

  history_fixture_add (fixture, "true");
  history_fixture_sql (
    fixture,
    "WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
    "INSERT INTO jobs (kind, command, tags, spec, state, created_at, reason, exit_code) "
    "SELECT 'shell', 'command ' || i, '[]', '{}', 'finished', i, 'exited', 0 FROM n");
  hits = stint_searcher_run (searcher, query, STINT_SORT_NEWEST, STINT_GROUP_NONE, on_page, &n_first,
                             NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (hits->len, ==, 5000);
  g_assert_cmpuint (n_first, ==, STINT_FIRST_PAGE);
  g_assert_cmpuint (g_array_get_element_size (hits), ==, 8);

  g_cancellable_cancel (cancellable);
  g_assert_null (stint_searcher_run (searcher, query, STINT_SORT_NEWEST, STINT_GROUP_NONE, NULL, NULL,
                                     cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
call_off (const guint64 *hits, guint n_hits, gpointer user_data)
{
  g_assert_cmpuint (n_hits, ==, STINT_FIRST_PAGE);
  g_cancellable_cancel (user_data);
}

/* One or two letters are no trigram: all commands are looked through. The first page is there before that,
 * and then it can be called off. */
static void
test_short_part (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintSearcher) searcher = stint_searcher_new (fixture->directory);
  g_autoptr (StintHistoryQuery) query = stint_history_query_parse ("command:zq", 0, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GArray) hits = NULL;
  g_autoptr (GError) error = NULL;

  history_fixture_add (fixture, "true");
  history_fixture_sql (
    fixture,
    "WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) "
    "INSERT INTO jobs (kind, command, tags, spec, state, created_at, reason, exit_code) "
    "SELECT 'shell', iif (i > 19800, 'a ZQ ', 'command ') || i, '[]', '{}', 'finished', i, 'exited', 0 "
    "FROM n");
  hits = stint_searcher_run (searcher, query, STINT_SORT_NEWEST, STINT_GROUP_NONE, NULL, NULL, NULL,
                             &error);
  g_assert_no_error (error);
  g_assert_cmpuint (hits->len, ==, 200);
  g_assert_null (stint_searcher_run (searcher, query, STINT_SORT_NEWEST, STINT_GROUP_NONE, call_off,
                                     cancellable, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* While somebody writes the index, for as long as they like, jobs begin and finish. */
static void
test_index_locks_nobody (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();
  g_autoptr (StintSearcher) searcher = stint_searcher_new (fixture->directory);
  g_autoptr (StintSearchIndex) index = stint_search_index_new (fixture->directory);
  g_autofree char *path = history_fixture_path (fixture, "search.db");
  g_autoptr (GError) error = NULL;
  sqlite3 *db = NULL;

  update_index (fixture);
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, "BEGIN IMMEDIATE", NULL, NULL, NULL), ==, SQLITE_OK);
  g_assert_cmpuint (history_fixture_add (fixture, "make during"), ==, 6);
  history_fixture_assert_no_problem (fixture);
  assert_found (searcher, "make", "6 2 1");
  sqlite3_exec (db, "ROLLBACK", NULL, NULL, NULL);
  sqlite3_close (db);
}

static void
count_changes (StintHistory *history, guint *n)
{
  (*n)++;
}

static void
on_index_progress (StintHistory *history, guint64 done, guint64 total, guint64 *last)
{
  if (done == total)
    *last = done;
}

/* In the background: what has ended is found a moment later. */
static void
test_background (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();
  g_autoptr (StintSearcher) searcher = stint_searcher_new (fixture->directory);
  const Job late = { "late", "/tmp", NULL, NULL, "needle\n", 0, 0, 1 };
  guint64 last = 0;
  guint n_changes = 0;

  g_signal_connect (fixture->history, "index-progress", G_CALLBACK (on_index_progress), &last);
  g_signal_connect (fixture->history, "changed", G_CALLBACK (count_changes), &n_changes);
  stint_history_index (fixture->history, STINT_INDEX_DEFAULT_LIMIT);
  while (last != G_N_ELEMENTS (jobs))
    g_main_context_iteration (NULL, TRUE);
  assert_found (searcher, "E42", "1");
  last = 0;
  add_job (fixture, &late);
  g_assert_cmpuint (n_changes, ==, 2);
  while (last == 0)
    g_main_context_iteration (NULL, TRUE);
  assert_found (searcher, "needle", "6");
}

static void
test_resolve (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();
  g_autoptr (StintSearcher) searcher = stint_searcher_new (fixture->directory);
  g_autoptr (GError) error = NULL;
  guint64 id;

  g_assert_true (stint_searcher_resolve (searcher, "last", &id, NULL));
  g_assert_cmpuint (id, ==, 5);
  g_assert_true (stint_searcher_resolve (searcher, "2", &id, NULL));
  g_assert_cmpuint (id, ==, 2);
  g_assert_true (stint_searcher_resolve (searcher, "build", &id, NULL));
  g_assert_cmpuint (id, ==, 1);
  g_assert_false (stint_searcher_resolve (searcher, "99", &id, &error));
  g_assert_error (error, STINT_ERROR, STINT_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_false (stint_searcher_resolve (searcher, "nobody", &id, &error));
  g_assert_error (error, STINT_ERROR, STINT_ERROR_INVALID);
}

static void
test_runs (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();
  g_autoptr (StintSearcher) searcher = stint_searcher_new (fixture->directory);
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (StintEntry) entry = NULL;
  const Job elsewhere = { "make all", "/other", NULL, NULL, NULL, 0, 0, 1 };
  guint64 id = 1;

  add_job (fixture, &jobs[0]);
  add_job (fixture, &elsewhere);
  entries = stint_searcher_read (searcher, &id, 1, NULL);
  entry = g_ptr_array_index (entries, 0);
  g_assert_cmpstr (entry->command, ==, "make all");
  g_assert_cmpstr (entry->tags[0], ==, "nightly");
  runs = stint_searcher_find_runs (searcher, entry, 10, NULL);
  g_assert_cmpuint (runs->len, ==, 2);
  g_assert_cmpuint (((StintEntry *) g_ptr_array_index (runs, 0))->id, ==, 6);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  history_fixture_watch ();

  g_test_add_func ("/search/filters", test_filters);
  g_test_add_func ("/search/few-or-many", test_few_or_many);
  g_test_add_func ("/search/one-in-many", test_one_in_many);
  g_test_add_func ("/search/first-page", test_first_page);
  g_test_add_func ("/search/vocabulary", test_vocabulary);
  g_test_add_func ("/search/without-index", test_without_index);
  g_test_add_func ("/search/with-index", test_with_index);
  g_test_add_func ("/search/index-behind", test_index_behind);
  g_test_add_func ("/search/damaged-index", test_damaged_index);
  g_test_add_func ("/search/damage-is-told", test_damage_is_told);
  g_test_add_func ("/search/damage-is-a-problem", test_damage_is_a_problem);
  g_test_add_func ("/search/made-again-meanwhile", test_made_again_meanwhile);
  g_test_add_func ("/search/out-of-reach", test_out_of_reach);
  g_test_add_func ("/search/sorts-and-groups", test_sorts_and_groups);
  g_test_add_func ("/search/orders-have-indexes", test_orders_have_indexes);
  g_test_add_func ("/search/rank", test_rank);
  g_test_add_func ("/search/snippet", test_snippet);
  g_test_add_func ("/search/many", test_many);
  g_test_add_func ("/search/short-part", test_short_part);
  g_test_add_func ("/search/index-locks-nobody", test_index_locks_nobody);
  g_test_add_func ("/search/background", test_background);
  g_test_add_func ("/search/resolve", test_resolve);
  g_test_add_func ("/search/runs", test_runs);

  return g_test_run ();
}
