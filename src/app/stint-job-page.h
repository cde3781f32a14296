/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-job-actions.h"
#include "stint-pane.h"

G_BEGIN_DECLS

#define STINT_TYPE_JOB_PAGE (stint_job_page_get_type ())
G_DECLARE_FINAL_TYPE (StintJobPage, stint_job_page, STINT, JOB_PAGE, GtkWidget)

/*
 * A job, looked at: its bar, and its pane below.
 *
 * Properties:
 *
 *   narrow    boolean
 *   closable  boolean  whether it can be closed
 *   live      boolean  whether what is typed into it reaches the job
 *   output-actions  GActionGroup  (nullable): what can be done with the output that is shown
 *
 * Signals:
 *
 *   close ()   the user wants the page to be closed
 *   actions-made (StintJobActions *actions)   for another job: to be listened to
 *   open-job (guint64 id)   another job's page is wanted
 *   start (StintJobSpec *spec)   a job is to be started
 *   problem (StintJob *job, GError *error)
 */

void stint_job_page_set_settings (StintJobPage *self, StintSettings *settings);

/* (nullable) (transfer none) */
StintJob *stint_job_page_get_job (StintJobPage *self);
void stint_job_page_set_job (StintJobPage *self, StintJob *job);

gboolean stint_job_page_is_live (StintJobPage *self);

/* Whether it shows a conversation in which something can be said. */
gboolean stint_job_page_takes_prompts (StintJobPage *self);
/* (nullable) (transfer none): what can be done with its job. */
StintJobActions *stint_job_page_get_actions (StintJobPage *self);
GActionGroup *stint_job_page_get_output_actions (StintJobPage *self);
void stint_job_page_focus_pane (StintJobPage *self);

/* The size of the terminal that a job started now would get; FALSE if it is not known. */
gboolean stint_job_page_get_terminal_size (StintJobPage *self, guint *columns, guint *rows);

G_END_DECLS
