/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <sys/types.h>

G_BEGIN_DECLS

/* Which file a name stood for. */
typedef struct
{
  dev_t device;
  ino_t inode;
} StintFileIdentity;

/* Reads it; one that is not there has an identity that never holds. */
void stint_file_identity_read (StintFileIdentity *self, const char *path);
gboolean stint_file_identity_holds (const StintFileIdentity *self, const char *path);

/**
 * stint_set_aside:
 * @directory: (type filename): the history's directory
 * @file: the `history.db` that cannot be used
 * @newer: whether that is because a newer version wrote it, else it is damaged
 * @patience: milliseconds to wait for other processes at most
 * @problem: (out) (transfer full) (nullable): what the user should know; may be set either way
 *
 * Renames `history.db` and its companions to `history.db.newer-DATE` or `history.db.damaged-DATE`,
 * unless another process has done so. Nothing is overwritten; `jobs/` stays.
 *
 * Returns: whether a new database can be begun
 */
gboolean stint_set_aside (const char *directory,
                          const StintFileIdentity *file,
                          gboolean newer,
                          guint patience,
                          GError **problem);

G_END_DECLS
