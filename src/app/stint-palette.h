/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-settings.h"

G_BEGIN_DECLS

#define STINT_TYPE_PALETTE (stint_palette_get_type ())
G_DECLARE_FINAL_TYPE (StintPalette, stint_palette, STINT, PALETTE, GObject)

/**
 * stint_palette_new:
 * @settings: what is followed
 *
 * Colours the windows of this process as the settings say, from now on until it is freed.
 *
 * Returns: (transfer full): the palette
 */
StintPalette *stint_palette_new (StintSettings *settings);

G_END_DECLS
