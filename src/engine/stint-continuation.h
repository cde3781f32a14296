/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job.h"

G_BEGIN_DECLS

#define STINT_TYPE_CONTINUATION (stint_continuation_get_type ())
G_DECLARE_FINAL_TYPE (StintContinuation, stint_continuation, STINT, CONTINUATION, GObject)

/**
 * StintContinuationFunc:
 * @owner: (type GObject): the #StintJobList that calls
 * @job: the job that has ended; its result tells how
 * @data: the continuation's
 * @error: what went wrong. It is told to the user, and nothing of the continuation's follows.
 *
 * What follows a job. It is not called once shutdown has begun, and starts jobs by
 * stint_job_list_submit_after(), which refuses then too.
 *
 * Returns: %FALSE with @error set if it failed
 */
typedef gboolean (*StintContinuationFunc) (gpointer owner,
                                           StintJob *job,
                                           gpointer data,
                                           GError **error);

/**
 * StintContinuationFuncs:
 * @succeeded: (nullable): after a job that succeeded
 * @failed: (nullable): after one that failed
 * @cancelled: (nullable): after one that was stopped
 *
 * What follows each #StintEnding; %NULL: nothing.
 */
typedef struct
{
  StintContinuationFunc succeeded;
  StintContinuationFunc failed;
  StintContinuationFunc cancelled;
} StintContinuationFuncs;

/**
 * stint_continuation_new:
 * @name: what it is, for logs and for messages: "then", "retry"
 * @funcs: copied
 * @data: for @funcs
 * @destroy: (nullable): frees @data, after the one call or without it
 *
 * See stint_job_list_add_continuation().
 *
 * Returns: (transfer full): the continuation of one job
 */
StintContinuation *stint_continuation_new (const char *name,
                                           const StintContinuationFuncs *funcs,
                                           gpointer data,
                                           GDestroyNotify destroy);

const char *stint_continuation_get_name (StintContinuation *self);

/* Calls what follows @job, which has ended: once, whatever is asked. */
gboolean stint_continuation_run (StintContinuation *self,
                                 gpointer owner,
                                 StintJob *job,
                                 GError **error);

G_END_DECLS
