/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A history of a million jobs, through our code and through plain SQLite in the same run.
 *
 *   bench-history build DIRECTORY JOBS TRANSCRIPT_BYTES
 *   bench-history measure|measure-cpu DIRECTORY SCRATCH [pages|filters|orders|model|words|limit|writes]
 *
 * measure-cpu counts what the processor was used, for a machine that does something else as well.
 *
 * A query's time is that to its first page (of a hundred jobs, or all if there are fewer), read from
 * their rows; the whole result, ids alone, is a line of its own.
 */
#define G_LOG_DOMAIN "bench"
#include "config.h"

#include "bench-history-store.h"
#include "bench-report.h"

#include "stint-archive.h"
#include "stint-history-model.h"
#include "stint-search-index.h"
#include "stint-searcher.h"

#include <string.h>
#include <time.h>

#define PAGE STINT_FIRST_PAGE
#define SAMPLES 200
#define FEW_SAMPLES 20
#define WHOLE_SAMPLES 5 /* of whole results, which nobody waits for */
#define N_JSON 100000

/* What takes so long is asked no more often. */
#define LONG_ENOUGH (2 * G_USEC_PER_SEC)
#define PAGE_GOAL 5.0
#define QUERY_GOAL 20.0

/* Microseconds. */
static clockid_t bench_clock = CLOCK_MONOTONIC;

static gint64
get_time (void)
{
  struct timespec now;

  clock_gettime (bench_clock, &now);
  return now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

static double
to_ms (gint64 usec)
{
  return (double) usec / 1000.0;
}

/* ---- Measuring ---- */

typedef GArray Times;

static Times *
times_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (gint64));
}

static void
times_add_since (Times *times, gint64 begun)
{
  gint64 took = get_time () - begun;

  g_array_append_val (times, took);
}

static void
print_header (const char *title)
{
  g_print ("\n### %s\n\n| %-44s | %10s | %10s | %10s | %6s | %s |\n"
           "| --- | --- | --- | --- | --- | --- |\n",
           title, "what", "first, ms", "median, ms", "99 %, ms", "goal", "");
}

/* @goal: at the 99th percentile; 0: none. Takes @times. The first may have been read from the disk: it stands by
 * itself, and the others are the percentiles. */
static void
print_times (const char *what, Times *times, double goal)
{
  double first = to_ms (g_array_index (times, gint64, 0));
  g_autofree char *limit = goal > 0 ? g_strdup_printf ("%.0f", goal) : g_strdup ("");
  double high;

  if (times->len > 1)
    g_array_remove_index (times, 0);
  high = to_ms (percentile (times, 99));
  g_print ("| %-44s | %10.3f | %10.3f | %10.3f | %6s | %s |\n", what, first,
           to_ms (percentile (times, 50)), high, limit, goal <= 0 ? "" : high <= goal ? "met" : "MISSED");
  g_array_unref (times);
}

static void
read_rows (StintSearcher *searcher, const guint64 *ids, guint n_ids)
{
  g_autoptr (GPtrArray) entries = stint_searcher_read (searcher, ids, n_ids, NULL);

  for (guint i = 0; i < entries->len; i++)
    g_clear_pointer (&g_ptr_array_index (entries, i), stint_entry_free);
}

typedef struct
{
  gint64 begun;
  Times *times;
  StintSearcher *rows;
  GCancellable *cancellable;
} Sample;

static void
on_sampled_page (const guint64 *hits, guint n_hits, gpointer user_data)
{
  Sample *sample = user_data;
  guint64 ids[PAGE];

  if (sample->times == NULL)
    return;
  for (guint i = 0; i < n_hits; i++)
    ids[i] = STINT_HIT_ID (hits[i]);
  read_rows (sample->rows, ids, n_hits);
  times_add_since (sample->times, sample->begun);
  sample->times = NULL;
  g_cancellable_cancel (sample->cancellable);
}

/* Returns: how many hits; the first page's if it was full. */
static guint
sample_query (StintSearcher *searcher,
              StintSearcher *rows,
              const char *text,
              StintHistorySort sort,
              StintHistoryGroup group,
              Times *times)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (StintHistoryQuery) query = NULL;
  g_autoptr (GArray) hits = NULL;
  Sample sample = { get_time (), times, rows, cancellable };

  query = stint_history_query_parse (text, g_get_real_time (), &error);
  g_assert_no_error (error);
  hits = stint_searcher_run (searcher, query, sort, group, on_sampled_page, &sample, cancellable,
                             &error);
  if (sample.times == NULL)
    return PAGE;
  g_assert_no_error (error);
  on_sampled_page ((const guint64 *) (void *) hits->data, MIN (hits->len, PAGE), &sample);
  return hits->len;
}

/* All ids, as the view has them in the end. */
static GArray *
time_all (StintSearcher *searcher, const char *text, StintHistorySort sort, Times *times)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StintHistoryQuery) query = stint_history_query_parse (text, g_get_real_time (), NULL);
  gint64 begun = get_time ();
  GArray *hits = stint_searcher_run (searcher, query, sort, STINT_GROUP_NONE, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  times_add_since (times, begun);
  return hits;
}

static void
measure_pages (StintSearcher *searcher, StintSearcher *rows)
{
  Times *first = times_new (), *next = times_new (), *jump = times_new (), *all = times_new ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autoptr (GArray) hits = NULL;

  for (guint i = 0; i < SAMPLES; i++)
    sample_query (searcher, rows, "", STINT_SORT_NEWEST, STINT_GROUP_NONE, first);
  for (guint i = 0; i < FEW_SAMPLES; i++)
    {
      g_clear_pointer (&hits, g_array_unref);
      hits = time_all (searcher, "", STINT_SORT_NEWEST, all);
    }
  for (guint i = 1; i <= SAMPLES; i++)
    {
      gint64 begun = get_time ();

      read_rows (rows, &g_array_index (hits, guint64, i * PAGE), PAGE);
      times_add_since (next, begun);
    }
  for (guint i = 0; i < SAMPLES; i++)
    {
      guint at = (guint) g_rand_int_range (rand, 0, (gint32) hits->len - PAGE);
      gint64 begun = get_time ();

      read_rows (rows, &g_array_index (hits, guint64, at), PAGE);
      times_add_since (jump, begun);
    }
  print_times ("first page", first, PAGE_GOAL);
  print_times ("next page", next, PAGE_GOAL);
  print_times ("jump into the middle", jump, PAGE_GOAL);
  print_times ("all ids (behind the first page)", all, 0);
}

/* What comes behind the first page. */
static void
add_whole (StintSearcher *searcher, const char *text, Times *times)
{
  g_array_unref (time_all (searcher, text, STINT_SORT_NEWEST, times));
}

static void
print_whole (const char *what, Times *times)
{
  g_autofree char *line = g_strdup_printf ("%s: all ids", what);

  print_times (line, times, 0);
}

/* (transfer full): queries of @n_words words */
static GPtrArray *
make_queries (GRand *rand, guint n_words)
{
  GPtrArray *queries = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i <= SAMPLES; i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      for (guint j = 0; j < n_words; j++)
        {
          g_autofree char *word = bench_dup_word (bench_pick_rank (rand));

          g_string_append_printf (text, " %s", word);
        }
      g_ptr_array_add (queries, g_string_free (g_steal_pointer (&text), FALSE));
    }
  return queries;
}

/* @seed: of the words; @wholes: with whole results */
static void
measure_words (StintSearcher *searcher,
               StintSearcher *rows,
               guint32 seed,
               const char *title,
               double goal,
               gboolean wholes)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);

  for (guint n = 1; n <= 3; n++)
    {
      g_autoptr (GPtrArray) queries = make_queries (rand, n);
      Times *times = times_new (), *whole = times_new ();
      g_autofree char *what = g_strdup_printf ("%s: %u", title, n);

      for (guint i = 0; i < queries->len; i++)
        sample_query (searcher, rows, queries->pdata[i], STINT_SORT_NEWEST, STINT_GROUP_NONE, times);
      print_times (what, times, goal);
      for (guint i = 0; wholes && i < WHOLE_SAMPLES; i++)
        add_whole (searcher, queries->pdata[i], whole);
      if (wholes)
        print_whole (what, whole);
      else
        g_array_unref (whole);
    }
}

/* A word that is not typed to its end yet: the first letters of a frequent one. */
static void
measure_typing (StintSearcher *searcher, StintSearcher *rows)
{
  for (guint length = 1; length <= 4; length++)
    {
      Times *times = times_new (), *whole = times_new ();
      g_autofree char *what = g_strdup_printf ("first letters of a word: %u", length);

      for (guint i = 0; i <= SAMPLES / 2; i++)
        {
          g_autofree char *word = bench_dup_word (i * 6 + 300);

          word[length] = '\0';
          sample_query (searcher, rows, word, STINT_SORT_NEWEST, STINT_GROUP_NONE, times);
          if (whole->len < WHOLE_SAMPLES)
            add_whole (searcher, word, whole);
        }
      print_times (what, times, QUERY_GOAL);
      print_whole (what, whole);
    }
}

static void
measure_filters (StintSearcher *searcher, StintSearcher *rows)
{
  static const char *const filters[] = {
    "failed:yes",      "failed:no",        "pinned:yes",     "pinned:no",       "running:yes",
    "kind:shell",      "kind:agent",       "reason:timeout", "reason:exited",   "reason:killed",
    "exit:0",          "exit:2",           "exit:123",       "exit:99",         "signal:SIGSEGV",
    "signal:TERM",     "dir:~/nowhere",    "dir:part-99",    "dir:/home/somebody/src/alpha",
    "dir:/home/somebody/src/alpha/part-7", "tag:nightly",    "tag:release",     "tag:none",
    "name:build",      "name:bakebati",      "name:nothing",   "command:make",    "command:bakebati",
    "command:nothing", "command:m",        "command:mk",     "command:ma", "since:yesterday",  "until:2025-12",    "on:2026-01-15",   "longer:5m",
    "longer:999s",     "longer:2000s",     "shorter:1s",     "shorter:1ms",     "-kind:shell",
    "failed:yes since:yesterday longer:1s", "kind:agent failed:yes",            "make kind:agent",
  };

  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    {
      Times *times = times_new ();
      gint64 begun = get_time ();
      guint n = 0;
      g_autofree char *what = NULL;

      for (guint j = 0; j <= SAMPLES && get_time () - begun < LONG_ENOUGH; j++)
        n = sample_query (searcher, rows, filters[i], STINT_SORT_NEWEST, STINT_GROUP_NONE, times);
      what = g_strdup_printf ("%s (%s%u)", filters[i], n == PAGE ? "at least " : "", n);
      print_times (what, times, QUERY_GOAL);
    }
}

static void
measure_sorts (StintSearcher *searcher, StintSearcher *rows)
{
  static const struct
  {
    const char *what;
    StintHistorySort sort;
    StintHistoryGroup group;
  } sorts[] = {
    { "newest first", STINT_SORT_NEWEST, STINT_GROUP_NONE },
    { "oldest first", STINT_SORT_OLDEST, STINT_GROUP_NONE },
    { "longest first", STINT_SORT_LONGEST, STINT_GROUP_NONE },
    { "shortest first", STINT_SORT_SHORTEST, STINT_GROUP_NONE },
    { "by command", STINT_SORT_COMMAND, STINT_GROUP_NONE },
    { "most output first", STINT_SORT_OUTPUT, STINT_GROUP_NONE },
    { "by title", STINT_SORT_TITLE, STINT_GROUP_NONE },
    { "by title, from the end", STINT_SORT_TITLE_REVERSE, STINT_GROUP_NONE },
    { "by outcome, failures first", STINT_SORT_OUTCOME, STINT_GROUP_NONE },
    { "by outcome, failures last", STINT_SORT_OUTCOME_REVERSE, STINT_GROUP_NONE },
    { "by directory", STINT_SORT_DIRECTORY, STINT_GROUP_NONE },
    { "by directory, from the end", STINT_SORT_DIRECTORY_REVERSE, STINT_GROUP_NONE },
    { "by kind", STINT_SORT_KIND, STINT_GROUP_NONE },
    { "by kind, from the end", STINT_SORT_KIND_REVERSE, STINT_GROUP_NONE },
    { "by tags", STINT_SORT_TAGS, STINT_GROUP_NONE },
    { "by tags, from the end", STINT_SORT_TAGS_REVERSE, STINT_GROUP_NONE },
    { "in groups, by day", STINT_SORT_NEWEST, STINT_GROUP_DAY },
    { "in groups, by directory", STINT_SORT_NEWEST, STINT_GROUP_DIRECTORY },
    { "in groups, by command", STINT_SORT_NEWEST, STINT_GROUP_COMMAND },
  };

  for (guint i = 0; i < G_N_ELEMENTS (sorts); i++)
    {
      Times *times = times_new ();

      for (guint j = 0; j <= SAMPLES; j++)
        sample_query (searcher, rows, "", sorts[i].sort, sorts[i].group, times);
      print_times (sorts[i].what, times, QUERY_GOAL);
    }
}

/* ---- Beginning and finishing a job, in turn with plain SQLite on the same tables ---- */

static StintArchive *archive;

static guint64
time_our_job (GRand *rand, Times *inserts, Times *finishes)
{
  g_autoptr (StintRow) row = bench_make_row (rand, 0, 0, FALSE);
  g_autoptr (StintJobPlace) place = NULL;
  g_autoptr (GError) error = NULL;
  StintRow *finished = bench_make_row (rand, 0, 0, TRUE);
  gint64 begun = get_time ();

  place = stint_archive_begin (archive, row, &error);
  times_add_since (inserts, begun);
  g_assert_no_error (error);
  g_assert_false (place->scratch);
  stint_archive_rest (archive);
  finished->id = row->id;
  begun = get_time ();
  stint_archive_finish (archive, finished, &error);
  times_add_since (finishes, begun);
  g_assert_no_error (error);
  stint_archive_rest (archive);
  return row->id;
}

typedef struct
{
  sqlite3 *db;
  sqlite3_stmt *insert, *finish;
  StintOwner owner;
} Plain;

static void
plain_open (Plain *self, const char *path, const char *schema)
{
  stint_owner_init_self (&self->owner);
  bench_check (sqlite3_open (path, &self->db), self->db);
  bench_execute (self->db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  if (schema != NULL)
    bench_execute (self->db, schema);
  bench_check (sqlite3_prepare_v2 (self->db, STINT_ROW_INSERT, -1, &self->insert, NULL), self->db);
  bench_check (sqlite3_prepare_v2 (self->db, STINT_ROW_FINISH, -1, &self->finish, NULL), self->db);
}

static void
plain_close (Plain *self)
{
  sqlite3_finalize (self->insert);
  sqlite3_finalize (self->finish);
  sqlite3_close (self->db);
}

static void
time_plain_job (Plain *self, GRand *rand, guint64 id, Times *inserts, Times *finishes)
{
  g_autoptr (StintRow) row = bench_make_row (rand, id, 0, FALSE);
  g_autoptr (StintRow) finished = bench_make_row (rand, id, 0, TRUE);
  gint64 begun = get_time ();

  stint_row_bind (row, &self->owner, self->insert);
  bench_check (sqlite3_step (self->insert), self->db);
  sqlite3_reset (self->insert);
  times_add_since (inserts, begun);
  sqlite3_clear_bindings (self->insert);
  begun = get_time ();
  stint_row_bind_result (id, finished->result, self->finish);
  bench_check (sqlite3_step (self->finish), self->db);
  sqlite3_reset (self->finish);
  times_add_since (finishes, begun);
  sqlite3_clear_bindings (self->finish);
}

/* The table's own statement, and nothing that belongs to it. */
static char *
dup_bare_schema (const char *path)
{
  g_autofree char *sql = NULL;
  sqlite3_stmt *statement;
  sqlite3 *db;

  bench_check (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL), db);
  bench_check (sqlite3_prepare_v2 (db, "SELECT sql FROM sqlite_schema WHERE name = 'jobs'", -1, &statement,
                             NULL),
         db);
  bench_check (sqlite3_step (statement), db);
  sql = g_strdup ((const char *) sqlite3_column_text (statement, 0));
  sqlite3_finalize (statement);
  sqlite3_close (db);
  return g_steal_pointer (&sql);
}

static void
print_ratio (const char *what, double own, double limit, double goal)
{
  g_print ("| %-44s | %10s | %8.2f x | %10s | %6.0f | %s |\n", what, "", own / limit, "", goal,
           own / limit <= goal ? "met" : "MISSED");
}

static void
measure_writes (const char *directory, const char *scratch)
{
  g_autofree char *path = g_build_filename (directory, "history.db", NULL);
  g_autofree char *bare_path = g_build_filename (scratch, "bare.db", NULL);
  g_autofree char *schema = dup_bare_schema (path);
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  Times *inserts = times_new (), *finishes = times_new ();
  Times *plain_inserts = times_new (), *plain_finishes = times_new ();
  Times *bare_inserts = times_new (), *bare_finishes = times_new ();
  Plain plain, bare;
  double insert, finish, plain_insert, plain_finish;

  archive = stint_archive_new (directory);
  plain_open (&plain, path, NULL);
  plain_open (&bare, bare_path, schema);
  for (guint i = 0; i < SAMPLES * 5; i++)
    {
      guint64 id = time_our_job (rand, inserts, finishes);

      time_plain_job (&plain, rand, id + 1, plain_inserts, plain_finishes);
      time_plain_job (&bare, rand, id, bare_inserts, bare_finishes);
    }
  stint_archive_free (archive);
  plain_close (&plain);
  plain_close (&bare);
  insert = to_ms (percentile (inserts, 50));
  finish = to_ms (percentile (finishes, 50));
  plain_insert = to_ms (percentile (plain_inserts, 50));
  plain_finish = to_ms (percentile (plain_finishes, 50));
  print_times ("insert, with directory and lock", inserts, 0);
  print_times ("insert, plain SQLite, the same tables", plain_inserts, 0);
  print_times ("insert, plain SQLite, no indexes", bare_inserts, 0);
  print_times ("finish", finishes, 0);
  print_times ("finish, plain SQLite, the same tables", plain_finishes, 0);
  print_times ("finish, plain SQLite, no indexes", bare_finishes, 0);
  print_ratio ("insert / the same tables", insert, plain_insert, 2);
  print_ratio ("finish / the same tables", finish, plain_finish, 2);
}

/* ---- The view's model ---- */

#define SCREEN 40

static gboolean
wake (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

/* Until the rows of one screen are there. Takes and gives references. */
static void
show_screen (GListModel *model, guint position, GPtrArray *screen)
{
  guint n = MIN (SCREEN, g_list_model_get_n_items (model) - position);
  g_autoptr (GPtrArray) shown = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n; i++)
    g_ptr_array_add (shown, g_list_model_get_item (model, position + i));
  for (guint i = 0; i < n; i++)
    while (stint_history_item_get_entry (shown->pdata[i]) == NULL)
      g_main_context_iteration (NULL, TRUE);
  g_ptr_array_set_size (screen, 0);
  g_ptr_array_extend_and_steal (screen, g_steal_pointer (&shown));
}

/* KiB: what is this process's alone, so that the pages of a mapped file are not counted. */
static guint64
get_memory (void)
{
  g_autofree char *text = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/self/status", &text, NULL, NULL))
    return 0;
  line = strstr (text, "RssAnon:");
  return line != NULL ? g_ascii_strtoull (line + strlen ("RssAnon:"), NULL, 10) : 0;
}

static StintHistoryModel *
open_model (const char *directory)
{
  StintHistoryModel *model = stint_history_model_new (directory);
  g_autoptr (StintHistoryQuery) query = stint_history_query_parse ("", g_get_real_time (), NULL);

  stint_history_model_search (model, query, STINT_SORT_NEWEST, STINT_GROUP_NONE);
  while (g_list_model_get_n_items (G_LIST_MODEL (model)) == 0)
    g_main_context_iteration (NULL, TRUE);
  return model;
}

static void
settle (StintHistoryModel *model)
{
  while (stint_history_model_is_busy (model) || g_main_context_pending (NULL))
    g_main_context_iteration (NULL, stint_history_model_is_busy (model));
}

static void
measure_model (const char *directory)
{
  Times *cold = times_new (), *screens = times_new (), *turns = times_new ();
  g_autoptr (GPtrArray) screen = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (StintHistoryModel) model = NULL;
  guint64 lowest = G_MAXUINT64, highest = 0, first;
  guint n;

  g_timeout_add (1000, wake, NULL);
  for (guint i = 0; i < FEW_SAMPLES; i++)
    {
      gint64 begun = get_time ();
      g_autoptr (StintHistoryModel) one = open_model (directory);

      show_screen (G_LIST_MODEL (one), 0, screen);
      times_add_since (cold, begun);
      settle (one);
      g_ptr_array_set_size (screen, 0);
    }
  print_times ("cold start: a new model, one screen", cold, 0);

  model = open_model (directory);
  settle (model);
  n = g_list_model_get_n_items (G_LIST_MODEL (model));
  show_screen (G_LIST_MODEL (model), 0, screen);
  /* The longest that the main loop is held up by a change, with a whole result to compare. */
  for (guint i = 0; i < FEW_SAMPLES; i++)
    {
      gint64 longest = 0;

      stint_history_model_refresh (model);
      while (stint_history_model_is_busy (model))
        {
          gint64 begun;

          g_main_context_iteration (NULL, FALSE);
          g_usleep (200);
          begun = get_time ();
          g_main_context_iteration (NULL, FALSE);
          longest = MAX (longest, get_time () - begun);
        }
      g_array_append_val (turns, longest);
    }
  print_times ("a change elsewhere: main loop held up", turns, 8);
  first = get_memory ();
  for (guint i = 0; i < n; i += SCREEN)
    {
      gint64 begun = get_time ();
      guint64 memory;

      show_screen (G_LIST_MODEL (model), i, screen);
      times_add_since (screens, begun);
      if (i % (SCREEN * 500) != 0)
        continue;
      memory = get_memory ();
      lowest = MIN (lowest, memory);
      highest = MAX (highest, memory);
    }
  print_times ("one screen further, all the way", screens, PAGE_GOAL);
  g_print ("| %-44s | %10s | %7.1f MB | %7.1f MB | %6s | %s |\n",
           "memory before, and the most on the way", "", (double) first / 1024, (double) highest / 1024, "",
           highest - MIN (first, lowest) < 4096 ? "flat" : "GROWS");
}

/* ---- Plain SQLite, and one JSON file ---- */

static void
time_select (sqlite3 *db, sqlite3_stmt *statement, Times *times, gint64 begun)
{
  int rc;

  while ((rc = sqlite3_step (statement)) == SQLITE_ROW)
    stint_entry_free (stint_entry_read (statement));
  bench_check (rc, db);
  sqlite3_reset (statement);
  times_add_since (times, begun);
}

static sqlite3_stmt *
prepare (sqlite3 *db, const char *sql)
{
  sqlite3_stmt *statement;

  bench_check (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL), db);
  return statement;
}

static void
measure_plain_words (sqlite3 *db)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  sqlite3_stmt *statement =
      prepare (db, "SELECT " STINT_ENTRY_COLUMNS " FROM (SELECT rowid AS hit FROM search.docs WHERE "
                   "docs MATCH ?1 ORDER BY rowid DESC LIMIT 100) CROSS JOIN jobs ON jobs.id = hit "
                   "ORDER BY hit DESC");

  for (guint n = 1; n <= 3; n++)
    {
      Times *times = times_new ();
      g_autofree char *what = g_strdup_printf ("plain SQLite: %u whole words", n);

      for (guint i = 0; i < SAMPLES; i++)
        {
          g_autoptr (GString) text = g_string_new (NULL);
          gint64 begun;

          for (guint j = 0; j < n; j++)
            {
              g_autofree char *word = bench_dup_word (bench_pick_rank (rand));

              g_string_append_printf (text, " %s", word);
            }
          begun = get_time ();
          sqlite3_bind_text (statement, 1, text->str, -1, SQLITE_STATIC);
          time_select (db, statement, times, begun);
        }
      print_times (what, times, 0);
    }
  sqlite3_finalize (statement);
}

static void
measure_plain (const char *directory)
{
  g_autofree char *path = g_build_filename (directory, "history.db", NULL);
  g_autofree char *index = stint_search_index_dup_path (directory);
  g_autofree char *attach = g_strdup_printf ("ATTACH '%s' AS search", index);
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  Times *first = times_new (), *next = times_new (), *jump = times_new ();
  sqlite3_stmt *select_first, *select_next, *select_jump;
  sqlite3 *db;
  gint64 n;

  bench_check (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL), db);
  bench_execute (db, attach);
  select_first = prepare (db, "SELECT max (id) FROM jobs");
  bench_check (sqlite3_step (select_first), db);
  n = sqlite3_column_int64 (select_first, 0);
  sqlite3_finalize (select_first);
  select_first = prepare (db, "SELECT " STINT_ENTRY_COLUMNS " FROM jobs ORDER BY "
                              "coalesce (started_at, created_at) DESC, id DESC LIMIT 100");
  select_next = prepare (db, "SELECT " STINT_ENTRY_COLUMNS " FROM jobs WHERE id < ?1 "
                             "ORDER BY id DESC LIMIT 100");
  select_jump = prepare (db, "SELECT " STINT_ENTRY_COLUMNS " FROM jobs ORDER BY "
                             "coalesce (started_at, created_at) DESC, id DESC LIMIT 100 OFFSET ?1");
  for (guint i = 0; i < SAMPLES; i++)
    {
      time_select (db, select_first, first, get_time ());
      sqlite3_bind_int64 (select_next, 1, n - i * PAGE);
      time_select (db, select_next, next, get_time ());
    }
  for (guint i = 0; i < FEW_SAMPLES; i++)
    {
      sqlite3_bind_int64 (select_jump, 1, (gint64) (g_rand_double (rand) * (double) n));
      time_select (db, select_jump, jump, get_time ());
    }
  print_times ("plain SQLite: first page", first, 0);
  print_times ("plain SQLite: next page, by key", next, 0);
  print_times ("plain SQLite: jump, by offset", jump, 0);
  sqlite3_finalize (select_first);
  sqlite3_finalize (select_next);
  sqlite3_finalize (select_jump);
  measure_plain_words (db);
  sqlite3_close (db);
}

/* As a program does that keeps its state in one file: read whole, written whole at each change. */
static void
measure_json (const char *scratch)
{
  g_autofree char *path = g_build_filename (scratch, "state.json", NULL);
  g_autoptr (GString) text = g_string_new ("[");
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  Times *starts = times_new (), *changes = times_new ();

  for (guint64 id = 1; id <= N_JSON; id++)
    {
      g_autoptr (StintRow) row = bench_make_row (rand, id, N_JSON, TRUE);

      g_string_append_printf (text,
                              "%s{\"id\":%" G_GUINT64_FORMAT ",\"spec\":%s,\"startedAt\":%" G_GINT64_FORMAT
                              ",\"durationUs\":%" G_GINT64_FORMAT ",\"exitCode\":%d}",
                              id > 1 ? "," : "", id, row->spec, row->created_at,
                              row->result->duration, row->result->exit_code);
    }
  g_string_append_c (text, ']');
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (JsonParser) parser = json_parser_new ();
      gint64 begun = get_time ();

      g_file_set_contents (path, text->str, (gssize) text->len, NULL);
      times_add_since (changes, begun);
      begun = get_time ();
      json_parser_load_from_file (parser, path, NULL);
      times_add_since (starts, begun);
    }
  print_times ("one JSON file of 100,000 jobs: start", starts, 0);
  print_times ("one JSON file of 100,000 jobs: a change", changes, 0);
}

/* @only: (nullable): the one part that is wanted */
static gboolean
begin_part (const char *name, const char *only, const char *title)
{
  if (only != NULL && strcmp (name, only) != 0)
    return FALSE;
  print_header (title);
  return TRUE;
}

static void
measure (const char *directory, const char *scratch, const char *only)
{
  g_autoptr (StintSearcher) searcher = stint_searcher_new (directory);
  g_autoptr (StintSearcher) rows = stint_searcher_new (directory);
  gint64 n = 0;

  stint_searcher_count (searcher, "SELECT count (*) FROM jobs", &n, NULL);
  g_print ("%" G_GINT64_FORMAT " jobs\n", n);
  if (begin_part ("pages", only, "Pages of a hundred"))
    measure_pages (searcher, rows);
  if (begin_part ("filters", only, "Filters, to the first page"))
    measure_filters (searcher, rows);
  if (begin_part ("orders", only, "Orders, to the first page"))
    measure_sorts (searcher, rows);
  if (begin_part ("model", only, "The view's model"))
    measure_model (directory);
  if (begin_part ("words", only, "Words, to the first page"))
    {
      /* Words are in places of their own: these have read some of what the others share. */
      measure_words (searcher, rows, 104, "other words before, cold", 0, FALSE);
      measure_words (searcher, rows, 4, "words in a query", QUERY_GOAL, TRUE);
      measure_typing (searcher, rows);
    }
  if (begin_part ("limit", only, "The limit, and the contrast"))
    {
      measure_plain (directory);
      measure_json (scratch);
    }
  /* Last: what is added is not indexed. */
  if (begin_part ("writes", only, "Beginning and finishing a job, in turn"))
    measure_writes (directory, scratch);
}

int
main (int argc, char **argv)
{
  if (argc == 5 && strcmp (argv[1], "build") == 0)
    bench_build (argv[2], g_ascii_strtoull (argv[3], NULL, 10), g_ascii_strtoull (argv[4], NULL, 10));
  else if ((argc == 4 || argc == 5) && g_str_has_prefix (argv[1], "measure"))
    {
      if (strcmp (argv[1], "measure-cpu") == 0)
        bench_clock = CLOCK_PROCESS_CPUTIME_ID;
      measure (argv[2], argv[3], argv[4]);
    }
  else
    g_error ("Usage: bench-history build DIRECTORY JOBS BYTES | measure DIRECTORY SCRATCH");
  return 0;
}
