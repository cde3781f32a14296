/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-store.h"
#include "stint-left-job.h"

G_BEGIN_DECLS

#define STINT_TYPE_HISTORY (stint_history_get_type ())
G_DECLARE_FINAL_TYPE (StintHistory, stint_history, STINT, HISTORY, GObject)

/*
 * Properties:
 *
 *   directory   string   construct-only; where it is kept
 *
 * Signals:
 *
 *   problem (GError *error)   something the user should know: moved aside, cannot be written, ...
 *     In the main context of the request that met it, before its callback.
 *   changed ()               a job has begun, ended, or been changed or removed, by this program
 *   pruned (guint n_jobs, guint64 bytes)   old jobs were removed
 *   index-progress (guint64 done, guint64 total)
 *     how far stint_history_index() is; the same number twice: it is up to date
 */

/**
 * stint_history_new:
 * @directory: (nullable) (type filename): where it is kept, %NULL: `$XDG_STATE_HOME/stint`
 *
 * The history: `history.db` and `jobs/<id>/` below @directory; a #StintJobStore. All database work
 * happens on a thread of its own, in the order in which it was asked for; nothing is opened before
 * the first request.
 *
 * A history that cannot be opened or written never stops a job: its places are scratch places with
 * a warning, and #StintHistory::problem says so at the first of them. A damaged or newer database
 * is moved aside, never overwritten, and a new one is begun; #StintHistory::problem says so.
 *
 * Returns: (transfer full): the history
 */
StintHistory *stint_history_new (const char *directory);

/* (type filename) */
const char *stint_history_get_directory (StintHistory *self);

/**
 * stint_history_recover_async:
 * @self: the history
 * @callback: called when it is done
 * @user_data: for @callback
 *
 * Completes every row that says it is running but whose lock is free and whose owner is dead: it
 * becomes interrupted, with what the keeper left in `outcome`. What was to follow one that had been let
 * go and that ended while nobody was there is not run, and #StintHistory::problem says so.
 *
 * A keeper that outlived its owner is still ending its job, for the length of the grace and a
 * second: its row is left alone, and stint_history_get_n_ending() counts it. The caller asks again
 * some seconds later while that is not 0, and then loads what was recovered.
 */
void
stint_history_recover_async (StintHistory *self, GAsyncReadyCallback callback, gpointer user_data);

/* Returns: how many were recovered, -1 with @error set */
int stint_history_recover_finish (StintHistory *self, GAsyncResult *result, GError **error);

/**
 * stint_history_take_left:
 * @self: the history
 *
 * What the last recovery found to be taken over, with stint_job_list_adopt_async(). Given once.
 *
 * Returns: (transfer full) (element-type StintLeftJob): the jobs, oldest first
 */
GPtrArray *stint_history_take_left (StintHistory *self);

/**
 * stint_history_take_recovered:
 * @self: the history
 *
 * Which rows recoveries have completed, whatever the end of their jobs was. Given once.
 *
 * Returns: (transfer full) (element-type guint64): the ids
 */
GArray *stint_history_take_recovered (StintHistory *self);

/**
 * stint_history_list_elsewhere_async:
 * @self: the history
 * @callback: called when it is done
 * @user_data: for @callback
 *
 * Asks for the jobs that other living processes run.
 */
void stint_history_list_elsewhere_async (StintHistory *self,
                                         GAsyncReadyCallback callback,
                                         gpointer user_data);

/* Returns: (transfer full) (element-type StintLeftJob): the jobs; %NULL with @error set */
GPtrArray *
stint_history_list_elsewhere_finish (StintHistory *self, GAsyncResult *result, GError **error);

/* How many rows the last recovery left because their keeper is still ending the job. */
guint stint_history_get_n_ending (StintHistory *self);

/**
 * stint_history_load_async:
 * @self: the history
 * @limit: how many at most
 * @callback: called when it is done
 * @user_data: for @callback
 *
 * Reads the newest jobs that have finished. One that cannot be read is left out and reported by
 * #StintHistory::problem.
 */
void stint_history_load_async (StintHistory *self,
                               guint limit,
                               GAsyncReadyCallback callback,
                               gpointer user_data);

/* Returns: (transfer full) (element-type StintJob): newest first; the array owns its jobs. %NULL
 * with @error set */
GPtrArray *stint_history_load_finish (StintHistory *self, GAsyncResult *result, GError **error);

/**
 * stint_history_compress:
 * @self: the history
 *
 * From now on the transcripts of finished jobs are compressed in the background, those of earlier
 * runs first. Who reads them does not notice.
 */
void stint_history_compress (StintHistory *self);

/**
 * stint_history_index:
 * @self: the history
 * @limit: how many bytes of each job's output are searched at most
 *
 * From now on the search index is kept up to date in the background, and what is left of jobs that
 * were removed goes.
 */
void stint_history_index (StintHistory *self, guint64 limit);

/* Somebody who searched found the search index damaged: it is made again, if it is kept up to date. */
void stint_history_index_again (StintHistory *self);

/**
 * stint_history_close:
 * @self: the history
 *
 * Waits for what has been asked for and closes the database. Blocks, but no longer than 3 s: a disk
 * that hangs is left behind, and what it did not take is recovered at the next start. Call it last:
 * what is asked for afterwards fails with %STINT_ERROR_SHUTTING_DOWN. Callbacks that are due still
 * come, if the main context is iterated.
 *
 * Returns: %FALSE if something was left behind, which the user is to be told
 */
gboolean stint_history_close (StintHistory *self);

G_END_DECLS
