/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-chunks.h"

G_BEGIN_DECLS

/**
 * StintSweepResult:
 * @place: where in the order the chunk was
 * @count: what is in it
 * @has_hit: whether @hit is there: it is for the first hit of all, not for all chunks that have
 *   some
 * @wraps: @hit lies before the offset that was begun from
 */
typedef struct
{
  guint place;
  StintChunkCount count;
  gboolean has_hit;
  gboolean wraps;
  StintFindHit hit;
} StintSweepResult;

/**
 * StintSweep:
 *
 * Searches a list of chunks, in order, in threads of its own. The main thread's view: it takes the
 * results as they come.
 */
typedef struct _StintSweep StintSweep;

/**
 * StintSweepCallback:
 * @user_data: as given
 *
 * There is something to take. In the main context, every 50 ms at most, but at once when a first
 * hit may be known and at the end.
 */
typedef void (*StintSweepCallback) (gpointer user_data);

/**
 * stint_sweep_new:
 * @reader: what to search
 * @query: for what
 * @chunk_size: in bytes
 * @size: where the transcript ends
 * @order: (transfer full): the numbers of chunks (guint64), at least one
 * @from: the offset behind which the first hit is wanted; it is in one of the first two
 * @n_threads: how many threads at most
 * @callback: called until stint_sweep_free()
 *
 * Begins at once.
 */
StintSweep *stint_sweep_new (StintReader *reader,
                             StintQuery *query,
                             gsize chunk_size,
                             guint64 size,
                             GArray *order,
                             guint64 from,
                             guint n_threads,
                             StintSweepCallback callback,
                             gpointer user_data);

/* Cancels what has not been done. Does not wait. */
void stint_sweep_free (StintSweep *self);

/* Returns: (transfer full): what has come since the last time (StintSweepResult). */
GArray *stint_sweep_take (StintSweep *self);

/* What @place stood for. */
guint64 stint_sweep_get_chunk (StintSweep *self, guint place);

/* When all has been taken: (transfer full) (nullable) what could not be read, and how many lines
 * were given up. */
GError *stint_sweep_take_error (StintSweep *self);
guint64 stint_sweep_take_given_up (StintSweep *self);

guint stint_sweep_count_threads (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintSweep, stint_sweep_free)

G_END_DECLS
