/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keeps the search index up to date. The order of things matters: rows are read and the statement
 * reset; transcripts are read with nothing locked; then the index, a file of its own, is written in
 * one short transaction.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-indexer.h"

#include "stint-database.h"
#include "stint-error.h"
#include "stint-job-directories.h"
#include "stint-search-index.h"

#include <glib/gi18n-lib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A batch, whichever is reached first: what is written at once makes one piece of the index, and pieces
 * are merged again and again. */
#define BATCH_JOBS 1024
#define BATCH_BYTES STINT_INDEX_PIECE

/* How often it may find itself no further than before: once for an index that had to be made again, once
 * for one that was another history's. */
#define MAX_SETBACKS 2

/* How many jobs are worth a word about progress. */
#define WORTH_TELLING 128

#define FREE_PATIENCE_USEC (2 * G_USEC_PER_SEC)

typedef struct
{
  char *jobs;
  guint64 limit;
  StintDatabase *database;
  StintSearchIndex *index;
  gint64 stamp;
  GCancellable *cancellable;
  gboolean again; /* it has been made again */
  gint64 reached; /* the stamp at the batch before, -1: none yet */
  guint n_setbacks;
} Update;

/* @parameter: of a statement that has one. */
static gboolean
select_integer (StintDatabase *database,
                const char *sql,
                gint64 parameter,
                gint64 *value,
                GError **error)
{
  sqlite3_stmt *statement = stint_database_prepare (database, sql, error);
  gboolean row;

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, parameter);
  if (!stint_database_step (database, statement, &row, error))
    return FALSE;
  *value = row ? sqlite3_column_int64 (statement, 0) : 0;
  sqlite3_reset (statement);
  return TRUE;
}

static StintSearchDocument *
read_document (sqlite3_stmt *statement)
{
  StintSearchDocument *document = g_new0 (StintSearchDocument, 1);

  document->id = (guint64) sqlite3_column_int64 (statement, 0);
  document->changed = sqlite3_column_int64 (statement, 1);
  document->command = g_strdup ((const char *) sqlite3_column_text (statement, 2));
  document->name = g_strdup ((const char *) sqlite3_column_text (statement, 3));
  document->tags = g_strdup ((const char *) sqlite3_column_text (statement, 4));
  document->directory = g_strdup ((const char *) sqlite3_column_text (statement, 5));
  return document;
}

/* (transfer full): the next jobs that have changed, without their output; NULL with @error set. */
static GPtrArray *
read_batch (Update *self, GError **error)
{
  g_autoptr (GPtrArray) batch =
      g_ptr_array_new_with_free_func ((GDestroyNotify) stint_search_document_free);
  sqlite3_stmt *statement = stint_database_prepare (
      self->database,
      "SELECT id, changed, command, name, tags, directory FROM jobs WHERE changed > ?1 "
      "ORDER BY changed LIMIT ?2",
      error);
  gboolean row;

  if (statement == NULL)
    return NULL;
  sqlite3_bind_int64 (statement, 1, self->stamp);
  sqlite3_bind_int64 (statement, 2, BATCH_JOBS);
  while (stint_database_step (self->database, statement, &row, error))
    {
      if (!row)
        return g_steal_pointer (&batch);
      g_ptr_array_add (batch, read_document (statement));
    }
  return NULL;
}

/* Reads the outputs, and leaves for the next batch what would make this one too large. */
static void
read_outputs (Update *self, GPtrArray *batch)
{
  gsize total = 0;
  guint i;

  for (i = 0; i < batch->len && total < BATCH_BYTES; i++)
    {
      StintSearchDocument *document = g_ptr_array_index (batch, i);
      g_autofree char *directory = stint_job_directories_dup_path (self->jobs, document->id);

      if (g_cancellable_is_cancelled (self->cancellable))
        break;
      document->output = stint_search_index_read_output (directory, self->limit, NULL);
      total += document->output->len;
    }
  g_ptr_array_set_size (batch, (int) i);
}

static gboolean
open_both (Update *self, GError **error)
{
  gint64 identity;

  return stint_database_open (self->database, error) &&
         select_integer (self->database, "SELECT identity FROM changes", 0, &identity, error) &&
         stint_search_index_open (self->index, identity, &self->stamp, self->cancellable, error);
}

/* How many jobs it is behind. Not looked up for each batch: to count a million takes a while. */
static gboolean
count_left (Update *self, gint64 *left, GError **error)
{
  return *left > 0 ||
         select_integer (self->database, "SELECT count (*) FROM jobs WHERE changed > ?1",
                         self->stamp, left, error);
}

/* Damaged while it is written: it is made again, once. */
static gboolean
put (Update *self, GPtrArray *batch, gint64 *left, GError **error)
{
  const StintSearchDocument *last = g_ptr_array_index (batch, batch->len - 1);
  GError *why = NULL;

  if (stint_search_index_put (self->index, batch, self->limit, last->changed, &why))
    return TRUE;
  if (self->again || !g_error_matches (why, STINT_ERROR, STINT_ERROR_DAMAGED))
    {
      g_propagate_error (error, why);
      return FALSE;
    }
  g_error_free (why);
  self->again = TRUE;
  *left = 0;
  return TRUE;
}

/* A damaged history can count jobs that it does not have, for ever. */
static gboolean
gets_on (Update *self, GError **error)
{
  if (self->stamp <= self->reached && ++self->n_setbacks > MAX_SETBACKS)
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_DAMAGED,
                   _ ("The search index cannot be brought up to date: the history is damaged"));
      return FALSE;
    }
  self->reached = self->stamp;
  return TRUE;
}

static gboolean
update (Update *self, StintIndexProgress progress, gpointer user_data, GError **error)
{
  guint64 done = 0;
  gint64 left = 0;

  if (!open_both (self, error))
    return FALSE;
  while (!g_cancellable_set_error_if_cancelled (self->cancellable, error))
    {
      g_autoptr (GPtrArray) batch = NULL;
      g_autoptr (GError) warning = NULL;

      /* Ids of another history would be others. */
      if (!open_both (self, error) || !count_left (self, &left, error))
        return FALSE;
      if (progress != NULL)
        {
          stint_search_index_take_damage (self->index, &warning);
          progress (done, done + (guint64) left, warning, user_data);
        }
      if (left == 0)
        return TRUE;
      if (!gets_on (self, error))
        return FALSE;
      batch = read_batch (self, error);
      if (batch == NULL)
        return FALSE;
      read_outputs (self, batch);
      /* What has changed meanwhile is in no count yet. */
      left = batch->len > 0 ? MAX (left - (gint64) batch->len, 0) : 0;
      if (batch->len == 0)
        continue;
      if (!put (self, batch, &left, error))
        return FALSE;
      done += batch->len;
    }
  return FALSE;
}

gboolean
stint_index_update (const char *directory,
                    guint64 limit,
                    StintIndexProgress progress,
                    gpointer user_data,
                    GCancellable *cancellable,
                    GError **error)
{
  g_autofree char *jobs = g_build_filename (directory, "jobs", NULL);
  g_autoptr (StintDatabase) database = stint_database_new (directory);
  g_autoptr (StintSearchIndex) index = stint_search_index_new (directory);
  Update self = { jobs, limit, database, index, 0, cancellable, FALSE, -1, 0 };

  return update (&self, progress, user_data, error);
}

struct _StintIndexer
{
  gatomicrefcount ref_count; /* the owner's, the thread's, and those of reports */
  char *directory;
  guint64 limit;
  GCancellable *cancellable;

  GMutex mutex;
  GCond cond;
  gboolean wanted;
  gboolean busy;
  gboolean ended;

  GMainContext *context;
  StintIndexerNotify notify; /* cleared when the owner goes; only used in its context */
  gpointer user_data;
};

static StintIndexer *
indexer_ref (StintIndexer *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

static void
indexer_unref (StintIndexer *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_object_unref (self->cancellable);
  g_main_context_unref (self->context);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  g_free (self->directory);
  g_free (self);
}

typedef struct
{
  StintIndexer *indexer;
  guint64 done, total;
  GError *error;
} Report;

static gboolean
report (gpointer data)
{
  Report *self = data;

  if (self->indexer->notify != NULL)
    self->indexer->notify (self->done, self->total, self->error, self->indexer->user_data);
  return G_SOURCE_REMOVE;
}

static void
report_free (gpointer data)
{
  Report *self = data;

  indexer_unref (self->indexer);
  g_clear_error (&self->error);
  g_free (self);
}

static void
send_report (StintIndexer *self, guint64 done, guint64 total, GError *error)
{
  g_autoptr (GSource) source = g_idle_source_new ();
  Report *data = g_new (Report, 1);

  *data = (Report){ indexer_ref (self), done, total, error };
  g_source_set_static_name (source, "stint-indexer");
  g_source_set_callback (source, report, data, report_free);
  g_source_attach (source, self->context);
}

static void
on_progress (guint64 done, guint64 total, const GError *warning, gpointer user_data)
{
  if (warning != NULL)
    send_report (user_data, done, total, g_error_copy (warning));
  /* A single job that has ended is not worth a word before it is in. */
  if (done > 0 || total > WORTH_TELLING)
    send_report (user_data, done, total, NULL);
}

/* Behind everybody else, at the processor and at the disk. A failure only means that it is not. */
static void
give_way (void)
{
  const int idle_class = 3 << 13;

  setpriority (PRIO_PROCESS, (id_t) gettid (), 19);
  syscall (SYS_ioprio_set, 1, 0, idle_class);
}

/* Returns: whether there is something to do; FALSE at the end. */
static gboolean
await_wish (StintIndexer *self)
{
  gboolean wanted;

  g_mutex_lock (&self->mutex);
  self->busy = FALSE;
  g_cond_broadcast (&self->cond);
  while (!self->wanted && !g_cancellable_is_cancelled (self->cancellable))
    g_cond_wait (&self->cond, &self->mutex);
  wanted = !g_cancellable_is_cancelled (self->cancellable);
  self->wanted = FALSE;
  self->busy = wanted;
  g_mutex_unlock (&self->mutex);
  return wanted;
}

static gpointer
run (gpointer data)
{
  StintIndexer *self = data;

  give_way ();
  while (await_wish (self))
    {
      GError *error = NULL;

      if (stint_index_update (self->directory, self->limit, on_progress, self, self->cancellable,
                              &error))
        continue;
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) ||
          g_error_matches (error, G_IO_ERROR, G_IO_ERROR_BUSY))
        g_clear_error (&error);
      else
        send_report (self, 0, 0, g_steal_pointer (&error));
    }

  g_mutex_lock (&self->mutex);
  self->ended = TRUE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
  indexer_unref (self);
  return NULL;
}

StintIndexer *
stint_indexer_new (const char *directory,
                   guint64 limit,
                   StintIndexerNotify notify,
                   gpointer user_data)
{
  StintIndexer *self = g_new0 (StintIndexer, 1);
  GThread *thread;

  g_atomic_ref_count_init (&self->ref_count);
  self->directory = g_strdup (directory);
  self->limit = limit;
  self->cancellable = g_cancellable_new ();
  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
  self->wanted = TRUE;
  self->context = g_main_context_ref_thread_default ();
  self->notify = notify;
  self->user_data = user_data;
  thread = g_thread_try_new ("stint-indexer", run, indexer_ref (self), NULL);
  if (thread != NULL)
    {
      g_thread_unref (thread);
    }
  else
    {
      /* No thread is to be had: jobs are found by their rows alone. */
      self->ended = TRUE;
      indexer_unref (self);
    }
  return self;
}

void
stint_indexer_wake (StintIndexer *self)
{
  g_mutex_lock (&self->mutex);
  self->wanted = TRUE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
}

void
stint_indexer_wait (StintIndexer *self)
{
  g_mutex_lock (&self->mutex);
  while (!self->ended && (self->wanted || self->busy))
    g_cond_wait (&self->cond, &self->mutex);
  g_mutex_unlock (&self->mutex);
}

void
stint_indexer_free (StintIndexer *self)
{
  gint64 deadline = g_get_monotonic_time () + FREE_PATIENCE_USEC;

  self->notify = NULL;
  g_mutex_lock (&self->mutex);
  g_cancellable_cancel (self->cancellable);
  g_cond_broadcast (&self->cond);
  while (!self->ended && g_cond_wait_until (&self->cond, &self->mutex, deadline))
    ;
  g_mutex_unlock (&self->mutex);
  indexer_unref (self);
}
