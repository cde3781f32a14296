/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-store.h"
#include "stint-row.h"

G_BEGIN_DECLS

/*
 * The history as one thread sees it: every call blocks. Opens the database at the first call, and
 * again after a failure.
 */
typedef struct _StintArchive StintArchive;

/* (transfer full): the archive below @directory, an absolute path. Opens nothing yet. */
StintArchive *stint_archive_new (const char *directory);

/* Tries once more to save what could not be saved, and closes the database. */
void stint_archive_free (StintArchive *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintArchive, stint_archive_free)

/**
 * stint_archive_take_problems:
 * @self: an archive
 *
 * Returns: (transfer full) (nullable) (element-type GError): what the user should know of what has
 *   happened since the last call
 */
GPtrArray *stint_archive_take_problems (StintArchive *self);

/**
 * stint_archive_rest:
 * @self: an archive
 *
 * Does what nobody waits for; after an answer has been given. After a job has begun rather than
 * after it has finished, since a command line ends with its job.
 */
void stint_archive_rest (StintArchive *self);

/**
 * stint_archive_begin:
 * @self: an archive
 * @row: a row without id and result; gets its id
 * @error: not even a scratch place could be made
 *
 * Writes the row and makes the job's directory. If that fails the place is a scratch place, with a
 * warning, and an id above every other that this process has seen.
 *
 * Returns: (transfer full): the place, or %NULL
 */
StintJobPlace *stint_archive_begin (StintArchive *self, StintRow *row, GError **error);

/**
 * stint_archive_finish:
 * @self: an archive
 * @row: (transfer full): a row with id and result
 * @error: it could not be written; it is tried again at the following calls
 *
 * Completes the row; writes it, if the database has been exchanged since. A job with a scratch
 * place has none: that has been said when it began.
 */
gboolean stint_archive_finish (StintArchive *self, StintRow *row, GError **error);

/* Writes that this process runs the job @id, whether it is let go, and what was @added to follow it
 * (nullable). %FALSE with @error set. */
gboolean stint_archive_note (StintArchive *self,
                             guint64 id,
                             gboolean detached,
                             const char *added,
                             GError **error);

/**
 * stint_archive_recover:
 * @self: an archive
 * @shows: whether the caller shows what was recovered; else it is kept for the next one who does, as is
 *   the word that something was to follow a job
 * @left: (element-type StintLeftJob): gets the jobs that were let go and still run
 * @recovered: (element-type guint64): gets the ids of the rows that were completed, and of those that
 *   were kept for who shows them
 * @n_ending: (out): how many rows were left because their keeper is still ending the job
 * @error: the database cannot be used
 *
 * Returns: how many were @recovered, or -1
 */
int stint_archive_recover (StintArchive *self,
                           gboolean shows,
                           GPtrArray *left,
                           GArray *recovered,
                           guint *n_ending,
                           GError **error);

/**
 * stint_archive_load:
 * @self: an archive
 * @limit: how many at most
 * @error: the database cannot be used
 *
 * Returns: (transfer full) (element-type StintRecord): the newest finished jobs, newest first
 */
GPtrArray *stint_archive_load (StintArchive *self, guint limit, GError **error);

/**
 * stint_archive_list_elsewhere:
 * @self: an archive
 * @left: (element-type StintLeftJob): gets the jobs that other living processes run
 * @error: the database cannot be used
 */
gboolean stint_archive_list_elsewhere (StintArchive *self, GPtrArray *left, GError **error);

G_END_DECLS
