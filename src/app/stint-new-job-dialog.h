/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "stint-job-spec.h"
#include "stint-presets.h"
#include "stint-settings.h"

G_BEGIN_DECLS

#define STINT_TYPE_NEW_JOB_DIALOG (stint_new_job_dialog_get_type ())
G_DECLARE_FINAL_TYPE (StintNewJobDialog, stint_new_job_dialog, STINT, NEW_JOB_DIALOG, AdwWindow)

/*
 * Signals:
 *
 *   start (StintJobSpec *spec)  the user wants this to be run; the dialog closes
 */

/**
 * stint_new_job_dialog_new:
 * @parent: the window it belongs to
 * @settings: for what the fields begin with
 * @directory: (nullable) (type filename): what the directory begins with
 *
 * Returns: (transfer none): the dialog, to be presented
 */
StintNewJobDialog *
stint_new_job_dialog_new (GtkWindow *parent, StintSettings *settings, const char *directory);

/* Offers what the jobs of this list, newest first, have run, and where. */
void stint_new_job_dialog_set_jobs (StintNewJobDialog *self, GListModel *jobs);

/* Lets what stands in the dialog be saved as one of these. */
void stint_new_job_dialog_set_presets (StintNewJobDialog *self, StintPresets *presets);

/* Fills it in with what a spec says, to be changed and run. What stands in no field is kept. */
void stint_new_job_dialog_fill (StintNewJobDialog *self, StintJobSpec *spec);

/* The same with a preset's, which is replaced when it is saved. */
void stint_new_job_dialog_set_preset (StintNewJobDialog *self, StintPreset *preset);

G_END_DECLS
