/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-store.h"
#include "stint-job.h"
#include "stint-keeper-adopt.h"
#include "stint-left-job.h"

G_BEGIN_DECLS

/* The job waits in the queue until it is released. To be called before it is run. */
void stint_job_hold (StintJob *self);
void stint_job_release (StintJob *self);

/* What its list tells it: where it stands, and when it starts (%STINT_NEVER and 0: at its turn). */
void stint_job_set_queue_position (StintJob *self, guint position);
void stint_job_get_start (StintJob *self, gint64 *monotonic, gint64 *real);
void stint_job_set_start (StintJob *self, gint64 monotonic, gint64 real);

/* Notes a line that is to follow it, beside those of its spec; see stint_sequence_add(). A job that is
 * let go has it recorded. */
void stint_job_note_added (StintJob *self, StintThen when, const char *line);

/* Its next attempt takes them over. Returns: (transfer full) (nullable): as stint_job_dup_added(). */
char *stint_job_move_added (StintJob *self);

/* Whether what has been added so far is another's now. */
gboolean stint_job_has_moved_added (StintJob *self);

/* It is let go and has just ended: the end is left for the next start to record, and to tell what was
 * to follow it, if the keeper has written it down. To be called as its state changes. */
void stint_job_leave_end (StintJob *self);

/* For tests: how late a keeper may be before it is looked for, and how long after that it is left
 * alone; microseconds. */
void stint_job_set_patience (gint64 margin, gint64 patience);

/**
 * stint_job_new_adopted:
 * @left: what is known of it
 * @handover: what its keeper gave; its descriptors are taken
 * @error: no descriptors or no memory
 *
 * A job that was let go and has been found again. It is starting until its keeper has said more.
 *
 * Returns: (transfer full): the job, to be run with stint_job_run_adopted_async(), or %NULL
 */
StintJob *stint_job_new_adopted (const StintLeftJob *left,
                                 StintKeeperHandover *handover,
                                 GError **error);

/* The socket in a job directory by which its owner shares it. */
#define STINT_JOB_SHARE_FILE "owner"
#define STINT_JOB_SHARE_FILE_NEW "owner.new" /* before it can be connected to */

/* The same of a job that another process owns and shares; it runs without being run. */
StintJob *stint_job_new_elsewhere (const StintLeftJob *left,
                                   StintKeeperHandover *handover,
                                   GError **error);

/* As stint_job_run_async(), for an adopted job: completed by stint_job_run_finish(). */
void stint_job_run_adopted_async (StintJob *self,
                                  StintJobStore *store,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);

G_END_DECLS
