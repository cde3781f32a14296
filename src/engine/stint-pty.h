/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define STINT_TYPE_PTY (stint_pty_get_type ())
G_DECLARE_FINAL_TYPE (StintPty, stint_pty, STINT, PTY, GObject)

/**
 * stint_pty_new:
 * @error: there are no more ptys
 *
 * The engine's side of a job's pty: it writes what is typed and sets the size. Reading is the
 * keeper's alone.
 *
 * Returns: (transfer full): the pty, or %NULL
 */
StintPty *stint_pty_new (GError **error);

/* (transfer full): the same for a master that there is already: @fd, not blocking, which is taken. */
StintPty *stint_pty_new_for_fd (int fd);

/* The master, not blocking; owned by @self. -1 once closed. */
int stint_pty_get_fd (StintPty *self);

/**
 * stint_pty_write:
 * @self: a pty
 * @data: what was typed
 * @error: %STINT_ERROR_FAILED if a mebibyte is unread already; nothing of @data is taken then
 *
 * Queues @data, and writes it as the command takes it.
 */
gboolean stint_pty_write (StintPty *self, GBytes *data, GError **error);

gboolean stint_pty_resize (StintPty *self, guint columns, guint rows);

/* Whether whoever reads it gets whole lines: canonical mode. */
gboolean stint_pty_takes_lines (StintPty *self);

/* Closes the master and forgets what is queued. */
void stint_pty_close (StintPty *self);

G_END_DECLS
