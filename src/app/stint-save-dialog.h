/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "stint-save.h"

G_BEGIN_DECLS

#define STINT_TYPE_SAVE_DIALOG (stint_save_dialog_get_type ())
G_DECLARE_FINAL_TYPE (StintSaveDialog, stint_save_dialog, STINT, SAVE_DIALOG, AdwWindow)

/*
 * Asks how and where to save the output of a job, saves it, and is gone. Who cancels it while it saves
 * is told nothing.
 *
 * Signals:
 *
 *   saved (GFile *file)      it has been saved; stint_save_dialog_dup_message() says so
 *   problem (GError *error)  it could not be saved
 */

/**
 * stint_save_dialog_present:
 * @parent: the window it belongs to
 * @job: a job that has a transcript; a reference is held
 *
 * Returns: (transfer none): the dialog, which owns itself
 */
StintSaveDialog *stint_save_dialog_present (GtkWindow *parent, StintJob *job);

/* What the dialog has been set to. */
StintExportFormat stint_save_dialog_get_format (StintSaveDialog *self);
StintStreams stint_save_dialog_get_streams (StintSaveDialog *self);
gboolean stint_save_dialog_get_timestamps (StintSaveDialog *self);

/* Saves, to the place that the user has chosen. */
void stint_save_dialog_save (StintSaveDialog *self, GFile *file);

/* (transfer full): "Saved as “make.txt”", for a toast. Not markup. */
char *stint_save_dialog_dup_message (GFile *file);

G_END_DECLS
