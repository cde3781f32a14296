/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All jobs, newest first; the one way in; and how many run at once.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-job-list.h"

#include "stint-error.h"
#include "stint-job-private.h"

#include <glib/gi18n-lib.h>

struct _StintJobList
{
  GObject parent_instance;

  StintJobStore *store;
  GPtrArray *jobs; /* of StintJob, newest first */
  GQueue queue;    /* (unowned): held jobs, the next one first */
  guint max_running;
  guint n_running; /* released, and not finished */
  guint n_unfinished;
  guint n_saving;
  gboolean closed;
  guint start_source; /* starts what is queued */
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
has_room (StintJobList *self)
{
  return !self->closed && (self->max_running == 0 || self->n_running < self->max_running);
}

/* One a turn of the main loop: starting a job takes half a millisecond, and two hundred that become
 * ready together would hold up everything else. */
static gboolean
start_next (gpointer data)
{
  StintJobList *self = data;
  StintJob *job = g_queue_peek_head (&self->queue);

  /* Without an id its place is still being made. */
  if (job == NULL || !has_room (self) || stint_job_get_id (job) == 0)
    {
      self->start_source = 0;
      return G_SOURCE_REMOVE;
    }
  g_queue_pop_head (&self->queue);
  self->n_running++;
  stint_job_release (job);
  return G_SOURCE_CONTINUE;
}

static void
start_queued (StintJobList *self)
{
  if (self->start_source == 0 && has_room (self) && !g_queue_is_empty (&self->queue))
    self->start_source = g_idle_add_full (G_PRIORITY_DEFAULT, start_next, self, NULL);
}

static void
handle_state (StintJob *job, GParamSpec *pspec, StintJobList *self)
{
  if (stint_job_get_state (job) != STINT_JOB_FINISHED)
    return;

  g_signal_handlers_disconnect_by_func (job, handle_state, self);
  /* One that was stopped in the queue has never had a place among those that run, and a part of
   * another job needs none. */
  if (!g_queue_remove (&self->queue, job) && !is_part (job))
    self->n_running--;
  self->n_unfinished--;
  self->n_saving++;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_N_ACTIVE]);
  start_queued (self);
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

StintJob *
stint_job_list_submit (StintJobList *self,
                       StintJobSpec *spec,
                       const StintStdio *stdio,
                       GError **error)
{
  StintJob *job;

  g_return_val_if_fail (STINT_IS_JOB_LIST (self) && STINT_IS_JOB_SPEC (spec), NULL);

  if (self->closed)
    {
      g_set_error_literal (error, STINT_ERROR, STINT_ERROR_SHUTTING_DOWN,
                           _ ("Stint is shutting down and starts nothing new"));
      return NULL;
    }
  if (!stint_job_spec_check (spec, error))
    return NULL;

  job = stint_job_new (spec, stdio);
  g_signal_connect_object (job, "notify::state", G_CALLBACK (handle_state), self, 0);
  g_ptr_array_insert (self->jobs, 0, g_object_ref (job));
  self->n_unfinished++;
  g_signal_connect_object (job, "notify::id", G_CALLBACK (start_queued), self, G_CONNECT_SWAPPED);
  if (!is_part (job))
    {
      stint_job_hold (job);
      g_queue_push_tail (&self->queue, job);
    }
  g_list_model_items_changed (G_LIST_MODEL (self), 0, 0, 1);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_N_ACTIVE]);
  stint_job_run_async (job, self->store, NULL, handle_run, g_object_ref (self));
  return job;
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
  return self->max_running;
}

void
stint_job_list_set_max_running (StintJobList *self, guint max_running)
{
  g_return_if_fail (STINT_IS_JOB_LIST (self));

  if (self->max_running == max_running)
    return;
  self->max_running = max_running;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_MAX_RUNNING]);
  start_queued (self);
}

GPtrArray *
stint_job_list_dup_active (StintJobList *self)
{
  GPtrArray *active = g_ptr_array_new_with_free_func (g_object_unref);

  g_return_val_if_fail (STINT_IS_JOB_LIST (self), active);

  for (guint i = 0; i < self->jobs->len; i++)
    if (stint_job_get_state (self->jobs->pdata[i]) != STINT_JOB_FINISHED)
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
  self->closed = TRUE;
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
stint_job_list_dispose (GObject *object)
{
  g_clear_handle_id (&STINT_JOB_LIST (object)->start_source, g_source_remove);
  G_OBJECT_CLASS (stint_job_list_parent_class)->dispose (object);
}

static void
stint_job_list_finalize (GObject *object)
{
  StintJobList *self = STINT_JOB_LIST (object);

  g_queue_clear (&self->queue);
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
      g_value_set_uint (value, self->max_running);
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

  object_class->dispose = stint_job_list_dispose;
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
}

static void
stint_job_list_init (StintJobList *self)
{
  self->jobs = g_ptr_array_new_with_free_func (g_object_unref);
  g_queue_init (&self->queue);
}

StintJobList *
stint_job_list_new (StintJobStore *store)
{
  return g_object_new (STINT_TYPE_JOB_LIST, "store", store, NULL);
}
