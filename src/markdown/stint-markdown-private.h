/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-markdown.h"

G_BEGIN_DECLS

/* In the text of a paragraph: a line break that is meant, where '\n' is only where the source's line ends. */
#define STINT_MARKDOWN_BREAK '\r'

/* Longer paragraphs are shown as they are: nobody means their markup. In bytes. */
#define STINT_MARKDOWN_MAX_INLINE (64 * 1024)

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

/* @lines: head, delimiter and rows, each ended by '\n'. */
void stint_markdown_table_lay_out (const char *lines, GString *out, GArray *spans);

G_END_DECLS
