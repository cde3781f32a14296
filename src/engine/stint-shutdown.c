/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The way out. Bounded: what cannot be ended is named and left, what is not saved is told.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-shutdown.h"

#include "stint-error.h"

#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <signal.h>

#define LONGEST_GRACE (4 * G_USEC_PER_SEC)
#define KILL_AFTER_MS 5000
#define GIVE_UP_AFTER_MS 6000

/* After that, how long what has ended may still take to be saved. */
#define SAVE_MS 4000

/* Before signals, and those are before everything else. */
#define CAUSE_PRIORITY (G_PRIORITY_HIGH - 10)

#define MOST_PROCESSES 200
#define MOST_NAMED 5

struct _StintShutdown
{
  GObject parent_instance;

  StintJobList *jobs;
  char *cause;        /* (nullable): the first */
  GPtrArray *sources; /* of GSource: the further causes */
  GPtrArray *ending;  /* (nullable) of StintJob: what had not ended when it began */
  gboolean begun;
  gboolean killing;
  gboolean gave_up; /* on what has not ended */
  gboolean over;
  int first_signal;
  guint kill_source;
  guint give_up_source;
  guint save_source;
  guint signal_sources[3];
  GPtrArray *problems; /* of char *: what could not be saved */
  GPtrArray *waiters;  /* of GTask */
};

enum
{
  SIGNAL_BEGUN,
  SIGNAL_PROGRESS,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StintShutdown, stint_shutdown, G_TYPE_OBJECT)

static void
append_line (GString *text, const char *line)
{
  g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", line);
}

/* A job that has not ended, with those of its processes that have not. */
static void
append_unended (GString *text, StintJob *job)
{
  g_autoptr (GPtrArray) processes = stint_job_dup_processes (job, MOST_PROCESSES);
  g_autofree char *names = stint_processes_describe (processes, MOST_NAMED);
  g_autofree char *line = NULL;

  if (processes->len == 0)
    /* Translators: a job's id and title */
    line = g_strdup_printf (_ ("Job %" PRIu64 " (%s) did not end"), stint_job_get_id (job),
                            stint_job_get_title (job));
  else
    /* Translators: a job's id and title, and the names of its processes */
    line = g_strdup_printf (_ ("Job %" PRIu64 " (%s) did not end: %s"), stint_job_get_id (job),
                            stint_job_get_title (job), names);
  append_line (text, line);
}

/* What its keeper could not end. */
static void
append_survivors (GString *text, StintJob *job, const StintResult *result)
{
  for (guint i = 0; i < result->n_survivors; i++)
    {
      g_autofree char *line =
        /* Translators: a process's name and id, and a job's id */
        g_strdup_printf (_ ("%s (%d) of job %" PRIu64 " could not be ended"), result->survivors[i].name,
                         result->survivors[i].pid, stint_job_get_id (job));

      append_line (text, line);
    }
}

/* Returns: (transfer full) (nullable): what did not end, or was not saved. */
static char *
describe_failures (StintShutdown *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n_saving = stint_job_list_get_n_saving (self->jobs);

  for (guint i = 0; self->ending != NULL && i < self->ending->len; i++)
    {
      StintJob *job = self->ending->pdata[i];
      StintResult *result = stint_job_get_result (job);

      if (result != NULL)
        append_survivors (text, job, result);
      /* One that never started has nothing that could be left; one that was let go is left. */
      else if (stint_job_get_state (job) != STINT_JOB_QUEUED && !stint_job_get_detached (job))
        append_unended (text, job);
    }
  if (n_saving > 0)
    {
      g_string_append (text, text->len > 0 ? "\n" : "");
      g_string_append_printf (text,
                              g_dngettext (GETTEXT_PACKAGE, "%u job could not be saved in time",
                                           "%u jobs could not be saved in time", n_saving),
                              n_saving);
    }
  for (guint i = 0; i < self->problems->len; i++)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "",
                            (const char *) self->problems->pdata[i]);
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

static void
return_outcome (StintShutdown *self, GTask *task)
{
  g_autofree char *failures = describe_failures (self);

  if (failures == NULL)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_new_error (task, STINT_ERROR, STINT_ERROR_FAILED, "%s", failures);
}

static void
end (StintShutdown *self)
{
  g_autoptr (GPtrArray) waiters = NULL;

  if (self->over)
    return;
  self->over = TRUE;
  g_debug ("shutdown: over");
  g_clear_handle_id (&self->kill_source, g_source_remove);
  g_clear_handle_id (&self->give_up_source, g_source_remove);
  g_clear_handle_id (&self->save_source, g_source_remove);
  waiters = g_steal_pointer (&self->waiters);
  self->waiters = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < waiters->len; i++)
    return_outcome (self, waiters->pdata[i]);
}

static void
end_if_done (StintShutdown *self)
{
  if (!self->begun)
    return;
  g_signal_emit (self, signals[SIGNAL_PROGRESS], 0);
  if ((self->gave_up || stint_job_list_get_n_active (self->jobs) == 0) &&
      stint_job_list_get_n_saving (self->jobs) == 0)
    end (self);
}

static void
handle_problem (StintJobList *jobs, StintJob *job, const GError *error, StintShutdown *self)
{
  if (self->begun)
    g_ptr_array_add (self->problems,
                     /* Translators: a job's id, and the reason */
                     g_strdup_printf (_ ("Job %" PRIu64 " could not be saved: %s"),
                                      stint_job_get_id (job), error->message));
}

static void
stop_all (StintShutdown *self)
{
  g_autoptr (GPtrArray) active = stint_job_list_dup_active (self->jobs);

  for (guint i = 0; i < active->len; i++)
    {
      gint64 grace = stint_job_spec_get_grace (stint_job_get_spec (active->pdata[i]));

      stint_job_stop (active->pdata[i], STINT_REASON_CANCELLED, MIN (grace, LONGEST_GRACE));
    }
}

static void
kill_all (StintShutdown *self)
{
  g_autoptr (GPtrArray) active = NULL;

  if (self->killing)
    return;
  self->killing = TRUE;
  g_debug ("shutdown: SIGKILL");
  active = stint_job_list_dup_active (self->jobs);
  for (guint i = 0; i < active->len; i++)
    stint_job_kill_for (active->pdata[i], STINT_REASON_CANCELLED);
}

static gboolean
handle_kill (gpointer data)
{
  StintShutdown *self = data;

  self->kill_source = 0;
  kill_all (self);
  return G_SOURCE_REMOVE;
}

static gboolean
handle_save_bound (gpointer data)
{
  StintShutdown *self = data;

  self->save_source = 0;
  end (self);
  return G_SOURCE_REMOVE;
}

static gboolean
handle_give_up (gpointer data)
{
  StintShutdown *self = data;

  self->give_up_source = 0;
  self->gave_up = TRUE;
  self->save_source = g_timeout_add (SAVE_MS, handle_save_bound, self);
  end_if_done (self);
  return G_SOURCE_REMOVE;
}

void
stint_shutdown_begin (StintShutdown *self, const char *cause)
{
  g_return_if_fail (STINT_IS_SHUTDOWN (self));

  g_debug ("shutdown: %s", cause);
  if (self->begun)
    {
      kill_all (self);
      return;
    }
  self->begun = TRUE;
  self->cause = g_strdup (cause);
  /* The token first: whatever ends from now on is followed by nothing. */
  stint_job_list_close (self->jobs);
  self->ending = stint_job_list_dup_active (self->jobs);
  self->kill_source = g_timeout_add (KILL_AFTER_MS, handle_kill, self);
  self->give_up_source = g_timeout_add (GIVE_UP_AFTER_MS, handle_give_up, self);
  g_signal_emit (self, signals[SIGNAL_BEGUN], 0);
  stop_all (self);
  end_if_done (self);
}

typedef struct
{
  StintShutdown *shutdown; /* (unowned): it destroys the source */
  char *name;
} Cause;

static void
cause_free (gpointer data)
{
  Cause *cause = data;

  g_free (cause->name);
  g_free (cause);
}

static gboolean
handle_cause (GCancellable *cancellable, gpointer data)
{
  const Cause *cause = data;

  stint_shutdown_begin (cause->shutdown, cause->name);
  return G_SOURCE_REMOVE;
}

void
stint_shutdown_add_cause (StintShutdown *self, const char *cause, GCancellable *cancellable)
{
  GSource *source;
  Cause *data;

  g_return_if_fail (STINT_IS_SHUTDOWN (self) && cause != NULL && G_IS_CANCELLABLE (cancellable));

  data = g_new0 (Cause, 1);
  data->shutdown = self;
  data->name = g_strdup (cause);
  source = g_cancellable_source_new (cancellable);
  g_source_set_priority (source, CAUSE_PRIORITY);
  g_source_set_callback (source, G_SOURCE_FUNC (handle_cause), data, cause_free);
  g_source_attach (source, g_main_context_get_thread_default ());
  g_ptr_array_add (self->sources, source);
}

void
stint_shutdown_stop_now (StintShutdown *self)
{
  g_return_if_fail (STINT_IS_SHUTDOWN (self));

  if (!self->begun)
    stint_shutdown_begin (self, "stop now");
  kill_all (self);
}

const char *
stint_shutdown_get_cause (StintShutdown *self)
{
  return self->cause;
}

GCancellable *
stint_shutdown_get_cancellable (StintShutdown *self)
{
  return stint_job_list_get_cancellable (self->jobs);
}

GPtrArray *
stint_shutdown_dup_waiting (StintShutdown *self)
{
  g_return_val_if_fail (STINT_IS_SHUTDOWN (self), NULL);

  return stint_job_list_dup_active (self->jobs);
}

gboolean
stint_shutdown_get_begun (StintShutdown *self)
{
  return self->begun;
}

void
stint_shutdown_wait_async (StintShutdown *self,
                           GAsyncReadyCallback callback,
                           gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (STINT_IS_SHUTDOWN (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, stint_shutdown_wait_async);
  if (self->over)
    return_outcome (self, task);
  else
    g_ptr_array_add (self->waiters, g_steal_pointer (&task));
}

gboolean
stint_shutdown_wait_finish (StintShutdown *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

static gboolean
handle_signal (StintShutdown *self, int signal_number, const char *name)
{
  if (self->first_signal == 0)
    self->first_signal = signal_number;
  stint_shutdown_begin (self, name);
  return G_SOURCE_CONTINUE;
}

static gboolean
handle_sigterm (gpointer data)
{
  return handle_signal (data, SIGTERM, "SIGTERM");
}

static gboolean
handle_sigint (gpointer data)
{
  return handle_signal (data, SIGINT, "SIGINT");
}

static gboolean
handle_sighup (gpointer data)
{
  return handle_signal (data, SIGHUP, "SIGHUP");
}

void
stint_shutdown_watch_signals (StintShutdown *self)
{
  const struct
  {
    int number;
    GSourceFunc func;
  } watched[] = {
    { SIGTERM, handle_sigterm },
    { SIGINT, handle_sigint },
    { SIGHUP, handle_sighup },
  };

  g_return_if_fail (STINT_IS_SHUTDOWN (self) && self->signal_sources[0] == 0);

  for (guint i = 0; i < G_N_ELEMENTS (watched); i++)
    {
      struct sigaction action;

      /* Whoever started us may have decided otherwise: nohup, a shell's background. */
      if (sigaction (watched[i].number, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
        continue;
      self->signal_sources[i] =
        g_unix_signal_add_full (G_PRIORITY_HIGH, watched[i].number, watched[i].func, self, NULL);
    }
}

int
stint_shutdown_get_signal (StintShutdown *self)
{
  return self->first_signal;
}

static void
stint_shutdown_dispose (GObject *object)
{
  StintShutdown *self = STINT_SHUTDOWN (object);

  g_clear_handle_id (&self->kill_source, g_source_remove);
  g_clear_handle_id (&self->give_up_source, g_source_remove);
  g_clear_handle_id (&self->save_source, g_source_remove);
  for (guint i = 0; i < G_N_ELEMENTS (self->signal_sources); i++)
    g_clear_handle_id (&self->signal_sources[i], g_source_remove);
  for (guint i = 0; i < self->sources->len; i++)
    g_source_destroy (self->sources->pdata[i]);
  g_clear_pointer (&self->ending, g_ptr_array_unref);
  g_clear_object (&self->jobs);
  G_OBJECT_CLASS (stint_shutdown_parent_class)->dispose (object);
}

static void
stint_shutdown_finalize (GObject *object)
{
  StintShutdown *self = STINT_SHUTDOWN (object);

  g_free (self->cause);
  g_ptr_array_unref (self->sources);
  g_ptr_array_unref (self->problems);
  g_ptr_array_unref (self->waiters);
  G_OBJECT_CLASS (stint_shutdown_parent_class)->finalize (object);
}

static void
stint_shutdown_class_init (StintShutdownClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = stint_shutdown_dispose;
  object_class->finalize = stint_shutdown_finalize;

  signals[SIGNAL_BEGUN] = g_signal_new ("begun", STINT_TYPE_SHUTDOWN, G_SIGNAL_RUN_LAST, 0, NULL,
                                        NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_PROGRESS] = g_signal_new ("progress", STINT_TYPE_SHUTDOWN, G_SIGNAL_RUN_LAST, 0,
                                           NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
stint_shutdown_init (StintShutdown *self)
{
  self->sources = g_ptr_array_new_with_free_func ((GDestroyNotify) g_source_unref);
  self->problems = g_ptr_array_new_with_free_func (g_free);
  self->waiters = g_ptr_array_new_with_free_func (g_object_unref);
}

StintShutdown *
stint_shutdown_new (StintJobList *jobs)
{
  StintShutdown *self = g_object_new (STINT_TYPE_SHUTDOWN, NULL);

  self->jobs = g_object_ref (jobs);
  g_signal_connect_object (jobs, "notify::n-active", G_CALLBACK (end_if_done), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (jobs, "problem", G_CALLBACK (handle_problem), self, 0);
  return self;
}
