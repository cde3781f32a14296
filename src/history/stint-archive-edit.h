/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-archive.h"

G_BEGIN_DECLS

/*
 * Changes to jobs of the history, for the thread that owns the archive. %STINT_ERROR_INVALID: there is
 * no such job.
 */

/* @name: (nullable): %NULL or "": none any more. */
gboolean stint_archive_rename (StintArchive *self, guint64 id, const char *name, GError **error);

/* @tags: (array zero-terminated=1): all that it is to have. */
gboolean
stint_archive_set_tags (StintArchive *self, guint64 id, const char *const *tags, GError **error);

/* A pinned job is kept however old it is. */
gboolean stint_archive_pin (StintArchive *self,
                            const guint64 *ids,
                            guint n_ids,
                            gboolean pinned,
                            GError **error);

/* @query: (nullable): %NULL: forget it. */
gboolean
stint_archive_save_search (StintArchive *self, const char *name, const char *query, GError **error);

/**
 * stint_archive_import:
 * @self: an archive
 * @rows: (element-type StintRow): finished jobs without ids; they get them
 * @by_command: whether nobody knows when they ran
 * @error: the history cannot be written; what was added stays
 *
 * Adds jobs that ran elsewhere. One that is there already is passed over: the same command at the same
 * time, or, @by_command, the same command.
 *
 * Returns: how many were added, or -1
 */
int stint_archive_import (StintArchive *self, GPtrArray *rows, gboolean by_command, GError **error);

/**
 * StintRetention:
 * @max_age: microseconds; 0: any
 * @max_jobs: 0: any number
 * @max_bytes: of transcripts, on the disk; 0: any
 *
 * What is kept. Pinned jobs, and those that run, are kept whatever it says.
 */
typedef struct
{
  gint64 max_age;
  guint64 max_jobs;
  guint64 max_bytes;
} StintRetention;

#define STINT_RETENTION_DEFAULT                                                                    \
  ((StintRetention){ G_GINT64_CONSTANT (90) * 86400 * G_USEC_PER_SEC, 0,                           \
                     G_GUINT64_CONSTANT (10) << 30 })

/**
 * StintRemoved:
 * @n_jobs: how many jobs were removed
 * @bytes: what their transcripts took on the disk
 * @n_held: how many were left because they run or are looked at
 *
 * What became of a removal.
 */
typedef struct
{
  guint n_jobs;
  guint64 bytes;
  guint n_held;
} StintRemoved;

/**
 * stint_archive_remove:
 * @self: an archive
 * @ids: (array length=n_ids): which
 * @n_ids: how many
 * @removed: (out): what became of it
 * @error: the history cannot be written
 *
 * Removes jobs: rows at once, and what else there is of them with stint_archive_sweep(). One that
 * runs or is looked at (stint_job_directories_hold()) stays.
 */
gboolean stint_archive_remove (StintArchive *self,
                               const guint64 *ids,
                               guint n_ids,
                               StintRemoved *removed,
                               GError **error);

/**
 * stint_archive_find_expired:
 * @self: an archive
 * @retention: what is kept
 * @now: microseconds since 1970
 * @error: the history cannot be read
 *
 * Returns: (transfer full) (element-type guint64): the jobs that are to go
 */
GArray *stint_archive_find_expired (StintArchive *self,
                                    const StintRetention *retention,
                                    gint64 now,
                                    GError **error);

/**
 * stint_archive_sweep:
 * @self: an archive
 * @error: something could not be removed; it is tried again the next time
 *
 * Removes transcripts and indexed words of jobs whose rows are gone, also of a removal that was cut
 * short. Takes its time: not for the thread that others wait for.
 */
gboolean stint_archive_sweep (StintArchive *self, GError **error);

/**
 * stint_archive_clear:
 * @self: an archive
 * @removed: (out): what became of it
 * @error: the history cannot be written
 *
 * Removes every job but those that run or are looked at, pinned ones too, their transcripts, the saved
 * searches and the search index, and overwrites what the database had of them.
 */
gboolean stint_archive_clear (StintArchive *self, StintRemoved *removed, GError **error);

G_END_DECLS
