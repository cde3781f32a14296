/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the agent asks of Stint: what the user must answer (permissions, forms, pages, a login, files
 * outside the session's directories) becomes a StintAgentRequest, unless the policy answers it; files
 * and terminals are passed on to those who have them.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-agent-session-private.h"

#include "stint-agent-request-private.h"
#include "stint-conversation-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* What a reply is for. */
typedef struct
{
  StintAgentSession *session;
  StintAcpRequest *request; /* (nullable): a login is asked by nobody */
  char *path;               /* (nullable): of a file, where it leads */
} Ask;

static void
ask_free (gpointer data)
{
  Ask *ask = data;

  g_clear_object (&ask->request);
  g_object_unref (ask->session);
  g_free (ask->path);
  g_free (ask);
}

static Ask *
ask_new (StintAgentSession *self, StintAcpRequest *request)
{
  Ask *ask = g_new0 (Ask, 1);

  ask->session = g_object_ref (self);
  ask->request = request != NULL ? g_object_ref (request) : NULL;
  return ask;
}

static void
handle_answered (StintAgentRequest *request, StintAgentSession *self)
{
  guint position;

  if (g_list_store_find (self->requests, request, &position))
    g_list_store_remove (self->requests, position);
  /* While the user was waited for the agent was not silent. */
  stint_agent_session_note_activity (self);
  stint_agent_session_update_state (self);
}

/* Takes @request. */
static void
add_request (StintAgentSession *self, StintAgentRequest *request, Ask *ask)
{
  g_autoptr (StintAgentRequest) owned = request;

  /* A person takes as long as it takes. */
  g_clear_handle_id (&self->start_source, g_source_remove);
  if (ask->request != NULL)
    g_signal_connect_object (ask->request, "cancelled", G_CALLBACK (stint_agent_request_withdraw),
                             request, G_CONNECT_SWAPPED);
  g_signal_connect_object (request, "answered", G_CALLBACK (handle_answered), self, 0);
  g_list_store_append (self->requests, request);
  stint_agent_session_update_state (self);
}

void
stint_agent_session_withdraw_all (StintAgentSession *self)
{
  /* One of them may be being answered just now, and this be a consequence of it. */
  for (guint i = g_list_model_get_n_items (G_LIST_MODEL (self->requests)); i > 0; i--)
    {
      g_autoptr (StintAgentRequest) request =
          g_list_model_get_item (G_LIST_MODEL (self->requests), i - 1);

      if (request != NULL)
        stint_agent_request_withdraw (request);
    }
}

static JsonNode *
object_node (JsonObject **object)
{
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);

  *object = json_object_new ();
  json_node_take_object (node, *object);
  return node;
}

/* Permissions */

static void
return_outcome (StintAcpRequest *request, const char *option_id)
{
  JsonObject *object, *outcome = json_object_new ();
  JsonNode *node = object_node (&object);

  json_object_set_string_member (outcome, "outcome", option_id != NULL ? "selected" : "cancelled");
  if (option_id != NULL)
    json_object_set_string_member (outcome, "optionId", option_id);
  json_object_set_object_member (object, "outcome", outcome);
  stint_acp_request_return (request, node);
}

static void
handle_permission_reply (StintAgentRequest *request,
                         StintAgentReply reply,
                         const char *id,
                         JsonNode *content,
                         gpointer data)
{
  Ask *ask = data;

  g_clear_pointer (&content, json_node_unref);
  return_outcome (ask->request, reply == STINT_AGENT_CHOSEN ? id : NULL);
}

static StintOptionKind
parse_option_kind (const char *word)
{
  static const char *const words[] = { "allow_once", "allow_always", "reject_once",
                                       "reject_always" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_strcmp0 (word, words[i]) == 0)
      return (StintOptionKind) i;
  return STINT_OPTION_OTHER;
}

static gboolean
is_one_of (const char *word, const char *const *words)
{
  return g_strv_contains (words, word);
}

/* Whether every file that a tool call names is in the session's directories, and it names one. */
static gboolean
names_only_inside (StintAgentSession *self, StintConversationItem *item)
{
  GPtrArray *locations = stint_conversation_item_get_locations (item);
  GPtrArray *contents = stint_conversation_item_get_contents (item);
  guint n = 0;

  for (guint i = 0; i < locations->len; i++, n++)
    {
      g_autofree char *path = g_strdup (locations->pdata[i]);
      char *colon = strrchr (path, ':');

      /* What looks like a line's number may be part of the name. */
      if (!stint_agent_files_is_inside (self->files, path))
        return FALSE;
      if (colon != NULL && colon[1] != '\0' &&
          strspn (colon + 1, "0123456789") == strlen (colon + 1))
        *colon = '\0';
      if (!stint_agent_files_is_inside (self->files, path))
        return FALSE;
    }
  for (guint i = 0; i < contents->len; i++)
    {
      const StintToolContent *content = contents->pdata[i];

      if (content->kind != STINT_TOOL_CONTENT_DIFF)
        continue;
      if (!stint_agent_files_is_inside (self->files, content->path))
        return FALSE;
      n++;
    }
  return n > 0;
}

typedef enum
{
  ASK,
  ALLOW,
  REJECT,
} Verdict;

static Verdict
judge (StintAgentSession *self, StintConversationItem *item)
{
  static const char *const reads[] = { "read", "search", NULL };
  static const char *const files[] = { "read", "edit", "delete", "move", NULL };
  static const char *const others[] = { "execute", "search", "think", "fetch", NULL };
  const char *kind = item != NULL ? stint_conversation_item_get_tool_kind (item) : "other";

  switch (self->policy)
    {
    case STINT_AGENT_REJECT:
      return REJECT;
    case STINT_AGENT_ALLOW:
      return ALLOW;
    case STINT_AGENT_ALLOW_READS:
      return is_one_of (kind, reads) ? ALLOW : ASK;
    case STINT_AGENT_ALLOW_IN_DIRECTORY:
      if (is_one_of (kind, files))
        return item != NULL && names_only_inside (self, item) ? ALLOW : ASK;
      return is_one_of (kind, others) ? ALLOW : ASK;
    case STINT_AGENT_ASK:
    default:
      return ASK;
    }
}

/* Returns: whether the policy has answered it. */
static gboolean
answer_by_policy (StintAgentSession *self, StintAgentRequest *request)
{
  Verdict verdict = judge (self, stint_agent_request_get_item (request));
  const char *id = stint_agent_request_find_allow (request, self->policy == STINT_AGENT_ALLOW);

  if (verdict == ASK || (verdict == ALLOW && id == NULL))
    return FALSE;
  if (verdict == ALLOW)
    stint_agent_request_choose (request, id);
  else
    stint_agent_request_reject (request);
  return TRUE;
}

void
stint_agent_session_apply_policy (StintAgentSession *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->requests));

  for (guint i = n; i > 0; i--)
    {
      g_autoptr (StintAgentRequest) request =
          g_list_model_get_item (G_LIST_MODEL (self->requests), i - 1);

      if (request != NULL &&
          stint_agent_request_get_kind (request) == STINT_AGENT_REQUEST_PERMISSION)
        answer_by_policy (self, request);
    }
}

static void
add_options (StintAgentRequest *request, JsonArray *options)
{
  for (guint i = 0; options != NULL && i < json_array_get_length (options); i++)
    {
      JsonObject *option = stint_acp_array_object (options, i);
      const char *id = stint_acp_get_string (option, "optionId");

      if (id != NULL)
        stint_agent_request_add_choice (request, id, stint_acp_get_string (option, "name"))->kind =
            parse_option_kind (stint_acp_get_string (option, "kind"));
    }
}

static void
handle_permission (StintAgentSession *self, StintAcpRequest *acp_request)
{
  JsonObject *params = stint_acp_request_get_params (acp_request);
  JsonObject *tool_call = stint_acp_get_object (params, "toolCall");
  StintConversationItem *item = stint_conversation_find_tool (
      self->conversation, stint_acp_get_string (tool_call, "toolCallId"));
  StintAgentRequest *request;
  Ask *ask;

  if (stint_acp_get_array (params, "options") == NULL || item == NULL)
    {
      stint_acp_request_return_error (acp_request, STINT_ACP_INVALID_PARAMS,
                                      "toolCall, options: missing");
      return;
    }
  /* It comes too late: the turn has been cancelled. */
  if (self->state == STINT_AGENT_CANCELLING || stint_agent_session_is_over (self))
    {
      return_outcome (acp_request, NULL);
      return;
    }
  ask = ask_new (self, acp_request);
  request = stint_agent_request_new (STINT_AGENT_REQUEST_PERMISSION,
                                     stint_conversation_item_get_text (item),
                                     handle_permission_reply, ask, ask_free);
  stint_agent_request_set_item (request, item);
  add_options (request, stint_acp_get_array (params, "options"));
  if (answer_by_policy (self, request))
    g_object_unref (request);
  else
    add_request (self, request, ask);
}

/* Forms and pages */

/* Takes @content: (nullable). */
static void
return_action (StintAcpRequest *request, const char *action, JsonNode *content)
{
  JsonObject *object;
  JsonNode *node = object_node (&object);

  json_object_set_string_member (object, "action", action);
  if (content != NULL)
    json_object_set_member (object, "content", content);
  stint_acp_request_return (request, node);
}

static void
handle_elicitation_reply (StintAgentRequest *request,
                          StintAgentReply reply,
                          const char *id,
                          JsonNode *content,
                          gpointer data)
{
  Ask *ask = data;

  if (reply != STINT_AGENT_ACCEPTED)
    g_clear_pointer (&content, json_node_unref);
  return_action (ask->request,
                 reply == STINT_AGENT_ACCEPTED   ? "accept"
                 : reply == STINT_AGENT_DECLINED ? "decline"
                                                 : "cancel",
                 content);
}

static void
handle_elicitation (StintAgentSession *self, StintAcpRequest *acp_request)
{
  JsonObject *params = stint_acp_request_get_params (acp_request);
  const char *mode = stint_acp_get_string (params, "mode");
  const char *message = stint_acp_get_string (params, "message");
  const char *url = stint_acp_get_string (params, "url");
  JsonObject *schema = stint_acp_get_object (params, "requestedSchema");
  gboolean form = g_strcmp0 (mode, "form") == 0 && schema != NULL;
  StintAgentRequest *request;
  Ask *ask;

  if (message == NULL || !(form || (g_strcmp0 (mode, "url") == 0 && url != NULL)))
    {
      stint_acp_request_return_error (acp_request, STINT_ACP_INVALID_PARAMS,
                                      "mode: form with requestedSchema, or url with url");
      return;
    }
  /* It comes too late, as for a permission. */
  if (self->state == STINT_AGENT_CANCELLING || stint_agent_session_is_over (self))
    {
      return_action (acp_request, "cancel", NULL);
      return;
    }
  ask = ask_new (self, acp_request);
  request = stint_agent_request_new (form ? STINT_AGENT_REQUEST_FORM : STINT_AGENT_REQUEST_URL,
                                     message, handle_elicitation_reply, ask, ask_free);
  if (form)
    stint_agent_request_set_schema (request, schema);
  stint_agent_request_set_url (request, url);
  add_request (self, request, ask);
}

/* Files */

static void
handle_file_reply (StintAgentRequest *request,
                   StintAgentReply reply,
                   const char *id,
                   JsonNode *content,
                   gpointer data)
{
  Ask *ask = data;

  g_clear_pointer (&content, json_node_unref);
  if (reply == STINT_AGENT_CHOSEN && g_str_equal (id, "allow"))
    stint_agent_files_allow (ask->session->files, ask->request, ask->path);
  else
    stint_acp_request_return_error (
        ask->request, STINT_ACP_INVALID_PARAMS,
        "The user does not allow that: outside the session's directories");
}

gboolean
stint_agent_session_handle_outside (StintAgentSession *self,
                                    StintAcpRequest *acp_request,
                                    const char *path)
{
  gboolean writes = g_str_equal (stint_acp_request_get_method (acp_request), "fs/write_text_file");
  g_autofree char *valid = g_filename_display_name (path);
  g_autofree char *title = NULL;
  StintAgentRequest *request;
  Ask *ask;

  if (self->policy == STINT_AGENT_REJECT || stint_agent_session_is_over (self))
    return FALSE;
  if (self->policy == STINT_AGENT_ALLOW || (self->policy == STINT_AGENT_ALLOW_READS && !writes))
    {
      stint_agent_files_allow (self->files, acp_request, NULL);
      return TRUE;
    }
  /* Translators: an agent asks; %s is a path */
  title = g_strdup_printf (writes ? _ ("Write %s, outside of this session's directories?")
                                  : _ ("Read %s, outside of this session's directories?"),
                           valid);
  ask = ask_new (self, acp_request);
  ask->path = g_strdup (path);
  request = stint_agent_request_new (STINT_AGENT_REQUEST_PERMISSION, title, handle_file_reply, ask,
                                     ask_free);
  stint_agent_request_add_choice (request, "allow", _ ("Allow"))->kind = STINT_OPTION_ALLOW_ONCE;
  stint_agent_request_add_choice (request, "reject", _ ("Reject"))->kind = STINT_OPTION_REJECT_ONCE;
  add_request (self, request, ask);
  return TRUE;
}

/* Logging in */

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

static void
handle_login_ended (GObject *source, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (StintAgentSession) self = data;
  g_autoptr (StintResult) result = stint_job_wait_finish (STINT_JOB (source), async_result, NULL);

  if (stint_agent_session_is_over (self) || self->connection == NULL)
    return;
  if (stint_result_is_success (result))
    go_on_logged_in (self);
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

/* The agent's own command in a terminal that the user types into. */
static void
log_in_by_terminal (StintAgentSession *self, JsonObject *method)
{
  JsonObject *environ = stint_acp_get_object (method, "env");
  g_auto (GStrv) own = stint_agent_profile_dup_argv (self->profile, NULL);
  g_autoptr (GPtrArray) argv = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GList) names = environ != NULL ? json_object_get_members (environ) : NULL;
  g_autoptr (StintJobSpec) spec = NULL;
  g_autoptr (StintJob) job = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; own != NULL && own[i] != NULL; i++)
    g_ptr_array_add (argv, g_strdup (own[i]));
  append_words (argv, stint_acp_get_array (method, "args"));
  g_ptr_array_add (argv, NULL);
  spec = stint_job_spec_new (STINT_JOB_KIND_TERMINAL, (const char *const *) argv->pdata);
  stint_job_spec_set_directory (spec, self->directory);
  stint_job_spec_set_parent (spec, stint_job_get_id (self->job));
  stint_job_spec_set_name (spec, stint_acp_get_string (method, "name"));
  for (GList *link = names; link != NULL; link = link->next)
    {
      const char *value = stint_acp_get_string (environ, link->data);
      g_autofree char *change =
          value != NULL ? g_strdup_printf ("%s=%s", (char *) link->data, value) : NULL;

      if (change != NULL)
        stint_job_spec_add_env (spec, change, NULL);
    }
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
  StintAgentSession *self = ((Ask *) data)->session;
  JsonObject *method = reply == STINT_AGENT_CHOSEN ? find_auth_method (self, id) : NULL;
  JsonObject *params;
  JsonNode *node;

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
  node = object_node (&params);
  json_object_set_string_member (params, "methodId", id);
  stint_acp_connection_call_async (self->connection, "authenticate", node, self->cancellable,
                                   handle_authenticated, g_object_ref (self));
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
  Ask *ask;

  ask = ask_new (self, NULL);
  request = stint_agent_request_new (STINT_AGENT_REQUEST_LOGIN, _ ("The agent wants you to log in"),
                                     handle_login_reply, ask, ask_free);
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
  add_request (self, request, ask);
}

/* All that the agent asks */

gboolean
stint_agent_session_handle_request (StintAgentSession *self, StintAcpRequest *request)
{
  const char *method = stint_acp_request_get_method (request);
  JsonObject *params = stint_acp_request_get_params (request);
  const char *session_id = stint_acp_get_string (params, "sessionId");
  gboolean file =
      g_str_equal (method, "fs/read_text_file") || g_str_equal (method, "fs/write_text_file");
  gboolean terminal =
      g_str_equal (method, "terminal/create") || g_str_equal (method, "terminal/output") ||
      g_str_equal (method, "terminal/wait_for_exit") || g_str_equal (method, "terminal/kill") ||
      g_str_equal (method, "terminal/release");

  if (g_str_equal (method, "elicitation/create"))
    {
      handle_elicitation (self, request);
      return TRUE;
    }
  if (!g_str_equal (method, "session/request_permission") &&
      !(file && stint_agent_profile_get_files (self->profile)) &&
      !(terminal && stint_agent_profile_get_terminals (self->profile)))
    return FALSE;

  if (session_id == NULL)
    stint_acp_request_return_error (request, STINT_ACP_INVALID_PARAMS, "sessionId: missing");
  else if (g_strcmp0 (session_id, self->session_id) != 0)
    stint_acp_request_return_error (request, STINT_ACP_NOT_FOUND, "There is no session “%s”",
                                    session_id);
  else if (self->policy == STINT_AGENT_REJECT &&
           (g_str_equal (method, "terminal/create") || g_str_equal (method, "fs/write_text_file")))
    stint_acp_request_return_error (request, STINT_ACP_INVALID_PARAMS,
                                    "The user rejects everything");
  else if (g_str_equal (method, "terminal/create") && stint_agent_session_is_over (self))
    stint_acp_request_return_error (request, STINT_ACP_INVALID_PARAMS,
                                    "The session is being ended");
  else if (file)
    stint_agent_files_handle (self->files, request);
  else if (terminal)
    stint_agent_terminals_handle (self->terminals, request);
  else
    handle_permission (self, request);
  return TRUE;
}
