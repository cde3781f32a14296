/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Anything as Markdown: in whatever pieces it comes it becomes the same, all of its styles lie within
 * its text, and its text can be shown.
 */
#include "fuzz.h"

#include "stint-markdown.h"

#include <string.h>

static void
check_block (const StintMarkdownBlock *block)
{
  glong length = g_utf8_strlen (block->text, -1);

  g_assert_true (g_utf8_validate (block->text, -1, NULL));
  for (guint i = 0; i < block->spans->len; i++)
    {
      const StintMarkdownSpan *span = &g_array_index (block->spans, StintMarkdownSpan, i);

      g_assert_cmpuint (span->start, <, span->end);
      g_assert_cmpint (span->end, <=, length);
      g_assert_cmpint (span->uri != NULL, ==, span->style == STINT_MARKDOWN_LINK);
    }
}

static StintMarkdown *
parse (const char *text, gsize size, gsize step)
{
  StintMarkdown *markdown = stint_markdown_new ();
  const char *end = text + size;

  while (text < end)
    {
      const char *to = text;

      for (gsize i = 0; i < step && to < end; i++)
        to = g_utf8_next_char (to);
      stint_markdown_append (markdown, text, to - text);
      text = to;
    }
  for (guint i = 0; i < stint_markdown_get_n_blocks (markdown); i++)
    check_block (stint_markdown_get_block (markdown, i));
  return markdown;
}

static void
check_same (StintMarkdown *a, StintMarkdown *b)
{
  g_assert_cmpstr (stint_markdown_get_source (a), ==, stint_markdown_get_source (b));
  g_assert_cmpuint (stint_markdown_get_n_blocks (a), ==, stint_markdown_get_n_blocks (b));
  for (guint i = 0; i < stint_markdown_get_n_blocks (a); i++)
    {
      const StintMarkdownBlock *left = stint_markdown_get_block (a, i);
      const StintMarkdownBlock *right = stint_markdown_get_block (b, i);

      g_assert_cmpuint (left->kind, ==, right->kind);
      g_assert_cmpuint (left->level, ==, right->level);
      g_assert_cmpuint (left->indent, ==, right->indent);
      g_assert_cmpuint (left->quote, ==, right->quote);
      g_assert_cmpstr (left->marker, ==, right->marker);
      g_assert_cmpstr (left->info, ==, right->info);
      g_assert_cmpstr (left->text, ==, right->text);
      g_assert_cmpuint (left->spans->len, ==, right->spans->len);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_utf8_make_valid ((const char *) data, (gssize) size);
  gsize length;
  g_autoptr (StintMarkdown) whole = NULL;
  g_autoptr (StintMarkdown) single = NULL;
  g_autoptr (StintMarkdown) pieces = NULL;
  g_autoptr (StintMarkdown) raw = stint_markdown_new ();

  /* Where two signs are one line end, a cut between them makes no difference that matters. */
  g_strdelimit (text, "\r", '\n');
  length = strlen (text);
  whole = parse (text, length, MAX (length, 1));
  single = parse (text, length, 1);
  pieces = parse (text, length, 5);
  check_same (whole, single);
  check_same (whole, pieces);
  stint_markdown_append (raw, (const char *) data, (gssize) size);
  return 0;
}
