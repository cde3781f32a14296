/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The jobs of the window, on the bus. What changes is told once a turn of the main loop, however
 * much of it changes.
 */
#define G_LOG_DOMAIN "stint-bus"
#include "config.h"

#include "stint-job-service.h"

#include "stint-bus-generated.h"
#include "stint-bus.h"
#include "stint-error.h"
#include "stint-job-facts.h"
#include "stint-units.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

/* A job that still waits in the queue after this long has been accepted. */
#define QUEUED_MSEC 500

struct _StintJobService
{
  GObject parent_instance;

  StintJobList *jobs;
  StintJobServiceHost host;
  gpointer user_data;
  StintBusJobs *skeleton;

  GPtrArray *known;    /* of StintJob: the list as it was told */
  GHashTable *changed; /* set of StintJob: to be told */
  guint change_source;
};

G_DEFINE_FINAL_TYPE (StintJobService, stint_job_service, G_TYPE_OBJECT)

/* What has changed */

static gboolean
tell_changes (gpointer user_data)
{
  StintJobService *self = STINT_JOB_SERVICE (user_data);
  g_autoptr (GHashTable) changed = g_steal_pointer (&self->changed);
  GHashTableIter iter;
  gpointer job;

  self->changed = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->change_source = 0;
  g_hash_table_iter_init (&iter, changed);
  while (g_hash_table_iter_next (&iter, &job, NULL))
    stint_bus_jobs_emit_job_changed (self->skeleton, stint_job_facts_new (job));
  return G_SOURCE_REMOVE;
}

static void
note_change (StintJobService *self, StintJob *job)
{
  g_hash_table_add (self->changed, g_object_ref (job));
  if (self->change_source == 0)
    self->change_source = g_idle_add (tell_changes, self);
}

static void
on_job_notify (StintJobService *self, GParamSpec *pspec, StintJob *job)
{
  note_change (self, job);
}

static void
watch (StintJobService *self, StintJob *job)
{
  static const char *const told[] = { "notify::id", "notify::state", "notify::paused",
                                      "notify::stop-reason", "notify::warning" };

  if (stint_job_get_state (job) == STINT_JOB_FINISHED)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    g_signal_connect_object (job, told[i], G_CALLBACK (on_job_notify), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (job, "limits-changed", G_CALLBACK (note_change), self,
                           G_CONNECT_SWAPPED);
}

static void
unwatch (StintJobService *self, StintJob *job)
{
  g_signal_handlers_disconnect_by_data (job, self);
  g_hash_table_remove (self->changed, job);
}

static void
on_items_changed (StintJobService *self, guint position, guint removed, guint added)
{
  for (guint i = 0; i < removed; i++)
    {
      StintJob *job = self->known->pdata[position + i];

      unwatch (self, job);
      stint_bus_jobs_emit_job_removed (self->skeleton, stint_job_get_id (job));
    }
  if (removed > 0)
    g_ptr_array_remove_range (self->known, position, removed);
  for (guint i = 0; i < added; i++)
    {
      StintJob *job = g_list_model_get_item (G_LIST_MODEL (self->jobs), position + i);

      g_ptr_array_insert (self->known, (int) (position + i), job);
      watch (self, job);
      stint_bus_jobs_emit_job_added (self->skeleton, stint_job_facts_new (job));
    }
}

static void
on_n_active (StintJobService *self)
{
  stint_bus_jobs_set_active (self->skeleton, stint_job_list_get_n_active (self->jobs));
}

/* Calls */

static void
return_error (GDBusMethodInvocation *invocation, StintError code, const char *message)
{
  g_dbus_method_invocation_return_error_literal (invocation, STINT_ERROR, (int) code, message);
}

/* Returns: (transfer full): the job; NULL if the call has been answered with an error. */
static StintJob *
find_job (StintJobService *self, GDBusMethodInvocation *invocation, guint64 id)
{
  StintJob *job = id != 0 ? stint_job_list_lookup (self->jobs, id) : NULL;

  if (job == NULL)
    g_dbus_method_invocation_return_error (invocation, STINT_ERROR, STINT_ERROR_NO_JOB,
                                           /* Translators: a job's number */
                                           _ ("There is no job %" PRIu64 " in the window"), id);
  return job;
}

/* The same, for what only a job that has not finished can do. */
static StintJob *
find_active_job (StintJobService *self, GDBusMethodInvocation *invocation, guint64 id)
{
  g_autoptr (StintJob) job = find_job (self, invocation, id);

  if (job == NULL)
    return NULL;
  if (stint_job_get_state (job) != STINT_JOB_FINISHED)
    return g_steal_pointer (&job);
  g_dbus_method_invocation_return_error (invocation, STINT_ERROR, STINT_ERROR_NOT_RUNNING,
                                         /* Translators: a job's number */
                                         _ ("Job %" PRIu64 " has ended"), id);
  return NULL;
}

/* The same, for what only a job can do whose command runs. */
static StintJob *
find_running_job (StintJobService *self, GDBusMethodInvocation *invocation, guint64 id)
{
  g_autoptr (StintJob) job = find_active_job (self, invocation, id);

  if (job == NULL)
    return NULL;
  if (stint_job_get_state (job) == STINT_JOB_RUNNING)
    return g_steal_pointer (&job);
  g_dbus_method_invocation_return_error (invocation, STINT_ERROR, STINT_ERROR_NOT_RUNNING,
                                         stint_job_get_state (job) == STINT_JOB_STOPPING
                                             /* Translators: a job's number */
                                             ? _ ("Job %" PRIu64 " is being stopped")
                                             : _ ("Job %" PRIu64 " has not started yet"),
                                         id);
  return NULL;
}

static gboolean
handle_list (StintJobService *self, GDBusMethodInvocation *invocation, gboolean all)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < self->known->len; i++)
    {
      StintJob *job = self->known->pdata[i];

      if (all || stint_job_get_state (job) != STINT_JOB_FINISHED)
        g_variant_builder_add_value (&builder, stint_job_facts_new (job));
    }
  stint_bus_jobs_complete_list (self->skeleton, invocation, g_variant_builder_end (&builder));
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
handle_get (StintJobService *self, GDBusMethodInvocation *invocation, guint64 id)
{
  g_autoptr (StintJob) job = find_job (self, invocation, id);

  if (job != NULL)
    stint_bus_jobs_complete_get (self->skeleton, invocation, stint_job_facts_new (job));
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

/* A call that is answered when its job gets somewhere. */
typedef struct
{
  StintBusJobs *skeleton;
  GDBusMethodInvocation *invocation;
  StintJob *job;
  gulong state_id;
  guint queued_id;
} Starting;

static void
starting_free (Starting *starting)
{
  g_clear_signal_handler (&starting->state_id, starting->job);
  g_clear_handle_id (&starting->queued_id, g_source_remove);
  g_clear_object (&starting->job);
  g_clear_object (&starting->skeleton);
  g_free (starting);
}

static void
accept_start (Starting *starting)
{
  stint_bus_jobs_complete_start (starting->skeleton, starting->invocation,
                                 stint_job_get_id (starting->job));
  starting_free (starting);
}

static void
on_starting_state (Starting *starting)
{
  StintResult *result = stint_job_get_result (starting->job);

  switch (stint_job_get_state (starting->job))
    {
    case STINT_JOB_FINISHED:
      if (result->reason == STINT_REASON_FAILED)
        {
          return_error (starting->invocation, STINT_ERROR_FAILED,
                        result->error != NULL ? result->error
                                              : _ ("the job could not be started"));
          starting_free (starting);
          break;
        }
      accept_start (starting);
      break;
    case STINT_JOB_RUNNING:
    case STINT_JOB_STOPPING:
      accept_start (starting);
      break;
    case STINT_JOB_QUEUED:
    case STINT_JOB_STARTING:
    default:
      break;
    }
}

static gboolean
on_still_queued (gpointer user_data)
{
  Starting *starting = user_data;

  if (stint_job_get_id (starting->job) == 0)
    return G_SOURCE_CONTINUE;
  starting->queued_id = 0;
  /* Else it is just being started, which tells more. */
  if (stint_job_get_state (starting->job) == STINT_JOB_QUEUED)
    accept_start (starting);
  return G_SOURCE_REMOVE;
}

static gboolean
handle_start (StintJobService *self,
              GDBusMethodInvocation *invocation,
              GVariant *words_variant,
              GVariant *directory,
              GVariant *environment_variant)
{
  g_autofree const char **words = g_variant_get_bytestring_array (words_variant, NULL);
  g_autofree const char **environment = g_variant_get_bytestring_array (environment_variant, NULL);
  g_autoptr (StintJob) job = NULL;
  g_autoptr (GError) error = NULL;
  Starting *starting;

  if (self->host.start == NULL)
    {
      return_error (invocation, STINT_ERROR_FAILED, _ ("Nothing can be started here"));
      return G_DBUS_METHOD_INVOCATION_HANDLED;
    }
  job = self->host.start (words, g_variant_get_bytestring (directory), environment,
                          self->user_data, &error);
  if (job == NULL)
    {
      g_dbus_method_invocation_return_gerror (invocation, error);
      return G_DBUS_METHOD_INVOCATION_HANDLED;
    }
  starting = g_new0 (Starting, 1);
  starting->skeleton = g_object_ref (self->skeleton);
  starting->invocation = invocation;
  starting->job = g_steal_pointer (&job);
  starting->state_id = g_signal_connect_swapped (starting->job, "notify::state",
                                                 G_CALLBACK (on_starting_state), starting);
  starting->queued_id = g_timeout_add (QUEUED_MSEC, on_still_queued, starting);
  on_starting_state (starting);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

typedef struct
{
  StintBusJobs *skeleton;
  GDBusMethodInvocation *invocation;
} Waiting;

static void
on_waited (GObject *source, GAsyncResult *async_result, gpointer user_data)
{
  g_autofree Waiting *waiting = user_data;
  g_autoptr (StintBusJobs) skeleton = waiting->skeleton;
  g_autoptr (StintResult) result = NULL;

  result = stint_job_wait_finish (STINT_JOB (source), async_result, NULL);
  stint_bus_jobs_complete_wait (skeleton, waiting->invocation,
                                stint_job_facts_new (STINT_JOB (source)));
}

static gboolean
handle_wait (StintJobService *self, GDBusMethodInvocation *invocation, guint64 id)
{
  g_autoptr (StintJob) job = find_job (self, invocation, id);
  Waiting *waiting;

  if (job == NULL)
    return G_DBUS_METHOD_INVOCATION_HANDLED;
  waiting = g_new0 (Waiting, 1);
  waiting->skeleton = g_object_ref (self->skeleton);
  waiting->invocation = invocation;
  stint_job_wait_async (job, NULL, on_waited, waiting);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
handle_terminate (StintJobService *self, GDBusMethodInvocation *invocation, guint64 id)
{
  g_autoptr (StintJob) job = find_active_job (self, invocation, id);

  if (job == NULL)
    return G_DBUS_METHOD_INVOCATION_HANDLED;
  stint_job_terminate (job);
  stint_bus_jobs_complete_terminate (self->skeleton, invocation);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
handle_kill (StintJobService *self, GDBusMethodInvocation *invocation, guint64 id)
{
  g_autoptr (StintJob) job = find_active_job (self, invocation, id);

  if (job == NULL)
    return G_DBUS_METHOD_INVOCATION_HANDLED;
  stint_job_kill (job);
  stint_bus_jobs_complete_kill (self->skeleton, invocation);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
handle_pause (StintJobService *self, GDBusMethodInvocation *invocation, guint64 id)
{
  g_autoptr (StintJob) job = find_running_job (self, invocation, id);

  if (job == NULL)
    return G_DBUS_METHOD_INVOCATION_HANDLED;
  stint_job_pause (job);
  stint_bus_jobs_complete_pause (self->skeleton, invocation);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
handle_resume (StintJobService *self, GDBusMethodInvocation *invocation, guint64 id)
{
  g_autoptr (StintJob) job = find_running_job (self, invocation, id);

  if (job == NULL)
    return G_DBUS_METHOD_INVOCATION_HANDLED;
  stint_job_resume (job);
  stint_bus_jobs_complete_resume (self->skeleton, invocation);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

/* Returns: what is wrong, or NULL. */
static const char *
extend (StintJob *job, const char *limit, gint64 usec)
{
  gboolean idle = g_str_equal (limit, "idle");
  gint64 now;

  if (!idle && !g_str_equal (limit, "timeout"))
    return _ ("A limit is “timeout” or “idle”");
  if (usec < 0)
    return _ ("A limit can be extended, and not be cut");
  if (usec == 0)
    {
      if (idle)
        stint_job_set_idle_limit (job, 0);
      else
        stint_job_set_timeout_left (job, STINT_NEVER);
      return NULL;
    }
  now = idle ? stint_job_get_idle_total (job) : stint_job_get_timeout_left (job);
  if (now == (idle ? 0 : STINT_NEVER))
    return idle ? _ ("The job has no idle limit") : _ ("The job has no time limit");
  usec = usec > STINT_NEVER - 1 - now ? STINT_NEVER - 1 : now + usec;
  if (idle)
    stint_job_set_idle_limit (job, usec);
  else
    stint_job_set_timeout_left (job, usec);
  return NULL;
}

static gboolean
handle_extend (StintJobService *self,
               GDBusMethodInvocation *invocation,
               guint64 id,
               const char *limit,
               gint64 usec)
{
  g_autoptr (StintJob) job = find_running_job (self, invocation, id);
  const char *problem;

  if (job == NULL)
    return G_DBUS_METHOD_INVOCATION_HANDLED;
  problem = extend (job, limit, usec);
  if (problem != NULL)
    return_error (invocation, STINT_ERROR_INVALID, problem);
  else
    stint_bus_jobs_complete_extend (self->skeleton, invocation);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
handle_present (StintJobService *self, GDBusMethodInvocation *invocation, guint64 id)
{
  g_autoptr (StintJob) job = find_job (self, invocation, id);

  if (job == NULL)
    return G_DBUS_METHOD_INVOCATION_HANDLED;
  if (self->host.present == NULL)
    {
      return_error (invocation, STINT_ERROR_FAILED, _ ("There is no window here"));
      return G_DBUS_METHOD_INVOCATION_HANDLED;
    }
  self->host.present (job, self->user_data);
  stint_bus_jobs_complete_present (self->skeleton, invocation);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

/* The object */

static void
stint_job_service_dispose (GObject *object)
{
  StintJobService *self = STINT_JOB_SERVICE (object);

  g_clear_handle_id (&self->change_source, g_source_remove);
  if (self->jobs != NULL)
    {
      stint_job_service_unexport (self);
      g_signal_handlers_disconnect_by_data (self->jobs, self);
      for (guint i = 0; i < self->known->len; i++)
        unwatch (self, self->known->pdata[i]);
    }
  g_clear_object (&self->skeleton);
  g_clear_object (&self->jobs);

  G_OBJECT_CLASS (stint_job_service_parent_class)->dispose (object);
}

static void
stint_job_service_finalize (GObject *object)
{
  StintJobService *self = STINT_JOB_SERVICE (object);

  g_ptr_array_unref (self->known);
  g_hash_table_unref (self->changed);

  G_OBJECT_CLASS (stint_job_service_parent_class)->finalize (object);
}

static void
stint_job_service_class_init (StintJobServiceClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stint_job_service_dispose;
  G_OBJECT_CLASS (klass)->finalize = stint_job_service_finalize;
}

static void
stint_job_service_init (StintJobService *self)
{
  const struct
  {
    const char *signal;
    GCallback handler;
  } calls[] = {
    { "handle-list", G_CALLBACK (handle_list) },
    { "handle-get", G_CALLBACK (handle_get) },
    { "handle-start", G_CALLBACK (handle_start) },
    { "handle-wait", G_CALLBACK (handle_wait) },
    { "handle-terminate", G_CALLBACK (handle_terminate) },
    { "handle-kill", G_CALLBACK (handle_kill) },
    { "handle-pause", G_CALLBACK (handle_pause) },
    { "handle-resume", G_CALLBACK (handle_resume) },
    { "handle-extend", G_CALLBACK (handle_extend) },
    { "handle-present", G_CALLBACK (handle_present) },
  };

  stint_bus_register_errors ();
  self->known = g_ptr_array_new_with_free_func (g_object_unref);
  self->changed = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->skeleton = stint_bus_jobs_skeleton_new ();
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    g_signal_connect_object (self->skeleton, calls[i].signal, calls[i].handler, self,
                             G_CONNECT_SWAPPED);
}

StintJobService *
stint_job_service_new (StintJobList *jobs, const StintJobServiceHost *host, gpointer user_data)
{
  StintJobService *self;

  g_return_val_if_fail (STINT_IS_JOB_LIST (jobs), NULL);

  self = g_object_new (STINT_TYPE_JOB_SERVICE, NULL);
  self->jobs = g_object_ref (jobs);
  if (host != NULL)
    self->host = *host;
  self->user_data = user_data;
  g_signal_connect_object (jobs, "items-changed", G_CALLBACK (on_items_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (jobs, "notify::n-active", G_CALLBACK (on_n_active), self,
                           G_CONNECT_SWAPPED);
  on_items_changed (self, 0, 0, g_list_model_get_n_items (G_LIST_MODEL (jobs)));
  on_n_active (self);
  return self;
}

gboolean
stint_job_service_export (StintJobService *self,
                          GDBusConnection *bus,
                          const char *path,
                          GError **error)
{
  g_return_val_if_fail (STINT_IS_JOB_SERVICE (self), FALSE);
  g_return_val_if_fail (G_IS_DBUS_CONNECTION (bus), FALSE);

  return g_dbus_interface_skeleton_export (G_DBUS_INTERFACE_SKELETON (self->skeleton), bus, path,
                                           error);
}

void
stint_job_service_unexport (StintJobService *self)
{
  g_return_if_fail (STINT_IS_JOB_SERVICE (self));

  if (g_dbus_interface_skeleton_get_connection (G_DBUS_INTERFACE_SKELETON (self->skeleton)) != NULL)
    g_dbus_interface_skeleton_unexport (G_DBUS_INTERFACE_SKELETON (self->skeleton));
}
