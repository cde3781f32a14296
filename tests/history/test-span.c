/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What ran on a day and is like a query: the same jobs with an index, without one, and with one that is
 * damaged, of which the history learns.
 */
#include "config.h"

#include "history-fixture.h"
#include "stint-error.h"
#include "stint-history-span.h"
#include "stint-indexer.h"
#include "stint-search-index.h"

#define DAY (G_GINT64_CONSTANT (86400) * G_USEC_PER_SEC)
#define FIRST_DAY (G_GINT64_CONSTANT (20000) * DAY)

static const struct
{
  const char *line, *output;
  gint64 started_at;
  int exit_code;
} jobs[] = {
  { "make early", "E42\n", FIRST_DAY - DAY / 2, 0 },
  { "make all", "error E42\n", FIRST_DAY, 2 },
  { "make clean", "removed\n", FIRST_DAY + DAY / 2, 0 },
  { "true", NULL, FIRST_DAY + DAY - 1, 0 },
  { "make late", "E42\n", FIRST_DAY + DAY, 2 },
};

static HistoryFixture *
new_with_jobs (void)
{
  HistoryFixture *fixture = history_fixture_new ();

  for (guint i = 0; i < G_N_ELEMENTS (jobs); i++)
    {
      g_autoptr (StintJobSpec) spec = history_fixture_spec (jobs[i].line);
      g_autoptr (StintJobPlace) place = history_fixture_begin_spec (fixture, spec);
      g_autoptr (StintResult) result = stint_result_new (STINT_REASON_EXITED);
      g_autofree char *output = g_build_filename (place->directory, "output", NULL);

      if (jobs[i].output != NULL)
        g_assert_true (g_file_set_contents (output, jobs[i].output, -1, NULL));
      stint_result_set_wait_status (result, jobs[i].exit_code << 8);
      result->started_at = jobs[i].started_at;
      g_assert_true (history_fixture_finish (fixture, place->id, spec, result, NULL));
    }
  return fixture;
}

static void
update_index (HistoryFixture *fixture)
{
  g_autoptr (GError) error = NULL;

  stint_index_update (fixture->directory, STINT_INDEX_DEFAULT_LIMIT, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
}

/* Of the first day. */
static void
assert_found (HistoryFixture *fixture, const char *text, const char *ids)
{
  g_autoptr (StintHistoryQuery) query = stint_history_query_parse (text, 0, NULL);
  g_autoptr (GString) found = g_string_new (NULL);
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GError) error = NULL;
  GAsyncResult *pending = NULL;

  g_assert_nonnull (query);
  stint_history_read_span_async (fixture->history, query, FIRST_DAY, FIRST_DAY + DAY, NULL,
                                 history_fixture_keep_result, &pending);
  result = history_fixture_await (&pending);
  entries = stint_history_read_span_finish (fixture->history, result, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < entries->len; i++)
    g_string_append_printf (found, "%s%" G_GUINT64_FORMAT, i > 0 ? " " : "",
                            ((StintEntry *) entries->pdata[i])->id);
  g_test_message ("%s: %s", text, found->str);
  g_assert_cmpstr (found->str, ==, ids);
}

static void
check_rows (HistoryFixture *fixture)
{
  assert_found (fixture, "", "2 3 4");
  assert_found (fixture, "failed:yes", "2");
  assert_found (fixture, "make", "2 3");
  assert_found (fixture, "mak failed:no", "3");
  assert_found (fixture, "make -clean", "2");
  assert_found (fixture, "early", "");
}

static void
test_query (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();

  check_rows (fixture);
  assert_found (fixture, "E42", "");
  update_index (fixture);
  check_rows (fixture);
  assert_found (fixture, "E42", "2");
  assert_found (fixture, "make -E42", "3");
  assert_found (fixture, "E42 longer:1s", "");
}

/* Damages what is known of words, which only a search for one meets. */
static void
damage_words (HistoryFixture *fixture)
{
  g_autofree char *path = history_fixture_path (fixture, "search.db");
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  sqlite3_busy_timeout (db, 60000);
  g_assert_cmpint (sqlite3_exec (db, "UPDATE docs_data SET block = x'a5a5a5a5' WHERE id > 10", NULL,
                                 NULL, NULL),
                   ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_changes (db), >, 0);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
}

static void
on_index_progress (StintHistory *history, guint64 done, guint64 total, gpointer user_data)
{
  *(gboolean *) user_data |= done == total;
}

/* It is found out here, and made again without a word of anybody else. */
static void
test_damaged_index (void)
{
  g_autoptr (HistoryFixture) fixture = new_with_jobs ();
  gboolean indexed = FALSE;

  g_signal_connect (fixture->history, "index-progress", G_CALLBACK (on_index_progress), &indexed);
  stint_history_index (fixture->history, STINT_INDEX_DEFAULT_LIMIT);
  while (!indexed)
    g_main_context_iteration (NULL, TRUE);
  damage_words (fixture);
  /* As often as the indexer still has the lock, it is not condemned. */
  while (fixture->problems->len == 0)
    {
      assert_found (fixture, "make", "2 3");
      g_usleep (10000);
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
  history_fixture_assert_problem (fixture, STINT_ERROR_DAMAGED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  history_fixture_watch ();

  g_test_add_func ("/span/query", test_query);
  g_test_add_func ("/span/damaged-index", test_damaged_index);

  return g_test_run ();
}
