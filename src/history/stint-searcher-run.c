/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Searching: how a query is answered soonest, with the search index, without one, and in spite of one.
 * What is in no index yet is looked through row by row, so that a search misses no job.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-searcher-private.h"

#include "stint-error.h"
#include "stint-search-index.h"
#include "stint-vocabulary.h"

#include <errno.h>
#include <string.h>

/* Virtual machine instructions of SQLite between two looks at the cancellable. */
#define PROGRESS_STEPS 10000

/* After how many such looks a first page is no longer expected of walking the jobs in order: some
 * thousand of them. */
#define LONGEST_WALK 4

#define STARTED "coalesce (started_at, created_at)"

static const char *const sort_nicks[] = {
  [STINT_SORT_NEWEST] = "newest",   [STINT_SORT_OLDEST] = "oldest",
  [STINT_SORT_LONGEST] = "longest", [STINT_SORT_SHORTEST] = "shortest",
  [STINT_SORT_COMMAND] = "command", [STINT_SORT_OUTPUT] = "output",
  [STINT_SORT_RANK] = "rank",
  [STINT_SORT_TITLE] = "title",
  [STINT_SORT_TITLE_REVERSE] = "title-reverse",
  [STINT_SORT_DIRECTORY] = "directory",
  [STINT_SORT_DIRECTORY_REVERSE] = "directory-reverse",
  [STINT_SORT_OUTCOME] = "outcome",
  [STINT_SORT_OUTCOME_REVERSE] = "outcome-reverse",
  [STINT_SORT_KIND] = "kind",
  [STINT_SORT_KIND_REVERSE] = "kind-reverse",
  [STINT_SORT_TAGS] = "tags",
  [STINT_SORT_TAGS_REVERSE] = "tags-reverse",
};

/* As the index has them. */
#define TITLE "substr (coalesce (name, command), 1, 64) COLLATE NOCASE"
#define OUTCOME                                                                                    \
  "CASE WHEN state = 'running' THEN 3 WHEN reason IN ('terminated', 'killed', 'cancelled') THEN 1 " \
  "WHEN reason = 'exited' AND coalesce (exit_code, 0) = 0 THEN 0 ELSE 2 END"

static const char *const orders[] = {
  [STINT_SORT_NEWEST] = STARTED " DESC, jobs.id DESC",
  [STINT_SORT_OLDEST] = STARTED ", jobs.id",
  [STINT_SORT_LONGEST] = "duration DESC, jobs.id DESC",
  [STINT_SORT_SHORTEST] = "duration NULLS LAST, jobs.id",
  [STINT_SORT_COMMAND] = "substr (command, 1, 64) COLLATE NOCASE, jobs.id",
  [STINT_SORT_OUTPUT] =
      "coalesce (stdout_bytes, 0) + coalesce (stderr_bytes, 0) DESC, jobs.id DESC",
  [STINT_SORT_RANK] = STARTED " DESC, jobs.id DESC",
  [STINT_SORT_TITLE] = TITLE ", jobs.id",
  [STINT_SORT_TITLE_REVERSE] = TITLE " DESC, jobs.id DESC",
  [STINT_SORT_DIRECTORY] = "directory, " STARTED ", jobs.id",
  [STINT_SORT_DIRECTORY_REVERSE] = "directory DESC, " STARTED " DESC, jobs.id DESC",
  [STINT_SORT_OUTCOME] = OUTCOME " DESC, jobs.id DESC",
  [STINT_SORT_OUTCOME_REVERSE] = OUTCOME ", jobs.id",
  [STINT_SORT_KIND] = "kind, " STARTED ", jobs.id",
  [STINT_SORT_KIND_REVERSE] = "kind DESC, " STARTED " DESC, jobs.id DESC",
  [STINT_SORT_TAGS] = "tags, jobs.id",
  [STINT_SORT_TAGS_REVERSE] = "tags DESC, jobs.id DESC",
};

/* The command and its name count for more than its output. */
#define RANK "bm25 (docs, 8, 8, 8, 2, 1, 0), hit.rowid DESC"

/* A page in the order of @STINT_SORT_NEWEST, unless jobs were imported: nothing needs to be sorted. */
#define NEWEST_IDS "jobs.id DESC LIMIT " G_STRINGIFY (STINT_FIRST_PAGE)

#define NONE_UNWANTED " AND jobs.id NOT IN (SELECT rowid FROM search.docs WHERE docs MATCH ?)"

static const char *const group_keys[] = {
  [STINT_GROUP_NONE] = "NULL",
  [STINT_GROUP_DAY] = "NULL", /* see begins_day() */
  [STINT_GROUP_DIRECTORY] = "directory",
  [STINT_GROUP_COMMAND] = "command",
};

/* By an index that has the beginnings of commands. */
static const char *const group_orders[] = {
  [STINT_GROUP_NONE] = "NULL",
  [STINT_GROUP_DAY] = "date (" STARTED " / 1000000, 'unixepoch', 'localtime') DESC",
  [STINT_GROUP_DIRECTORY] = "directory",
  [STINT_GROUP_COMMAND] = "substr (command, 1, 64) COLLATE NOCASE, command",
};

gboolean
stint_history_sort_from_nick (const char *nick, StintHistorySort *sort)
{
  for (guint i = 0; i < G_N_ELEMENTS (sort_nicks); i++)
    if (strcmp (nick, sort_nicks[i]) == 0)
      {
        *sort = (StintHistorySort) i;
        return TRUE;
      }
  return FALSE;
}

void
stint_searcher_lose_index (StintSearcher *self)
{
  g_autoptr (StintSearchIndex) index = stint_search_index_new (self->directory);

  stint_search_index_condemn (index, &self->index_file);
  sqlite3_exec (stint_database_get_handle (self->database), "DETACH search", NULL, NULL, NULL);
  self->stamp = -1;
  self->lost_index = TRUE;
}

/* Returns: an SQLite result code; SQLITE_CANTOPEN: there is none */
static int
attach (StintSearcher *self, sqlite3 *db)
{
  sqlite3_stmt *statement = NULL;
  int rc;

  stint_file_identity_read (&self->index_file, self->index_path);
  if (!stint_file_identity_holds (&self->index_file, self->index_path))
    return SQLITE_CANTOPEN;
  rc = sqlite3_prepare_v2 (db, "ATTACH ?1 AS search", -1, &statement, NULL);
  if (rc != SQLITE_OK)
    return rc;
  sqlite3_bind_text (statement, 1, self->index_path, -1, SQLITE_STATIC);
  sqlite3_step (statement);
  return sqlite3_finalize (statement);
}

/* Whether it is of this history and of our version; an SQLite result code other than SQLITE_ROW: it
 * cannot be read. */
static int
check_index (sqlite3 *db, gboolean *usable)
{
  gint64 version = 0, identity = 0, wanted = 0;
  int rc = stint_search_index_read_integer (db, "PRAGMA search.user_version", &version);

  if (rc == SQLITE_ROW && version == STINT_INDEX_VERSION)
    rc = stint_search_index_read_integer (db, "SELECT identity FROM search.state", &identity);
  *usable = rc == SQLITE_ROW && version == STINT_INDEX_VERSION &&
            stint_search_index_read_integer (db, "SELECT identity FROM changes", &wanted) ==
                SQLITE_ROW &&
            identity == wanted;
  return rc;
}

/* An index that is not there, is made again this moment or is of another history is none. */
void
stint_searcher_look_at_index (StintSearcher *self)
{
  sqlite3 *db = stint_database_get_handle (self->database);
  gboolean attached = sqlite3_db_filename (db, "search") != NULL;
  gboolean usable = FALSE;
  int rc = SQLITE_OK;

  self->stamp = -1;
  if (attached && !stint_file_identity_holds (&self->index_file, self->index_path))
    {
      sqlite3_exec (db, "DETACH search", NULL, NULL, NULL);
      attached = FALSE;
    }
  if (!attached)
    rc = attach (self, db);
  if (rc == SQLITE_OK)
    rc = check_index (db, &usable);
  if (usable)
    stint_search_index_read_integer (db, "SELECT stamp FROM search.state", &self->stamp);
  else if (stint_search_index_is_damage (rc))
    stint_searcher_lose_index (self);
}

typedef struct
{
  StintHistoryGroup group;
  GArray *hits;
  GArray *keys; /* guint64: of the groups */
  char *key;    /* (nullable): of the current group */
  gint64 day_begin, day_end;
  StintFirstPageFunc first_page;
  gpointer user_data;
  GCancellable *cancellable;
  guint patience; /* how many looks more are taken without a first page; 0: any number */
} Collector;

static int
on_progress (void *data)
{
  Collector *collector = data;

  if (g_cancellable_is_cancelled (collector->cancellable))
    return 1;
  return collector->patience > 0 && collector->hits->len < STINT_FIRST_PAGE &&
         --collector->patience == 0;
}

/* For another try. */
static void
collector_reset (Collector *self)
{
  g_array_set_size (self->hits, 0);
  g_array_set_size (self->keys, 0);
  g_clear_pointer (&self->key, g_free);
  self->day_begin = self->day_end = 0;
}

/* Days are told apart without a call of date() for each of a million rows. */
static gboolean
begins_day (Collector *collector, gint64 started_at)
{
  g_autoptr (GDateTime) time = NULL;
  g_autoptr (GDateTime) begin = NULL;
  g_autoptr (GDateTime) end = NULL;

  if (started_at >= collector->day_begin && started_at < collector->day_end)
    return FALSE;
  time = g_date_time_new_from_unix_local (started_at / G_USEC_PER_SEC);
  if (time != NULL)
    begin = g_date_time_new_local (g_date_time_get_year (time), g_date_time_get_month (time),
                                   g_date_time_get_day_of_month (time), 0, 0, 0);
  end = begin != NULL ? g_date_time_add_days (begin, 1) : NULL;
  if (end == NULL)
    return FALSE;
  collector->day_begin = g_date_time_to_unix (begin) * G_USEC_PER_SEC;
  collector->day_end = g_date_time_to_unix (end) * G_USEC_PER_SEC;
  g_array_append_val (collector->keys, collector->day_begin);
  return TRUE;
}

/* Of a text, which may be long, for as long as the group is there (FNV-1a). */
static guint64
hash_key (const char *text)
{
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325);

  for (const char *p = text; p != NULL && *p != '\0'; p++)
    hash = (hash ^ (guint8) *p) * G_GUINT64_CONSTANT (0x100000001b3);
  return hash;
}

static gboolean
begins_group (Collector *collector, sqlite3_stmt *statement)
{
  const char *key;
  guint64 hash;

  if (collector->group == STINT_GROUP_NONE)
    return FALSE;
  if (collector->group == STINT_GROUP_DAY)
    return begins_day (collector, sqlite3_column_int64 (statement, 1));
  key = (const char *) sqlite3_column_text (statement, 2);
  if (collector->hits->len > 0 && g_strcmp0 (key, collector->key) == 0)
    return FALSE;
  g_free (collector->key);
  collector->key = g_strdup (key);
  hash = hash_key (key);
  g_array_append_val (collector->keys, hash);
  return TRUE;
}

static gboolean
collect (StintSearcher *self, sqlite3_stmt *statement, Collector *collector, GError **error)
{
  int rc;

  while ((rc = sqlite3_step (statement)) == SQLITE_ROW)
    {
      guint64 hit = (guint64) sqlite3_column_int64 (statement, 0);

      if (begins_group (collector, statement))
        hit |= STINT_HIT_GROUP_START;
      g_array_append_val (collector->hits, hit);
      if (collector->hits->len == STINT_FIRST_PAGE && collector->first_page != NULL)
        collector->first_page ((const guint64 *) (void *) collector->hits->data, STINT_FIRST_PAGE,
                               collector->user_data);
    }
  if (rc == SQLITE_DONE)
    return TRUE;
  if (rc == SQLITE_INTERRUPT)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "%s", g_strerror (ECANCELED));
  else
    stint_database_set_sqlite_error (self->database, rc, error);
  return FALSE;
}

/* Of the jobs that the index does not have yet those whose rows have the words. */
static void
append_unindexed (GString *sql, StintHistoryQuery *query, StintFilterFlags flags)
{
  g_string_append (sql, "SELECT id FROM jobs WHERE id IN (SELECT id FROM jobs WHERE "
                        "changed > ? UNION ALL SELECT id FROM jobs WHERE state = 'running')");
  stint_history_query_append_filters (query, sql, flags | STINT_FILTER_WORDS);
}

/* Returns: the next free parameter */
static int
bind_unindexed (StintSearcher *self,
                sqlite3_stmt *statement,
                int first,
                StintHistoryQuery *query,
                StintFilterFlags flags)
{
  sqlite3_bind_int64 (statement, first, self->stamp);
  return stint_history_query_bind_filters (query, statement, first + 1, flags | STINT_FILTER_WORDS);
}

/* Of words: the jobs that the index has, and of the others those whose rows have them. */
void
stint_searcher_append_query (StintSearcher *self,
                             GString *sql,
                             StintHistoryQuery *query,
                             StintFilterFlags flags)
{
  if (self->stamp < 0)
    {
      stint_history_query_append_filters (query, sql, flags | STINT_FILTER_WORDS);
      return;
    }
  stint_history_query_append_filters (query, sql, flags);
  if (stint_history_query_get_match (query) != NULL)
    {
      /* Not by OR, which would look at every job. */
      g_string_append (sql, " AND jobs.id IN (SELECT rowid FROM search.docs WHERE docs MATCH ?"
                            " UNION ALL ");
      append_unindexed (sql, query, flags);
      g_string_append_c (sql, ')');
    }
  if (stint_history_query_get_unwanted (query) != NULL)
    g_string_append (sql, NONE_UNWANTED);
}

void
stint_searcher_bind_query (StintSearcher *self,
                           sqlite3_stmt *statement,
                           int first,
                           StintHistoryQuery *query,
                           StintFilterFlags flags)
{
  const char *match = self->match != NULL ? self->match : stint_history_query_get_match (query);
  const char *unwanted = stint_history_query_get_unwanted (query);
  int next = stint_history_query_bind_filters (
      query, statement, first, self->stamp < 0 ? flags | STINT_FILTER_WORDS : flags);

  if (self->stamp < 0)
    return;
  if (match != NULL)
    {
      sqlite3_bind_text (statement, next++, match, -1, SQLITE_STATIC);
      next = bind_unindexed (self, statement, next, query, flags);
    }
  if (unwanted != NULL)
    sqlite3_bind_text (statement, next, unwanted, -1, SQLITE_STATIC);
}

static gboolean
run_select (StintSearcher *self,
            StintHistoryQuery *query,
            const char *order,
            StintFilterFlags flags,
            Collector *collector,
            GError **error)
{
  g_autoptr (GString) sql = g_string_new ("SELECT jobs.id, ");
  sqlite3_stmt *statement;
  gboolean ok;

  g_string_append_printf (sql, "%s, %s FROM jobs WHERE 1",
                          collector->group == STINT_GROUP_DAY ? STARTED : "NULL",
                          group_keys[collector->group]);
  stint_searcher_append_query (self, sql, query, flags);
  g_string_append_printf (sql, " ORDER BY %s", order);
  statement = stint_searcher_prepare (self, sql->str, error);
  if (statement == NULL)
    return FALSE;
  stint_searcher_bind_query (self, statement, 1, query, flags);
  ok = collect (self, statement, collector, error);
  sqlite3_finalize (statement);
  return ok;
}

/* (nullable): in which order the groups come: as they are listed, unless their own column is turned. */
static const char *
get_group_order (StintHistoryGroup group, StintHistorySort sort)
{
  if (group == STINT_GROUP_DAY)
    return sort != STINT_SORT_NEWEST && sort != STINT_SORT_OLDEST && sort != STINT_SORT_RANK
               ? group_orders[group]
               : NULL;
  if (group == STINT_GROUP_DIRECTORY && sort == STINT_SORT_DIRECTORY_REVERSE)
    return "directory DESC";
  if (group == STINT_GROUP_COMMAND && sort == STINT_SORT_TITLE_REVERSE)
    return "substr (command, 1, 64) COLLATE NOCASE DESC, command DESC";
  return group != STINT_GROUP_NONE ? group_orders[group] : NULL;
}

static gboolean
run_sorted (StintSearcher *self,
            StintHistoryQuery *query,
            StintHistorySort sort,
            StintFilterFlags flags,
            Collector *collector,
            GError **error)
{
  g_autoptr (GString) order = g_string_new (NULL);
  const char *group_order = get_group_order (collector->group, sort);

  if (group_order != NULL)
    g_string_append_printf (order, "%s, ", group_order);
  g_string_append (order, orders[sort]);
  return run_select (self, query, order->str, flags, collector, error);
}

static char *
expand (const char *word, gpointer db)
{
  return stint_vocabulary_expand (db, word);
}

/* Straight from the index: best first, or the first page of newest first. */
static gboolean
run_index (StintSearcher *self,
           StintHistoryQuery *query,
           const char *match,
           const char *order,
           StintFilterFlags flags,
           Collector *collector,
           gboolean page_only,
           GError **error)
{
  g_autoptr (GString) sql =
      g_string_new ("SELECT hit.rowid, " STARTED ", NULL FROM search.docs AS hit CROSS JOIN jobs "
                    "ON jobs.id = hit.rowid WHERE hit.docs MATCH ?");
  sqlite3_stmt *statement;
  gboolean ok;

  if (stint_history_query_get_unwanted (query) != NULL)
    g_string_append (sql,
                     " AND hit.rowid NOT IN (SELECT rowid FROM search.docs WHERE docs MATCH ?)");
  stint_history_query_append_filters (query, sql, flags | STINT_FILTER_HITS);
  g_string_append_printf (sql, " ORDER BY %s", order);
  if (page_only)
    g_string_append_printf (sql, " LIMIT %d", STINT_FIRST_PAGE);
  statement = stint_searcher_prepare (self, sql->str, error);
  if (statement == NULL)
    return FALSE;
  sqlite3_bind_text (statement, 1, match, -1, SQLITE_STATIC);
  if (stint_history_query_get_unwanted (query) != NULL)
    sqlite3_bind_text (statement, 2, stint_history_query_get_unwanted (query), -1, SQLITE_STATIC);
  stint_history_query_bind_filters (
      query, statement, stint_history_query_get_unwanted (query) != NULL ? 3 : 2,
      flags | STINT_FILTER_HITS);
  ok = collect (self, statement, collector, error);
  sqlite3_finalize (statement);
  return ok;
}

/* To be asked once, when it has failed: whether looking at job after job was given up, because there was no first
 * page soon. Then @collector is as before, and @why none. */
static gboolean
has_given_up (Collector *collector, GError **why)
{
  if (collector->patience > 0 || !g_error_matches (*why, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return FALSE;
  g_clear_error (why);
  collector_reset (collector);
  return TRUE;
}

/* The first page of the newest jobs with these words. Each job that has them is looked at whether it passes
 * the filters, unless few do. */
static gboolean
run_index_page (StintSearcher *self,
                StintHistoryQuery *query,
                Collector *collector,
                GError **error)
{
  g_autoptr (GError) why = NULL;
  gboolean can_give_up = stint_history_query_can_be_few (query, STINT_FILTER_INDEXED);
  gboolean ok;

  collector->patience = can_give_up ? LONGEST_WALK : 0;
  ok = run_index (self, query, self->match, "hit.rowid DESC", STINT_FILTER_NONE, collector, TRUE, &why);
  if (!ok && can_give_up && has_given_up (collector, &why))
    ok = run_index (self, query, self->match, "hit.rowid DESC", STINT_FILTER_FEW | STINT_FILTER_INDEXED,
                    collector, TRUE, &why);
  collector->patience = 0;
  if (why != NULL)
    g_propagate_error (error, g_steal_pointer (&why));
  return ok;
}

/* A page has been looked for, and told if it was full: the whole result comes next. */
static void
told_page (Collector *collector)
{
  if (collector->hits->len == STINT_FIRST_PAGE)
    collector->first_page = NULL;
  collector_reset (collector);
}

/* Less than a page, which is all there is, newest first; of @query's words, (nullable), all that the index
 * has: the other jobs are looked for. */
static gboolean
sort_hits (StintSearcher *self, StintHistoryQuery *query, Collector *collector, GError **error)
{
  g_autoptr (GString) sql = g_string_new ("SELECT id, NULL, NULL FROM jobs WHERE id IN ("
                                          "SELECT id FROM jobs WHERE id IN (0");
  const char *unwanted = query != NULL ? stint_history_query_get_unwanted (query) : NULL;
  sqlite3_stmt *statement;
  gboolean ok;

  for (guint i = 0; i < collector->hits->len; i++)
    g_string_append_printf (sql, ", %" G_GUINT64_FORMAT,
                            g_array_index (collector->hits, guint64, i));
  g_string_append_c (sql, ')');
  if (query != NULL)
    {
      g_string_append (sql, " UNION ALL ");
      append_unindexed (sql, query, STINT_FILTER_NONE);
    }
  g_string_append_c (sql, ')');
  if (unwanted != NULL)
    g_string_append (sql, NONE_UNWANTED);
  g_string_append_printf (sql, " ORDER BY %s", orders[STINT_SORT_NEWEST]);
  collector_reset (collector);
  statement = stint_searcher_prepare (self, sql->str, error);
  if (statement == NULL)
    return FALSE;
  if (query != NULL)
    {
      int next = bind_unindexed (self, statement, 1, query, STINT_FILTER_NONE);

      if (unwanted != NULL)
        sqlite3_bind_text (statement, next, unwanted, -1, SQLITE_STATIC);
    }
  ok = collect (self, statement, collector, error);
  sqlite3_finalize (statement);
  return ok;
}

/* What many jobs pass is found soonest by walking them in order, what few pass by its index: it is
 * walked, and if there is no first page soon there are few. */
static gboolean
run_filters (StintSearcher *self,
             StintHistoryQuery *query,
             StintHistorySort sort,
             Collector *collector,
             GError **error)
{
  g_autoptr (GError) why = NULL;
  StintFilterFlags index = self->stamp >= 0 ? STINT_FILTER_INDEXED : STINT_FILTER_NONE;
  StintFilterFlags few = STINT_FILTER_FEW | index;

  if (!stint_history_query_can_be_few (query, index))
    return run_sorted (self, query, sort, STINT_FILTER_NONE, collector, error);
  collector->patience = LONGEST_WALK;
  if (run_sorted (self, query, sort, STINT_FILTER_NONE, collector, &why))
    return TRUE;
  if (!has_given_up (collector, &why))
    {
      g_propagate_error (error, g_steal_pointer (&why));
      return FALSE;
    }
  if (sort == STINT_SORT_NEWEST && collector->group == STINT_GROUP_NONE)
    {
      /* Few can be many thousands, which take a while to be sorted. */
      if (!run_select (self, query, NEWEST_IDS, few, collector, error))
        return FALSE;
      if (collector->hits->len < STINT_FIRST_PAGE)
        return sort_hits (self, NULL, collector, error);
      told_page (collector);
      if (g_cancellable_set_error_if_cancelled (collector->cancellable, error))
        return FALSE;
    }
  return run_sorted (self, query, sort, few, collector, error);
}

static gboolean
run (StintSearcher *self,
     StintHistoryQuery *query,
     StintHistorySort sort,
     Collector *collector,
     GError **error)
{
  gboolean indexed = self->stamp >= 0 && stint_history_query_get_match (query) != NULL;

  if (indexed && sort == STINT_SORT_RANK && collector->group == STINT_GROUP_NONE)
    return run_index (self, query, stint_history_query_get_rank_match (query), RANK, STINT_FILTER_NONE,
                      collector, FALSE, error);
  g_clear_pointer (&self->match, g_free);
  if (indexed)
    self->match = stint_history_query_dup_match (query, expand,
                                                 stint_database_get_handle (self->database));
  if (indexed && sort == STINT_SORT_NEWEST && collector->group == STINT_GROUP_NONE &&
      collector->first_page != NULL)
    {
      if (!run_index_page (self, query, collector, error))
        return FALSE;
      if (collector->hits->len < STINT_FIRST_PAGE)
        return sort_hits (self, query, collector, error);
      told_page (collector);
      /* FTS5 does not look at it while it merges. */
      if (g_cancellable_set_error_if_cancelled (collector->cancellable, error))
        return FALSE;
    }
  if (indexed)
    return run_sorted (self, query, sort, STINT_FILTER_NONE, collector, error);
  return run_filters (self, query, sort, collector, error);
}

/* What went wrong may have been the index, or the history itself. */
static gboolean
run_without_index (StintSearcher *self,
                   StintHistoryQuery *query,
                   StintHistorySort sort,
                   Collector *collector,
                   GError **error)
{
  self->stamp = -1;
  collector_reset (collector);
  if (!run (self, query, sort, collector, error))
    return FALSE;
  stint_searcher_lose_index (self);
  return TRUE;
}

gboolean
stint_searcher_take_lost_index (StintSearcher *self)
{
  gboolean lost = self->lost_index;

  self->lost_index = FALSE;
  return lost;
}

GArray *
stint_searcher_run (StintSearcher *self,
                    StintHistoryQuery *query,
                    StintHistorySort sort,
                    StintHistoryGroup group,
                    StintFirstPageFunc first_page,
                    gpointer user_data,
                    GCancellable *cancellable,
                    GError **error)
{
  g_autoptr (GArray) hits = g_array_new (FALSE, FALSE, sizeof (guint64));
  Collector collector = { group, hits, self->keys, NULL, 0, 0, first_page, user_data, cancellable, 0 };
  g_autoptr (GError) why = NULL;
  gboolean ok;

  if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
      !stint_database_open (self->database, error))
    return NULL;
  stint_searcher_look_at_index (self);
  collector_reset (&collector);
  sqlite3_progress_handler (stint_database_get_handle (self->database), PROGRESS_STEPS, on_progress,
                            &collector);
  ok = run (self, query, sort, &collector, &why);
  if (!ok && self->stamp >= 0 && g_error_matches (why, STINT_ERROR, STINT_ERROR_DAMAGED))
    ok = run_without_index (self, query, sort, &collector, error);
  else if (!ok)
    g_propagate_error (error, g_steal_pointer (&why));
  sqlite3_progress_handler (stint_database_get_handle (self->database), 0, NULL, NULL);
  g_clear_pointer (&self->match, g_free);
  g_free (collector.key);
  return ok ? g_steal_pointer (&hits) : NULL;
}
