/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

#define STINT_TYPE_TIME_SCALE (stint_time_scale_get_type ())
G_DECLARE_FINAL_TYPE (StintTimeScale, stint_time_scale, STINT, TIME_SCALE, GObject)

/*
 * Which part of a time is looked at, and where each moment of it stands. Times are microseconds since
 * 1970, places pixels.
 *
 * Signals:
 *
 *   changed ()   something stands elsewhere
 */

StintTimeScale *stint_time_scale_new (void);

/* What can be looked at; all of it is. @end is after @begin. */
void stint_time_scale_set_bounds (StintTimeScale *self, gint64 begin, gint64 end);
gint64 stint_time_scale_get_begin (StintTimeScale *self);
gint64 stint_time_scale_get_end (StintTimeScale *self);

/* How much place there is; and whether time runs from the right to the left. */
void stint_time_scale_set_width (StintTimeScale *self, int width, gboolean mirrored);
int stint_time_scale_get_width (StintTimeScale *self);
gboolean stint_time_scale_is_mirrored (StintTimeScale *self);

/* What is looked at: where it begins, and how long it is. */
gint64 stint_time_scale_get_from (StintTimeScale *self);
gint64 stint_time_scale_get_visible (StintTimeScale *self);

/* How long a pixel is. */
double stint_time_scale_get_step (StintTimeScale *self);

double stint_time_scale_get_x (StintTimeScale *self, gint64 time);
gint64 stint_time_scale_get_time (StintTimeScale *self, double x);

/* Looks at @factor times as much, and leaves what is at @x where it is; as far as that goes. */
void stint_time_scale_zoom (StintTimeScale *self, double factor, double x);
gboolean stint_time_scale_can_zoom_in (StintTimeScale *self);
gboolean stint_time_scale_can_zoom_out (StintTimeScale *self);

/* Looks at all of it. */
void stint_time_scale_fit (StintTimeScale *self);

/* Looks at as much, but from another moment; as far as that goes. */
void stint_time_scale_set_from (StintTimeScale *self, gint64 from);

/* Looks at as much, moved as little as can be to what is between @begin and @end: all of it, or, where
 * there is no room for that, a part. */
void stint_time_scale_reveal (StintTimeScale *self, gint64 begin, gint64 end);

/* How far apart lines that divide it are, a time that clocks show, so that they are @least pixels apart. */
gint64 stint_time_scale_get_division (StintTimeScale *self, double least);

G_END_DECLS
