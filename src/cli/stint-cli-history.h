/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * stint_cli_history:
 * @argv: (array zero-terminated=1): the words after `stintctl history`
 *
 * Lists, searches, shows and changes the history.
 *
 * Returns: the exit status: 0, or %STINT_EXIT_OWN_FAILURE; of `rerun` that of the job
 */
int stint_cli_history (const char *const *argv);

G_END_DECLS
