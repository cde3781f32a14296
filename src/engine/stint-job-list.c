/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All jobs, newest first; the one way in; and what follows them. Which of them start when is
 * stint-job-queue.c's.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-job-list.h"

#include "stint-error.h"
#include "stint-job-private.h"
#include "stint-job-queue.h"
#include "stint-sequence.h"

#include <glib/gi18n-lib.h>

struct _StintJobList
{
  GObject parent_instance;

  StintJobStore *store;
  GPtrArray *jobs; /* of StintJob, newest first */
  StintJobQueue *queue;
  GHashTable *continuations; /* of StintJob (unowned), unfinished -> GPtrArray of StintContinuation */
  guint n_unfinished;
  guint n_saving;
  GCancellable *cancellable; /* cancelled: closed */
};

enum
{
  PROP_0,
  PROP_STORE,
  PROP_MAX_RUNNING,
  PROP_N_ACTIVE,
  N_PROPS,
};

enum
{
  SIGNAL_PROBLEM,
  SIGNAL_CONTINUATION_FAILED,
  N_SIGNALS,
};

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

static void list_model_iface_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (StintJobList,
                               stint_job_list,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_iface_init))

/* What waits for it holds a place already: it would wait for ever for another. */
static gboolean
is_part (StintJob *job)
{
  return stint_job_spec_get_parent (stint_job_get_spec (job)) != 0;
}

static gboolean
is_closed (StintJobList *self)
{
  return g_cancellable_is_cancelled (self->cancellable);
}

static void
run_continuation (StintJobList *self, StintJob *job, StintContinuation *continuation)
{
  g_autoptr (GError) error = NULL;

  /* Whatever is ready at the same moment: the shutdown comes first. */
  if (is_closed (self))
    return;
  g_debug ("job %" G_GUINT64_FORMAT " has ended: %s", stint_job_get_id (job),
           stint_continuation_get_name (continuation));
  if (stint_continuation_run (continuation, self, job, &error) ||
      g_error_matches (error, STINT_ERROR, STINT_ERROR_SHUTTING_DOWN))
    return;
  g_debug ("%s failed: %s", stint_continuation_get_name (continuation), error->message);
  g_signal_emit (self, signals[SIGNAL_CONTINUATION_FAILED], 0, job, continuation, error);
}

static void
run_continuations (StintJobList *self, StintJob *job)
{
  g_autoptr (GPtrArray) continuations = NULL;

  if (!g_hash_table_steal_extended (self->continuations, job, NULL, (gpointer *) &continuations))
    return;
  /* Nobody ended it: somebody is to be told that nothing followed it. */
  if (is_closed (self) && stint_job_get_detached (job))
    stint_job_leave_end (job);
  for (guint i = 0; i < continuations->len; i++)
    run_continuation (self, job, continuations->pdata[i]);
}

static void
set_n_unfinished (StintJobList *self, guint n)
{
  self->n_unfinished = n;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_N_ACTIVE]);
}

/* What was let go is nobody's to wait for. */
static void
handle_detached (StintJob *job, GParamSpec *pspec, StintJobList *self)
{
  set_n_unfinished (self, stint_job_get_detached (job) ? self->n_unfinished - 1
                                                       : self->n_unfinished + 1);
}

static void
handle_state (StintJob *job, GParamSpec *pspec, StintJobList *self)
{
  if (stint_job_get_state (job) != STINT_JOB_FINISHED)
    return;

  g_signal_handlers_disconnect_by_func (job, handle_state, self);
  g_signal_handlers_disconnect_by_func (job, handle_detached, self);
  /* A part of another job has had no place among those that run. */
  if (!is_part (job))
    stint_job_queue_remove (self->queue, job);
  /* What they start counts before this one ceases to: the list is not done in between. */
  run_continuations (self, job);
  self->n_saving++;
  set_n_unfinished (self, self->n_unfinished - (stint_job_get_detached (job) ? 0 : 1));
}

static void
handle_run (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (StintJobList) self = data;
  g_autoptr (StintResult) ended = NULL;
  g_autoptr (GError) error = NULL;

  self->n_saving--;
  ended = stint_job_run_finish (STINT_JOB (source), result, &error);
  if (error != NULL)
    g_signal_emit (self, signals[SIGNAL_PROBLEM], 0, source, error);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_N_ACTIVE]);
}

static void
watch (StintJobList *self, StintJob *job)
{
  g_signal_connect_object (job, "notify::state", G_CALLBACK (handle_state), self, 0);
  g_signal_connect_object (job, "notify::detached", G_CALLBACK (handle_detached), self, 0);
  g_ptr_array_insert (self->jobs, 0, g_object_ref (job));
}

static StintJob *
submit (StintJobList *self,
        StintJobSpec *spec,
        const StintStdio *stdio,
        guint64 follows,
        guint attempt,
        GError **error)
{
  StintJob *job;

  if (is_closed (self))
    {
      g_set_error_literal (error, STINT_ERROR, STINT_ERROR_SHUTTING_DOWN,
                           _ ("Stint is shutting down and starts nothing new"));
      return NULL;
    }
  if (!stint_job_spec_check (spec, error))
    return NULL;

  job = stint_job_new (spec, stdio);
  stint_job_set_origin (job, follows, attempt);
  watch (self, job);
  self->n_unfinished++;
  if (!is_part (job))
    {
      stint_job_hold (job);
      stint_job_queue_add (self->queue, job);
    }
  stint_sequence_attach (self, job);
  g_list_model_items_changed (G_LIST_MODEL (self), 0, 0, 1);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_N_ACTIVE]);
  stint_job_run_async (job, self->store, NULL, handle_run, g_object_ref (self));
  return job;
}

static void
handle_adopted (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  StintJobList *self = g_task_get_source_object (task);
  const StintLeftJob *left = g_task_get_task_data (task);
  g_autoptr (StintKeeperHandover) handover = NULL;
  g_autoptr (StintJob) job = NULL;
  GError *error = NULL;

  handover = stint_keeper_adopt_finish (result, &error);
  if (handover != NULL && is_closed (self))
    g_set_error_literal (&error, STINT_ERROR, STINT_ERROR_SHUTTING_DOWN,
                         _ ("Stint is shutting down and starts nothing new"));
  else if (handover != NULL)
    job = stint_job_new_adopted (left, handover, &error);
  if (job == NULL)
    {
      g_task_return_error (task, error);
      return;
    }

  watch (self, job);
  if (!is_part (job))
    stint_job_queue_add_running (self->queue);
  /* Who let it go no longer sees to what follows it. */
  stint_sequence_attach (self, job);
  stint_sequence_attach_added (self, job, left->added);
  g_list_model_items_changed (G_LIST_MODEL (self), 0, 0, 1);
  stint_job_run_adopted_async (job, self->store, handle_run, g_object_ref (self));
  g_task_return_pointer (task, g_steal_pointer (&job), g_object_unref);
}

void
stint_job_list_adopt_async (StintJobList *self,
                            const StintLeftJob *left,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  GTask *task;

  g_return_if_fail (STINT_IS_JOB_LIST (self) && left != NULL && left->directory != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, stint_job_list_adopt_async);
  g_task_set_task_data (task, stint_left_job_copy (left), (GDestroyNotify) stint_left_job_free);
  stint_keeper_adopt_async (left->directory, KEEPER_FILE_CONTROL, handle_adopted, task);
}

StintJob *
stint_job_list_adopt_finish (StintJobList *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

StintJob *
stint_job_list_submit (StintJobList *self,
                       StintJobSpec *spec,
                       const StintStdio *stdio,
                       GError **error)
{
  g_return_val_if_fail (STINT_IS_JOB_LIST (self) && STINT_IS_JOB_SPEC (spec), NULL);

  return submit (self, spec, stdio, 0, 1, error);
}

StintJob *
stint_job_list_submit_after (StintJobList *self,
                             StintJob *job,
                             StintJobSpec *spec,
                             guint attempt,
                             GError **error)
{
  g_return_val_if_fail (STINT_IS_JOB_LIST (self) && STINT_IS_JOB_SPEC (spec), NULL);
  g_return_val_if_fail (STINT_IS_JOB (job) && attempt > 0, NULL);

  return submit (self, spec, NULL, stint_job_get_id (job), attempt, error);
}

static guint
find_continuation (GPtrArray *continuations, const char *name)
{
  guint i = 0;

  while (i < continuations->len &&
         g_strcmp0 (stint_continuation_get_name (continuations->pdata[i]), name) != 0)
    i++;
  return i;
}

void
stint_job_list_add_continuation (StintJobList *self,
                                 StintJob *job,
                                 StintContinuation *continuation)
{
  GPtrArray *continuations;
  guint i;

  g_return_if_fail (STINT_IS_JOB_LIST (self) && STINT_IS_JOB (job));
  g_return_if_fail (STINT_IS_CONTINUATION (continuation));

  if (stint_job_get_state (job) == STINT_JOB_FINISHED)
    {
      run_continuation (self, job, continuation);
      return;
    }
  continuations = g_hash_table_lookup (self->continuations, job);
  if (continuations == NULL)
    {
      continuations = g_ptr_array_new_with_free_func (g_object_unref);
      g_hash_table_insert (self->continuations, job, continuations);
    }
  i = find_continuation (continuations, stint_continuation_get_name (continuation));
  if (i < continuations->len)
    g_object_unref (g_steal_pointer (&continuations->pdata[i]));
  else
    g_ptr_array_set_size (continuations, (int) i + 1);
  continuations->pdata[i] = g_object_ref (continuation);
}

gboolean
stint_job_list_remove_continuation (StintJobList *self, StintJob *job, const char *name)
{
  GPtrArray *continuations;
  guint i;

  g_return_val_if_fail (STINT_IS_JOB_LIST (self) && name != NULL, FALSE);

  continuations = g_hash_table_lookup (self->continuations, job);
  if (continuations == NULL)
    return FALSE;
  i = find_continuation (continuations, name);
  if (i == continuations->len)
    return FALSE;
  g_ptr_array_remove_index (continuations, i);
  return TRUE;
}

GPtrArray *
stint_job_list_dup_continuations (StintJobList *self, StintJob *job)
{
  GPtrArray *copy = g_ptr_array_new_with_free_func (g_object_unref);
  GPtrArray *continuations;

  g_return_val_if_fail (STINT_IS_JOB_LIST (self), copy);

  continuations = g_hash_table_lookup (self->continuations, job);
  for (guint i = 0; continuations != NULL && i < continuations->len; i++)
    g_ptr_array_add (copy, g_object_ref (continuations->pdata[i]));
  return copy;
}

GPtrArray *
stint_job_list_dup_followers (StintJobList *self, StintJob *job)
{
  GPtrArray *followers = g_ptr_array_new_with_free_func (g_object_unref);
  guint64 id;

  g_return_val_if_fail (STINT_IS_JOB_LIST (self) && STINT_IS_JOB (job), followers);

  id = stint_job_get_id (job);
  for (guint i = self->jobs->len; id != 0 && i > 0; i--)
    if (stint_job_get_follows (self->jobs->pdata[i - 1]) == id)
      g_ptr_array_add (followers, g_object_ref (self->jobs->pdata[i - 1]));
  return followers;
}

static void
handle_state_elsewhere (StintJob *job, GParamSpec *pspec, StintJobList *self)
{
  if (stint_job_get_state (job) != STINT_JOB_FINISHED)
    return;
  g_signal_handlers_disconnect_by_func (job, handle_state_elsewhere, self);
  run_continuations (self, job);
}

/* It ends by itself, and nobody here waits for that; but what is to follow it does. */
static void
handle_watched (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  StintJobList *self = g_task_get_source_object (task);
  const StintLeftJob *left = g_task_get_task_data (task);
  g_autoptr (StintKeeperHandover) handover = NULL;
  g_autoptr (StintJob) job = NULL;
  GError *error = NULL;

  handover = stint_keeper_adopt_finish (result, &error);
  if (handover != NULL)
    job = stint_job_new_elsewhere (left, handover, &error);
  if (job == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  g_signal_connect_object (job, "notify::state", G_CALLBACK (handle_state_elsewhere), self, 0);
  g_ptr_array_insert (self->jobs, 0, g_object_ref (job));
  g_list_model_items_changed (G_LIST_MODEL (self), 0, 0, 1);
  g_task_return_pointer (task, g_steal_pointer (&job), g_object_unref);
}

void
stint_job_list_watch_async (StintJobList *self,
                            const StintLeftJob *left,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  GTask *task;

  g_return_if_fail (STINT_IS_JOB_LIST (self) && left != NULL && left->directory != NULL);

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, stint_job_list_watch_async);
  g_task_set_task_data (task, stint_left_job_copy (left), (GDestroyNotify) stint_left_job_free);
  stint_keeper_adopt_async (left->directory, STINT_JOB_SHARE_FILE, handle_watched, task);
}

StintJob *
stint_job_list_watch_finish (StintJobList *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

void
stint_job_list_append_finished (StintJobList *self, StintJob *job)
{
  g_return_if_fail (STINT_IS_JOB_LIST (self));
  g_return_if_fail (stint_job_get_state (job) == STINT_JOB_FINISHED);

  g_ptr_array_add (self->jobs, g_object_ref (job));
  g_list_model_items_changed (G_LIST_MODEL (self), self->jobs->len - 1, 0, 1);
}

void
stint_job_list_remove (StintJobList *self, StintJob *job)
{
  guint position;

  g_return_if_fail (STINT_IS_JOB_LIST (self));
  g_return_if_fail (stint_job_get_state (job) == STINT_JOB_FINISHED);

  if (!g_ptr_array_find (self->jobs, job, &position))
    return;
  g_ptr_array_remove_index (self->jobs, position);
  g_list_model_items_changed (G_LIST_MODEL (self), position, 1, 0);
}

StintJob *
stint_job_list_lookup (StintJobList *self, guint64 id)
{
  g_return_val_if_fail (STINT_IS_JOB_LIST (self), NULL);

  for (guint i = 0; i < self->jobs->len; i++)
    if (stint_job_get_id (self->jobs->pdata[i]) == id)
      return g_object_ref (self->jobs->pdata[i]);
  return NULL;
}

guint
stint_job_list_get_max_running (StintJobList *self)
{
  return stint_job_queue_get_max_running (self->queue);
}

void
stint_job_list_set_max_running (StintJobList *self, guint max_running)
{
  g_return_if_fail (STINT_IS_JOB_LIST (self));

  if (stint_job_list_get_max_running (self) == max_running)
    return;
  stint_job_queue_set_max_running (self->queue, max_running);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_MAX_RUNNING]);
}

guint
stint_job_list_get_position (StintJobList *self, StintJob *job)
{
  g_return_val_if_fail (STINT_IS_JOB_LIST (self), 0);
  return stint_job_queue_get_position (self->queue, job);
}

guint
stint_job_list_get_n_queued (StintJobList *self)
{
  return stint_job_queue_get_length (self->queue);
}

gboolean
stint_job_list_move (StintJobList *self, StintJob *job, guint position)
{
  g_return_val_if_fail (STINT_IS_JOB_LIST (self), FALSE);
  return stint_job_queue_move (self->queue, job, position);
}

gboolean
stint_job_list_move_up (StintJobList *self, StintJob *job)
{
  guint position = stint_job_list_get_position (self, job);

  return position > 0 && stint_job_list_move (self, job, MAX (position - 1, 1));
}

gboolean
stint_job_list_start_now (StintJobList *self, StintJob *job)
{
  g_return_val_if_fail (STINT_IS_JOB_LIST (self) && STINT_IS_JOB (job), FALSE);
  return stint_job_queue_start_now (self->queue, job);
}

GPtrArray *
stint_job_list_dup_active (StintJobList *self)
{
  GPtrArray *active = g_ptr_array_new_with_free_func (g_object_unref);

  g_return_val_if_fail (STINT_IS_JOB_LIST (self), active);

  for (guint i = 0; i < self->jobs->len; i++)
    if (stint_job_get_state (self->jobs->pdata[i]) != STINT_JOB_FINISHED &&
        !stint_job_get_detached (self->jobs->pdata[i]) &&
        !stint_job_is_elsewhere (self->jobs->pdata[i]))
      g_ptr_array_add (active, g_object_ref (self->jobs->pdata[i]));
  return active;
}

guint
stint_job_list_get_n_active (StintJobList *self)
{
  return self->n_unfinished;
}

guint
stint_job_list_get_n_saving (StintJobList *self)
{
  return self->n_saving;
}

void
stint_job_list_close (StintJobList *self)
{
  g_return_if_fail (STINT_IS_JOB_LIST (self));
  stint_job_queue_close (self->queue);
  g_cancellable_cancel (self->cancellable);
}

GCancellable *
stint_job_list_get_cancellable (StintJobList *self)
{
  return self->cancellable;
}

gboolean
stint_job_list_is_closed (StintJobList *self)
{
  g_return_val_if_fail (STINT_IS_JOB_LIST (self), TRUE);
  return is_closed (self);
}

static GType
get_item_type (GListModel *model)
{
  return STINT_TYPE_JOB;
}

static guint
get_n_items (GListModel *model)
{
  return STINT_JOB_LIST (model)->jobs->len;
}

static gpointer
get_item (GListModel *model, guint position)
{
  StintJobList *self = STINT_JOB_LIST (model);

  return position < self->jobs->len ? g_object_ref (self->jobs->pdata[position]) : NULL;
}

static void
list_model_iface_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

static void
stint_job_list_finalize (GObject *object)
{
  StintJobList *self = STINT_JOB_LIST (object);

  g_object_unref (self->queue);
  g_object_unref (self->cancellable);
  g_hash_table_unref (self->continuations);
  g_ptr_array_unref (self->jobs);
  g_clear_object (&self->store);
  G_OBJECT_CLASS (stint_job_list_parent_class)->finalize (object);
}

static void
stint_job_list_get_property (GObject *object, guint property, GValue *value, GParamSpec *pspec)
{
  StintJobList *self = STINT_JOB_LIST (object);

  switch (property)
    {
    case PROP_STORE:
      g_value_set_object (value, self->store);
      break;
    case PROP_MAX_RUNNING:
      g_value_set_uint (value, stint_job_list_get_max_running (self));
      break;
    case PROP_N_ACTIVE:
      g_value_set_uint (value, self->n_unfinished);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property, pspec);
    }
}

static void
stint_job_list_set_property (GObject *object, guint property, const GValue *value, GParamSpec *pspec)
{
  StintJobList *self = STINT_JOB_LIST (object);

  switch (property)
    {
    case PROP_STORE:
      self->store = g_value_dup_object (value);
      break;
    case PROP_MAX_RUNNING:
      stint_job_list_set_max_running (self, g_value_get_uint (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property, pspec);
    }
}

static void
stint_job_list_class_init (StintJobListClass *klass)
{
  const GParamFlags flags = G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = stint_job_list_finalize;
  object_class->get_property = stint_job_list_get_property;
  object_class->set_property = stint_job_list_set_property;

  properties[PROP_STORE] = g_param_spec_object ("store", NULL, NULL, STINT_TYPE_JOB_STORE,
                                                flags | G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY);
  properties[PROP_MAX_RUNNING] =
    g_param_spec_uint ("max-running", NULL, NULL, 0, G_MAXUINT, 0, flags | G_PARAM_READWRITE);
  properties[PROP_N_ACTIVE] =
    g_param_spec_uint ("n-active", NULL, NULL, 0, G_MAXUINT, 0, flags | G_PARAM_READABLE);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[SIGNAL_PROBLEM] = g_signal_new ("problem", STINT_TYPE_JOB_LIST, G_SIGNAL_RUN_LAST, 0, NULL,
                                          NULL, NULL, G_TYPE_NONE, 2, STINT_TYPE_JOB, G_TYPE_ERROR);
  signals[SIGNAL_CONTINUATION_FAILED] =
    g_signal_new ("continuation-failed", STINT_TYPE_JOB_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 3, STINT_TYPE_JOB, STINT_TYPE_CONTINUATION, G_TYPE_ERROR);
}

static void
stint_job_list_init (StintJobList *self)
{
  self->jobs = g_ptr_array_new_with_free_func (g_object_unref);
  self->queue = stint_job_queue_new ();
  self->cancellable = g_cancellable_new ();
  self->continuations =
    g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_ptr_array_unref);
}

StintJobList *
stint_job_list_new (StintJobStore *store)
{
  return g_object_new (STINT_TYPE_JOB_LIST, "store", store, NULL);
}
