/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-group-list.h"

G_BEGIN_DECLS

#define STINT_TYPE_HISTORY_MODEL (stint_history_model_get_type ())
G_DECLARE_FINAL_TYPE (StintHistoryModel, stint_history_model, STINT, HISTORY_MODEL, GObject)

/*
 * What a search of the history found, as a GListModel of StintHistoryItem: 8 bytes for each hit, and
 * rows only for those that somebody holds. All reading is done by threads of its own.
 *
 * Properties:
 *
 *   busy  boolean   a search is going on
 *
 * Signals:
 *
 *   replaced ()              all has been told of what has changed, and the groups and the list agree
 *   failed (GError *error)   the history could not be searched; what was found before stays
 *   index-lost ()            the search index is damaged, and was done without: see
 *                            stint_history_index_again()
 */

/* @directory: (type filename): the history's. Empty until it is told to search. */
StintHistoryModel *stint_history_model_new (const char *directory);

/* Searches; what goes on of an earlier search is given up. */
void stint_history_model_search (StintHistoryModel *self,
                                 StintHistoryQuery *query,
                                 StintHistorySort sort,
                                 StintHistoryGroup group);

/* Searches the same again, since the history has changed. Rows that are there stay in place. */
void stint_history_model_refresh (StintHistoryModel *self);

gboolean stint_history_model_is_busy (StintHistoryModel *self);

/* (transfer none): the same in groups; empty where nothing was asked to stand together. */
StintGroupList *stint_history_model_get_groups (StintHistoryModel *self);

/* Where the job is among the hits. Returns: %FALSE: nowhere */
gboolean stint_history_model_find (StintHistoryModel *self, guint64 id, guint *position);

/* As if it were not there, until it is shown again: it is about to be removed. */
void stint_history_model_hide (StintHistoryModel *self, guint64 id);
void stint_history_model_show (StintHistoryModel *self, guint64 id);

G_END_DECLS
