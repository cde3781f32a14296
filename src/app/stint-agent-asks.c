/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Between the sessions, which know nothing of a board or of notifications, and these, which know nothing of
 * agents. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-agent-asks.h"

#include "stint-agent-session.h"

struct _StintAgentAsks
{
  GObject parent_instance;

  StintJobList *jobs;
  StintJobBoard *board;
  StintNotifier *notifier; /* (nullable) */
};

G_DEFINE_FINAL_TYPE (StintAgentAsks, stint_agent_asks, G_TYPE_OBJECT)

typedef struct
{
  StintJobBoard *board;
  StintNotifier *notifier; /* (nullable) */
  StintJob *job;           /* weak */
} Watch;

static void
watch_free (gpointer data, GClosure *closure)
{
  Watch *watch = data;

  g_object_unref (watch->board);
  g_clear_object (&watch->notifier);
  g_clear_weak_pointer (&watch->job);
  g_free (watch);
}

static void
on_requests (GListModel *requests, guint position, guint removed, guint added, Watch *watch)
{
  g_autoptr (StintAgentRequest) request = g_list_model_get_item (requests, 0);
  const char *title = request != NULL ? stint_agent_request_get_title (request) : NULL;

  if (watch->job == NULL)
    return;
  stint_job_board_set_asks (watch->board, watch->job, title);
  /* Behind the first one nothing is new. */
  if (watch->notifier == NULL || position > 0)
    return;
  if (request != NULL)
    stint_notifier_needs_you (watch->notifier, watch->job, title);
  else
    stint_notifier_needs_nothing (watch->notifier, watch->job);
}

/* The session of a job is known once the job has been submitted. */
static void
on_job_state (StintJob *job, GParamSpec *pspec, StintAgentAsks *self)
{
  StintAgentSession *session = stint_agent_session_for_job (job);
  GListModel *requests;
  Watch *watch;

  if (session == NULL)
    return;
  g_signal_handlers_disconnect_by_func (job, on_job_state, self);
  requests = stint_agent_session_get_requests (session);
  watch = g_new0 (Watch, 1);
  watch->board = g_object_ref (self->board);
  g_set_object (&watch->notifier, self->notifier);
  g_set_weak_pointer (&watch->job, job);
  g_signal_connect_data (requests, "items-changed", G_CALLBACK (on_requests), watch, watch_free, 0);
  if (g_list_model_get_n_items (requests) > 0)
    on_requests (requests, 0, 0, 0, watch);
}

static void
on_jobs (StintAgentAsks *self, guint position, guint removed, guint added)
{
  for (guint i = position; i < position + added; i++)
    {
      g_autoptr (StintJob) job = g_list_model_get_item (G_LIST_MODEL (self->jobs), i);

      if (stint_job_get_state (job) == STINT_JOB_FINISHED ||
          !stint_job_spec_get_session (stint_job_get_spec (job)))
        continue;
      g_signal_connect_object (job, "notify::state", G_CALLBACK (on_job_state), self, 0);
      on_job_state (job, NULL, self);
    }
}

static void
stint_agent_asks_dispose (GObject *object)
{
  StintAgentAsks *self = STINT_AGENT_ASKS (object);

  if (self->jobs != NULL)
    g_signal_handlers_disconnect_by_data (self->jobs, self);
  g_clear_object (&self->jobs);
  g_clear_object (&self->board);
  g_clear_object (&self->notifier);

  G_OBJECT_CLASS (stint_agent_asks_parent_class)->dispose (object);
}

static void
stint_agent_asks_class_init (StintAgentAsksClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stint_agent_asks_dispose;
}

static void
stint_agent_asks_init (StintAgentAsks *self)
{
}

StintAgentAsks *
stint_agent_asks_new (StintJobList *jobs, StintJobBoard *board, StintNotifier *notifier)
{
  StintAgentAsks *self;

  g_return_val_if_fail (STINT_IS_JOB_LIST (jobs), NULL);
  g_return_val_if_fail (STINT_IS_JOB_BOARD (board), NULL);
  g_return_val_if_fail (notifier == NULL || STINT_IS_NOTIFIER (notifier), NULL);

  self = g_object_new (STINT_TYPE_AGENT_ASKS, NULL);
  self->jobs = g_object_ref (jobs);
  self->board = g_object_ref (board);
  g_set_object (&self->notifier, notifier);
  g_signal_connect_swapped (jobs, "items-changed", G_CALLBACK (on_jobs), self);
  on_jobs (self, 0, 0, g_list_model_get_n_items (G_LIST_MODEL (jobs)));
  return self;
}
