/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define STINT_TYPE_HISTORY_COLUMNS (stint_history_columns_get_type ())
G_DECLARE_FINAL_TYPE (StintHistoryColumns, stint_history_columns, STINT, HISTORY_COLUMNS, GtkWidget)

/*
 * A StintHistoryList as a table. It sorts nothing: a click on a column's title, or Enter on it, asks for
 * an order, and the arrow shows the one that is in force.
 *
 * Properties:
 *
 *   columns  string  the names of the columns that are shown, beside the title's, with commas between them
 *   widths   string  how wide those are that the user has made so: "directory=220,…"; pixels
 *
 * Signals:
 *
 *   sort (char *nick)      the user wants this order, see stint_history_sort_from_nick()
 *   activate (guint row)   the user wants to see what is in that row
 */

/* @model: (nullable) */
void stint_history_columns_set_model (StintHistoryColumns *self, GtkSelectionModel *model);

/* Which order is in force: its arrow is shown, if a column has it. */
void stint_history_columns_set_sort (StintHistoryColumns *self, const char *nick);

/* The title that sorts, or else the first, has the focus then; Tab passes by them. Returns: whether there is one */
gboolean stint_history_columns_focus_titles (StintHistoryColumns *self);

/* (transfer none): the list in it, that has the rows. */
GtkWidget *stint_history_columns_get_list (StintHistoryColumns *self);

/* (transfer none): `history.column-…`: whether each column is shown; and a menu of them. */
void stint_history_columns_add_actions (StintHistoryColumns *self, GActionMap *map);
GMenuModel *stint_history_columns_get_menu (StintHistoryColumns *self);

G_END_DECLS
