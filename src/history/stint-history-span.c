/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What ran between two points in time. Read by a thread that nobody waits for.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-history-span.h"

#include "stint-database.h"

#include <errno.h>

/* Virtual machine instructions of SQLite between two looks at the cancellable. */
#define PROGRESS_STEPS 10000

#define STARTED "coalesce (started_at, created_at)"

/* Jobs that take longer are few, and are found by how long they took. */
#define LONG "3600000000"

/* Four ways in, each by an index: began in the span; began shortly before and ended in it; took long and
 * did; still runs. */
#define SELECT_SPAN                                                                                \
  " FROM jobs WHERE jobs.id IN ("                                                                  \
  "SELECT id FROM jobs WHERE " STARTED " >= ?1 AND " STARTED " < ?2 "                              \
  "UNION SELECT id FROM jobs WHERE " STARTED " >= ?1 - " LONG " AND " STARTED " < ?1 "             \
  "AND +duration > ?1 - " STARTED " "                                                              \
  "UNION SELECT id FROM jobs WHERE duration > " LONG " AND +" STARTED " < ?1 "                     \
  "AND duration > ?1 - " STARTED " "                                                               \
  "UNION SELECT id FROM jobs WHERE state = 'running' AND +" STARTED " < ?2) "                      \
  "ORDER BY " STARTED ", jobs.id"

typedef struct
{
  char *directory;
  StintHistoryQuery *query;
  gint64 from, to;
} Span;

static void
span_free (gpointer data)
{
  Span *span = data;

  g_clear_pointer (&span->query, stint_history_query_unref);
  g_free (span->directory);
  g_free (span);
}

static int
on_progress (void *cancellable)
{
  return g_cancellable_is_cancelled (cancellable) ? 1 : 0;
}

/* (transfer full) (nullable): the ids that the query finds, as a set. */
static GHashTable *
search (const Span *span, GCancellable *cancellable, GError **error)
{
  g_autoptr (StintSearcher) searcher = stint_searcher_new (span->directory);
  g_autoptr (GArray) hits =
      stint_searcher_run (searcher, span->query, STINT_SORT_NEWEST, STINT_GROUP_NONE, NULL, NULL,
                          cancellable, error);
  GHashTable *found;

  if (hits == NULL)
    return NULL;
  found = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  for (guint i = 0; i < hits->len; i++)
    g_hash_table_add (found, g_memdup2 (&g_array_index (hits, guint64, i), sizeof (guint64)));
  return found;
}

static GPtrArray *
read_rows (StintDatabase *database, sqlite3_stmt *statement, GHashTable *wanted, GError **error)
{
  g_autoptr (GPtrArray) entries =
      g_ptr_array_new_with_free_func ((GDestroyNotify) stint_entry_free);
  int rc = SQLITE_DONE;

  while (entries->len < STINT_SPAN_JOBS && (rc = sqlite3_step (statement)) == SQLITE_ROW)
    {
      gint64 id = sqlite3_column_int64 (statement, 0);

      if (wanted == NULL || g_hash_table_contains (wanted, &id))
        g_ptr_array_add (entries, stint_entry_read (statement));
    }
  if (entries->len == STINT_SPAN_JOBS || rc == SQLITE_DONE)
    return g_steal_pointer (&entries);
  if (rc == SQLITE_INTERRUPT)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, g_strerror (ECANCELED));
  else
    stint_database_set_sqlite_error (database, rc, error);
  return NULL;
}

static GPtrArray *
read_span (StintDatabase *database,
           const Span *span,
           GHashTable *wanted,
           GCancellable *cancellable,
           GError **error)
{
  g_autofree char *columns =
      g_strdup_printf (STINT_ENTRY_COLUMNS_AS ("substr (command, 1, %d)"), STINT_SPAN_COMMAND_CHARS);
  g_autofree char *sql = g_strconcat ("SELECT ", columns, SELECT_SPAN, NULL);
  sqlite3 *db = stint_database_get_handle (database);
  sqlite3_stmt *statement = NULL;
  GPtrArray *entries = NULL;
  int rc = sqlite3_prepare_v2 (db, sql, -1, &statement, NULL);

  if (rc != SQLITE_OK)
    {
      stint_database_set_sqlite_error (database, rc, error);
      return NULL;
    }
  sqlite3_bind_int64 (statement, 1, span->from);
  sqlite3_bind_int64 (statement, 2, span->to);
  sqlite3_progress_handler (db, PROGRESS_STEPS, on_progress, cancellable);
  entries = read_rows (database, statement, wanted, error);
  sqlite3_progress_handler (db, 0, NULL, NULL);
  sqlite3_finalize (statement);
  return entries;
}

static void
read_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Span *span = data;
  g_autoptr (StintDatabase) database = stint_database_new (span->directory);
  g_autoptr (GHashTable) wanted = NULL;
  GPtrArray *entries = NULL;
  GError *error = NULL;

  if (span->query != NULL)
    wanted = search (span, cancellable, &error);
  if (error == NULL && stint_database_open (database, &error))
    entries = read_span (database, span, wanted, cancellable, &error);
  if (entries != NULL)
    g_task_return_pointer (task, entries, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

/* The thread may keep its task a moment longer than the answer takes: that task holds no history. */
static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GError *error = NULL;
  GPtrArray *entries = g_task_propagate_pointer (G_TASK (result), &error);

  if (entries != NULL)
    g_task_return_pointer (task, entries, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

void
stint_history_read_span_async (StintHistory *self,
                               StintHistoryQuery *query,
                               gint64 from,
                               gint64 to,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) in_thread = NULL;
  GTask *task;
  Span *span;

  g_return_if_fail (STINT_IS_HISTORY (self));

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, stint_history_read_span_async);
  in_thread = g_task_new (NULL, cancellable, on_read, task);
  span = g_new0 (Span, 1);
  span->directory = g_strdup (stint_history_get_directory (self));
  span->query = query != NULL ? stint_history_query_ref (query) : NULL;
  span->from = from;
  span->to = to;
  g_task_set_source_tag (in_thread, stint_history_read_span_async);
  g_task_set_task_data (in_thread, span, span_free);
  g_task_run_in_thread (in_thread, read_in_thread);
}

GPtrArray *
stint_history_read_span_finish (StintHistory *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}
