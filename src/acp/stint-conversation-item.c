/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One thing of a conversation: a message, a tool call, the plan. It holds what a view shows; the
 * conversation decides what it is.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-conversation-item-private.h"

#include <glib/gi18n-lib.h>

struct _StintConversationItem
{
  GObject parent_instance;

  StintConversationKind kind;
  gint64 time;
  gint64 end_time;
  GString *text;
  gboolean open;

  /* Of a tool call */
  char *tool_id;
  char *tool_kind;
  StintToolStatus status;
  GPtrArray *contents;  /* of StintToolContent */
  GPtrArray *locations; /* of strings */
  char *input;
  char *output;
  char *decision;

  GPtrArray *entries; /* of a plan: StintPlanEntry */
  StintNoticeSeverity severity;
  char *stop_reason;
};

enum
{
  SIGNAL_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StintConversationItem, stint_conversation_item, G_TYPE_OBJECT)

#define MAX_DISPLAY (1024 * 1024)

StintDisplay *
stint_display_new (void)
{
  StintDisplay *self = g_rc_box_new0 (StintDisplay);

  self->text = g_string_new (NULL);
  return self;
}

static void
display_clear (gpointer data)
{
  StintDisplay *self = data;

  g_string_free (self->text, TRUE);
  g_free (self->exit_signal);
}

void
stint_display_unref (StintDisplay *self)
{
  g_rc_box_release_full (self, display_clear);
}

void
stint_display_append (StintDisplay *self, const char *text)
{
  g_string_append (self->text, text);
  if (self->text->len > 2 * MAX_DISPLAY)
    {
      const char *start = self->text->str + self->text->len - MAX_DISPLAY;

      while ((*start & 0xc0) == 0x80)
        start++;
      g_string_erase (self->text, 0, start - self->text->str);
    }
}

const char *
stint_tool_content_get_text (const StintToolContent *self)
{
  return self->display != NULL ? self->display->text->str : self->text;
}

static void
tool_content_free (gpointer data)
{
  StintToolContent *content = data;

  g_free (content->text);
  g_free (content->path);
  g_free (content->old_text);
  g_free (content->terminal_id);
  g_free (content->exit_signal);
  g_clear_pointer (&content->display, stint_display_unref);
  g_free (content);
}

StintToolContent *
stint_tool_content_new (StintToolContentKind kind)
{
  StintToolContent *content = g_new0 (StintToolContent, 1);

  content->kind = kind;
  return content;
}

static void
plan_entry_free (gpointer data)
{
  StintPlanEntry *entry = data;

  g_free (entry->text);
  g_free (entry->priority);
  g_free (entry);
}

StintPlanEntry *
stint_plan_entry_new (const char *text, const char *priority, StintToolStatus status)
{
  StintPlanEntry *entry = g_new0 (StintPlanEntry, 1);

  entry->text = g_strdup (text);
  entry->priority = g_strdup (priority != NULL ? priority : "medium");
  entry->status = status;
  return entry;
}

static void
stint_conversation_item_finalize (GObject *object)
{
  StintConversationItem *self = STINT_CONVERSATION_ITEM (object);

  g_string_free (self->text, TRUE);
  g_free (self->tool_id);
  g_free (self->tool_kind);
  g_ptr_array_unref (self->contents);
  g_ptr_array_unref (self->locations);
  g_ptr_array_unref (self->entries);
  g_free (self->input);
  g_free (self->output);
  g_free (self->decision);
  g_free (self->stop_reason);
  G_OBJECT_CLASS (stint_conversation_item_parent_class)->finalize (object);
}

static void
stint_conversation_item_class_init (StintConversationItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stint_conversation_item_finalize;

  signals[SIGNAL_CHANGED] = g_signal_new ("changed", STINT_TYPE_CONVERSATION_ITEM,
                                          G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
stint_conversation_item_init (StintConversationItem *self)
{
  self->text = g_string_new (NULL);
  self->contents = g_ptr_array_new_with_free_func (tool_content_free);
  self->locations = g_ptr_array_new_with_free_func (g_free);
  self->entries = g_ptr_array_new_with_free_func (plan_entry_free);
}

StintConversationItem *
stint_conversation_item_new (StintConversationKind kind, gint64 time)
{
  StintConversationItem *self = g_object_new (STINT_TYPE_CONVERSATION_ITEM, NULL);

  self->kind = kind;
  self->time = self->end_time = time;
  return self;
}

void
stint_conversation_item_append (StintConversationItem *self, const char *text, gint64 time)
{
  self->end_time = time;
  g_string_append (self->text, text);
}

gsize
stint_conversation_item_get_length (StintConversationItem *self)
{
  return self->text->len;
}

void
stint_conversation_item_set_text (StintConversationItem *self, const char *text)
{
  g_string_assign (self->text, text);
}

void
stint_conversation_item_set_open (StintConversationItem *self, gboolean open)
{
  self->open = open;
}

static void
set_string (char **place, const char *value)
{
  char *old = *place;

  *place = g_strdup (value);
  g_free (old);
}

void
stint_conversation_item_set_tool_id (StintConversationItem *self, const char *id)
{
  set_string (&self->tool_id, id);
}

void
stint_conversation_item_set_status (StintConversationItem *self, StintToolStatus status)
{
  self->status = status;
}

void
stint_conversation_item_set_tool_kind (StintConversationItem *self, const char *kind)
{
  set_string (&self->tool_kind, kind);
}

void
stint_conversation_item_set_input (StintConversationItem *self, char *json)
{
  g_free (self->input);
  self->input = json;
}

void
stint_conversation_item_set_output (StintConversationItem *self, char *json)
{
  g_free (self->output);
  self->output = json;
}

void
stint_conversation_item_set_decision (StintConversationItem *self, const char *decision)
{
  set_string (&self->decision, decision);
}

void
stint_conversation_item_set_severity (StintConversationItem *self, StintNoticeSeverity severity)
{
  self->severity = severity;
}

void
stint_conversation_item_set_stop_reason (StintConversationItem *self, const char *reason)
{
  set_string (&self->stop_reason, reason);
}

void
stint_conversation_item_emit_changed (StintConversationItem *self, gint64 time)
{
  self->end_time = time;
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

StintToolContent *
stint_conversation_item_find_terminal (StintConversationItem *self, const char *id)
{
  for (guint i = 0; i < self->contents->len; i++)
    {
      StintToolContent *content = self->contents->pdata[i];

      if (content->kind == STINT_TOOL_CONTENT_TERMINAL && g_strcmp0 (content->terminal_id, id) == 0)
        return content;
    }
  return NULL;
}

StintConversationKind
stint_conversation_item_get_kind (StintConversationItem *self)
{
  return self->kind;
}

gint64
stint_conversation_item_get_time (StintConversationItem *self)
{
  return self->time;
}

gint64
stint_conversation_item_get_end_time (StintConversationItem *self)
{
  return self->end_time;
}

const char *
stint_conversation_item_get_text (StintConversationItem *self)
{
  return self->text->str;
}

gboolean
stint_conversation_item_is_open (StintConversationItem *self)
{
  return self->open;
}

const char *
stint_conversation_item_get_tool_id (StintConversationItem *self)
{
  return self->tool_id;
}

StintToolStatus
stint_conversation_item_get_status (StintConversationItem *self)
{
  return self->status;
}

const char *
stint_conversation_item_get_tool_kind (StintConversationItem *self)
{
  return self->tool_kind != NULL ? self->tool_kind : "other";
}

GPtrArray *
stint_conversation_item_get_contents (StintConversationItem *self)
{
  return self->contents;
}

GPtrArray *
stint_conversation_item_get_locations (StintConversationItem *self)
{
  return self->locations;
}

const char *
stint_conversation_item_get_input (StintConversationItem *self)
{
  return self->input;
}

const char *
stint_conversation_item_get_output (StintConversationItem *self)
{
  return self->output;
}

const char *
stint_conversation_item_get_decision (StintConversationItem *self)
{
  return self->decision;
}

GPtrArray *
stint_conversation_item_get_entries (StintConversationItem *self)
{
  return self->entries;
}

StintNoticeSeverity
stint_conversation_item_get_severity (StintConversationItem *self)
{
  return self->severity;
}

const char *
stint_conversation_item_get_stop_reason (StintConversationItem *self)
{
  return self->stop_reason;
}

const char *
stint_tool_status_to_words (StintToolStatus status)
{
  switch (status)
    {
    case STINT_TOOL_PENDING:
      /* Translators: of a step of an agent's: it has not begun */
      return _ ("pending");
    case STINT_TOOL_IN_PROGRESS:
      return _ ("running");
    case STINT_TOOL_COMPLETED:
      return _ ("done");
    case STINT_TOOL_FAILED:
      return _ ("failed");
    case STINT_TOOL_CANCELLED:
      return _ ("cancelled");
    default:
      return "";
    }
}

const char *
stint_stop_reason_to_words (const char *reason)
{
  static const struct
  {
    const char *reason;
    const char *words;
  } all[] = {
    { "end_turn", N_ ("The agent has finished") },
    { "max_tokens", N_ ("Stopped: the model's limit of tokens was reached") },
    { "max_turn_requests", N_ ("Stopped: the limit of requests in one turn was reached") },
    { "refusal", N_ ("The agent refused to go on; it forgets this prompt and what followed") },
    { "cancelled", N_ ("Cancelled") },
    { "timeout", N_ ("Stopped: the time for this turn was over") },
    { "idle-timeout", N_ ("Stopped: the agent was silent for too long") },
    { "ended", N_ ("The agent ended in the middle of the turn") },
    { "error", N_ ("The agent failed") },
  };

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    if (g_strcmp0 (reason, all[i].reason) == 0)
      return _ (all[i].words);
  return _ ("The agent stopped for a reason that Stint does not know");
}
