/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-time-scale.h"

G_BEGIN_DECLS

#define STINT_TYPE_TIMELINE_AXIS (stint_timeline_axis_get_type ())
G_DECLARE_FINAL_TYPE (StintTimelineAxis, stint_timeline_axis, STINT, TIMELINE_AXIS, GtkWidget)

/* The least distance of two of its lines, pixels. */
#define STINT_TIMELINE_DIVISION 64

/* The hours above a timeline. @scale: a reference is held */
StintTimelineAxis *stint_timeline_axis_new (StintTimeScale *scale);

G_END_DECLS
