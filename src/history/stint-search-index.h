/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <sqlite3.h>

#include "stint-aside.h"

G_BEGIN_DECLS

/* Of one job's output, what is indexed unless set otherwise. */
#define STINT_INDEX_DEFAULT_LIMIT (G_GUINT64_CONSTANT (1) << 20)

/* How much text is best written at once, bytes: so much is sorted in memory. */
#define STINT_INDEX_PIECE (4 * 1024 * 1024)

/* The version of the index's tables, and of what stint_search_text_append() and StintBeginnings do. */
#define STINT_INDEX_VERSION 4

/**
 * StintSearchIndex:
 *
 * `search.db`: which words are in which job. Made of the history and of the transcripts, and made
 * again if it is damaged, older, or of another history: nothing is lost with it. It has a file, and
 * so a lock, of its own: who begins or finishes a job never waits for who indexes. For one thread at a
 * time, which may wait.
 */
typedef struct _StintSearchIndex StintSearchIndex;

/* (transfer full): @directory: (type filename): the history's. Opens nothing yet. */
StintSearchIndex *stint_search_index_new (const char *directory);
void stint_search_index_free (StintSearchIndex *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintSearchIndex, stint_search_index_free)

/**
 * stint_search_index_open:
 * @self: an index
 * @identity: of the history that it is to be of
 * @stamp: (out): the last change of that history that it has taken in
 * @cancellable: (nullable): while it waits
 * @error: it cannot be used, or somebody else has been writing it for some seconds
 *   (%G_IO_ERROR_BUSY)
 *
 * Opens or makes it, for writing: one at a time, over all processes.
 */
gboolean stint_search_index_open (StintSearchIndex *self,
                                  gint64 identity,
                                  gint64 *stamp,
                                  GCancellable *cancellable,
                                  GError **error);

/**
 * stint_search_index_take_damage:
 * @self: an open index
 * @warning: (out): for people: that it was damaged
 *
 * Returns: whether it was damaged, and that has not been told yet
 */
gboolean stint_search_index_take_damage (StintSearchIndex *self, GError **warning);

/**
 * stint_search_index_condemn:
 * @self: an index that is not open
 * @file: what turned out to be damaged. Its reader still has it open, so that no other file can have got
 *   the same identity.
 *
 * If that is still the index, it is made again by who opens it next.
 */
void stint_search_index_condemn (StintSearchIndex *self, const StintFileIdentity *file);

/* Lets others write. */
void stint_search_index_close (StintSearchIndex *self);

/**
 * StintSearchDocument:
 * @directory: (nullable): where the job ran
 * @output: what stint_search_index_read_output() gave
 *
 * What is indexed of a job.
 */
typedef struct
{
  guint64 id;
  gint64 changed;
  char *command;
  char *name;
  char *tags;
  char *directory;
  GString *output;
} StintSearchDocument;

void stint_search_document_free (StintSearchDocument *self);

/**
 * stint_search_index_read_output:
 * @directory: (type filename): a job directory
 * @limit: how many bytes at most: half from the beginning, half from the end
 * @cancellable: (nullable): as if there were no more
 *
 * Returns: (transfer full): the words of the output; empty if there is none
 */
GString *
stint_search_index_read_output (const char *directory, guint64 limit, GCancellable *cancellable);

/**
 * stint_search_index_put:
 * @self: an open index
 * @documents: (element-type StintSearchDocument): with their outputs
 * @limit: of stint_search_index_read_output()
 * @stamp: the last change that is in it then
 * @error: it could not be written; %STINT_ERROR_DAMAGED: it is to be opened again, which makes it again
 *
 * Writes them in one transaction, in place of what there was of the same jobs.
 */
gboolean stint_search_index_put (StintSearchIndex *self,
                                 GPtrArray *documents,
                                 guint64 limit,
                                 gint64 stamp,
                                 GError **error);

/* Forgets job @id, while its job directory is still there. */
gboolean stint_search_index_remove (StintSearchIndex *self, guint64 id, GError **error);

/* Whether @rc, a result code of a statement on the index, says that the index is damaged. */
gboolean stint_search_index_is_damage (int rc);

/* Returns: an SQLite result code; SQLITE_ROW: @value is set */
int stint_search_index_read_integer (sqlite3 *db, const char *sql, gint64 *value);

/* (transfer full) (type filename): `search.db` of the history in @directory. */
char *stint_search_index_dup_path (const char *directory);

G_END_DECLS
