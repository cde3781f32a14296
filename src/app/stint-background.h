/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "stint-job-list.h"

G_BEGIN_DECLS

/* The id of the notification, and the actions of the application that its buttons ask for. */
#define STINT_BACKGROUND_NOTIFICATION "background"
#define STINT_BACKGROUND_SHOW_ACTION "show-window"
#define STINT_BACKGROUND_STOP_ACTION "stop-all"

#define STINT_TYPE_BACKGROUND (stint_background_get_type ())
G_DECLARE_FINAL_TYPE (StintBackground, stint_background, STINT, BACKGROUND, GObject)

/*
 * While jobs run and there is no window: a notification that stays says so and how many, and offers to
 * show the window and to stop all. It goes with the last job, or when the window comes back.
 */

/**
 * stint_background_new:
 * @application: whose notification it is; it has the actions above
 * @jobs: the jobs
 *
 * Returns: (transfer full): nothing is in the background yet
 */
StintBackground *stint_background_new (GApplication *application, StintJobList *jobs);

/* The window has gone, and jobs go on; or it is back. */
void stint_background_set_active (StintBackground *self, gboolean active);
gboolean stint_background_get_active (StintBackground *self);

/* (transfer full): what is sent. */
GNotification *stint_background_dup_notification (StintBackground *self);

G_END_DECLS
