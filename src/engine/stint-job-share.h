/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job.h"

G_BEGIN_DECLS

/**
 * StintJobShare:
 *
 * A job of this process that another process of the same user may watch and steer: from its start on
 * there is a socket in its directory, see stint_job_list_watch_async(). One at a time may.
 */
typedef struct _StintJobShare StintJobShare;

/**
 * stint_job_share_new:
 * @job: a job that has not been run
 *
 * Shares the job as soon as it has started. That it cannot be shared is no reason to stop it.
 *
 * Returns: (transfer full): the share; it is to be freed before the job's end is reported to anybody
 *   who then ends this process
 */
StintJobShare *stint_job_share_new (StintJob *job);
void stint_job_share_free (StintJobShare *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintJobShare, stint_job_share_free)

G_END_DECLS
