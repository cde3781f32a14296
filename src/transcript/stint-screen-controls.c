/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What escape and control sequences do to a screen. Where terminals differ it is as in VTE, which
 * shows the same output in the window.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-screen-private.h"

static StintRow *
get_row (StintScreen *self)
{
  return self->grid->rows[self->row];
}

/* Parameter @i, @otherwise if it was left out or 0. */
static guint
get_count (const StintEscape *csi, guint i, guint otherwise)
{
  return i < csi->n_parameters && csi->parameters[i] > 0 ? (guint) csi->parameters[i] : otherwise;
}

static void
set_column (StintScreen *self, guint column)
{
  self->column = MIN (column, stint_screen_count_columns (self) - 1);
}

/* @row: counted from the top of the screen, or of the region in origin mode */
static void
set_row (StintScreen *self, guint row)
{
  if (self->origin)
    self->row = MIN (self->grid->top + row, self->grid->bottom);
  else
    self->row = MIN (row, self->grid->n_rows - 1);
}

static void
move_up (StintScreen *self, guint n)
{
  guint top = self->row >= self->grid->top ? self->grid->top : 0;

  self->row = self->row - top > n ? self->row - n : top;
}

static void
move_down (StintScreen *self, guint n)
{
  guint bottom = self->row <= self->grid->bottom ? self->grid->bottom : self->grid->n_rows - 1;

  self->row = MIN (self->row + n, bottom);
}

static void
move_left (StintScreen *self, guint n)
{
  guint column = stint_screen_get_column (self);

  self->column = column - MIN (column, n);
}

/* Erases @from up to before @to of the cursor's row. */
static void
erase (StintScreen *self, guint from, guint to)
{
  StintRow *row = get_row (self);

  if (to >= self->grid->n_columns)
    {
      /* What a wider terminal left there too. */
      to = MAX (self->tty ? self->grid->n_columns : from, row->n);
      row->wrapped = FALSE;
    }
  if (from < to)
    stint_row_erase (row, from, to, stint_screen_get_background (self));
}

static void
erase_in_line (StintScreen *self, guint what)
{
  guint columns = self->grid->n_columns;

  if (what == 0)
    /* Where the next character wraps there is nothing to the right: compilers rely on it. */
    erase (self, self->column, columns);
  else if (what == 1)
    {
      self->column = stint_screen_get_column (self);
      erase (self, 0, MIN (self->column + 1, MAX (get_row (self)->n, 1)));
    }
  else if (what == 2)
    {
      erase (self, 0, columns);
    }
}

static void
erase_rows (StintScreen *self, guint from, guint to)
{
  for (guint i = from; i < to; i++)
    stint_grid_reset_row (self->grid, i, stint_screen_get_background (self));
}

static void
erase_in_display (StintScreen *self, guint what)
{
  if (what <= 2)
    self->column = stint_screen_get_column (self);
  if (what == 0)
    {
      erase_in_line (self, 0);
      erase_rows (self, self->row + 1, self->grid->n_rows);
    }
  else if (what == 1)
    {
      erase_rows (self, 0, self->row);
      erase_in_line (self, 1);
    }
  else if (what == 2)
    {
      /* What was there can be scrolled back to. */
      if (self->grid == &self->main)
        stint_screen_emit (self, stint_grid_count_used (&self->main));
      erase_rows (self, 0, self->grid->n_rows);
    }
}

static gboolean
is_in_region (StintScreen *self)
{
  return self->row >= self->grid->top && self->row <= self->grid->bottom;
}

static void
insert_lines (StintScreen *self, guint n)
{
  if (!is_in_region (self))
    return;
  stint_grid_scroll_down (self->grid, self->row, self->grid->bottom, n,
                          stint_screen_get_background (self));
  self->column = 0;
}

static void
delete_lines (StintScreen *self, guint n)
{
  guint left;

  if (!is_in_region (self))
    return;
  stint_grid_scroll_up (self->grid, self->row, self->grid->bottom, n,
                        stint_screen_get_background (self));
  /* What the last one that is left went on in is gone. */
  left = self->grid->bottom - self->row + 1;
  if (left > n)
    self->grid->rows[self->row + left - n - 1]->wrapped = FALSE;
  self->column = 0;
}

static void
insert_blanks (StintScreen *self, guint n)
{
  guint columns = stint_screen_count_columns (self), column = stint_screen_get_column (self);

  if (column < columns)
    stint_row_insert (get_row (self), column, n, columns, stint_screen_get_background (self));
  self->column = column;
}

static void
delete_characters (StintScreen *self, guint n)
{
  StintRow *row = get_row (self);
  guint column = stint_screen_get_column (self);

  row->wrapped = FALSE;
  stint_row_delete (row, column, n);
  self->column = column;
}

static void
erase_characters (StintScreen *self, guint n)
{
  guint columns = stint_screen_count_columns (self), column = stint_screen_get_column (self);

  if (column < columns)
    erase (self, column, MIN (column + n, columns));
  self->column = column;
}

static void
repeat (StintScreen *self, guint n)
{
  guint columns = stint_screen_count_columns (self);

  if (self->input->last == 0 || self->column >= columns)
    return;
  for (n = MIN (n, columns - self->column); n > 0; n--)
    stint_screen_put (self, self->input->last);
}

static void
reverse_index (StintScreen *self)
{
  if (self->row == self->grid->top)
    stint_grid_scroll_down (self->grid, self->grid->top, self->grid->bottom, 1,
                            stint_screen_get_background (self));
  else if (self->row > 0)
    self->row--;
}

static void
set_region (StintScreen *self, guint top, guint bottom)
{
  StintGrid *grid = self->grid;

  bottom = MIN (bottom, grid->n_rows);
  /* Two rows at least, or it is none. */
  if (top >= bottom)
    {
      top = 1;
      bottom = grid->n_rows;
    }
  grid->top = top - 1;
  grid->bottom = bottom - 1;
  self->column = 0;
  self->row = 0;
  set_row (self, 0);
}

static void
save_cursor (StintScreen *self)
{
  self->saved[self->grid == &self->alternate] = (StintSavedCursor){
    .column = self->column,
    .row = self->row,
    .origin = self->origin,
    .pen = self->input->pen,
  };
}

static void
restore_cursor (StintScreen *self)
{
  const StintSavedCursor *saved = &self->saved[self->grid == &self->alternate];
  guint16 origin_of_text = self->input->pen.style.flags & STINT_STYLE_STDERR;

  self->row = saved->row;
  self->column = MIN (saved->column, stint_screen_count_columns (self));
  self->origin = saved->origin;
  self->input->pen = saved->pen;
  self->input->pen.style.flags &= (guint16) ~STINT_STYLE_STDERR;
  self->input->pen.style.flags |= origin_of_text;
}

static void
switch_screen (StintScreen *self, gboolean alternate)
{
  self->grid = alternate ? &self->alternate : &self->main;
  self->column = MIN (self->column, self->grid->n_columns);
}

static void
set_alternate (StintScreen *self, guint mode, gboolean on)
{
  if (mode == 1049 && on)
    save_cursor (self);
  if (mode == 1047 && !on && self->grid == &self->alternate)
    erase_rows (self, 0, self->grid->n_rows);
  switch_screen (self, on);
  if (mode == 1049 && on)
    erase_rows (self, 0, self->grid->n_rows);
  if (mode == 1049 && !on)
    restore_cursor (self);
}

static void
set_private_mode (StintScreen *self, guint mode, gboolean on)
{
  switch (mode)
    {
    case 6:
      self->origin = on;
      self->column = 0;
      set_row (self, 0);
      break;
    case 7:
      self->autowrap = on;
      break;
    case 47:
    case 1047:
    case 1049:
      set_alternate (self, mode, on);
      break;
    case 1048:
      if (on)
        save_cursor (self);
      else
        restore_cursor (self);
      break;
    default:
      break;
    }
}

static void
set_modes (StintScreen *self, const StintEscape *csi, gboolean on)
{
  for (guint i = 0; i < csi->n_parameters; i++)
    {
      guint mode = get_count (csi, i, 0);

      if (csi->prefix == '?')
        set_private_mode (self, mode, on);
      else if (csi->prefix == 0 && mode == 4)
        self->insert = on;
    }
}

static void
soft_reset (StintScreen *self)
{
  guint16 origin_of_text = self->input->pen.style.flags & STINT_STYLE_STDERR;

  self->insert = FALSE;
  self->origin = FALSE;
  self->autowrap = TRUE;
  self->grid->top = 0;
  self->grid->bottom = self->grid->n_rows - 1;
  self->input->pen = (StintPen){ .style.flags = origin_of_text };
  save_cursor (self);
}

/* Cursor movement. Returns: whether it was that. */
static gboolean
take_movement (StintScreen *self, const StintEscape *csi)
{
  guint n = get_count (csi, 0, 1);

  switch (csi->final)
    {
    case 'A':
      move_up (self, n);
      break;
    case 'B':
    case 'e':
      move_down (self, n);
      break;
    case 'C':
    case 'a':
      set_column (self, stint_screen_get_column (self) + n);
      break;
    case 'D':
    case 'j':
      move_left (self, n);
      break;
    case 'E':
      self->column = 0;
      move_down (self, n);
      break;
    case 'F':
      self->column = 0;
      move_up (self, n);
      break;
    case 'G':
    case '`':
      set_column (self, n - 1);
      break;
    case 'H':
    case 'f':
      set_row (self, n - 1);
      set_column (self, get_count (csi, 1, 1) - 1);
      break;
    case 'I':
      if (self->column < stint_screen_count_columns (self))
        set_column (self, (self->column / 8 + n) * 8);
      break;
    case 'Z':
      n = MIN (n, G_MAXUINT16);
      self->column = stint_screen_get_column (self);
      self->column = (self->column + 7) / 8 > n ? ((self->column + 7) / 8 - n) * 8 : 0;
      break;
    case 'd':
      set_row (self, n - 1);
      break;
    default:
      return FALSE;
    }
  return TRUE;
}

/* Changes what is on the screen. */
static void
take_editing (StintScreen *self, const StintEscape *csi)
{
  guint n = get_count (csi, 0, 1);

  switch (csi->final)
    {
    case '@':
      insert_blanks (self, n);
      break;
    case 'J':
      erase_in_display (self, get_count (csi, 0, 0));
      break;
    case 'K':
      erase_in_line (self, get_count (csi, 0, 0));
      break;
    case 'L':
      insert_lines (self, n);
      break;
    case 'M':
      delete_lines (self, n);
      break;
    case 'P':
      delete_characters (self, n);
      break;
    case 'S':
      stint_screen_scroll_up (self, n);
      break;
    case 'T':
      /* With more parameters it is something else. */
      if (csi->n_parameters <= 1)
        stint_grid_scroll_down (self->grid, self->grid->top, self->grid->bottom, n,
                                stint_screen_get_background (self));
      break;
    case 'X':
      erase_characters (self, n);
      break;
    case 'b':
      repeat (self, n);
      break;
    case 'm':
      stint_style_apply (&self->input->pen.style, csi);
      break;
    case 'r':
      set_region (self, get_count (csi, 0, 1), get_count (csi, 1, G_MAXUINT));
      break;
    case 's':
      save_cursor (self);
      break;
    case 'u':
      restore_cursor (self);
      break;
    default:
      break;
    }
}

void
stint_screen_take_csi (StintScreen *self, const StintEscape *csi)
{
  if (csi->intermediate == '!' && csi->prefix == 0 && csi->final == 'p')
    soft_reset (self);
  else if (csi->intermediate != 0)
    return;
  else if (csi->final == 'h' || csi->final == 'l')
    set_modes (self, csi, csi->final == 'h');
  else if (csi->prefix == '?' && (csi->final == 'J' || csi->final == 'K'))
    take_editing (self, csi);
  else if (csi->prefix == 0 && !take_movement (self, csi))
    take_editing (self, csi);
}

void
stint_screen_take_escape (StintScreen *self, const StintEscape *escape)
{
  if (escape->intermediate == '(' || escape->intermediate == ')')
    {
      self->input->pen.graphics[escape->intermediate == ')'] = escape->final == '0';
      return;
    }
  if (escape->intermediate != 0)
    return;
  switch (escape->final)
    {
    case '7':
      save_cursor (self);
      break;
    case '8':
      restore_cursor (self);
      break;
    case 'D':
      stint_screen_line_feed (self);
      break;
    case 'E':
      self->column = 0;
      stint_screen_line_feed (self);
      break;
    case 'M':
      reverse_index (self);
      break;
    case 'c':
      stint_screen_reset (self);
      break;
    default:
      break;
    }
}
