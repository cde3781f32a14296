/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-presets.h"

G_BEGIN_DECLS

#define STINT_TYPE_PRESET_ACTIONS (stint_preset_actions_get_type ())
G_DECLARE_FINAL_TYPE (StintPresetActions, stint_preset_actions, STINT, PRESET_ACTIONS, GObject)

/*
 * Signals:
 *
 *   start (StintJobSpec *spec)  a preset was chosen: a copy, to be run
 */

/**
 * stint_preset_actions_new:
 * @application: gets the action `start-preset`, whose parameter is a preset's id, and the presets'
 *   shortcuts
 * @presets: the presets
 *
 * Returns: (transfer full): the actions
 */
StintPresetActions *stint_preset_actions_new (GtkApplication *application, StintPresets *presets);

/* (transfer none): a section for menus, which follows the presets. */
GMenuModel *stint_preset_actions_get_menu (StintPresetActions *self);

/**
 * stint_preset_actions_check_shortcut:
 * @application: whose shortcuts it must not be
 * @presets: nor theirs
 * @but: (nullable): the preset that it is for
 * @shortcut: an accelerator
 * @error: %STINT_ERROR_INVALID: why it cannot be used, a sentence for the user
 */
gboolean stint_preset_actions_check_shortcut (GtkApplication *application,
                                              StintPresets *presets,
                                              StintPreset *but,
                                              const char *shortcut,
                                              GError **error);

G_END_DECLS
