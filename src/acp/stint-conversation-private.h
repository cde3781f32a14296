/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of a StintConversation, for stint-conversation.c and stint-conversation-tools.c only.
 */
#pragma once

#include "stint-conversation-item-private.h"
#include "stint-conversation.h"

G_BEGIN_DECLS

struct _StintConversation
{
  GObject parent_instance;

  GPtrArray *items;               /* of StintConversationItem */
  StintConversationItem *message; /* (unowned) (nullable): the one that grows */
  char *message_id;
  StintConversationItem *plan; /* (unowned) (nullable): this turn's */
  char *session_id;            /* (nullable) */
  gboolean can_continue;       /* the agent loads or resumes sessions */
  char *title;
  char *agent;

  gboolean in_turn;
  gboolean cancelled; /* the turn */
  guint turn;
  char *cause;       /* (nullable): why Stint cancels it, if nobody asked for it */
  GHashTable *asked; /* method by id: what Stint asked and the agent has not answered */

  GHashTable *tools;       /* Tool by tool call id */
  GHashTable *permissions; /* Permission by request id */
  GHashTable *terminals;   /* job id by terminal id */
  GHashTable *displays;    /* StintDisplay by terminal id */
};

/* Takes @item. */
void stint_conversation_add (StintConversation *self, StintConversationItem *item);

/* More of @item than its text has changed. @time: microseconds since 1970 */
void stint_conversation_emit_item_changed (StintConversation *self,
                                           StintConversationItem *item,
                                           gint64 time);
void stint_conversation_emit_display_output (StintConversation *self,
                                             StintConversationItem *item,
                                             const char *text);

/* (transfer full) (nullable): a block of content, as text. */
char *stint_conversation_dup_block (JsonObject *block);

void stint_conversation_init_tools (StintConversation *self);
StintToolStatus stint_conversation_parse_status (const char *word);

/* @begins: it is a `tool_call`, which begins one if there is none in this turn. */
StintConversationItem *stint_conversation_update_tool (StintConversation *self,
                                                       JsonObject *update,
                                                       gboolean begins,
                                                       gint64 time);
void stint_conversation_cancel_tools (StintConversation *self, gint64 time);
void
stint_conversation_ask (StintConversation *self, JsonNode *id, JsonObject *params, gint64 time);
void
stint_conversation_decide (StintConversation *self, JsonNode *id, JsonObject *result, gint64 time);
void
stint_conversation_note_terminal (StintConversation *self, const char *terminal_id, guint64 job_id);
void stint_conversation_note_write (StintConversation *self, JsonObject *written, gint64 time);

/* (nullable) (transfer none): the tool call with this id, the newest of them. */
StintConversationItem *stint_conversation_find_tool (StintConversation *self, const char *id);

G_END_DECLS
