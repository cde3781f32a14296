/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The records of a transcript's index, looked up by place and by time. They are read in blocks: an
 * index may be large, and who looks one up often wants the next.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-index.h"

#include "stint-reader-private.h"

#include <string.h>

#define RECORD_SIZE sizeof (struct keeper_index_record)
#define BLOCK_RECORDS 1024

/* Who asks for one place after another mostly asks so near to the last. */
#define NEAR 64

struct _StintIndex
{
  StintReader *reader; /* borrowed */
  guint n_closed;      /* the reader's, when this was measured */

  /* As they were at the last look; nothing changes in a complete one. */
  gboolean measured;
  guint64 n_head; /* records before the hole */
  guint64 n_tail;
  guint64 tail_first; /* in the file: the first record after it */

  struct keeper_index_record block[BLOCK_RECORDS];
  guint64 block_first; /* in the file */
  guint64 block_n;     /* 0: nothing was read */

  guint64 near[2]; /* the record that was found last: by offset, by time */

  GArray *resizes;    /* StintIndexRecord: those among the first n_scanned records */
  guint64 n_scanned;
};

/* Returns: FALSE if it cannot be read. */
static gboolean
read_record (StintIndex *self, guint64 in_file, struct keeper_index_record *record)
{
  StintJobFile *file;

  if (in_file < self->block_first || in_file >= self->block_first + self->block_n)
    {
      guint64 first = in_file / BLOCK_RECORDS * BLOCK_RECORDS;
      gsize got = 0;

      file = stint_reader_get_index_file (self->reader, NULL);
      self->block_n = 0;
      while (file != NULL && got < sizeof self->block)
        {
          gssize n = stint_job_file_pread (file, (guint8 *) self->block + got,
                                           sizeof self->block - got, first * RECORD_SIZE + got, NULL);

          if (n <= 0)
            break;
          got += (gsize) n;
        }
      self->block_first = first;
      self->block_n = got / RECORD_SIZE;
      if (in_file >= first + self->block_n)
        return FALSE;
    }
  *record = self->block[in_file - self->block_first];
  return TRUE;
}

/* What the hole took, but the file system gave back as zeros instead of a hole. */
static gboolean
is_removed (StintIndex *self, guint64 in_file)
{
  static const struct keeper_index_record removed;
  struct keeper_index_record record;

  return in_file > 0 && read_record (self, in_file, &record) &&
         (memcmp (&record, &removed, sizeof removed) == 0 || (record.offset == 0 && record.time == 0));
}

/* Counts the records. A hole begins and ends within a record: neither is whole. */
static void
measure (StintIndex *self)
{
  StintJobFile *file;
  guint64 size = 0, hole_start = 0, hole_end = 0, n, tail_first;

  if (self->n_closed != stint_reader_get_n_closed (self->reader))
    {
      self->n_closed = stint_reader_get_n_closed (self->reader);
      self->measured = FALSE;
      self->block_n = 0;
      self->n_scanned = 0;
    }
  if (self->measured)
    return;
  file = stint_reader_get_index_file (self->reader, NULL);
  self->measured = file != NULL && stint_reader_is_complete (self->reader);
  if (file != NULL)
    stint_reader_get_index_extent (self->reader, file, &size, &hole_start, &hole_end);
  n = size / RECORD_SIZE;
  if (hole_start >= hole_end || hole_end > size)
    {
      self->n_head = n;
      self->n_tail = 0;
      self->tail_first = n;
      return;
    }

  tail_first = MIN ((hole_end + RECORD_SIZE - 1) / RECORD_SIZE, n);
  if (tail_first != self->tail_first)
    {
      /* What was read before may have been punched since. */
      self->block_n = 0;
      self->n_scanned = 0;
      self->tail_first = tail_first;
      while (self->tail_first < n && is_removed (self, self->tail_first))
        self->tail_first++;
    }
  self->n_head = hole_start / RECORD_SIZE;
  while (self->n_head > 0 && is_removed (self, self->n_head - 1))
    self->n_head--;
  self->n_tail = n - MIN (n, self->tail_first);
}

gboolean
stint_index_get_raw (StintIndex *self, guint64 i, struct keeper_index_record *record)
{
  if (self->n_closed != stint_reader_get_n_closed (self->reader))
    measure (self);
  if (i >= self->n_head + self->n_tail)
    return FALSE;
  return read_record (self, i < self->n_head ? i : self->tail_first + (i - self->n_head), record);
}

StintIndex *
stint_index_new (StintReader *reader)
{
  StintIndex *self = g_new0 (StintIndex, 1);

  self->reader = reader;
  self->resizes = g_array_new (FALSE, FALSE, sizeof (StintIndexRecord));
  return self;
}

void
stint_index_free (StintIndex *self)
{
  g_array_unref (self->resizes);
  g_free (self);
}

guint64
stint_index_get_n (StintIndex *self)
{
  measure (self);
  return self->n_head + self->n_tail;
}

gboolean
stint_index_get (StintIndex *self, guint64 i, StintIndexRecord *record)
{
  struct keeper_index_record raw;

  /* The last block may have grown. */
  if (i >= self->n_head + self->n_tail || i >= self->block_first + self->block_n)
    measure (self);
  if (!stint_index_get_raw (self, i, &raw))
    return FALSE;

  *record = (StintIndexRecord){ .offset = raw.offset, .time = raw.time };
  switch (raw.kind)
    {
    case KEEPER_INDEX_RESIZE:
      record->kind = STINT_INDEX_RESIZE;
      record->columns = raw.value >> 16;
      record->rows = raw.value & 0xffff;
      break;
    case KEEPER_INDEX_LOST:
      record->kind = STINT_INDEX_LOST;
      record->lost = raw.value;
      break;
    default:
      record->kind = STINT_INDEX_OUTPUT;
      record->stream = raw.value == KEEPER_STREAM_STDERR ? STINT_STREAM_STDERR : STINT_STREAM_STDOUT;
    }
  return TRUE;
}

/* Returns: how many records are at or before @limit. */
static guint64
count_until (StintIndex *self, gboolean by_time, gint64 limit)
{
  guint64 low = 0, high = stint_index_get_n (self);

  while (low < high)
    {
      guint64 middle = low + (high - low) / 2;
      struct keeper_index_record record;

      if (stint_index_get_raw (self, middle, &record) && (by_time ? record.time : (gint64) record.offset) <= limit)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static gboolean
is_until (StintIndex *self, guint64 i, gboolean by_time, gint64 limit)
{
  StintIndexRecord record;

  return stint_index_get (self, i, &record) && (by_time ? record.time : (gint64) record.offset) <= limit;
}

/* Looks a little way on from where it was found last: each step of a search through all of a
 * compressed index may cost a frame. */
static guint64
find (StintIndex *self, gboolean by_time, gint64 limit)
{
  guint64 *near = &self->near[by_time ? 1 : 0];
  guint64 n, i = *near;

  if (is_until (self, i, by_time, limit))
    for (guint step = 0; step < NEAR; step++, i++)
      if (!is_until (self, i + 1, by_time, limit))
        return *near = i;
  n = count_until (self, by_time, limit);
  return *near = n > 0 ? n - 1 : 0;
}

guint64
stint_index_find_offset (StintIndex *self, guint64 offset)
{
  return find (self, FALSE, (gint64) MIN (offset, (guint64) G_MAXINT64));
}

guint64
stint_index_find_time (StintIndex *self, gint64 time)
{
  return find (self, TRUE, time);
}

guint64
stint_index_find_span (StintIndex *self, guint64 offset, StintIndexRecord *record)
{
  guint64 i = stint_index_find_offset (self, offset);
  StintIndexRecord next;

  *record = (StintIndexRecord){ 0 };
  /* Records of other kinds may stand between, and several at one place: the last one counts. */
  while (!stint_index_get (self, i, record) || record->kind != STINT_INDEX_OUTPUT ||
         record->offset > offset)
    {
      if (i == 0)
        {
          *record = (StintIndexRecord){ 0 };
          return offset;
        }
      i--;
    }
  for (i++; stint_index_get (self, i, &next); i++)
    if (next.kind == STINT_INDEX_OUTPUT && next.offset > offset)
      return next.offset;
  return G_MAXUINT64;
}

/* Resizes are few and far between: each record is looked at once. */
static void
scan_resizes (StintIndex *self)
{
  guint64 n = stint_index_get_n (self);
  StintIndexRecord record;

  if (self->n_scanned == 0)
    g_array_set_size (self->resizes, 0);
  for (; self->n_scanned < n && stint_index_get (self, self->n_scanned, &record); self->n_scanned++)
    if (record.kind == STINT_INDEX_RESIZE && record.columns > 0 && record.rows > 0)
      g_array_append_val (self->resizes, record);
}

gboolean
stint_index_find_size (StintIndex *self, guint64 offset, guint *columns, guint *rows)
{
  guint i;

  scan_resizes (self);
  if (self->resizes->len == 0)
    return FALSE;
  /* The first one may stand a little later: the terminal had that size from the start. */
  for (i = self->resizes->len - 1; i > 0; i--)
    if (g_array_index (self->resizes, StintIndexRecord, i).offset <= offset)
      break;
  *columns = g_array_index (self->resizes, StintIndexRecord, i).columns;
  *rows = g_array_index (self->resizes, StintIndexRecord, i).rows;
  return TRUE;
}
