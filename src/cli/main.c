/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stintctl: the verbs.
 */
#define G_LOG_DOMAIN "stintctl"
#include "config.h"

#include "stint-cli-export.h"
#include "stint-cli-history.h"
#include "stint-cli-jobs.h"
#include "stint-cli-output.h"
#include "stint-cli-prompt.h"
#include "stint-cli-run.h"
#include "stint-locale.h"
#include "stint-result.h"
#include "stint-standard-descriptors.h"

#include <glib/gi18n.h>

typedef struct
{
  const char *name;
  const char *help;
  int (*func) (const char *const *argv);
} Verb;

static const Verb verbs[] = {
  { "run", N_ ("run one job here, with no window"), stint_cli_run },
  { "prompt", N_ ("say something to an agent, with no window"), stint_cli_prompt },
  { "export", N_ ("write the output of a job that has ended"), stint_cli_export },
  { "output", N_ ("write what a job has put out so far"), stint_cli_output },
  { "follow", N_ ("the same, until the job has ended"), stint_cli_follow },
  { "history", N_ ("search, show and change the history"), stint_cli_history },
};

static void
print_usage (void)
{
  g_autofree char *jobs = stint_cli_jobs_describe ();

  g_print (_ ("Usage: stintctl VERB [OPTION…] …\n"
              "       stintctl VERB --help\n"
              "       stintctl --help | --version\n\n"));
  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++)
    g_print ("  %-10s %s\n", verbs[i].name, _ (verbs[i].help));
  g_print ("%s\n", jobs);
  g_print (_ ("JOB is a job’s number, its name, or “last”.\n"));
}

int
main (int argc, char **argv)
{
  const char *verb = argc > 1 ? argv[1] : NULL;

  stint_standard_descriptors_ensure ();
  stint_locale_init ();

  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++)
    if (g_strcmp0 (verb, verbs[i].name) == 0)
      return verbs[i].func ((const char *const *) argv + 2);
  if (stint_cli_jobs_has_verb (verb))
    return stint_cli_jobs (verb, (const char *const *) argv + 2);
  if (g_strcmp0 (verb, "--help") == 0)
    {
      print_usage ();
      return 0;
    }
  if (g_strcmp0 (verb, "--version") == 0)
    {
      g_print ("stintctl %s\n", PACKAGE_VERSION);
      return 0;
    }
  if (verb == NULL)
    g_printerr (_ ("stintctl: what is to be done? See stintctl --help\n"));
  else
    g_printerr (_ ("stintctl: unknown command “%s”; see stintctl --help\n"), verb);
  return STINT_EXIT_OWN_FAILURE;
}
