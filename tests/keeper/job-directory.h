/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A job directory to write a transcript to, content that tells its own place, and checks of what
 * was stored.
 */
#pragma once

#include "protocol.h"

#include <glib.h>

typedef struct
{
  char *path;
  int fd;
} JobDirectory;

JobDirectory *job_directory_new (void);
void job_directory_free (JobDirectory *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (JobDirectory, job_directory_free)

/* Returns: what the file of that name holds, or NULL if there is none. */
GBytes *job_directory_read (JobDirectory *self, const char *name);

/* Returns: what the file takes up on disk. */
guint64 job_directory_disk_use (JobDirectory *self, const char *name);

/* The byte that belongs at @offset: what lies elsewhere, or was lost, doubled or zeroed, is seen. */
static inline guint8
pattern_at (guint64 offset)
{
  guint64 hash = (offset + 1) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  return (guint8) (hash >> 56);
}

void pattern_fill (guint8 *bytes, gsize size, guint64 offset);

/* Asserts that @bytes are those from @offset on. */
void pattern_assert (const guint8 *bytes, gsize size, guint64 offset);
