/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-history.h"
#include "stint-job-board.h"
#include "stint-problems.h"
#include "stint-settings.h"

G_BEGIN_DECLS

#define STINT_TYPE_EARLIER_JOBS (stint_earlier_jobs_get_type ())
G_DECLARE_FINAL_TYPE (StintEarlierJobs, stint_earlier_jobs, STINT, EARLIER_JOBS, GObject)

/*
 * What was there before this process: jobs that were interrupted are recovered, those that were let go are
 * taken over, those that run in a terminal are shown, and the latest of the history come into the list.
 */

/**
 * stint_earlier_jobs_new:
 * @history: the history
 * @jobs: the list that they come into
 * @board: the interrupted ones are listed there, since nobody saw them end
 * @settings: for how long a job is kept
 * @problems: what cannot be recovered is told here
 *
 * Begins at once.
 *
 * Returns: (transfer full): to be stopped before @history is closed
 */
StintEarlierJobs *stint_earlier_jobs_new (StintHistory *history,
                                          StintJobList *jobs,
                                          StintJobBoard *board,
                                          StintSettings *settings,
                                          StintProblems *problems);

/* Nothing comes into the list from now on. */
void stint_earlier_jobs_stop (StintEarlierJobs *self);

G_END_DECLS
