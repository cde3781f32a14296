/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long a main loop goes without a turn: a timer of 1 ms that is more urgent than everything else.
 */
#pragma once

#include "bench-report.h"

typedef struct
{
  GArray *gaps; /* of gint64, microseconds that a turn came late */
  gint64 last;
  guint timer;
} Gaps;

static inline gboolean
gaps_turn (gpointer data)
{
  Gaps *self = (Gaps *) data;
  gint64 now = g_get_monotonic_time (), gap = MAX (0, now - self->last - 1000);

  g_array_append_val (self->gaps, gap);
  self->last = now;
  return G_SOURCE_CONTINUE;
}

static inline void
gaps_begin (Gaps *self)
{
  self->gaps = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->last = g_get_monotonic_time ();
  self->timer = g_timeout_add_full (G_PRIORITY_HIGH, 1, gaps_turn, self, NULL);
}

/* Prints the longest and the 99th percentile, in microseconds. */
static inline void
gaps_end (Gaps *self)
{
  gaps_turn (self);
  g_source_remove (self->timer);
  g_print ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", percentile (self->gaps, 100),
           percentile (self->gaps, 99));
  g_array_unref (self->gaps);
}
