/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-job-list.h"

G_BEGIN_DECLS

#define STINT_TYPE_JOB_ORDER (stint_job_order_get_type ())
G_DECLARE_FINAL_TYPE (StintJobOrder, stint_job_order, STINT, JOB_ORDER, GObject)

/**
 * stint_job_order_new:
 * @jobs: the jobs
 *
 * The jobs as the sidebar shows them: those that run first, then those that wait, then those that
 * have finished; the newest first in each. It keeps itself in order as jobs change.
 *
 * Returns: (transfer full): the order
 */
StintJobOrder *stint_job_order_new (GListModel *jobs);

/* (transfer none): a model of StintJob. */
GListModel *stint_job_order_get_model (StintJobOrder *self);

/* Where a job stands, or GTK_INVALID_LIST_POSITION. */
guint stint_job_order_find (StintJobOrder *self, StintJob *job);

G_END_DECLS
