/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stintctl: the verbs.
 */
#define G_LOG_DOMAIN "stintctl"
#include "config.h"

#include "stint-cli-export.h"
#include "stint-cli-history.h"
#include "stint-cli-run.h"
#include "stint-result.h"
#include "stint-standard-descriptors.h"

#include <glib/gi18n.h>
#include <locale.h>

static const char usage[] = N_ ("Usage: stintctl run [OPTION…] COMMAND [ARG…]\n"
                                "       stintctl export [OPTION…] ID|last\n"
                                "       stintctl history VERB [OPTION…] [ARG…]\n"
                                "       stintctl --help | --version\n\n"
                                "  run      run one job here, with no window (stintctl run --help)\n"
                                "  export   write a job's output (stintctl export --help)\n"
                                "  history  search, show and change the history (stintctl history "
                                "--help)\n");

int
main (int argc, char **argv)
{
  const char *verb = argc > 1 ? argv[1] : NULL;

  stint_standard_descriptors_ensure ();
  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);

  if (g_strcmp0 (verb, "run") == 0)
    return stint_cli_run ((const char *const *) argv + 2);
  if (g_strcmp0 (verb, "export") == 0)
    return stint_cli_export ((const char *const *) argv + 2);
  if (g_strcmp0 (verb, "history") == 0)
    return stint_cli_history ((const char *const *) argv + 2);
  if (g_strcmp0 (verb, "--help") == 0)
    {
      g_print ("%s", _ (usage));
      return 0;
    }
  if (g_strcmp0 (verb, "--version") == 0)
    {
      g_print ("stintctl %s\n", PACKAGE_VERSION);
      return 0;
    }
  if (verb == NULL)
    g_printerr ("%s", _ (usage));
  else
    g_printerr (_ ("stintctl: unknown command “%s”; see stintctl --help\n"), verb);
  return STINT_EXIT_OWN_FAILURE;
}
