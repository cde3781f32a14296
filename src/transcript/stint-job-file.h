/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What a compressed file has behind its name. */
#define STINT_JOB_FILE_COMPRESSED ".zst"

/**
 * StintJobFile:
 *
 * A file of a job directory, open for reading, whether it has been compressed or not.
 */
typedef struct _StintJobFile StintJobFile;

/**
 * stint_job_file_open:
 * @directory: (type filename): a job directory
 * @name: `output` or `index`
 * @error: neither is there, or it cannot be read
 *
 * Returns: (transfer full): the file, or %NULL
 */
StintJobFile *stint_job_file_open (const char *directory, const char *name, GError **error);

void stint_job_file_free (StintJobFile *self);

/* Whether this is what it was compressed to. */
gboolean stint_job_file_is_compressed (StintJobFile *self);

/* Its length as it was when it was recorded; 0 if that cannot be told. */
guint64 stint_job_file_get_size (StintJobFile *self);

/* What is not there any more, as far as the file itself can tell; @start == @end: nothing. */
void stint_job_file_get_hole (StintJobFile *self, guint64 *start, guint64 *end);

/* As pread(), with errors for people. May return less than there is. */
gssize stint_job_file_pread (
  StintJobFile *self, void *buffer, gsize size, guint64 offset, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintJobFile, stint_job_file_free)

G_END_DECLS
