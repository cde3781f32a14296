/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-job.h"
#include "stint-settings.h"

G_BEGIN_DECLS

#define STINT_TYPE_PANE (stint_pane_get_type ())
G_DECLARE_FINAL_TYPE (StintPane, stint_pane, STINT, PANE, GtkWidget)

/*
 * Properties:
 *
 *   live  boolean  whether what is typed reaches the job
 *
 * Signals:
 *
 *   problem (GError *error)  the output cannot be read, or the input not be passed on
 */

/**
 * stint_pane_new:
 * @job: a job that has a transcript
 * @settings: font and scrollback
 *
 * The output of one job, and its input while it runs on a terminal.
 *
 * Returns: (transfer full): the pane
 */
StintPane *stint_pane_new (StintJob *job, StintSettings *settings);

StintJob *stint_pane_get_job (StintPane *self);

/* What can be done with its output: the actions that menus call `output.*`. */
GActionGroup *stint_pane_get_actions (StintPane *self);
gboolean stint_pane_is_live (StintPane *self);

/* Whether a combination is one of its own, which are not the application's. */
gboolean stint_pane_uses_key (guint key, GdkModifierType modifiers);

/* The size of its terminal; FALSE before it has one. */
gboolean stint_pane_get_size (StintPane *self, guint *columns, guint *rows);

G_END_DECLS
