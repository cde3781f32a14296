/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-decorator.h"
#include "stint-transcript.h"

G_BEGIN_DECLS

/* While somebody reads: no more rows at once than this, whatever it is that comes. */
#define STINT_FOLLOWER_READING_CHUNK (4 * 1024)

/**
 * StintFollowerFeed:
 * @data: (array length=length): what the terminal is to show next
 * @length: how many bytes
 * @user_data: as given
 *
 * The terminal that a follower feeds. It calls stint_follower_acknowledge() when it has shown this.
 */
typedef void (*StintFollowerFeed) (const guint8 *data, gsize length, gpointer user_data);

#define STINT_TYPE_FOLLOWER (stint_follower_get_type ())
G_DECLARE_FINAL_TYPE (StintFollower, stint_follower, STINT, FOLLOWER, GObject)

/*
 * Signals:
 *
 *   placed (guint64 offset)        what is shown begins at offset, and the terminal has been emptied
 *   before-chunk (guint64 offset)  what stands at offset is about to be fed
 *   mark-reached ()                everything before the mark of a range has been shown; it stands
 *                                  still until the handlers have returned
 *   caught-up ()                   everything there is has been fed; again after each time it was not,
 *                                  and when the transcript has become complete
 *   problem (GError *error)        the transcript cannot be read there; the follower has stopped, until
 *                                  another part of it is asked for
 */

/**
 * stint_follower_new:
 * @transcript: what to follow
 * @pipe: whether it comes from a pipe: then a bare line feed is fed as a new line
 * @feed: (scope forever): where it goes
 * @user_data: for @feed, which is only called from the main loop
 *
 * A cursor into a transcript, from which it feeds a terminal: in chunks that adapt to what they
 * cost, the next only when the last one has been shown. It has no widgets.
 *
 * Returns: (transfer full): a follower of the end that has not been started
 */
StintFollower *stint_follower_new (StintTranscript *transcript,
                                   gboolean pipe,
                                   StintFollowerFeed feed,
                                   gpointer user_data);

/* What is made of the output on its way; after a change to it, stint_follower_reload(). */
StintDecorator *stint_follower_get_decorator (StintFollower *self);

/**
 * stint_follower_set_backlog:
 * @self: a follower
 * @lines: lines that the terminal keeps: so many at the end are begun with, and gone on with after a skip
 * @tail: bytes that these may take at most
 * @limit: bytes that may be waiting before it skips to them
 *
 * How much stands before what it shows it tells, in a line of its own. It never skips in a full-screen
 * program.
 */
void
stint_follower_set_backlog (StintFollower *self, guint64 lines, gsize tail, guint64 limit);

/* Feeds from where it stands, until it is stopped. The first start is at the tail. */
void stint_follower_start (StintFollower *self);
void stint_follower_stop (StintFollower *self);

/* Somebody reads what is shown: nothing may be skipped meanwhile. */
void stint_follower_set_may_skip (StintFollower *self, gboolean may_skip);

/* Nothing is fed meanwhile. */
void stint_follower_set_held (StintFollower *self, gboolean held);

/**
 * stint_follower_acknowledge:
 * @self: a follower
 * @busy: microseconds that the main loop was busy with the last chunk; negative: not known
 *
 * The terminal has shown what it was fed. Without this the follower goes on after 50 ms: a chunk
 * that ends within a control sequence shows nothing.
 */
void stint_follower_acknowledge (StintFollower *self, gint64 busy);

/* What it was fed has been painted, which took the main loop @busy microseconds: the dearer that is, the
 * longer it waits before it feeds again what comes without end. */
void stint_follower_painted (StintFollower *self, gint64 busy);

/* Shows the end again, and what comes. */
void stint_follower_show_tail (StintFollower *self);

/**
 * stint_follower_show_range:
 * @self: a follower
 * @start: where to begin; the start of a line, best
 * @mark: where to tell #StintFollower::mark-reached; %G_MAXUINT64: nowhere
 * @end: where to stop; %G_MAXUINT64: it goes on to the end and then follows it
 *
 * Shows a part of the transcript instead.
 */
void stint_follower_show_range (StintFollower *self, guint64 start, guint64 mark, guint64 end);

/* Moves the end of a range on. */
void stint_follower_set_end (StintFollower *self, guint64 end);

/* Shows what it shows anew. */
void stint_follower_reload (StintFollower *self);

/* Where what it shows begins, and what it will feed next. */
guint64 stint_follower_get_start (StintFollower *self);
guint64 stint_follower_get_offset (StintFollower *self);

/* Whether it follows the end. */
gboolean stint_follower_is_at_tail (StintFollower *self);

/* Bytes that were passed over so far and can be asked for. */
guint64 stint_follower_get_skipped (StintFollower *self);
gsize stint_follower_get_chunk (StintFollower *self);
gboolean stint_follower_is_full_screen (StintFollower *self);

G_END_DECLS
