/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One agent: its command, its environment, what it may use, and how to get it. The agents that Stint
 * knows are here; what each is called and how it is installed is its maker's word.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-agent-profile-private.h"

#include "stint-acp-message.h"
#include "stint-error.h"

#include <glib/gi18n-lib.h>

static const struct
{
  const char *id;
  const char *name;
  const char *command;
  const char *install;
  const char *website;
} known[] = {
  { "claude", "Claude Code", "claude-agent-acp",
    "npm install -g @agentclientprotocol/claude-agent-acp",
    "https://github.com/agentclientprotocol/claude-agent-acp" },
  { "codex", "Codex", "codex-acp", "npm install -g @agentclientprotocol/codex-acp",
    "https://github.com/agentclientprotocol/codex-acp" },
  { "gemini", "Gemini CLI", "gemini --acp", "npm install -g @google/gemini-cli",
    "https://github.com/google-gemini/gemini-cli" },
  { "opencode", "OpenCode", "opencode acp", "npm install -g opencode-ai", "https://opencode.ai" },
  { "qwen", "Qwen Code", "qwen --acp", "npm install -g @qwen-code/qwen-code",
    "https://github.com/QwenLM/qwen-code" },
  { "goose", "goose", "goose acp", NULL, "https://github.com/block/goose" },
};

struct _StintAgentProfile
{
  GObject parent_instance;

  char *id;
  char *name;
  char *command;
  char **argv; /* (nullable): instead of the command */
  char **environ;
  gboolean files;
  gboolean terminals;
  int known; /* index, -1: the user's */
};

G_DEFINE_FINAL_TYPE (StintAgentProfile, stint_agent_profile, G_TYPE_OBJECT)

static void
stint_agent_profile_finalize (GObject *object)
{
  StintAgentProfile *self = STINT_AGENT_PROFILE (object);

  g_free (self->id);
  g_free (self->name);
  g_free (self->command);
  g_strfreev (self->argv);
  g_strfreev (self->environ);
  G_OBJECT_CLASS (stint_agent_profile_parent_class)->finalize (object);
}

static void
stint_agent_profile_class_init (StintAgentProfileClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stint_agent_profile_finalize;
}

static void
stint_agent_profile_init (StintAgentProfile *self)
{
  self->files = self->terminals = TRUE;
  self->environ = g_new0 (char *, 1);
  self->known = -1;
}

StintAgentProfile *
stint_agent_profile_new (const char *id, const char *name, const char *command)
{
  StintAgentProfile *self = g_object_new (STINT_TYPE_AGENT_PROFILE, NULL);

  self->id = g_strdup (id);
  self->name = g_strdup (name != NULL ? name : id);
  self->command = g_strdup (command);
  return self;
}

StintAgentProfile *
stint_agent_profile_new_for_command (const char *const *argv)
{
  StintAgentProfile *self = g_object_new (STINT_TYPE_AGENT_PROFILE, NULL);
  g_autoptr (GString) line = g_string_new (NULL);

  for (guint i = 0; argv[i] != NULL; i++)
    {
      g_autofree char *quoted = g_shell_quote (argv[i]);

      g_string_append_printf (line, "%s%s", i > 0 ? " " : "", quoted);
    }
  self->argv = g_strdupv ((char **) argv);
  self->command = g_utf8_make_valid (line->str, -1);
  self->id = g_strdup (self->command);
  self->name = argv[0] != NULL ? g_filename_display_basename (argv[0]) : g_strdup ("");
  return self;
}

StintAgentProfile *
stint_agent_profile_new_known (guint i)
{
  StintAgentProfile *self;

  if (i >= G_N_ELEMENTS (known))
    return NULL;
  self = stint_agent_profile_new (known[i].id, known[i].name, known[i].command);
  self->known = (int) i;
  return self;
}

const char *
stint_agent_profile_get_id (StintAgentProfile *self)
{
  return self->id;
}

const char *
stint_agent_profile_get_name (StintAgentProfile *self)
{
  return self->name;
}

const char *
stint_agent_profile_get_command (StintAgentProfile *self)
{
  return self->command;
}

static void
set_string (char **place, const char *value)
{
  char *old = *place;

  *place = g_strdup (value);
  g_free (old);
}

void
stint_agent_profile_set_command (StintAgentProfile *self, const char *command)
{
  g_return_if_fail (STINT_IS_AGENT_PROFILE (self) && command != NULL);
  set_string (&self->command, command);
  g_clear_pointer (&self->argv, g_strfreev);
}

void
stint_agent_profile_set_name (StintAgentProfile *self, const char *name)
{
  g_return_if_fail (STINT_IS_AGENT_PROFILE (self) && name != NULL);
  set_string (&self->name, name);
}

char **
stint_agent_profile_dup_argv (StintAgentProfile *self, GError **error)
{
  g_autoptr (GError) shell_error = NULL;
  char **argv = NULL;

  g_return_val_if_fail (STINT_IS_AGENT_PROFILE (self), NULL);

  if (self->argv != NULL)
    return g_strdupv (self->argv);
  if (g_shell_parse_argv (self->command, NULL, &argv, &shell_error))
    return argv;
  if (g_error_matches (shell_error, G_SHELL_ERROR, G_SHELL_ERROR_EMPTY_STRING))
    g_set_error (error, STINT_ERROR, STINT_ERROR_NO_COMMAND, _ ("The agent “%s” has no command"),
                 self->name);
  else
    g_set_error (error, STINT_ERROR, STINT_ERROR_UNBALANCED,
                 _ ("The quotes in the command of the agent “%s” do not match"), self->name);
  return NULL;
}

const char *const *
stint_agent_profile_get_environ (StintAgentProfile *self)
{
  return (const char *const *) self->environ;
}

void
stint_agent_profile_set_environ (StintAgentProfile *self, const char *const *environ)
{
  char **old = self->environ;

  self->environ = g_strdupv ((char **) environ);
  g_strfreev (old);
}

gboolean
stint_agent_profile_get_files (StintAgentProfile *self)
{
  return self->files;
}

void
stint_agent_profile_set_files (StintAgentProfile *self, gboolean files)
{
  self->files = files;
}

gboolean
stint_agent_profile_get_terminals (StintAgentProfile *self)
{
  return self->terminals;
}

void
stint_agent_profile_set_terminals (StintAgentProfile *self, gboolean terminals)
{
  self->terminals = terminals;
}

gboolean
stint_agent_profile_is_known (StintAgentProfile *self)
{
  return self->known >= 0;
}

gboolean
stint_agent_profile_is_installed (StintAgentProfile *self)
{
  g_auto (GStrv) argv = stint_agent_profile_dup_argv (self, NULL);
  g_autofree char *path = argv != NULL ? g_find_program_in_path (argv[0]) : NULL;

  return path != NULL;
}

const char *
stint_agent_profile_get_install (StintAgentProfile *self)
{
  return self->known >= 0 ? known[self->known].install : NULL;
}

const char *
stint_agent_profile_get_website (StintAgentProfile *self)
{
  return self->known >= 0 ? known[self->known].website : NULL;
}

gboolean
stint_agent_profile_is_changed (StintAgentProfile *self)
{
  return self->known < 0 || !self->files || !self->terminals || self->environ[0] != NULL ||
         g_strcmp0 (self->name, known[self->known].name) != 0 ||
         g_strcmp0 (self->command, known[self->known].command) != 0;
}

void
stint_agent_profile_read (StintAgentProfile *self, JsonObject *object)
{
  const char *name = stint_acp_get_string (object, "name");
  const char *command = stint_acp_get_string (object, "command");
  JsonArray *environ = stint_acp_get_array (object, "env");
  g_autoptr (GPtrArray) changes = g_ptr_array_new ();

  if (name != NULL)
    stint_agent_profile_set_name (self, name);
  if (command != NULL)
    stint_agent_profile_set_command (self, command);
  self->files = stint_acp_get_boolean (object, "files", self->files);
  self->terminals = stint_acp_get_boolean (object, "terminals", self->terminals);
  for (guint i = 0; environ != NULL && i < json_array_get_length (environ); i++)
    {
      JsonNode *node = json_array_get_element (environ, i);

      if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
        g_ptr_array_add (changes, (gpointer) json_node_get_string (node));
    }
  g_ptr_array_add (changes, NULL);
  if (environ != NULL)
    stint_agent_profile_set_environ (self, (const char *const *) changes->pdata);
}

JsonObject *
stint_agent_profile_write (StintAgentProfile *self)
{
  JsonObject *object = json_object_new ();
  JsonArray *environ = json_array_new ();

  json_object_set_string_member (object, "id", self->id);
  json_object_set_string_member (object, "name", self->name);
  json_object_set_string_member (object, "command", self->command);
  json_object_set_boolean_member (object, "files", self->files);
  json_object_set_boolean_member (object, "terminals", self->terminals);
  for (guint i = 0; self->environ[i] != NULL; i++)
    json_array_add_string_element (environ, self->environ[i]);
  json_object_set_array_member (object, "env", environ);
  return object;
}
