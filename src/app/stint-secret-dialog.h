/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "stint-job-spec.h"

G_BEGIN_DECLS

#define STINT_TYPE_SECRET_DIALOG (stint_secret_dialog_get_type ())
G_DECLARE_FINAL_TYPE (StintSecretDialog, stint_secret_dialog, STINT, SECRET_DIALOG, AdwWindow)

/*
 * Signals:
 *
 *   filled ()  the spec has all it needs; the dialog closes
 */

/**
 * stint_secret_dialog_new:
 * @parent: (nullable): the window it belongs to
 * @spec: an unsealed spec that lacks the values of secrets; it gets them
 *
 * Returns: (transfer none): the dialog, to be presented
 */
StintSecretDialog *stint_secret_dialog_new (GtkWindow *parent, StintJobSpec *spec);

G_END_DECLS
