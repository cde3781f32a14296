/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tool calls of a conversation: upserts by id, since agents name them in any order and twice;
 * permissions, which are asked for them; and the terminals that they show, Stint's and the agent's.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-conversation-private.h"

#include "stint-json.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Of what went in and came out, as JSON. */
#define MAX_RAW (16 * 1024)

typedef struct
{
  StintConversationItem *item; /* (unowned): the conversation's */
  guint turn;
} Tool;

typedef struct
{
  StintConversationItem *item; /* (unowned): the conversation's */
  JsonArray *options;
} Permission;

static void
permission_free (gpointer data)
{
  Permission *permission = data;

  g_clear_pointer (&permission->options, json_array_unref);
  g_free (permission);
}

void
stint_conversation_init_tools (StintConversation *self)
{
  self->tools = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->permissions = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, permission_free);
  self->terminals = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->displays =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) stint_display_unref);
}

StintToolStatus
stint_conversation_parse_status (const char *word)
{
  return g_strcmp0 (word, "in_progress") == 0 ? STINT_TOOL_IN_PROGRESS
         : g_strcmp0 (word, "completed") == 0 ? STINT_TOOL_COMPLETED
         : g_strcmp0 (word, "failed") == 0    ? STINT_TOOL_FAILED
                                              : STINT_TOOL_PENDING;
}

static gboolean
is_under_way (StintConversationItem *item)
{
  return stint_conversation_item_get_status (item) <= STINT_TOOL_IN_PROGRESS;
}

StintConversationItem *
stint_conversation_find_tool (StintConversation *self, const char *id)
{
  Tool *tool = id != NULL ? g_hash_table_lookup (self->tools, id) : NULL;

  return tool != NULL ? tool->item : NULL;
}

static StintConversationItem *
begin_tool (StintConversation *self, const char *id, gint64 time)
{
  StintConversationItem *item = stint_conversation_item_new (STINT_CONVERSATION_TOOL, time);
  Tool *tool = g_new (Tool, 1);

  *tool = (Tool){ item, self->turn };
  stint_conversation_item_set_tool_id (item, id);
  stint_conversation_item_set_open (item, TRUE);
  g_hash_table_replace (self->tools, g_strdup (id), tool);
  return item;
}

/* Contents */

static StintDisplay *
get_display (StintConversation *self, const char *id)
{
  StintDisplay *display = g_hash_table_lookup (self->displays, id);

  if (display == NULL)
    {
      display = stint_display_new ();
      g_hash_table_insert (self->displays, g_strdup (id), display);
    }
  return display;
}

static void
copy_end (StintToolContent *content)
{
  const StintDisplay *display = content->display;

  content->has_ended = display->has_ended;
  content->has_code = display->has_code;
  content->exit_code = display->exit_code;
  g_free (content->exit_signal);
  content->exit_signal = g_strdup (display->exit_signal);
}

static StintToolContent *
terminal_to_content (StintConversation *self, const char *id)
{
  StintToolContent *content = stint_tool_content_new (STINT_TOOL_CONTENT_TERMINAL);
  const guint64 *job_id = g_hash_table_lookup (self->terminals, id);

  content->terminal_id = g_strdup (id);
  if (job_id != NULL)
    {
      content->job_id = *job_id;
    }
  else
    {
      content->display = g_rc_box_acquire (get_display (self, id));
      copy_end (content);
    }
  return content;
}

static StintToolContent *
parse_content (StintConversation *self, JsonObject *object)
{
  const char *type = stint_acp_get_string (object, "type");
  StintToolContent *content;
  JsonObject *block;
  char *text;

  if (g_strcmp0 (type, "terminal") == 0)
    {
      const char *id = stint_acp_get_string (object, "terminalId");

      return id != NULL ? terminal_to_content (self, id) : NULL;
    }
  if (g_strcmp0 (type, "diff") == 0)
    {
      const char *path = stint_acp_get_string (object, "path");
      const char *new_text = stint_acp_get_string (object, "newText");

      if (path == NULL || new_text == NULL)
        return NULL;
      content = stint_tool_content_new (STINT_TOOL_CONTENT_DIFF);
      content->path = g_strdup (path);
      content->text = g_strdup (new_text);
      content->old_text = g_strdup (stint_acp_get_string (object, "oldText"));
      return content;
    }

  /* Some agents give the block itself. */
  block = g_strcmp0 (type, "content") == 0 ? stint_acp_get_object (object, "content") : object;
  text = stint_conversation_dup_block (block);
  if (text == NULL)
    return NULL;
  type = stint_acp_get_string (block, "type");
  content = stint_tool_content_new (g_strcmp0 (type, "image") == 0 || g_strcmp0 (type, "audio") == 0
                                        ? STINT_TOOL_CONTENT_MEDIA
                                        : STINT_TOOL_CONTENT_TEXT);
  content->text = text;
  return content;
}

static void
replace_contents (StintConversation *self, StintConversationItem *item, JsonArray *array)
{
  GPtrArray *contents = stint_conversation_item_get_contents (item);

  g_ptr_array_set_size (contents, 0);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      StintToolContent *content = parse_content (self, stint_acp_array_object (array, i));

      if (content != NULL)
        g_ptr_array_add (contents, content);
    }
}

static void
replace_locations (StintConversationItem *item, JsonArray *array)
{
  GPtrArray *locations = stint_conversation_item_get_locations (item);

  g_ptr_array_set_size (locations, 0);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonObject *location = stint_acp_array_object (array, i);
      const char *path = stint_acp_get_string (location, "path");
      gint64 line = stint_acp_get_int (location, "line", 0);

      if (path != NULL && line > 0)
        g_ptr_array_add (locations, g_strdup_printf ("%s:%" G_GINT64_FORMAT, path, line));
      else if (path != NULL)
        g_ptr_array_add (locations, g_strdup (path));
    }
}

/* Returns: (transfer full): JSON for people, clamped at a character. */
static char *
dup_raw (JsonNode *node)
{
  char *text = stint_json_to_text (node, TRUE);
  char *end, *cut;

  if (strlen (text) <= MAX_RAW)
    return text;
  end = text + MAX_RAW;
  while ((*end & 0xc0) == 0x80)
    end--;
  *end = '\0';
  cut = g_strconcat (text, "…", NULL);
  g_free (text);
  return cut;
}

/* The agent's own terminals, by a convention in `_meta` */

static void
show_display (StintConversation *self, StintConversationItem *item, const char *id)
{
  if (stint_conversation_item_find_terminal (item, id) == NULL)
    g_ptr_array_add (stint_conversation_item_get_contents (item), terminal_to_content (self, id));
}

static void
update_displays (StintConversation *self, StintConversationItem *item, JsonObject *meta)
{
  JsonObject *info = stint_acp_get_object (meta, "terminal_info");
  JsonObject *output = stint_acp_get_object (meta, "terminal_output");
  JsonObject *ended = stint_acp_get_object (meta, "terminal_exit");
  const char *id;

  if (output == NULL)
    output = stint_acp_get_object (meta, "terminal_output_delta");
  if ((id = stint_acp_get_string (info, "terminal_id")) != NULL)
    get_display (self, id);
  if ((id = stint_acp_get_string (output, "terminal_id")) != NULL)
    {
      const char *data = stint_acp_get_string (output, "data");

      show_display (self, item, id);
      if (data != NULL)
        {
          stint_display_append (get_display (self, id), data);
          stint_conversation_emit_display_output (self, item, data);
        }
    }
  if ((id = stint_acp_get_string (ended, "terminal_id")) != NULL)
    {
      StintDisplay *display = get_display (self, id);
      StintToolContent *content;

      display->has_ended = TRUE;
      display->has_code = stint_acp_has (ended, "exit_code");
      display->exit_code = (int) stint_acp_get_int (ended, "exit_code", 0);
      g_free (display->exit_signal);
      display->exit_signal = g_strdup (stint_acp_get_string (ended, "signal"));
      show_display (self, item, id);
      content = stint_conversation_item_find_terminal (item, id);
      if (content->display != NULL)
        copy_end (content);
    }
}

static void
apply (StintConversation *self, StintConversationItem *item, JsonObject *update)
{
  const char *title = stint_acp_get_string (update, "title");
  const char *kind = stint_acp_get_string (update, "kind");
  const char *status = stint_acp_get_string (update, "status");
  JsonArray *content = stint_acp_get_array (update, "content");
  JsonArray *locations = stint_acp_get_array (update, "locations");

  if (title != NULL)
    stint_conversation_item_set_text (item, title);
  if (kind != NULL)
    stint_conversation_item_set_tool_kind (item, kind);
  if (status != NULL)
    {
      StintToolStatus parsed = stint_conversation_parse_status (status);

      /* What was cancelled runs on only in the words of an update that was under way. */
      if (stint_conversation_item_get_status (item) != STINT_TOOL_CANCELLED ||
          parsed > STINT_TOOL_IN_PROGRESS)
        stint_conversation_item_set_status (item, parsed);
    }
  if (content != NULL)
    replace_contents (self, item, content);
  if (locations != NULL)
    replace_locations (item, locations);
  if (stint_acp_has (update, "rawInput"))
    stint_conversation_item_set_input (item, dup_raw (json_object_get_member (update, "rawInput")));
  if (stint_acp_has (update, "rawOutput"))
    stint_conversation_item_set_output (item,
                                        dup_raw (json_object_get_member (update, "rawOutput")));
  update_displays (self, item, stint_acp_get_object (update, "_meta"));
  stint_conversation_item_set_open (item, is_under_way (item));
}

StintConversationItem *
stint_conversation_update_tool (StintConversation *self,
                                JsonObject *update,
                                gboolean begins,
                                gint64 time)
{
  const char *id = stint_acp_get_string (update, "toolCallId");
  Tool *tool = id != NULL ? g_hash_table_lookup (self->tools, id) : NULL;
  StintConversationItem *item;

  if (id == NULL)
    return NULL;
  /* Some agents count from one again in each turn. */
  if (tool != NULL && !(begins && tool->turn != self->turn))
    {
      apply (self, tool->item, update);
      stint_conversation_emit_item_changed (self, tool->item, time);
      return tool->item;
    }
  item = begin_tool (self, id, time);
  stint_conversation_item_set_text (item, id);
  apply (self, item, update);
  stint_conversation_add (self, item);
  return item;
}

void
stint_conversation_cancel_tools (StintConversation *self, gint64 time)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->tools);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      StintConversationItem *item = ((Tool *) value)->item;

      if (!is_under_way (item))
        continue;
      stint_conversation_item_set_status (item, STINT_TOOL_CANCELLED);
      stint_conversation_item_set_open (item, FALSE);
      stint_conversation_emit_item_changed (self, item, time);
    }
}

/* Permissions */

/* "1" and 1 are two ids. */
static char *
dup_id_key (JsonNode *id)
{
  return stint_json_to_text (id, FALSE);
}

void
stint_conversation_ask (StintConversation *self, JsonNode *id, JsonObject *params, gint64 time)
{
  JsonArray *options = stint_acp_get_array (params, "options");
  StintConversationItem *item =
      stint_conversation_update_tool (self, stint_acp_get_object (params, "toolCall"), FALSE, time);
  Permission *permission;

  if (item == NULL)
    return;
  permission = g_new0 (Permission, 1);
  permission->item = item;
  permission->options = options != NULL ? json_array_ref (options) : NULL;
  g_hash_table_replace (self->permissions, dup_id_key (id), permission);
}

static const char *
find_option_name (JsonArray *options, const char *id)
{
  for (guint i = 0; options != NULL && i < json_array_get_length (options); i++)
    {
      JsonObject *option = stint_acp_array_object (options, i);

      if (g_strcmp0 (stint_acp_get_string (option, "optionId"), id) == 0)
        {
          const char *name = stint_acp_get_string (option, "name");

          return name != NULL ? name : id;
        }
    }
  return id;
}

void
stint_conversation_decide (StintConversation *self, JsonNode *id, JsonObject *result, gint64 time)
{
  g_autofree char *key = dup_id_key (id);
  Permission *permission = g_hash_table_lookup (self->permissions, key);
  JsonObject *outcome = stint_acp_get_object (result, "outcome");
  const char *option = stint_acp_get_string (outcome, "optionId");

  if (permission == NULL)
    return;
  stint_conversation_item_set_decision (
      permission->item,
      option != NULL ? find_option_name (permission->options, option) : _ ("Cancelled"));
  stint_conversation_emit_item_changed (self, permission->item, time);
  g_hash_table_remove (self->permissions, key);
}

/* What only Stint knows */

void
stint_conversation_note_terminal (StintConversation *self, const char *terminal_id, guint64 job_id)
{
  g_hash_table_replace (self->terminals, g_strdup (terminal_id),
                        g_memdup2 (&job_id, sizeof job_id));
}

/* Whether the agent itself shows this write, in a tool call that is under way. */
static gboolean
is_shown (StintConversation *self, const char *path, const char *text)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->tools);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      Tool *tool = value;
      GPtrArray *contents = stint_conversation_item_get_contents (tool->item);

      for (guint i = 0; tool->turn == self->turn && i < contents->len; i++)
        {
          StintToolContent *content = contents->pdata[i];

          if (content->kind == STINT_TOOL_CONTENT_DIFF && g_strcmp0 (content->path, path) == 0 &&
              g_strcmp0 (content->text, text) == 0)
            return TRUE;
        }
    }
  return FALSE;
}

void
stint_conversation_note_write (StintConversation *self, JsonObject *written, gint64 time)
{
  const char *path = stint_acp_get_string (written, "path");
  const char *text = stint_acp_get_string (written, "newText");
  g_autofree char *title = NULL;
  StintConversationItem *item;
  StintToolContent *content;

  if (path == NULL || text == NULL || is_shown (self, path, text))
    return;
  /* Translators: an agent wrote a file; %s is its path */
  title = g_strdup_printf (_ ("Wrote %s"), path);
  item = stint_conversation_item_new (STINT_CONVERSATION_TOOL, time);
  stint_conversation_item_set_text (item, title);
  stint_conversation_item_set_tool_kind (item, "edit");
  stint_conversation_item_set_status (item, STINT_TOOL_COMPLETED);
  content = stint_tool_content_new (STINT_TOOL_CONTENT_DIFF);
  content->path = g_strdup (path);
  content->text = g_strdup (text);
  content->old_text = g_strdup (stint_acp_get_string (written, "oldText"));
  g_ptr_array_add (stint_conversation_item_get_contents (item), content);
  g_ptr_array_add (stint_conversation_item_get_locations (item), g_strdup (path));
  stint_conversation_add (self, item);
}
