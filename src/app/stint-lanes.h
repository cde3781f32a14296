/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * StintLanes:
 *
 * Things that last, each in a lane in which nothing else goes on at the same time, in as few lanes as
 * can be; and what of a lane can be told apart at some scale. Knows nothing of what the things are, nor
 * of how they are drawn.
 */
typedef struct _StintLanes StintLanes;

/**
 * StintLaneSpan:
 * @begin: when it began
 * @end: when it ended, after @begin or equal to it
 * @weight: whatever is to be added up where spans are shown as one
 */
typedef struct
{
  gint64 begin, end;
  guint weight;
} StintLaneSpan;

/**
 * StintLanePiece:
 * @first: the index of the first span in it
 * @last: the index of the last span in it
 * @count: how many there are
 * @weight: their weights together
 * @from: where it begins, in steps of the scale from the beginning of what is asked for
 * @to: where it ends
 *
 * One span, or several that are too short to be told apart.
 */
typedef struct
{
  guint first, last;
  guint count;
  guint weight;
  double from, to;
} StintLanePiece;

/* (transfer full): @spans: by when they began; copied. */
StintLanes *stint_lanes_new (const StintLaneSpan *spans, guint n_spans);
void stint_lanes_free (StintLanes *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintLanes, stint_lanes_free)

guint stint_lanes_get_n_lanes (StintLanes *self);

/* The lane of a span. */
guint stint_lanes_get_lane (StintLanes *self, guint span);

typedef void (*StintLanePieceFunc) (const StintLanePiece *piece, gpointer user_data);

/**
 * stint_lanes_walk:
 * @self: the lanes
 * @lane: which
 * @from: what is asked for
 * @to: the end of it
 * @step: how much time a step of the scale is, more than 0
 * @least: how many steps a piece has at least, so that it can be seen
 * @func: called for each piece, in order; never more than there are steps, whatever there is in the lane
 * @user_data: for @func
 *
 * Spans that are shorter than @least become one piece where they touch; longer ones never do. A piece is
 * a step at the least, even where the next one begins in it.
 */
void stint_lanes_walk (StintLanes *self,
                       guint lane,
                       gint64 from,
                       gint64 to,
                       double step,
                       double least,
                       StintLanePieceFunc func,
                       gpointer user_data);

/**
 * stint_lanes_find_beside:
 * @self: the lanes
 * @span: a span
 * @lane: a lane
 *
 * Returns: the span of @lane that is the nearest in time to the beginning of @span; -1: there is none
 */
int stint_lanes_find_beside (StintLanes *self, guint span, guint lane);

/* How many others overlap with this one. */
guint stint_lanes_count_beside (StintLanes *self, guint span);

G_END_DECLS
