/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * stint_cli_output:
 * @argv: (array zero-terminated=1): the words after `stintctl output`
 *
 * Writes what a job has put out so far, of the window or the history.
 *
 * Returns: the exit status: 0 or %STINT_EXIT_OWN_FAILURE
 */
int stint_cli_output (const char *const *argv);

/**
 * stint_cli_follow:
 * @argv: (array zero-terminated=1): the words after `stintctl follow`
 *
 * The same, and then what comes, until the job has ended or nobody reads any more.
 *
 * Returns: the exit status: 0 or %STINT_EXIT_OWN_FAILURE
 */
int stint_cli_follow (const char *const *argv);

G_END_DECLS
