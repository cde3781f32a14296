/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The chain: a prompt, its turn, the next prompt. There is no loop: each end of a turn decides what
 * follows, and asks first whether Stint is shutting down.
 *
 * A turn has three clocks. The turn's own limit runs through. The idle limit runs while the agent is
 * silent, and stands still while it waits for the user or for a terminal, which has limits of its own.
 * Either cancels the turn, and an agent that does not let itself be cancelled is stopped.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-agent-session-private.h"

#include "stint-units.h"

#include <glib/gi18n-lib.h>

static guint
timeout_add (gint64 usec, GSourceFunc func, gpointer data)
{
  return g_timeout_add ((guint) CLAMP (usec / 1000 + 1, 1, G_MAXUINT), func, data);
}

/* The idle limit */

static gboolean
stands_still (StintAgentSession *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self->requests)) > 0 ||
         (self->terminals != NULL && stint_agent_terminals_get_n_running (self->terminals) > 0);
}

static gint64
get_idle_since (StintAgentSession *self)
{
  gint64 since = self->idle_since;

  if (self->connection != NULL)
    since = MAX (since, stint_acp_connection_get_last_read (self->connection));
  return since;
}

gint64
stint_agent_session_get_idle_left (StintAgentSession *self)
{
  if (self->limits.idle == 0 || stands_still (self) ||
      (self->state != STINT_AGENT_TURN && self->state != STINT_AGENT_WAITING))
    return STINT_NEVER;
  return MAX (0, get_idle_since (self) + self->limits.idle - g_get_monotonic_time ());
}

gint64
stint_agent_session_get_turn_left (StintAgentSession *self)
{
  return self->turn_until != 0 ? MAX (0, self->turn_until - g_get_monotonic_time ()) : STINT_NEVER;
}

/* Looks only when it may have expired: no work for each message. */
static gboolean
handle_idle (gpointer data)
{
  StintAgentSession *self = data;
  gint64 left = stint_agent_session_get_idle_left (self);

  self->idle_source = 0;
  if (self->state != STINT_AGENT_TURN && self->state != STINT_AGENT_WAITING)
    return G_SOURCE_REMOVE;
  if (left == 0)
    {
      self->stop_cause = STINT_REASON_IDLE_TIMEOUT;
      stint_agent_session_cancel_for (self, "idle-timeout");
    }
  else
    {
      self->idle_source = timeout_add (MIN (left, self->limits.idle), handle_idle, self);
    }
  return G_SOURCE_REMOVE;
}

void
stint_agent_session_note_activity (StintAgentSession *self)
{
  self->idle_since = g_get_monotonic_time ();
}

static gboolean
handle_turn_timeout (gpointer data)
{
  StintAgentSession *self = data;

  self->turn_source = 0;
  self->stop_cause = STINT_REASON_TIMEOUT;
  stint_agent_session_cancel_for (self, "timeout");
  return G_SOURCE_REMOVE;
}

static void
start_clocks (StintAgentSession *self)
{
  stint_agent_session_note_activity (self);
  if (self->limits.turn > 0)
    {
      self->turn_until = g_get_monotonic_time () + self->limits.turn;
      self->turn_source = timeout_add (self->limits.turn, handle_turn_timeout, self);
    }
  if (self->limits.idle > 0)
    self->idle_source = timeout_add (self->limits.idle, handle_idle, self);
}

static void
stop_clocks (StintAgentSession *self)
{
  self->turn_until = 0;
  g_clear_handle_id (&self->turn_source, g_source_remove);
  g_clear_handle_id (&self->idle_source, g_source_remove);
}

/* A turn's end */

void
stint_agent_session_end_turn (StintAgentSession *self, const char *reason)
{
  stop_clocks (self);
  self->in_turn = FALSE;
  stint_agent_session_set_stop_reason (self, reason);
  if (self->state == STINT_AGENT_STOPPING)
    {
      stint_agent_session_hurry (self);
    }
  else if (self->state != STINT_AGENT_ENDED)
    {
      self->stop_cause = STINT_REASON_NONE;
      g_clear_handle_id (&self->step_source, g_source_remove);
      stint_agent_session_set_step (self, STINT_AGENT_STEP_NONE);
      stint_agent_session_withdraw_all (self);
      stint_agent_session_set_state (self, STINT_AGENT_READY);
    }
  stint_agent_session_check_log (self);
  stint_agent_session_emit_turn_ended (self, reason);
}

static const char *
name_cause (StintReason cause)
{
  return cause == STINT_REASON_TIMEOUT        ? "timeout"
         : cause == STINT_REASON_IDLE_TIMEOUT ? "idle-timeout"
                                              : NULL;
}

static void
handle_prompted (GObject *source, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (StintAgentSession) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node =
      stint_acp_connection_call_finish (STINT_ACP_CONNECTION (source), async_result, &error);
  const char *reason = stint_acp_get_string (stint_acp_node_object (node), "stopReason");
  gboolean cancelling =
      self->state == STINT_AGENT_CANCELLING || self->state == STINT_AGENT_STOPPING;

  /* The connection's end is told by whoever sees the job end. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CLOSED) ||
      g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (error != NULL)
    {
      /* Some agents answer a cancelled turn with an error. */
      reason = cancelling ? "cancelled" : "error";
      stint_agent_session_set_error (self, cancelling ? NULL : error->message);
      self->held = self->held || !cancelling;
    }
  if (reason == NULL)
    reason = "unknown";
  if (!g_str_equal (reason, "end_turn") && name_cause (self->stop_cause) != NULL)
    reason = name_cause (self->stop_cause);
  stint_agent_session_end_turn (self, reason);
  if (self->state == STINT_AGENT_READY && stint_agent_session_wants_login (self, error))
    stint_agent_session_ask_login (self);
  stint_agent_session_go_on (self);
}

static void
send_prompt (StintAgentSession *self, StintAgentPrompt *prompt)
{
  JsonObject *params;
  JsonNode *node = stint_agent_session_new_params (self, &params);

  json_object_set_array_member (
      params, "prompt",
      stint_agent_prompt_to_blocks (prompt, stint_agent_session_takes_images (self),
                                    stint_agent_session_takes_embedded (self)));
  stint_acp_connection_call_async (self->connection, "session/prompt", node, self->cancellable,
                                   handle_prompted, g_object_ref (self));
}

static void
handle_read (GObject *source, GAsyncResult *result, gpointer data)
{
  StintAgentPrompt *prompt = STINT_AGENT_PROMPT (source);
  g_autoptr (StintAgentSession) self = data;
  g_autoptr (GPtrArray) problems = stint_agent_prompt_read_finish (prompt, result);

  /* The turn is over, or the agent. */
  if (self->reading != prompt || stint_agent_session_is_over (self))
    return;
  g_clear_object (&self->reading);
  for (guint i = 0; i < problems->len; i++)
    stint_agent_session_note_notice (self, STINT_NOTICE_WARNING, problems->pdata[i]);
  send_prompt (self, prompt);
}

gboolean
stint_agent_session_take_back (StintAgentSession *self)
{
  g_autoptr (StintAgentPrompt) prompt = g_steal_pointer (&self->reading);

  if (prompt == NULL)
    return FALSE;
  self->held = TRUE;
  g_list_store_insert (self->prompts, 0, prompt);
  stint_agent_session_note_notice (
      self, STINT_NOTICE_WARNING,
      _ ("The prompt was not sent: its turn ended while its files were still being read"));
  return TRUE;
}

static void
begin_turn (StintAgentSession *self, StintAgentPrompt *prompt)
{
  stint_job_set_subject (self->job, stint_agent_prompt_get_text (prompt));
  stint_agent_session_set_error (self, NULL);
  self->stop_cause = STINT_REASON_NONE;
  self->in_turn = TRUE;
  stint_agent_session_set_state (self, STINT_AGENT_TURN);
  start_clocks (self);
  if (!stint_agent_session_takes_embedded (self) || !stint_agent_prompt_has_files (prompt))
    {
      send_prompt (self, prompt);
      return;
    }
  self->reading = g_object_ref (prompt);
  stint_agent_prompt_read_async (prompt, handle_read, g_object_ref (self));
}

void
stint_agent_session_go_on (StintAgentSession *self)
{
  g_autoptr (StintAgentPrompt) prompt = NULL;

  if (stint_job_list_is_closed (self->jobs) || self->state != STINT_AGENT_READY || self->held ||
      self->probes)
    return;
  prompt = g_list_model_get_item (G_LIST_MODEL (self->prompts), 0);
  if (prompt == NULL)
    return;
  g_list_store_remove (self->prompts, 0);
  begin_turn (self, prompt);
}

void
stint_agent_session_prompt (StintAgentSession *self, StintAgentPrompt *prompt)
{
  g_return_if_fail (STINT_IS_AGENT_SESSION (self) && STINT_IS_AGENT_PROMPT (prompt));

  g_list_store_append (self->prompts, prompt);
  stint_agent_session_continue (self);
}

void
stint_agent_session_prompt_text (StintAgentSession *self, const char *text)
{
  g_autoptr (StintAgentPrompt) prompt = stint_agent_prompt_new (text);

  stint_agent_session_prompt (self, prompt);
}

void
stint_agent_session_remove_prompt (StintAgentSession *self, StintAgentPrompt *prompt)
{
  guint position;

  g_return_if_fail (STINT_IS_AGENT_SESSION (self));

  if (g_list_store_find (self->prompts, prompt, &position))
    g_list_store_remove (self->prompts, position);
}

void
stint_agent_session_continue (StintAgentSession *self)
{
  g_return_if_fail (STINT_IS_AGENT_SESSION (self));

  /* A turn that is being cancelled goes on being so; what waits has been asked for since. */
  self->held = FALSE;
  stint_agent_session_go_on (self);
}

/* Cancelling */

static gboolean
handle_cancel_grace (gpointer data)
{
  StintAgentSession *self = data;

  self->step_source = 0;
  stint_agent_session_note_notice (
      self, STINT_NOTICE_WARNING,
      _ ("The agent does not let itself be cancelled: it is being stopped"));
  stint_agent_session_stop_for (
      self, self->stop_cause != STINT_REASON_NONE ? self->stop_cause : STINT_REASON_TERMINATED,
      STINT_AGENT_STEP_CLOSE_INPUT);
  return G_SOURCE_REMOVE;
}

void
stint_agent_session_cancel_for (StintAgentSession *self, const char *cause)
{
  JsonObject *params;
  JsonNode *node;

  if (self->state != STINT_AGENT_TURN && self->state != STINT_AGENT_WAITING)
    return;
  /* The agent knows nothing of it yet. */
  if (stint_agent_session_take_back (self))
    {
      stint_agent_session_end_turn (self, cause != NULL ? cause : "cancelled");
      return;
    }
  self->held = TRUE;
  stop_clocks (self);
  if (cause != NULL)
    {
      JsonObject *note = json_object_new ();

      json_object_set_string_member (note, "cause", cause);
      stint_agent_session_note (self, note);
    }
  stint_agent_session_set_state (self, STINT_AGENT_CANCELLING);
  stint_agent_session_set_step (self, STINT_AGENT_STEP_CANCEL);
  node = stint_agent_session_new_params (self, &params);
  stint_acp_connection_notify (self->connection, "session/cancel", node);
  stint_agent_session_withdraw_all (self);
  self->step_source = timeout_add (self->limits.cancel_grace, handle_cancel_grace, self);
}

void
stint_agent_session_cancel (StintAgentSession *self)
{
  g_return_if_fail (STINT_IS_AGENT_SESSION (self));
  stint_agent_session_cancel_for (self, NULL);
}

gboolean
stint_agent_session_interrupt (StintAgentSession *self)
{
  gint64 now = g_get_monotonic_time ();
  gboolean again;

  g_return_val_if_fail (STINT_IS_AGENT_SESSION (self), FALSE);

  again = self->interrupted_at != 0 && now - self->interrupted_at <= G_USEC_PER_SEC;
  self->interrupted_at = now;
  if (self->in_turn && !again)
    {
      stint_agent_session_cancel (self);
      return FALSE;
    }
  stint_agent_session_stop (self);
  return TRUE;
}
