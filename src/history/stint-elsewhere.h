/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-history.h"
#include "stint-job-list.h"

G_BEGIN_DECLS

#define STINT_TYPE_ELSEWHERE (stint_elsewhere_get_type ())
G_DECLARE_FINAL_TYPE (StintElsewhere, stint_elsewhere, STINT, ELSEWHERE, GObject)

/*
 * Signals:
 *
 *   orphaned ()   the owner of a job that was listed has died: its row is to be recovered
 */

/**
 * stint_elsewhere_new:
 * @history: a history that has been used, so that its directory is there
 * @jobs: where they are listed
 *
 * Keeps the jobs that other processes own, each a `stintctl run`, in a list for as long as they run.
 * It is the writing of the history that tells that there is another one; nothing is asked in between.
 *
 * Returns: (transfer full): the watcher
 */
StintElsewhere *stint_elsewhere_new (StintHistory *history, StintJobList *jobs);

G_END_DECLS
