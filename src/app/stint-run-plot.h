/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define STINT_TYPE_RUN_PLOT (stint_run_plot_get_type ())
G_DECLARE_FINAL_TYPE (StintRunPlot, stint_run_plot, STINT, RUN_PLOT, GtkWidget)

/* A bar for each run of a command, the oldest first: as high as it took, coloured by how it ended. */
StintRunPlot *stint_run_plot_new (void);

/**
 * stint_run_plot_set_runs:
 * @self: a plot
 * @runs: (element-type StintEntry): newest first; read now, and not kept
 * @id: the one that is marked
 */
void stint_run_plot_set_runs (StintRunPlot *self, GPtrArray *runs, guint64 id);

G_END_DECLS
