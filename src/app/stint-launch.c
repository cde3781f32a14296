/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a command line of `stint` means. Pure: nothing is started or sent here. */

#include "config.h"

#include "stint-launch.h"

#include "stint-error.h"
#include "stint-units.h"

#include <glib/gi18n.h>

#define OPTION_HELP "--help"
#define OPTION_VERSION "--version"
#define OPTION_NEW "--new"
#define OPTION_HISTORY "--history"
#define OPTION_FOREGROUND "--foreground"
#define OPTION_WAIT "--wait"
#define OPTION_MAX_JOBS "--max-jobs="
#define OPTION_AGENT "--agent="

#define MAX_MAX_JOBS 10000

static const char *const extra_options[] = {
  OPTION_HELP, OPTION_VERSION, OPTION_NEW, OPTION_HISTORY, OPTION_FOREGROUND, OPTION_WAIT,
  OPTION_MAX_JOBS, OPTION_AGENT, NULL,
};

static StintLaunchMode
choose_mode (const StintRunOptions *options)
{
  if (stint_run_options_has (options, OPTION_HELP))
    return STINT_LAUNCH_HELP;
  if (stint_run_options_has (options, OPTION_VERSION))
    return STINT_LAUNCH_VERSION;
  if (stint_run_options_has (options, OPTION_HISTORY))
    return STINT_LAUNCH_HISTORY;
  if (stint_run_options_has (options, OPTION_NEW))
    return STINT_LAUNCH_NEW_JOB;
  if (stint_run_options_has (options, OPTION_AGENT))
    return STINT_LAUNCH_AGENT;
  return stint_run_options_has_command (options) ? STINT_LAUNCH_RUN : STINT_LAUNCH_PRESENT;
}

static gboolean
check (const StintLaunch *self, GError **error)
{
  const char *json = stint_run_options_get_json (self->options);
  g_autoptr (StintJobSpec) spec = NULL;

  if (self->mode != STINT_LAUNCH_RUN && self->mode != STINT_LAUNCH_AGENT)
    {
      if (self->wait)
        {
          g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID, _ ("%s needs a command"),
                       OPTION_WAIT);
          return FALSE;
        }
      return TRUE;
    }
  if (g_strcmp0 (json, "-") == 0 && !self->wait)
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID, _ ("%s needs %s"), "--json -",
                   OPTION_WAIT);
      return FALSE;
    }
  if (self->mode == STINT_LAUNCH_AGENT)
    return stint_run_options_check_session (self->options, "--agent", error);
  spec = stint_launch_dup_spec (self);
  return stint_run_options_check_kind (self->options, spec, error);
}

static gboolean
read_max_jobs (StintLaunch *self, GError **error)
{
  const char *text = stint_run_options_get_extra (self->options, OPTION_MAX_JOBS);
  g_autofree char *clean = NULL;
  guint64 max_jobs;

  self->max_jobs = -1;
  if (text == NULL)
    return TRUE;
  if (g_ascii_string_to_unsigned (text, 10, 0, MAX_MAX_JOBS, &max_jobs, NULL))
    {
      self->max_jobs = (int) max_jobs;
      return TRUE;
    }
  clean = stint_text_clean (text, 40);
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
               _ ("--max-jobs takes a whole number from 0 (no limit) to %d, and “%s” is not one"),
               MAX_MAX_JOBS, clean);
  return FALSE;
}

/* An agent to which nothing is said first: the other options are read as if an empty word was. */
static StintLaunch *
parse_silent (const char *const *argv, GError **error)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();

  for (guint i = 0; argv[i] != NULL; i++)
    g_ptr_array_add (words, (gpointer) argv[i]);
  g_ptr_array_add (words, (gpointer) "");
  g_ptr_array_add (words, NULL);
  return stint_launch_parse ((const char *const *) words->pdata, error);
}

/* (transfer full) (nullable): the words that are a command elsewhere. */
static char *
dup_query (const StintRunOptions *options)
{
  g_autoptr (StintJobSpec) spec = NULL;
  g_autofree char *query = NULL;

  if (!stint_run_options_has_command (options))
    return NULL;
  spec = stint_run_options_to_spec (options, STINT_JOB_KIND_TERMINAL, FALSE);
  query = g_strjoinv (" ", (char **) stint_job_spec_get_argv (spec));
  return g_utf8_make_valid (query, -1);
}

StintLaunch *
stint_launch_parse (const char *const *argv, GError **error)
{
  g_autoptr (StintLaunch) self = g_new0 (StintLaunch, 1);

  g_return_val_if_fail (argv != NULL, NULL);

  self->options = stint_run_options_parse (argv, extra_options, error);
  if (self->options == NULL)
    return NULL;
  self->mode = choose_mode (self->options);
  if (self->mode == STINT_LAUNCH_AGENT && !stint_run_options_has_command (self->options))
    return parse_silent (argv, error);
  self->agent = stint_run_options_get_extra (self->options, OPTION_AGENT);
  self->foreground = stint_run_options_has (self->options, OPTION_FOREGROUND);
  self->wait = stint_run_options_has (self->options, OPTION_WAIT);
  if (self->mode == STINT_LAUNCH_HISTORY)
    self->query = dup_query (self->options);
  if (!read_max_jobs (self, error) || !check (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
stint_launch_free (StintLaunch *self)
{
  g_clear_pointer (&self->options, stint_run_options_free);
  g_free (self->query);
  g_free (self);
}

StintJobSpec *
stint_launch_dup_spec (const StintLaunch *self)
{
  g_autoptr (StintJobSpec) spec = NULL;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (stint_run_options_has_command (self->options), NULL);

  spec = stint_run_options_to_spec (self->options, STINT_JOB_KIND_TERMINAL, FALSE);
  if (stint_job_spec_get_kind (spec) != STINT_JOB_KIND_TERMINAL)
    return g_steal_pointer (&spec);
  return stint_run_options_to_spec (self->options, STINT_JOB_KIND_TERMINAL, TRUE);
}

char *
stint_launch_describe (void)
{
  g_autofree char *options = stint_run_options_describe ();

  /* Translators: the help of “stint”; option names and words in capitals stay, the rest is
   * translated. */
  return g_strdup_printf (
      _ ("Usage: stint [OPTION…] [COMMAND [ARG…]]\n"
         "\n"
         "Runs COMMAND as a job in Stint’s window, prints the job’s id once it has started, and\n"
         "returns. Without COMMAND it shows the window.\n"
         "\n"
         "  --agent AGENT         talk with an agent: a name from the settings, or a command; the words\n"
         "                        after the options are what is said first\n"
         "  --wait                wait until the job has ended, and exit as it did\n"
         "  --new                 show the window and ask for a new job\n"
         "  --history [QUERY]     show the window with the jobs of the past, those that match\n"
         "  --max-jobs N          run N jobs at once from now on, and let others wait; 0: no limit\n"
         "  --foreground          be the window process, in this terminal\n"
         "  --help                print this text, and exit\n"
         "  --version             print the version, and exit\n"
         "\n"
         "%s"),
      options);
}
