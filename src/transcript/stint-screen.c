/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The headless terminal: text, control characters, and lines that are finished. What escape
 * sequences do is in stint-screen-controls.c.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-screen-private.h"

#include <string.h>

#define TAB 8

/* How far right of its text a line on pipes can be written: nobody knows how wide it was meant to
 * be, and few bytes must not become many. */
#define PIPE_MARGIN 512

/* A terminal that becomes narrower than this keeps its rows as they are: nobody looks at it. */
#define MIN_REWRAP_COLUMNS 16

static StintRow *
get_row (StintScreen *self)
{
  return self->grid->rows[self->row];
}

guint
stint_screen_count_columns (StintScreen *self)
{
  guint columns = self->grid->n_columns;

  if (self->tty)
    return columns;
  return MIN (columns, MAX (get_row (self)->n, PIPE_MARGIN));
}

guint
stint_screen_get_column (StintScreen *self)
{
  return MIN (self->column, self->grid->n_columns - 1);
}

guint32
stint_screen_get_background (StintScreen *self)
{
  return self->tty ? self->input->pen.style.background : STINT_COLOR_DEFAULT;
}

/* The row's first byte is this one, unless it has one. */
static void
begin_row (StintScreen *self)
{
  StintRow *row = get_row (self);

  if (row->begun)
    return;
  row->begun = TRUE;
  row->offset = self->offset;
  row->time = self->time;
  row->stream = self->stream;
}

static void
emit_rows (StintScreen *self, const StintGrid *grid, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      StintRow *row = grid->rows[i];
      StintLine line;

      stint_line_maker_make (&self->maker, row, self->marks, self->tty, &line);
      if (!row->begun)
        {
          line.offset = self->offset;
          line.time = self->time;
          line.stream = self->stream;
        }
      self->func (&line, self->user_data);
    }
}

void
stint_screen_emit (StintScreen *self, guint n)
{
  emit_rows (self, &self->main, n);
}

/* Of the first @n rows, those at the end that nothing was ever written to are no lines: or few
 * bytes would make very many. */
static guint
count_lines (const StintGrid *grid, guint n)
{
  while (n > 1 && !grid->rows[n - 1]->begun && stint_row_is_blank (grid->rows[n - 1]))
    n--;
  return n;
}

void
stint_screen_scroll_up (StintScreen *self, guint n)
{
  StintGrid *grid = self->grid;

  n = MIN (n, grid->bottom - grid->top + 1);
  if (grid == &self->main && grid->top == 0)
    stint_screen_emit (self, count_lines (grid, n));
  stint_grid_scroll_up (grid, grid->top, grid->bottom, n, stint_screen_get_background (self));
}

void
stint_screen_line_feed (StintScreen *self)
{
  begin_row (self);
  self->column = stint_screen_get_column (self);
  if (self->row == self->grid->bottom)
    stint_screen_scroll_up (self, 1);
  else if (self->row + 1 < self->grid->n_rows)
    self->row++;
}

/* Before a character of @width is written: to the next row, if there is no room in this one. */
static void
make_room (StintScreen *self, guint width)
{
  guint columns = self->grid->n_columns;

  if (self->column + width <= columns)
    return;
  if (!self->autowrap)
    {
      self->column = columns - MIN (width, columns);
      return;
    }
  begin_row (self);
  get_row (self)->wrapped = TRUE;
  self->column = 0;
  stint_screen_line_feed (self);
}

static void
put_mark (StintScreen *self, gunichar mark)
{
  StintRow *row = get_row (self);
  guint column = MIN (self->column, row->n);
  StintCell *cell;

  if (column == 0 || self->column > row->n)
    return;
  cell = &row->cells[column - 1];
  if (cell->character == STINT_CELL_TAIL)
    cell--;
  if (cell->character == 0)
    return;
  cell->marks = stint_marks_add (self->marks, cell->marks, mark);
}

/* The line drawing characters, from 0x5f on. */
static gunichar
to_graphics (gunichar character)
{
  static const guint16 graphics[] = {
    0x00a0, 0x25c6, 0x2592, 0x2409, 0x240c, 0x240d, 0x240a, 0x00b0, 0x00b1, 0x2424, 0x240b,
    0x2518, 0x2510, 0x250c, 0x2514, 0x253c, 0x23ba, 0x23bb, 0x2500, 0x23bc, 0x23bd, 0x251c,
    0x2524, 0x2534, 0x252c, 0x2502, 0x2264, 0x2265, 0x03c0, 0x2260, 0x00a3, 0x00b7,
  };

  if (character < 0x5f || character >= 0x5f + G_N_ELEMENTS (graphics))
    return character;
  return graphics[character - 0x5f];
}

/* Columns that it takes. What is most common is found without looking it up. */
static guint
get_width (gunichar character)
{
  if (character < 0x300)
    return 1;
  if ((character >= 0x4e00 && character <= 0x9fff) || (character >= 0xac00 && character <= 0xd7a3))
    return 2;
  if (g_unichar_iszerowidth (character))
    return 0;
  return g_unichar_iswide (character) ? 2 : 1;
}

void
stint_screen_put (StintScreen *self, gunichar character)
{
  const StintPen *pen = &self->input->pen;
  guint width;

  if (pen->graphics[pen->shift])
    character = to_graphics (character);
  if (character >= 0x80 && character < 0xa0)
    return;
  width = get_width (character);
  if (width == 0)
    put_mark (self, character);
  if (width == 0 || width > self->grid->n_columns)
    return;

  make_room (self, width);
  begin_row (self);
  if (self->insert && self->tty)
    stint_row_insert (get_row (self), self->column, width, self->grid->n_columns,
                      stint_screen_get_background (self));
  stint_row_write (get_row (self), self->column, character, width, &pen->style);
  self->column += width;
  self->input->last = character;
}

/* Most of all output: plain text, a row at a time. */
static void
put_ascii (StintScreen *self, const guint8 *text, gsize n)
{
  const StintPen *pen = &self->input->pen;
  guint64 start = self->offset;
  gsize at = 0;

  if (pen->graphics[pen->shift] || self->insert || !self->autowrap)
    {
      for (; at < n; at++)
        {
          self->offset = start + at;
          stint_screen_put (self, text[at]);
        }
      return;
    }
  while (at < n)
    {
      guint part;

      self->offset = start + at;
      make_room (self, 1);
      begin_row (self);
      part = (guint) MIN (n - at, self->grid->n_columns - self->column);
      stint_row_write_ascii (get_row (self), self->column, text + at, part, &pen->style);
      self->column += part;
      at += part;
    }
  self->input->last = text[n - 1];
}

static void
take_text (StintScreen *self, const guint8 *text, gsize size)
{
  StintScreenInput *input = self->input;
  guint64 start = self->offset;
  gsize at = 0;

  if (input->resynchronize)
    {
      at = stint_utf8_count_rest (text, size);
      input->resynchronize = FALSE;
    }
  while (at < size)
    {
      gunichar character;
      gsize used;

      self->offset = start + at;
      if (!stint_utf8_has_begun (&input->utf8))
        {
          used = stint_utf8_count_ascii (text + at, size - at);
          if (used > 0)
            {
              put_ascii (self, text + at, used);
              at += used;
              continue;
            }
        }
      if (stint_utf8_next (&input->utf8, text + at, size - at, &used, &character))
        stint_screen_put (self, character);
      at += used;
    }
}

static void
tabulate (StintScreen *self)
{
  guint columns = stint_screen_count_columns (self);

  /* Where the next character wraps it still does. */
  if (self->column < columns)
    self->column = MIN ((self->column / TAB + 1) * TAB, columns - 1);
}

static void
take_control (StintScreen *self, guint8 control)
{
  switch (control)
    {
    case '\n':
    case '\v':
    case '\f':
      stint_screen_line_feed (self);
      if (!self->tty)
        self->column = 0;
      break;
    case '\r':
      self->column = 0;
      break;
    case '\b':
      self->column = stint_screen_get_column (self);
      if (self->column > 0)
        self->column--;
      break;
    case '\t':
      tabulate (self);
      break;
    case 0x0e:
    case 0x0f:
      self->input->pen.shift = control == 0x0e;
      break;
    default:
      break;
    }
}

static void
take (StintScreen *self, StintEscapeKind kind, const guint8 *data, gsize used)
{
  StintScreenInput *input = self->input;

  if (kind == STINT_ESCAPE_TEXT)
    {
      take_text (self, data, used);
      return;
    }
  /* A character that has begun and is not whole: it never will be. */
  if (stint_utf8_finish (&input->utf8))
    stint_screen_put (self, STINT_REPLACEMENT_CHARACTER);
  input->resynchronize = FALSE;
  if (kind == STINT_ESCAPE_CONTROL)
    take_control (self, input->escape.final);
  else if (kind == STINT_ESCAPE_SIMPLE)
    stint_screen_take_escape (self, &input->escape);
  else if (kind == STINT_ESCAPE_CSI)
    stint_screen_take_csi (self, &input->escape);
  /* Only what stands right before it can be repeated. */
  if (kind != STINT_ESCAPE_NONE)
    input->last = 0;
}

void
stint_screen_feed (StintScreen *self,
                   StintStream stream,
                   guint64 offset,
                   gint64 time,
                   const guint8 *data,
                   gsize size)
{
  g_return_if_fail (self != NULL && (data != NULL || size == 0));

  self->stream = stream;
  self->input = &self->inputs[stream == STINT_STREAM_STDERR];
  self->time = time;
  for (gsize at = 0; at < size;)
    {
      gsize used;
      StintEscapeKind kind = stint_escape_next (&self->input->escape, data + at, size - at, &used);

      self->offset = offset + at;
      take (self, kind, data + at, used);
      at += used;
    }
  self->offset = offset + size;
}

static void
clamp_size (guint *columns, guint *rows)
{
  if (*columns == 0)
    *columns = STINT_SCREEN_DEFAULT_COLUMNS;
  if (*rows == 0)
    *rows = STINT_SCREEN_DEFAULT_ROWS;
  *columns = MIN (*columns, STINT_SCREEN_MAX_COLUMNS);
  *rows = MIN (*rows, STINT_SCREEN_MAX_ROWS);
}

/* Rows that have no room any more leave at the top. */
static void
make_grid_fit (StintScreen *self, StintGrid *grid, guint rows)
{
  gboolean shown = grid == self->grid;
  guint *row = shown ? &self->row : &self->saved[grid == &self->alternate].row;
  guint used = MAX (stint_grid_count_used (grid), *row + 1), over;

  over = used > rows ? used - rows : 0;
  if (over == 0)
    return;
  if (grid == &self->main)
    stint_screen_emit (self, over);
  stint_grid_scroll_up (grid, 0, grid->n_rows - 1, over, STINT_COLOR_DEFAULT);
  *row -= MIN (*row, over);
}

/* As VTE does: the main screen's lines are broken anew, the other one's program draws it anew. */
static void
rewrap (StintScreen *self, guint columns)
{
  gboolean shown = self->grid == &self->main;
  StintSavedCursor *saved = &self->saved[0];
  guint *row = shown ? &self->row : &saved->row;
  guint *column = shown ? &self->column : &saved->column;
  guint used = MAX (stint_grid_count_used (&self->main), *row + 1);

  stint_grid_rewrap (&self->main, columns, used, row, column);
}

void
stint_screen_resize (StintScreen *self, guint columns, guint rows)
{
  g_return_if_fail (self != NULL);

  if (!self->tty)
    return;
  clamp_size (&columns, &rows);
  if (columns != self->main.n_columns && columns >= MIN_REWRAP_COLUMNS)
    rewrap (self, columns);
  make_grid_fit (self, &self->main, rows);
  make_grid_fit (self, &self->alternate, rows);
  stint_grid_resize (&self->main, columns, rows);
  stint_grid_resize (&self->alternate, columns, rows);
  self->row = MIN (self->row, rows - 1);
  self->column = MIN (self->column, columns);
  for (guint i = 0; i < G_N_ELEMENTS (self->saved); i++)
    {
      self->saved[i].row = MIN (self->saved[i].row, rows - 1);
      self->saved[i].column = MIN (self->saved[i].column, columns);
    }
}

/* Finishes what the main screen shows, and empties it. */
static void
flush (StintScreen *self)
{
  guint used = stint_grid_count_used (&self->main);

  /* Without a terminal what ended by a line feed is a line, blank or not. */
  if (!self->tty && self->grid == &self->main)
    used = MAX (used, self->row);
  stint_screen_emit (self, used);
  for (guint i = 0; i < self->main.n_rows; i++)
    stint_grid_reset_row (&self->main, i, STINT_COLOR_DEFAULT);
  if (self->grid == &self->main)
    self->row = self->column = 0;
}

static void
finish_characters (StintScreen *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->inputs); i++)
    {
      self->input = &self->inputs[i];
      self->stream = i == 0 ? STINT_STREAM_STDOUT : STINT_STREAM_STDERR;
      if (stint_utf8_finish (&self->input->utf8))
        stint_screen_put (self, STINT_REPLACEMENT_CHARACTER);
    }
}

void
stint_screen_skip (StintScreen *self)
{
  g_return_if_fail (self != NULL);

  finish_characters (self);
  flush (self);
  for (guint i = 0; i < G_N_ELEMENTS (self->inputs); i++)
    {
      self->inputs[i].escape = (StintEscape){ 0 };
      self->inputs[i].resynchronize = TRUE;
    }
}

void
stint_screen_finish (StintScreen *self)
{
  g_return_if_fail (self != NULL);

  finish_characters (self);
  flush (self);
  if (self->grid == &self->alternate)
    emit_rows (self, &self->alternate, stint_grid_count_used (&self->alternate));
  stint_screen_reset (self);
}

static void
init_modes (StintScreen *self)
{
  self->grid = &self->main;
  self->column = self->row = 0;
  self->autowrap = TRUE;
  self->insert = FALSE;
  self->origin = FALSE;
  memset (self->saved, 0, sizeof self->saved);
  self->saved[0].pen = self->saved[1].pen = (StintPen){ 0 };
  for (guint i = 0; i < G_N_ELEMENTS (self->inputs); i++)
    {
      self->inputs[i].pen = (StintPen){ 0 };
      self->inputs[i].last = 0;
    }
  self->inputs[1].pen.style.flags = STINT_STYLE_STDERR;
}

void
stint_screen_reset (StintScreen *self)
{
  flush (self);
  for (guint i = 0; i < self->alternate.n_rows; i++)
    stint_grid_reset_row (&self->alternate, i, STINT_COLOR_DEFAULT);
  self->main.top = self->alternate.top = 0;
  self->main.bottom = self->alternate.bottom = self->main.n_rows - 1;
  init_modes (self);
}

StintScreen *
stint_screen_new (gboolean tty, guint columns, guint rows, StintScreenFunc func, gpointer user_data)
{
  StintScreen *self = g_new0 (StintScreen, 1);

  g_return_val_if_fail (func != NULL, NULL);

  if (tty)
    clamp_size (&columns, &rows);
  else
    {
      columns = STINT_SCREEN_PIPE_COLUMNS;
      rows = STINT_SCREEN_DEFAULT_ROWS;
    }
  self->func = func;
  self->user_data = user_data;
  self->tty = tty;
  stint_grid_init (&self->main, columns, rows);
  stint_grid_init (&self->alternate, columns, rows);
  self->marks = stint_marks_new ();
  stint_line_maker_init (&self->maker);
  self->input = &self->inputs[0];
  init_modes (self);
  return self;
}

void
stint_screen_free (StintScreen *self)
{
  stint_grid_clear (&self->main);
  stint_grid_clear (&self->alternate);
  stint_marks_free (self->marks);
  stint_line_maker_clear (&self->maker);
  g_free (self);
}
