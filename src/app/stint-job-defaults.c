/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a job gets from the settings, wherever it was started from. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-job-defaults.h"

static gint64
choose_idle_timeout (StintSettings *settings, StintJobSpec *spec, StintJobKind kind)
{
  gint64 idle = stint_settings_get_idle_timeout (settings, kind);
  gint64 timeout = stint_job_spec_get_timeout (spec);

  if (kind == STINT_JOB_KIND_AGENT && idle > 0 && timeout > 0)
    return MIN (idle, MAX (timeout / 6, 1));
  return idle;
}

static void
apply (StintSettings *settings, StintJobSpec *spec, StintJobKind kind)
{
  const char *shell;

  if (!stint_job_spec_has_timeout (spec))
    stint_job_spec_set_timeout (spec, stint_settings_get_timeout (settings, kind));
  if (!stint_job_spec_has_idle_timeout (spec))
    stint_job_spec_set_idle_timeout (spec, choose_idle_timeout (settings, spec, kind));
  if (!stint_job_spec_has_grace (spec))
    stint_job_spec_set_grace (spec, stint_settings_get_grace (settings));
  if (!stint_job_spec_has_niceness (spec))
    stint_job_spec_set_niceness (spec, stint_settings_get_job_niceness (settings));
  shell = stint_settings_get_shell (settings);
  if (shell != NULL && g_path_is_absolute (shell) && !stint_job_spec_has_shell (spec))
    stint_job_spec_set_shell (spec, shell);
}

void
stint_job_defaults_apply (StintSettings *settings, StintJobSpec *spec)
{
  g_return_if_fail (STINT_IS_SETTINGS (settings));
  g_return_if_fail (STINT_IS_JOB_SPEC (spec));

  apply (settings, spec, stint_job_spec_get_kind (spec));
}

void
stint_job_defaults_apply_to_session (StintSettings *settings, StintJobSpec *spec)
{
  g_return_if_fail (STINT_IS_SETTINGS (settings));
  g_return_if_fail (STINT_IS_JOB_SPEC (spec));

  apply (settings, spec, STINT_JOB_KIND_AGENT);
}
