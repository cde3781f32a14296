/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "stint-presets.h"

G_BEGIN_DECLS

#define STINT_TYPE_PRESETS_DIALOG (stint_presets_dialog_get_type ())
G_DECLARE_FINAL_TYPE (StintPresetsDialog, stint_presets_dialog, STINT, PRESETS_DIALOG, AdwWindow)

/*
 * Signals:
 *
 *   edit (StintPreset *preset)  the user wants to change it; the dialog closes
 */

/**
 * stint_presets_dialog_new:
 * @parent: (nullable): the window it belongs to
 * @presets: what it lists
 *
 * Lists the presets, to be started, changed and removed; what was removed can be brought back.
 *
 * Returns: (transfer none): the dialog, to be presented
 */
StintPresetsDialog *stint_presets_dialog_new (GtkWindow *parent, StintPresets *presets);

G_END_DECLS
