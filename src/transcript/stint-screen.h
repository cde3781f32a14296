/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-line.h"

G_BEGIN_DECLS

/**
 * StintScreen:
 *
 * A terminal without a face: it turns what a job wrote into finished lines. A line is finished when
 * it leaves the screen at the top, or when the screen is cleared.
 *
 * A job on pipes has one too, with nearly endless columns, on which a line feed returns the
 * carriage; a line longer than %STINT_SCREEN_PIPE_COLUMNS comes in pieces. Each stream has its own
 * decoder and colours, so that none can break what the other is in the middle of.
 *
 * What is shown on the alternate screen is no part of the lines, unless it is still there at the
 * end.
 *
 * Its memory is bounded, whatever it is fed.
 */
typedef struct _StintScreen StintScreen;

#define STINT_SCREEN_PIPE_COLUMNS 8192

/* A terminal that is larger is taken to be so large. */
#define STINT_SCREEN_MAX_COLUMNS 2048
#define STINT_SCREEN_MAX_ROWS 512

#define STINT_SCREEN_DEFAULT_COLUMNS 80
#define STINT_SCREEN_DEFAULT_ROWS 24

/* @line holds during the call. */
typedef void (*StintScreenFunc) (const StintLine *line, gpointer user_data);

/**
 * stint_screen_new:
 * @tty: whether the job ran on a terminal
 * @columns: its size, 0: 80; of no meaning without a terminal
 * @rows: 0: 24
 * @func: is told of every finished line, in order
 * @user_data: for @func
 *
 * Returns: (transfer full): an empty screen
 */
StintScreen *stint_screen_new (
  gboolean tty, guint columns, guint rows, StintScreenFunc func, gpointer user_data);
void stint_screen_free (StintScreen *self);

/**
 * stint_screen_feed:
 * @self: a screen
 * @stream: where @data came from
 * @offset: of @data in the output
 * @time: when it came, microseconds since the start of the command
 * @data: (array length=size): what was written, cut anywhere
 * @size: how much
 */
void stint_screen_feed (StintScreen *self,
                        StintStream stream,
                        guint64 offset,
                        gint64 time,
                        const guint8 *data,
                        gsize size);

/* The terminal has another size from here on. No effect without a terminal. */
void stint_screen_resize (StintScreen *self, guint columns, guint rows);

/* Something is missing here: finishes all lines, and expects the next bytes to begin anywhere. */
void stint_screen_skip (StintScreen *self);

/* Nothing follows: finishes all lines. */
void stint_screen_finish (StintScreen *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintScreen, stint_screen_free)

G_END_DECLS
