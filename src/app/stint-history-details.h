/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "stint-history.h"

G_BEGIN_DECLS

#define STINT_TYPE_HISTORY_DETAILS (stint_history_details_get_type ())
G_DECLARE_FINAL_TYPE (StintHistoryDetails, stint_history_details, STINT, HISTORY_DETAILS, AdwWindow)

/**
 * stint_history_details_new:
 * @parent: the window it belongs to
 * @history: where the job is
 * @id: which
 *
 * All that is known of a job: its name, tags and pin, which can be changed here, its facts, and the
 * other runs of its command.
 *
 * Returns: (transfer none): the dialog, to be presented
 */
StintHistoryDetails *
stint_history_details_new (GtkWindow *parent, StintHistory *history, guint64 id);

G_END_DECLS
