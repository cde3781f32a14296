/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-plain.h"
#include "stint-query.h"
#include "stint-reader.h"

G_BEGIN_DECLS

/* Each also holds the rest of the line that its end stands in, up to as much again. */
#define STINT_CHUNK_SIZE (1024u * 1024u)

/**
 * StintFindHit:
 * @start: where in the output its first byte is
 * @end: behind its last byte. Control sequences may lie between
 */
typedef struct
{
  guint64 start;
  guint64 end;
} StintFindHit;

/**
 * StintChunkCount:
 * @start: where in the output its first line begins; no chunk before it has a hit from there on
 * @n_hits: how many hits begin in it
 * @is_final: it will stay so, however the transcript grows
 */
typedef struct
{
  guint64 start;
  guint32 n_hits;
  gboolean is_final;
} StintChunkCount;

/**
 * StintChunks:
 *
 * A transcript cut at the ends of lines, each of which can be searched without the others: chunk i
 * is what follows the first line end at or behind i * size, up to the one at or behind (i + 1) *
 * size. A line that is longer than a chunk is cut too; hits over such a cut are found if they are
 * not longer than 64 KiB. A line also ends at the hole.
 *
 * One thread at a time. Memory for two chunks.
 */
typedef struct _StintChunks StintChunks;

/**
 * stint_chunks_new:
 * @reader: (transfer full): what is searched
 * @query: for what
 * @chunk_size: in bytes
 * @cancelled: (nullable): set from anywhere, not 0: what is asked for is no longer wanted, and
 *   wrong
 */
StintChunks *
stint_chunks_new (StintReader *reader, StintQuery *query, gsize chunk_size, const gint *cancelled);
void stint_chunks_free (StintChunks *self);

/* How many chunks @size bytes are. */
guint64 stint_chunks_count (guint64 size, gsize chunk_size);

/**
 * stint_chunks_search:
 * @self: chunks
 * @i: which of them
 * @size: where the transcript ends; what has come since is not looked at
 * @count: (out): what is in it
 * @error: it cannot be read; @count is of what could be
 */
gboolean stint_chunks_search (StintChunks *self,
                              guint64 i,
                              guint64 size,
                              StintChunkCount *count,
                              GError **error);

/**
 * stint_chunks_list:
 * @self: chunks
 * @i: which of them
 * @size: where the transcript ends
 * @from: the number, within the chunk, of the first hit that is wanted
 * @hits: (out caller-allocates) (array length=max_hits): the hits
 * @max_hits: how many are wanted
 *
 * Returns: how many there were
 */
guint stint_chunks_list (StintChunks *self,
                         guint64 i,
                         guint64 size,
                         guint64 from,
                         StintFindHit *hits,
                         guint max_hits);

/* How many hits of chunk @i begin before @offset in the output. */
guint64 stint_chunks_count_before (StintChunks *self, guint64 i, guint64 size, guint64 offset);

/* Lines that the expression was too hard for, since the last time that was asked. */
guint64 stint_chunks_take_given_up (StintChunks *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintChunks, stint_chunks_free)

G_END_DECLS
