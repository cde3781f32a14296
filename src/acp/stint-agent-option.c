/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What can be chosen of an agent, and the commands it knows, as it tells them. An agent that has
 * config options is not asked for its modes: they are among them.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-agent-option.h"

#include "stint-acp-message.h"

#include <glib/gi18n-lib.h>

struct _StintAgentOption
{
  GObject parent_instance;

  char *id;
  char *name;
  char *description;
  char *category;
  char *value;
  const char *legacy; /* (nullable): the method that sets it */
  gboolean boolean;
  GPtrArray *values;
};

G_DEFINE_FINAL_TYPE (StintAgentOption, stint_agent_option, G_TYPE_OBJECT)

static void
value_free (gpointer data)
{
  StintAgentValue *value = data;

  g_free (value->value);
  g_free (value->name);
  g_free (value->description);
  g_free (value->group);
  g_free (value);
}

static void
stint_agent_option_finalize (GObject *object)
{
  StintAgentOption *self = STINT_AGENT_OPTION (object);

  g_free (self->id);
  g_free (self->name);
  g_free (self->description);
  g_free (self->category);
  g_free (self->value);
  g_ptr_array_unref (self->values);
  G_OBJECT_CLASS (stint_agent_option_parent_class)->finalize (object);
}

static void
stint_agent_option_class_init (StintAgentOptionClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stint_agent_option_finalize;
}

static void
stint_agent_option_init (StintAgentOption *self)
{
  self->values = g_ptr_array_new_with_free_func (value_free);
}

const char *
stint_agent_option_get_id (StintAgentOption *self)
{
  return self->id;
}

const char *
stint_agent_option_get_name (StintAgentOption *self)
{
  return self->name;
}

const char *
stint_agent_option_get_description (StintAgentOption *self)
{
  return self->description;
}

const char *
stint_agent_option_get_category (StintAgentOption *self)
{
  return self->category;
}

gboolean
stint_agent_option_is_boolean (StintAgentOption *self)
{
  return self->boolean;
}

const char *
stint_agent_option_get_value (StintAgentOption *self)
{
  return self->value;
}

GPtrArray *
stint_agent_option_get_values (StintAgentOption *self)
{
  return self->values;
}

const char *
stint_agent_option_get_legacy (StintAgentOption *self)
{
  return self->legacy;
}

GListStore *
stint_agent_options_new (void)
{
  return g_list_store_new (STINT_TYPE_AGENT_OPTION);
}

static StintAgentOption *
option_new (const char *id, const char *name, const char *category, const char *value)
{
  StintAgentOption *self = g_object_new (STINT_TYPE_AGENT_OPTION, NULL);

  self->id = g_strdup (id);
  self->name = g_strdup (name != NULL ? name : id);
  self->category = g_strdup (category != NULL ? category : "other");
  self->value = g_strdup (value);
  return self;
}

static void
add_value (StintAgentOption *self, JsonObject *object, const char *key, const char *group)
{
  const char *word = stint_acp_get_string (object, key);
  const char *name = stint_acp_get_string (object, "name");
  StintAgentValue *value;

  if (word == NULL)
    return;
  value = g_new0 (StintAgentValue, 1);
  value->value = g_strdup (word);
  value->name = g_strdup (name != NULL ? name : word);
  value->description = g_strdup (stint_acp_get_string (object, "description"));
  value->group = g_strdup (group);
  g_ptr_array_add (self->values, value);
}

/* Values, or groups of values. */
static void
add_values (StintAgentOption *self, JsonArray *array, const char *key, const char *group)
{
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonObject *object = stint_acp_array_object (array, i);
      JsonArray *grouped = stint_acp_get_array (object, "options");

      if (grouped != NULL && group == NULL)
        {
          const char *name = stint_acp_get_string (object, "name");

          add_values (self, grouped, key, name != NULL ? name : "");
        }
      else if (object != NULL)
        add_value (self, object, key, group);
    }
}

static StintAgentOption *
option_from_json (JsonObject *object)
{
  const char *id = stint_acp_get_string (object, "id");
  const char *type = stint_acp_get_string (object, "type");
  const char *value = stint_acp_get_string (object, "currentValue");
  StintAgentOption *self;
  gboolean boolean = g_strcmp0 (type, "boolean") == 0;

  if (boolean)
    value = stint_acp_get_boolean (object, "currentValue", FALSE) ? "true" : "false";
  else if (g_strcmp0 (type, "select") != 0)
    return NULL;
  if (id == NULL || value == NULL)
    return NULL;

  self = option_new (id, stint_acp_get_string (object, "name"),
                     stint_acp_get_string (object, "category"), value);
  self->description = g_strdup (stint_acp_get_string (object, "description"));
  self->boolean = boolean;
  add_values (self, stint_acp_get_array (object, "options"), "value", NULL);
  return self;
}

void
stint_agent_options_replace (GListStore *options, JsonArray *config_options)
{
  g_autoptr (GPtrArray) added = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; config_options != NULL && i < json_array_get_length (config_options); i++)
    {
      StintAgentOption *option = option_from_json (stint_acp_array_object (config_options, i));

      if (option != NULL)
        g_ptr_array_add (added, option);
    }
  g_list_store_splice (options, 0, g_list_model_get_n_items (G_LIST_MODEL (options)), added->pdata,
                       added->len);
}

static void
add_legacy (GListStore *options, StintAgentOption *option, const char *method)
{
  option->legacy = method;
  if (option->values->len > 0)
    g_list_store_append (options, option);
  g_object_unref (option);
}

void
stint_agent_options_add_modes (GListStore *options, JsonObject *modes)
{
  const char *current = stint_acp_get_string (modes, "currentModeId");
  StintAgentOption *option;

  if (current == NULL)
    return;
  /* Translators: what an agent may do, and how: "Mode: Plan" */
  option = option_new ("mode", _ ("Mode"), "mode", current);
  add_values (option, stint_acp_get_array (modes, "availableModes"), "id", NULL);
  add_legacy (options, option, "session/set_mode");
}

void
stint_agent_options_add_models (GListStore *options, JsonObject *models)
{
  const char *current = stint_acp_get_string (models, "currentModelId");
  StintAgentOption *option;

  if (current == NULL)
    return;
  /* Translators: the language model that an agent uses */
  option = option_new ("model", _ ("Model"), "model", current);
  add_values (option, stint_acp_get_array (models, "availableModels"), "modelId", NULL);
  add_legacy (options, option, "session/set_model");
}

void
stint_agent_options_set_current (GListStore *options, const char *id, const char *value)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (options));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (StintAgentOption) old = g_list_model_get_item (G_LIST_MODEL (options), i);
      g_autoptr (StintAgentOption) option = NULL;

      if (g_strcmp0 (old->id, id) != 0 || g_strcmp0 (old->value, value) == 0)
        continue;
      option = option_new (old->id, old->name, old->category, value);
      option->description = g_strdup (old->description);
      option->boolean = old->boolean;
      option->legacy = old->legacy;
      g_ptr_array_unref (option->values);
      option->values = g_ptr_array_ref (old->values);
      g_list_store_splice (options, i, 1, (gpointer *) &option, 1);
    }
}

/* Commands */

struct _StintAgentCommand
{
  GObject parent_instance;

  char *name;
  char *description;
  char *hint;
};

G_DEFINE_FINAL_TYPE (StintAgentCommand, stint_agent_command, G_TYPE_OBJECT)

static void
stint_agent_command_finalize (GObject *object)
{
  StintAgentCommand *self = STINT_AGENT_COMMAND (object);

  g_free (self->name);
  g_free (self->description);
  g_free (self->hint);
  G_OBJECT_CLASS (stint_agent_command_parent_class)->finalize (object);
}

static void
stint_agent_command_class_init (StintAgentCommandClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stint_agent_command_finalize;
}

static void
stint_agent_command_init (StintAgentCommand *self)
{
}

const char *
stint_agent_command_get_name (StintAgentCommand *self)
{
  return self->name;
}

const char *
stint_agent_command_get_description (StintAgentCommand *self)
{
  return self->description;
}

const char *
stint_agent_command_get_hint (StintAgentCommand *self)
{
  return self->hint;
}

void
stint_agent_commands_replace (GListStore *commands, JsonArray *available)
{
  g_autoptr (GPtrArray) added = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; available != NULL && i < json_array_get_length (available); i++)
    {
      JsonObject *object = stint_acp_array_object (available, i);
      const char *name = stint_acp_get_string (object, "name");
      const char *description = stint_acp_get_string (object, "description");
      StintAgentCommand *command;

      if (name == NULL)
        continue;
      command = g_object_new (STINT_TYPE_AGENT_COMMAND, NULL);
      command->name = g_strdup (name);
      command->description = g_strdup (description != NULL ? description : "");
      command->hint =
          g_strdup (stint_acp_get_string (stint_acp_get_object (object, "input"), "hint"));
      g_ptr_array_add (added, command);
    }
  g_list_store_splice (commands, 0, g_list_model_get_n_items (G_LIST_MODEL (commands)),
                       added->pdata, added->len);
}
