/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Sessions with an agent, from a command line (`stint --agent`), or of a spec that says that it is one:
 * of the dialog for a new job, of a preset, or of a job that is run again. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-agent-launch.h"

#include "stint-agent-session.h"
#include "stint-agents-window.h"
#include "stint-error.h"
#include "stint-job-defaults.h"

#include <glib/gi18n.h>

static gboolean
check_installed (StintAgentProfile *profile, GError **error)
{
  const char *install = stint_agent_profile_get_install (profile);

  if (stint_agent_profile_is_installed (profile))
    return TRUE;
  if (install != NULL)
    g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                 /* Translators: an agent's name, and the command that installs it. */
                 _ ("%s is not installed; get it by: %s"), stint_agent_profile_get_name (profile),
                 install);
  else
    g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                 _ ("There is no agent and no command “%s”"),
                 stint_agent_profile_get_command (profile));
  return FALSE;
}

/* (transfer full) (nullable): the words of the command line, as one text. */
static char *
dup_prompt (StintJobSpec *spec)
{
  const char *const *argv = stint_job_spec_get_argv (spec);

  return argv != NULL && argv[0] != NULL ? g_strjoinv (" ", (char **) argv) : NULL;
}

/* @spec: resolved. @prompt: (nullable) */
static StintJob *
begin (StintApplication *application,
       StintAgentProfile *profile,
       StintJobSpec *spec,
       const char *prompt,
       GError **error)
{
  g_autoptr (StintAgentSession) session = NULL;
  g_autofree char *path = NULL;

  if (!check_installed (profile, error))
    return NULL;
  path = g_canonicalize_filename (stint_job_spec_get_directory (spec), "/");
  session = stint_agent_session_new (stint_application_get_jobs (application), profile, path);
  stint_job_defaults_apply_to_session (stint_application_get_settings (application), spec);
  stint_agent_session_set_wishes (session, spec);
  if (!stint_agent_session_start (session, error))
    return NULL;
  if (prompt != NULL && prompt[0] != '\0')
    stint_agent_session_prompt_text (session, prompt);
  stint_application_show_job (application, stint_agent_session_get_job (session));
  return g_object_ref (stint_agent_session_get_job (session));
}

StintJob *
stint_agent_launch (StintApplication *application,
                    const StintLaunch *launch,
                    const char *directory,
                    const char *const *environment,
                    GError **error)
{
  g_autoptr (StintAgentProfiles) profiles = NULL;
  g_autoptr (StintAgentProfile) profile = NULL;
  g_autoptr (StintJobSpec) spec = NULL;
  g_autofree char *prompt = NULL;

  g_return_val_if_fail (STINT_IS_APPLICATION (application), NULL);
  g_return_val_if_fail (launch != NULL && launch->agent != NULL, NULL);
  g_return_val_if_fail (directory != NULL, NULL);

  profiles = stint_agent_profiles_new (NULL);
  profile = stint_agent_profiles_find (profiles, launch->agent);
  spec = stint_launch_dup_spec (launch);
  prompt = dup_prompt (spec);
  stint_job_spec_resolve (spec, directory, NULL, environment);
  return begin (application, profile, spec, prompt, error);
}

/* (transfer full): the one whose command it is, if there are several the one with its name, or whose id
 * it names; else it is a command. */
static StintAgentProfile *
find_profile (StintAgentProfiles *profiles, StintJobSpec *spec)
{
  const char *const *argv = stint_job_spec_get_argv (spec);
  g_autoptr (StintAgentProfile) found = NULL;
  StintAgentProfile *named =
      argv[1] == NULL ? stint_agent_profiles_lookup (profiles, argv[0]) : NULL;

  if (named != NULL)
    return named;
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (profiles)); i++)
    {
      g_autoptr (StintAgentProfile) profile = g_list_model_get_item (G_LIST_MODEL (profiles), i);
      g_auto (GStrv) own = stint_agent_profile_dup_argv (profile, NULL);

      if (own == NULL || !g_strv_equal ((const char *const *) own, argv))
        continue;
      if (g_strcmp0 (stint_agent_profile_get_name (profile), stint_job_spec_get_name (spec)) == 0)
        return g_steal_pointer (&profile);
      if (found == NULL)
        found = g_steal_pointer (&profile);
    }
  return found != NULL ? g_steal_pointer (&found) : stint_agent_profile_new_for_command (argv);
}

StintJob *
stint_agent_launch_spec (StintApplication *application, StintJobSpec *spec, GError **error)
{
  g_autoptr (StintAgentProfiles) profiles = NULL;
  g_autoptr (StintAgentProfile) profile = NULL;

  g_return_val_if_fail (STINT_IS_APPLICATION (application), NULL);
  g_return_val_if_fail (STINT_IS_JOB_SPEC (spec) && stint_job_spec_get_session (spec), NULL);

  if (!stint_job_spec_check (spec, error))
    return NULL;
  profiles = stint_agent_profiles_new (NULL);
  profile = find_profile (profiles, spec);
  return begin (application, profile, spec, stint_job_spec_get_stdin_text (spec), error);
}

void
stint_agent_launch_ask (StintApplication *application)
{
  GtkWindow *parent;
  GtkWidget *window;
  const char *directory;

  g_return_if_fail (STINT_IS_APPLICATION (application));

  stint_application_present (application);
  parent = gtk_application_get_active_window (GTK_APPLICATION (application));
  directory = stint_application_get_workspace (application);
  window = stint_agents_window_new (parent, stint_application_get_jobs (application), NULL,
                                    directory != NULL ? directory : g_get_home_dir ());
  g_signal_connect_object (window, "start", G_CALLBACK (stint_application_start_from_window),
                           application, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (window));
}
