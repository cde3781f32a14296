/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-group.h"

G_BEGIN_DECLS

#define STINT_TYPE_GROUP_LIST (stint_group_list_get_type ())
G_DECLARE_FINAL_TYPE (StintGroupList, stint_group_list, STINT, GROUP_LIST, GObject)

/*
 * The groups of what was found, as a GListModel of StintJobGroup. Of many groups the first are listed at
 * once, and the others bit by bit: each is an object, and a history can have a hundred thousand.
 */

/* @source: not held; it forgets it by stint_group_list_forget_source(). */
StintGroupList *stint_group_list_new (StintDupItemFunc dup_item, gpointer source);
void stint_group_list_forget_source (StintGroupList *self);

/**
 * stint_group_list_take:
 * @self: the groups
 * @kind: what they are
 * @hits: (element-type guint64): it keeps a reference
 * @places: (element-type StintHitGroup): it keeps a reference
 * @is_whole: these are all hits: the last group may have no more
 *
 * A group that was there, by its key, and still stands between the same others, stays the same object.
 */
void stint_group_list_take (StintGroupList *self,
                            StintHistoryGroup kind,
                            GArray *hits,
                            GArray *places,
                            gboolean is_whole);

/* Where in which group is the hit at @position. Returns: %FALSE: in none that is listed already */
gboolean
stint_group_list_find (StintGroupList *self, guint position, guint *group, guint *position_in_it);

G_END_DECLS
