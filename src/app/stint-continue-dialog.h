/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "stint-job.h"

G_BEGIN_DECLS

#define STINT_TYPE_CONTINUE_DIALOG (stint_continue_dialog_get_type ())
G_DECLARE_FINAL_TYPE (StintContinueDialog, stint_continue_dialog, STINT, CONTINUE_DIALOG, AdwMessageDialog)

/*
 * Asks what an agent command that has ended is told next.
 *
 * Signals:
 *
 *   start (StintJob *job, StintJobSpec *spec)   to be run, as what follows the job
 */

/* Whether @job is an agent command that has ended, of an agent that can go on. */
gboolean stint_continue_dialog_is_for (StintJob *job);

/**
 * stint_continue_dialog_new:
 * @parent: (nullable): the window it belongs to
 * @job: one that stint_continue_dialog_is_for()
 */
StintContinueDialog *stint_continue_dialog_new (GtkWindow *parent, StintJob *job);

G_END_DECLS
