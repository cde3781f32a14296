/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * StintMarkdown:
 *
 * Markdown that grows, as blocks of plain text with styles. It is CommonMark with tables, task lists
 * and struck out text, without HTML, which stays text, and without references. Whatever comes, it
 * becomes some text: nothing is refused and nothing is lost.
 *
 * What has been given is not parsed again, the last block excepted.
 */
typedef struct _StintMarkdown StintMarkdown;

typedef enum
{
  STINT_MARKDOWN_PARAGRAPH,
  STINT_MARKDOWN_HEADING,
  STINT_MARKDOWN_CODE,
  STINT_MARKDOWN_ITEM,
  STINT_MARKDOWN_TABLE, /* in columns, for a font in which all characters are equally wide */
  STINT_MARKDOWN_RULE,
} StintMarkdownKind;

typedef enum
{
  STINT_MARKDOWN_EMPHASIS = 1 << 0,
  STINT_MARKDOWN_STRONG = 1 << 1,
  STINT_MARKDOWN_STRUCK = 1 << 2,
  STINT_MARKDOWN_INLINE_CODE = 1 << 3,
  STINT_MARKDOWN_LINK = 1 << 4,
} StintMarkdownStyle;

/**
 * StintMarkdownSpan:
 * @start: first character, counted in the block's text
 * @end: the character after the last
 * @style: one style; spans may lie within each other
 * @uri: (nullable): where a link leads, as it was written
 */
typedef struct
{
  guint start;
  guint end;
  StintMarkdownStyle style;
  char *uri;
} StintMarkdownSpan;

/**
 * StintMarkdownBlock:
 * @kind: what it is
 * @level: of a heading, 1 to 6
 * @indent: in how many lists it is; an item is in its own too
 * @quote: in how many quotes
 * @marker: (nullable): what stands before an item: "•", "3.", "☐" or "☑"
 * @info: (nullable): a code block's language
 * @text: without markup, without a line end at its end
 * @spans: (element-type StintMarkdownSpan): its styles
 */
typedef struct
{
  StintMarkdownKind kind;
  guint level;
  guint indent;
  guint quote;
  char *marker;
  char *info;
  char *text;
  GArray *spans;
} StintMarkdownBlock;

StintMarkdown *stint_markdown_new (void);
void stint_markdown_free (StintMarkdown *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintMarkdown, stint_markdown_free)

/**
 * stint_markdown_append:
 * @self: the text so far
 * @text: (array length=size): what comes next; it may end in the middle of a line, but not of a
 *   character. Invalid bytes and control characters become visible signs.
 * @size: in bytes, or -1 if @text ends with a zero
 *
 * Returns: the first block that is not as it was
 */
guint stint_markdown_append (StintMarkdown *self, const char *text, gssize size);

guint stint_markdown_get_n_blocks (StintMarkdown *self);

/* (transfer none): good until text is appended. */
const StintMarkdownBlock *stint_markdown_get_block (StintMarkdown *self, guint i);

/* (transfer none): all that was given. */
const char *stint_markdown_get_source (StintMarkdown *self);

G_END_DECLS
