/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define STINT_TYPE_COUNTDOWN (stint_countdown_get_type ())
G_DECLARE_FINAL_TYPE (StintCountdown, stint_countdown, STINT, COUNTDOWN, GtkWidget)

/*
 * What is left of a limit: a ring, a caption and a time.
 *
 * Properties:
 *
 *   caption  string  "Time left"
 */

/**
 * stint_countdown_set:
 * @self: a countdown
 * @left: microseconds left, %STINT_NEVER: there is no such limit
 * @total: microseconds of the whole limit
 */
void stint_countdown_set (StintCountdown *self, gint64 left, gint64 total);

G_END_DECLS
