/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum
{
  STINT_TAG_SPEAKER, /* who says what follows */
  STINT_TAG_PROMPT,
  STINT_TAG_BLOCK, /* a block of an answer: some space above */
  STINT_TAG_HEADING_1,
  STINT_TAG_HEADING_2,
  STINT_TAG_HEADING_3,
  STINT_TAG_STRONG,
  STINT_TAG_EMPHASIS,
  STINT_TAG_STRUCK,
  STINT_TAG_CODE,
  STINT_TAG_CODE_BLOCK,
  STINT_TAG_QUOTE,
  STINT_TAG_LINK,
  STINT_TAG_DIM,
  STINT_TAG_HEADER, /* the line of a tool call, a thought, a plan */
  STINT_TAG_BODY,   /* what is below it */
  STINT_TAG_DONE,
  STINT_TAG_FAILED,
  STINT_TAG_WARNING,
  STINT_TAG_ADDED,
  STINT_TAG_REMOVED,
  STINT_TAG_MONO,
  STINT_TAG_STOP,
  STINT_N_TAGS,
} StintTag;

/* How far a block of this many lists and quotes is indented, in pixels. */
#define STINT_CONVERSATION_MARGIN 18
#define STINT_CONVERSATION_INDENT 22

/* The styles of a conversation. Colours alone never say anything. */
typedef struct
{
  GtkTextTag *tags[STINT_N_TAGS];
  GtkTextTagTable *table;
  GPtrArray *indents; /* of GtkTextTag */
} StintConversationTags;

StintConversationTags *stint_conversation_tags_new (GtkTextTagTable *table);
void stint_conversation_tags_free (StintConversationTags *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintConversationTags, stint_conversation_tags_free)

void stint_conversation_tags_set_dark (StintConversationTags *self, gboolean dark);

/* (transfer none): a block this deep; an item's sign hangs to its left. */
GtkTextTag *
stint_conversation_tags_get_indent (StintConversationTags *self, guint depth, gboolean hanging);

G_END_DECLS
