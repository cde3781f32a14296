/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "stint-job-spec.h"
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

G_END_DECLS
