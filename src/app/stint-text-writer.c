/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Writing into the buffer of a conversation: text with styles, links, blocks of Markdown. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-conversation-text-private.h"

#include <string.h>

/* Characters: Pango lays out a line as a whole, and what is longer than this takes too long. */
#define MAX_LINE 2000

guint
stint_text_writer_get_offset (StintTextWriter *self)
{
  return (guint) gtk_text_iter_get_offset (&self->at);
}

void
stint_text_writer_apply (StintTextWriter *self, guint from, GtkTextTag *tag)
{
  GtkTextIter start;

  gtk_text_buffer_get_iter_at_offset (self->buffer, &start, (int) from);
  gtk_text_buffer_apply_tag (self->buffer, tag, &start, &self->at);
}

/* Returns: (transfer full) (nullable): @text with long lines broken, NULL if there are none. @n: how
 * many characters stand before it in its first line. */
static char *
break_lines (const char *text, guint n)
{
  gsize size = strlen (text);
  GString *out;

  if (n + size <= MAX_LINE)
    return NULL;
  out = g_string_sized_new (size + size / MAX_LINE + 1);
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    {
      n = *p == '\n' ? 0 : n + 1;
      if (n > MAX_LINE)
        {
          g_string_append_c (out, '\n');
          n = 1;
        }
      g_string_append_len (out, p, g_utf8_next_char (p) - p);
    }
  if (out->len == size)
    {
      g_string_free (out, TRUE);
      return NULL;
    }
  return g_string_free (out, FALSE);
}

/* Returns: whether it is as it was given. */
static gboolean
insert (StintTextWriter *self, const char *text)
{
  g_autofree char *broken = break_lines (text, (guint) gtk_text_iter_get_line_offset (&self->at));

  gtk_text_buffer_insert (self->buffer, &self->at, broken != NULL ? broken : text, -1);
  return broken == NULL;
}

void
stint_text_writer_put (StintTextWriter *self, const char *text, ...)
{
  guint from = stint_text_writer_get_offset (self);
  va_list list;
  StintTag tag;

  insert (self, text);
  va_start (list, text);
  while ((tag = va_arg (list, StintTag)) != STINT_TAG_END)
    stint_text_writer_apply (self, from, self->tags->tags[tag]);
  va_end (list);
}

static void
add_link (StintTextWriter *self, guint from, guint to, StintLinkKind kind, const char *target)
{
  StintTextLink link = { .start = from - self->origin,
                         .end = to - self->origin,
                         .kind = kind,
                         .target = g_strdup (target) };

  g_array_append_val (self->entry->links, link);
}

void
stint_text_writer_put_link (StintTextWriter *self,
                            const char *text,
                            StintLinkKind kind,
                            const char *target,
                            StintTag tag)
{
  guint from = stint_text_writer_get_offset (self);

  stint_text_writer_put (self, text, tag, STINT_TAG_END);
  add_link (self, from, stint_text_writer_get_offset (self), kind, target);
}

static StintTag
get_span_tag (StintMarkdownStyle style)
{
  switch (style)
    {
    case STINT_MARKDOWN_EMPHASIS:
      return STINT_TAG_EMPHASIS;
    case STINT_MARKDOWN_STRONG:
      return STINT_TAG_STRONG;
    case STINT_MARKDOWN_STRUCK:
      return STINT_TAG_STRUCK;
    case STINT_MARKDOWN_INLINE_CODE:
      return STINT_TAG_CODE;
    case STINT_MARKDOWN_LINK:
      return STINT_TAG_LINK;
    default:
      g_return_val_if_reached (STINT_TAG_LINK);
    }
}

static void
apply_spans (StintTextWriter *self, const StintMarkdownBlock *block, guint from)
{
  for (guint i = 0; i < block->spans->len; i++)
    {
      const StintMarkdownSpan *span = &g_array_index (block->spans, StintMarkdownSpan, i);
      GtkTextIter start, end;

      gtk_text_buffer_get_iter_at_offset (self->buffer, &start, (int) (from + span->start));
      gtk_text_buffer_get_iter_at_offset (self->buffer, &end, (int) (from + span->end));
      gtk_text_buffer_apply_tag (self->buffer, self->tags->tags[get_span_tag (span->style)], &start,
                                 &end);
      if (span->uri != NULL)
        add_link (self, from + span->start, from + span->end, STINT_LINK_URI, span->uri);
    }
}

static void
apply_kind (StintTextWriter *self, const StintMarkdownBlock *block, guint from)
{
  GtkTextTag **tags = self->tags->tags;
  GtkTextIter start, end;

  /* The space is above the block, not above each of its lines. */
  gtk_text_buffer_get_iter_at_offset (self->buffer, &start, (int) from);
  end = start;
  gtk_text_iter_forward_line (&end);
  gtk_text_buffer_apply_tag (self->buffer, tags[STINT_TAG_BLOCK], &start, &end);
  switch (block->kind)
    {
    case STINT_MARKDOWN_HEADING:
      stint_text_writer_apply (self, from, tags[STINT_TAG_HEADING_1 + MIN (block->level, 3) - 1]);
      break;
    case STINT_MARKDOWN_CODE:
      stint_text_writer_apply (self, from, tags[STINT_TAG_CODE_BLOCK]);
      break;
    case STINT_MARKDOWN_TABLE:
      stint_text_writer_apply (self, from, tags[STINT_TAG_MONO]);
      break;
    case STINT_MARKDOWN_RULE:
      stint_text_writer_apply (self, from, tags[STINT_TAG_DIM]);
      break;
    case STINT_MARKDOWN_PARAGRAPH:
    case STINT_MARKDOWN_ITEM:
    default:
      break;
    }
  if (block->quote > 0)
    stint_text_writer_apply (self, from, tags[STINT_TAG_QUOTE]);
}

void
stint_text_writer_put_block (StintTextWriter *self, const StintMarkdownBlock *block, guint depth)
{
  guint from = stint_text_writer_get_offset (self);
  guint text_from;

  depth += block->indent + block->quote;
  /* Said too, not only shown by its style. */
  if (block->quote > 0 && block->marker == NULL)
    insert (self, "❝ ");
  if (block->marker != NULL)
    {
      insert (self, block->marker);
      insert (self, " ");
    }
  text_from = stint_text_writer_get_offset (self);
  if (insert (self, block->kind == STINT_MARKDOWN_RULE ? "────────" : block->text))
    apply_spans (self, block, text_from);
  insert (self, "\n");
  apply_kind (self, block, from);
  if (depth > 0)
    stint_text_writer_apply (
        self, from, stint_conversation_tags_get_indent (self->tags, depth, block->marker != NULL));
}

void
stint_text_writer_put_markdown (StintTextWriter *self, const char *text, guint depth)
{
  g_autoptr (StintMarkdown) markdown = stint_markdown_new ();

  stint_markdown_append (markdown, text, -1);
  for (guint i = 0; i < stint_markdown_get_n_blocks (markdown); i++)
    stint_text_writer_put_block (self, stint_markdown_get_block (markdown, i), depth);
}
