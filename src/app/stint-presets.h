/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "stint-preset.h"

G_BEGIN_DECLS

#define STINT_TYPE_PRESETS (stint_presets_get_type ())
G_DECLARE_FINAL_TYPE (StintPresets, stint_presets, STINT, PRESETS, GObject)

/*
 * A GListModel of StintPreset, by name.
 *
 * Signals:
 *
 *   problem (GError *error)  the file was damaged, or cannot be read or written
 */

/**
 * stint_presets_new:
 * @directory: (nullable) (type filename): where the file is, %NULL: `$XDG_CONFIG_HOME/stint`
 *
 * The user's presets, from a file that several processes may change. It is read soon after, and
 * again when it changes; nothing here waits for a disk.
 *
 * Returns: (transfer full): empty for now
 */
StintPresets *stint_presets_new (const char *directory);

/* Adds a preset, or puts it in the place of the one with its id. Seen at once, written soon. */
void stint_presets_put (StintPresets *self, StintPreset *preset);

/* Removes it; stint_presets_put() takes that back. */
void stint_presets_remove (StintPresets *self, StintPreset *preset);

/* (transfer none) (nullable) */
StintPreset *stint_presets_lookup (StintPresets *self, const char *id);

/* (transfer none) (nullable): the one with this accelerator, other than @but (nullable). */
StintPreset *
stint_presets_find_shortcut (StintPresets *self, const char *shortcut, StintPreset *but);

/* Waits, at most 3 s, until everything is written. Returns: whether it is */
gboolean stint_presets_flush (StintPresets *self);

G_END_DECLS
