/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From a row of cells to text.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-line.h"

/* The most that a cell can become: a character and its marks. */
#define MAX_CELL_BYTES (4 * (1 + STINT_MAX_MARKS))

void
stint_line_maker_init (StintLineMaker *self)
{
  *self = (StintLineMaker){ .runs = g_array_new (FALSE, FALSE, sizeof (StintRun)) };
}

void
stint_line_maker_clear (StintLineMaker *self)
{
  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->runs, g_array_unref);
}

/* Blank cells can be seen where they have a background. */
static guint
count_visible (const StintRow *row, gboolean trim)
{
  guint n = row->n;

  while (n > 0)
    {
      const StintCell *cell = &row->cells[n - 1];
      gboolean blank = cell->character == 0 || (trim && cell->character == ' ');

      /* What a wide character left free at the edge is no part of a line that goes on. */
      if (!blank || cell->marks != 0 ||
          (!row->wrapped && (cell->background != STINT_COLOR_DEFAULT ||
                             (cell->flags & (STINT_STYLE_INVERSE | STINT_STYLE_UNDERLINE |
                                             STINT_STYLE_STRIKE)) != 0)))
        break;
      n--;
    }
  return n;
}

static gboolean
looks_like (const StintCell *cell, const StintStyle *style)
{
  return cell->foreground == style->foreground && cell->background == style->background &&
         (cell->flags & ~STINT_CELL_WIDE) == style->flags;
}

static char *
append_cell (char *end, const StintCell *cell, StintMarks *marks)
{
  const gunichar *sequence;
  guint n;

  if (cell->character < 0x80)
    *end++ = cell->character != 0 ? (char) cell->character : ' ';
  else
    end += g_unichar_to_utf8 (cell->character, end);
  if (cell->marks == 0)
    return end;
  sequence = stint_marks_get (marks, cell->marks, &n);
  for (guint i = 0; i < n; i++)
    end += g_unichar_to_utf8 (sequence[i], end);
  return end;
}

static void
close_run (StintLineMaker *self, StintRun *run, gsize end)
{
  run->size = end - run->start;
  if (run->size > 0)
    g_array_append_val (self->runs, *run);
}

void
stint_line_maker_make (StintLineMaker *self,
                       const StintRow *row,
                       StintMarks *marks,
                       gboolean trim,
                       StintLine *line)
{
  guint n = count_visible (row, trim && !row->wrapped);
  StintRun run = { 0 };
  gsize at = 0;

  g_array_set_size (self->runs, 0);
  for (guint i = 0; i < n; i++)
    {
      const StintCell *cell = &row->cells[i];

      if (cell->character == STINT_CELL_TAIL)
        continue;
      if (at + MAX_CELL_BYTES > self->capacity)
        {
          self->capacity = MAX (self->capacity * 2, at + (gsize) MAX_CELL_BYTES * 64);
          self->text = g_realloc (self->text, self->capacity);
        }
      if (!looks_like (cell, &run.style))
        {
          close_run (self, &run, at);
          run.start = at;
          run.style = (StintStyle){ cell->foreground, cell->background,
                                    cell->flags & (guint16) ~STINT_CELL_WIDE };
        }
      at = (gsize) (append_cell (self->text + at, cell, marks) - self->text);
    }
  close_run (self, &run, at);

  *line = (StintLine){
    .text = at > 0 ? self->text : "",
    .size = at,
    .runs = (const StintRun *) (gpointer) self->runs->data,
    .n_runs = self->runs->len,
    .wrapped = row->wrapped,
    .stream = row->stream,
    .offset = row->offset,
    .time = row->time,
  };
}
