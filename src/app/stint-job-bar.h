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
 *   narrow    boolean  whether it has the width of a telephone only
 *   closable  boolean  whether it has a button that closes the page
 *
 * Signals:
 *
 *   close ()  the user wants the page to be closed
 *
 * What it does is in the action groups `job` and `output` of the page.
 */

/* @job: (nullable) */
void stint_job_bar_set_job (StintJobBar *self, StintJob *job);

G_END_DECLS
