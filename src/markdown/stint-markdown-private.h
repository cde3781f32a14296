/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-markdown.h"

G_BEGIN_DECLS

/* In the text of a paragraph: a line break that is meant, where '\n' is only where the source's line ends. */
#define STINT_MARKDOWN_BREAK '\r'

/* Longer paragraphs are shown as they are: nobody means their markup. In bytes. */
#define STINT_MARKDOWN_MAX_INLINE (64 * 1024)

/* What is laid out of a table at once, in bytes of its source: each chunk that comes lays out its last
 * piece anew. */
#define STINT_MARKDOWN_MAX_TABLE (16 * 1024)
#define STINT_MARKDOWN_MAX_COLUMNS 64

/* A table's columns: how wide they are, in characters, and to which side they are filled up. */
typedef struct
{
  guint n;
  guint8 widths[STINT_MARKDOWN_MAX_COLUMNS];
  guint8 aligns[STINT_MARKDOWN_MAX_COLUMNS];
} StintMarkdownColumns;

void stint_markdown_span_clear (StintMarkdownSpan *span);

/**
 * stint_markdown_inline:
 * @source: (array length=size): a paragraph's text
 * @out: where to append what is shown
 * @spans: (element-type StintMarkdownSpan): where to append the styles, relative to all of @out
 */
void stint_markdown_inline (const char *source, gsize size, GString *out, GArray *spans);

/* How many cells a row has that begins here; 0 if it is none. */
guint stint_markdown_table_count_cells (const char *line, gsize size);

/* Whether this is the row of dashes below a table's head. */
gboolean stint_markdown_table_is_delimiter (const char *line, gsize size);

/**
 * stint_markdown_table_lay_out:
 * @lines: head, delimiter and rows, each ended by '\n'; of a further piece rows alone
 * @columns: all zero for a table's first piece, and filled in by it; a further one is laid out in them
 * @out: (inout): an empty string, to which what is shown is appended
 * @spans: (element-type StintMarkdownSpan): where to append the styles
 */
void stint_markdown_table_lay_out (const char *lines,
                                   StintMarkdownColumns *columns,
                                   GString *out,
                                   GArray *spans);

G_END_DECLS
