/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-presets.h"

G_BEGIN_DECLS

/**
 * stint_preset_buttons_new:
 * @presets: the presets
 *
 * Returns: (transfer floating): a button for each preset, which starts it by the action
 *   `app.start-preset`; hidden while there are none
 */
GtkWidget *stint_preset_buttons_new (StintPresets *presets);

G_END_DECLS
