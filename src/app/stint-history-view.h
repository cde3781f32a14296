/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-history-columns.h"
#include "stint-history-list.h"

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

/* Opens the menu of the row that has the focus. Returns: %FALSE: none has it, or it is a group's */
gboolean stint_history_view_popup (StintHistoryView *self);

G_END_DECLS
