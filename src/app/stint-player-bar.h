/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-player.h"

G_BEGIN_DECLS

#define STINT_TYPE_PLAYER_BAR (stint_player_bar_get_type ())
G_DECLARE_FINAL_TYPE (StintPlayerBar, stint_player_bar, STINT, PLAYER_BAR, GtkWidget)

/*
 * What a player is controlled with, in a row. Who does not see it any more has it paused.
 *
 * Properties:
 *
 *   player  StintPlayer  NULL: it does nothing
 *   narrow  boolean      the duration is only in the tooltip
 *
 * Signals:
 *
 *   closed ()  the user is done with it; it is left as it is, paused
 */

GtkWidget *stint_player_bar_new (void);

/* (nullable) (transfer none) */
StintPlayer *stint_player_bar_get_player (StintPlayerBar *self);

/* @player: (nullable): a reference is held */
void stint_player_bar_set_player (StintPlayerBar *self, StintPlayer *player);

G_END_DECLS
