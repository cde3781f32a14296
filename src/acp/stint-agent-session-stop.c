/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How an agent is stopped, gentlest first: cancel the turn, close its stdin, SIGTERM to its tree,
 * SIGKILL to its tree; each when the grace of the last has passed, and none once its job has ended.
 * Many agents do not end with their stdin, and some leave children behind: the keeper's last step is
 * the one that always holds.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-agent-session-private.h"

#include <glib/gi18n-lib.h>

/* Most agents that end with their stdin do so at once; nobody should wait for the others. */
#define MAX_INPUT_GRACE (2 * G_TIME_SPAN_SECOND)

static gboolean take_next_step (gpointer data);

static void
wait_for_next (StintAgentSession *self, gint64 usec)
{
  g_clear_handle_id (&self->step_source, g_source_remove);
  self->step_source =
      g_timeout_add ((guint) CLAMP (usec / 1000, 1, G_MAXUINT), take_next_step, self);
}

static void
close_input (StintAgentSession *self)
{
  if (self->connection == NULL)
    return;
  /* It frees what it holds; its answer is of no interest, and its stdin ends behind it. */
  if (self->session_id != NULL && stint_agent_session_has_capability (self, "close") &&
      !stint_acp_connection_is_closed (self->connection))
    {
      JsonObject *params;
      JsonNode *node = stint_agent_session_new_params (self, &params);

      stint_acp_connection_call_async (self->connection, "session/close", node, NULL, NULL, NULL);
    }
  stint_acp_connection_close_input (self->connection);
}

static void
take_step (StintAgentSession *self, StintAgentStep step)
{
  StintReason cause =
      self->stop_cause != STINT_REASON_NONE ? self->stop_cause : STINT_REASON_TERMINATED;

  stint_agent_session_set_step (self, step);
  switch (step)
    {
    case STINT_AGENT_STEP_CANCEL:
      stint_agent_session_cancel_for (self, NULL);
      wait_for_next (self, self->limits.cancel_grace);
      break;
    case STINT_AGENT_STEP_CLOSE_INPUT:
      close_input (self);
      wait_for_next (self, MIN (self->limits.cancel_grace, MAX_INPUT_GRACE));
      break;
    case STINT_AGENT_STEP_TERMINATE:
      stint_job_stop (self->job, cause, self->limits.cancel_grace);
      wait_for_next (self, self->limits.cancel_grace);
      break;
    case STINT_AGENT_STEP_KILL:
      stint_job_kill_for (self->job, cause);
      break;
    case STINT_AGENT_STEP_NONE:
    default:
      break;
    }
}

static gboolean
take_next_step (gpointer data)
{
  StintAgentSession *self = data;

  self->step_source = 0;
  if (self->state != STINT_AGENT_ENDED && self->step < STINT_AGENT_STEP_KILL)
    take_step (self, self->step + 1);
  return G_SOURCE_REMOVE;
}

void
stint_agent_session_hurry (StintAgentSession *self)
{
  if (self->step == STINT_AGENT_STEP_CANCEL && self->step_source != 0)
    wait_for_next (self, 0);
}

void
stint_agent_session_stop_for (StintAgentSession *self, StintReason cause, StintAgentStep from)
{
  if (stint_agent_session_is_over (self) || self->job == NULL)
    return;
  if (self->reading != NULL)
    stint_agent_session_cancel_for (self, NULL);
  if (self->stop_cause == STINT_REASON_NONE)
    self->stop_cause = cause;
  g_clear_handle_id (&self->start_source, g_source_remove);
  /* One that has been cancelled already has had its grace. */
  if (from == STINT_AGENT_STEP_CANCEL && (!self->in_turn || self->state == STINT_AGENT_CANCELLING))
    from = STINT_AGENT_STEP_CLOSE_INPUT;
  if (self->connection == NULL)
    from = STINT_AGENT_STEP_TERMINATE;
  take_step (self, from);
  stint_agent_session_withdraw_all (self);
  stint_agent_session_set_state (self, STINT_AGENT_STOPPING);
}

void
stint_agent_session_stop (StintAgentSession *self)
{
  g_return_if_fail (STINT_IS_AGENT_SESSION (self));

  stint_agent_session_stay_ended (self);
  if (self->state == STINT_AGENT_STOPPING && self->job != NULL)
    take_step (self, STINT_AGENT_STEP_KILL);
  else
    stint_agent_session_stop_for (self, STINT_REASON_TERMINATED, STINT_AGENT_STEP_CANCEL);
}
