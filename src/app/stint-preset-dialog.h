/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "stint-presets.h"

G_BEGIN_DECLS

#define STINT_TYPE_PRESET_DIALOG (stint_preset_dialog_get_type ())
G_DECLARE_FINAL_TYPE (StintPresetDialog, stint_preset_dialog, STINT, PRESET_DIALOG, AdwWindow)

/**
 * stint_preset_dialog_new:
 * @parent: (nullable): the window it belongs to
 * @presets: where it is saved
 * @preset: (nullable): one that is changed
 * @spec: what the preset is to start
 *
 * Asks for a preset's name, icon and shortcut, and saves it.
 *
 * Returns: (transfer none): the dialog, to be presented
 */
StintPresetDialog *stint_preset_dialog_new (GtkWindow *parent,
                                            StintPresets *presets,
                                            StintPreset *preset,
                                            StintJobSpec *spec);

G_END_DECLS
