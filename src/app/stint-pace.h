/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * StintPace:
 * @chunk: bytes that may be fed at once
 * @cost: microseconds that one showing takes the main loop, smoothed: the terminal's work and the paint
 * @thin: what is shown is only the end of a flood's tail
 *
 * How much a terminal is fed, and how soon again. Times are of the monotonic clock, in microseconds.
 * All zeros until stint_pace_init().
 */
typedef struct
{
  gsize chunk;
  gint64 cost;
  gboolean thin;

  /*< private >*/
  gint64 working;    /* the terminal's work since the last paint */
  gint64 skipped_at; /* 0: never */
  gint64 fed_at;     /* a chunk that is worth a pause; 0: none yet */
  gboolean settled;  /* the end was reached since what is shown has been placed */
} StintPace;

/* What one chunk may cost the main loop, in microseconds. */
#define STINT_PACE_BUDGET (8 * 1000)

#define STINT_PACE_MIN_CHUNK (32 * 1024)
#define STINT_PACE_MAX_CHUNK (256 * 1024)

void stint_pace_init (StintPace *self);

/* What is shown begins anew: somebody waits for it. */
void stint_pace_place (StintPace *self);

/* Something was fed, and there is more at once. */
void stint_pace_feed (StintPace *self, gsize length, gint64 now);

/* Everything there is has been fed. */
void stint_pace_settle (StintPace *self);

/* The terminal has worked off the last chunk in @busy; negative: not known. */
void stint_pace_work (StintPace *self, gint64 busy);

/* What was fed has been painted in @busy. */
void stint_pace_paint (StintPace *self, gint64 busy);

/* Returns: the time before which a further chunk would cost more than following may; 0: there is none */
gint64 stint_pace_get_next (const StintPace *self);

/**
 * stint_pace_skip:
 *
 * A skip to the tail begins. One that comes soon after another is a flood's: @thin, which nobody can
 * read.
 */
void stint_pace_skip (StintPace *self, gint64 now);

/* Returns: the time before which a flood is not to be skipped again; 0: there is none */
gint64 stint_pace_get_next_skip (const StintPace *self);

G_END_DECLS
