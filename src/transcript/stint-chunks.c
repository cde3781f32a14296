/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads a chunk of a transcript, makes it plain and searches it. Where a chunk begins and ends
 * follows from the bytes that are there and from nothing else: so two threads agree on it, and a
 * hit is never counted twice.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-chunks.h"

#include <string.h>

/* Over the cut of a line that is too long: what is looked at besides, on either side. */
#define MAX_OVERLAP (64u * 1024u)

/* How much is read at first to find the end of a line. */
#define FIRST_LOOK 4096u

/* If what is needed comes in each so many bytes, all is made plain. */
#define LIKELY_DISTANCE 512u

typedef enum
{
  RUNNING,
  AT_HOLE, /* it goes on at `resume` */
  AT_END,
} Stop;

struct _StintChunks
{
  StintReader *reader;
  StintSeeker *seeker;
  const gint *cancelled;
  const char *needed_bytes; /* the query's */
  gsize chunk_size;
  gsize overlap;
  guint64 n_given_up_told;

  /* Output that stands side by side. */
  guint8 *raw;
  gsize length;
  guint64 base; /* where raw[0] is */
  guint64 limit;
  Stop stop;
  guint64 resume;
  GError *error;

  /* Of the chunk that was read last. */
  StintPlain plain;
  guint64 start;
  gboolean is_final;
  guint64 first; /* hits from here on count, */
  guint64 last;  /* and before here; 0 and G_MAXUINT64 if all do */
};

StintChunks *
stint_chunks_new (StintReader *reader, StintQuery *query, gsize chunk_size, const gint *cancelled)
{
  StintChunks *self = g_new0 (StintChunks, 1);

  self->reader = reader;
  self->seeker = stint_seeker_new (query);
  self->cancelled = cancelled;
  self->needed_bytes = stint_query_get_needed_bytes (query);
  self->chunk_size = chunk_size;
  self->overlap = MIN (chunk_size, MAX_OVERLAP);
  self->raw = g_malloc (self->overlap + 2 * chunk_size);
  stint_plain_init (&self->plain);
  return self;
}

void
stint_chunks_free (StintChunks *self)
{
  g_clear_pointer (&self->reader, stint_reader_free);
  stint_seeker_free (self->seeker);
  stint_plain_clear (&self->plain);
  g_clear_error (&self->error);
  g_free (self->raw);
  g_free (self);
}

guint64
stint_chunks_count (guint64 size, gsize chunk_size)
{
  return size / chunk_size + (size % chunk_size > 0 ? 1 : 0);
}

static void
begin_reading (StintChunks *self, guint64 offset)
{
  self->base = offset;
  self->length = 0;
  self->stop = RUNNING;
}

/* Has the output up to @until in `raw`, or up to where it stops before that. */
static void
read_until (StintChunks *self, guint64 until)
{
  while (self->stop == RUNNING && self->base + self->length < until)
    {
      guint64 begun = self->base + self->length, offset = begun;
      gssize n = 0;

      if (begun < self->limit)
        n = stint_reader_read (self->reader, &offset, self->raw + self->length,
                               (gsize) (MIN (until, self->limit) - begun), NULL,
                               self->error == NULL ? &self->error : NULL);
      if (n <= 0 || offset - (guint64) n >= self->limit)
        {
          self->stop = AT_END;
          return;
        }
      offset -= (guint64) n;
      if (offset > begun && self->length > 0)
        {
          self->stop = AT_HOLE;
          self->resume = offset;
          return;
        }
      self->base += offset - begun;
      self->length += (gsize) MIN ((guint64) n, self->limit - offset);
    }
}

static gboolean
find_line_end (StintChunks *self, gsize *from, guint64 *behind)
{
  for (; *from < self->length; (*from)++)
    if (self->raw[*from] == '\n' || self->raw[*from] == '\r')
      {
        *behind = self->base + *from + 1;
        return TRUE;
      }
  return FALSE;
}

/* Returns: behind the first line end at or behind @offset, as far as a chunk's size; @offset
 * itself if the line is longer than that. What has been read stands at or before @offset. `stop`
 * says if it is neither. */
static guint64
find_cut (StintChunks *self, guint64 offset)
{
  gsize at = offset > self->base ? (gsize) (offset - self->base) : 0;
  guint64 behind, look = FIRST_LOOK;

  for (;;)
    {
      read_until (self, offset + MIN (look, self->chunk_size));
      if (find_line_end (self, &at, &behind))
        return behind;
      if (self->stop != RUNNING || look >= self->chunk_size)
        return offset;
      look *= 4;
    }
}

/* Returns: FALSE if nothing begins in the chunk. */
static gboolean
find_start (StintChunks *self, guint64 begin)
{
  self->start = begin;
  begin_reading (self, begin);
  if (begin == 0)
    {
      read_until (self, 1);
      self->start = self->base;
      self->is_final = self->length > 0;
      return self->length > 0;
    }

  read_until (self, begin + 1);
  if (self->base > begin)
    {
      /* It lay in the hole: a line begins behind it. */
      self->start = self->base;
      return TRUE;
    }
  self->start = find_cut (self, begin);
  if (self->start > begin)
    return TRUE;
  if (self->stop == AT_HOLE)
    {
      self->start = self->resume;
      begin_reading (self, self->start);
    }
  else if (self->stop == AT_END)
    {
      self->start = self->limit;
      self->is_final = FALSE;
      return FALSE;
    }
  else
    {
      /* In the middle of a line: begin a little before it. */
      self->first = begin;
      self->plain.with_offsets = TRUE;
      begin_reading (self, begin - self->overlap);
      read_until (self, begin);
      if (self->stop == AT_HOLE)
        {
          begin_reading (self, self->resume);
          read_until (self, begin);
        }
    }
  return TRUE;
}

/* The byte that is rarest, for now, of those that a hit needs. */
static guint8
choose_needed_byte (StintChunks *self, const guint8 *raw, gsize size)
{
  guint16 counts[256] = { 0 };
  const guint8 *rarest = (const guint8 *) self->needed_bytes;

  for (gsize i = 0; i < MIN (size, FIRST_LOOK); i++)
    counts[raw[i]]++;
  for (const guint8 *at = rarest; *at != 0; at++)
    if (counts[*at] < counts[*rarest])
      rarest = at;
  return *rarest;
}

/* Only the lines in which something may be found, as long as they are few. */
static void
append_likely (StintChunks *self, const guint8 *raw, gsize size, guint64 offset)
{
  const guint8 *at = raw, *end = raw + size, *found, *start, *stop;
  guint8 rarest = choose_needed_byte (self, raw, size);
  gsize n = 0;

  while ((found = memchr (at, rarest, (gsize) (end - at))) != NULL)
    {
      if (n++ * LIKELY_DISTANCE > (gsize) (found - raw) + FIRST_LOOK)
        break;
      for (start = found; start > at && start[-1] != '\n' && start[-1] != '\r';)
        start--;
      for (stop = found; stop < end && *stop != '\n' && *stop != '\r';)
        stop++;
      stint_plain_append (&self->plain, start, (gsize) (stop - start),
                          offset + (gsize) (start - raw));
      stint_plain_end_line (&self->plain);
      at = MIN (stop + 1, end);
    }
  if (found != NULL)
    stint_plain_append (&self->plain, at, (gsize) (end - at), offset + (gsize) (at - raw));
}

static void
append_raw (StintChunks *self, guint64 from, guint64 until)
{
  gsize skip = from > self->base ? (gsize) (from - self->base) : 0;
  gsize length = (gsize) MIN (until - self->base, (guint64) self->length);

  if (skip >= length)
    return;
  if (self->needed_bytes[0] != '\0' && !self->plain.with_offsets)
    append_likely (self, self->raw + skip, length - skip, self->base + skip);
  else
    stint_plain_append (&self->plain, self->raw + skip, length - skip, self->base + skip);
}

static void
load_last_part (StintChunks *self, guint64 from, guint64 end)
{
  guint64 cut = find_cut (self, end);

  if (cut > end)
    {
      append_raw (self, from, cut);
    }
  else if (self->stop == RUNNING)
    {
      self->last = end;
      self->plain.with_offsets = TRUE;
      append_raw (self, from, end + self->overlap);
    }
  else
    {
      append_raw (self, from, G_MAXUINT64);
      if (self->stop == AT_END)
        self->is_final = FALSE;
    }
}

/* Makes chunk @i plain. */
static void
load (StintChunks *self, guint64 i, guint64 size, gboolean with_offsets)
{
  guint64 begin = i * self->chunk_size, end = begin + self->chunk_size, from;

  stint_plain_reset (&self->plain);
  self->plain.with_offsets = with_offsets;
  self->limit = size;
  self->is_final = TRUE;
  self->first = 0;
  self->last = G_MAXUINT64;

  if (!find_start (self, begin) || self->start > end)
    return;
  /* What is read before the cut of a long line is searched too. */
  from = self->first > 0 ? self->base : self->start;
  for (;;)
    {
      read_until (self, end);
      if (self->stop == RUNNING)
        {
          load_last_part (self, from, end);
          return;
        }
      append_raw (self, from, G_MAXUINT64);
      if (self->stop == AT_END)
        {
          self->is_final = FALSE;
          return;
        }
      if (self->resume > end)
        return;
      stint_plain_end_line (&self->plain);
      from = self->resume;
      begin_reading (self, from);
    }
}

/* Begins to search what was loaded. Returns: where in the text hits that count begin and, in
 * @last, end. */
static gsize
begin_search (StintChunks *self, gsize *last)
{
  gsize first = self->first > 0 ? stint_plain_find_offset (&self->plain, self->first) : 0;

  *last = self->last < G_MAXUINT64 ? stint_plain_find_offset (&self->plain, self->last) : G_MAXSIZE;
  stint_seeker_begin (self->seeker, self->plain.text, self->plain.length, self->cancelled);
  return first;
}

gboolean
stint_chunks_search (StintChunks *self,
                     guint64 i,
                     guint64 size,
                     StintChunkCount *count,
                     GError **error)
{
  gsize first, last, start, end;
  guint32 n = 0;

  load (self, i, size, FALSE);
  first = begin_search (self, &last);
  while (stint_seeker_next (self->seeker, &start, &end) && start < last)
    if (start >= first)
      n++;
  *count = (StintChunkCount){ self->start, n, self->is_final };
  if (self->error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&self->error));
  return FALSE;
}

guint
stint_chunks_list (StintChunks *self,
                   guint64 i,
                   guint64 size,
                   guint64 from,
                   StintFindHit *hits,
                   guint max_hits)
{
  gsize first, last, start, end;
  guint64 number = 0;
  guint n = 0;

  load (self, i, size, TRUE);
  first = begin_search (self, &last);
  while (n < max_hits && stint_seeker_next (self->seeker, &start, &end) && start < last)
    if (start >= first && number++ >= from)
      {
        hits[n].start = stint_plain_get_offset (&self->plain, start);
        hits[n++].end = stint_plain_get_offset (&self->plain, end - 1) + 1;
      }
  g_clear_error (&self->error);
  return n;
}

guint64
stint_chunks_count_before (StintChunks *self, guint64 i, guint64 size, guint64 offset)
{
  gsize first, last, start, end, before;
  guint64 n = 0;

  load (self, i, size, TRUE);
  first = begin_search (self, &last);
  before = MIN (last, stint_plain_find_offset (&self->plain, offset));
  while (stint_seeker_next (self->seeker, &start, &end) && start < before)
    if (start >= first)
      n++;
  g_clear_error (&self->error);
  return n;
}

guint64
stint_chunks_take_given_up (StintChunks *self)
{
  guint64 n = stint_seeker_get_n_given_up (self->seeker), new = n - self->n_given_up_told;

  self->n_given_up_told = n;
  return new;
}
