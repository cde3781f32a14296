/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What was run, and where, of late. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-recents.h"

#include "stint-job.h"

typedef char *(*DupText) (StintJobSpec *spec);

static char **
collect (GListModel *jobs, guint max, DupText dup_text)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  guint n_jobs = g_list_model_get_n_items (jobs);

  for (guint i = 0; i < n_jobs && texts->len < max; i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (jobs, i);
      StintJobSpec *spec = STINT_IS_JOB (item) ? stint_job_get_spec (STINT_JOB (item)) : NULL;
      g_autofree char *text = NULL;

      if (spec == NULL || !stint_job_spec_get_keep (spec))
        continue;
      text = dup_text (spec);
      if (text != NULL && *text != '\0' && g_utf8_validate (text, -1, NULL) &&
          !g_ptr_array_find_with_equal_func (texts, text, g_str_equal, NULL))
        g_ptr_array_add (texts, g_steal_pointer (&text));
    }
  g_ptr_array_add (texts, NULL);
  return (char **) g_ptr_array_steal (texts, NULL);
}

static char *
dup_directory (StintJobSpec *spec)
{
  return g_strdup (stint_job_spec_get_directory (spec));
}

char **
stint_recents_dup_commands (GListModel *jobs, guint max)
{
  g_return_val_if_fail (G_IS_LIST_MODEL (jobs), NULL);

  return collect (jobs, max, stint_job_spec_dup_command_line);
}

char **
stint_recents_dup_directories (GListModel *jobs, guint max)
{
  g_return_val_if_fail (G_IS_LIST_MODEL (jobs), NULL);

  return collect (jobs, max, dup_directory);
}
