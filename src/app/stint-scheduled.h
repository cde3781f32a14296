/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-job-list.h"

G_BEGIN_DECLS

#define STINT_TYPE_SCHEDULED (stint_scheduled_get_type ())
G_DECLARE_FINAL_TYPE (StintScheduled, stint_scheduled, STINT, SCHEDULED, GObject)

/*
 * Signals:
 *
 *   start (StintJobSpec *spec)        the user wants a job that was kept to be started
 *   problem (GError *error)           the jobs could not be kept, or not be read
 */

/**
 * stint_scheduled_new:
 * @directory: (type filename): where they are kept, `scheduled.json`; made if need be
 *
 * Jobs whose time had not come when Stint quit: kept, and offered at the next start.
 *
 * Returns: (transfer full): nothing has been read yet
 */
StintScheduled *stint_scheduled_new (const char *directory);

/* Keeps those of @jobs that wait for their time, besides what was kept and has not been answered. Blocks
 * for as long as it takes to write a small file: for the end. Returns: how many they are. */
guint stint_scheduled_keep (StintScheduled *self, StintJobList *jobs);

/* Asks about what was kept, if that is anything and it has not been asked. */
void stint_scheduled_offer (StintScheduled *self, GtkWindow *window);

G_END_DECLS
