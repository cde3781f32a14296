/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-job-board.h"

G_BEGIN_DECLS

#define STINT_TYPE_OVERVIEW (stint_overview_get_type ())
G_DECLARE_FINAL_TYPE (StintOverview, stint_overview, STINT, OVERVIEW, GtkWidget)

/*
 * What goes on, and a place to start something.
 *
 * Signals:
 *
 *   start (StintJobSpec *spec)   to be run; not resolved
 *   show-job (StintJob *job)
 */

void stint_overview_set_board (StintOverview *self, StintJobBoard *board);

/* @presets: (nullable): a model of StintPreset, that can be started with a click. */
void stint_overview_set_presets (StintOverview *self, GListModel *presets);

G_END_DECLS
