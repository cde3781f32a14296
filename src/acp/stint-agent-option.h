/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* A value of an option. */
typedef struct
{
  char *value;
  char *name;
  char *description; /* (nullable) */
  char *group;       /* (nullable): values of one group stand together */
} StintAgentValue;

#define STINT_TYPE_AGENT_OPTION (stint_agent_option_get_type ())
G_DECLARE_FINAL_TYPE (StintAgentOption, stint_agent_option, STINT, AGENT_OPTION, GObject)

/*
 * Something that can be chosen of an agent: its mode, its model, ... Immutable: when the agent says
 * otherwise the session's list has new ones.
 */
const char *stint_agent_option_get_id (StintAgentOption *self);
const char *stint_agent_option_get_name (StintAgentOption *self);
const char *stint_agent_option_get_description (StintAgentOption *self); /* (nullable) */

/* "mode", "model", "model_config", "thought_level", "other", or a word that is not known. */
const char *stint_agent_option_get_category (StintAgentOption *self);

/* A switch; its value is "true" or "false", and it has no values. */
gboolean stint_agent_option_is_boolean (StintAgentOption *self);
const char *stint_agent_option_get_value (StintAgentOption *self);

/* (transfer none) (element-type StintAgentValue) */
GPtrArray *stint_agent_option_get_values (StintAgentOption *self);

/* For the session. @legacy: it came with `modes`, or `models`, and is set by another method. */
GListStore *stint_agent_options_new (void);
void stint_agent_options_replace (GListStore *options, JsonArray *config_options);
void stint_agent_options_add_modes (GListStore *options, JsonObject *modes);
void stint_agent_options_add_models (GListStore *options, JsonObject *models);
void stint_agent_options_set_current (GListStore *options, const char *id, const char *value);
const char *stint_agent_option_get_legacy (StintAgentOption *self);

/* A command that the agent completes after "/". */
#define STINT_TYPE_AGENT_COMMAND (stint_agent_command_get_type ())
G_DECLARE_FINAL_TYPE (StintAgentCommand, stint_agent_command, STINT, AGENT_COMMAND, GObject)

const char *stint_agent_command_get_name (StintAgentCommand *self);
const char *stint_agent_command_get_description (StintAgentCommand *self);
const char *stint_agent_command_get_hint (StintAgentCommand *self); /* (nullable) */
void stint_agent_commands_replace (GListStore *commands, JsonArray *available);

G_END_DECLS
