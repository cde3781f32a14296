/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-history.h"
#include "stint-problems.h"
#include "stint-settings.h"

G_BEGIN_DECLS

/**
 * stint_history_keeping_begin:
 * @history: the history, recovered
 * @settings: what is kept, and how much of it is searched
 * @problems: what is told
 *
 * From now on, while @history and @settings exist, the history is compressed and indexed in the
 * background, and what is too old or too much is removed: now, and every few hours.
 */
void stint_history_keeping_begin (StintHistory *history,
                                  StintSettings *settings,
                                  StintProblems *problems);

G_END_DECLS
