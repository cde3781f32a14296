/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-agent-session.h"

G_BEGIN_DECLS

#define STINT_TYPE_AGENT_BAR (stint_agent_bar_get_type ())
G_DECLARE_FINAL_TYPE (StintAgentBar, stint_agent_bar, STINT, AGENT_BAR, GtkWidget)

/*
 * What an agent does, in words; what can be chosen of it; what it may do without asking.
 *
 * Properties:
 *
 *   show-output   boolean   whether its terminal is shown, and not the conversation
 *
 * Signals:
 *
 *   show-log ()   the protocol log is wanted
 *   show-sessions ()   the sessions that the agent keeps are wanted
 */

/* @session: (nullable): without one it is an old conversation. */
void stint_agent_bar_set_session (StintAgentBar *self, StintAgentSession *session);

/* (transfer full): what a policy is, in a few words. */
const char *stint_agent_policy_to_words (StintAgentPolicy policy);

G_END_DECLS
