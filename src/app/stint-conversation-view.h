/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-conversation-text.h"
#include "stint-conversation.h"

G_BEGIN_DECLS

#define STINT_TYPE_CONVERSATION_VIEW (stint_conversation_view_get_type ())
G_DECLARE_FINAL_TYPE (StintConversationView,
                      stint_conversation_view,
                      STINT,
                      CONVERSATION_VIEW,
                      GtkWidget)

/*
 * A conversation, to be read, live or old. What comes is written a few milliseconds at a time, once a
 * frame, while it can be seen. It stays at the end unless somebody has scrolled up.
 *
 * Its actions are a pane's: find, find-next, find-previous, copy-all, save.
 *
 * Signals:
 *
 *   open (int kind, const char *target)   StintLinkKind: URI, FILE or JOB was activated
 *   save ()                               the user wants to keep it in a file
 */

GtkWidget *stint_conversation_view_new (void);

/* @conversation: (nullable). */
void stint_conversation_view_set_conversation (StintConversationView *self,
                                               StintConversation *conversation);
StintConversation *stint_conversation_view_get_conversation (StintConversationView *self);

/* (transfer none) */
GActionGroup *stint_conversation_view_get_actions (StintConversationView *self);

/* (transfer none): what is written so far. */
StintConversationText *stint_conversation_view_get_text (StintConversationView *self);

/* Whether all that the conversation holds has been written. */
gboolean stint_conversation_view_is_settled (StintConversationView *self);

/* Whether it stays at the end. */
gboolean stint_conversation_view_is_following (StintConversationView *self);
void stint_conversation_view_show_end (StintConversationView *self);

G_END_DECLS
