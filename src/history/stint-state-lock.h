/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * stint_state_lock_take:
 * @directory: (type filename): the history's directory
 * @patience: milliseconds to wait at most
 * @error: somebody else has it for longer, or there can be no lock
 *
 * Takes the lock under which the database is made, migrated or moved aside. For threads that may block.
 *
 * Returns: the lock; closing it gives it up. -1 with @error set
 */
int stint_state_lock_take (const char *directory, guint patience, GError **error);

G_END_DECLS
