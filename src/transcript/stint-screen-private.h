/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-screen.h"
#include "stint-utf8.h"

G_BEGIN_DECLS

/* How text is written: what a cursor that is saved remembers, besides its place. */
typedef struct
{
  StintStyle style;
  gboolean graphics[2]; /* whether G0, G1 are the line drawing characters */
  guint8 shift;         /* which of the two is in use */
} StintPen;

typedef struct
{
  StintEscape escape;
  StintUtf8 utf8;
  StintPen pen;
  gunichar last; /* the last character, 0: none that could be repeated */
  gboolean resynchronize; /* something was skipped: a character may have lost its beginning */
} StintScreenInput;

typedef struct
{
  guint column;
  guint row;
  gboolean origin;
  StintPen pen;
} StintSavedCursor;

struct _StintScreen
{
  StintScreenFunc func;
  gpointer user_data;
  gboolean tty;

  StintGrid main;
  StintGrid alternate;
  StintGrid *grid;              /* one of the two */
  StintSavedCursor saved[2];    /* of the main, the alternate screen */
  StintScreenInput inputs[2];   /* by stream */
  StintScreenInput *input;      /* of what is being fed */
  StintMarks *marks;
  StintLineMaker maker;

  guint column; /* == columns: the next character wraps */
  guint row;
  gboolean autowrap;
  gboolean insert;
  gboolean origin; /* rows count from the scrolling region's top */

  /* Of the byte that is being fed. */
  StintStream stream;
  guint64 offset;
  gint64 time;
};

/* The cursor's column, on the screen even if the next character wraps. */
guint stint_screen_get_column (StintScreen *self);

/* Columns that the cursor can go to. */
guint stint_screen_count_columns (StintScreen *self);

/* What is erased becomes this color: none without a terminal, whose rows are endless. */
guint32 stint_screen_get_background (StintScreen *self);

void stint_screen_line_feed (StintScreen *self);
void stint_screen_put (StintScreen *self, gunichar character);

/* Tells of the first @n rows of the main screen. They stay. */
void stint_screen_emit (StintScreen *self, guint n);

/* Moves the scrolling region up by @n rows; those that leave the screen are finished. */
void stint_screen_scroll_up (StintScreen *self, guint n);

/* ESC, CSI: in stint-screen-controls.c. */
void stint_screen_take_escape (StintScreen *self, const StintEscape *escape);
void stint_screen_take_csi (StintScreen *self, const StintEscape *csi);

/* As if new; what is on it is finished. */
void stint_screen_reset (StintScreen *self);

G_END_DECLS
