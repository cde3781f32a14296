/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-history.h"
#include "stint-job-list.h"
#include "stint-problems.h"

G_BEGIN_DECLS

/**
 * stint_adopting_take_over:
 * @history: the history, which has just recovered
 * @jobs: the list
 * @problems: what cannot be taken over is told here
 *
 * Takes over the jobs that an earlier process let go, each into @jobs as soon as its keeper answers.
 */
void stint_adopting_take_over (StintHistory *history, StintJobList *jobs, StintProblems *problems);

G_END_DECLS
