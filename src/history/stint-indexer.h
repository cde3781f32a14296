/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * StintIndexProgress:
 * @done: how many jobs have been taken in since it began to work
 * @total: of how many, as far as it knows; @done = @total: it is up to date
 * @warning: (nullable): what people are to be told, though it goes on
 *
 * Called on the thread that indexes, between two batches.
 */
typedef void (*StintIndexProgress) (guint64 done,
                                    guint64 total,
                                    const GError *warning,
                                    gpointer user_data);

/**
 * stint_index_update:
 * @directory: (type filename): the history's
 * @limit: how many bytes of each job's output are indexed at most
 * @progress: (nullable):
 * @user_data: for @progress
 * @cancellable: (nullable): stops it between two jobs; what is done stays done
 * @error: %G_IO_ERROR_BUSY if another process does it now
 *
 * Brings the search index up to date with the history. Takes its time: it is for a thread. Never
 * holds a lock of the history, and none at all while it reads transcripts.
 */
gboolean stint_index_update (const char *directory,
                             guint64 limit,
                             StintIndexProgress progress,
                             gpointer user_data,
                             GCancellable *cancellable,
                             GError **error);

/**
 * StintIndexer:
 *
 * A thread that does so in the background, giving way to everybody else, now and after each
 * stint_indexer_wake().
 */
typedef struct _StintIndexer StintIndexer;

/* What became known: in the main context in which the indexer was made. @error: (nullable) */
typedef void (*StintIndexerNotify) (guint64 done,
                                    guint64 total,
                                    const GError *error,
                                    gpointer user_data);

/* (transfer full): one that has begun; @notify is called until it is freed. */
StintIndexer *stint_indexer_new (const char *directory,
                                 guint64 limit,
                                 StintIndexerNotify notify,
                                 gpointer user_data);

/* Something has changed. */
void stint_indexer_wake (StintIndexer *self);

/* Waits until there is nothing to do; for tests. */
void stint_indexer_wait (StintIndexer *self);

/* Stops after the job it is at; waits a moment at most. */
void stint_indexer_free (StintIndexer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintIndexer, stint_indexer_free)

G_END_DECLS
