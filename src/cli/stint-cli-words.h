/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * stint_cli_words_parse:
 * @argv: (array zero-terminated=1): the words after a verb
 * @entries: (array zero-terminated=1): its options; one of them may be --help
 * @error: a word is no option
 *
 * Returns: (transfer full) (array zero-terminated=1): what is no option, or %NULL
 */
char **stint_cli_words_parse (const char *const *argv, const GOptionEntry *entries, GError **error);

/* Says what went wrong, on standard error. */
void stint_cli_complain (const GError *error);

/* A line of `--help`: the option, and what it does. */
void stint_cli_print_option (const char *option, const char *help);

G_END_DECLS
