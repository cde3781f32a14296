/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the conversation does to its items.
 */
#pragma once

#include "stint-conversation-item.h"

G_BEGIN_DECLS

StintConversationItem *stint_conversation_item_new (StintConversationKind kind, gint64 time);

/* These say nothing: the conversation does, once for all of an update. */
void stint_conversation_item_append (StintConversationItem *self, const char *text, gint64 time);
gsize stint_conversation_item_get_length (StintConversationItem *self);
void stint_conversation_item_set_text (StintConversationItem *self, const char *text);
void stint_conversation_item_set_open (StintConversationItem *self, gboolean open);
void stint_conversation_item_set_tool_id (StintConversationItem *self, const char *id);
void stint_conversation_item_set_status (StintConversationItem *self, StintToolStatus status);
void stint_conversation_item_set_tool_kind (StintConversationItem *self, const char *kind);
void stint_conversation_item_set_input (StintConversationItem *self, char *json);
void stint_conversation_item_set_output (StintConversationItem *self, char *json);
void stint_conversation_item_set_decision (StintConversationItem *self, const char *decision);
void
stint_conversation_item_set_severity (StintConversationItem *self, StintNoticeSeverity severity);
void stint_conversation_item_set_stop_reason (StintConversationItem *self, const char *reason);
void stint_conversation_item_emit_changed (StintConversationItem *self, gint64 time);

/* What the agent tells of a terminal of its own: shared by all contents that show it. */
typedef struct _StintDisplay
{
  GString *text;
  gboolean has_ended;
  gboolean has_code;
  int exit_code;
  char *exit_signal;
} StintDisplay;

StintDisplay *stint_display_new (void);
void stint_display_unref (StintDisplay *self);

/* Keeps the end of what is too much. */
void stint_display_append (StintDisplay *self, const char *text);

StintToolContent *stint_tool_content_new (StintToolContentKind kind);
StintPlanEntry *
stint_plan_entry_new (const char *text, const char *priority, StintToolStatus status);

/* (nullable): the content that shows this terminal. */
StintToolContent *
stint_conversation_item_find_terminal (StintConversationItem *self, const char *id);

G_END_DECLS
