/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-chunks.h"

G_BEGIN_DECLS

#define STINT_TYPE_FIND (stint_find_get_type ())
G_DECLARE_FINAL_TYPE (StintFind, stint_find, STINT, FIND, GObject)

/**
 * StintFindAnswer:
 * @STINT_FIND_NONE: there is no such hit
 * @STINT_FIND_HIT: there it is
 * @STINT_FIND_NOT_YET: what must be searched to say so has not been yet; ask again at the next
 *   StintFind::progress
 */
typedef enum
{
  STINT_FIND_NONE,
  STINT_FIND_HIT,
  STINT_FIND_NOT_YET,
} StintFindAnswer;

/**
 * StintFind:
 *
 * Finds all hits of a query in a whole transcript, in threads of its own that are less urgent than
 * others. Hits are numbered from 0 in the order of the output. What is remembered is how many there
 * are in each MiB: where a hit is is found out again when it is asked for, in a few ms.
 *
 * All signals come in the main context that was the default when it was started. Whoever drops the
 * last reference, or cancels, hears nothing more.
 *
 * What is searched is the text without control sequences (see StintPlain), line by line (see
 * StintQuery); a line ends at LF, at CR, and at the hole.
 */

/**
 * stint_find_new:
 * @reader: what to search; a reader of its own is made of it
 * @text: what to find; "" is never found
 * @flags: how
 * @error: %G_IO_ERROR_INVALID_ARGUMENT, for people: a bad expression, and where it is bad
 *
 * Returns: (transfer full): a search that has not begun, or %NULL
 */
StintFind *
stint_find_new (StintReader *reader, const char *text, StintQueryFlags flags, GError **error);

/**
 * stint_find_start:
 * @self: a search that has not begun
 * @from: the offset from which on a hit is wanted first
 *
 * Searches as much as there is now: from @from to the end, then from the beginning.
 *
 * Emits StintFind::first-hit (start, end: guint64) as soon as the first hit in that order is
 * known, at most once; StintFind::progress (bytes, hits: guint64) every 50 ms at most; and
 * StintFind::done (hits) at the end.
 */
void stint_find_start (StintFind *self, guint64 from);

/* Searches what has come since; ends with StintFind::done again. Cheap. While it searches: as soon
 * as that is done. The numbers of hits stay, unless the hole has grown over some, or what was the
 * last line goes on in another way than a hit at its end wanted. */
void stint_find_extend (StintFind *self);

/* Stops. What has been found stays known. */
void stint_find_cancel (StintFind *self);

gboolean stint_find_is_running (StintFind *self);

/* How many hits are known. */
guint64 stint_find_get_n_hits (StintFind *self);

/* Up to where it searches, and how much of that it has searched. */
guint64 stint_find_get_size (StintFind *self);
guint64 stint_find_get_n_searched (StintFind *self);

/* Why not all could be read. (nullable) */
const GError *stint_find_get_error (StintFind *self);

/* How many lines the expression was too hard for: what is in them is not known. */
guint64 stint_find_get_n_given_up (StintFind *self);

/**
 * stint_find_locate:
 * @self: a search
 * @ordinal: the number of a hit
 * @hit: (out): where it is
 *
 * Reads and searches up to 2 MiB; not even that for one of the 256 neighbours of the last one. For
 * tests: it waits, and an expression may take any time over so much.
 *
 * Returns: %FALSE if there is no such hit (any more), or what is before it has not been searched
 * yet
 */
gboolean stint_find_locate (StintFind *self, guint64 ordinal, StintFindHit *hit);

/**
 * stint_find_look_async:
 * @self: a search that has begun
 * @offset: a place in the output
 * @direction: 1 for the first hit that begins there or behind it, -1 for the last that begins
 *   before it; neither wraps around
 * @cancellable: (nullable): for who no longer wants to know
 *
 * Reads and searches up to 2 MiB, in a thread, for an expression may take any time over that; not
 * even that near a hit that was found last.
 */
void stint_find_look_async (StintFind *self,
                            guint64 offset,
                            int direction,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data);

/**
 * stint_find_look_finish:
 * @self: a search
 * @result: what came
 * @hit: (out): where the hit is
 * @ordinal: (out): its number; %G_MAXUINT64 if what is before it has not been searched yet
 * @error: cancelled, and nothing else
 *
 * Returns: %STINT_FIND_HIT if @hit is set; %STINT_FIND_NOT_YET if @error is
 */
StintFindAnswer stint_find_look_finish (StintFind *self,
                                        GAsyncResult *result,
                                        StintFindHit *hit,
                                        guint64 *ordinal,
                                        GError **error);

/* See stint_query_dup_pattern(). */
char *stint_find_dup_pattern (StintFind *self, gboolean *caseless);

G_END_DECLS
