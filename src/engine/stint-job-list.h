/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "stint-continuation.h"
#include "stint-job-store.h"
#include "stint-job.h"
#include "stint-left-job.h"

G_BEGIN_DECLS

#define STINT_TYPE_JOB_LIST (stint_job_list_get_type ())
G_DECLARE_FINAL_TYPE (StintJobList, stint_job_list, STINT, JOB_LIST, GObject)

/*
 * A GListModel of StintJob, newest first: queued, live and finished.
 *
 * Properties:
 *
 *   store        StintJobStore     construct-only
 *   max-running  uint              how many run at once; 0: as many as are submitted
 *   n-active     uint              jobs that have not finished and end with this process: not those that were let go
 *
 * Signals:
 *
 *   problem (StintJob *job, GError *error)   the job could not be saved
 *   continuation-failed (StintJob *job, StintContinuation *continuation, GError *error)
 *                                            what should have followed the job did not
 */

/**
 * stint_job_list_new:
 * @store: where jobs are kept
 *
 * Returns: (transfer full): an empty list
 */
StintJobList *stint_job_list_new (StintJobStore *store);

/**
 * stint_job_list_submit:
 * @self: the list
 * @spec: what to run; sealed by this
 * @stdio: (nullable): descriptors of the caller's for the command, see #StintStdio
 * @error: %STINT_ERROR_NO_COMMAND, %STINT_ERROR_SHUTTING_DOWN
 *
 * The one way in. The job starts at once or when its turn comes; its end is awaited with
 * stint_job_wait_async(). The list keeps the job until stint_job_list_remove().
 *
 * Returns: (transfer full): the job, or %NULL
 */
StintJob *stint_job_list_submit (StintJobList *self,
                                 StintJobSpec *spec,
                                 const StintStdio *stdio,
                                 GError **error);

/**
 * stint_job_list_submit_after:
 * @self: the list
 * @job: the job that has ended, and that this one follows
 * @spec: what to run; sealed by this
 * @attempt: 1, or which attempt at the same it is
 * @error: as of stint_job_list_submit()
 *
 * Submits what follows a job: see #StintJob:follows.
 *
 * Returns: (transfer full): the job, or %NULL
 */
StintJob *stint_job_list_submit_after (StintJobList *self,
                                       StintJob *job,
                                       StintJobSpec *spec,
                                       guint attempt,
                                       GError **error);

/**
 * stint_job_list_add_continuation:
 * @self: the list
 * @job: a job of it
 * @continuation: what follows it
 *
 * When @job ends @continuation is run; if it has ended, now. Several are run in the order in which
 * they were added; one with the name of another takes its place. None is run after
 * stint_job_list_close(). As long as a continuation may submit a job #StintJobList:n-active does not
 * become 0 in between.
 */
void stint_job_list_add_continuation (StintJobList *self,
                                      StintJob *job,
                                      StintContinuation *continuation);

/* Nothing of this name follows @job any more. Returns: whether there was such a one. */
gboolean stint_job_list_remove_continuation (StintJobList *self, StintJob *job, const char *name);

/* (transfer full) (element-type StintContinuation): what will follow @job. */
GPtrArray *stint_job_list_dup_continuations (StintJobList *self, StintJob *job);

/* (transfer full) (element-type StintJob): the jobs that have followed @job, oldest first. */
GPtrArray *stint_job_list_dup_followers (StintJobList *self, StintJob *job);

/**
 * stint_job_list_adopt_async:
 * @self: the list
 * @left: a job that was let go
 * @callback: called when it is in the list, or cannot be had
 * @user_data: for @callback
 *
 * Takes over a job that an earlier process let go: from now on it is a job of this list like any
 * other, with its output, its limits, its end and what follows that. It stays let go until
 * stint_job_attach().
 */
void stint_job_list_adopt_async (StintJobList *self,
                                 const StintLeftJob *left,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);

/**
 * stint_job_list_adopt_finish:
 * @self: the list
 * @result: of the callback
 * @error: %G_IO_ERROR_NOT_FOUND or %G_IO_ERROR_CONNECTION_REFUSED: it has ended meanwhile;
 *   %G_IO_ERROR_BUSY: somebody else has it; others: the user should know
 *
 * Returns: (transfer full): the job, or %NULL
 */
StintJob *
stint_job_list_adopt_finish (StintJobList *self, GAsyncResult *result, GError **error);

/**
 * stint_job_list_watch_async:
 * @self: the list
 * @left: a job that another process owns
 * @callback: called when it is in the list, or cannot be had
 * @user_data: for @callback
 *
 * Lists a job that its owner shares: see stint_job_is_elsewhere(). It can be watched and stopped here,
 * and is not counted among those that are active: it neither ends with this process nor takes a
 * place in the queue.
 */
void stint_job_list_watch_async (StintJobList *self,
                                 const StintLeftJob *left,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);

/* Returns: (transfer full): the job, or %NULL with the errors of stint_job_list_adopt_finish(). */
StintJob *
stint_job_list_watch_finish (StintJobList *self, GAsyncResult *result, GError **error);

/* Adds a job of the history, which has finished. */
void stint_job_list_append_finished (StintJobList *self, StintJob *job);

/* Takes a job that has finished off the list; the history keeps it. */
void stint_job_list_remove (StintJobList *self, StintJob *job);

/* (transfer full) (nullable): the job with this id. */
StintJob *stint_job_list_lookup (StintJobList *self, guint64 id);

guint stint_job_list_get_max_running (StintJobList *self);
void stint_job_list_set_max_running (StintJobList *self, guint max_running);

/* Of a job that waits for its turn, 1 being the next; 0 for any other. */
guint stint_job_list_get_position (StintJobList *self, StintJob *job);

/* How many wait for their turn. */
guint stint_job_list_get_n_queued (StintJobList *self);

/* Moves a job that waits for its turn: one place up, or to @position, 1 being the next. Returns:
 * whether it waits. */
gboolean stint_job_list_move_up (StintJobList *self, StintJob *job);
gboolean stint_job_list_move (StintJobList *self, StintJob *job, guint position);

/* Starts a queued job, whatever its time and the limit. Returns: whether it was queued. A queued job
 * is cancelled like any other, by stint_job_stop(). */
gboolean stint_job_list_start_now (StintJobList *self, StintJob *job);

/* (transfer full) (element-type StintJob): the jobs that have not finished and were not let go. */
GPtrArray *stint_job_list_dup_active (StintJobList *self);

/* How many those are, and how many finished ones are still being saved. */
guint stint_job_list_get_n_active (StintJobList *self);
guint stint_job_list_get_n_saving (StintJobList *self);

/* From now on stint_job_list_submit() refuses, no queued job starts, and nothing follows a job. */
void stint_job_list_close (StintJobList *self);
gboolean stint_job_list_is_closed (StintJobList *self);

/* (transfer none): the token of the shutdown: cancelled by stint_job_list_close(). Whoever begins
 * something that takes time and is no job gives it this. */
GCancellable *stint_job_list_get_cancellable (StintJobList *self);

G_END_DECLS
