/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One pass over a transcript.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-walk.h"

#include "stint-index.h"

#define BUFFER_SIZE 131072

struct _StintWalk
{
  StintReader *reader; /* borrowed */
  StintIndex *index;
  guint64 end;
  guint64 position; /* the next byte */
  guint64 hole_end; /* at the last look: when it moves, records have other numbers */

  guint64 next; /* the next record */
  StintStream stream;
  gint64 time;
  guint columns; /* as they were told last */
  guint rows;
  gboolean check_size; /* resizes may have been passed over */

  gsize at; /* in the buffer: of `position` */
  gsize n;
  guint8 buffer[BUFFER_SIZE];
};

StintWalk *
stint_walk_new (StintReader *reader)
{
  StintWalk *self = g_new0 (StintWalk, 1);
  guint64 hole_start;

  self->reader = reader;
  self->index = stint_index_new (reader);
  self->end = stint_reader_get_size (reader);
  stint_reader_get_hole (reader, &hole_start, &self->hole_end);
  stint_index_find_size (self->index, 0, &self->columns, &self->rows);
  return self;
}

void
stint_walk_free (StintWalk *self)
{
  stint_index_free (self->index);
  g_free (self);
}

guint64
stint_walk_get_end (StintWalk *self)
{
  return self->end;
}

gboolean
stint_walk_get_size (StintWalk *self, guint *columns, guint *rows)
{
  return stint_index_find_size (self->index, 0, columns, rows);
}

static gboolean
tell_size (StintWalk *self, guint columns, guint rows, StintPiece *piece)
{
  if (columns == 0 || rows == 0 || (columns == self->columns && rows == self->rows))
    return FALSE;
  self->columns = columns;
  self->rows = rows;
  *piece = (StintPiece){
    .kind = STINT_PIECE_RESIZE,
    .offset = self->position,
    .time = self->time,
    .columns = columns,
    .rows = rows,
  };
  return TRUE;
}

static gboolean
tell_missing (StintWalk *self, StintPieceKind kind, guint64 missing, StintPiece *piece)
{
  *piece = (StintPiece){
    .kind = kind,
    .stream = self->stream,
    .offset = self->position,
    .time = self->time,
    .missing = missing,
  };
  return TRUE;
}

/* What the record says of the bytes that follow. Returns: whether that is a piece. */
static gboolean
take_record (StintWalk *self, const StintIndexRecord *record, StintPiece *piece)
{
  self->time = MAX (self->time, record->time);
  switch (record->kind)
    {
    case STINT_INDEX_RESIZE:
      return tell_size (self, record->columns, record->rows, piece);
    case STINT_INDEX_LOST:
      return tell_missing (self, STINT_PIECE_LOST, record->lost, piece);
    case STINT_INDEX_OUTPUT:
    default:
      self->stream = record->stream;
      return FALSE;
    }
}

/* Records up to here have been looked at: finds the one behind them. */
static void
find_next_record (StintWalk *self)
{
  StintIndexRecord record;

  self->next = stint_index_find_offset (self->index, self->position);
  if (stint_index_get (self->index, self->next, &record) && record.offset <= self->position)
    self->next++;
}

/* Behind the hole: what held in it is not known but by what follows. */
static void
land (StintWalk *self)
{
  StintIndexRecord record;

  if (stint_index_find_span (self->index, self->position, &record) > self->position)
    {
      self->stream = record.stream;
      self->time = MAX (self->time, record.time);
    }
  find_next_record (self);
  self->check_size = TRUE;
}

/* Returns: FALSE if there is nothing, with @error set or without. *skipped: bytes of the hole. */
static gboolean
fill (StintWalk *self, guint64 *skipped, GError **error)
{
  guint64 offset = self->position, hole_start, hole_end;
  gssize n =
      stint_reader_read (self->reader, &offset, self->buffer, sizeof self->buffer, skipped, error);

  self->at = 0;
  self->n = 0;
  if (n <= 0)
    return FALSE;
  self->n = (gsize) n;
  self->position = offset - (guint64) n;
  stint_reader_get_hole (self->reader, &hole_start, &hole_end);
  if (*skipped == 0 && hole_end != self->hole_end)
    find_next_record (self);
  self->hole_end = hole_end;
  if (*skipped > 0)
    land (self);
  return TRUE;
}

gboolean
stint_walk_next (StintWalk *self, StintPiece *piece, GError **error)
{
  StintIndexRecord record;
  gboolean more = FALSE;
  guint64 size, skipped = 0;

  if (self->check_size)
    {
      guint columns, rows;

      self->check_size = FALSE;
      if (stint_index_find_size (self->index, self->position, &columns, &rows) &&
          tell_size (self, columns, rows, piece))
        return TRUE;
    }
  while ((more = stint_index_get (self->index, self->next, &record)) &&
         record.offset <= self->position)
    {
      self->next++;
      if (take_record (self, &record, piece))
        return TRUE;
    }
  if (self->position >= self->end)
    return FALSE;

  if (self->at == self->n)
    {
      if (!fill (self, &skipped, error))
        return FALSE;
      if (skipped > 0)
        return tell_missing (self, STINT_PIECE_REMOVED, skipped, piece);
      more = stint_index_get (self->index, self->next, &record);
    }
  size = MIN (self->n - self->at, self->end - MIN (self->position, self->end));
  if (more && record.offset > self->position)
    size = MIN (size, record.offset - self->position);
  *piece = (StintPiece){
    .kind = STINT_PIECE_DATA,
    .stream = self->stream,
    .offset = self->position,
    .time = self->time,
    .data = self->buffer + self->at,
    .size = (gsize) size,
  };
  self->at += (gsize) size;
  self->position += size;
  return size > 0;
}
