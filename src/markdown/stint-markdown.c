/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The lines of a text, made blocks. Each line goes on with the block that is open or opens another;
 * what has been closed is never looked at again. A line whose end has not come yet is taken as if it
 * had: before more is taken, the open block is dropped and read again from its beginning. */

#define G_LOG_DOMAIN "stint-markdown"

#include "config.h"

#include "stint-markdown-private.h"

#include <string.h>

#define MAX_QUOTES 16
#define MAX_LISTS 16
#define NO_ITEM G_MAXUINT

typedef struct
{
  StintMarkdownBlock block;
  GString *lines; /* while it is open: its source, without what says what it is */
  guint n_lines;
  guint item;    /* the list item that it is in, or that an item is in, or NO_ITEM */
  guint column;  /* of an item: where it begins */
  guint content; /* of an item: from where on what follows is in it */
  char fence;    /* of a code block; 0: it is one by being indented */
  guint fence_size;
  guint fence_column;
  StintMarkdownColumns *columns; /* of a table */
  gboolean rendered;
} Block;

struct _StintMarkdown
{
  GString *source;
  GPtrArray *blocks;

  /* Where the reading stands */
  gboolean open; /* the last block goes on */
  guint item;    /* the innermost list item that is open, or NO_ITEM */
  gboolean blank;
  gboolean full; /* the last block is a table that was closed for its size alone */

  /* Where it is taken up again when more has come: the beginning of the open block */
  gsize from;
  guint from_blocks;
  guint from_item;
  gboolean from_blank;
  gboolean from_full;
};

static void
block_free (Block *self)
{
  g_free (self->block.marker);
  g_free (self->block.info);
  g_free (self->block.text);
  g_array_unref (self->block.spans);
  g_free (self->columns);
  if (self->lines != NULL)
    g_string_free (self->lines, TRUE);
  g_free (self);
}

static Block *
get_block (StintMarkdown *self, guint i)
{
  return self->blocks->pdata[i];
}

static Block *
get_open (StintMarkdown *self)
{
  return self->open ? get_block (self, self->blocks->len - 1) : NULL;
}

static void
render_code (Block *self)
{
  gsize size = self->lines->len;

  while (size > 0 && self->lines->str[size - 1] == '\n' &&
         (self->fence == 0 || size == self->lines->len))
    size--;
  self->block.text = g_strndup (self->lines->str, size);
}

static void
render_text (Block *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gsize size = self->lines->len;

  while (size > 0 && strchr ("\n\r ", self->lines->str[size - 1]) != NULL)
    size--;
  if (self->block.kind == STINT_MARKDOWN_TABLE)
    stint_markdown_table_lay_out (self->lines->str, self->columns, text, self->block.spans);
  else
    stint_markdown_inline (self->lines->str, size, text, self->block.spans);
  self->block.text = g_string_free (g_steal_pointer (&text), FALSE);
}

static void
render (Block *self)
{
  if (self->rendered)
    return;
  self->rendered = TRUE;
  if (self->block.kind == STINT_MARKDOWN_CODE)
    render_code (self);
  else
    render_text (self);
}

static void
close_block (StintMarkdown *self)
{
  Block *block = get_open (self);

  if (block == NULL)
    return;
  render (block);
  g_string_free (g_steal_pointer (&block->lines), TRUE);
  self->open = FALSE;
}

static Block *
open_block (StintMarkdown *self, StintMarkdownKind kind, guint quote)
{
  Block *block;

  close_block (self);
  block = g_new0 (Block, 1);
  block->block.kind = kind;
  block->block.quote = quote;
  block->block.spans = g_array_new (FALSE, FALSE, sizeof (StintMarkdownSpan));
  g_array_set_clear_func (block->block.spans, (GDestroyNotify) stint_markdown_span_clear);
  block->lines = g_string_new (NULL);
  block->item = self->item;
  if (self->item != NO_ITEM)
    block->block.indent = get_block (self, self->item)->block.indent;
  g_ptr_array_add (self->blocks, block);
  self->open = TRUE;
  return block;
}

/* A line: what it is, without its quote signs. */
typedef struct
{
  const char *text;
  gsize size;
  guint column; /* of the first that is not white */
  guint quote;
} Line;

static gboolean
is_blank (const Line *line)
{
  return line->size == 0;
}

static void
skip_white (Line *line)
{
  while (line->size > 0 && (*line->text == ' ' || *line->text == '\t'))
    {
      line->column = *line->text == '\t' ? (line->column / 4 + 1) * 4 : line->column + 1;
      line->text++;
      line->size--;
    }
}

/* At most @max quote signs, with the space after each. */
static void
skip_quotes (Line *line, guint max)
{
  while (line->quote < max)
    {
      Line next = *line;

      skip_white (&next);
      if (next.size == 0 || *next.text != '>' || next.column > line->column + 3)
        return;
      next.text++;
      next.size--;
      next.column = 0;
      next.quote++;
      if (next.size > 0 && *next.text == ' ')
        {
          next.text++;
          next.size--;
        }
      *line = next;
    }
}

static gsize
count_run (const Line *line, char c)
{
  gsize n = 0;

  while (n < line->size && line->text[n] == c)
    n++;
  return n;
}

static void
trim_end (Line *line)
{
  while (line->size > 0 &&
         (line->text[line->size - 1] == ' ' || line->text[line->size - 1] == '\t'))
    line->size--;
}

static gboolean
is_fence (const Line *line)
{
  gsize n = MAX (count_run (line, '`'), count_run (line, '~'));

  if (n < 3)
    return FALSE;
  return *line->text == '~' || memchr (line->text + n, '`', line->size - n) == NULL;
}

static guint
get_heading_level (const Line *line)
{
  gsize n = count_run (line, '#');

  return n >= 1 && n <= 6 && (n == line->size || line->text[n] == ' ' || line->text[n] == '\t')
             ? (guint) n
             : 0;
}

static gboolean
is_rule (const Line *line)
{
  guint n = 0;

  if (line->size == 0 || strchr ("*-_", *line->text) == NULL)
    return FALSE;
  for (gsize i = 0; i < line->size; i++)
    {
      if (line->text[i] == *line->text)
        n++;
      else if (line->text[i] != ' ' && line->text[i] != '\t')
        return FALSE;
    }
  return n >= 3;
}

/* Returns: how many bytes an item's sign has, 0 if there is none. */
static gsize
get_item_sign (const Line *line)
{
  gsize n = 0;

  if (line->size == 0)
    return 0;
  if (strchr ("-+*", *line->text) != NULL)
    n = 1;
  else
    {
      while (n < line->size && n < 9 && g_ascii_isdigit (line->text[n]))
        n++;
      if (n == 0 || n == line->size || (line->text[n] != '.' && line->text[n] != ')'))
        return 0;
      n++;
    }
  return n == line->size || line->text[n] == ' ' || line->text[n] == '\t' ? n : 0;
}

/* An item may come after a paragraph without a blank line only if it is not likely to be meant as text. */
static gboolean
may_interrupt (const Line *line)
{
  gsize n = get_item_sign (line);

  return n > 0 && n < line->size &&
         (!g_ascii_isdigit (*line->text) || (n == 2 && *line->text == '1'));
}

static gboolean
begins_block (const Line *line)
{
  return is_fence (line) || get_heading_level (line) > 0 || is_rule (line) || may_interrupt (line);
}

/* Each line is ended by '\n', or by what says that its end is meant. */
static void
append_line (Block *block, const Line *line)
{
  Line trimmed = *line;

  trim_end (&trimmed);
  g_string_append_len (block->lines, trimmed.text, (gssize) trimmed.size);
  g_string_append_c (block->lines,
                     block->block.kind != STINT_MARKDOWN_TABLE && line->size >= trimmed.size + 2
                         ? STINT_MARKDOWN_BREAK
                         : '\n');
  block->n_lines++;
}

/* What is open is laid out anew with each chunk that comes: what is long goes on in a block of its own. */
static void
append_row (StintMarkdown *self, const Line *line)
{
  Block *block = get_open (self);

  append_line (block, line);
  if (block->lines->len < STINT_MARKDOWN_MAX_TABLE)
    return;
  close_block (self);
  self->full = TRUE;
}

static gboolean
take_row (StintMarkdown *self, const Line *line, gboolean goes_on)
{
  Block *block = goes_on ? get_block (self, self->blocks->len - 1) : get_open (self);

  if (block == NULL || block->block.kind != STINT_MARKDOWN_TABLE ||
      block->block.quote != line->quote || begins_block (line))
    return FALSE;
  if (goes_on)
    {
      const StintMarkdownColumns *columns = block->columns;

      block = open_block (self, STINT_MARKDOWN_TABLE, line->quote);
      block->columns = g_memdup2 (columns, sizeof *columns);
    }
  append_row (self, line);
  return TRUE;
}

static gboolean
take_fenced_line (StintMarkdown *self, const char *text, gsize size)
{
  Block *block = get_open (self);
  Line line = { .text = text, .size = size };
  Line content;

  if (block == NULL || block->block.kind != STINT_MARKDOWN_CODE || block->fence == 0)
    return FALSE;
  skip_quotes (&line, block->block.quote);
  if (line.quote < block->block.quote)
    {
      close_block (self);
      return FALSE;
    }
  content = line;
  skip_white (&content);
  /* What stands left of the item ends it. */
  if (content.size > 0 && block->item != NO_ITEM &&
      content.column < get_block (self, block->item)->content &&
      content.column < block->fence_column)
    {
      close_block (self);
      return FALSE;
    }
  trim_end (&content);
  if (content.size >= block->fence_size && count_run (&content, block->fence) == content.size)
    {
      close_block (self);
      return TRUE;
    }
  for (guint column = 0; column < block->fence_column && line.size > 0 && *line.text == ' ';
       column++)
    {
      line.text++;
      line.size--;
    }
  g_string_append_len (block->lines, line.text, (gssize) line.size);
  g_string_append_c (block->lines, '\n');
  return TRUE;
}

static gboolean
take_indented_line (StintMarkdown *self, const Line *line, guint base)
{
  Block *block = get_open (self);
  gboolean is_open = block != NULL && block->block.kind == STINT_MARKDOWN_CODE &&
                     block->block.quote == line->quote;

  if (line->column < base + 4 ||
      (!is_open && (self->open || (!self->blank && self->blocks->len > 0))))
    return FALSE;
  if (!is_open)
    block = open_block (self, STINT_MARKDOWN_CODE, line->quote);
  for (guint i = base + 4; i < line->column; i++)
    g_string_append_c (block->lines, ' ');
  g_string_append_len (block->lines, line->text, (gssize) line->size);
  g_string_append_c (block->lines, '\n');
  return TRUE;
}

static void
open_fence (StintMarkdown *self, const Line *line)
{
  Block *block = open_block (self, STINT_MARKDOWN_CODE, line->quote);
  Line info = *line;

  block->fence = *line->text;
  block->fence_size = (guint) count_run (line, block->fence);
  block->fence_column = line->column;
  info.text += block->fence_size;
  info.size -= block->fence_size;
  skip_white (&info);
  trim_end (&info);
  if (info.size > 0)
    block->block.info = g_strndup (info.text, strcspn (info.text, " \t\n") < info.size
                                                  ? strcspn (info.text, " \t\n")
                                                  : info.size);
}

static void
open_heading (StintMarkdown *self, const Line *line, guint level)
{
  Block *block = open_block (self, STINT_MARKDOWN_HEADING, line->quote);
  Line text = *line;
  gsize n;

  block->block.level = level;
  text.text += level;
  text.size -= level;
  skip_white (&text);
  trim_end (&text);
  for (n = text.size; n > 0 && text.text[n - 1] == '#'; n--)
    ;
  if (n == 0 || text.text[n - 1] == ' ' || text.text[n - 1] == '\t')
    text.size = n;
  trim_end (&text);
  g_string_append_len (block->lines, text.text, (gssize) text.size);
  close_block (self);
}

/* "[ ] " and "[x] " at the beginning of an item. */
static void
take_task (Block *block, Line *line)
{
  if (line->size < 4 || line->text[0] != '[' || line->text[2] != ']' || line->text[3] != ' ' ||
      strchr (" xX", line->text[1]) == NULL)
    return;
  g_free (block->block.marker);
  block->block.marker = g_strdup (line->text[1] == ' ' ? "☐" : "☑");
  line->text += 4;
  line->size -= 4;
}

static void
open_item (StintMarkdown *self, Line *line, gsize sign)
{
  guint item = self->item;
  Block *block = open_block (self, STINT_MARKDOWN_ITEM, line->quote);
  Line rest = *line;

  block->column = line->column;
  block->block.indent = MIN (block->block.indent + 1, MAX_LISTS);
  block->block.marker = sign == 1 ? g_strdup ("•") : g_strndup (line->text, sign);
  rest.text += sign;
  rest.size -= sign;
  rest.column += (guint) sign;
  block->content = rest.column + 1;
  skip_white (&rest);
  if (rest.size > 0 && rest.column <= line->column + sign + 4)
    block->content = rest.column;
  block->item = item;
  self->item = self->blocks->len - 1;
  take_task (block, &rest);
  *line = rest;
}

/* The item that a line at this column is in. */
static guint
find_item (StintMarkdown *self, const Line *line)
{
  guint item = self->item;

  while (item != NO_ITEM && (get_block (self, item)->block.quote != line->quote ||
                             line->column < get_block (self, item)->content))
    item = get_block (self, item)->item;
  return item;
}

/* In a list an item needs no blank line before it. */
static gboolean
is_next_item (StintMarkdown *self, const Line *line)
{
  return self->item != NO_ITEM && get_item_sign (line) > 0 &&
         line->column < get_block (self, self->item)->content;
}

static gboolean
is_text (const Block *block)
{
  return block != NULL && (block->block.kind == STINT_MARKDOWN_PARAGRAPH ||
                           block->block.kind == STINT_MARKDOWN_ITEM);
}

/* The line below a paragraph that makes it a heading or a table. */
static gboolean
take_underline (StintMarkdown *self, const Line *line)
{
  Block *block = get_open (self);
  Line trimmed = *line;
  gsize n_equals, n_dashes;

  if (block == NULL || block->block.kind != STINT_MARKDOWN_PARAGRAPH ||
      block->block.quote != line->quote || block->item != self->item)
    return FALSE;
  trim_end (&trimmed);
  n_equals = count_run (&trimmed, '=');
  n_dashes = count_run (&trimmed, '-');
  /* One dash may be an item that is just being written. */
  if (trimmed.size > 1 && (n_equals == trimmed.size || n_dashes == trimmed.size))
    {
      block->block.kind = STINT_MARKDOWN_HEADING;
      block->block.level = n_equals > 0 ? 1 : 2;
      close_block (self);
      return TRUE;
    }
  if (block->n_lines == 1 && block->lines->len + trimmed.size < STINT_MARKDOWN_MAX_TABLE &&
      stint_markdown_table_is_delimiter (trimmed.text, trimmed.size) &&
      stint_markdown_table_count_cells (trimmed.text, trimmed.size) ==
          stint_markdown_table_count_cells (block->lines->str, block->lines->len - 1))
    {
      block->block.kind = STINT_MARKDOWN_TABLE;
      block->columns = g_new0 (StintMarkdownColumns, 1);
      block->lines->str[block->lines->len - 1] = '\n';
      append_line (block, &trimmed);
      return TRUE;
    }
  return FALSE;
}

static void
take_blank (StintMarkdown *self, const Line *line)
{
  Block *block = get_open (self);

  self->blank = TRUE;
  if (block != NULL && block->block.kind == STINT_MARKDOWN_CODE &&
      block->block.quote == line->quote)
    g_string_append_c (block->lines, '\n');
  else
    close_block (self);
}

/* What a line is at which nothing goes on. Items may stand in one line with what is in them. */
static void
open_blocks (StintMarkdown *self, Line *line)
{
  for (guint n = 0; n < MAX_LISTS; n++)
    {
      guint level = get_heading_level (line);
      gsize sign;

      if (is_fence (line))
        {
          open_fence (self, line);
          return;
        }
      if (level > 0)
        {
          open_heading (self, line, level);
          return;
        }
      if (is_rule (line))
        {
          open_block (self, STINT_MARKDOWN_RULE, line->quote);
          close_block (self);
          return;
        }
      sign = get_item_sign (line);
      if (sign == 0)
        break;
      open_item (self, line, sign);
      if (line->size == 0)
        return;
    }
  if (!is_text (get_open (self)))
    open_block (self, STINT_MARKDOWN_PARAGRAPH, line->quote);
  append_line (get_open (self), line);
}

static void
take_line (StintMarkdown *self, const char *text, gsize size)
{
  Line line = { .text = text, .size = size };
  gboolean goes_on = self->full;
  Block *block;
  guint item;

  self->full = FALSE;
  if (take_fenced_line (self, text, size))
    {
      self->blank = FALSE;
      return;
    }
  skip_quotes (&line, MAX_QUOTES);
  skip_white (&line);
  if (is_blank (&line))
    {
      take_blank (self, &line);
      return;
    }

  block = get_open (self);
  item = find_item (self, &line);
  /* A line that begins nothing belongs to the text before it, wherever it stands. */
  if (is_text (block) && !begins_block (&line) && line.quote <= block->block.quote &&
      !is_next_item (self, &line))
    {
      if (!take_underline (self, &line))
        append_line (block, &line);
      return;
    }
  if (take_row (self, &line, goes_on))
    return;
  if (is_text (block) && line.quote == block->block.quote && item == self->item &&
      take_underline (self, &line))
    return;

  self->item = item;
  if (!take_indented_line (self, &line, item != NO_ITEM ? get_block (self, item)->content : 0))
    {
      close_block (self);
      open_blocks (self, &line);
    }
  self->blank = FALSE;
}

/* The beginning of a line: if what is open now goes on, it will be read again from its own beginning. */
static void
note_place (StintMarkdown *self, gsize at)
{
  if (self->open)
    return;
  self->from = at;
  self->from_blocks = self->blocks->len;
  self->from_item = self->item;
  self->from_blank = self->blank;
  self->from_full = self->full;
}

static void
read_lines (StintMarkdown *self)
{
  const char *source = self->source->str;
  gsize at = self->from;
  guint n_blocks = self->from_blocks;

  g_ptr_array_set_size (self->blocks, (int) n_blocks);
  self->open = FALSE;
  self->item = self->from_item;
  self->blank = self->from_blank;
  self->full = self->from_full;

  while (at < self->source->len)
    {
      const char *end = memchr (source + at, '\n', self->source->len - at);
      gsize size = end != NULL ? (gsize) (end - source) - at : self->source->len - at;
      guint before = self->blocks->len;
      guint item_before = self->item;
      gboolean blank_before = self->blank;
      gboolean full_before = self->full;

      note_place (self, at);
      take_line (self, source + at, size);
      if (end == NULL)
        break;
      /* A new block that stays open begins with this line. */
      if (self->open && self->blocks->len > before)
        {
          self->from = at;
          self->from_blocks = before;
          self->from_item = item_before;
          self->from_blank = blank_before;
          self->from_full = full_before;
        }
      at += size + 1;
    }
  if (self->open)
    render (get_open (self));
}

/* Without what would not be shown, or would end the text. */
static void
append_clean (GString *source, const char *text, gsize size)
{
  const char *end = text + size;

  for (const char *p = text; p < end; p++)
    {
      guchar c = (guchar) *p;

      if (c >= 0x20 || c == '\n' || c == '\t')
        {
          if (c == 0x7f)
            g_string_append_unichar (source, 0x2421);
          else
            g_string_append_c (source, *p);
        }
      else if (c == '\r')
        {
          /* A line end of two signs is one. */
          if (p + 1 < end && p[1] != '\n')
            g_string_append_c (source, '\n');
        }
      else
        g_string_append_unichar (source, 0x2400 + c);
    }
}

StintMarkdown *
stint_markdown_new (void)
{
  StintMarkdown *self = g_new0 (StintMarkdown, 1);

  self->source = g_string_new (NULL);
  self->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) block_free);
  self->item = self->from_item = NO_ITEM;
  return self;
}

void
stint_markdown_free (StintMarkdown *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->blocks);
  g_string_free (self->source, TRUE);
  g_free (self);
}

guint
stint_markdown_append (StintMarkdown *self, const char *text, gssize size)
{
  guint first;

  g_return_val_if_fail (self != NULL, 0);
  g_return_val_if_fail (text != NULL || size == 0, 0);

  if (size < 0)
    size = (gssize) strlen (text);
  first = self->from_blocks;
  if (g_utf8_validate_len (text, (gsize) size, NULL))
    append_clean (self->source, text, (gsize) size);
  else
    {
      g_autofree char *valid = g_utf8_make_valid (text, size);

      append_clean (self->source, valid, strlen (valid));
    }
  read_lines (self);
  return first;
}

guint
stint_markdown_get_n_blocks (StintMarkdown *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->blocks->len;
}

const StintMarkdownBlock *
stint_markdown_get_block (StintMarkdown *self, guint i)
{
  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (i < self->blocks->len, NULL);

  return &get_block (self, i)->block;
}

const char *
stint_markdown_get_source (StintMarkdown *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->source->str;
}
