/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether @verb is one of list, show, start, wait, terminate, kill, pause, resume and extend. */
gboolean stint_cli_jobs_has_verb (const char *verb);

/**
 * stint_cli_jobs:
 * @verb: what to do
 * @argv: (array zero-terminated=1): the words after it
 *
 * The jobs of the window process, over the bus; and those of the history where there is no window.
 *
 * Returns: the exit status: that of the job for wait, else 0 or %STINT_EXIT_OWN_FAILURE
 */
int stint_cli_jobs (const char *verb, const char *const *argv);

/* (transfer full): the lines of `stintctl --help` for these verbs, translated. */
char *stint_cli_jobs_describe (void);

G_END_DECLS
