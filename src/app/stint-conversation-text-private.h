/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-conversation-tags.h"
#include "stint-conversation-text.h"
#include "stint-markdown.h"

G_BEGIN_DECLS

/* A link within an item's stretch; characters from its beginning. */
typedef struct
{
  guint start;
  guint end;
  StintLinkKind kind;
  char *target;
} StintTextLink;

/* An item's stretch of the buffer. It is never empty. */
typedef struct
{
  StintConversationItem *item;
  GtkTextMark *start;
  gboolean folded;
  gboolean folded_by_user;
  StintMarkdown *markdown; /* of what grows */
  gsize taken;             /* bytes of the item's text that are in it */
  GArray *blocks;  /* of guint: where each block of it begins, from the stretch's beginning */
  guint body;      /* where the first one does */
  char *last_text; /* (nullable): what the last block shows, if it has no styles within */
  StintMarkdownKind last_kind;
  GArray *links; /* of StintTextLink */
} StintTextEntry;

/* Where something is being written. */
typedef struct
{
  GtkTextBuffer *buffer;
  StintConversationTags *tags;
  StintTextEntry *entry;
  guint origin; /* offset of the entry's stretch */
  GtkTextIter at;
} StintTextWriter;

/* Ends the tags of a call. */
#define STINT_TAG_END STINT_N_TAGS

/* Writes @text in the styles that follow, up to %STINT_TAG_END. Very long lines are broken. */
void stint_text_writer_put (StintTextWriter *self, const char *text, ...);
void stint_text_writer_put_link (StintTextWriter *self,
                                 const char *text,
                                 StintLinkKind kind,
                                 const char *target,
                                 StintTag tag);
void stint_text_writer_apply (StintTextWriter *self, guint from, GtkTextTag *tag);

/* Offset in the buffer. */
guint stint_text_writer_get_offset (StintTextWriter *self);

/* A block of Markdown, @depth deeper than it says. */
void
stint_text_writer_put_block (StintTextWriter *self, const StintMarkdownBlock *block, guint depth);
void stint_text_writer_put_markdown (StintTextWriter *self, const char *text, guint depth);

/* What a tool call and a plan look like. */
gboolean stint_text_tool_has_body (StintConversationItem *item);
gboolean stint_text_tool_begins_folded (StintConversationItem *item);
void stint_text_writer_put_tool (StintTextWriter *self, gboolean folded);
void stint_text_writer_put_plan (StintTextWriter *self);

G_END_DECLS
