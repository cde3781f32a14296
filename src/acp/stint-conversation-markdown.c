/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A conversation as Markdown, to be kept elsewhere.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-conversation.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A fence that the text itself does not hold. */
static void
add_fenced (GString *out, const char *info, const char *text)
{
  guint longest = 2, run = 0;

  for (const char *at = text; *at != '\0'; at++)
    {
      run = *at == '`' ? run + 1 : 0;
      longest = MAX (longest, run);
    }
  for (guint i = 0; i <= longest; i++)
    g_string_append_c (out, '`');
  g_string_append_printf (out, "%s\n%s%s", info, text, g_str_has_suffix (text, "\n") ? "" : "\n");
  for (guint i = 0; i <= longest; i++)
    g_string_append_c (out, '`');
  g_string_append (out, "\n\n");
}

static void
add_quoted (GString *out, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    g_string_append_printf (out, "> %s\n", lines[i]);
  g_string_append_c (out, '\n');
}

static void
add_tool (GString *out, StintConversationItem *item)
{
  GPtrArray *contents = stint_conversation_item_get_contents (item);

  g_string_append_printf (out, "**%s** (%s)\n\n", stint_conversation_item_get_text (item),
                          stint_tool_status_to_words (stint_conversation_item_get_status (item)));
  for (guint i = 0; i < contents->len; i++)
    {
      const StintToolContent *content = contents->pdata[i];
      const char *text = stint_tool_content_get_text (content);

      if (content->kind == STINT_TOOL_CONTENT_DIFF)
        {
          g_string_append_printf (out, "%s:\n\n", content->path);
          if (content->old_text != NULL)
            add_fenced (out, "old", content->old_text);
          add_fenced (out, "new", text);
        }
      else if (text != NULL && *text != '\0')
        {
          add_fenced (out, "", text);
        }
    }
}

static void
add_plan (GString *out, StintConversationItem *item)
{
  GPtrArray *entries = stint_conversation_item_get_entries (item);

  for (guint i = 0; i < entries->len; i++)
    {
      const StintPlanEntry *entry = entries->pdata[i];

      g_string_append_printf (out, "- [%c] %s\n", entry->status == STINT_TOOL_COMPLETED ? 'x' : ' ',
                              entry->text);
    }
  g_string_append_c (out, '\n');
}

static void
add_item (GString *out, StintConversationItem *item)
{
  const char *text = stint_conversation_item_get_text (item);

  switch (stint_conversation_item_get_kind (item))
    {
    case STINT_CONVERSATION_PROMPT:
      g_string_append_printf (out, "## %s\n\n%s\n\n", _ ("Prompt"), text);
      break;
    case STINT_CONVERSATION_ANSWER:
      g_string_append_printf (out, "%s\n\n", text);
      break;
    case STINT_CONVERSATION_THOUGHT:
    case STINT_CONVERSATION_NOTICE:
      add_quoted (out, text);
      break;
    case STINT_CONVERSATION_PLAN:
      add_plan (out, item);
      break;
    case STINT_CONVERSATION_TOOL:
      add_tool (out, item);
      break;
    case STINT_CONVERSATION_STOP:
      g_string_append_printf (out, "*%s*\n\n", text);
      break;
    default:
      break;
    }
}

char *
stint_conversation_to_markdown (StintConversation *self)
{
  GString *out = g_string_new (NULL);
  guint n;

  g_return_val_if_fail (STINT_IS_CONVERSATION (self), g_string_free (out, FALSE));

  n = g_list_model_get_n_items (G_LIST_MODEL (self));
  if (stint_conversation_get_title (self) != NULL)
    g_string_append_printf (out, "# %s\n\n", stint_conversation_get_title (self));
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (StintConversationItem) item = g_list_model_get_item (G_LIST_MODEL (self), i);

      add_item (out, item);
    }
  return g_string_free (out, FALSE);
}
