/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-application.h"

G_BEGIN_DECLS

/**
 * stint_command_line_handle:
 * @application: the window process
 * @command_line: what a client, or this process' own start, asks for
 *
 * Does it. A job's client is answered when its job has started or, with `--wait`, when it has ended.
 *
 * Returns: the exit status for the client, if it is not answered later
 */
int
stint_command_line_handle (StintApplication *application, GApplicationCommandLine *command_line);

/**
 * stint_command_line_start:
 * @application: the window process
 * @words: (array zero-terminated=1): options and command, as `stint` takes them
 * @directory: (type filename): where the caller is
 * @environment: (array zero-terminated=1): the caller's
 * @error: they are not understood, or the job is refused
 *
 * Submits a job for somebody on the bus. The window stays as it is.
 *
 * Returns: (transfer full): the job, or %NULL
 */
StintJob *stint_command_line_start (StintApplication *application,
                                    const char *const *words,
                                    const char *directory,
                                    const char *const *environment,
                                    GError **error);

/* After the main loop, before the process ends: waits for the results that are being written, but not for
 * long. Returns: whether all are. */
gboolean stint_command_line_flush (void);

G_END_DECLS
