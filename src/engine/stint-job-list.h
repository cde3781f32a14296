/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "stint-job-store.h"
#include "stint-job.h"

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
 *   n-active     uint              jobs that have not finished
 *
 * Signals:
 *
 *   problem (StintJob *job, GError *error)   the job could not be saved
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

/* Adds a job of the history, which has finished. */
void stint_job_list_append_finished (StintJobList *self, StintJob *job);

/* Takes a job that has finished off the list; the history keeps it. */
void stint_job_list_remove (StintJobList *self, StintJob *job);

/* (transfer full) (nullable): the job with this id. */
StintJob *stint_job_list_lookup (StintJobList *self, guint64 id);

guint stint_job_list_get_max_running (StintJobList *self);
void stint_job_list_set_max_running (StintJobList *self, guint max_running);

/* (transfer full) (element-type StintJob): the jobs that have not finished. */
GPtrArray *stint_job_list_dup_active (StintJobList *self);

/* How many jobs have not finished, and how many finished ones are still being saved. */
guint stint_job_list_get_n_active (StintJobList *self);
guint stint_job_list_get_n_saving (StintJobList *self);

/* From now on stint_job_list_submit() refuses, and no queued job starts. */
void stint_job_list_close (StintJobList *self);
gboolean stint_job_list_is_closed (StintJobList *self);

G_END_DECLS
