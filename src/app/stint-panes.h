/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-pane.h"

G_BEGIN_DECLS

#define STINT_PANES_KEPT 4

#define STINT_TYPE_PANES (stint_panes_get_type ())
G_DECLARE_FINAL_TYPE (StintPanes, stint_panes, STINT, PANES, GtkWidget)

/*
 * The place where one pane is shown. The panes of the jobs that were looked at last are kept, so
 * that coming back to one shows it as it was; all others are made anew.
 *
 * Signals:
 *
 *   pane-made (StintPane *pane)  a pane is about to be shown for the first time
 */

/**
 * stint_panes_show:
 * @self: the place
 * @job: (nullable): the job to show; %NULL, or one without a transcript yet: none
 * @settings: for a pane that must be made
 *
 * Returns: (transfer none) (nullable): its pane
 */
StintPane *stint_panes_show (StintPanes *self, StintJob *job, StintSettings *settings);

/* (transfer none) (nullable) */
StintPane *stint_panes_get_visible (StintPanes *self);

guint stint_panes_get_n_kept (StintPanes *self);

G_END_DECLS
