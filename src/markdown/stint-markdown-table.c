/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tables, as text in columns. */

#define G_LOG_DOMAIN "stint-markdown"

#include "config.h"

#include "stint-markdown-private.h"

#include <string.h>

#define MAX_COLUMNS 64
#define MAX_WIDTH 60 /* characters to which a cell is filled up; a longer one pushes the others */

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
      if (line == end || (*line == '|' && cells->len + 1 < MAX_COLUMNS))
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

static void
write_cell (Cell *cell, guint width, Align align, gboolean is_head, GString *out, GArray *spans)
{
  guint used = get_width (cell->text->str);
  guint space = used < width ? width - used : 0;
  guint before = align == ALIGN_LEFT ? 0 : align == ALIGN_RIGHT ? space : space / 2;
  guint at = (guint) g_utf8_strlen (out->str, (gssize) out->len) + before;

  fill (out, before);
  g_string_append_len (out, cell->text->str, (gssize) cell->text->len);
  fill (out, space - before);
  for (guint i = 0; i < cell->spans->len; i++)
    {
      StintMarkdownSpan span = g_array_index (cell->spans, StintMarkdownSpan, i);

      span.start += at;
      span.end += at;
      g_array_append_val (spans, span);
    }
  if (is_head && cell->text->len > 0)
    {
      StintMarkdownSpan span = { .start = at,
                                 .end = at + (guint) g_utf8_strlen (cell->text->str, -1),
                                 .style = STINT_MARKDOWN_STRONG };

      g_array_append_val (spans, span);
    }
}

static void
read_alignment (GPtrArray *cells, Align aligns[MAX_COLUMNS])
{
  for (guint i = 0; i < cells->len && i < MAX_COLUMNS; i++)
    {
      const char *cell = cells->pdata[i];
      gboolean right = g_str_has_suffix (cell, ":");

      aligns[i] = !right ? ALIGN_LEFT : cell[0] == ':' ? ALIGN_CENTRE : ALIGN_RIGHT;
    }
}

void
stint_markdown_table_lay_out (const char *lines, GString *out, GArray *spans)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_ptr_array_unref);
  guint widths[MAX_COLUMNS] = { 0 };
  Align aligns[MAX_COLUMNS] = { 0 };
  guint n_columns = 0;
  guint number = 0;

  for (const char *line = lines, *end; *line != '\0'; line = end + (*end == '\n'), number++)
    {
      g_autoptr (GPtrArray) sources = NULL;
      GPtrArray *row;

      end = strchrnul (line, '\n');
      sources = split_row (line, (gsize) (end - line));
      if (number == 1)
        {
          read_alignment (sources, aligns);
          continue;
        }
      row = g_ptr_array_new_with_free_func ((GDestroyNotify) cell_free);
      for (guint i = 0; i < sources->len; i++)
        {
          Cell *cell = cell_new (sources->pdata[i]);

          g_ptr_array_add (row, cell);
          widths[i] = MAX (widths[i], MIN (get_width (cell->text->str), MAX_WIDTH));
        }
      n_columns = MAX (n_columns, row->len);
      g_ptr_array_add (rows, row);
    }

  for (guint r = 0; r < rows->len; r++)
    {
      GPtrArray *row = rows->pdata[r];

      if (r > 0)
        g_string_append_c (out, '\n');
      for (guint i = 0; i < row->len; i++)
        {
          if (i > 0)
            g_string_append (out, " │ ");
          write_cell (row->pdata[i], i + 1 < n_columns || aligns[i] != ALIGN_LEFT ? widths[i] : 0,
                      aligns[i], r == 0, out, spans);
        }
      if (r > 0)
        continue;
      g_string_append_c (out, '\n');
      for (guint i = 0; i < n_columns; i++)
        {
          if (i > 0)
            g_string_append (out, "─┼─");
          for (guint n = 0; n < widths[i]; n++)
            g_string_append (out, "─");
        }
    }
}
