/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-history.h"
#include "stint-job-board.h"
#include "stint-problems.h"

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * stint_history_clearing_ask:
 * @parent: where it is asked, and told what became of it
 * @history: what is to be cleared
 * @board: what has been removed goes from here too
 * @problems: who is told what went wrong
 *
 * Asks whether everything in the history is to be deleted, and deletes it.
 *
 * Returns: (transfer none): the question
 */
AdwMessageDialog *stint_history_clearing_ask (AdwPreferencesWindow *parent,
                                              StintHistory *history,
                                              StintJobBoard *board,
                                              StintProblems *problems);

G_END_DECLS
