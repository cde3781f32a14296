/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The cursor of one pane into a transcript. Decides what is fed when; where it stands is decided in
 * stint-follower-place.c. Knows nothing of VTE: what it feeds goes to a function. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-follower-private.h"

#include "stint-utf8.h"

#include <glib/gi18n.h>
#include <string.h>

#define DEFAULT_LINES G_MAXUINT64
#define DEFAULT_TAIL (1024 * 1024)
#define DEFAULT_LIMIT (2 * 1024 * 1024)
#define FALLBACK_MSEC 50

/* What has come of a flood since it was shown is passed over if it is more than this; and a flood that has
 * been quiet for so long is over. */
#define FLOOD_LIMIT (4 * STINT_PACE_FLOOD_CHUNK)
#define FLOOD_OVER_MSEC 300

/* A terminal's work is by the line as much as by the byte: 256 KiB of empty ones would take it 0.1 s. */
#define MAX_CHUNK_LINES (16 * 1024)

/* A character that is cut off waits for its rest. */
#define MAX_CARRY STINT_UTF8_MAX_PART

G_DEFINE_FINAL_TYPE (StintFollower, stint_follower, G_TYPE_OBJECT)

enum
{
  PLACED,
  BEFORE_CHUNK,
  MARK_REACHED,
  CAUGHT_UP,
  PROBLEM,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void pump_later (StintFollower *self);

void
stint_follower_fail (StintFollower *self, GError *error)
{
  stint_follower_stop (self);
  self->failed = TRUE;
  g_signal_emit (self, signals[PROBLEM], 0, error);
}

static gboolean
on_fallback (gpointer user_data)
{
  StintFollower *self = STINT_FOLLOWER (user_data);

  self->fallback_id = 0;
  stint_follower_acknowledge (self, -1);
  return G_SOURCE_REMOVE;
}

void
stint_follower_feed (StintFollower *self, const guint8 *data, gsize length)
{
  if (length == 0)
    return;
  self->fed_anything = TRUE;
  self->last_byte = data[length - 1];
  self->waiting = TRUE;
  if (self->fallback_id == 0)
    /* After the terminal, if the main loop was late for both. */
    self->fallback_id =
        g_timeout_add_full (G_PRIORITY_LOW, FALLBACK_MSEC, on_fallback, self, NULL);
  self->feed (data, length, self->feed_data);
}

/* How much of @data is so many lines at most. */
static gsize
limit_lines (const guint8 *data, gsize length)
{
  const guint8 *p = data, *end = data + length;

  for (guint n = 0; n < MAX_CHUNK_LINES; n++)
    {
      p = memchr (p, '\n', (gsize) (end - p));
      if (p == NULL)
        return length;
      p++;
    }
  return (gsize) (p - data);
}

static void
feed_output (StintFollower *self, guint64 offset, const guint8 *data, gsize length)
{
  if (length == 0)
    return;
  if (stint_decorator_is_plain (self->decorator))
    {
      stint_follower_feed (self, data, length);
      return;
    }
  g_string_truncate (self->out, 0);
  stint_decorator_transform (self->decorator, offset, data, length, self->out);
  stint_follower_feed (self, (const guint8 *) self->out->str, self->out->len);
}

static gboolean
is_behind (StintFollower *self, guint64 limit)
{
  guint64 size = stint_reader_get_size (self->reader);

  return size > self->offset && size - self->offset > limit;
}

static gboolean
can_skip (StintFollower *self)
{
  return !self->ranged && self->may_skip && !self->screen.full_screen;
}

/* The end of one is no flood any more. */
static gboolean
is_flooding (StintFollower *self)
{
  return !stint_transcript_is_complete (self->transcript) &&
         stint_pace_is_flooding (&self->pace, g_get_monotonic_time ());
}

static gboolean
is_too_far_behind (StintFollower *self)
{
  return can_skip (self) &&
         is_behind (self, is_flooding (self) ? MIN (self->limit, FLOOD_LIMIT) : self->limit);
}

static gboolean
on_pause_over (gpointer user_data)
{
  StintFollower *self = STINT_FOLLOWER (user_data);

  self->pause_id = 0;
  pump_later (self);
  return G_SOURCE_REMOVE;
}

/* Returns: whether to wait, and it will go on at @until. */
static gboolean
pause_until (StintFollower *self, gint64 until)
{
  gint64 left = until - g_get_monotonic_time ();

  if (until == 0 || left <= 0)
    return FALSE;
  if (self->pause_id == 0)
    self->pause_id = g_timeout_add ((guint) (left / 1000) + 1, on_pause_over, self);
  return TRUE;
}

/* Not before the end was reached once, not when no more comes, and not when what is behind would be
 * farther behind. */
static gboolean
keep_pace (StintFollower *self)
{
  gint64 now = g_get_monotonic_time ();

  if (self->ranged || stint_transcript_is_complete (self->transcript))
    return FALSE;
  if (!can_skip (self) && is_behind (self, FLOOD_LIMIT))
    stint_pace_fall_behind (&self->pace, now);
  else
    stint_pace_tire (&self->pace, now);
  return pause_until (self, stint_pace_get_next (&self->pace));
}

static gboolean
on_flood_over (gpointer user_data)
{
  StintFollower *self = STINT_FOLLOWER (user_data);

  self->over_id = 0;
  if (self->thin && can_skip (self))
    {
      self->placed = FALSE;
      self->caught_up = FALSE;
      pump_later (self);
    }
  return G_SOURCE_REMOVE;
}

static void
reach_end (StintFollower *self)
{
  gboolean complete = stint_transcript_is_complete (self->transcript);

  /* What is still cut off now will never be whole. */
  if (self->carry > 0 && complete)
    {
      guint8 rest[MAX_CARRY];
      gsize length = self->carry;

      memcpy (rest, self->buffer + MAX_CARRY - length, length);
      self->carry = 0;
      feed_output (self, self->offset - length, rest, length);
      return;
    }
  if (self->thin && self->over_id == 0 && stint_follower_may_feed_again (self))
    self->over_id = g_timeout_add (FLOOD_OVER_MSEC, on_flood_over, self);
  stint_pace_settle (&self->pace);
  if (!self->caught_up || complete != self->told_complete)
    {
      self->caught_up = TRUE;
      self->told_complete = complete;
      g_signal_emit (self, signals[CAUGHT_UP], 0);
    }
}

/* Looks for the next loss, once there was one, in what is new of the index. */
static void
find_lost (StintFollower *self)
{
  StintIndexRecord record;
  guint64 n;

  if (self->next_lost != G_MAXUINT64 || stint_reader_get_lost (self->reader) == 0)
    return;
  n = stint_index_get_n (self->index);
  while (self->lost_scanned < n && stint_index_get (self->index, self->lost_scanned++, &record))
    if (record.kind == STINT_INDEX_LOST && record.offset >= self->start)
      {
        self->next_lost = record.offset;
        self->lost_bytes = record.lost;
        return;
      }
}

/* Returns: whether it was told, instead of a chunk. */
static gboolean
tell_lost (StintFollower *self)
{
  if (self->next_lost > self->offset)
    return FALSE;
  self->next_lost = G_MAXUINT64;
  /* Translators: in place of output that is missing; %s is a size. */
  stint_follower_feed_notice (self, _ ("… %s could not be stored …"), self->lost_bytes);
  return self->waiting;
}

/* As much as there is, up to @most: what is compressed comes in pieces. */
static gssize
read_chunk (StintFollower *self, guint8 *chunk, gsize most, guint64 *hole, GError **error)
{
  gssize got = stint_reader_read (self->reader, &self->offset, chunk, most, hole, error);

  while (got > 0 && (gsize) got < most)
    {
      guint64 at = self->offset, skipped = 0;
      gssize more = stint_reader_read (self->reader, &at, chunk + got, most - (gsize) got, &skipped, NULL);

      if (more <= 0 || skipped > 0)
        break;
      self->offset = at;
      got += more;
    }
  return got;
}

/* The buffer is carry | chunk, the carry at the end of its MAX_CARRY bytes. */
static void
feed_chunk (StintFollower *self)
{
  g_autoptr (GError) error = NULL;
  guint8 *chunk = self->buffer + MAX_CARRY;
  guint64 hole_start, hole_end, from, hole = 0;
  guint64 limit = MIN (MIN (self->end, self->mark), self->next_lost);
  gsize most = self->may_skip || self->ranged ? self->pace.chunk : STINT_FOLLOWER_READING_CHUNK;
  gsize kept, length;
  gssize got = 0;

  if (is_flooding (self))
    most = MIN (most, STINT_PACE_FLOOD_CHUNK);
  g_signal_emit (self, signals[BEFORE_CHUNK], 0, self->offset);
  /* A read that begins in the hole is of what stands behind it: the limit holds there too. */
  stint_reader_get_hole (self->reader, &hole_start, &hole_end);
  from = self->offset >= hole_start && self->offset < hole_end ? hole_end : self->offset;
  if (from < limit)
    got = read_chunk (self, chunk, (gsize) MIN ((guint64) most, limit - from), &hole, &error);
  else if (self->offset < limit)
    {
      /* Up to somewhere in the hole there is nothing to read, but the hole to tell. */
      hole = from - self->offset;
      self->offset = from;
    }
  if (got < 0)
    {
      stint_follower_fail (self, error);
      return;
    }
  if (hole > 0)
    {
      self->skipped += hole;
      /* Translators: in place of output that was not kept; %s is a size. */
      stint_follower_feed_notice (self, _ ("… %s removed by the output limit …"), hole);
      self->caught_up = FALSE;
    }
  if (got == 0)
    {
      if (hole == 0)
        reach_end (self);
      return;
    }

  self->offset -= (guint64) got;
  got = (gssize) limit_lines (chunk, (gsize) got);
  self->offset += (guint64) got;
  self->caught_up = FALSE;
  stint_pace_feed (&self->pace, (gsize) got, g_get_monotonic_time ());
  stint_screen_state_scan (&self->screen, self->offset - (guint64) got, chunk, (gsize) got);
  kept = self->carry;
  length = kept + (gsize) got;
  self->carry = self->offset < limit ? stint_utf8_count_begun (chunk - kept, length) : 0;
  length -= self->carry;
  feed_output (self, self->offset - (guint64) got - kept, chunk - kept, length);
  memmove (self->buffer + MAX_CARRY - self->carry, chunk - kept + length, self->carry);
}

/* Returns: whether something else than output was due. */
static gboolean
reach_mark (StintFollower *self)
{
  if (self->offset < self->mark)
    return FALSE;
  self->mark = G_MAXUINT64;
  self->caught_up = FALSE;
  g_signal_emit (self, signals[MARK_REACHED], 0);
  return TRUE;
}

static void
pump (StintFollower *self)
{
  if (self->skipping)
    {
      stint_follower_skip_on (self);
      return;
    }
  if (!self->placed)
    {
      stint_follower_begin (self);
      return;
    }
  if (reach_mark (self))
    return;
  if (is_too_far_behind (self))
    {
      if (stint_transcript_is_complete (self->transcript) ||
          !pause_until (self, stint_pace_get_next_skip (&self->pace)))
        stint_follower_skip_to_tail (self);
      return;
    }
  if (keep_pace (self))
    return;
  find_lost (self);
  if (!tell_lost (self))
    feed_chunk (self);
}

static gboolean
on_pump (gpointer user_data)
{
  g_autoptr (StintFollower) self = g_object_ref (STINT_FOLLOWER (user_data));

  self->pump_id = 0;
  pump (self);
  /* Nothing was fed: either it is caught up, or there is more to do at once. */
  if (!self->waiting && !self->caught_up && self->pause_id == 0)
    pump_later (self);
  return G_SOURCE_REMOVE;
}

static void
pump_later (StintFollower *self)
{
  gboolean empty = !self->fed_anything || (self->placed && self->offset == self->start);

  if (self->active && !self->held && !self->waiting && self->pump_id == 0)
    /* What is first to be seen comes before a picture without it. */
    self->pump_id = g_idle_add_full (empty ? G_PRIORITY_HIGH_IDLE : G_PRIORITY_DEFAULT_IDLE, on_pump,
                                     self, NULL);
}

static void
on_grew (StintFollower *self)
{
  pump_later (self);
}

static void
stint_follower_dispose (GObject *object)
{
  StintFollower *self = STINT_FOLLOWER (object);

  if (self->transcript != NULL)
    stint_follower_stop (self);
  g_clear_handle_id (&self->fallback_id, g_source_remove);
  g_clear_handle_id (&self->pause_id, g_source_remove);
  g_clear_handle_id (&self->over_id, g_source_remove);
  g_clear_pointer (&self->decorator, stint_decorator_free);
  g_clear_pointer (&self->index, stint_index_free);
  g_clear_object (&self->transcript);

  G_OBJECT_CLASS (stint_follower_parent_class)->dispose (object);
}

static void
stint_follower_finalize (GObject *object)
{
  StintFollower *self = STINT_FOLLOWER (object);

  g_free (self->buffer);
  g_string_free (self->out, TRUE);

  G_OBJECT_CLASS (stint_follower_parent_class)->finalize (object);
}

static void
stint_follower_class_init (StintFollowerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  object_class->dispose = stint_follower_dispose;
  object_class->finalize = stint_follower_finalize;

  signals[PLACED] = g_signal_new ("placed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                  1, G_TYPE_UINT64);
  signals[BEFORE_CHUNK] = g_signal_new ("before-chunk", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 1, G_TYPE_UINT64);
  signals[MARK_REACHED] =
      g_signal_new ("mark-reached", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[CAUGHT_UP] =
      g_signal_new ("caught-up", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[PROBLEM] = g_signal_new ("problem", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
stint_follower_init (StintFollower *self)
{
  self->buffer = g_malloc (MAX_CARRY + STINT_PACE_MAX_CHUNK);
  self->out = g_string_new (NULL);
  stint_pace_init (&self->pace);
  self->lines = DEFAULT_LINES;
  self->tail = DEFAULT_TAIL;
  self->limit = DEFAULT_LIMIT;
  self->may_skip = TRUE;
  self->mark = self->end = self->next_lost = G_MAXUINT64;
}

StintFollower *
stint_follower_new (StintTranscript *transcript,
                    gboolean pipe,
                    StintFollowerFeed feed_func,
                    gpointer user_data)
{
  StintFollower *self;

  g_return_val_if_fail (STINT_IS_TRANSCRIPT (transcript), NULL);
  g_return_val_if_fail (feed_func != NULL, NULL);

  self = g_object_new (STINT_TYPE_FOLLOWER, NULL);
  self->transcript = g_object_ref (transcript);
  self->reader = stint_transcript_get_reader (transcript);
  self->index = stint_index_new (self->reader);
  self->decorator = stint_decorator_new (self->reader, pipe);
  self->pipe = pipe;
  self->feed = feed_func;
  self->feed_data = user_data;
  return self;
}

StintDecorator *
stint_follower_get_decorator (StintFollower *self)
{
  g_return_val_if_fail (STINT_IS_FOLLOWER (self), NULL);

  return self->decorator;
}

void
stint_follower_set_backlog (StintFollower *self, guint64 lines, gsize tail, guint64 limit)
{
  g_return_if_fail (STINT_IS_FOLLOWER (self));
  g_return_if_fail (tail <= limit);

  self->lines = lines;
  self->tail = tail;
  self->limit = limit;
}

void
stint_follower_set_may_skip (StintFollower *self, gboolean may_skip)
{
  g_return_if_fail (STINT_IS_FOLLOWER (self));

  self->may_skip = may_skip;
  if (may_skip && self->placed)
    pump_later (self);
}

void
stint_follower_set_held (StintFollower *self, gboolean held)
{
  g_return_if_fail (STINT_IS_FOLLOWER (self));

  self->held = held;
  if (held)
    g_clear_handle_id (&self->pump_id, g_source_remove);
  else
    pump_later (self);
}

void
stint_follower_start (StintFollower *self)
{
  g_return_if_fail (STINT_IS_FOLLOWER (self));

  if (self->active)
    return;
  self->active = TRUE;
  self->failed = FALSE;
  self->caught_up = FALSE;
  self->grew_id = g_signal_connect_object (self->transcript, "grew", G_CALLBACK (on_grew), self,
                                           G_CONNECT_SWAPPED);
  stint_transcript_follow (self->transcript);
  pump_later (self);
}

void
stint_follower_stop (StintFollower *self)
{
  g_return_if_fail (STINT_IS_FOLLOWER (self));

  self->failed = FALSE;
  if (!self->active)
    return;
  self->active = FALSE;
  g_clear_signal_handler (&self->grew_id, self->transcript);
  g_clear_handle_id (&self->pump_id, g_source_remove);
  stint_transcript_unfollow (self->transcript);
}

void
stint_follower_acknowledge (StintFollower *self, gint64 busy)
{
  g_return_if_fail (STINT_IS_FOLLOWER (self));

  if (!self->waiting)
    return;
  self->waiting = FALSE;
  g_clear_handle_id (&self->fallback_id, g_source_remove);

  stint_pace_work (&self->pace, busy);
  pump_later (self);
}

void
stint_follower_painted (StintFollower *self, gint64 busy)
{
  g_return_if_fail (STINT_IS_FOLLOWER (self));

  stint_pace_paint (&self->pace, busy);
}

static void
show (StintFollower *self, gboolean ranged, guint64 start, guint64 mark, guint64 end)
{
  self->ranged = ranged;
  self->range_start = start;
  self->mark = mark;
  self->end = end;
  stint_follower_reload (self);
  if (self->failed)
    stint_follower_start (self);
}

void
stint_follower_show_tail (StintFollower *self)
{
  g_return_if_fail (STINT_IS_FOLLOWER (self));

  show (self, FALSE, 0, G_MAXUINT64, G_MAXUINT64);
}

void
stint_follower_show_range (StintFollower *self, guint64 start, guint64 mark, guint64 end)
{
  g_return_if_fail (STINT_IS_FOLLOWER (self));
  g_return_if_fail (start <= mark && start <= end);

  show (self, TRUE, start, mark, end);
}

void
stint_follower_set_end (StintFollower *self, guint64 end)
{
  g_return_if_fail (STINT_IS_FOLLOWER (self));

  self->end = end;
  self->caught_up = FALSE;
  pump_later (self);
}

void
stint_follower_reload (StintFollower *self)
{
  g_return_if_fail (STINT_IS_FOLLOWER (self));

  self->placed = FALSE;
  self->skipping = FALSE;
  self->caught_up = FALSE;
  g_clear_handle_id (&self->pause_id, g_source_remove);
  g_clear_handle_id (&self->over_id, g_source_remove);
  pump_later (self);
}

gboolean
stint_follower_is_at_tail (StintFollower *self)
{
  g_return_val_if_fail (STINT_IS_FOLLOWER (self), FALSE);

  return !self->ranged;
}

guint64
stint_follower_get_start (StintFollower *self)
{
  g_return_val_if_fail (STINT_IS_FOLLOWER (self), 0);

  return self->start;
}

guint64
stint_follower_get_offset (StintFollower *self)
{
  g_return_val_if_fail (STINT_IS_FOLLOWER (self), 0);

  return self->offset;
}

guint64
stint_follower_get_skipped (StintFollower *self)
{
  g_return_val_if_fail (STINT_IS_FOLLOWER (self), 0);

  return self->skipped;
}

gsize
stint_follower_get_chunk (StintFollower *self)
{
  g_return_val_if_fail (STINT_IS_FOLLOWER (self), 0);

  return self->pace.chunk;
}

gboolean
stint_follower_is_full_screen (StintFollower *self)
{
  g_return_val_if_fail (STINT_IS_FOLLOWER (self), FALSE);

  return self->screen.full_screen;
}
