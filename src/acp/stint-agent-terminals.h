/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-acp-connection.h"
#include "stint-job-list.h"

G_BEGIN_DECLS

#define STINT_TYPE_AGENT_TERMINALS (stint_agent_terminals_get_type ())
G_DECLARE_FINAL_TYPE (StintAgentTerminals, stint_agent_terminals, STINT, AGENT_TERMINALS, GObject)

/*
 * The terminals of one session: each is a job of its own. What is released is forgotten here, and
 * stays in the list of jobs.
 *
 * Signals:
 *
 *   created (const char *terminal_id, StintJob *job)   as soon as its job has an id
 *   changed ()                                         one has begun or ended
 */

/**
 * stint_agent_terminals_new:
 * @jobs: where they run
 * @parent: the agent's job's id
 * @directory: where they run unless said otherwise
 * @timeout: of each, microseconds, 0: none
 * @idle_timeout: of each, microseconds, 0: none
 */
StintAgentTerminals *stint_agent_terminals_new (StintJobList *jobs,
                                                guint64 parent,
                                                const char *directory,
                                                gint64 timeout,
                                                gint64 idle_timeout);

/* @wishes: (nullable) (transfer none): of the agent's job; its terminals have the same environment and
 * niceness. */
void stint_agent_terminals_set_wishes (StintAgentTerminals *self, StintJobSpec *wishes);

/* `terminal/create`, `output`, `wait_for_exit`, `kill`, `release`, whose session has been checked. */
void stint_agent_terminals_handle (StintAgentTerminals *self, StintAcpRequest *request);

/* How many run. */
guint stint_agent_terminals_get_n_running (StintAgentTerminals *self);

/* Ends all that run, and forgets them. */
void stint_agent_terminals_end (StintAgentTerminals *self);

G_END_DECLS
