/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-history-item.h"

G_BEGIN_DECLS

#define STINT_TYPE_HISTORY_ROW (stint_history_row_get_type ())
G_DECLARE_FINAL_TYPE (StintHistoryRow, stint_history_row, STINT, HISTORY_ROW, GtkWidget)

/*
 * A job of the history: title, outcome and time, the line of output that was found, and above it, if it
 * is the first of one, the title of its group.
 *
 * Properties:
 *
 *   item  StintHistoryItem  (nullable)
 */

/* (transfer none) (nullable): what it shows. */
StintHistoryItem *stint_history_row_get_item (StintHistoryRow *self);

/* Opens its menu, whose actions are `history.…` of an ancestor, with the job's id. */
void stint_history_row_popup (StintHistoryRow *self);

/* (transfer full): when a job started: "14:03" today, else with the day. @usec: since 1970 */
char *stint_history_row_format_time (gint64 usec, GDateTime *now, gboolean day_is_known);

/* (transfer full): how it ended, in the words of the other lists. */
char *stint_history_row_dup_outcome (const StintEntry *entry);

/* (transfer full): how it ended, when it ran, for how long, its tags and its directory, in a line. */
char *stint_history_row_dup_facts (const StintEntry *entry, GDateTime *now);

/* The name of the icon, and the style class, that go with how it ended. */
const char *stint_history_row_get_icon (const StintEntry *entry);
const char *stint_history_row_get_style (const StintEntry *entry);

G_END_DECLS
