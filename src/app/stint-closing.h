/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-shutdown.h"

G_BEGIN_DECLS

#define STINT_TYPE_CLOSING (stint_closing_get_type ())
G_DECLARE_FINAL_TYPE (StintClosing, stint_closing, STINT, CLOSING, GObject)

/*
 * Signals:
 *
 *   done (GError *error)  everything has ended and is saved, or @error says what did not and was not;
 *                         the user has seen it
 */

/**
 * stint_closing_new:
 * @jobs: the jobs
 * @shutdown: their end
 *
 * The face of the shutdown: asks before it, and shows what it waits for, whatever has caused it.
 *
 * Returns: (transfer full): nothing is being closed yet
 */
StintClosing *stint_closing_new (StintJobList *jobs, StintShutdown *shutdown);

/* (nullable): the window whose dialogs these are; it is watched, not owned. */
void stint_closing_set_window (StintClosing *self, GtkWindow *window);

/**
 * stint_closing_close:
 * @self: the closing
 * @confirm: whether to ask if there are jobs that have not finished
 * @cause: for the log
 *
 * The user wants to close the window, or to quit.
 */
void stint_closing_close (StintClosing *self, gboolean confirm, const char *cause);

G_END_DECLS
