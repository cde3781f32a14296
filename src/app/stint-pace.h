/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * StintPace:
 * @chunk: bytes that may be fed at once
 * @cost: microseconds that one showing takes the main loop, smoothed: the terminal's work and the paint
 * @flood: it was skipped twice within a moment
 *
 * How much a terminal is fed, and how soon again. Times are of the monotonic clock, in microseconds.
 * All zeros until stint_pace_init().
 */
typedef struct
{
  gsize chunk;
  gint64 cost;
  gboolean flood;

  /*< private >*/
  gint64 working;    /* the terminal's work since the last paint */
  gint64 skipped_at; /* 0: never */
  gint64 fed_at;     /* a chunk that is worth a pause; 0: none yet */
  gint64 waits_since;
  gboolean settled;  /* nobody waits any more: the end was reached, or it cannot be */
} StintPace;

/* What one chunk may cost the main loop, in microseconds: when somebody waits for it, and when it only
 * comes. The scheduler gives the busy others a turn after three or four of the latter kind. */
#define STINT_PACE_BUDGET (8 * 1000)
#define STINT_PACE_LIVE_BUDGET (3 * 1000)

#define STINT_PACE_MIN_CHUNK (16 * 1024)
#define STINT_PACE_MAX_CHUNK (256 * 1024)

/* Of a flood so much is shown at once: some screenfuls. */
#define STINT_PACE_FLOOD_CHUNK (32 * 1024)

void stint_pace_init (StintPace *self);

/* What is shown begins anew: somebody waits for it. */
void stint_pace_place (StintPace *self, gint64 now);

/* What is shown has fallen behind, and has to come through all there is. */
void stint_pace_fall_behind (StintPace *self, gint64 now);

/* Whoever has waited for this long looks at a stream that has no end. */
void stint_pace_tire (StintPace *self, gint64 now);

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
 * A skip to the tail begins. One that comes soon after another is a @flood's, which nobody can read.
 */
void stint_pace_skip (StintPace *self, gint64 now);

/* Returns: the time before which a flood is not to be skipped again; 0: there is none */
gint64 stint_pace_get_next_skip (const StintPace *self);

/* Returns: whether the last skip was a flood's, and no longer ago than the next would be */
gboolean stint_pace_is_flooding (const StintPace *self, gint64 now);

G_END_DECLS
