/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-settings.h"
#include "stint-shutdown.h"

G_BEGIN_DECLS

#define STINT_TYPE_CLOSING (stint_closing_get_type ())
G_DECLARE_FINAL_TYPE (StintClosing, stint_closing, STINT, CLOSING, GObject)

/*
 * Signals:
 *
 *   background ()         the window is to go and the jobs are to go on
 *   done (GError *error)  everything has ended and is saved, or @error says what did not and was not;
 *                         the user has seen it
 */

/**
 * stint_closing_new:
 * @jobs: the jobs
 * @shutdown: their end
 * @settings: what closing does, and where it is remembered
 *
 * The face of the shutdown: asks before it, and shows what it waits for, whatever has caused it.
 *
 * Returns: (transfer full): nothing is being closed yet
 */
StintClosing *
stint_closing_new (StintJobList *jobs, StintShutdown *shutdown, StintSettings *settings);

/* (nullable): the window whose dialogs these are; it is watched, not owned. */
void stint_closing_set_window (StintClosing *self, GtkWindow *window);

/**
 * stint_closing_close:
 * @self: the closing
 * @quit: whether the user wants to quit, not only to close the window
 *
 * Does what the settings say: asks if there are jobs that have not ended, or lets them go on in the
 * background, or stops them. Who quits is never left with jobs in the background without a question.
 */
void stint_closing_close (StintClosing *self, gboolean quit);

G_END_DECLS
