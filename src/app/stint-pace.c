/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Following a job may take the window's main loop a small part of its time, whatever comes: chunks
 * adapt to what the terminal needs for them, pauses to what a whole showing costs, paint included. So
 * a slow screen or a busy machine gets fewer pictures, not longer stalls. */

#include "stint-pace.h"

/* Of output that comes without end once what was there has been shown: more pictures are no easier to
 * read. */
#define PAUSE_MIN_USEC (80 * 1000)
#define PAUSE_MAX_USEC (500 * 1000)
#define PAUSE_MIN_CHUNK (16 * 1024)

/* A showing is followed by a pause so many times as long. */
#define PAUSE_PER_COST 16

/* A flood: who skips again so soon shows little and seldom, because nobody can read it, and what this
 * costs would be the job's. */
#define FLOOD_USEC (400 * 1000)
#define FLOOD_PAUSE_USEC (250 * 1000)
#define FLOOD_PAUSE_PER_COST 64

/* The end of what there was when it was opened is shown within this time; if not, more comes than is shown. */
#define WAIT_USEC (300 * 1000)

/* More than this changes nothing any more, and would be remembered for long. */
#define MAX_COST (PAUSE_MAX_USEC / PAUSE_PER_COST)

/* The weight of what was before in the smoothed cost. */
#define SMOOTHING 4

static gint64
get_pause (const StintPace *self, gint64 least)
{
  return CLAMP (self->cost * PAUSE_PER_COST, least, PAUSE_MAX_USEC);
}

static gint64
get_flood_pause (const StintPace *self)
{
  return CLAMP (self->cost * FLOOD_PAUSE_PER_COST, FLOOD_PAUSE_USEC, PAUSE_MAX_USEC);
}

void
stint_pace_init (StintPace *self)
{
  *self = (StintPace){ .chunk = 2 * STINT_PACE_MIN_CHUNK };
}

void
stint_pace_fall_behind (StintPace *self, gint64 now)
{
  self->settled = FALSE;
  self->waits_since = now;
}

void
stint_pace_tire (StintPace *self, gint64 now)
{
  if (now - self->waits_since > WAIT_USEC)
    self->settled = TRUE;
}

void
stint_pace_place (StintPace *self, gint64 now)
{
  stint_pace_fall_behind (self, now);
  self->flood = FALSE;
  /* It adapts from there. */
  self->chunk = STINT_PACE_MAX_CHUNK;
}

void
stint_pace_feed (StintPace *self, gsize length, gint64 now)
{
  self->fed_at = length >= PAUSE_MIN_CHUNK ? now : 0;
}

void
stint_pace_settle (StintPace *self)
{
  self->settled = TRUE;
}

void
stint_pace_work (StintPace *self, gint64 busy)
{
  gint64 budget = self->settled ? STINT_PACE_LIVE_BUDGET : STINT_PACE_BUDGET;

  if (busy < 0)
    return;
  self->working += busy;
  if (busy > budget)
    self->chunk = MAX (self->chunk / 2, STINT_PACE_MIN_CHUNK);
  else if (busy < budget / 2)
    self->chunk = MIN (self->chunk * 2, STINT_PACE_MAX_CHUNK);
}

void
stint_pace_paint (StintPace *self, gint64 busy)
{
  /* Work of many chunks that nobody saw, in a minimised window say, is not one showing's. */
  gint64 cost = MIN (self->working + busy, MAX_COST);

  self->working = 0;
  self->cost = self->cost == 0 ? cost : (self->cost * (SMOOTHING - 1) + cost) / SMOOTHING;
}

gint64
stint_pace_get_next (const StintPace *self)
{
  return self->settled && self->fed_at != 0 ? self->fed_at + get_pause (self, PAUSE_MIN_USEC) : 0;
}

void
stint_pace_skip (StintPace *self, gint64 now)
{
  self->flood = self->skipped_at != 0 && now - self->skipped_at < FLOOD_USEC + get_flood_pause (self);
  /* Of a flood nobody waits for more than its end. */
  self->settled = self->flood;
  self->waits_since = self->skipped_at = now;
}

gint64
stint_pace_get_next_skip (const StintPace *self)
{
  return self->flood ? self->skipped_at + get_flood_pause (self) : 0;
}

gboolean
stint_pace_is_flooding (const StintPace *self, gint64 now)
{
  return self->flood && now - self->skipped_at < FLOOD_USEC + get_flood_pause (self);
}
