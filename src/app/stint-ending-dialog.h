/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "stint-job-list.h"

G_BEGIN_DECLS

#define STINT_TYPE_ENDING_DIALOG (stint_ending_dialog_get_type ())
G_DECLARE_FINAL_TYPE (StintEndingDialog, stint_ending_dialog, STINT, ENDING_DIALOG, AdwWindow)

/*
 * What the shutdown waits for. It goes when the shutdown is over, not before.
 *
 * Signals:
 *
 *   hurry ()  the user does not want to wait
 */

/**
 * stint_ending_dialog_new:
 * @parent: the window it belongs to
 * @jobs: the jobs; those that have not finished are shown
 *
 * Returns: (transfer none): the dialog, to be presented
 */
StintEndingDialog *stint_ending_dialog_new (GtkWindow *parent, StintJobList *jobs);

/* Looks again which jobs have finished. */
void stint_ending_dialog_update (StintEndingDialog *self);

G_END_DECLS
