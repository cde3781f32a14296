/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Logging in to an agent, when it says that it needs it: by a method of its own, or by its command in a
 * terminal.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-agent-session-private.h"

#include "stint-agent-request-private.h"

#include <glib/gi18n-lib.h>

/* It was asked for before there was a session, or in answer to a prompt, which can be said again. */
static void
go_on_logged_in (StintAgentSession *self)
{
  if (self->state == STINT_AGENT_STARTING)
    stint_agent_session_open (self);
}

static void
handle_authenticated (GObject *source, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (StintAgentSession) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node =
      stint_acp_connection_call_finish (STINT_ACP_CONNECTION (source), async_result, &error);

  /* The connection's end is told by whoever sees the job end. */
  if (stint_agent_session_is_over (self) || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CLOSED))
    return;
  if (error == NULL)
    {
      go_on_logged_in (self);
      return;
    }
  stint_agent_session_emit_problem (self, error);
  stint_agent_session_ask_login (self);
}

static JsonObject *
find_auth_method (StintAgentSession *self, const char *id)
{
  for (guint i = 0; self->auth_methods != NULL && i < json_array_get_length (self->auth_methods);
       i++)
    {
      JsonObject *method = stint_acp_array_object (self->auth_methods, i);

      if (g_strcmp0 (stint_acp_get_string (method, "id"), id) == 0)
        return method;
    }
  return NULL;
}

/* An agent reads at its start who is logged in. One that would forget what has been said goes on as it
 * is: it may have found out by itself. */
static void
reconnect (StintAgentSession *self)
{
  if (self->state != STINT_AGENT_STARTING && !stint_acp_can_continue (self->capabilities))
    return;
  stint_agent_session_plan_start (self);
  stint_agent_session_note_notice (self, STINT_NOTICE_INFO,
                                   _ ("You have logged in: the agent is started again"));
  stint_agent_session_stop_for (self, STINT_REASON_NONE, STINT_AGENT_STEP_CLOSE_INPUT);
}

static void
handle_login_ended (GObject *source, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (StintAgentSession) self = data;
  g_autoptr (StintResult) result = stint_job_wait_finish (STINT_JOB (source), async_result, NULL);

  if (stint_agent_session_is_over (self) || self->connection == NULL)
    return;
  if (stint_result_is_success (result))
    reconnect (self);
  else
    stint_agent_session_ask_login (self);
}

static void
append_words (GPtrArray *argv, JsonArray *args)
{
  for (guint i = 0; args != NULL && i < json_array_get_length (args); i++)
    {
      JsonNode *node = json_array_get_element (args, i);

      if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
        g_ptr_array_add (argv, g_strdup (json_node_get_string (node)));
    }
}

/* (transfer full) (nullable): the agent's own command, in the session's environment. */
static StintJobSpec *
make_login_spec (StintAgentSession *self, JsonObject *method, GError **error)
{
  JsonObject *environ = stint_acp_get_object (method, "env");
  g_auto (GStrv) own = stint_agent_profile_dup_argv (self->profile, error);
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GList) names = environ != NULL ? json_object_get_members (environ) : NULL;
  g_autoptr (StintJobSpec) spec = NULL;

  if (own == NULL)
    return NULL;
  for (guint i = 0; own[i] != NULL; i++)
    g_ptr_array_add (argv, g_strdup (own[i]));
  append_words (argv, stint_acp_get_array (method, "args"));
  g_ptr_array_add (argv, NULL);
  spec = stint_job_spec_new (STINT_JOB_KIND_TERMINAL, (const char *const *) argv->pdata);
  stint_job_spec_set_directory (spec, self->directory);
  stint_job_spec_set_parent (spec, stint_job_get_id (self->job));
  stint_job_spec_set_name (spec, stint_acp_get_string (method, "name"));
  if (self->wishes != NULL)
    stint_job_spec_set_keep (spec, stint_job_spec_get_keep (self->wishes));
  if (!stint_agent_session_apply_environ (self, spec, error))
    return NULL;
  for (GList *link = names; link != NULL; link = link->next)
    {
      const char *value = stint_acp_get_string (environ, link->data);
      g_autofree char *change =
          value != NULL ? g_strdup_printf ("%s=%s", (char *) link->data, value) : NULL;

      if (change != NULL)
        stint_job_spec_add_env (spec, change, NULL);
    }
  return g_steal_pointer (&spec);
}

/* In a terminal that the user types into. */
static void
log_in_by_terminal (StintAgentSession *self, JsonObject *method)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StintJobSpec) spec = make_login_spec (self, method, &error);
  g_autoptr (StintJob) job = NULL;

  if (spec != NULL)
    job = stint_job_list_submit (self->jobs, spec, NULL, &error);
  if (job != NULL)
    {
      stint_job_wait_async (job, NULL, handle_login_ended, g_object_ref (self));
      return;
    }
  stint_agent_session_emit_problem (self, error);
  stint_agent_session_ask_login (self);
}

static void
handle_login_reply (StintAgentRequest *request,
                    StintAgentReply reply,
                    const char *id,
                    JsonNode *content,
                    gpointer data)
{
  StintAgentSession *self = data;
  JsonObject *method = reply == STINT_AGENT_CHOSEN ? find_auth_method (self, id) : NULL;
  JsonObject *params;

  g_clear_pointer (&content, json_node_unref);
  if (method == NULL)
    {
      /* Without a login it does not even begin. */
      if (self->state != STINT_AGENT_STARTING)
        return;
      stint_agent_session_stop_for (self, STINT_REASON_TERMINATED, STINT_AGENT_STEP_CLOSE_INPUT);
      return;
    }
  if (g_strcmp0 (stint_acp_get_string (method, "type"), "terminal") == 0)
    {
      log_in_by_terminal (self, method);
      return;
    }
  params = json_object_new ();
  json_object_set_string_member (params, "methodId", id);
  stint_acp_connection_call_async (self->connection, "authenticate", stint_acp_node_new (params),
                                   self->cancellable, handle_authenticated, g_object_ref (self));
}

gboolean
stint_agent_session_wants_login (StintAgentSession *self, const GError *error)
{
  return g_error_matches (error, STINT_ACP_ERROR, STINT_ACP_AUTH_REQUIRED) &&
         self->auth_methods != NULL && json_array_get_length (self->auth_methods) > 0;
}

void
stint_agent_session_ask_login (StintAgentSession *self)
{
  StintAgentRequest *request;

  request = stint_agent_request_new (STINT_AGENT_REQUEST_LOGIN, _ ("The agent wants you to log in"),
                                     handle_login_reply, g_object_ref (self), g_object_unref);
  for (guint i = 0; i < json_array_get_length (self->auth_methods); i++)
    {
      JsonObject *method = stint_acp_array_object (self->auth_methods, i);
      const char *id = stint_acp_get_string (method, "id");
      const char *type = stint_acp_get_string (method, "type");
      StintAgentChoice *choice;

      if (id == NULL)
        continue;
      choice = stint_agent_request_add_choice (request, id, stint_acp_get_string (method, "name"));
      choice->description = g_strdup (stint_acp_get_string (method, "description"));
      choice->needs_terminal = g_strcmp0 (type, "terminal") == 0;
      choice->supported = type == NULL || choice->needs_terminal || g_str_equal (type, "agent");
    }
  stint_agent_session_add_request (self, request, NULL);
}
