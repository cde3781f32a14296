/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The follower's fields, and what its two files call of each other: stint-follower.c feeds, and says when;
 * stint-follower-place.c decides from where, and says what is not shown.
 */
#pragma once

#include "stint-follower.h"

#include "stint-index.h"
#include "stint-pace.h"
#include "stint-screen-scan.h"

G_BEGIN_DECLS

struct _StintFollower
{
  GObject parent_instance;

  StintTranscript *transcript;
  StintReader *reader; /* borrowed from the transcript */
  StintIndex *index;
  StintDecorator *decorator;
  StintFollowerFeed feed;
  gpointer feed_data;

  gboolean pipe;
  guint64 lines;
  gsize tail;
  guint64 limit;

  gboolean active;
  gboolean failed; /* and stopped for it: what is elsewhere may still be read */
  gboolean held;
  gboolean may_skip;
  gboolean placed;  /* start and offset hold */
  gboolean waiting; /* for the terminal */
  gboolean caught_up;
  gboolean told_complete; /* caught up, and no more will come */
  gulong grew_id;
  guint pump_id;     /* the next chunk, when the main loop is idle */
  guint fallback_id; /* in place of an acknowledgment */

  /* A range, or the tail. */
  gboolean ranged;
  guint64 range_start;
  guint64 mark; /* G_MAXUINT64: none, or reached */
  guint64 end;

  guint8 *buffer; /* STINT_PACE_MAX_CHUNK after MAX_CARRY */
  GString *out;
  gsize carry;
  guint64 start; /* of what is shown */
  guint64 offset;
  guint64 skipped;
  StintScreenState screen; /* after what was fed */
  gboolean fed_anything;

  gboolean skipping;
  guint64 skip_target;
  StintScreenScan scan; /* of what is skipped */

  StintPace pace;
  gboolean thin;  /* what is shown is only the end of the tail */
  guint pause_id; /* goes on after a while */
  guint over_id;  /* fetches the rest of the tail */

  guint64 next_lost;    /* where the next loss is to be told; G_MAXUINT64: nowhere yet */
  guint64 lost_bytes;   /* of it */
  guint64 lost_scanned; /* records of the index that were looked at */
  guint8 last_byte;     /* that was fed */
};

/* stint-follower.c */

/* Stops, and tells of @error. */
void stint_follower_fail (StintFollower *self, GError *error);

/* To the terminal; nothing more until it has worked it off. */
void stint_follower_feed (StintFollower *self, const guint8 *data, gsize length);

/* stint-follower-place.c */

/* Goes to where what is to be shown begins, for somebody who waits. */
void stint_follower_begin (StintFollower *self);

/* Leaves out what is behind, but for its end. */
void stint_follower_skip_to_tail (StintFollower *self);

/* Looks through the next piece of what is skipped. */
void stint_follower_skip_on (StintFollower *self);

/* Whether the terminal may be fed what it has seen already. */
gboolean stint_follower_may_feed_again (StintFollower *self);

/* A line of our own in the middle of the output; @format is translated and has one %s, a size. */
void stint_follower_feed_notice (StintFollower *self, const char *format, guint64 bytes);

G_END_DECLS
