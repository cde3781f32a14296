/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-history-columns.h"
#include "stint-history-list.h"
#include "stint-history-row.h"

G_BEGIN_DECLS

#define STINT_TYPE_HISTORY_VIEW (stint_history_view_get_type ())
G_DECLARE_FINAL_TYPE (StintHistoryView, stint_history_view, STINT, HISTORY_VIEW, GtkWidget)

/*
 * The jobs that were found: as a table where there is room for its columns, else as a list of rows of two
 * lines. What is selected, what is unfolded and what stands at the top stay when it changes.
 *
 * Signals:
 *
 *   open (guint64 id)    the user wants to see this job
 *   sort (char *nick)    the user wants this order, see stint_history_sort_from_nick()
 */

void stint_history_view_set_model (StintHistoryView *self, StintHistoryModel *model);

/* Which order is in force. */
void stint_history_view_set_sort (StintHistoryView *self, const char *nick);

/* (transfer none): for which of them are shown. */
StintHistoryColumns *stint_history_view_get_columns (StintHistoryView *self);

/* (transfer none) (nullable): the row that has the focus, a job's or a group's. */
StintHistoryRow *stint_history_view_get_focused (StintHistoryView *self);

/* The job's row behind @row, or else before it, has the focus then. */
void stint_history_view_leave_row (StintHistoryView *self, StintHistoryRow *row);

G_END_DECLS
