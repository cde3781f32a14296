/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-follower.h"

G_BEGIN_DECLS

#define STINT_PLAYER_MIN_SPEED 0.1
#define STINT_PLAYER_MAX_PAUSE (2 * G_USEC_PER_SEC)

/* Microseconds, as g_get_monotonic_time(). */
typedef gint64 (*StintPlayerClock) (gpointer user_data);

#define STINT_TYPE_PLAYER (stint_player_get_type ())
G_DECLARE_FINAL_TYPE (StintPlayer, stint_player, STINT, PLAYER, GObject)

/*
 * Properties, all notified:
 *
 *   position   int64    microseconds since the start of the command; set by stint_player_seek()
 *   duration   int64    when the last of the output came; of a transcript that grows, at the last look
 *   playing    boolean  FALSE again at the end
 *   speed      double   1 is as it was; at least STINT_PLAYER_MIN_SPEED
 *   max-pause  int64    a silence is not waited for longer than this, in microseconds of the viewer's
 *                       time at any speed: the position jumps to its end; 0: however long it is
 */

/**
 * stint_player_new:
 * @follower: what shows it; a reference is held
 * @reader: what it reads; must live as long as @follower does
 *
 * Plays a transcript back as it came: it shows a range of it through @follower, whose end it moves on
 * as time goes by. Nothing is shown anew before the first play or seek: the position begins at the end,
 * and play there begins at the start. Whoever shows something else through @follower pauses it.
 *
 * Returns: (transfer full): a player that is paused
 */
StintPlayer *stint_player_new (StintFollower *follower, StintReader *reader);

/* @clock: (nullable) (scope forever): %NULL: the monotonic one. For tests. */
void stint_player_set_clock (StintPlayer *self, StintPlayerClock clock, gpointer user_data);

void stint_player_play (StintPlayer *self);
void stint_player_pause (StintPlayer *self);
gboolean stint_player_is_playing (StintPlayer *self);

/* Shows what had come by @position, in microseconds; playing or not. */
void stint_player_seek (StintPlayer *self, gint64 position);

gint64 stint_player_get_position (StintPlayer *self);
gint64 stint_player_get_duration (StintPlayer *self);

double stint_player_get_speed (StintPlayer *self);
void stint_player_set_speed (StintPlayer *self, double speed);

gint64 stint_player_get_max_pause (StintPlayer *self);
void stint_player_set_max_pause (StintPlayer *self, gint64 max_pause);

G_END_DECLS
