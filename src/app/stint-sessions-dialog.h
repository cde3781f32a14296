/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "stint-agent-session.h"

G_BEGIN_DECLS

#define STINT_TYPE_SESSIONS_DIALOG (stint_sessions_dialog_get_type ())
G_DECLARE_FINAL_TYPE (StintSessionsDialog, stint_sessions_dialog, STINT, SESSIONS_DIALOG, AdwWindow)

/*
 * The sessions that an agent keeps for its directory: to go on with one, as a job of its own, or to
 * delete it.
 *
 * Signals:
 *
 *   start (StintJobSpec *spec)   one is to be gone on with
 *   listed ()                    what the agent has told is shown, or why it told nothing
 */

/**
 * stint_sessions_dialog_new:
 * @parent: (nullable): over which it is shown
 * @session: one whose agent can list sessions (stint_agent_session_can_list())
 *
 * Returns: (transfer none): the window, to be presented
 */
GtkWidget *stint_sessions_dialog_new (GtkWindow *parent, StintAgentSession *session);

G_END_DECLS
