/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-board.h"
#include "stint-job-list.h"
#include "stint-notifier.h"

G_BEGIN_DECLS

/* A question that is followed by more this soon was none. */
#define STINT_TERMINAL_ASKS_QUIET_MS 3000

#define STINT_TYPE_TERMINAL_ASKS (stint_terminal_asks_get_type ())
G_DECLARE_FINAL_TYPE (StintTerminalAsks, stint_terminal_asks, STINT, TERMINAL_ASKS, GObject)

/**
 * stint_terminal_asks_new:
 * @jobs: the jobs
 * @board: where it stands
 * @notifier: (nullable): who tells of it while nobody looks
 * @sees: (nullable): whether the user sees a job now; whose bell is not told then
 * @user_data: for @sees
 * @quiet_ms: how long there must be no output, usually %STINT_TERMINAL_ASKS_QUIET_MS
 *
 * Tells which programs have stopped at a question on their terminal, or have rung its bell and been
 * quiet since. Either holds until there is output again: to what is typed there is an answer or an
 * echo. A job that writes without end is looked at once in @quiet_ms, one that is quiet never.
 *
 * Jobs of another process, in a terminal of their own, ask there.
 *
 * Returns: (transfer full): who does that
 */
StintTerminalAsks *stint_terminal_asks_new (StintJobList *jobs,
                                            StintJobBoard *board,
                                            StintNotifier *notifier,
                                            StintNotifierSees sees,
                                            gpointer user_data,
                                            guint quiet_ms);

G_END_DECLS
