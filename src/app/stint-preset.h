/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-spec.h"

G_BEGIN_DECLS

#define STINT_TYPE_PRESET (stint_preset_get_type ())
G_DECLARE_FINAL_TYPE (StintPreset, stint_preset, STINT, PRESET, GObject)

#define STINT_PRESET_DEFAULT_ICON "media-playback-start-symbolic"

/*
 * A job that is kept to be started again and again. Does not change: a changed one takes its place.
 *
 * Properties: id, name, icon, shortcut (strings), for lists to bind to; all read-only.
 */

/**
 * stint_preset_new:
 * @id: (nullable): %NULL for a new one
 * @name: how the user calls it
 * @icon: (nullable): the name of a symbolic icon
 * @shortcut: (nullable): an accelerator, as gtk_accelerator_name() makes it
 * @spec: what it starts; copied, without its inherited environment and the values of its secrets
 *
 * Returns: (transfer full): the preset
 */
StintPreset *stint_preset_new (const char *id,
                               const char *name,
                               const char *icon,
                               const char *shortcut,
                               StintJobSpec *spec);

const char *stint_preset_get_id (StintPreset *self);
const char *stint_preset_get_name (StintPreset *self);
const char *stint_preset_get_icon (StintPreset *self);

/* (nullable) */
const char *stint_preset_get_shortcut (StintPreset *self);

/* (transfer none): to be copied before it is run. */
StintJobSpec *stint_preset_get_spec (StintPreset *self);

/* (transfer full): what starts it: a copy, with the preset's name unless it has one of its own. */
StintJobSpec *stint_preset_dup_job_spec (StintPreset *self);

/* (transfer full): for the file of presets. */
JsonNode *stint_preset_to_json (StintPreset *self);

/**
 * stint_preset_from_json:
 * @node: what stint_preset_to_json() made
 * @error: %STINT_ERROR_DAMAGED
 *
 * Returns: (transfer full): the preset, or %NULL
 */
StintPreset *stint_preset_from_json (JsonNode *node, GError **error);

/* Whether both say the same. */
gboolean stint_preset_equal (StintPreset *a, StintPreset *b);

/* For sorting: by name, as people do. */
int stint_preset_compare (StintPreset *a, StintPreset *b);

G_END_DECLS
