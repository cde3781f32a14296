/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-history-model.h"

G_BEGIN_DECLS

#define STINT_TYPE_HISTORY_LIST (stint_history_list_get_type ())
G_DECLARE_FINAL_TYPE (StintHistoryList, stint_history_list, STINT, HISTORY_LIST, GObject)

/*
 * What the history's views show, each of them: the jobs that were found, or, where they stand in groups,
 * a tree of the groups; and which row of it is selected. A GtkSelectionModel of StintHistoryItem, or of
 * GtkTreeListRow. A job or a group that is selected stays so, wherever it moves.
 *
 * The first groups are unfolded, as many as fill a page, and later as the user has it.
 */

StintHistoryList *stint_history_list_new (StintHistoryModel *model);

/* (transfer none) */
StintHistoryModel *stint_history_list_get_model (StintHistoryList *self);

/* %GTK_INVALID_LIST_POSITION: none */
guint stint_history_list_get_selected (StintHistoryList *self);

/* The position of this job, where it is shown; else %GTK_INVALID_LIST_POSITION. */
guint stint_history_list_find (StintHistoryList *self, guint64 id);

/* (transfer full) (nullable): what @item (nullable) of it is: a job, or else a group. */
StintHistoryItem *stint_history_list_dup_job (gpointer item);
StintJobGroup *stint_history_list_dup_group (gpointer item);

/* Where the group of the job at @position is, or the group that is there; %GTK_INVALID_LIST_POSITION: it
 * is in none. */
guint stint_history_list_get_group (StintHistoryList *self, guint position);

/* Folds or unfolds the group at @position. Returns: %FALSE: there was nothing to do */
gboolean stint_history_list_fold (StintHistoryList *self, guint position);
gboolean stint_history_list_unfold (StintHistoryList *self, guint position);

G_END_DECLS
