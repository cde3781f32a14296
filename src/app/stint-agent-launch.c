/* SPDX-License-Identifier: GPL-3.0-or-later */

/* `stint --agent`: a session with an agent, from a command line. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-agent-launch.h"

#include "stint-agent-session.h"
#include "stint-agents-window.h"
#include "stint-error.h"

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
                 _ ("%s is not installed; get it by: %s"), stint_agent_profile_get_name (profile), install);
  else
    g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID, _ ("There is no agent and no command “%s”"),
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

StintJob *
stint_agent_launch (StintApplication *application,
                    const StintLaunch *launch,
                    const char *directory,
                    const char *const *environment,
                    GError **error)
{
  g_autoptr (StintAgentProfiles) profiles = NULL;
  g_autoptr (StintAgentProfile) profile = NULL;
  g_autoptr (StintAgentSession) session = NULL;
  g_autoptr (StintJobSpec) spec = NULL;
  g_autofree char *path = g_strdup (directory);
  g_autofree char *prompt = NULL;

  g_return_val_if_fail (STINT_IS_APPLICATION (application), NULL);
  g_return_val_if_fail (launch != NULL && launch->agent != NULL, NULL);
  g_return_val_if_fail (directory != NULL, NULL);

  profiles = stint_agent_profiles_new (NULL);
  profile = stint_agent_profiles_find (profiles, launch->agent);
  if (!check_installed (profile, error))
    return NULL;
  spec = stint_launch_dup_spec (launch);
  prompt = dup_prompt (spec);
  if (stint_job_spec_get_directory (spec) != NULL)
    {
      g_free (path);
      path = g_canonicalize_filename (stint_job_spec_get_directory (spec), directory);
    }
  session = stint_agent_session_new (stint_application_get_jobs (application), profile, path);
  stint_job_spec_resolve (spec, directory, NULL, environment);
  stint_agent_session_set_wishes (session, spec);
  if (!stint_agent_session_start (session, error))
    return NULL;
  if (prompt != NULL && prompt[0] != '\0')
    stint_agent_session_prompt_text (session, prompt);
  stint_application_show_job (application, stint_agent_session_get_job (session));
  return g_object_ref (stint_agent_session_get_job (session));
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
  g_signal_connect_object (window, "started", G_CALLBACK (stint_application_show_job), application,
                           G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (window));
}
