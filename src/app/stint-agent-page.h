/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-agent-view.h"

G_BEGIN_DECLS

#define STINT_TYPE_AGENT_PAGE (stint_agent_page_get_type ())
G_DECLARE_FINAL_TYPE (StintAgentPage, stint_agent_page, STINT, AGENT_PAGE, GtkWidget)

/*
 * What a job's page has for agent sessions: the agent's bar, and below it the conversation or, one
 * switch away, whatever shows the output, which is given as its child. Other jobs' output is shown
 * as if there was nothing of this.
 *
 * Properties:
 *
 *   shows-output   boolean   whether the output is what is shown
 *
 * Signals:
 *
 *   problem (StintJob *job, GError *error)
 *   open-job (guint64 id)
 *   start (StintJobSpec *spec)   an old session is to be gone on with
 */

/* What shows the output. */
void stint_agent_page_set_child (StintAgentPage *self, GtkWidget *child);

/* @job: (nullable). */
void stint_agent_page_set_job (StintAgentPage *self, StintJob *job);
gboolean stint_agent_page_shows_output (StintAgentPage *self);

/* (nullable) (transfer none): of the conversation, if that is what is shown. */
StintAgentView *stint_agent_page_get_view (StintAgentPage *self);

G_END_DECLS
