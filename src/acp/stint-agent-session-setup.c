/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the agent's process to a session of the protocol: initialize, new, load or resume; and what
 * the agent tells of the session's options.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-agent-session-private.h"

#include "stint-error.h"

#include <glib/gi18n-lib.h>

#define PROTOCOL_VERSION 1

static JsonObject *
add_object (JsonObject *object, const char *name)
{
  JsonObject *member = json_object_new ();

  json_object_set_object_member (object, name, member);
  return member;
}

JsonNode *
stint_agent_session_new_params (StintAgentSession *self, JsonObject **params)
{
  *params = json_object_new ();
  json_object_set_string_member (*params, "sessionId",
                                 self->session_id != NULL ? self->session_id : "");
  return stint_acp_node_new (*params);
}

gboolean
stint_agent_session_has_capability (StintAgentSession *self, const char *name)
{
  return stint_acp_has (stint_acp_get_object (self->capabilities, "sessionCapabilities"), name);
}

/* What Stint serves. */
static JsonNode *
make_initialize_params (StintAgentSession *self)
{
  JsonObject *params = json_object_new (), *capabilities, *object;
  gboolean files = stint_agent_profile_get_files (self->profile);

  json_object_set_int_member (params, "protocolVersion", PROTOCOL_VERSION);
  capabilities = add_object (params, "clientCapabilities");
  object = add_object (capabilities, "fs");
  json_object_set_boolean_member (object, "readTextFile", files);
  json_object_set_boolean_member (object, "writeTextFile", files);
  json_object_set_boolean_member (capabilities, "terminal",
                                  stint_agent_profile_get_terminals (self->profile));
  object = add_object (capabilities, "session");
  add_object (add_object (object, "configOptions"), "boolean");
  add_object (object, "notices");
  add_object (object, "compaction");
  json_object_set_boolean_member (add_object (capabilities, "auth"), "terminal", TRUE);
  object = add_object (capabilities, "elicitation");
  add_object (object, "form");
  add_object (object, "url");
  json_object_set_boolean_member (add_object (capabilities, "_meta"), "terminal_output", TRUE);
  object = add_object (params, "clientInfo");
  json_object_set_string_member (object, "name", "stint");
  json_object_set_string_member (object, "title", "Stint");
  json_object_set_string_member (object, "version", PACKAGE_VERSION);
  return stint_acp_node_new (params);
}

static void
fail (StintAgentSession *self, GError *error)
{
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) &&
      !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CLOSED) &&
      !stint_agent_session_is_over (self))
    {
      self->failed_start = TRUE;
      stint_agent_session_set_error (self, error->message);
      stint_agent_session_note_notice (self, STINT_NOTICE_ERROR, error->message);
      stint_agent_session_emit_problem (self, error);
      stint_agent_session_stop_for (self, STINT_REASON_TERMINATED, STINT_AGENT_STEP_CLOSE_INPUT);
    }
  g_error_free (error);
}

static void
handle_initialized (GObject *source, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (StintAgentSession) self = data;
  GError *error = NULL;
  g_autoptr (JsonNode) node =
      stint_acp_connection_call_finish (STINT_ACP_CONNECTION (source), async_result, &error);
  JsonObject *result = stint_acp_node_object (node), *member;
  gint64 version = stint_acp_get_int (result, "protocolVersion", -1);
  JsonArray *methods = stint_acp_get_array (result, "authMethods");

  if (stint_agent_session_is_over (self))
    {
      g_clear_error (&error);
      return;
    }
  if (error == NULL && version != PROTOCOL_VERSION)
    error = g_error_new (STINT_ERROR, STINT_ERROR_FAILED,
                         _ ("The agent speaks version %d of the protocol, and Stint version %d; "
                            "another version of the agent may help"),
                         (int) CLAMP (version, -1, G_MAXINT), PROTOCOL_VERSION);
  if (error != NULL)
    {
      fail (self, error);
      return;
    }
  member = stint_acp_get_object (result, "agentCapabilities");
  self->capabilities = member != NULL ? json_object_ref (member) : NULL;
  self->auth_methods = methods != NULL ? json_array_ref (methods) : NULL;
  if (self->probes)
    stint_agent_session_set_state (self, STINT_AGENT_READY);
  else
    stint_agent_session_open (self);
}

void
stint_agent_session_initialize (StintAgentSession *self)
{
  stint_acp_connection_call_async (self->connection, "initialize", make_initialize_params (self),
                                   self->cancellable, handle_initialized, g_object_ref (self));
}

/* The session */

static void
read_options (StintAgentSession *self, JsonObject *result)
{
  JsonArray *options = stint_acp_get_array (result, "configOptions");

  if (options != NULL && json_array_get_length (options) > 0)
    {
      stint_agent_options_replace (self->options, options);
      return;
    }
  stint_agent_options_replace (self->options, NULL);
  stint_agent_options_add_modes (self->options, stint_acp_get_object (result, "modes"));
  stint_agent_options_add_models (self->options, stint_acp_get_object (result, "models"));
}

/* What was said before is shown by loading, and not by resuming. */
static void
note_resumed (StintAgentSession *self)
{
  if (self->wanted_id != NULL && !stint_agent_session_can_load (self))
    stint_agent_session_note_notice (
        self, STINT_NOTICE_INFO,
        _ ("The agent goes on with an earlier session, and remembers what was said in it. That is "
           "shown where it was said."));
}

static void
handle_opened (GObject *source, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (StintAgentSession) self = data;
  GError *error = NULL;
  g_autoptr (JsonNode) node =
      stint_acp_connection_call_finish (STINT_ACP_CONNECTION (source), async_result, &error);
  JsonObject *result = stint_acp_node_object (node);
  const char *id = stint_acp_get_string (result, "sessionId");

  if (stint_agent_session_is_over (self))
    {
      g_clear_error (&error);
      return;
    }
  if (stint_agent_session_wants_login (self, error))
    {
      g_clear_error (&error);
      stint_agent_session_ask_login (self);
      return;
    }
  if (error != NULL && self->wanted_id != NULL)
    {
      /* The agent has lost it. A new one is better than none. */
      g_autofree char *text = g_strdup_printf (
          _ ("The agent could not go on with the session: %s. This is a new one."), error->message);

      g_clear_error (&error);
      g_clear_pointer (&self->wanted_id, g_free);
      g_clear_pointer (&self->session_id, g_free);
      stint_agent_session_note_notice (self, STINT_NOTICE_WARNING, text);
      stint_agent_session_open (self);
      return;
    }
  if (error == NULL && id == NULL && self->session_id == NULL)
    error = g_error_new_literal (STINT_ERROR, STINT_ERROR_FAILED,
                                 _ ("The agent gave its session no id"));
  if (error != NULL)
    {
      fail (self, error);
      return;
    }

  if (self->session_id == NULL)
    self->session_id = g_strdup (id);
  note_resumed (self);
  read_options (self, result);
  g_clear_handle_id (&self->start_source, g_source_remove);
  stint_agent_session_set_state (self, STINT_AGENT_READY);
  stint_agent_session_go_on (self);
}

static void
add_directories (StintAgentSession *self, JsonObject *params)
{
  JsonArray *more;

  json_object_set_string_member (params, "cwd", self->directory);
  json_object_set_array_member (params, "mcpServers", json_array_new ());
  if (self->directories->len < 3 ||
      !stint_agent_session_has_capability (self, "additionalDirectories"))
    return;
  more = json_array_new ();
  for (guint i = 1; self->directories->pdata[i] != NULL; i++)
    json_array_add_string_element (more, self->directories->pdata[i]);
  json_object_set_array_member (params, "additionalDirectories", more);
}

/* How to go on with the wanted session. Returns: (nullable): the agent cannot */
static const char *
choose_method (StintAgentSession *self)
{
  if (self->wanted_id == NULL)
    return "session/new";
  /* Loading shows the conversation too. */
  if (stint_agent_session_can_load (self))
    return "session/load";
  return stint_agent_session_can_resume (self) ? "session/resume" : NULL;
}

void
stint_agent_session_open (StintAgentSession *self)
{
  const char *method = choose_method (self);
  JsonObject *params = json_object_new ();

  if (method == NULL)
    {
      stint_agent_session_note_notice (
          self, STINT_NOTICE_WARNING,
          _ ("The agent cannot go on with an earlier session. This is a new one."));
      g_clear_pointer (&self->wanted_id, g_free);
      method = "session/new";
    }
  if (self->wanted_id != NULL)
    {
      g_free (self->session_id);
      self->session_id = g_strdup (self->wanted_id);
      json_object_set_string_member (params, "sessionId", self->session_id);
    }
  add_directories (self, params);
  stint_acp_connection_call_async (self->connection, method, stint_acp_node_new (params),
                                   self->cancellable, handle_opened, g_object_ref (self));
}

/* What the agent tells of it */

static void
update_usage (StintAgentSession *self, JsonObject *update)
{
  JsonObject *cost = stint_acp_get_object (update, "cost");
  const char *currency = stint_acp_get_string (cost, "currency");
  gint64 used = stint_acp_get_int (update, "used", -1),
         size = stint_acp_get_int (update, "size", 0);
  g_autofree char *tokens = NULL, *text = NULL;

  if (used < 0)
    return;
  tokens = size > 0
               /* Translators: of a language model: how many tokens of how many are in use */
               ? g_strdup_printf (_ ("%d%% of %dk tokens"),
                                  (int) CLAMP ((double) used * 100 / (double) size, 0, 1000),
                                  (int) MIN (size / 1000, G_MAXINT))
               : g_strdup_printf (ngettext ("%d token", "%d tokens", (gulong) used),
                                  (int) MIN (used, G_MAXINT));
  if (currency != NULL)
    /* Translators: an amount of tokens, and what they cost: a number and a currency such as USD */
    text = g_strdup_printf (_ ("%s, %.2f %s"), tokens, stint_acp_get_double (cost, "amount", 0),
                            currency);
  stint_agent_session_set_usage (self, text != NULL ? text : tokens);
}

static void
handle_update (StintAgentSession *self, JsonObject *params)
{
  JsonObject *update = stint_acp_get_object (params, "update");
  const char *kind = stint_acp_get_string (update, "sessionUpdate");
  const char *session_id = stint_acp_get_string (params, "sessionId");

  if (kind == NULL || (self->session_id != NULL && session_id != NULL &&
                       !g_str_equal (session_id, self->session_id)))
    return;
  if (g_str_equal (kind, "available_commands_update"))
    stint_agent_commands_replace (self->commands,
                                  stint_acp_get_array (update, "availableCommands"));
  else if (g_str_equal (kind, "config_option_update"))
    stint_agent_options_replace (self->options, stint_acp_get_array (update, "configOptions"));
  else if (g_str_equal (kind, "current_mode_update"))
    {
      const char *mode = stint_acp_get_string (update, "currentModeId");

      if (mode == NULL)
        mode = stint_acp_get_string (update, "modeId");
      if (mode != NULL)
        stint_agent_options_set_current (self->options, "mode", mode);
    }
  else if (g_str_equal (kind, "usage_update"))
    update_usage (self, update);
}

void
stint_agent_session_handle_notification (StintAgentSession *self,
                                         const char *method,
                                         JsonNode *params)
{
  if (g_str_equal (method, "session/update"))
    handle_update (self, stint_acp_node_object (params));
}

/* Options */

typedef struct
{
  StintAgentSession *session;
  char *id;
  char *value;
  gboolean legacy;
} Setting;

static void
setting_free (Setting *setting)
{
  g_object_unref (setting->session);
  g_free (setting->id);
  g_free (setting->value);
  g_free (setting);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Setting, setting_free)

static void
handle_option_set (GObject *source, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (Setting) setting = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node =
      stint_acp_connection_call_finish (STINT_ACP_CONNECTION (source), async_result, &error);
  JsonArray *options = stint_acp_get_array (stint_acp_node_object (node), "configOptions");

  if (error != NULL)
    {
      if (!stint_agent_session_is_over (setting->session))
        stint_agent_session_emit_problem (setting->session, error);
      return;
    }
  if (options != NULL)
    stint_agent_options_replace (setting->session->options, options);
  else
    stint_agent_options_set_current (setting->session->options, setting->id, setting->value);
}

static StintAgentOption *
find_option (StintAgentSession *self, const char *id)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->options));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (StintAgentOption) option = g_list_model_get_item (G_LIST_MODEL (self->options), i);

      if (g_strcmp0 (stint_agent_option_get_id (option), id) == 0)
        return g_steal_pointer (&option);
    }
  return NULL;
}

void
stint_agent_session_set_option (StintAgentSession *self, const char *option_id, const char *value)
{
  g_autoptr (StintAgentOption) option = NULL;
  const char *legacy;
  JsonObject *params;
  JsonNode *node;
  Setting *setting;

  g_return_if_fail (STINT_IS_AGENT_SESSION (self) && value != NULL);

  option = find_option (self, option_id);
  if (option == NULL || self->connection == NULL || self->session_id == NULL)
    return;
  legacy = stint_agent_option_get_legacy (option);
  node = stint_agent_session_new_params (self, &params);
  if (legacy != NULL)
    {
      json_object_set_string_member (
          params, g_str_has_suffix (legacy, "mode") ? "modeId" : "modelId", value);
    }
  else
    {
      json_object_set_string_member (params, "configId", option_id);
      if (stint_agent_option_is_boolean (option))
        {
          json_object_set_string_member (params, "type", "boolean");
          json_object_set_boolean_member (params, "value", g_str_equal (value, "true"));
        }
      else
        {
          json_object_set_string_member (params, "value", value);
        }
    }
  setting = g_new0 (Setting, 1);
  setting->session = g_object_ref (self);
  setting->id = g_strdup (option_id);
  setting->value = g_strdup (value);
  stint_acp_connection_call_async (self->connection,
                                   legacy != NULL ? legacy : "session/set_config_option", node,
                                   self->cancellable, handle_option_set, setting);
}
