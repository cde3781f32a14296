/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tables, as text in columns. A long one comes in pieces, whose columns are those of the first. */

#define G_LOG_DOMAIN "stint-markdown"

#include "config.h"

#include "stint-markdown-private.h"

#include <string.h>

#define MAX_WIDTH 60 /* characters to which a cell is filled up; a longer one pushes the others */

/* Of one piece's text, in bytes: from there on nothing is filled up, or two signs a row would become
 * a screenful of spaces each. */
#define MAX_FILLED (64 * 1024)

typedef enum
{
  ALIGN_LEFT,
  ALIGN_RIGHT,
  ALIGN_CENTRE,
} Align;

/* The cells of a row, each trimmed. A '|' after a backslash divides nothing. */
static GPtrArray *
split_row (const char *line, gsize size)
{
  GPtrArray *cells = g_ptr_array_new_with_free_func (g_free);
  const char *end = line + size;
  GString *cell = g_string_new (NULL);

  while (line < end && g_ascii_isspace (*line))
    line++;
  while (end > line && g_ascii_isspace (end[-1]))
    end--;
  if (line < end && *line == '|')
    line++;
  if (end > line && end[-1] == '|' && !(end - 1 > line && end[-2] == '\\'))
    end--;
  for (; line <= end; line++)
    {
      if (line == end || (*line == '|' && cells->len + 1 < STINT_MARKDOWN_MAX_COLUMNS))
        {
          g_ptr_array_add (cells, g_strdup (g_strstrip (cell->str)));
          g_string_truncate (cell, 0);
        }
      else
        {
          if (*line == '\\' && line + 1 < end && line[1] == '|')
            line++;
          g_string_append_c (cell, *line);
        }
    }
  g_string_free (cell, TRUE);
  return cells;
}

guint
stint_markdown_table_count_cells (const char *line, gsize size)
{
  g_autoptr (GPtrArray) cells = NULL;

  if (memchr (line, '|', size) == NULL)
    return 0;
  cells = split_row (line, size);
  return cells->len;
}

gboolean
stint_markdown_table_is_delimiter (const char *line, gsize size)
{
  gboolean dash = FALSE;

  for (gsize i = 0; i < size; i++)
    {
      dash |= line[i] == '-';
      if (strchr ("|:- \t", line[i]) == NULL || line[i] == '\0')
        return FALSE;
    }
  return dash && memchr (line, '|', size) != NULL;
}

static guint
get_width (const char *text)
{
  guint width = 0;

  for (; *text != '\0'; text = g_utf8_next_char (text))
    {
      gunichar c = g_utf8_get_char (text);

      width += g_unichar_iszerowidth (c) ? 0 : g_unichar_iswide (c) ? 2 : 1;
    }
  return width;
}

typedef struct
{
  GString *text;
  GArray *spans;
} Cell;

static void
cell_free (Cell *cell)
{
  g_string_free (cell->text, TRUE);
  g_array_unref (cell->spans);
  g_free (cell);
}

static Cell *
cell_new (const char *source)
{
  Cell *cell = g_new0 (Cell, 1);

  cell->text = g_string_new (NULL);
  cell->spans = g_array_new (FALSE, FALSE, sizeof (StintMarkdownSpan));
  stint_markdown_inline (source, strlen (source), cell->text, cell->spans);
  return cell;
}

static void
fill (GString *out, guint n)
{
  for (; n > 0; n--)
    g_string_append_c (out, ' ');
}

/* @at: where @out ends, in characters; moves on. */
static void
write_cell (Cell *cell, guint width, Align align, gboolean is_head, guint *at, GString *out, GArray *spans)
{
  guint used = get_width (cell->text->str);
  guint length = (guint) g_utf8_strlen (cell->text->str, (gssize) cell->text->len);
  guint space = used < width ? width - used : 0;
  guint before = align == ALIGN_LEFT ? 0 : align == ALIGN_RIGHT ? space : space / 2;
  guint start = *at + before;

  fill (out, before);
  g_string_append_len (out, cell->text->str, (gssize) cell->text->len);
  fill (out, space - before);
  *at += length + space;
  for (guint i = 0; i < cell->spans->len; i++)
    {
      StintMarkdownSpan span = g_array_index (cell->spans, StintMarkdownSpan, i);

      span.start += start;
      span.end += start;
      g_array_append_val (spans, span);
    }
  if (is_head && length > 0)
    {
      StintMarkdownSpan span = { .start = start,
                                 .end = start + length,
                                 .style = STINT_MARKDOWN_STRONG };

      g_array_append_val (spans, span);
    }
}

static void
read_alignment (GPtrArray *cells, StintMarkdownColumns *columns)
{
  for (guint i = 0; i < cells->len; i++)
    {
      const char *cell = cells->pdata[i];
      gboolean right = g_str_has_suffix (cell, ":");

      columns->aligns[i] = !right ? ALIGN_LEFT : cell[0] == ':' ? ALIGN_CENTRE : ALIGN_RIGHT;
    }
}

/* A row longer than any is meant to be is one cell, as it is. */
static GPtrArray *
read_row (const char *line, gsize size)
{
  GPtrArray *row = g_ptr_array_new_with_free_func ((GDestroyNotify) cell_free);
  g_autoptr (GPtrArray) sources = NULL;

  if (size > STINT_MARKDOWN_MAX_TABLE)
    {
      Cell *cell = cell_new ("");

      g_string_append_len (cell->text, line, (gssize) size);
      g_ptr_array_add (row, cell);
      return row;
    }
  sources = split_row (line, size);
  for (guint i = 0; i < sources->len; i++)
    g_ptr_array_add (row, cell_new (sources->pdata[i]));
  return row;
}

static void
measure (GPtrArray *rows, StintMarkdownColumns *columns)
{
  for (guint r = 0; r < rows->len; r++)
    {
      GPtrArray *row = rows->pdata[r];

      columns->n = MAX (columns->n, row->len);
      for (guint i = 0; i < row->len; i++)
        {
          Cell *cell = row->pdata[i];

          columns->widths[i] =
            MAX (columns->widths[i], (guint8) MIN (get_width (cell->text->str), MAX_WIDTH));
        }
    }
}

static void
write_line_below_head (const StintMarkdownColumns *columns, guint *at, GString *out)
{
  g_string_append_c (out, '\n');
  *at += 1;
  for (guint i = 0; i < columns->n; i++)
    {
      if (i > 0)
        g_string_append (out, "─┼─");
      for (guint n = 0; n < columns->widths[i]; n++)
        g_string_append (out, "─");
      *at += columns->widths[i] + (i > 0 ? 3 : 0);
    }
}

void
stint_markdown_table_lay_out (const char *lines, StintMarkdownColumns *columns, GString *out, GArray *spans)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  gboolean goes_on = columns->n > 0;
  guint number = 0;
  guint at = 0;

  for (const char *line = lines, *end; *line != '\0'; line = end + (*end == '\n'), number++)
    {
      end = strchrnul (line, '\n');
      if (number == 1 && !goes_on)
        {
          g_autoptr (GPtrArray) cells = split_row (line, (gsize) (end - line));

          read_alignment (cells, columns);
          continue;
        }
      g_ptr_array_add (rows, read_row (line, (gsize) (end - line)));
    }
  if (!goes_on)
    measure (rows, columns);

  for (guint r = 0; r < rows->len; r++)
    {
      GPtrArray *row = rows->pdata[r];
      gboolean is_head = r == 0 && !goes_on;
      gboolean filled = out->len < MAX_FILLED;

      if (r > 0)
        g_string_append_c (out, '\n');
      at += r > 0;
      for (guint i = 0; i < row->len; i++)
        {
          Align align = columns->aligns[i];
          gboolean last = i + 1 >= columns->n && align == ALIGN_LEFT;

          if (i > 0)
            g_string_append (out, " │ ");
          at += i > 0 ? 3 : 0;
          write_cell (row->pdata[i], filled && !last ? columns->widths[i] : 0, align, is_head, &at,
                      out, spans);
        }
      if (is_head)
        write_line_below_head (columns, &at, out);
    }
}
