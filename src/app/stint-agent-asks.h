/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-board.h"
#include "stint-job-list.h"

G_BEGIN_DECLS

#define STINT_TYPE_AGENT_ASKS (stint_agent_asks_get_type ())
G_DECLARE_FINAL_TYPE (StintAgentAsks, stint_agent_asks, STINT, AGENT_ASKS, GObject)

/* Tells the board which agents wait for the user, and for what. */
StintAgentAsks *stint_agent_asks_new (StintJobList *jobs, StintJobBoard *board);

G_END_DECLS
