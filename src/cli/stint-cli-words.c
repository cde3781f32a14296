/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The words of a verb: options apart from the rest.
 */
#define G_LOG_DOMAIN "stintctl"
#include "config.h"

#include "stint-cli-words.h"

#include <gio/gio.h>

char **
stint_cli_words_parse (const char *const *argv, const GOptionEntry *entries, GError **error)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GStrvBuilder) all = g_strv_builder_new ();
  g_auto (GStrv) words = NULL;
  guint first = 1;

  g_strv_builder_add (all, "stintctl");
  g_strv_builder_addv (all, (const char **) argv);
  words = g_strv_builder_end (all);
  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!g_option_context_parse_strv (context, &words, error))
    return NULL;
  /* It is left where a word follows that looks like an option. */
  if (words[1] != NULL && g_str_equal (words[1], "--"))
    first = 2;
  return g_strdupv (words + first);
}

void
stint_cli_complain (const GError *error)
{
  g_autoptr (GError) copy = g_error_copy (error);

  g_dbus_error_strip_remote_error (copy);
  g_printerr ("stintctl: %s\n", copy->message);
}

void
stint_cli_print_option (const char *option, const char *help)
{
  g_print ("  %-26s %s\n", option, help);
}
