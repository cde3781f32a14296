/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "protocol.h"

G_BEGIN_DECLS

/**
 * stint_outcome_read:
 * @directory: (type filename): a job directory
 * @outcome: (out caller-allocates): what its keeper wrote down
 * @error: there is none, or it is damaged (%G_IO_ERROR_INVALID_DATA)
 *
 * Returns: whether @outcome can be believed
 */
gboolean stint_outcome_read (const char *directory, struct keeper_outcome *outcome, GError **error);

G_END_DECLS
