/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-transcript.h"

G_BEGIN_DECLS

#define STINT_FOLLOWER_MIN_CHUNK (32 * 1024)
#define STINT_FOLLOWER_MAX_CHUNK (256 * 1024)

/* What one chunk may cost the main loop, in microseconds. */
#define STINT_FOLLOWER_BUDGET (8 * 1000)

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
 *   before-chunk (guint64 offset)  what stands at offset is about to be fed
 *   caught-up ()                   everything there is has been fed; again after each time it was not,
 *                                  and when the transcript has become complete
 *   problem (GError *error)        the transcript cannot be read; the follower has stopped
 */

/**
 * stint_follower_new:
 * @transcript: what to follow
 * @feed: (scope forever): where it goes
 * @user_data: for @feed, which is only called from the main loop
 *
 * A cursor into a transcript, from which it feeds a terminal: in chunks that adapt to what they
 * cost, the next only when the last one has been shown. It has no widgets.
 *
 * Returns: (transfer full): a follower that has not been started
 */
StintFollower *
stint_follower_new (StintTranscript *transcript, StintFollowerFeed feed, gpointer user_data);

/* Whether the output comes from a pipe: then a bare line feed is fed as a new line. */
void stint_follower_set_bare_newlines (StintFollower *self, gboolean bare_newlines);

/**
 * stint_follower_set_backlog:
 * @self: a follower
 * @tail: bytes of the end to begin with, and to go on with after a skip
 * @limit: bytes that may be waiting before it skips to the tail
 *
 * What it skips it tells, in a line of its own, and it never does so in a full-screen program.
 */
void stint_follower_set_backlog (StintFollower *self, gsize tail, guint64 limit);

/* Feeds from where it stands, until it is stopped. The first start is at the tail. */
void stint_follower_start (StintFollower *self);
void stint_follower_stop (StintFollower *self);

/**
 * stint_follower_acknowledge:
 * @self: a follower
 * @busy: microseconds that the main loop was busy with the last chunk; negative: not known
 *
 * The terminal has shown what it was fed. Without this the follower goes on after 50 ms: a chunk
 * that ends within a control sequence shows nothing.
 */
void stint_follower_acknowledge (StintFollower *self, gint64 busy);

guint64 stint_follower_get_offset (StintFollower *self);
guint64 stint_follower_get_skipped (StintFollower *self);
gsize stint_follower_get_chunk (StintFollower *self);
gboolean stint_follower_is_full_screen (StintFollower *self);

G_END_DECLS
