/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-store.h"
#include "stint-job.h"

G_BEGIN_DECLS

/* The job waits in the queue until it is released. To be called before it is run. */
void stint_job_hold (StintJob *self);
void stint_job_release (StintJob *self);

/* What its list tells it: where it stands, when it starts (%STINT_NEVER and 0: at its turn), and of
 * which sequence it is part (to be called before it is run). */
void stint_job_set_queue_position (StintJob *self, guint position);
void stint_job_get_start (StintJob *self, gint64 *monotonic, gint64 *real);
void stint_job_set_start (StintJob *self, gint64 monotonic, gint64 real);
void stint_job_set_origin (StintJob *self, guint64 follows, guint attempt);

G_END_DECLS
