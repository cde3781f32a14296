/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-job-list.h"

G_BEGIN_DECLS

#define STINT_TYPE_HISTORY_PAGE (stint_history_page_get_type ())
G_DECLARE_FINAL_TYPE (StintHistoryPage, stint_history_page, STINT, HISTORY_PAGE, GtkWidget)

/*
 * The jobs that have ended.
 *
 * Signals:
 *
 *   show-job (StintJob *job)   the user wants to see its page
 */

/* Shows what of @jobs has finished. */
void stint_history_page_set_jobs (StintHistoryPage *self, StintJobList *jobs);

/* What is looked for, as typed. */
void stint_history_page_search (StintHistoryPage *self, const char *text);

G_END_DECLS
