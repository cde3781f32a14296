/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the agent asks of Stint: what the user must answer (permissions, forms, pages, files outside
 * the session's directories) becomes a StintAgentRequest, unless the policy answers it; files and
 * terminals are passed on to those who have them.
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
  StintAcpRequest *request;
  char *path; /* (nullable): of a file, where it leads */
} Ask;

static void
ask_free (gpointer data)
{
  Ask *ask = data;

  g_object_unref (ask->request);
  g_object_unref (ask->session);
  g_free (ask->path);
  g_free (ask);
}

static Ask *
ask_new (StintAgentSession *self, StintAcpRequest *request)
{
  Ask *ask = g_new0 (Ask, 1);

  ask->session = g_object_ref (self);
  ask->request = g_object_ref (request);
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

void
stint_agent_session_add_request (StintAgentSession *self,
                                 StintAgentRequest *request,
                                 StintAcpRequest *asked)
{
  g_autoptr (StintAgentRequest) owned = request;

  /* A person takes as long as it takes. */
  g_clear_handle_id (&self->start_source, g_source_remove);
  if (asked != NULL)
    g_signal_connect_object (asked, "cancelled", G_CALLBACK (stint_agent_request_withdraw), request,
                             G_CONNECT_SWAPPED);
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
    stint_agent_session_add_request (self, request, acp_request);
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
  stint_agent_session_add_request (self, request, acp_request);
}

/* Files */

static void
handle_file_turn (StintAcpRequest *request, gpointer data)
{
  Ask *ask = data;

  stint_agent_files_allow (ask->session->files, request, ask->path);
}

static void
handle_file_reply (StintAgentRequest *request,
                   StintAgentReply reply,
                   const char *id,
                   JsonNode *content,
                   gpointer data)
{
  Ask *ask = data, *allowed;

  g_clear_pointer (&content, json_node_unref);
  if (reply != STINT_AGENT_CHOSEN || !g_str_equal (id, "allow"))
    {
      stint_acp_request_return_error (
          ask->request, STINT_ACP_INVALID_PARAMS,
          "The user does not allow that: outside the session's directories");
      return;
    }
  allowed = ask_new (ask->session, ask->request);
  allowed->path = g_strdup (ask->path);
  stint_acp_request_resume (ask->request, handle_file_turn, allowed, ask_free);
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
  /* The path was resolved in a thread meanwhile: a turn that is being cancelled asks nothing more. */
  if (self->state == STINT_AGENT_CANCELLING)
    return FALSE;
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
  stint_agent_session_add_request (self, request, acp_request);
  stint_acp_request_set_aside (acp_request);
  return TRUE;
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
