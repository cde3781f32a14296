/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-stream.h"
#include "stint-style.h"

G_BEGIN_DECLS

/* In a cell: the right half of a wide character. */
#define STINT_CELL_TAIL G_MAXUINT32

/* Among a cell's flags: the left half of a wide character. */
#define STINT_CELL_WIDE (1u << 15)

/**
 * StintCell:
 * @character: 0: nothing was written here; %STINT_CELL_TAIL: the right half of a wide one
 * @flags: #StintStyleFlags, %STINT_CELL_WIDE
 * @marks: of #StintMarks
 */
typedef struct
{
  gunichar character;
  guint32 foreground;
  guint32 background;
  guint16 flags;
  guint16 marks;
} StintCell;

/**
 * StintRow:
 * @n: cells that there are; what is to the right of them is blank
 * @wrapped: the line goes on in the next row
 * @has_wide: maybe
 * @begun: the following hold: where its first byte came from
 */
typedef struct
{
  StintCell *cells;
  guint n;
  guint capacity;
  gboolean wrapped;
  gboolean has_wide;
  gboolean begun;
  StintStream stream;
  guint64 offset;
  gint64 time;
} StintRow;

/* Writes one-column characters below 0x80 from @column on. */
void stint_row_write_ascii (
  StintRow *self, guint column, const guint8 *text, guint n, const StintStyle *style);

/* Writes a character of @width 1 or 2. */
void stint_row_write (
  StintRow *self, guint column, gunichar character, guint width, const StintStyle *style);

/* Erases @from up to before @to, to the color @background. */
void stint_row_erase (StintRow *self, guint from, guint to, guint32 background);

/* Makes room for @n cells at @column; what goes beyond @columns is gone. */
void stint_row_insert (StintRow *self, guint column, guint n, guint columns, guint32 background);

/* Takes @n cells out at @column. */
void stint_row_delete (StintRow *self, guint column, guint n);

/* Whether nothing of it can be seen. */
gboolean stint_row_is_blank (const StintRow *self);

/**
 * StintGrid:
 * @top: the first row of the scrolling region
 * @bottom: its last one
 *
 * The cells of a screen. Rows that were never written to have no memory.
 */
typedef struct
{
  StintRow **rows;
  guint n_rows;
  guint n_columns;
  guint top;
  guint bottom;
} StintGrid;

void stint_grid_init (StintGrid *self, guint columns, guint rows);
void stint_grid_clear (StintGrid *self);

/* Rows are added and taken at the bottom; nothing becomes narrower. The region is all again. */
void stint_grid_resize (StintGrid *self, guint columns, guint rows);

/**
 * stint_grid_rewrap:
 * @self: a grid
 * @columns: how many it is about to have
 * @used: rows that count
 * @row: (inout): the cursor's, below @used
 * @column: (inout): the cursor's
 *
 * Breaks the lines anew. There may be fewer or more rows after that, but all fit into @columns.
 */
void stint_grid_rewrap (StintGrid *self, guint columns, guint used, guint *row, guint *column);

/* Moves the rows from @from to @to, both included, up by @n and erases what comes in; down. */
void stint_grid_scroll_up (StintGrid *self, guint from, guint to, guint n, guint32 background);
void stint_grid_scroll_down (StintGrid *self, guint from, guint to, guint n, guint32 background);

/* Makes a row as if it were new. */
void stint_grid_reset_row (StintGrid *self, guint row, guint32 background);

/* How many rows there are up to the last one that is not blank. */
guint stint_grid_count_used (const StintGrid *self);

G_END_DECLS
