/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The cursor of one pane into a transcript. Decides what is fed when, what is skipped and what is
 * said about it. Knows nothing of VTE: what it feeds goes to a function. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-follower.h"

#include "stint-screen-mode.h"

#include <glib/gi18n.h>
#include <string.h>

#define DEFAULT_TAIL (1024 * 1024)
#define DEFAULT_LIMIT (8 * 1024 * 1024)
#define FALLBACK_MSEC 50

/* Before a skip, this much of what is skipped is looked through for a program's switch to the
 * alternate screen, in pieces. */
#define SCAN_WINDOW (16 * 1024 * 1024)
#define SCAN_PIECE (1024 * 1024)

/* The longest cut-off beginning of a UTF-8 sequence. */
#define MAX_CARRY 3

struct _StintFollower
{
  GObject parent_instance;

  StintTranscript *transcript;
  StintReader *reader; /* borrowed from the transcript */
  StintFollowerFeed feed;
  gpointer feed_data;

  gboolean bare_newlines;
  gsize tail;
  guint64 limit;

  gboolean active;
  gboolean placed;  /* offset has been set to the tail once */
  gboolean waiting; /* for the terminal */
  gboolean caught_up;
  gboolean told_complete; /* caught up, and no more will come */
  gulong grew_id;
  guint pump_id;     /* the next chunk, when the main loop is idle */
  guint fallback_id; /* in place of an acknowledgment */

  guint8 *buffer; /* STINT_FOLLOWER_MAX_CHUNK after MAX_CARRY */
  gsize chunk;
  gsize carry;
  guint64 offset;
  guint64 skipped;
  StintScreenMode screen;
  guint8 last_byte;
  gboolean fed_anything;

  gboolean skipping;
  guint64 skip_from;
  guint64 skip_target;
};

G_DEFINE_FINAL_TYPE (StintFollower, stint_follower, G_TYPE_OBJECT)

enum
{
  BEFORE_CHUNK,
  CAUGHT_UP,
  PROBLEM,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void pump_later (StintFollower *self);

static void
fail (StintFollower *self, GError *error)
{
  stint_follower_stop (self);
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

static void
feed (StintFollower *self, const guint8 *data, gsize length)
{
  if (length == 0)
    return;
  self->fed_anything = TRUE;
  self->waiting = TRUE;
  if (self->fallback_id == 0)
    self->fallback_id = g_timeout_add (FALLBACK_MSEC, on_fallback, self);
  self->feed (data, length, self->feed_data);
}

/* CAN ends a control sequence that the skipped part may have cut off. */
static void
feed_notice (StintFollower *self, const char *format, guint64 bytes)
{
  g_autofree char *size = g_format_size (bytes);
  g_autofree char *text = NULL;
  g_autofree char *line = NULL;

  if (self->screen.full_screen)
    return;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  text = g_strdup_printf (format, size);
#pragma GCC diagnostic pop
  line =
      g_strdup_printf ("\030\033[0m%s\033[2m%s\033[0m\r\n", self->fed_anything ? "\r\n" : "", text);
  self->carry = 0;
  self->last_byte = '\n';
  feed (self, (const guint8 *) line, strlen (line));
}

/* How many bytes at the end of @data begin a UTF-8 sequence that is not complete. */
static gsize
count_cut_off (const guint8 *data, gsize length)
{
  for (gsize back = 1; back <= MIN (length, MAX_CARRY); back++)
    {
      guint8 byte = data[length - back];
      gsize needed;

      if ((byte & 0xc0) == 0x80)
        continue;
      if ((byte & 0xe0) == 0xc0)
        needed = 2;
      else if ((byte & 0xf0) == 0xe0)
        needed = 3;
      else if ((byte & 0xf8) == 0xf0)
        needed = 4;
      else
        return 0;
      return needed > back ? back : 0;
    }
  return 0;
}

static void
feed_with_newlines (StintFollower *self, const guint8 *data, gsize length)
{
  g_autoptr (GByteArray) converted = g_byte_array_sized_new ((guint) (length + length / 8));
  gsize at = 0;

  while (at < length)
    {
      const guint8 *found = memchr (data + at, '\n', length - at);
      gsize end = found != NULL ? (gsize) (found - data) : length;
      guint8 before = end > 0 ? data[end - 1] : self->last_byte;

      g_byte_array_append (converted, data + at, (guint) (end - at));
      if (found != NULL)
        g_byte_array_append (converted, (const guint8 *) "\r\n" + (before == '\r' ? 1 : 0),
                             before == '\r' ? 1 : 2);
      at = end + (found != NULL ? 1 : 0);
    }
  self->last_byte = data[length - 1];
  feed (self, converted->data, converted->len);
}

static void
feed_output (StintFollower *self, const guint8 *data, gsize length)
{
  if (length == 0)
    return;
  if (self->bare_newlines)
    feed_with_newlines (self, data, length);
  else
    feed (self, data, length);
}

static void
begin_skip (StintFollower *self, guint64 target)
{
  self->skipping = TRUE;
  self->caught_up = FALSE;
  self->skip_from = self->offset;
  self->skip_target = target;
  if (target - self->offset > SCAN_WINDOW)
    self->offset = target - SCAN_WINDOW;
}

/* A program that is in full screen at the target is followed from where it went there: its picture
 * is made of everything since. */
static void
end_skip (StintFollower *self)
{
  StintScreenMode screen = { .full_screen = self->screen.full_screen,
                             .entered_at = self->screen.entered_at };
  guint64 passed;

  self->skipping = FALSE;
  self->offset = screen.full_screen ? screen.entered_at : self->skip_target;
  passed = self->offset - self->skip_from;
  self->skipped += passed;
  self->carry = 0;
  self->screen.full_screen = FALSE; /* not yet: it is said before the program goes there */
  if (passed > 0)
    /* Translators: in place of output that is not shown; %s is a size. */
    feed_notice (self, _ ("… %s skipped …"), passed);
  self->screen = screen;
}

static void
scan_piece (StintFollower *self)
{
  gsize scanned = 0;

  while (scanned < SCAN_PIECE && self->offset < self->skip_target)
    {
      g_autoptr (GError) error = NULL;
      gsize want = (gsize) MIN (STINT_FOLLOWER_MAX_CHUNK, self->skip_target - self->offset);
      gssize got = stint_reader_read (self->reader, &self->offset, self->buffer + MAX_CARRY,
                                          want, NULL, &error);

      if (got < 0)
        {
          fail (self, error);
          return;
        }
      if (got == 0)
        break;
      stint_screen_mode_scan (&self->screen, self->offset - (guint64) got, self->buffer + MAX_CARRY,
                              (gsize) got);
      scanned += (gsize) got;
    }

  if (scanned == 0 || self->offset >= self->skip_target)
    end_skip (self);
}

static void
place_at_tail (StintFollower *self)
{
  guint64 target = stint_reader_find_line_start (self->reader, G_MAXUINT64, G_MAXUINT64, self->tail);

  self->placed = TRUE;
  if (target > self->offset)
    begin_skip (self, target);
}

static gboolean
is_too_far_behind (StintFollower *self)
{
  guint64 size = stint_reader_get_size (self->reader);

  return !self->screen.full_screen && size > self->offset && size - self->offset > self->limit;
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
      feed_output (self, rest, length);
      return;
    }
  if (!self->caught_up || complete != self->told_complete)
    {
      self->caught_up = TRUE;
      self->told_complete = complete;
      g_signal_emit (self, signals[CAUGHT_UP], 0);
    }
}

/* The buffer is carry | chunk, the carry at the end of its MAX_CARRY bytes. */
static void
feed_chunk (StintFollower *self)
{
  g_autoptr (GError) error = NULL;
  guint8 *chunk = self->buffer + MAX_CARRY;
  guint64 hole = 0;
  gsize kept, length;
  gssize got;

  g_signal_emit (self, signals[BEFORE_CHUNK], 0, self->offset);
  got = stint_reader_read (self->reader, &self->offset, chunk, self->chunk, &hole, &error);
  if (got < 0)
    {
      fail (self, error);
      return;
    }
  if (hole > 0)
    {
      self->skipped += hole;
      /* Translators: in place of output that was not kept; %s is a size. */
      feed_notice (self, _ ("… %s removed by the output limit …"), hole);
    }
  if (got == 0)
    {
      reach_end (self);
      return;
    }

  self->caught_up = FALSE;
  stint_screen_mode_scan (&self->screen, self->offset - (guint64) got, chunk, (gsize) got);
  kept = self->carry;
  length = kept + (gsize) got;
  self->carry = count_cut_off (chunk - kept, length);
  length -= self->carry;
  feed_output (self, chunk - kept, length);
  memmove (self->buffer + MAX_CARRY - self->carry, chunk - kept + length, self->carry);
}

static gboolean
on_pump (gpointer user_data)
{
  g_autoptr (StintFollower) self = g_object_ref (STINT_FOLLOWER (user_data));

  self->pump_id = 0;
  if (!self->placed)
    place_at_tail (self);
  else if (!self->skipping && is_too_far_behind (self))
    begin_skip (self, stint_reader_find_line_start (self->reader, G_MAXUINT64, G_MAXUINT64, self->tail));

  if (self->skipping)
    scan_piece (self);
  else
    feed_chunk (self);

  /* Nothing was fed: either it is caught up, or there is more to do at once. */
  if (!self->waiting && !self->caught_up)
    pump_later (self);
  return G_SOURCE_REMOVE;
}

static void
pump_later (StintFollower *self)
{
  if (self->active && !self->waiting && self->pump_id == 0)
    self->pump_id = g_idle_add (on_pump, self);
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
  g_clear_object (&self->transcript);

  G_OBJECT_CLASS (stint_follower_parent_class)->dispose (object);
}

static void
stint_follower_finalize (GObject *object)
{
  StintFollower *self = STINT_FOLLOWER (object);

  g_free (self->buffer);

  G_OBJECT_CLASS (stint_follower_parent_class)->finalize (object);
}

static void
stint_follower_class_init (StintFollowerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  object_class->dispose = stint_follower_dispose;
  object_class->finalize = stint_follower_finalize;

  signals[BEFORE_CHUNK] = g_signal_new ("before-chunk", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 1, G_TYPE_UINT64);
  signals[CAUGHT_UP] =
      g_signal_new ("caught-up", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[PROBLEM] = g_signal_new ("problem", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
stint_follower_init (StintFollower *self)
{
  self->buffer = g_malloc (MAX_CARRY + STINT_FOLLOWER_MAX_CHUNK);
  self->chunk = 2 * STINT_FOLLOWER_MIN_CHUNK;
  self->tail = DEFAULT_TAIL;
  self->limit = DEFAULT_LIMIT;
}

StintFollower *
stint_follower_new (StintTranscript *transcript, StintFollowerFeed feed_func, gpointer user_data)
{
  StintFollower *self;

  g_return_val_if_fail (STINT_IS_TRANSCRIPT (transcript), NULL);
  g_return_val_if_fail (feed_func != NULL, NULL);

  self = g_object_new (STINT_TYPE_FOLLOWER, NULL);
  self->transcript = g_object_ref (transcript);
  self->reader = stint_transcript_get_reader (transcript);
  self->feed = feed_func;
  self->feed_data = user_data;
  return self;
}

void
stint_follower_set_bare_newlines (StintFollower *self, gboolean bare_newlines)
{
  g_return_if_fail (STINT_IS_FOLLOWER (self));

  self->bare_newlines = bare_newlines;
}

void
stint_follower_set_backlog (StintFollower *self, gsize tail, guint64 limit)
{
  g_return_if_fail (STINT_IS_FOLLOWER (self));
  g_return_if_fail (tail <= limit);

  self->tail = tail;
  self->limit = limit;
}

void
stint_follower_start (StintFollower *self)
{
  g_return_if_fail (STINT_IS_FOLLOWER (self));

  if (self->active)
    return;
  self->active = TRUE;
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

  if (busy > STINT_FOLLOWER_BUDGET)
    self->chunk = MAX (self->chunk / 2, STINT_FOLLOWER_MIN_CHUNK);
  else if (busy >= 0 && busy < STINT_FOLLOWER_BUDGET / 2)
    self->chunk = MIN (self->chunk * 2, STINT_FOLLOWER_MAX_CHUNK);
  pump_later (self);
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

  return self->chunk;
}

gboolean
stint_follower_is_full_screen (StintFollower *self)
{
  g_return_val_if_fail (STINT_IS_FOLLOWER (self), FALSE);

  return self->screen.full_screen;
}
