/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What ran between two points in time. Read by a thread that nobody waits for.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-history-span.h"

#include "stint-error.h"
#include "stint-searcher-private.h"

#include <errno.h>

/* Virtual machine instructions of SQLite between two looks at the cancellable. */
#define PROGRESS_STEPS 10000

#define STARTED "coalesce (started_at, created_at)"

/* Jobs that take longer are few, and are found by how long they took. */
#define LONG "3600000000"

/* Four ways in, each by an index: began in the span; began shortly before and ended in it; took long and
 * did; still runs. A cross join, so that these are walked and not what the query finds. */
#define FROM_SPAN                                                                                  \
  " FROM (SELECT id AS span_id FROM jobs WHERE " STARTED " >= ?1 AND " STARTED " < ?2 "            \
  "UNION SELECT id FROM jobs WHERE " STARTED " >= ?1 - " LONG " AND " STARTED " < ?1 "             \
  "AND +duration > ?1 - " STARTED " "                                                              \
  "UNION SELECT id FROM jobs WHERE duration > " LONG " AND +" STARTED " < ?1 "                     \
  "AND duration > ?1 - " STARTED " "                                                               \
  "UNION SELECT id FROM jobs WHERE state = 'running' AND +" STARTED " < ?2) "                      \
  "CROSS JOIN jobs ON jobs.id = span_id WHERE 1"

#define SPAN_ORDER " ORDER BY " STARTED ", jobs.id"

/* The first parameter after those of the span. */
#define QUERY_PARAMETER 3

typedef struct
{
  char *directory;
  StintHistoryQuery *query; /* (nullable) */
  gint64 from, to;
  gboolean lost_index; /* the reader's answer: the index was damaged */
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

static GPtrArray *
read_rows (StintDatabase *database, sqlite3_stmt *statement, GError **error)
{
  g_autoptr (GPtrArray) entries =
      g_ptr_array_new_with_free_func ((GDestroyNotify) stint_entry_free);
  int rc = SQLITE_DONE;

  while (entries->len < STINT_SPAN_JOBS && (rc = sqlite3_step (statement)) == SQLITE_ROW)
    g_ptr_array_add (entries, stint_entry_read (statement));
  if (entries->len == STINT_SPAN_JOBS || rc == SQLITE_DONE)
    return g_steal_pointer (&entries);
  if (rc == SQLITE_INTERRUPT)
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, g_strerror (ECANCELED));
  else
    stint_database_set_sqlite_error (database, rc, error);
  return NULL;
}

/* The query is asked of the jobs of the span only, however many there are besides. */
static GPtrArray *
read_span (StintSearcher *searcher, const Span *span, GCancellable *cancellable, GError **error)
{
  sqlite3 *db = stint_database_get_handle (searcher->database);
  g_autoptr (GString) sql = g_string_new ("SELECT ");
  sqlite3_stmt *statement;
  GPtrArray *entries;

  g_string_append_printf (sql, STINT_ENTRY_COLUMNS_AS ("substr (command, 1, %d)"),
                          STINT_SPAN_COMMAND_CHARS);
  g_string_append (sql, FROM_SPAN);
  if (span->query != NULL)
    stint_searcher_append_query (searcher, sql, span->query, STINT_FILTER_NONE);
  g_string_append (sql, SPAN_ORDER);
  statement = stint_searcher_prepare (searcher, sql->str, error);
  if (statement == NULL)
    return NULL;
  sqlite3_bind_int64 (statement, 1, span->from);
  sqlite3_bind_int64 (statement, 2, span->to);
  if (span->query != NULL)
    stint_searcher_bind_query (searcher, statement, QUERY_PARAMETER, span->query,
                               STINT_FILTER_NONE);
  sqlite3_progress_handler (db, PROGRESS_STEPS, on_progress, cancellable);
  entries = read_rows (searcher->database, statement, error);
  sqlite3_progress_handler (db, 0, NULL, NULL);
  sqlite3_finalize (statement);
  return entries;
}

/* What went wrong may have been the index, or the history itself. */
static GPtrArray *
read_without_index (StintSearcher *searcher,
                    const Span *span,
                    GCancellable *cancellable,
                    GError **error)
{
  GPtrArray *entries;

  searcher->stamp = -1;
  entries = read_span (searcher, span, cancellable, error);
  if (entries != NULL)
    stint_searcher_lose_index (searcher);
  return entries;
}

static GPtrArray *
read_and_search (StintSearcher *searcher,
                 const Span *span,
                 GCancellable *cancellable,
                 GError **error)
{
  g_autoptr (GError) why = NULL;
  GPtrArray *entries;

  if (!stint_database_open (searcher->database, error))
    return NULL;
  if (span->query != NULL)
    stint_searcher_look_at_index (searcher);
  entries = read_span (searcher, span, cancellable, &why);
  if (entries == NULL && searcher->stamp >= 0 &&
      g_error_matches (why, STINT_ERROR, STINT_ERROR_DAMAGED))
    return read_without_index (searcher, span, cancellable, error);
  if (entries == NULL)
    g_propagate_error (error, g_steal_pointer (&why));
  return entries;
}

static void
read_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Span *span = data;
  g_autoptr (StintSearcher) searcher = stint_searcher_new (span->directory);
  GError *error = NULL;
  GPtrArray *entries = read_and_search (searcher, span, cancellable, &error);

  span->lost_index = stint_searcher_take_lost_index (searcher);
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
  const Span *span = g_task_get_task_data (G_TASK (result));
  GError *error = NULL;
  GPtrArray *entries = g_task_propagate_pointer (G_TASK (result), &error);

  if (span->lost_index)
    stint_history_index_again (g_task_get_source_object (task));
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
