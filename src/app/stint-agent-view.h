/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-agent-session.h"
#include "stint-conversation-view.h"

G_BEGIN_DECLS

#define STINT_TYPE_AGENT_VIEW (stint_agent_view_get_type ())
G_DECLARE_FINAL_TYPE (StintAgentView, stint_agent_view, STINT, AGENT_VIEW, GtkWidget)

/*
 * An agent session to talk with: its conversation, what it asks, what waits to be said to it, and
 * where to say something. Of one that has ended, the conversation as it was, and a way to go on.
 *
 * Signals:
 *
 *   problem (GError *error)
 *   open-job (guint64 id)   a terminal's page is wanted
 *   restarted (StintAgentSession *session)
 */

/* @job: an agent session's, live or old. */
GtkWidget *stint_agent_view_new (StintJob *job);

StintJob *stint_agent_view_get_job (StintAgentView *self);

/* (nullable) (transfer none): while it is there. */
StintAgentSession *stint_agent_view_get_session (StintAgentView *self);
StintConversationView *stint_agent_view_get_conversation_view (StintAgentView *self);

G_END_DECLS
