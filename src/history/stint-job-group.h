/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-history-item.h"
#include "stint-searcher.h"

G_BEGIN_DECLS

#define STINT_TYPE_JOB_GROUP (stint_job_group_get_type ())
G_DECLARE_FINAL_TYPE (StintJobGroup, stint_job_group, STINT, JOB_GROUP, GObject)

/*
 * Jobs of the history that stand together: those of a day, a directory or a command.
 *
 * As a GListModel it has an item for each of its jobs, and all are the same object, that says nothing: a
 * tree of rows keeps all items of what is unfolded, and there can be a million. Who shows the job at a
 * position asks for it: stint_job_group_dup_item().
 *
 * Signals:
 *
 *   changed ()   there are more or fewer jobs, or another is the first
 */

/* (transfer full): of a job; it is read as soon as somebody holds it. */
typedef StintHistoryItem *(*StintDupItemFunc) (gpointer source, guint64 id);

/* @source: not held: see stint_job_group_forget_source(). @hits: (element-type guint64): it keeps a
 * reference. @is_whole: there may be no more. */
StintJobGroup *stint_job_group_new (StintHistoryGroup kind,
                                    StintDupItemFunc dup_item,
                                    gpointer source,
                                    GArray *hits,
                                    const StintHitGroup *place,
                                    gboolean is_whole);

/* The same of another search. Tells of what has changed and of nothing else. */
void stint_job_group_update (StintJobGroup *self,
                             GArray *hits,
                             const StintHitGroup *place,
                             gboolean is_whole);

/* From now on none of its items can be had; it goes on saying how many jobs it has. */
void stint_job_group_forget_source (StintJobGroup *self);

/* Lists the first jobs, and the others bit by bit: somebody is about to take all of them. */
void stint_job_group_unfold (StintJobGroup *self);

StintHistoryGroup stint_job_group_get_kind (StintJobGroup *self);
guint64 stint_job_group_get_key (StintJobGroup *self);
guint stint_job_group_get_n_failed (StintJobGroup *self);

/* 0: not known yet. */
guint stint_job_group_get_n_jobs (StintJobGroup *self);

/* (transfer full) (nullable): %NULL: there is none. */
StintHistoryItem *stint_job_group_dup_item (StintJobGroup *self, guint position);

G_END_DECLS
