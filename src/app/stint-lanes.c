/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Spans in lanes: who stands where, and what can be told apart. Arithmetic only. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-lanes.h"

struct _StintLanes
{
  StintLaneSpan *spans;
  guint n_spans;
  guint *lane_of;   /* of each span */
  GPtrArray *lanes; /* GArray of guint: the spans of a lane, in order */
};

/* A lane, in a heap by @key: of those in use when they become free, of the free ones their number. */
typedef struct
{
  gint64 key;
  guint lane;
} Slot;

static Slot *
get_slot (GArray *heap, guint i)
{
  return &g_array_index (heap, Slot, i);
}

static void
swap_slots (GArray *heap, guint a, guint b)
{
  Slot kept = *get_slot (heap, a);

  *get_slot (heap, a) = *get_slot (heap, b);
  *get_slot (heap, b) = kept;
}

static void
push (GArray *heap, gint64 key, guint lane)
{
  Slot slot = { key, lane };
  guint i = heap->len;

  g_array_append_val (heap, slot);
  for (; i > 0 && get_slot (heap, (i - 1) / 2)->key > get_slot (heap, i)->key; i = (i - 1) / 2)
    swap_slots (heap, i, (i - 1) / 2);
}

static guint
pop (GArray *heap)
{
  guint lane = get_slot (heap, 0)->lane;
  guint i = 0;

  *get_slot (heap, 0) = *get_slot (heap, heap->len - 1);
  g_array_set_size (heap, heap->len - 1);
  for (;;)
    {
      guint least = i;

      for (guint child = 2 * i + 1; child <= 2 * i + 2 && child < heap->len; child++)
        if (get_slot (heap, child)->key < get_slot (heap, least)->key)
          least = child;
      if (least == i)
        return lane;
      swap_slots (heap, i, least);
      i = least;
    }
}

static void
put (StintLanes *self, guint span, guint lane)
{
  if (lane == self->lanes->len)
    g_ptr_array_add (self->lanes, g_array_new (FALSE, FALSE, sizeof (guint)));
  self->lane_of[span] = lane;
  g_array_append_val (g_ptr_array_index (self->lanes, lane), span);
}

/* Each gets the first lane that is free. */
static void
assign (StintLanes *self)
{
  g_autoptr (GArray) used = g_array_new (FALSE, FALSE, sizeof (Slot));
  g_autoptr (GArray) unused = g_array_new (FALSE, FALSE, sizeof (Slot));

  for (guint i = 0; i < self->n_spans; i++)
    {
      guint lane;

      while (used->len > 0 && get_slot (used, 0)->key <= self->spans[i].begin)
        {
          lane = pop (used);
          push (unused, lane, lane);
        }
      lane = unused->len > 0 ? pop (unused) : self->lanes->len;
      put (self, i, lane);
      push (used, MAX (self->spans[i].end, self->spans[i].begin + 1), lane);
    }
}

StintLanes *
stint_lanes_new (const StintLaneSpan *spans, guint n_spans)
{
  StintLanes *self = g_new0 (StintLanes, 1);

  self->spans = g_memdup2 (spans, n_spans * sizeof *spans);
  self->n_spans = n_spans;
  self->lane_of = g_new0 (guint, n_spans);
  self->lanes = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  assign (self);
  return self;
}

void
stint_lanes_free (StintLanes *self)
{
  g_ptr_array_unref (self->lanes);
  g_free (self->lane_of);
  g_free (self->spans);
  g_free (self);
}

guint
stint_lanes_get_n_lanes (StintLanes *self)
{
  return self->lanes->len;
}

guint
stint_lanes_get_lane (StintLanes *self, guint span)
{
  g_return_val_if_fail (span < self->n_spans, 0);

  return self->lane_of[span];
}

static const StintLaneSpan *
get_span (StintLanes *self, GArray *lane, guint i)
{
  return &self->spans[g_array_index (lane, guint, i)];
}

/* The first of a lane that begins at @time or later. */
static guint
find_from (StintLanes *self, GArray *lane, gint64 time)
{
  guint low = 0, high = lane->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (get_span (self, lane, middle)->begin < time)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
begin_piece (StintLanePiece *piece, guint index, const StintLaneSpan *span, gint64 from, double step)
{
  piece->first = piece->last = index;
  piece->count = 1;
  piece->weight = span->weight;
  piece->from = (double) (span->begin - from) / step;
  piece->to = (double) (span->end - from) / step;
}

void
stint_lanes_walk (StintLanes *self,
                  guint lane,
                  gint64 from,
                  gint64 to,
                  double step,
                  double least,
                  StintLanePieceFunc func,
                  gpointer user_data)
{
  GArray *spans;
  StintLanePiece piece = { 0 };
  gboolean is_short = FALSE; /* all that is in the piece */
  guint i;

  g_return_if_fail (lane < self->lanes->len);
  g_return_if_fail (step > 0);

  spans = g_ptr_array_index (self->lanes, lane);
  i = find_from (self, spans, from);
  /* The one before may reach into what is asked for; of those that are short, into its first steps. */
  while (i > 0 && (double) get_span (self, spans, i - 1)->end + least * step > (double) from)
    i--;
  for (; i < spans->len && get_span (self, spans, i)->begin < to; i++)
    {
      const StintLaneSpan *span = get_span (self, spans, i);
      StintLanePiece next;
      gboolean joins = is_short;

      begin_piece (&next, g_array_index (spans, guint, i), span, from, step);
      is_short = next.to - next.from < least;
      if (is_short)
        next.to = next.from + least;
      if (joins && is_short && next.from <= piece.to)
        {
          piece.last = next.first;
          piece.count++;
          piece.weight += next.weight;
          piece.to = next.to;
          continue;
        }
      if (piece.count > 0)
        {
          piece.to = MAX (MIN (piece.to, next.from), piece.from + 1);
          func (&piece, user_data);
        }
      piece = next;
    }
  if (piece.count > 0)
    func (&piece, user_data);
}

int
stint_lanes_find_beside (StintLanes *self, guint span, guint lane)
{
  GArray *spans;
  gint64 time;
  guint i;

  g_return_val_if_fail (span < self->n_spans, -1);

  if (lane >= self->lanes->len)
    return -1;
  spans = g_ptr_array_index (self->lanes, lane);
  time = self->spans[span].begin;
  i = find_from (self, spans, time);
  /* What goes on at that time is nearer than what begins later. */
  if (i == spans->len ||
      (i > 0 && time - get_span (self, spans, i - 1)->end < get_span (self, spans, i)->begin - time))
    i--;
  return (int) g_array_index (spans, guint, i);
}

guint
stint_lanes_count_beside (StintLanes *self, guint span)
{
  const StintLaneSpan *this;
  guint n = 0;

  g_return_val_if_fail (span < self->n_spans, 0);

  this = &self->spans[span];
  for (guint lane = 0; lane < self->lanes->len; lane++)
    {
      GArray *spans = g_ptr_array_index (self->lanes, lane);
      guint begin = find_from (self, spans, this->begin);
      guint end = find_from (self, spans, this->end);

      if (begin > 0 && get_span (self, spans, begin - 1)->end > this->begin)
        begin--;
      n += MAX (end, begin) - begin;
      /* Itself, unless it was over as soon as it began. */
      if (lane == self->lane_of[span] && this->end > this->begin)
        n--;
    }
  return n;
}
