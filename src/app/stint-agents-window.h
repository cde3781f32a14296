/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "stint-agent-profile.h"
#include "stint-job-list.h"

G_BEGIN_DECLS

#define STINT_TYPE_AGENTS_WINDOW (stint_agents_window_get_type ())
G_DECLARE_FINAL_TYPE (StintAgentsWindow, stint_agents_window, STINT, AGENTS_WINDOW, AdwWindow)

/*
 * All agents: to begin a session with one, to see how to get it, to test, change and add them.
 *
 * Signals:
 *
 *   start (StintJobSpec *spec)   a session with an agent is to begin: stint_agent_launch_spec()
 */

/**
 * stint_agents_window_new:
 * @parent: over which it is shown
 * @jobs: where agents are tested
 * @profiles: (nullable): else those of the user
 * @directory: where a session begins unless the user says otherwise
 *
 * Returns: (transfer none): the window, to be presented
 */
GtkWidget *stint_agents_window_new (GtkWindow *parent,
                                    StintJobList *jobs,
                                    StintAgentProfiles *profiles,
                                    const char *directory);

G_END_DECLS
