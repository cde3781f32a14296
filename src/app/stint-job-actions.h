/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-job.h"

G_BEGIN_DECLS

#define STINT_TYPE_JOB_ACTIONS (stint_job_actions_get_type ())
G_DECLARE_FINAL_TYPE (StintJobActions, stint_job_actions, STINT, JOB_ACTIONS, GObject)

/*
 * What can be done with one job or several: the actions that menus, keys and buttons call `job.*`.
 *
 *   terminate, kill, cancel, pause (boolean), restart, run-again, edit, dismiss, copy-command,
 *   open-directory, beside, start-now, move-up, then, continue, show-text, let-go
 *   (boolean: it survives Stint); of one job: extend-timeout (int seconds), no-timeout, restore-timeout, and the
 *   same with idle
 *
 * Each is enabled while it would do something.
 *
 * Signals:
 *
 *   start (StintJobSpec *spec)   to be run
 *   edit (StintJobSpec *spec)    to be shown in the dialog for a new job
 *   dismiss (StintJob *job)      to be taken off the list
 *   beside (StintJob *job)       to be shown beside what is shown
 *   start-now (StintJob *job), move-up (StintJob *job)   in the queue
 *   then (StintJob *job)         to be asked what follows it
 *   continue (StintJob *job)     an agent command: to be asked what it is told next
 *   show-text (StintJob *job)    to be shown as text, for a screen reader
 *   problem (StintJob *job, GError *error)
 */

/**
 * stint_job_actions_new:
 * @jobs: (element-type StintJob): on which they act
 *
 * The jobs are bound here, once: whatever happens to a list meanwhile, the actions are theirs.
 *
 * Returns: (transfer full): the actions
 */
StintJobActions *stint_job_actions_new (GPtrArray *jobs);

/* (nullable) (transfer full): for one job. */
StintJobActions *stint_job_actions_new_for (StintJob *job);

/* (transfer none): to be inserted into a widget as `job`. */
GActionGroup *stint_job_actions_get_group (StintJobActions *self);

/* (transfer none) (element-type StintJob) */
GPtrArray *stint_job_actions_get_jobs (StintJobActions *self);

/* (transfer full): a menu of those that are for one job, or for several. */
GMenuModel *stint_job_actions_dup_menu (StintJobActions *self);

G_END_DECLS
