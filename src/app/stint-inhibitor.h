/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-job-list.h"
#include "stint-settings.h"

G_BEGIN_DECLS

#define STINT_TYPE_INHIBITOR (stint_inhibitor_get_type ())
G_DECLARE_FINAL_TYPE (StintInhibitor, stint_inhibitor, STINT, INHIBITOR, GObject)

/**
 * stint_inhibitor_new:
 * @application: who asks
 * @jobs: while some of these have not finished
 * @settings: whether the computer is kept awake too
 *
 * Asks the session not to end, and if wanted the computer not to suspend, while jobs run. The desktop
 * tells its user why, and that they can end it all the same.
 *
 * Returns: (transfer full): the inhibitor, until it is disposed of
 */
StintInhibitor *
stint_inhibitor_new (GtkApplication *application, StintJobList *jobs, StintSettings *settings);

/* What is asked for now. */
GtkApplicationInhibitFlags stint_inhibitor_get_flags (StintInhibitor *self);

G_END_DECLS
