/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "stint-settings.h"

G_BEGIN_DECLS

#define STINT_TYPE_SETTINGS_DIALOG (stint_settings_dialog_get_type ())
G_DECLARE_FINAL_TYPE (StintSettingsDialog,
                      stint_settings_dialog,
                      STINT,
                      SETTINGS_DIALOG,
                      AdwPreferencesWindow)

/**
 * stint_settings_dialog_new:
 * @parent: (nullable): the window it belongs to
 * @settings: what it shows and changes, each at once
 *
 * Further pages are added with adw_preferences_window_add(). The signal "clear-history" says that the user
 * wants to delete the history, and is to be asked.
 *
 * Returns: (transfer none): the dialog, to be presented
 */
StintSettingsDialog *stint_settings_dialog_new (GtkWindow *parent, StintSettings *settings);

/**
 * stint_settings_check_directory:
 * @path: as typed; empty is right
 * @error: %STINT_ERROR_INVALID: what is wrong with it, a sentence for the user
 *
 * Returns: whether jobs can be run there
 */
gboolean stint_settings_check_directory (const char *path, GError **error);

/* The same for a shell: a program that can be executed. */
gboolean stint_settings_check_shell (const char *path, GError **error);

G_END_DECLS
