/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-job-actions.h"
#include "stint-job-board.h"

G_BEGIN_DECLS

/**
 * StintPlace:
 * @STINT_PLACE_OVERVIEW: what goes on, and a way to start something
 * @STINT_PLACE_HISTORY: what has been
 * @STINT_PLACE_JOB: the page of a job
 *
 * What the sidebar leads to.
 */
typedef enum
{
  STINT_PLACE_OVERVIEW,
  STINT_PLACE_HISTORY,
  STINT_PLACE_JOB,
} StintPlace;

#define STINT_TYPE_SIDEBAR (stint_sidebar_get_type ())
G_DECLARE_FINAL_TYPE (StintSidebar, stint_sidebar, STINT, SIDEBAR, GtkWidget)

/*
 * Overview and History, and below them the jobs of the board in their sections.
 *
 * Properties:
 *
 *   filtering    boolean  whether the entry to filter by is shown
 *   activatable  boolean  whether a click is enough to go there, as where there is room for the list only
 *
 * Signals:
 *
 *   place-changed ()   another place or job has been selected
 *   activated ()       and the user wants to go there
 *   actions-made (StintJobActions *actions)   for a menu or what is selected: to be listened to
 */

void stint_sidebar_set_board (StintSidebar *self, StintJobBoard *board);

StintPlace stint_sidebar_get_place (StintSidebar *self);

/* Selects a place, and no job. */
void stint_sidebar_select_place (StintSidebar *self, StintPlace place);

/* (nullable) (transfer none): the one job that is selected. */
StintJob *stint_sidebar_get_job (StintSidebar *self);

/* Selects a job and scrolls to it, filtered out or not. FALSE: it is not on the board. */
gboolean stint_sidebar_select_job (StintSidebar *self, StintJob *job);

/* Takes a job that has finished off the board. What is selected, and the focus, go on to the next one. */
gboolean stint_sidebar_dismiss (StintSidebar *self, StintJob *job);

/* Gives the focus to what is selected. */
void stint_sidebar_focus (StintSidebar *self);

G_END_DECLS
