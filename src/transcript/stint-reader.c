/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads what a keeper records, while it does and afterwards. Never writes.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-reader-private.h"

#include "stint-index.h"
#include "stint-outcome.h"

#include <string.h>

/* How much is looked through at once for the start of a line. */
#define BACKWARD_CHUNK 65536

struct _StintReader
{
  char *directory;
  const struct keeper_counters *page; /* (nullable): while the job runs */
  GObject *owner;                     /* (nullable): of the page */
  StintJobFile *output;               /* NULL until it is needed */
  StintJobFile *index;
  guint n_closed;    /* how often they were closed */
  gboolean held;     /* they are not closed */
  gboolean measured; /* the following hold */
  guint64 size;
  guint64 hole_start;
  guint64 hole_end;
  guint64 lost;
};

static StintJobFile *
get_output (StintReader *self, GError **error)
{
  if (self->output == NULL)
    self->output = stint_job_file_open (self->directory, KEEPER_FILE_OUTPUT, error);
  return self->output;
}

StintJobFile *
stint_reader_get_index_file (StintReader *self, GError **error)
{
  if (self->index == NULL)
    self->index = stint_job_file_open (self->directory, KEEPER_FILE_INDEX, error);
  return self->index;
}

void
stint_reader_get_index_extent (
  StintReader *self, StintJobFile *file, guint64 *size, guint64 *hole_start, guint64 *hole_end)
{
  /* A compressed index has no hole, whatever the page said while it grew. */
  if (self->page == NULL || stint_job_file_is_compressed (file))
    {
      *size = stint_job_file_get_size (file);
      stint_job_file_get_hole (file, hole_start, hole_end);
      return;
    }
  /* The start is set before the end the first time, and only the end moves after that. */
  *hole_end = self->page->index_hole_end;
  *hole_start = MIN (self->page->index_hole_start, *hole_end);
  *size = self->page->index_size;
}

/* A keeper that was killed with its warden left no outcome: the file itself has to tell. */
static void
measure_file (StintReader *self)
{
  StintJobFile *file = get_output (self, NULL);

  if (file == NULL)
    return;
  self->measured = TRUE;
  self->size = stint_job_file_get_size (file);
  stint_job_file_get_hole (file, &self->hole_start, &self->hole_end);
}

static void
measure (StintReader *self)
{
  struct keeper_outcome outcome;

  if (self->page != NULL || self->measured)
    return;
  if (stint_outcome_read (self->directory, &outcome, NULL))
    {
      self->size = outcome.size;
      self->hole_start = outcome.hole_start;
      self->hole_end = outcome.hole_end;
      self->lost = outcome.lost;
      self->measured = TRUE;
    }
  else
    {
      measure_file (self);
    }
}

gboolean
stint_reader_is_complete (StintReader *self)
{
  return self->page == NULL;
}

guint64
stint_reader_get_size (StintReader *self)
{
  if (self->page != NULL)
    return self->page->size;
  measure (self);
  return self->size;
}

void
stint_reader_get_hole (StintReader *self, guint64 *start, guint64 *end)
{
  if (self->page != NULL)
    {
      *end = self->page->hole_end;
      *start = MIN (self->page->hole_start, *end);
      return;
    }
  measure (self);
  *start = self->hole_start;
  *end = self->hole_end;
}

guint64
stint_reader_get_lost (StintReader *self)
{
  if (self->page != NULL)
    return self->page->lost;
  measure (self);
  return self->lost;
}

/* Returns: how much can be read from *@offset in one go, which is moved out of the hole first. */
static gsize
find_readable (StintReader *self, guint64 *offset, gsize size, guint64 *skipped)
{
  guint64 hole_start, hole_end, end = stint_reader_get_size (self);

  stint_reader_get_hole (self, &hole_start, &hole_end);
  if (*offset >= hole_start && *offset < hole_end)
    {
      *skipped += hole_end - *offset;
      *offset = hole_end;
    }
  if (*offset < hole_start)
    end = MIN (end, hole_start);
  return *offset < end ? (gsize) MIN ((guint64) size, end - *offset) : 0;
}

gssize
stint_reader_read (StintReader *self,
                   guint64 *offset,
                   guint8 *buffer,
                   gsize size,
                   guint64 *skipped,
                   GError **error)
{
  guint64 passed = 0, hole_start, hole_end;
  gssize n;

  g_return_val_if_fail (self != NULL && offset != NULL && buffer != NULL, -1);

  do
    {
      gsize wanted = find_readable (self, offset, size, &passed);

      if (skipped != NULL)
        *skipped = passed;
      if (wanted == 0)
        return 0;
      if (get_output (self, error) == NULL)
        return -1;
      n = stint_job_file_pread (self->output, buffer, wanted, *offset, error);
      /* The hole may have grown over what was just read: then it may be zeros. */
      stint_reader_get_hole (self, &hole_start, &hole_end);
    }
  while (n > 0 && *offset >= hole_start && *offset < hole_end);

  if (n < 0)
    return -1;
  if (*offset < hole_start && hole_start < hole_end && *offset + (guint64) n > hole_start)
    n = (gssize) (hole_start - *offset);
  *offset += (guint64) n;
  return n;
}

static gboolean
is_continuation (guint8 byte)
{
  return (byte & 0xc0) == 0x80;
}

/* Where a character begins at or after @offset, if that is soon. */
static guint64
find_character (StintReader *self, guint64 offset)
{
  guint8 bytes[4];
  guint64 at = offset;
  gssize n = stint_reader_read (self, &at, bytes, sizeof bytes, NULL, NULL);

  if (n <= 0)
    return offset;
  offset = at - (guint64) n;
  for (gssize i = 0; i < n; i++)
    if (!is_continuation (bytes[i]))
      return offset + (guint64) i;
  /* Nothing but the rest of one character; or, if there is more, no text. */
  return n <= 3 ? offset + (guint64) n : offset;
}

/* Reads all of @start to @end, which lie on one side of the hole. */
static gboolean
read_range (StintReader *self, guint64 start, guint64 end, guint8 *buffer)
{
  guint64 at = start;

  while (at < end)
    {
      guint64 before = at, skipped;
      gssize n = stint_reader_read (self, &at, buffer + (before - start), (gsize) (end - before),
                                    &skipped, NULL);

      if (n <= 0 || skipped > 0)
        return FALSE;
    }
  return TRUE;
}

guint64
stint_reader_find_line_start (StintReader *self, guint64 before, guint64 max_lines, gsize max_bytes)
{
  g_autofree guint8 *buffer = g_malloc (BACKWARD_CHUNK);
  guint64 size = stint_reader_get_size (self), hole_start, hole_end;
  guint64 end = MIN (before, size), floor, first = G_MAXUINT64, left = max_bytes;

  stint_reader_get_hole (self, &hole_start, &hole_end);
  if (hole_start < hole_end && end > hole_start && end < hole_end)
    end = hole_start;
  floor = end > left ? end - left : 0;

  for (guint64 at = end; at > 0 && left > 0;)
    {
      guint64 start;

      /* Over the hole, which is not counted: a line begins behind it. */
      if (hole_start < hole_end && at == hole_end)
        {
          if (max_lines == 0)
            return at;
          first = at;
          max_lines--;
          at = hole_start;
          floor = at > left ? at - left : 0;
          continue;
        }
      start = at - MIN (at, MIN (left, BACKWARD_CHUNK));
      if (hole_start < hole_end && at > hole_end)
        start = MAX (start, hole_end);
      if (!read_range (self, start, at, buffer))
        break;
      for (guint64 i = at; i > start; i--)
        if (buffer[i - 1 - start] == '\n')
          {
            if (max_lines == 0)
              return i;
            max_lines--;
            first = i;
          }
      left -= at - start;
      at = start;
      if (at == 0)
        return 0;
      floor = at;
    }
  return first != G_MAXUINT64 ? first : MIN (find_character (self, floor), end);
}

typedef struct
{
  guint64 start;
  guint64 end;
} Range;

/* Notes @start to @end, or as much of its end as is still wanted. The ranges come last first. */
static void
add_range (GArray *ranges, guint64 start, guint64 end, gsize *wanted)
{
  Range range = { MAX (start, end - MIN (end, *wanted)), end };

  if (range.start >= end)
    return;
  *wanted -= (gsize) (end - range.start);
  if (ranges->len > 0 && g_array_index (ranges, Range, ranges->len - 1).start == end)
    g_array_index (ranges, Range, ranges->len - 1).start = range.start;
  else
    g_array_append_val (ranges, range);
}

static gboolean
append_range (StintReader *self, GByteArray *bytes, const Range *range, GError **error)
{
  guint64 offset = range->start;

  while (offset < range->end)
    {
      guint8 chunk[65536];
      gssize n = stint_reader_read (self, &offset, chunk,
                                    (gsize) MIN (sizeof chunk, range->end - offset), NULL, error);

      if (n < 0)
        return FALSE;
      if (n == 0)
        break;
      /* A hole that was passed over may end behind the range. */
      if (offset > range->end)
        n -= (gssize) MIN ((guint64) n, offset - range->end);
      g_byte_array_append (bytes, chunk, (guint) n);
    }
  return TRUE;
}

GBytes *
stint_reader_read_stream (StintReader *self, StintStream stream, gsize max_bytes, GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  g_autoptr (StintIndex) index = stint_index_new (self);
  guint64 end = stint_reader_get_size (self), hole_start, hole_end;
  guint64 n = stint_index_get_n (index);
  gboolean known = n > 0;
  gsize wanted = max_bytes;

  stint_reader_get_hole (self, &hole_start, &hole_end);
  while (n > 0 && wanted > 0)
    {
      StintIndexRecord record;

      if (!stint_index_get (index, --n, &record) || record.kind != STINT_INDEX_OUTPUT ||
          record.offset >= end)
        continue;
      if (record.stream == stream)
        {
          /* What the hole takes is not wanted. */
          if (hole_start < hole_end && end > hole_end)
            add_range (ranges, MAX (record.offset, hole_end), end, &wanted);
          add_range (ranges, record.offset, hole_start < hole_end ? MIN (end, hole_start) : end, &wanted);
        }
      end = record.offset;
    }
  /* Without an index nobody can tell the streams apart any more. */
  if (!known && stream == STINT_STREAM_STDOUT)
    add_range (ranges, 0, end, &wanted);
  for (guint i = ranges->len; i > 0; i--)
    if (!append_range (self, bytes, &g_array_index (ranges, Range, i - 1), error))
      return NULL;
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

void
stint_reader_complete (StintReader *self)
{
  if (self->page == NULL)
    return;
  self->size = stint_reader_get_size (self);
  self->lost = stint_reader_get_lost (self);
  stint_reader_get_hole (self, &self->hole_start, &self->hole_end);
  self->measured = TRUE;
  self->page = NULL;
  g_clear_object (&self->owner);
}

void
stint_reader_hold_open (StintReader *self)
{
  self->held = TRUE;
  get_output (self, NULL);
  stint_reader_get_index_file (self, NULL);
}

void
stint_reader_close (StintReader *self)
{
  g_return_if_fail (self != NULL);

  if (self->held || self->page != NULL)
    return;
  g_clear_pointer (&self->output, stint_job_file_free);
  g_clear_pointer (&self->index, stint_job_file_free);
  self->n_closed++;
}

guint
stint_reader_get_n_closed (StintReader *self)
{
  return self->n_closed;
}

StintReader *
stint_reader_new (const char *directory)
{
  StintReader *self = g_new0 (StintReader, 1);

  self->directory = g_strdup (directory);
  return self;
}

StintReader *
stint_reader_new_live (const char *directory, const struct keeper_counters *page, GObject *owner)
{
  StintReader *self = stint_reader_new (directory);

  self->page = page;
  g_set_object (&self->owner, owner);
  return self;
}

StintReader *
stint_reader_dup (StintReader *self)
{
  StintReader *copy = stint_reader_new_live (self->directory, self->page, self->owner);

  copy->measured = self->measured;
  copy->size = self->size;
  copy->hole_start = self->hole_start;
  copy->hole_end = self->hole_end;
  copy->lost = self->lost;
  return copy;
}

void
stint_reader_free (StintReader *self)
{
  g_clear_pointer (&self->output, stint_job_file_free);
  g_clear_pointer (&self->index, stint_job_file_free);
  g_clear_object (&self->owner);
  g_free (self->directory);
  g_free (self);
}
