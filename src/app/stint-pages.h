/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-page.h"

G_BEGIN_DECLS

#define STINT_MOST_PAGES 4

#define STINT_TYPE_PAGES (stint_pages_get_type ())
G_DECLARE_FINAL_TYPE (StintPages, stint_pages, STINT, PAGES, GtkWidget)

/*
 * One to four pages of jobs, side by side. One of them is the current one: it shows what is selected, and
 * keys act on its job.
 *
 * Properties:
 *
 *   narrow  boolean  there is room for the current one only
 *
 * Signals:
 *
 *   page-made (StintJobPage *page)
 *   current-changed ()   another page, or another job in it
 */

void stint_pages_set_settings (StintPages *self, StintSettings *settings);

/* (transfer none): there always is one. */
StintJobPage *stint_pages_get_current (StintPages *self);
void stint_pages_set_current (StintPages *self, StintJobPage *page);

/* Shows a job in the current page, or makes the page current that shows it. @job: (nullable) */
void stint_pages_show (StintPages *self, StintJob *job);

/* Shows a job in a further page, while there is room for one; else in the current one. */
void stint_pages_show_beside (StintPages *self, StintJob *job);

/* Closes a page, if it is not the last one. */
void stint_pages_close (StintPages *self, StintJobPage *page);

/* Closes all but the current one that show @job. */
void stint_pages_forget (StintPages *self, StintJob *job);

guint stint_pages_get_n_pages (StintPages *self);
StintJobPage *stint_pages_get_page (StintPages *self, guint index);

/* (nullable) (transfer none): the page that holds a widget. */
StintJobPage *stint_pages_find (StintPages *self, GtkWidget *widget);

G_END_DECLS
