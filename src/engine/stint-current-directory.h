/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * stint_current_directory_dup_for:
 * @directory: (nullable) (type filename): where a job is to run, as its user said it
 * @error: %STINT_ERROR_FAILED: the current directory is gone, and @directory is not absolute
 *
 * What @directory is relative to. g_get_current_dir() says "/" where there is no current directory any
 * more: no place to run somebody's job in.
 *
 * Returns: (transfer full) (type filename): the current directory, or %NULL
 */
char *stint_current_directory_dup_for (const char *directory, GError **error);

G_END_DECLS
