/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * stint_cli_export:
 * @argv: (array zero-terminated=1): the words after `stintctl export`
 *
 * Writes the output of a job of the history to standard output or a file. The history is only read.
 *
 * Returns: the exit status: 0 or %STINT_EXIT_OWN_FAILURE
 */
int stint_cli_export (const char *const *argv);

G_END_DECLS
