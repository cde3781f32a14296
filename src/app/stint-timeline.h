/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-entry.h"
#include "stint-time-scale.h"

G_BEGIN_DECLS

#define STINT_TYPE_TIMELINE (stint_timeline_get_type ())
G_DECLARE_FINAL_TYPE (StintTimeline, stint_timeline, STINT, TIMELINE, GtkWidget)

/*
 * Jobs as bars: when each ran, and beside what. One of them is selected, unless there is none; who has
 * the keyboard goes from one to the next with the arrows, and a screen reader says each.
 *
 * It asks for `history.open` and `history.…` of an ancestor with a job's id, and for `day.previous`
 * and `day.next`.
 *
 * Signals:
 *
 *   selection-changed ()
 */

/**
 * stint_timeline_new:
 * @scale: what part of the day is shown; a reference is held, and its width set
 * @rows: (nullable): what scrolls it up and down; only what is in view is drawn
 *
 * Returns: (transfer floating): the widget
 */
StintTimeline *stint_timeline_new (StintTimeScale *scale, GtkAdjustment *rows);

/**
 * stint_timeline_set_entries:
 * @self: a timeline
 * @entries: (element-type StintEntry): by when they started; a reference is held
 *
 * What was selected stays, if it is among them; else it is the last.
 */
void stint_timeline_set_entries (StintTimeline *self, GPtrArray *entries);

/* (nullable) (transfer none) */
const StintEntry *stint_timeline_get_selected (StintTimeline *self);

/* Returns: FALSE if there is no such job. */
gboolean stint_timeline_select (StintTimeline *self, guint64 id);

/* Where one looks at: the middle of what is selected; pixels. */
double stint_timeline_get_middle (StintTimeline *self);

/* What is said while there is no job. */
void stint_timeline_set_empty_text (StintTimeline *self, const char *text);

/* (transfer full): all about a job in a sentence. @now: microseconds since 1970 */
char *stint_timeline_dup_sentence (const StintEntry *entry, gint64 now);

/* (transfer full) (nullable): what is told of what stands there, where one points; pixels. */
char *stint_timeline_dup_tooltip (StintTimeline *self, double x, double y);

G_END_DECLS
