/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-history-item.h"

G_BEGIN_DECLS

#define STINT_TYPE_HISTORY_ROW (stint_history_row_get_type ())
G_DECLARE_FINAL_TYPE (StintHistoryRow, stint_history_row, STINT, HISTORY_ROW, GtkWidget)

/*
 * A job of the history: title, outcome and time, and the line of output that was found. Or a group of
 * jobs, with how many they are.
 *
 * Properties:
 *
 *   item        GObject  (nullable): of a StintHistoryList, or a StintHistoryItem
 *   in-columns  boolean  other cells beside it say how it ended and when it ran
 */

/* (transfer none) (nullable): the job that it shows; %NULL: a group, or nothing. */
StintHistoryItem *stint_history_row_get_item (StintHistoryRow *self);

/* (transfer none) (nullable): the row of the list or of the table around it, which is what has the focus
 * and what a screen reader says. */
GtkWidget *stint_history_row_get_list_row (StintHistoryRow *self);

/* Opens its menu, whose actions are `history.…` of an ancestor, with the job's id. Returns: %FALSE: it is
 * a group */
gboolean stint_history_row_popup (StintHistoryRow *self);

G_END_DECLS
