/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The history as the main context sees it: turns calls into requests to the worker, and what comes
 * back into jobs, places and problems.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include <glib/gi18n-lib.h>

#include "stint-compactor.h"
#include "stint-error.h"
#include "stint-history-private.h"
#include "stint-indexer.h"
#include "stint-job-directories.h"

/* What is not swept up is at the next start. */
#define LONGEST_SWEEP (2 * G_USEC_PER_SEC)

struct _StintHistory
{
  GObject parent_instance;

  char *directory;
  StintHistoryWorker *worker; /* NULL: closed */
  StintCompactor *compactor;  /* NULL: nobody asked for it */
  StintSweeping *sweeping;
  StintIndexer *indexer;      /* NULL: nobody asked for it */
  guint n_ending;
  GPtrArray *left; /* of StintRecord: to be taken over */
  GArray *recovered; /* (nullable): of guint64, until it is taken */
};

static void stint_history_store_init (StintJobStoreInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (StintHistory,
                               stint_history,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (STINT_TYPE_JOB_STORE,
                                                      stint_history_store_init))

enum
{
  PROP_0,
  PROP_DIRECTORY,
  N_PROPS
};

enum
{
  SIGNAL_PROBLEM,
  SIGNAL_CHANGED,
  SIGNAL_INDEX_PROGRESS,
  SIGNAL_PRUNED,
  N_SIGNALS
};

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

/* What goes to the worker and comes back. Of the results, the ones that the request is for. */
typedef struct
{
  GTask *task;
  StintRow *row;
  char *directory; /* of a job that has finished */
  guint limit;

  guint64 id;
  gboolean detached;
  char *added;

  StintJobPlace *place;
  GPtrArray *records;
  GArray *recovered; /* of guint64 */
  int n_recovered;
  guint n_ending;
  GError *error;
} Request;

static void
request_free (Request *self)
{
  g_clear_object (&self->task);
  g_clear_pointer (&self->row, stint_row_free);
  g_free (self->directory);
  g_free (self->added);
  g_clear_pointer (&self->place, stint_job_place_free);
  g_clear_pointer (&self->records, g_ptr_array_unref);
  g_clear_pointer (&self->recovered, g_array_unref);
  g_clear_error (&self->error);
  g_free (self);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Request, request_free)

static Request *
request_new (StintHistory *self, gpointer tag, GAsyncReadyCallback callback, gpointer user_data)
{
  Request *request = g_new0 (Request, 1);

  request->task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (request->task, tag);
  return request;
}

static void
push (StintHistory *self, Request *request, StintWorkFunc work, StintDoneFunc done)
{
  if (self->worker == NULL)
    {
      g_task_return_new_error (request->task, STINT_ERROR, STINT_ERROR_SHUTTING_DOWN, "%s",
                               _ ("The history is closed"));
      request_free (request);
      return;
    }
  stint_history_worker_push (self->worker, g_task_get_context (request->task), work, done, request);
}

StintSweeping *
stint_history_get_sweeping (StintHistory *self)
{
  return self->sweeping;
}

StintHistoryWorker *
stint_history_get_worker (StintHistory *self)
{
  return self->worker;
}

void
stint_history_emit_problems (StintHistory *self, GPtrArray *problems)
{
  for (guint i = 0; problems != NULL && i < problems->len; i++)
    g_signal_emit (self, signals[SIGNAL_PROBLEM], 0, g_ptr_array_index (problems, i));
}

void
stint_history_note_change (StintHistory *self)
{
  if (self->indexer != NULL)
    stint_indexer_wake (self->indexer);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

void
stint_history_emit_pruned (StintHistory *self, guint n_jobs, guint64 bytes)
{
  g_signal_emit (self, signals[SIGNAL_PRUNED], 0, n_jobs, bytes);
}

static void
emit_problems (Request *request, GPtrArray *problems)
{
  stint_history_emit_problems (g_task_get_source_object (request->task), problems);
}

static void
begin_work (StintArchive *archive, gpointer data)
{
  Request *request = data;

  request->place = stint_archive_begin (archive, request->row, &request->error);
}

static void
begin_done (GPtrArray *problems, gpointer data)
{
  g_autoptr (Request) request = data;

  emit_problems (request, problems);
  stint_history_note_change (g_task_get_source_object (request->task));
  if (request->error != NULL)
    g_task_return_error (request->task, g_steal_pointer (&request->error));
  else
    g_task_return_pointer (request->task, g_steal_pointer (&request->place),
                           (GDestroyNotify) stint_job_place_free);
}

static void
stint_history_begin_async (StintJobStore *store,
                           StintJob *job,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  StintHistory *self = STINT_HISTORY (store);
  Request *request = request_new (self, stint_history_begin_async, callback, user_data);

  request->row = stint_row_new_for (job);
  push (self, request, begin_work, begin_done);
}

static StintJobPlace *
stint_history_begin_finish (StintJobStore *store, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, store), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
finish_work (StintArchive *archive, gpointer data)
{
  Request *request = data;

  stint_archive_finish (archive, g_steal_pointer (&request->row), &request->error);
}

static void
finish_done (GPtrArray *problems, gpointer data)
{
  g_autoptr (Request) request = data;
  StintHistory *self = g_task_get_source_object (request->task);

  if (self->compactor != NULL && request->directory != NULL)
    stint_compactor_add (self->compactor, request->directory);
  emit_problems (request, problems);
  stint_history_note_change (self);
  if (request->error != NULL)
    g_task_return_error (request->task, g_steal_pointer (&request->error));
  else
    g_task_return_boolean (request->task, TRUE);
}

static void
stint_history_finish_async (StintJobStore *store,
                            StintJob *job,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  StintHistory *self = STINT_HISTORY (store);
  Request *request = request_new (self, stint_history_finish_async, callback, user_data);

  request->row = stint_row_new_finished (job);
  request->directory = g_strdup (stint_job_get_directory (job));
  push (self, request, finish_work, finish_done);
}

static gboolean
stint_history_finish_finish (StintJobStore *store, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, store), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
note_work (StintArchive *archive, gpointer data)
{
  Request *request = data;

  stint_archive_note (archive, request->id, request->detached, request->added, &request->error);
}

static void
note_done (GPtrArray *problems, gpointer data)
{
  g_autoptr (Request) request = data;

  emit_problems (request, problems);
  if (request->error != NULL)
    g_task_return_error (request->task, g_steal_pointer (&request->error));
  else
    g_task_return_boolean (request->task, TRUE);
}

static void
stint_history_note_async (StintJobStore *store,
                          StintJob *job,
                          gboolean detached,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  StintHistory *self = STINT_HISTORY (store);
  Request *request = request_new (self, stint_history_note_async, callback, user_data);

  request->id = stint_job_get_id (job);
  request->detached = detached;
  request->added = stint_job_dup_added (job);
  push (self, request, note_work, note_done);
}

static GPtrArray *
new_left_jobs (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) stint_left_job_free);
}

static GArray *
new_ids (void)
{
  return g_array_new (FALSE, FALSE, sizeof (guint64));
}

static void
recover_work (StintArchive *archive, gpointer data)
{
  Request *request = data;

  request->records = new_left_jobs ();
  request->recovered = new_ids ();
  request->n_recovered = stint_archive_recover (archive, TRUE, request->records, request->recovered,
                                                &request->n_ending, &request->error);
}

static void
recover_done (GPtrArray *problems, gpointer data)
{
  g_autoptr (Request) request = data;
  StintHistory *self = g_task_get_source_object (request->task);

  self->n_ending = request->n_ending;
  g_clear_pointer (&self->left, g_ptr_array_unref);
  self->left = g_steal_pointer (&request->records);
  emit_problems (request, problems);
  if (request->n_recovered > 0)
    {
      /* Another recovery may end before who asked for the first one has been called. */
      if (self->recovered == NULL)
        self->recovered = new_ids ();
      g_array_append_vals (self->recovered, request->recovered->data, request->recovered->len);
      stint_history_note_change (self);
    }
  if (request->error != NULL)
    g_task_return_error (request->task, g_steal_pointer (&request->error));
  else
    g_task_return_int (request->task, request->n_recovered);
}

static void
load_work (StintArchive *archive, gpointer data)
{
  Request *request = data;

  request->records = stint_archive_load (archive, request->limit, &request->error);
}

/* Jobs are made here, since they belong to this context; specs and results are only data. */
static GPtrArray *
make_jobs (GPtrArray *records)
{
  GPtrArray *jobs = g_ptr_array_new_full (records->len, g_object_unref);

  for (guint i = 0; i < records->len; i++)
    {
      g_ptr_array_add (jobs, stint_record_new_job (g_ptr_array_index (records, i)));
    }
  return jobs;
}

static void
load_done (GPtrArray *problems, gpointer data)
{
  g_autoptr (Request) request = data;

  emit_problems (request, problems);
  if (request->error != NULL)
    g_task_return_error (request->task, g_steal_pointer (&request->error));
  else
    g_task_return_pointer (request->task, make_jobs (request->records),
                           (GDestroyNotify) g_ptr_array_unref);
}

static void
stint_history_constructed (GObject *object)
{
  StintHistory *self = STINT_HISTORY (object);

  G_OBJECT_CLASS (stint_history_parent_class)->constructed (object);

  if (self->directory == NULL)
    self->directory = stint_job_directories_dup_state ();
  self->worker = stint_history_worker_new (self->directory);
  self->sweeping = stint_sweeping_new (self->directory);
}

/* By then no request is left: each holds a reference. */
static void
stint_history_finalize (GObject *object)
{
  StintHistory *self = STINT_HISTORY (object);

  stint_history_close (self);
  g_clear_pointer (&self->recovered, g_array_unref);
  g_clear_pointer (&self->left, g_ptr_array_unref);
  stint_sweeping_unref (self->sweeping);
  g_free (self->directory);

  G_OBJECT_CLASS (stint_history_parent_class)->finalize (object);
}

static void
stint_history_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  StintHistory *self = STINT_HISTORY (object);

  switch (prop_id)
    {
    case PROP_DIRECTORY:
      g_value_set_string (value, self->directory);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
stint_history_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  StintHistory *self = STINT_HISTORY (object);
  const char *directory;

  switch (prop_id)
    {
    case PROP_DIRECTORY:
      directory = g_value_get_string (value);
      self->directory = directory != NULL ? g_canonicalize_filename (directory, NULL) : NULL;
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
stint_history_class_init (StintHistoryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->constructed = stint_history_constructed;
  object_class->finalize = stint_history_finalize;
  object_class->get_property = stint_history_get_property;
  object_class->set_property = stint_history_set_property;

  properties[PROP_DIRECTORY] =
      g_param_spec_string ("directory", NULL, NULL, NULL,
                           G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[SIGNAL_PROBLEM] = g_signal_new ("problem", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                          0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                          0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_PRUNED] = g_signal_new ("pruned", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_UINT,
                                         G_TYPE_UINT64);
  signals[SIGNAL_INDEX_PROGRESS] =
      g_signal_new ("index-progress", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 2, G_TYPE_UINT64, G_TYPE_UINT64);
}

static void
stint_history_store_init (StintJobStoreInterface *iface)
{
  iface->begin_async = stint_history_begin_async;
  iface->begin_finish = stint_history_begin_finish;
  iface->note_async = stint_history_note_async;
  iface->note_finish = stint_history_finish_finish;
  iface->finish_async = stint_history_finish_async;
  iface->finish_finish = stint_history_finish_finish;
}

static void
stint_history_init (StintHistory *self)
{
}

StintHistory *
stint_history_new (const char *directory)
{
  return g_object_new (STINT_TYPE_HISTORY, "directory", directory, NULL);
}

const char *
stint_history_get_directory (StintHistory *self)
{
  g_return_val_if_fail (STINT_IS_HISTORY (self), NULL);

  return self->directory;
}

void
stint_history_recover_async (StintHistory *self, GAsyncReadyCallback callback, gpointer user_data)
{
  g_return_if_fail (STINT_IS_HISTORY (self));

  push (self, request_new (self, stint_history_recover_async, callback, user_data), recover_work,
        recover_done);
}

int
stint_history_recover_finish (StintHistory *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), -1);

  return (int) g_task_propagate_int (G_TASK (result), error);
}

GPtrArray *
stint_history_take_left (StintHistory *self)
{
  g_return_val_if_fail (STINT_IS_HISTORY (self), NULL);

  if (self->left == NULL)
    return new_left_jobs ();
  return g_steal_pointer (&self->left);
}

GArray *
stint_history_take_recovered (StintHistory *self)
{
  g_return_val_if_fail (STINT_IS_HISTORY (self), NULL);

  if (self->recovered == NULL)
    return new_ids ();
  return g_steal_pointer (&self->recovered);
}

static void
elsewhere_work (StintArchive *archive, gpointer data)
{
  Request *request = data;

  request->records = new_left_jobs ();
  stint_archive_list_elsewhere (archive, request->records, &request->error);
}

static void
elsewhere_done (GPtrArray *problems, gpointer data)
{
  g_autoptr (Request) request = data;

  emit_problems (request, problems);
  if (request->error != NULL)
    g_task_return_error (request->task, g_steal_pointer (&request->error));
  else
    g_task_return_pointer (request->task, g_steal_pointer (&request->records),
                           (GDestroyNotify) g_ptr_array_unref);
}

void
stint_history_list_elsewhere_async (StintHistory *self,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  g_return_if_fail (STINT_IS_HISTORY (self));

  push (self, request_new (self, stint_history_list_elsewhere_async, callback, user_data),
        elsewhere_work, elsewhere_done);
}

GPtrArray *
stint_history_list_elsewhere_finish (StintHistory *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

guint
stint_history_get_n_ending (StintHistory *self)
{
  g_return_val_if_fail (STINT_IS_HISTORY (self), 0);

  return self->n_ending;
}

void
stint_history_load_async (StintHistory *self,
                          guint limit,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  Request *request;

  g_return_if_fail (STINT_IS_HISTORY (self));

  request = request_new (self, stint_history_load_async, callback, user_data);
  request->limit = limit;
  push (self, request, load_work, load_done);
}

GPtrArray *
stint_history_load_finish (StintHistory *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
handle_compactor_problem (const GError *error, gpointer user_data)
{
  g_signal_emit (user_data, signals[SIGNAL_PROBLEM], 0, error);
}

void
stint_history_compress (StintHistory *self)
{
  g_autofree char *jobs = NULL;

  g_return_if_fail (STINT_IS_HISTORY (self));

  if (self->compactor != NULL || self->worker == NULL)
    return;
  jobs = g_build_filename (self->directory, "jobs", NULL);
  self->compactor = stint_compactor_new (jobs, handle_compactor_problem, self);
}

static void
handle_indexer (guint64 n_done, guint64 total, const GError *error, gpointer user_data)
{
  StintHistory *self = user_data;

  if (error != NULL)
    g_signal_emit (self, signals[SIGNAL_PROBLEM], 0, error);
  else
    g_signal_emit (self, signals[SIGNAL_INDEX_PROGRESS], 0, n_done, total);
}

void
stint_history_index (StintHistory *self, guint64 limit)
{
  g_return_if_fail (STINT_IS_HISTORY (self));

  if (self->indexer != NULL || self->worker == NULL)
    return;
  stint_history_sweep (self);
  self->indexer = stint_indexer_new (self->directory, limit, handle_indexer, self);
}

void
stint_history_index_again (StintHistory *self)
{
  g_return_if_fail (STINT_IS_HISTORY (self));

  if (self->indexer != NULL)
    stint_indexer_wake (self->indexer);
}

gboolean
stint_history_close (StintHistory *self)
{
  g_return_val_if_fail (STINT_IS_HISTORY (self), FALSE);

  g_clear_pointer (&self->compactor, stint_compactor_free);
  g_clear_pointer (&self->indexer, stint_indexer_free);
  stint_sweeping_wait (self->sweeping, LONGEST_SWEEP);
  return self->worker == NULL || stint_history_worker_free (g_steal_pointer (&self->worker));
}
