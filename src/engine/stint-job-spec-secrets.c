/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What of a spec must not be written down: the values of secrets, or all of it.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-job-spec-private.h"

#include <string.h>

gboolean
stint_variable_sounds_secret (const char *name)
{
  static const char *const marks[] = { "TOKEN", "KEY", "SECRET", "PASS" };
  g_autofree char *upper = g_ascii_strup (name, -1);

  for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
    if (strstr (upper, marks[i]) != NULL)
      return TRUE;
  return FALSE;
}

static gboolean
holds (GPtrArray *names, const char *name)
{
  return g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL);
}

gboolean
stint_job_spec_is_secret (StintJobSpec *self, const char *name)
{
  g_return_val_if_fail (STINT_IS_JOB_SPEC (self) && name != NULL, TRUE);

  return holds (self->secrets, name) || stint_variable_sounds_secret (name);
}

void
stint_job_spec_mark_secret (StintJobSpec *self, const char *name)
{
  g_return_if_fail (STINT_IS_JOB_SPEC (self) && !self->sealed && name != NULL);

  if (!holds (self->secrets, name))
    g_ptr_array_add (self->secrets, g_strdup (name));
}

void
stint_job_spec_add_missing_secret (StintJobSpec *self, const char *name)
{
  g_return_if_fail (STINT_IS_JOB_SPEC (self) && !self->sealed && name != NULL);

  stint_job_spec_mark_secret (self, name);
  if (!holds (self->missing_secrets, name))
    g_ptr_array_add (self->missing_secrets, g_strdup (name));
}

char **
stint_job_spec_dup_missing_secrets (StintJobSpec *self)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  g_return_val_if_fail (STINT_IS_JOB_SPEC (self), NULL);

  for (guint i = 0; i < self->missing_secrets->len; i++)
    g_ptr_array_add (names, g_strdup (self->missing_secrets->pdata[i]));
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&names), FALSE);
}

gboolean
stint_job_spec_get_keep (StintJobSpec *self)
{
  g_return_val_if_fail (STINT_IS_JOB_SPEC (self), TRUE);

  return !self->unkept;
}

void
stint_job_spec_set_keep (StintJobSpec *self, gboolean keep)
{
  g_return_if_fail (STINT_IS_JOB_SPEC (self) && !self->sealed);

  self->unkept = !keep;
}

void
stint_job_spec_copy_secrets (StintJobSpec *to, StintJobSpec *from)
{
  for (guint i = 0; i < from->secrets->len; i++)
    g_ptr_array_add (to->secrets, g_strdup (from->secrets->pdata[i]));
  to->unkept = from->unkept;
}
