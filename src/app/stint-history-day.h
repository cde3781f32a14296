/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-history-query.h"
#include "stint-history.h"

G_BEGIN_DECLS

#define STINT_TYPE_HISTORY_DAY (stint_history_day_get_type ())
G_DECLARE_FINAL_TYPE (StintHistoryDay, stint_history_day, STINT, HISTORY_DAY, GtkWidget)

/*
 * A day of the history as a timeline, with its calendar and the job that is selected. It asks for
 * `history.…` of an ancestor. It reads while it is mapped.
 *
 * Actions: day.previous, day.next, day.today, day.zoom-in, day.zoom-out, day.fit
 *
 * Signals:
 *
 *   problem (GError *error)   the day cannot be read
 *   not-found ()              the job that was to be shown is not on the timeline of its day
 */

void stint_history_day_set_history (StintHistoryDay *self, StintHistory *history);

/* What else its jobs are to be like. @query: a reference is held */
void stint_history_day_set_query (StintHistoryDay *self, StintHistoryQuery *query);

/* Reads it again, if it is mapped. */
void stint_history_day_refresh (StintHistoryDay *self);

/* The day on which @time is, microseconds since 1970. */
void stint_history_day_show (StintHistoryDay *self, gint64 time);

/* The same, and selects the job of it that has this id. */
void stint_history_day_show_job (StintHistoryDay *self, guint64 id, gint64 started_at);

/* Whether a job is left out: one that is being removed can still come back. */
void stint_history_day_set_hidden (StintHistoryDay *self, guint64 id, gboolean hidden);

/* (transfer none): its midnight. */
GDateTime *stint_history_day_get_day (StintHistoryDay *self);

G_END_DECLS
