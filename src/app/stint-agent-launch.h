/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-application.h"
#include "stint-launch.h"

G_BEGIN_DECLS

/**
 * stint_agent_launch:
 * @application: where
 * @launch: of mode %STINT_LAUNCH_AGENT
 * @directory: (type filename): of who asks, absolute
 * @environment: (array zero-terminated=1): what the agent inherits
 * @error: there is no such agent, it is not installed (then how to get it), or as of
 *   stint_agent_session_start()
 *
 * Begins a session with an agent as the options of the command line say, shows it, and says to it what the words of the command line are.
 *
 * Returns: (transfer full): its job, or %NULL
 */
StintJob *stint_agent_launch (StintApplication *application,
                              const StintLaunch *launch,
                              const char *directory,
                              const char *const *environment,
                              GError **error);

/**
 * stint_agent_launch_spec:
 * @application: where
 * @spec: a resolved spec of a session (stint_job_spec_get_session()): its command is the agent's, or
 *   an agent's id, its standard input what is said first; the rest is as of
 *   stint_agent_session_set_wishes()
 * @error: as of stint_agent_launch()
 *
 * Begins a session with an agent and shows it.
 *
 * Returns: (transfer full): its job, or %NULL
 */
StintJob *
stint_agent_launch_spec (StintApplication *application, StintJobSpec *spec, GError **error);

/* Shows all agents: to begin a session with one, to get, test, change and add them. */
void stint_agent_launch_ask (StintApplication *application);

G_END_DECLS
