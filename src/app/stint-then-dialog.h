/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "stint-job-list.h"

G_BEGIN_DECLS

/**
 * stint_then_dialog_present:
 * @parent: the window it belongs to
 * @jobs: the list of @job
 * @job: a job, in any state
 *
 * Asks what is run when @job has ended, and how it has to have ended for that.
 */
void stint_then_dialog_present (GtkWindow *parent, StintJobList *jobs, StintJob *job);

/* (transfer full) (nullable): what was added, a line each, in words. */
char *stint_then_dup_description (StintJobList *jobs, StintJob *job);

G_END_DECLS
