/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * StintHistoryFact:
 *
 * What a column of the history says of a job, beside its title.
 */
typedef enum
{
  STINT_FACT_OUTCOME,
  STINT_FACT_STARTED,
  STINT_FACT_DURATION,
  STINT_FACT_DIRECTORY,
  STINT_FACT_KIND,
  STINT_FACT_TAGS,
} StintHistoryFact;

#define STINT_TYPE_HISTORY_CELL (stint_history_cell_get_type ())
G_DECLARE_FINAL_TYPE (StintHistoryCell, stint_history_cell, STINT, HISTORY_CELL, GtkWidget)

/* One fact of a job, as wide as such facts mostly are. In the row of a group it is empty, but for the
 * outcome: how many of its jobs failed. */
GtkWidget *stint_history_cell_new (StintHistoryFact fact);

/* @item: (nullable): of a StintHistoryList */
void stint_history_cell_set_item (StintHistoryCell *self, gpointer item);

G_END_DECLS
