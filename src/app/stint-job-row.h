/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-job-entry.h"

G_BEGIN_DECLS

#define STINT_TYPE_JOB_ROW (stint_job_row_get_type ())
G_DECLARE_FINAL_TYPE (StintJobRow, stint_job_row, STINT, JOB_ROW, GtkWidget)

/*
 * A job in the sidebar.
 *
 * Properties:
 *
 *   entry  StintJobEntry  (nullable): its place on the board; sets the job
 *   job    StintJob       (nullable)
 *   plain  boolean        without the heading of its section
 */

/* (nullable) (transfer none) */
StintJob *stint_job_row_get_job (StintJobRow *self);
StintJobEntry *stint_job_row_get_entry (StintJobRow *self);

G_END_DECLS
