/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* In the platform data of a command line: the unique bus name of the client that waits for it. */
#define STINT_CLIENT_NAME_KEY "stint-client"

/* The action of the window process by which a client cancels the job it waits for; its parameter is
 * the client's unique bus name. */
#define STINT_CLIENT_CANCEL_ACTION "cancel-waiting"

/* Whether a window process owns the name on the bus. */
gboolean stint_client_has_service (GDBusConnection *bus);

/**
 * stint_client_run:
 * @bus: the session bus
 * @argv: (array zero-terminated=1): the whole command line, which has been found good
 * @wait: whether the window process answers only when a job has ended
 *
 * Hands a command line to the window process, which is started if there is none, prints what it
 * prints, and waits for its answer. While it waits for a job, the first SIGINT cancels that job and
 * the second returns.
 *
 * Returns: the exit status
 */
int stint_client_run (GDBusConnection *bus, const char *const *argv, gboolean wait);

G_END_DECLS
