/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Jobs that an earlier window let go come back into the list. How is the engine's; what is said if one
 * cannot is decided here. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-adopting.h"

#include <glib/gi18n.h>

static void
on_adopted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintProblems) problems = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (StintJob) job = stint_job_list_adopt_finish (STINT_JOB_LIST (source), result, &error);

  /* One that has ended is found by the next recovery; one that somebody has is in good hands. */
  if (job == NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND) &&
      !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED) &&
      !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_BUSY))
    stint_problems_raise (problems, _ ("A job that was let go could not be taken over"), error);
}

void
stint_adopting_take_over (StintHistory *history, StintJobList *jobs, StintProblems *problems)
{
  g_autoptr (GPtrArray) left = stint_history_take_left (history);

  for (guint i = 0; i < left->len; i++)
    {
      const StintLeftJob *job = left->pdata[i];
      g_autoptr (StintJob) known = stint_job_list_lookup (jobs, job->id);

      if (known == NULL)
        stint_job_list_adopt_async (jobs, job->id, job->spec, job->directory, on_adopted,
                                    g_object_ref (problems));
    }
}
