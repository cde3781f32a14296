/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-job-spec.h"
#include "stint-login-environment.h"
#include "stint-settings.h"

G_BEGIN_DECLS

#define STINT_TYPE_STARTER (stint_starter_get_type ())
G_DECLARE_FINAL_TYPE (StintStarter, stint_starter, STINT, STARTER, GObject)

/*
 * Signals:
 *
 *   ready (StintJobSpec *spec)  it has all it needs, and is to be submitted
 *   problem (GError *error)     the login shell's environment could not be read; once
 */

/**
 * stint_starter_new:
 * @settings: for the workspace
 * @login_environment: (nullable): for what is started from the window; %NULL: this process's own
 *   environment
 *
 * What lies between wanting to run something from the window and submitting it: secrets that are
 * looked up or asked for, and the environment, unless it comes with one.
 *
 * Returns: (transfer full): the starter
 */
StintStarter *stint_starter_new (StintSettings *settings, StintLoginEnvironment *login_environment);

/**
 * stint_starter_start:
 * @self: the starter
 * @spec: an unsealed spec, which is changed
 * @parent: (nullable): where to ask
 *
 * Leads to #StintStarter::ready, or to nothing if the user does not want to give a secret.
 */
void stint_starter_start (StintStarter *self, StintJobSpec *spec, GtkWindow *parent);

/* Something is soon going to be started: what takes time is begun. */
void stint_starter_prepare (StintStarter *self);

G_END_DECLS
