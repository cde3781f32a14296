/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Names of the files below a directory, for completion. */

/* So many at most are found, this deep. */
#define STINT_FILE_NAMES_LIMIT 5000
#define STINT_FILE_NAMES_DEPTH 8

/**
 * stint_file_names_list_async:
 * @directory: (type filename): where
 *
 * Walks through it in a thread. What is hidden is left out, so are symbolic links to directories.
 */
void stint_file_names_list_async (const char *directory,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);

/* (transfer full) (element-type utf8): relative names, those near the top first; folders end in "/". */
GPtrArray *stint_file_names_list_finish (GAsyncResult *result, GError **error);

/* (transfer full) (array zero-terminated=1): at most @n of @names that hold @text, whatever its case;
 * those whose last part begins with it first. */
char **stint_file_names_match (GPtrArray *names, const char *text, guint n);

G_END_DECLS
