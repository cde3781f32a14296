/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-result.h"

G_BEGIN_DECLS

/* (transfer full): a JSON array of `{"pid": 1, "name": "init"}`. */
char *stint_survivors_to_json (const StintSurvivor *survivors, guint n_survivors);

/**
 * stint_survivors_from_json:
 * @text: (nullable): what stint_survivors_to_json() made
 * @survivors: (out) (transfer full) (array length=n_survivors) (nullable):
 * @n_survivors: (out):
 *
 * Returns: %FALSE, and an empty array, if it is something else
 */
gboolean
stint_survivors_from_json (const char *text, StintSurvivor **survivors, guint *n_survivors);

G_END_DECLS
