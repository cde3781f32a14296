/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * StintCliFile:
 *
 * A file that appears, or is replaced, when it is whole: until then it is a temporary file beside
 * it. What is no regular file, such as `/dev/null` or a named pipe, is written to as it is.
 */
typedef struct _StintCliFile StintCliFile;

/**
 * stint_cli_file_open:
 * @path: (type filename): where it is to be
 * @error: it cannot be written there
 *
 * Returns: (transfer full): the file, nothing of which can be seen yet, or %NULL
 */
StintCliFile *stint_cli_file_open (const char *path, GError **error);

/* (transfer none): where to write. */
GOutputStream *stint_cli_file_get_stream (StintCliFile *self);

/**
 * stint_cli_file_commit:
 * @self: (transfer full): a file that has been written
 * @error: it could not be written after all; then nothing is left of it
 *
 * Returns: whether it is there now
 */
gboolean stint_cli_file_commit (StintCliFile *self, GError **error);

/* Leaves nothing of it. */
void stint_cli_file_free (StintCliFile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintCliFile, stint_cli_file_free)

G_END_DECLS
