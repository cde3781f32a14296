/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-bus-generated.h"

G_BEGIN_DECLS

/**
 * stint_cli_window_connect:
 * @start: whether the bus may start a window process if there is none
 * @error: %STINT_ERROR_NOT_RUNNING: there is none
 *
 * The window process of this session. Its calls have no timeout.
 *
 * Returns: (transfer full): the proxy, or %NULL
 */
StintBusJobs *stint_cli_window_connect (gboolean start, GError **error);

/**
 * stint_cli_find_job:
 * @window: (nullable): the window process, if there is one
 * @word: a job's number, its name, or `last`
 * @active: whether it must not have finished
 * @error: there is no such job, or there are several
 *
 * A name is that of a job which has not finished, if there is one, else of the last that had it. Jobs
 * without a name go by their command.
 *
 * Returns: (transfer full): its facts; of the window process if it knows the job, else of the history
 */
GVariant *
stint_cli_find_job (StintBusJobs *window, const char *word, gboolean active, GError **error);

/* The window's process id; 0 without a window. */
int stint_cli_window_get_pid (StintBusJobs *window);

/* Whether the window process knows the job of these facts. */
gboolean stint_cli_is_in_window (StintBusJobs *window, GVariant *facts);

/* Members of facts, with what they are if they are not there. */
guint64 stint_cli_get_id (GVariant *facts);
const char *stint_cli_get_text (GVariant *facts, const char *name);
gint64 stint_cli_get_number (GVariant *facts, const char *name, gint64 otherwise);

/* (nullable) (type filename) */
const char *stint_cli_get_bytes (GVariant *facts, const char *name);
gboolean stint_cli_has_finished (GVariant *facts);

G_END_DECLS
