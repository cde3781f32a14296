/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-acp-log.h"
#include "stint-conversation-item.h"

G_BEGIN_DECLS

#define STINT_TYPE_CONVERSATION (stint_conversation_get_type ())
G_DECLARE_FINAL_TYPE (StintConversation, stint_conversation, STINT, CONVERSATION, GObject)

/*
 * A GListModel of StintConversationItem, in the order in which they began; items are only ever added
 * at the end. Made of what passes between Stint and an agent, whether it passes now or did long ago.
 *
 * Properties, notified:
 *
 *   title     string   (nullable): the agent's title of the session
 *   agent     string   (nullable): the agent's name
 *
 * Signals:
 *
 *   item-appended (StintConversationItem *item, const char *text)   its text has grown by this
 *   item-changed (StintConversationItem *item)                      anything else of it has changed
 *   display-output (StintConversationItem *item, const char *text)
 *       a terminal of the agent's own, in this tool call, has shown more
 */

StintConversation *stint_conversation_new (void);

/**
 * stint_conversation_feed:
 * @self: a conversation
 * @direction: who wrote it
 * @time: microseconds since 1970
 * @message: what was written: any JSON, which need not be a message
 */
void stint_conversation_feed (StintConversation *self,
                              StintAcpDirection direction,
                              gint64 time,
                              JsonNode *message);

/* A notice of Stint's own. */
void stint_conversation_add_notice (StintConversation *self,
                                    StintNoticeSeverity severity,
                                    const char *text);

/**
 * stint_conversation_load_async:
 * @self: an empty conversation
 * @directory: (type filename): the directory of a job that has ended
 * @cancellable: (nullable)
 * @callback: called exactly once, when all is there
 * @user_data: for @callback
 *
 * Reads a job's protocol log, in a thread, and feeds it in batches that do not hold up the main loop.
 */
void stint_conversation_load_async (StintConversation *self,
                                    const char *directory,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);
gboolean
stint_conversation_load_finish (StintConversation *self, GAsyncResult *result, GError **error);

const char *stint_conversation_get_title (StintConversation *self);
const char *stint_conversation_get_agent (StintConversation *self);

/* (nullable): the protocol's id of the session. */
const char *stint_conversation_get_session_id (StintConversation *self);

/* Whether there is a session, and its agent said that it can load or resume one. */
gboolean stint_conversation_can_continue (StintConversation *self);

/* (transfer full): all of it, as Markdown, for export. */
char *stint_conversation_to_markdown (StintConversation *self);

G_END_DECLS
