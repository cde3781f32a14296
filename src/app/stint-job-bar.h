/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-job.h"

G_BEGIN_DECLS

#define STINT_TYPE_JOB_BAR (stint_job_bar_get_type ())
G_DECLARE_FINAL_TYPE (StintJobBar, stint_job_bar, STINT, JOB_BAR, GtkWidget)

/*
 * What stands above a pane: command, directory, state, both countdowns, what can be done.
 *
 * Properties:
 *
 *   narrow  boolean  whether it has the width of a telephone only
 *
 * Signals:
 *
 *   run-again (StintJob *job)  the user wants the job to be run once more
 */

/* @job: (nullable) */
void stint_job_bar_set_job (StintJobBar *self, StintJob *job);

G_END_DECLS
