/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Inside of a StintJobList: which of its jobs start when.
 */
#pragma once

#include "stint-job.h"

G_BEGIN_DECLS

#define STINT_TYPE_JOB_QUEUE (stint_job_queue_get_type ())
G_DECLARE_FINAL_TYPE (StintJobQueue, stint_job_queue, STINT, JOB_QUEUE, GObject)

/* (transfer full): an empty queue without a limit. */
StintJobQueue *stint_job_queue_new (void);

/* Takes a job that is held (see stint_job_hold()): it is released when its time has come, and then
 * its turn. The caller keeps it alive until stint_job_queue_remove(). */
void stint_job_queue_add (StintJobQueue *self, StintJob *job);

/* Counts a job that runs already among those that do. */
void stint_job_queue_add_running (StintJobQueue *self);

/* @job has finished, whether it was released or not. */
void stint_job_queue_remove (StintJobQueue *self, StintJob *job);

/* How many may run at once; 0: no limit. */
guint stint_job_queue_get_max_running (StintJobQueue *self);
void stint_job_queue_set_max_running (StintJobQueue *self, guint max_running);

/* 1: the next one; 0: it does not wait for its turn. */
guint stint_job_queue_get_position (StintJobQueue *self, StintJob *job);
guint stint_job_queue_get_length (StintJobQueue *self);

/* Moves a job that waits for its turn; too great a position is the end. Returns: whether it waits. */
gboolean stint_job_queue_move (StintJobQueue *self, StintJob *job, guint position);

/* Releases a job whatever its time and the limit. Returns: whether it was still held. */
gboolean stint_job_queue_start_now (StintJobQueue *self, StintJob *job);

/* Nothing is released any more. */
void stint_job_queue_close (StintJobQueue *self);

G_END_DECLS
