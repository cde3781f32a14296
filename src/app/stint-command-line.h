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

G_END_DECLS
