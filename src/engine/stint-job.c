/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One run of a spec: its start, its facts, and what it tells of them. What its keeper does to it is
 * in stint-job-keeper.c, its end in stint-job-end.c, how it is stopped, paused, written to and
 * limited in stint-job-control.c, how it is let go and found again in stint-job-detach.c.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-job-fields.h"
#include "stint-job-private.h"

#include "stint-scratch-store.h"
#include "stint-transcript-private.h"
#include "stint-units.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#define SUBJECT_CHARS 60

G_DEFINE_FINAL_TYPE (StintJob, stint_job, G_TYPE_OBJECT)

enum
{
  PROP_0,
  PROP_ID,
  PROP_STATE,
  PROP_SPEC,
  PROP_TITLE,
  PROP_PID,
  PROP_RESULT,
  PROP_STOP_REASON,
  PROP_PAUSED,
  PROP_DETACHED,
  PROP_WARNING,
  PROP_QUEUE_POSITION,
  PROP_START_AT,
  PROP_FOLLOWS,
  PROP_ATTEMPT,
  PROP_SILENT,
  N_PROPS,
};

enum
{
  SIGNAL_LIMITS_CHANGED,
  SIGNAL_IDLE_EXPIRED,
  SIGNAL_LIMIT_WARNING,
  N_SIGNALS,
};

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

/* A job's life, a line a step: G_MESSAGES_DEBUG=stint-engine. */
void
stint_job_log_step (StintJob *self, const char *format, ...)
{
  g_autofree char *message = NULL;
  char id[24], pid[16];
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_snprintf (id, sizeof id, "%" G_GUINT64_FORMAT, self->id);
  g_snprintf (pid, sizeof pid, "%d", self->pid);
  g_log_structured (G_LOG_DOMAIN, G_LOG_LEVEL_DEBUG, "STINT_JOB_ID", id, "STINT_JOB_PID", pid,
                    "MESSAGE", "job %s: %s", id, message);
}

static void
notify (StintJob *self, guint property)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

void
stint_job_set_state (StintJob *self, StintJobState state)
{
  if (self->state == state)
    return;
  self->state = state;
  notify (self, PROP_STATE);
}

void
stint_job_set_stop_reason (StintJob *self, StintReason reason)
{
  if (self->stop_reason != STINT_REASON_NONE || reason == STINT_REASON_NONE)
    return;
  self->stop_reason = reason;
  stint_job_log_step (self, "is being stopped: %s", stint_reason_to_nick (reason));
  notify (self, PROP_STOP_REASON);
}

void
stint_job_set_paused (StintJob *self, gboolean paused)
{
  self->paused = paused;
  notify (self, PROP_PAUSED);
}

void
stint_job_emit_limits_changed (StintJob *self)
{
  stint_job_watch_keeper (self);
  stint_job_watch_limits (self);
  g_signal_emit (self, signals[SIGNAL_LIMITS_CHANGED], 0);
}

void
stint_job_emit_idle_expired (StintJob *self)
{
  g_signal_emit (self, signals[SIGNAL_IDLE_EXPIRED], 0);
}

void
stint_job_emit_limit_warning (StintJob *self, StintReason reason, gint64 left)
{
  stint_job_log_step (self, "is about to be ended: %s", stint_reason_to_nick (reason));
  g_signal_emit (self, signals[SIGNAL_LIMIT_WARNING], 0, (int) reason, left);
}

void
stint_job_set_warning (StintJob *self, const char *warning)
{
  if (warning == NULL || g_strcmp0 (self->warning, warning) == 0)
    return;
  g_free (self->warning);
  self->warning = g_strdup (warning);
  stint_job_log_step (self, "warning: %s", warning);
  notify (self, PROP_WARNING);
}

void
stint_stdio_close (StintStdio *self)
{
  int *fds[] = { &self->stdin_fd, &self->tee_fds[0], &self->tee_fds[1], &self->stdout_fd,
                 &self->narration_fd };

  for (guint i = 0; i < G_N_ELEMENTS (fds); i++)
    if (*fds[i] >= 0)
      close (g_steal_fd (fds[i]));
}

/* The start */

static void
launch (StintJob *self)
{
  g_autoptr (GError) error = NULL;

  if (self->state != STINT_JOB_QUEUED || self->held || self->place == NULL)
    return;

  if (stint_job_spec_is_blank (self->spec))
    {
      StintResult *result = stint_result_new (STINT_REASON_EXITED);

      result->has_exit_code = TRUE;
      result->started_at = g_get_real_time ();
      stint_job_finish_with (self, result);
      return;
    }

  self->limits = (struct limits) { .wall_at = LIMITS_NEVER };
  stint_job_set_state (self, STINT_JOB_STARTING);
  /* Whoever was told may have stopped it. */
  if (self->state != STINT_JOB_STARTING)
    return;
  if (!stint_job_start_keeper (self, &error))
    stint_job_finish_with_error (self, error);
  stint_stdio_close (&self->stdio);
  g_clear_pointer (&self->place, stint_job_place_free);
}

static void
handle_begun (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (StintJob) self = data;
  g_autoptr (GError) error = NULL;
  StintJobPlace *place = stint_job_store_begin_finish (STINT_JOB_STORE (source), result, &error);

  if (place == NULL)
    {
      stint_job_finish_with_error (self, error);
      return;
    }
  self->begun = TRUE;
  self->place = place;
  self->id = place->id;
  self->directory = g_strdup (place->directory);
  self->scratch = place->scratch;
  notify (self, PROP_ID);
  stint_job_set_warning (self, place->warning);

  if (self->stop_reason != STINT_REASON_NONE)
    stint_job_finish_unstarted (self);
  else
    launch (self);
}

static gboolean
handle_cancelled (GCancellable *cancellable, gpointer data)
{
  stint_job_stop (data, STINT_REASON_CANCELLED, -1);
  return G_SOURCE_REMOVE;
}

void
stint_job_run_async (StintJob *self,
                     gpointer store,
                     GCancellable *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer user_data)
{
  g_return_if_fail (STINT_IS_JOB (self) && self->run_task == NULL && self->store == NULL);
  g_return_if_fail (self->state == STINT_JOB_QUEUED && STINT_IS_JOB_STORE (store));

  /* Cancelling ends the job, and the end completes the task: it is never abandoned. */
  self->run_task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (self->run_task, stint_job_run_async);
  self->store = g_object_ref (store);
  if (cancellable != NULL)
    {
      self->cancel_source = g_cancellable_source_new (cancellable);
      g_source_set_priority (self->cancel_source, G_PRIORITY_HIGH);
      g_source_set_callback (self->cancel_source, G_SOURCE_FUNC (handle_cancelled), self, NULL);
      g_source_attach (self->cancel_source, g_main_context_get_thread_default ());
      if (g_cancellable_is_cancelled (cancellable))
        stint_job_set_stop_reason (self, STINT_REASON_CANCELLED);
    }
  stint_job_store_begin_async (store, self, handle_begun, g_object_ref (self));
}

StintResult *
stint_job_run_finish (StintJob *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

void
stint_job_hold (StintJob *self)
{
  self->held = TRUE;
}

void
stint_job_release (StintJob *self)
{
  self->held = FALSE;
  launch (self);
}

/* Facts */

guint64
stint_job_get_id (StintJob *self)
{
  return self->id;
}

StintJobSpec *
stint_job_get_spec (StintJob *self)
{
  return self->spec;
}

StintJobState
stint_job_get_state (StintJob *self)
{
  return self->state;
}

const char *
stint_job_get_title (StintJob *self)
{
  return self->title;
}

void
stint_job_set_subject (StintJob *self, const char *subject)
{
  g_autofree char *clean = NULL;
  g_autofree char *name = NULL;

  g_return_if_fail (STINT_IS_JOB (self));
  g_return_if_fail (subject != NULL);

  clean = g_strstrip (stint_text_clean (subject, SUBJECT_CHARS));
  if (self->subject != NULL || *clean == '\0')
    return;
  self->subject = g_steal_pointer (&clean);
  name = g_steal_pointer (&self->title);
  /* Translators: the name of a job, such as that of an agent, and what it is about, such as the beginning
   * of what the agent was told. */
  self->title = g_strdup_printf (_ ("%s: %s"), name, self->subject);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TITLE]);
}

const char *
stint_job_get_subject (StintJob *self)
{
  return self->subject;
}

int
stint_job_get_pid (StintJob *self)
{
  return self->pid;
}

StintResult *
stint_job_get_result (StintJob *self)
{
  return self->result;
}

StintReason
stint_job_get_stop_reason (StintJob *self)
{
  return self->stop_reason;
}

gboolean
stint_job_get_paused (StintJob *self)
{
  return self->paused;
}

const char *
stint_job_get_warning (StintJob *self)
{
  return self->warning;
}

const char *
stint_job_get_directory (StintJob *self)
{
  return self->directory;
}

gboolean
stint_job_is_scratch (StintJob *self)
{
  return self->scratch;
}

gint64
stint_job_get_started_at (StintJob *self)
{
  return self->started_at;
}

gint64
stint_job_get_elapsed (StintJob *self)
{
  if (self->result != NULL)
    return self->result->duration;
  return self->started_mono != 0 ? g_get_monotonic_time () - self->started_mono : 0;
}

guint64
stint_job_get_output_bytes (StintJob *self)
{
  if (self->counters != NULL)
    return stint_counters_get_bytes (self->counters);
  return self->result != NULL ? self->result->stdout_bytes + self->result->stderr_bytes : 0;
}

StintProgress
stint_job_get_progress (StintJob *self, guint *percent)
{
  guint32 packed = 0;

  if (self->counters != NULL &&
      (self->state == STINT_JOB_RUNNING || self->state == STINT_JOB_STOPPING))
    packed = stint_counters_get_progress (self->counters);
  *percent = KEEPER_PROGRESS_PERCENT (packed);
  return (StintProgress) KEEPER_PROGRESS_STATE (packed);
}

StintTranscript *
stint_job_get_transcript (StintJob *self)
{
  if (self->transcript == NULL && self->state == STINT_JOB_FINISHED && self->directory != NULL)
    self->transcript = stint_transcript_new (self->directory);
  return self->transcript;
}

/* The object */

static void
stint_job_dispose (GObject *object)
{
  StintJob *self = STINT_JOB (object);

  g_clear_handle_id (&self->overdue_source, g_source_remove);
  if (self->link != NULL)
    stint_keeper_link_close (self->link);
  g_clear_object (&self->link);
  if (self->scratch && self->directory != NULL && self->state == STINT_JOB_FINISHED)
    {
      if (self->transcript != NULL)
        stint_transcript_hold_open (self->transcript);
      stint_scratch_store_remove (self->directory);
      self->scratch = FALSE;
    }
  stint_job_clear_alerts (self);
  g_clear_object (&self->transcript);
  g_clear_object (&self->counters);
  g_clear_object (&self->pty);
  g_clear_object (&self->store);
  G_OBJECT_CLASS (stint_job_parent_class)->dispose (object);
}

static void
stint_job_finalize (GObject *object)
{
  StintJob *self = STINT_JOB (object);

  stint_stdio_close (&self->stdio);
  for (guint i = 0; i < G_N_ELEMENTS (self->shared_fds); i++)
    if (self->shared_fds[i] >= 0)
      close (self->shared_fds[i]);
  g_clear_pointer (&self->place, stint_job_place_free);
  g_clear_pointer (&self->result, stint_result_unref);
  g_clear_pointer (&self->waiters, g_ptr_array_unref);
  g_clear_error (&self->save_error);
  g_clear_object (&self->spec);
  g_clear_object (&self->added);
  g_free (self->title);
  g_free (self->subject);
  g_free (self->warning);
  g_free (self->directory);
  G_OBJECT_CLASS (stint_job_parent_class)->finalize (object);
}

static void
stint_job_get_property (GObject *object, guint property, GValue *value, GParamSpec *pspec)
{
  StintJob *self = STINT_JOB (object);

  switch (property)
    {
    case PROP_ID:
      g_value_set_uint64 (value, self->id);
      break;
    case PROP_STATE:
      g_value_set_int (value, self->state);
      break;
    case PROP_SPEC:
      g_value_set_object (value, self->spec);
      break;
    case PROP_TITLE:
      g_value_set_string (value, self->title);
      break;
    case PROP_PID:
      g_value_set_int (value, self->pid);
      break;
    case PROP_RESULT:
      g_value_set_boxed (value, self->result);
      break;
    case PROP_STOP_REASON:
      g_value_set_int (value, self->stop_reason);
      break;
    case PROP_PAUSED:
      g_value_set_boolean (value, self->paused);
      break;
    case PROP_DETACHED:
      g_value_set_boolean (value, self->detached);
      break;
    case PROP_WARNING:
      g_value_set_string (value, self->warning);
      break;
    case PROP_QUEUE_POSITION:
      g_value_set_uint (value, self->queue_position);
      break;
    case PROP_START_AT:
      g_value_set_int64 (value, self->start_at);
      break;
    case PROP_FOLLOWS:
      g_value_set_uint64 (value, self->follows);
      break;
    case PROP_ATTEMPT:
      g_value_set_uint (value, self->attempt);
      break;
    case PROP_SILENT:
      g_value_set_boolean (value, self->silent);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property, pspec);
    }
}

static void
stint_job_class_init (StintJobClass *klass)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = stint_job_dispose;
  object_class->finalize = stint_job_finalize;
  object_class->get_property = stint_job_get_property;

  properties[PROP_ID] = g_param_spec_uint64 ("id", NULL, NULL, 0, G_MAXUINT64, 0, flags);
  properties[PROP_STATE] =
    g_param_spec_int ("state", NULL, NULL, STINT_JOB_QUEUED, STINT_JOB_FINISHED, 0, flags);
  properties[PROP_SPEC] = g_param_spec_object ("spec", NULL, NULL, STINT_TYPE_JOB_SPEC, flags);
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
  properties[PROP_PID] = g_param_spec_int ("pid", NULL, NULL, 0, G_MAXINT, 0, flags);
  properties[PROP_RESULT] = g_param_spec_boxed ("result", NULL, NULL, STINT_TYPE_RESULT, flags);
  properties[PROP_STOP_REASON] =
    g_param_spec_int ("stop-reason", NULL, NULL, 0, STINT_REASON_INTERRUPTED, 0, flags);
  properties[PROP_PAUSED] = g_param_spec_boolean ("paused", NULL, NULL, FALSE, flags);
  properties[PROP_DETACHED] = g_param_spec_boolean ("detached", NULL, NULL, FALSE, flags);
  properties[PROP_WARNING] = g_param_spec_string ("warning", NULL, NULL, NULL, flags);
  properties[PROP_QUEUE_POSITION] =
    g_param_spec_uint ("queue-position", NULL, NULL, 0, G_MAXUINT, 0, flags);
  properties[PROP_START_AT] = g_param_spec_int64 ("start-at", NULL, NULL, 0, G_MAXINT64, 0, flags);
  properties[PROP_FOLLOWS] = g_param_spec_uint64 ("follows", NULL, NULL, 0, G_MAXUINT64, 0, flags);
  properties[PROP_ATTEMPT] = g_param_spec_uint ("attempt", NULL, NULL, 1, G_MAXUINT, 1, flags);
  properties[PROP_SILENT] = g_param_spec_boolean ("silent", NULL, NULL, FALSE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[SIGNAL_LIMITS_CHANGED] = g_signal_new ("limits-changed", STINT_TYPE_JOB, G_SIGNAL_RUN_LAST,
                                                 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_IDLE_EXPIRED] = g_signal_new ("idle-expired", STINT_TYPE_JOB, G_SIGNAL_RUN_LAST, 0,
                                               NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_LIMIT_WARNING] =
    g_signal_new ("limit-warning", STINT_TYPE_JOB, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, 2, G_TYPE_INT, G_TYPE_INT64);
}

static void
stint_job_init (StintJob *self)
{
  self->stdio = STINT_STDIO_NONE;
  self->shared_fds[0] = self->shared_fds[1] = -1;
  self->kill_at = STINT_NEVER;
  self->start_mono = STINT_NEVER;
  self->attempt = 1;
  self->waiters = g_ptr_array_new_with_free_func (g_object_unref);
}

static StintJob *
new_with_spec (StintJobSpec *spec)
{
  StintJob *self = g_object_new (STINT_TYPE_JOB, NULL);

  stint_job_spec_seal (spec);
  self->spec = g_object_ref (spec);
  self->on_idle = stint_job_spec_get_on_idle (spec);
  self->title = stint_job_spec_dup_title (spec);
  return self;
}

StintJob *
stint_job_new (StintJobSpec *spec, const StintStdio *stdio)
{
  StintJob *self;

  g_return_val_if_fail (STINT_IS_JOB_SPEC (spec), NULL);

  self = new_with_spec (spec);
  if (stdio != NULL)
    {
      stint_job_duplicate_fd (self, stdio->stdin_fd, &self->stdio.stdin_fd);
      for (int i = 0; i < 2; i++)
        stint_job_duplicate_fd (self, stdio->tee_fds[i], &self->stdio.tee_fds[i]);
      stint_job_duplicate_fd (self, stdio->stdout_fd, &self->stdio.stdout_fd);
      stint_job_duplicate_fd (self, stdio->narration_fd, &self->stdio.narration_fd);
    }
  return self;
}

StintJob *
stint_job_new_finished (guint64 id, StintJobSpec *spec, StintResult *result, const char *directory)
{
  StintJob *self;

  g_return_val_if_fail (STINT_IS_JOB_SPEC (spec) && result != NULL, NULL);

  self = new_with_spec (spec);
  self->id = id;
  self->result = stint_result_ref (result);
  self->directory = g_strdup (directory);
  self->started_at = result->started_at;
  self->state = STINT_JOB_FINISHED;
  return self;
}
