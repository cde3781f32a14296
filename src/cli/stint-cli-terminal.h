/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job.h"

G_BEGIN_DECLS

#define STINT_TYPE_CLI_TERMINAL (stint_cli_terminal_get_type ())
G_DECLARE_FINAL_TYPE (StintCliTerminal, stint_cli_terminal, STINT, CLI_TERMINAL, GObject)

/*
 * Signals:
 *
 *   interrupted ()   Ctrl+C twice within a second, on a job that has Ctrl+C for itself
 */

/**
 * stint_cli_terminal_new:
 * @fd: a terminal; stays the caller's
 *
 * Relays what is typed at a terminal to a job: only while this process is in the foreground, so that
 * a job in the background steals nothing from the shell.
 *
 * Returns: (transfer full): the relay; nothing is read yet
 */
StintCliTerminal *stint_cli_terminal_new (int fd);

/* The terminal's size. Returns: FALSE if it does not know. */
gboolean stint_cli_terminal_get_size (StintCliTerminal *self, guint *columns, guint *rows);

/**
 * stint_cli_terminal_relay_to_job:
 * @self: a terminal
 * @job: a job on a pty
 *
 * Every key goes to @job as it is typed, Ctrl+C too, and changes of size as well. The terminal's
 * mode is restored when @self is disposed of.
 */
void stint_cli_terminal_relay_to_job (StintCliTerminal *self, StintJob *job);

/**
 * stint_cli_terminal_relay_to_pipe:
 * @self: a terminal
 * @write_fd: (transfer full): the write end of a pipe
 *
 * Lines go to @write_fd as the terminal gives them; Ctrl+D closes it.
 */
void stint_cli_terminal_relay_to_pipe (StintCliTerminal *self, int write_fd);

G_END_DECLS
