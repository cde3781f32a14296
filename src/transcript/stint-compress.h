/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Less is not worth a second look: the file system gives out larger blocks. */
#define STINT_COMPRESS_MIN_SIZE (64 * 1024)

/**
 * stint_compress_is_due:
 * @directory: (type filename): a job directory
 *
 * Returns: whether the job has ended, its output is worth compressing, and nobody has done it yet
 */
gboolean stint_compress_is_due (const char *directory);

/**
 * stint_compress_directory:
 * @directory: (type filename): the directory of a job that has ended
 * @cancellable: (nullable): leaves everything as it was
 * @error: it could not be done, %G_IO_ERROR_BUSY if somebody else holds the job's lock; all is as it was
 *
 * Compresses the output and the index, checks them, puts them on disk, and only then removes what
 * they were made of. Who reads them meanwhile reads on. Takes its time: it is for a thread.
 *
 * Returns: %FALSE on error
 */
gboolean
stint_compress_directory (const char *directory, GCancellable *cancellable, GError **error);

G_END_DECLS
