/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-history.h"
#include "stint-job-board.h"
#include "stint-job-list.h"
#include "stint-settings.h"

G_BEGIN_DECLS

#define STINT_TYPE_HISTORY_PAGE (stint_history_page_get_type ())
G_DECLARE_FINAL_TYPE (StintHistoryPage, stint_history_page, STINT, HISTORY_PAGE, GtkWidget)

/*
 * Every job that was run: searched as one types, sorted, grouped; opened, run again, named, tagged,
 * pinned, removed.
 *
 * Signals:
 *
 *   show-job (StintJob *job)               the user wants to see its page
 *   show-beside (StintJob *job)            the same, beside the page that was seen last
 *   start (StintJobSpec *spec)             the user wants this to be run
 *   edit (StintJobSpec *spec)              the user wants to change this, and then run it
 *   problem (char *title, GError *error)   something could not be done
 */

/* @jobs: a job that is there is shown from there. */
void stint_history_page_set_jobs (StintHistoryPage *self, StintJobList *jobs);

/* @board: what is removed from the history is taken off it. */
void stint_history_page_set_board (StintHistoryPage *self, StintJobBoard *board);

/* @settings: keep how it is sorted and grouped, and which columns are shown how wide. */
void stint_history_page_set_settings (StintHistoryPage *self, StintSettings *settings);

/* What it shows; until then, nothing. */
void stint_history_page_set_history (StintHistoryPage *self, StintHistory *history);

/* What is looked for, as typed. */
void stint_history_page_search (StintHistoryPage *self, const char *text);

/* Asks for the page of a job, `show-job`, or tells why not. */
void stint_history_page_open (StintHistoryPage *self, guint64 id);

G_END_DECLS
