/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The history that bench-history measures: its rows, its words, its outputs and its index. The same each time.
 */
#define G_LOG_DOMAIN "bench"
#include "config.h"

#include "bench-history-store.h"

#include "stint-database.h"
#include "stint-indexer.h"
#include "stint-job-directories.h"
#include "stint-search-index.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define N_WORDS 50000
#define BATCH 20000
#define SECONDS_APART 60 /* a million jobs are two years */

/* Of every so many jobs one has output. */
#define OUTPUT_EVERY 5

static const char *const tools[] = {
  "make -j4",         "cargo build",  "npm run test", "git fetch --all", "python3 -m pytest",
  "ninja -C _build",  "go test ./...", "rsync -a",    "docker build .",  "curl -fsS",
};

static const char *const projects[] = {
  "alpha", "beta", "gamma", "delta", "engine", "kernel", "website", "notes", "paper", "tools",
};

char *
bench_dup_word (guint n)
{
  static const char *const syllables[] = { "ba", "ke", "ti", "lo", "mu", "ra", "se", "ni",
                                           "do", "fu", "ga", "pe", "vi", "zo", "hu", "xa" };
  static const char *const endings[] = { "", "s", "ing", "ed" };
  GString *word = g_string_new (NULL);
  guint stem = n / G_N_ELEMENTS (endings) * 40503 % 65536;

  for (guint i = 0; i < 4; i++, stem /= 16)
    g_string_append (word, syllables[stem % 16]);
  g_string_append (word, endings[n % G_N_ELEMENTS (endings)]);
  return g_string_free (word, FALSE);
}

guint
bench_pick_rank (GRand *rand)
{
  /* N^u is distributed as 1/n. */
  return MIN ((guint) pow (N_WORDS, g_rand_double (rand)), N_WORDS - 1);
}

void
bench_check (int rc, sqlite3 *db)
{
  if (rc != SQLITE_OK && rc != SQLITE_DONE && rc != SQLITE_ROW)
    g_error ("SQLite: %s", sqlite3_errmsg (db));
}

void
bench_execute (sqlite3 *db, const char *sql)
{
  bench_check (sqlite3_exec (db, sql, NULL, NULL, NULL), db);
}

static StintResult *
make_result (GRand *rand, gint64 started_at)
{
  guint dice = (guint) g_rand_int_range (rand, 0, 1000);
  StintResult *result = stint_result_new (dice < 960   ? STINT_REASON_EXITED
                                          : dice < 975 ? STINT_REASON_TIMEOUT
                                          : dice < 985 ? STINT_REASON_TERMINATED
                                                       : STINT_REASON_SIGNALED);

  if (result->reason == STINT_REASON_EXITED)
    {
      result->has_exit_code = TRUE;
      result->exit_code = dice < 880 ? 0 : dice < 950 ? 1 : dice < 959 ? 2 : 100 + (int) dice % 50;
    }
  else
    {
      result->term_signal = dice < 990 ? 15 : dice < 999 ? 9 : 11;
    }
  result->started_at = started_at;
  result->duration = (gint64) (pow (10, 3 + 6 * g_rand_double (rand)));
  result->cpu_time = result->duration / 2;
  result->max_rss = g_rand_int_range (rand, 1, 4000) * G_GINT64_CONSTANT (65536);
  result->stdout_bytes = (guint64) g_rand_int_range (rand, 0, 100000);
  return result;
}

StintRow *
bench_make_row (GRand *rand, guint64 id, guint64 n_jobs, gboolean finished)
{
  StintRow *row = g_new0 (StintRow, 1);
  const char *project = projects[g_rand_int_range (rand, 0, G_N_ELEMENTS (projects))];
  g_autofree char *word = bench_dup_word (bench_pick_rank (rand));
  g_autofree char *json_command = NULL;
  guint dice = (guint) g_rand_int_range (rand, 0, 1000);
  gint64 now = g_get_real_time ();

  row->id = id;
  row->kind = dice < 900 ? "shell" : dice < 990 ? "terminal" : "agent";
  row->command = g_strdup_printf ("%s %s-%s", tools[g_rand_int_range (rand, 0, G_N_ELEMENTS (tools))],
                                  project, word);
  row->directory = g_strdup_printf ("/home/somebody/src/%s/part-%d", project,
                                    g_rand_int_range (rand, 0, 100));
  row->tags = g_strdup (dice % 50 == 0 ? "[\"nightly\"]" : dice == 501 ? "[\"release\"]" : "[]");
  if (dice % 20 == 0)
    row->name = g_strdup_printf ("Build of %s", word);
  row->spec = g_strdup_printf ("{\"kind\":\"%s\",\"shell\":\"%s\",\"directory\":\"%s\",\"env\":[],"
                               "\"tags\":[],\"timeout\":0,\"grace\":5000000,\"outputLimit\":"
                               "1073741824,\"leftovers\":0,\"tty\":0,\"columns\":80,\"rows\":24}",
                               row->kind, row->command, row->directory);
  row->created_at = now - (gint64) (n_jobs - id) * SECONDS_APART * G_USEC_PER_SEC;
  if (finished)
    row->result = make_result (rand, row->created_at);
  return row;
}

/* What a compiler or a test says: words, numbers, a hash now and then; some Chinese and Arabic. */
static void
make_output (GRand *rand, GString *text, gsize size)
{
  g_string_truncate (text, 0);
  while (text->len < size)
    {
      guint n = (guint) g_rand_int_range (rand, 3, 12);

      for (guint i = 0; i < n; i++)
        {
          g_autofree char *word = bench_dup_word (bench_pick_rank (rand));

          g_string_append (text, word);
          g_string_append_c (text, i + 1 < n ? ' ' : '\n');
        }
      if (g_rand_int_range (rand, 0, 20) == 0)
        g_string_append_printf (text, "\033[32m%08x\033[0m took %d ms\n", g_rand_int (rand),
                                g_rand_int_range (rand, 0, 10000));
      if (g_rand_int_range (rand, 0, 400) == 0)
        g_string_append (text, "错误：找不到文件 / خطأ في الملف\n");
    }
}

static void
write_output (GRand *rand, const char *jobs, guint64 id, GString *text, gsize size)
{
  g_autofree char *directory = stint_job_directories_dup_path (jobs, id);
  g_autofree char *path = g_build_filename (directory, "output", NULL);
  FILE *file;

  make_output (rand, text, size);
  g_mkdir (directory, 0700);
  file = g_fopen (path, "we");
  if (file == NULL || fwrite (text->str, text->len, 1, file) != 1 || fclose (file) != 0)
    g_error ("“%s” cannot be written", path);
}

/* Indexes are made again once the rows are in: an insert into each of them, in no order, takes longer. */
static GPtrArray *
drop_indexes (sqlite3 *db)
{
  g_autoptr (GPtrArray) drops = g_ptr_array_new_with_free_func (g_free);
  GPtrArray *makes = g_ptr_array_new_with_free_func (g_free);
  sqlite3_stmt *statement;

  bench_check (sqlite3_prepare_v2 (db, "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql "
                                 "IS NOT NULL AND tbl_name = 'jobs'",
                             -1, &statement, NULL),
         db);
  while (sqlite3_step (statement) == SQLITE_ROW)
    {
      g_ptr_array_add (drops, g_strdup_printf ("DROP INDEX %s", sqlite3_column_text (statement, 0)));
      g_ptr_array_add (makes, g_strdup ((const char *) sqlite3_column_text (statement, 1)));
    }
  sqlite3_finalize (statement);
  for (guint i = 0; i < drops->len; i++)
    bench_execute (db, drops->pdata[i]);
  return makes;
}

static void
build_rows (const char *directory, guint64 n_jobs, guint64 bytes)
{
  g_autoptr (StintDatabase) database = stint_database_new (directory);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autoptr (GRand) output_rand = g_rand_new_with_seed (2);
  g_autoptr (GPtrArray) indexes = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *jobs = g_build_filename (directory, "jobs", NULL);
  gsize size = (gsize) (bytes * OUTPUT_EVERY / n_jobs);
  StintOwner owner;
  sqlite3_stmt *statement;
  sqlite3 *db;

  g_mkdir_with_parents (jobs, 0700);
  stint_owner_init_self (&owner);
  if (!stint_database_open (database, NULL))
    g_error ("“%s” cannot be used", directory);
  db = stint_database_get_handle (database);
  bench_execute (db, "PRAGMA cache_size = -400000");
  indexes = drop_indexes (db);
  bench_check (sqlite3_prepare_v2 (db, STINT_ROW_INSERT, -1, &statement, NULL), db);
  for (guint64 id = 1; id <= n_jobs; id++)
    {
      g_autoptr (StintRow) row = bench_make_row (rand, id, n_jobs, TRUE);

      if (id % BATCH == 1)
        bench_execute (db, "BEGIN");
      stint_row_bind (row, &owner, statement);
      bench_check (sqlite3_step (statement), db);
      sqlite3_reset (statement);
      sqlite3_clear_bindings (statement);
      if (id % OUTPUT_EVERY == 0)
        write_output (output_rand, jobs, id, text, size);
      if (id % BATCH == 0 || id == n_jobs)
        {
          bench_execute (db, "COMMIT");
          if (id % (BATCH * 5) == 0)
            g_printerr ("\r%" G_GUINT64_FORMAT " rows ", id);
        }
    }
  sqlite3_finalize (statement);
  bench_execute (db, "UPDATE jobs SET pinned = 1 WHERE id % 10007 = 0");
  for (guint i = 0; i < indexes->len; i++)
    bench_execute (db, indexes->pdata[i]);
  bench_execute (db, "PRAGMA wal_checkpoint (TRUNCATE)");
  g_printerr ("\n");
}

static void
on_index_progress (guint64 done, guint64 total, const GError *warning, gpointer user_data)
{
  if (done % 10240 < 1024)
    g_printerr ("\r%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " indexed ", done, total);
}

static double
get_seconds_since (gint64 begun)
{
  return (double) (g_get_monotonic_time () - begun) / G_USEC_PER_SEC;
}

void
bench_build (const char *directory, guint64 n_jobs, guint64 bytes)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (directory, "history.db", NULL);
  gint64 begun = g_get_monotonic_time ();

  /* An index that was interrupted is gone on with. */
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    build_rows (directory, n_jobs, bytes);
  g_print ("Rows and transcripts: %.0f s\n", get_seconds_since (begun));
  begun = g_get_monotonic_time ();
  if (!stint_index_update (directory, STINT_INDEX_DEFAULT_LIMIT, on_index_progress, NULL, NULL,
                           &error))
    g_error ("%s", error->message);
  g_printerr ("\n");
  g_print ("Search index: %.0f s\n", get_seconds_since (begun));
}
