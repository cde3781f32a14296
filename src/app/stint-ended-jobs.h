/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-board.h"
#include "stint-job-list.h"

G_BEGIN_DECLS

/* So many jobs that have ended and are on the board no more are kept in memory: their ids still work
 * there, and a page of one that was dismissed a moment ago is as it was. */
#define STINT_ENDED_JOBS_KEPT 200

/**
 * stint_ended_jobs_limit:
 * @jobs: all jobs of this session
 * @board: those that are listed; as long as it lives this goes on
 *
 * Takes jobs off @jobs that have ended long ago, so that a window that is open for weeks does not grow
 * with each job. The history has them; whoever shows one has a reference of its own.
 */
void stint_ended_jobs_limit (StintJobList *jobs, StintJobBoard *board);

G_END_DECLS
