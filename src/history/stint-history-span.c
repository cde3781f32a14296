/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What ran between two points in time. Read by a thread that nobody waits for.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-history-span.h"

#include "stint-searcher-private.h"

#define STARTED STINT_SEARCHER_STARTED

/* A job that began earlier and has ended in the span can only be found by looking at all that began
 * before, so there is an end to it. */
#define LOOK_BACK (31 * G_TIME_SPAN_DAY)

/* Three ways in, each by an index: began in the span, began before and ended in it, still runs. */
#define IDS                                                                                        \
  "SELECT id FROM jobs WHERE " STARTED " >= ?1 AND " STARTED " < ?2 "                              \
  "UNION SELECT id FROM jobs WHERE " STARTED " >= ?3 AND " STARTED " < ?1 "                        \
  "AND duration > ?1 - " STARTED " "                                                               \
  "UNION SELECT id FROM jobs WHERE state = 'running' AND " STARTED " < ?2"

/* How many parameters that has. */
#define N_IDS 3

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

static GPtrArray *
read_rows (StintSearcher *searcher, sqlite3_stmt *statement, GError **error)
{
  g_autoptr (GPtrArray) entries =
      g_ptr_array_new_with_free_func ((GDestroyNotify) stint_entry_free);
  int rc;

  while ((rc = sqlite3_step (statement)) == SQLITE_ROW)
    g_ptr_array_add (entries, stint_entry_read (statement));
  return stint_searcher_is_done (searcher, rc, error) ? g_steal_pointer (&entries) : NULL;
}

static GPtrArray *
read_span (StintSearcher *searcher, const Span *span, GError **error)
{
  g_autoptr (GString) sql = g_string_new ("SELECT ");
  GPtrArray *entries = NULL;
  sqlite3_stmt *statement;

  g_string_append_printf (sql, STINT_ENTRY_COLUMNS_AS ("substr (command, 1, %d)"),
                          STINT_SPAN_COMMAND_CHARS);
  g_string_append (sql, " FROM jobs WHERE jobs.id IN (" IDS ")");
  if (span->query != NULL)
    stint_searcher_append_words (searcher, sql, span->query);
  g_string_append_printf (sql, " ORDER BY " STARTED ", jobs.id LIMIT %d", STINT_SPAN_JOBS);
  statement = stint_searcher_prepare (searcher, sql->str, error);
  if (statement == NULL)
    return NULL;
  sqlite3_bind_int64 (statement, 1, span->from);
  sqlite3_bind_int64 (statement, 2, span->to);
  sqlite3_bind_int64 (statement, 3, span->from - LOOK_BACK);
  if (span->query != NULL)
    stint_searcher_bind_words (searcher, statement, span->query, N_IDS + 1);
  entries = read_rows (searcher, statement, error);
  sqlite3_finalize (statement);
  return entries;
}

static void
read_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Span *span = data;
  g_autoptr (StintSearcher) searcher = stint_searcher_new (span->directory);
  GPtrArray *entries = NULL;
  GError *error = NULL;

  if (stint_searcher_begin (searcher, cancellable, &error))
    {
      entries = read_span (searcher, span, &error);
      stint_searcher_end (searcher);
    }
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
