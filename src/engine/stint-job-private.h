/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-store.h"
#include "stint-job.h"

G_BEGIN_DECLS

/* The job waits in the queue until it is released. To be called before it is run. */
void stint_job_hold (StintJob *self);
void stint_job_release (StintJob *self);

G_END_DECLS
