/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A session that goes on as another one with a job of its own: because the user wants that, or by
 * itself after a login.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-agent-session-private.h"

#include "stint-sequence.h"

static gboolean
holds_lines (StintAgentSession *self)
{
  for (guint i = 0; self->followers != NULL && i < self->followers->len; i++)
    if (g_str_equal (stint_continuation_get_name (self->followers->pdata[i]), STINT_SEQUENCE_THEN))
      return TRUE;
  return FALSE;
}

/* (transfer full): it starts now; what follows the session is for the last of its jobs. */
static StintJobSpec *
new_wishes (StintAgentSession *self)
{
  StintJobSpec *wishes = stint_job_spec_copy (self->wishes);

  stint_job_spec_clear_schedule (wishes);
  for (guint i = 0; holds_lines (self) && i < stint_job_spec_get_n_then (self->wishes); i++)
    {
      StintThen when;
      const char *line = stint_job_spec_get_then (self->wishes, i, &when);

      stint_job_spec_add_then (wishes, when, line);
    }
  return wishes;
}

static void
give_followers (StintAgentSession *self, StintJob *job)
{
  g_autoptr (GPtrArray) followers = g_steal_pointer (&self->followers);

  for (guint i = 0; followers != NULL && i < followers->len; i++)
    stint_job_list_add_continuation (self->jobs, job, followers->pdata[i]);
}

void
stint_agent_session_plan_start (StintAgentSession *self)
{
  if (self->starts_again)
    return;
  self->starts_again = TRUE;
  /* They would run at its end, when the session goes on. */
  self->followers = stint_job_list_dup_continuations (self->jobs, self->job);
  for (guint i = 0; i < self->followers->len; i++)
    stint_job_list_remove_continuation (
        self->jobs, self->job, stint_continuation_get_name (self->followers->pdata[i]));
}

void
stint_agent_session_stay_ended (StintAgentSession *self)
{
  self->starts_again = FALSE;
  give_followers (self, self->job);
}

/* As a new job: what it has read of the login it has read at its start. */
void
stint_agent_session_start_again (StintAgentSession *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StintAgentSession) next = NULL;

  if (stint_job_list_is_closed (self->jobs))
    return;
  next = stint_agent_session_restart (self, &error);
  if (next == NULL)
    {
      stint_agent_session_emit_problem (self, error);
      stint_agent_session_stay_ended (self);
      return;
    }
  give_followers (self, next->job);
  /* Nobody has gone away meanwhile. */
  stint_agent_session_continue (next);
  stint_agent_session_emit_restarted (self, next);
}

StintAgentSession *
stint_agent_session_restart (StintAgentSession *self, GError **error)
{
  g_autoptr (StintAgentSession) next = NULL;
  guint n;

  g_return_val_if_fail (STINT_IS_AGENT_SESSION (self) && self->state == STINT_AGENT_ENDED, NULL);

  next = stint_agent_session_new (self->jobs, self->profile, self->directory);
  for (guint i = 1; self->directories->pdata[i] != NULL; i++)
    stint_agent_session_add_directory (next, self->directories->pdata[i]);
  next->name = g_strdup (self->name);
  if (self->wishes != NULL)
    next->wishes = new_wishes (self);
  next->timeout = self->timeout;
  next->limits = self->limits;
  next->policy = self->policy;
  next->wanted_id = g_strdup (self->session_id);
  n = g_list_model_get_n_items (G_LIST_MODEL (self->prompts));
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (StintAgentPrompt) prompt = g_list_model_get_item (G_LIST_MODEL (self->prompts), i);

      g_list_store_append (next->prompts, prompt);
    }
  /* What was typed before the agent died is looked at before it goes. */
  next->held = n > 0;
  if (!stint_agent_session_start (next, error))
    return NULL;
  g_list_store_remove_all (self->prompts);
  return g_steal_pointer (&next);
}
