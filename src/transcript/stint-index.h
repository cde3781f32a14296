/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-reader.h"

G_BEGIN_DECLS

/**
 * StintIndexKind:
 * @STINT_INDEX_OUTPUT: the bytes from here came from `stream`, at `time`
 * @STINT_INDEX_RESIZE: the terminal has `columns` and `rows` from here
 * @STINT_INDEX_LOST: `lost` bytes are missing here
 */
typedef enum
{
  STINT_INDEX_OUTPUT,
  STINT_INDEX_RESIZE,
  STINT_INDEX_LOST,
} StintIndexKind;

typedef struct
{
  guint64 offset;
  gint64 time; /* microseconds since the start of the command */
  StintIndexKind kind;
  StintStream stream; /* OUTPUT */
  guint columns;      /* RESIZE */
  guint rows;
  guint64 lost; /* LOST; at least so many */
} StintIndexRecord;

/**
 * StintIndex:
 *
 * When the output came and from where: the records of a reader, sorted by offset and time. What lay in
 * the hole is not among them. Records are numbered from 0; on a transcript that grows the numbers
 * change when the hole does, so look up again what was looked up before.
 */
typedef struct _StintIndex StintIndex;

/* The index of what @reader reads, which must outlive it. */
StintIndex *stint_index_new (StintReader *reader);
void stint_index_free (StintIndex *self);

/* How many records there are now. 0 if it cannot be read. */
guint64 stint_index_get_n (StintIndex *self);

/* Record @i; FALSE if there is none. */
gboolean stint_index_get (StintIndex *self, guint64 i, StintIndexRecord *record);

/* The last record at or before @offset, or 0. */
guint64 stint_index_find_offset (StintIndex *self, guint64 offset);

/* The last record at or before @time, in microseconds since the start, or 0. */
guint64 stint_index_find_time (StintIndex *self, gint64 time);

/**
 * stint_index_find_span:
 * @self: an index
 * @offset: a place in the output
 * @record: (out): the OUTPUT record that @offset belongs to: its stream and time
 *
 * Returns: up to where that record holds, %G_MAXUINT64 for the last; @offset itself and a zeroed
 *   @record if nothing is known of it (then ask again from the next record on)
 */
guint64 stint_index_find_span (StintIndex *self, guint64 offset, StintIndexRecord *record);

/* The terminal's size at @offset; FALSE if it was not recorded on a terminal. */
gboolean
stint_index_find_size (StintIndex *self, guint64 offset, guint *columns, guint *rows);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintIndex, stint_index_free)

G_END_DECLS
