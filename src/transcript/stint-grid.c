/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of cells. What a terminal does with them is in stint-screen.c.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-grid.h"

#include <string.h>

/* A row that is used again keeps the memory for so many cells at most. */
#define KEPT_CELLS 1024

/* There are @n cells at least. */
static void
reserve (StintRow *self, guint n)
{
  if (n <= self->n)
    return;
  if (n > self->capacity)
    {
      self->capacity = MAX (MAX (n, 16), self->capacity * 2);
      self->cells = g_renew (StintCell, self->cells, self->capacity);
    }
  memset (self->cells + self->n, 0, (n - self->n) * sizeof (StintCell));
  self->n = n;
}

/* What stands right of @column no longer belongs to what stands left of it. */
static void
cut (StintRow *self, guint column)
{
  StintCell *cell;

  if (!self->has_wide || column == 0 || column >= self->n)
    return;
  cell = &self->cells[column];
  if (cell->character != STINT_CELL_TAIL)
    return;
  cell->character = 0;
  cell[-1].character = 0;
  cell[-1].marks = 0;
  cell[-1].flags &= (guint16) ~STINT_CELL_WIDE;
}

void
stint_row_write_ascii (StintRow *self,
                       guint column,
                       const guint8 *text,
                       guint n,
                       const StintStyle *style)
{
  StintCell cell = { 0, style->foreground, style->background, style->flags, 0 };
  StintCell *cells;

  cut (self, column);
  cut (self, column + n);
  reserve (self, column + n);
  cells = self->cells + column;
  for (guint i = 0; i < n; i++)
    {
      cell.character = text[i];
      cells[i] = cell;
    }
}

void
stint_row_write (StintRow *self,
                 guint column,
                 gunichar character,
                 guint width,
                 const StintStyle *style)
{
  StintCell cell = { character, style->foreground, style->background, style->flags, 0 };

  cut (self, column);
  cut (self, column + width);
  reserve (self, column + width);
  if (width == 2)
    {
      cell.flags |= STINT_CELL_WIDE;
      self->has_wide = TRUE;
    }
  self->cells[column] = cell;
  if (width == 2)
    {
      cell.character = STINT_CELL_TAIL;
      cell.flags &= (guint16) ~STINT_CELL_WIDE;
      self->cells[column + 1] = cell;
    }
}

void
stint_row_erase (StintRow *self, guint from, guint to, guint32 background)
{
  StintCell blank = { .background = background };

  cut (self, from);
  cut (self, to);
  if (background == STINT_COLOR_DEFAULT && to >= self->n)
    {
      self->n = MIN (self->n, from);
      return;
    }
  reserve (self, to);
  for (guint i = from; i < to; i++)
    self->cells[i] = blank;
}

void
stint_row_insert (StintRow *self, guint column, guint n, guint columns, guint32 background)
{
  guint old = self->n, end;

  n = MIN (n, columns - column);
  if (column >= old && background == STINT_COLOR_DEFAULT)
    return;
  cut (self, column);
  reserve (self, MAX (old, column));
  old = self->n;
  end = MIN (old + n, MAX (columns, old));
  cut (self, end - n);
  reserve (self, end);
  memmove (self->cells + column + n, self->cells + column, (end - n - column) * sizeof (StintCell));
  for (guint i = column; i < column + n; i++)
    self->cells[i] = (StintCell){ .background = background };
}

void
stint_row_delete (StintRow *self, guint column, guint n)
{
  if (column >= self->n)
    return;
  n = MIN (n, self->n - column);
  cut (self, column);
  cut (self, column + n);
  memmove (self->cells + column, self->cells + column + n,
           (self->n - column - n) * sizeof (StintCell));
  self->n -= n;
}

gboolean
stint_row_is_blank (const StintRow *self)
{
  for (guint i = 0; i < self->n; i++)
    if (self->cells[i].character != 0)
      return FALSE;
  return TRUE;
}

static void
row_reset (StintRow *self)
{
  if (self->capacity > KEPT_CELLS)
    {
      g_clear_pointer (&self->cells, g_free);
      self->capacity = 0;
    }
  self->n = 0;
  self->wrapped = FALSE;
  self->has_wide = FALSE;
  self->begun = FALSE;
}

static void
row_free (StintRow *self)
{
  g_free (self->cells);
  g_free (self);
}

void
stint_grid_init (StintGrid *self, guint columns, guint rows)
{
  *self = (StintGrid){ 0 };
  stint_grid_resize (self, columns, rows);
}

void
stint_grid_clear (StintGrid *self)
{
  for (guint i = 0; i < self->n_rows; i++)
    row_free (self->rows[i]);
  g_clear_pointer (&self->rows, g_free);
  self->n_rows = 0;
}

void
stint_grid_resize (StintGrid *self, guint columns, guint rows)
{
  for (guint i = rows; i < self->n_rows; i++)
    row_free (self->rows[i]);
  self->rows = g_renew (StintRow *, self->rows, rows);
  for (guint i = self->n_rows; i < rows; i++)
    self->rows[i] = g_new0 (StintRow, 1);
  self->n_rows = rows;
  self->n_columns = columns;
  self->top = 0;
  self->bottom = rows - 1;
}

void
stint_grid_reset_row (StintGrid *self, guint row, guint32 background)
{
  row_reset (self->rows[row]);
  if (background != STINT_COLOR_DEFAULT)
    stint_row_erase (self->rows[row], 0, self->n_columns, background);
}

typedef struct
{
  GPtrArray *rows; /* those that are whole */
  StintRow *row;   /* the one that is being filled */
  guint columns;
  guint cursor_row;
  guint cursor_column;
} Rewrap;

/* Whether there is room for @width more; else what follows is in a new row, which is @from's. */
static void
rewrap_make_room (Rewrap *self, guint width, const StintRow *from)
{
  if (self->row->n + width <= self->columns)
    return;
  self->row->wrapped = TRUE;
  g_ptr_array_add (self->rows, self->row);
  self->row = g_new0 (StintRow, 1);
  self->row->begun = from->begun;
  self->row->stream = from->stream;
  self->row->offset = from->offset;
  self->row->time = from->time;
}

/* Appends what @old says; @cursor: the column of the cursor, if it is in this row. */
static void
rewrap_row (Rewrap *self, const StintRow *old, const guint *cursor)
{
  gboolean found = FALSE;
  guint n = old->n;

  /* Nothing but colour is not worth a row. */
  while (n > 0 && !old->wrapped && old->cells[n - 1].character == 0)
    n--;
  for (guint i = 0; i < n; i++)
    {
      guint width = (old->cells[i].flags & STINT_CELL_WIDE) != 0 ? 2 : 1;

      if (width <= self->columns)
        rewrap_make_room (self, width, old);
      if (cursor != NULL && !found && i + width > *cursor)
        {
          found = TRUE;
          self->cursor_row = self->rows->len;
          self->cursor_column = self->row->n + (*cursor - i);
        }
      if (width <= self->columns)
        {
          guint at = self->row->n;

          reserve (self->row, at + width);
          memcpy (self->row->cells + at, old->cells + i, width * sizeof (StintCell));
        }
      i += width - 1;
    }
  self->row->has_wide |= old->has_wide;
  if (cursor != NULL && !found)
    {
      self->cursor_row = self->rows->len;
      self->cursor_column = self->row->n + (*cursor - n);
    }
}

void
stint_grid_rewrap (StintGrid *self, guint columns, guint used, guint *row, guint *column)
{
  Rewrap rewrap = { .rows = g_ptr_array_new (), .columns = columns };
  gboolean continues = FALSE;

  for (guint i = 0; i < used; i++)
    {
      StintRow *old = self->rows[i];

      if (!continues)
        {
          rewrap.row = g_new0 (StintRow, 1);
          *rewrap.row = *old;
          rewrap.row->cells = NULL;
          rewrap.row->n = rewrap.row->capacity = 0;
        }
      rewrap_row (&rewrap, old, i == *row ? column : NULL);
      continues = old->wrapped && i + 1 < used;
      if (!continues)
        {
          rewrap.row->wrapped = old->wrapped;
          g_ptr_array_add (rewrap.rows, rewrap.row);
        }
    }
  stint_grid_clear (self);
  self->n_rows = rewrap.rows->len;
  self->rows = (StintRow **) g_ptr_array_free (rewrap.rows, FALSE);
  *row = rewrap.cursor_row;
  *column = MIN (rewrap.cursor_column, columns);
}

static void
reverse (StintRow **rows, guint from, guint to)
{
  for (; from < to; from++, to--)
    {
      StintRow *row = rows[from];

      rows[from] = rows[to];
      rows[to] = row;
    }
}

/* The row above @row no longer goes on in it. */
static void
break_line (StintGrid *self, guint row)
{
  if (row > 0)
    self->rows[row - 1]->wrapped = FALSE;
}

void
stint_grid_scroll_up (StintGrid *self, guint from, guint to, guint n, guint32 background)
{
  n = MIN (n, to - from + 1);
  break_line (self, from);
  for (guint i = 0; i < n; i++)
    stint_grid_reset_row (self, from + i, background);
  if (n == 1)
    {
      StintRow *row = self->rows[from];

      memmove (&self->rows[from], &self->rows[from + 1], (to - from) * sizeof (StintRow *));
      self->rows[to] = row;
    }
  else if (n > 0 && n <= to - from)
    {
      reverse (self->rows, from, from + n - 1);
      reverse (self->rows, from + n, to);
      reverse (self->rows, from, to);
    }
}

void
stint_grid_scroll_down (StintGrid *self, guint from, guint to, guint n, guint32 background)
{
  n = MIN (n, to - from + 1);
  break_line (self, from);
  break_line (self, to - n + 1);
  for (guint i = 0; i < n; i++)
    stint_grid_reset_row (self, to - i, background);
  if (n > 0 && n <= to - from)
    {
      reverse (self->rows, from, to - n);
      reverse (self->rows, to - n + 1, to);
      reverse (self->rows, from, to);
    }
}

guint
stint_grid_count_used (const StintGrid *self)
{
  guint n = self->n_rows;

  while (n > 0 && stint_row_is_blank (self->rows[n - 1]))
    n--;
  return n;
}
