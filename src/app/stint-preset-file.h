/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-preset.h"

G_BEGIN_DECLS

/**
 * stint_preset_file_update:
 * @directory: (type filename): where the file is; made if needed
 * @put: (nullable): a preset to add, or to take the place of the one with its id
 * @remove: (nullable): the id of a preset to remove
 * @problem: (out) (transfer full) (nullable): what the user should know although it worked: a damaged
 *   file was moved aside
 * @error: it cannot be read or written, or a newer Stint has written it: nothing was changed
 *
 * Reads `presets.json`, makes one change and writes it back whole, if there is one: what other
 * processes have changed since stays. Blocks; for a thread. With neither change it only reads.
 *
 * Returns: (transfer full) (element-type StintPreset): what the file has now, by name; or %NULL
 */
GPtrArray *stint_preset_file_update (const char *directory,
                                     StintPreset *put,
                                     const char *remove,
                                     GError **problem,
                                     GError **error);

#define STINT_PRESET_FILE_NAME "presets.json"

G_END_DECLS
