/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-conversation-item.h"

G_BEGIN_DECLS

#define STINT_TYPE_CONVERSATION_TEXT (stint_conversation_text_get_type ())
G_DECLARE_FINAL_TYPE (StintConversationText,
                      stint_conversation_text,
                      STINT,
                      CONVERSATION_TEXT,
                      GObject)

/*
 * A conversation, written into a text buffer: one stretch of it for each item, in order. What is
 * folded is not in the buffer. Nothing here shows anything: any number of views may show the buffer.
 */

typedef enum
{
  STINT_LINK_NONE,
  STINT_LINK_FOLD, /* shows or hides what is below */
  STINT_LINK_URI,  /* as the agent wrote it */
  STINT_LINK_FILE, /* PATH or PATH:LINE */
  STINT_LINK_JOB,  /* its number */
} StintLinkKind;

StintConversationText *stint_conversation_text_new (void);

/* (transfer none) */
GtkTextBuffer *stint_conversation_text_get_buffer (StintConversationText *self);
void stint_conversation_text_set_dark (StintConversationText *self, gboolean dark);

guint stint_conversation_text_get_n_items (StintConversationText *self);

/* (transfer none) */
StintConversationItem *stint_conversation_text_get_item (StintConversationText *self, guint i);

/* Writes an item at the end; stint_conversation_text_update() has to follow if it returns %TRUE. */
gboolean stint_conversation_text_add (StintConversationText *self, StintConversationItem *item);

/**
 * stint_conversation_text_update:
 * @self: the text
 * @i: an item that has grown or changed
 *
 * Writes anew what of it differs, or a part of that if it is much.
 *
 * Returns: whether there is more to write: call it again, a frame later
 */
gboolean stint_conversation_text_update (StintConversationText *self, guint i);

void stint_conversation_text_get_bounds (StintConversationText *self,
                                         guint i,
                                         GtkTextIter *start,
                                         GtkTextIter *end);

/* The item at a place; there must be one. */
guint stint_conversation_text_find (StintConversationText *self, const GtkTextIter *iter);

/* What can be opened at a place. @target: (out) (nullable) (transfer none) (optional): what it leads to. */
StintLinkKind stint_conversation_text_get_link (StintConversationText *self,
                                                const GtkTextIter *iter,
                                                const char **target);

gboolean stint_conversation_text_is_foldable (StintConversationText *self, guint i);
gboolean stint_conversation_text_is_folded (StintConversationText *self, guint i);

/* As stint_conversation_text_update(). From now on it stays so. */
gboolean stint_conversation_text_set_folded (StintConversationText *self, guint i, gboolean folded);

/* Whether what is folded of an item holds this text, whatever its case. */
gboolean stint_conversation_text_hides (StintConversationText *self, guint i, const char *text);

G_END_DECLS
