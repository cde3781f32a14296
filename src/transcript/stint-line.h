/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-grid.h"
#include "stint-marks.h"

G_BEGIN_DECLS

/* Characters of a line that look the same: @size bytes of its text from @start on. */
typedef struct
{
  StintStyle style;
  gsize start;
  gsize size;
} StintRun;

/**
 * StintLine:
 * @text: UTF-8 without control characters; not NUL-terminated
 * @size: bytes
 * @runs: (array length=n_runs): all of @text, in order
 * @wrapped: it goes on in the next line: the terminal had no more columns
 * @stream: where its first byte came from
 * @offset: of its first byte
 * @time: of its first byte, microseconds since the start of the command
 *
 * A finished line of a terminal.
 */
typedef struct
{
  const char *text;
  gsize size;
  const StintRun *runs;
  guint n_runs;
  gboolean wrapped;
  StintStream stream;
  guint64 offset;
  gint64 time;
} StintLine;

/**
 * StintLineMaker:
 *
 * Makes lines from rows, always in the same memory.
 */
typedef struct
{
  /*< private >*/
  char *text;
  gsize capacity;
  GArray *runs; /* StintRun */
} StintLineMaker;

void stint_line_maker_init (StintLineMaker *self);
void stint_line_maker_clear (StintLineMaker *self);

/* The line that @row is; holds until the next one is made. @trim: without spaces at its end. */
void stint_line_maker_make (
  StintLineMaker *self, const StintRow *row, StintMarks *marks, gboolean trim, StintLine *line);

G_END_DECLS
