/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Where a follower stands: at a tail, at a range's beginning, behind what it has skipped; and what it says
 * in place of what is not shown. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-follower-private.h"

#include <glib/gi18n.h>
#include <string.h>

/* What is skipped is looked through for what the terminal would remember of it. A pipe's output has
 * no screen, only colours: less of it will do. */
#define SCAN_WINDOW_PIPE (256 * 1024)

/* A flood's tail is short, and so is the one that somebody waits to see first; then the rest of the tail
 * is fetched. */
#define FLOOD_TAIL STINT_PACE_FLOOD_CHUNK

/* Ends a sequence that was cut off, resets, and empties the screen and then what had scrolled off it:
 * in the output itself, so that no empty screen is drawn in between. */
#define CLEAR "\030\033[!p\033[r\033[H\033[2J\033[3J\033[H"

/* A line of our own. */
static void
append_notice (StintFollower *self, GString *out, const char *format, guint64 bytes)
{
  g_autofree char *size = g_format_size (bytes);

  if (self->screen.full_screen)
    return;
  g_string_append (out, "\033[0;2m");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  g_string_append_printf (out, format, size);
#pragma GCC diagnostic pop
  g_string_append (out, "\033[0m\r\n");
}

/* In the middle of the output. CAN ends a control sequence that what is missing may have cut off. */
void
stint_follower_feed_notice (StintFollower *self, const char *format, guint64 bytes)
{
  g_string_assign (self->out, self->last_byte == '\n' ? "\030" : "\030\r\n");
  append_notice (self, self->out, format, bytes);
  stint_screen_state_append_sgr (&self->screen, self->out);
  self->carry = 0;
  stint_screen_state_cut (&self->screen);
  stint_decorator_cut (self->decorator);
  if (!self->screen.full_screen)
    stint_follower_feed (self, (const guint8 *) self->out->str, self->out->len);
}

/* How much of the output before @offset can still be read. */
static guint64
count_earlier (StintFollower *self, guint64 offset)
{
  guint64 hole_start, hole_end;

  stint_reader_get_hole (self->reader, &hole_start, &hole_end);
  return offset - (MIN (hole_end, offset) - MIN (hole_start, offset));
}

/* From here on the terminal shows what stands at @start, and nothing else. */
static void
place (StintFollower *self, guint64 start)
{
  StintScreenState screen = self->screen;
  guint64 earlier = count_earlier (self, start);

  self->placed = TRUE;
  /* What somebody waits for begins now: to look through what is skipped took its time. */
  if (!self->pace.flood)
    stint_pace_fall_behind (&self->pace, g_get_monotonic_time ());
  self->start = self->offset = start;
  self->carry = 0;
  self->caught_up = FALSE;
  self->next_lost = G_MAXUINT64;
  self->lost_scanned = start > 0 ? stint_index_find_offset (self->index, start) : 0;
  stint_decorator_restart (self->decorator, &screen);

  g_string_truncate (self->out, 0);
  if (self->fed_anything)
    g_string_append (self->out, CLEAR);
  self->screen.full_screen = FALSE; /* not yet: it is said before the program goes there */
  if (earlier > 0)
    /* Translators: above output whose beginning is not shown; %s is a size. */
    append_notice (self, self->out, _ ("… %s of earlier output …"), earlier);
  stint_screen_state_append (&screen, self->out);
  self->screen = screen;
  if (self->out->len > 0)
    stint_follower_feed (self, (const guint8 *) self->out->str, self->out->len);
  /* The terminal works this off together with the output that follows, if some does. */
  if (start < MIN (MIN (stint_reader_get_size (self->reader), self->end), self->mark))
    self->waiting = FALSE;
  g_signal_emit_by_name (self, "placed", start);
}

/* Looks through what stands before @target, from where the state is known if that is not too far. */
static void
begin_skip (StintFollower *self, guint64 target)
{
  guint64 window = self->pipe ? SCAN_WINDOW_PIPE : STINT_SCREEN_SCAN_WINDOW;

  self->skipping = TRUE;
  self->caught_up = FALSE;
  self->carry = 0;
  self->skip_target = target;
  self->scan.state = self->screen;
  stint_screen_scan_begin (&self->scan, self->reader, self->placed ? self->offset : G_MAXUINT64,
                           target, window);
}

/* A program that is in full screen at the target is followed from where it went there: its picture
 * is made of everything since. */
static void
end_skip (StintFollower *self)
{
  guint64 target = self->skip_target, before = self->start;
  gboolean back;

  self->skipping = FALSE;
  self->screen = self->scan.state;
  back = self->screen.full_screen && !self->ranged;
  if (back)
    {
      target = self->screen.entered_at;
      stint_screen_state_rewind (&self->screen);
    }
  if (self->placed && target > before)
    self->skipped += target - before;
  else if (!self->placed)
    self->skipped += target;
  place (self, target);
  if (back)
    {
      self->screen.full_screen = TRUE;
      self->screen.entered_at = target;
    }
}

void
stint_follower_skip_on (StintFollower *self)
{
  g_autoptr (GError) error = NULL;

  switch (stint_screen_scan_step (&self->scan, &error))
    {
    case STINT_SCREEN_SCAN_DONE:
      end_skip (self);
      break;
    case STINT_SCREEN_SCAN_FAILED:
      stint_follower_fail (self, error);
      break;
    case STINT_SCREEN_SCAN_MORE:
    default:
      break;
    }
}

static guint64
find_tail (StintFollower *self, guint64 lines, gsize bytes)
{
  return stint_reader_find_line_start (self->reader, G_MAXUINT64, lines, bytes);
}

/* To what it is fed again a terminal would answer again: that is for one whose answers nobody takes. */
gboolean
stint_follower_may_feed_again (StintFollower *self)
{
  return self->pipe || stint_transcript_is_complete (self->transcript);
}

/* Somebody waits to see the end: what can be fed again begins with a short tail, the rest follows. */
static guint64
find_beginning (StintFollower *self)
{
  self->thin = FALSE;
  if (self->ranged)
    return self->range_start;
  self->thin = !self->fed_anything && self->tail > FLOOD_TAIL &&
               stint_reader_get_size (self->reader) > self->tail &&
               stint_follower_may_feed_again (self);
  return find_tail (self, self->lines, self->thin ? FLOOD_TAIL : self->tail);
}

void
stint_follower_begin (StintFollower *self)
{
  guint64 target = find_beginning (self);

  stint_pace_place (&self->pace, g_get_monotonic_time ());
  memset (&self->screen, 0, sizeof self->screen);
  if (target > 0)
    begin_skip (self, target);
  else
    place (self, 0);
}

void
stint_follower_skip_to_tail (StintFollower *self)
{
  /* What they were for is over. */
  g_clear_handle_id (&self->pause_id, g_source_remove);
  g_clear_handle_id (&self->over_id, g_source_remove);
  stint_pace_skip (&self->pace, g_get_monotonic_time ());
  self->thin = self->pace.flood;
  begin_skip (self, find_tail (self, self->lines, self->thin ? MIN (self->tail, FLOOD_TAIL) : self->tail));
}
