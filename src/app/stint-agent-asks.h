/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-board.h"
#include "stint-job-list.h"
#include "stint-notifier.h"

G_BEGIN_DECLS

#define STINT_TYPE_AGENT_ASKS (stint_agent_asks_get_type ())
G_DECLARE_FINAL_TYPE (StintAgentAsks, stint_agent_asks, STINT, AGENT_ASKS, GObject)

/**
 * stint_agent_asks_new:
 * @jobs: the jobs
 * @board: where it stands
 * @notifier: (nullable): who tells of it while nobody looks
 *
 * Tells which agents wait for the user, and for what.
 *
 * Returns: (transfer full): who does that
 */
StintAgentAsks *
stint_agent_asks_new (StintJobList *jobs, StintJobBoard *board, StintNotifier *notifier);

G_END_DECLS
