/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * stint_cli_run:
 * @argv: (array zero-terminated=1): the words after `stintctl run`
 *
 * Runs one job here, with no window, and waits for it. Messages go to standard error.
 *
 * Returns: the exit status of the command line's contract
 */
int stint_cli_run (const char *const *argv);

G_END_DECLS
