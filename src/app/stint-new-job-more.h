/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "stint-new-job-form.h"

G_BEGIN_DECLS

#define STINT_TYPE_NEW_JOB_MORE (stint_new_job_more_get_type ())
G_DECLARE_FINAL_TYPE (StintNewJobMore, stint_new_job_more, STINT, NEW_JOB_MORE, GObject)

/**
 * stint_new_job_more_new:
 * @page: where its groups are added
 * @default_grace: microseconds
 *
 * What stands behind "More" in the dialog for a new job: made when it is first wanted.
 *
 * Returns: (transfer full): the rest of the dialog
 */
StintNewJobMore *stint_new_job_more_new (AdwPreferencesPage *page, gint64 default_grace);

void stint_new_job_more_set_visible (StintNewJobMore *self, gboolean visible);

/* Gives the focus to its first control. */
void stint_new_job_more_focus (StintNewJobMore *self);

/* Shows what a spec says. */
void stint_new_job_more_fill (StintNewJobMore *self, StintJobSpec *spec);

/* Whether a spec says something that stands here. */
gboolean stint_new_job_more_concerns (StintJobSpec *spec, gint64 default_grace);

/* Completes @form with texts that are valid until something is changed, or this is called again. */
void stint_new_job_more_read (StintNewJobMore *self, StintNewJobForm *form);

/* Says what is wrong at every field. Returns: (transfer none) (nullable): the first that is wrong */
GtkWidget *stint_new_job_more_check (StintNewJobMore *self);

G_END_DECLS
