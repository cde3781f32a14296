/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "stint-result.h"

G_BEGIN_DECLS

/* In the environment of every process of a job that has not taken it away: the job's directory, which
 * is no other job's. */
#define STINT_STRAYS_MARK "STINT_JOB_DIRECTORY"

/* What was killed and only waits for a processor to end on, as on a busy machine it may for long, is waited
 * for so long, in microseconds: so long the keeper has patience too. */
#define STINT_STRAYS_PATIENCE (10 * G_USEC_PER_SEC)

/**
 * stint_strays_end:
 * @directory: (type filename): the directory of a job that nobody keeps any more
 * @patience: microseconds, with what only waits for a processor to end on
 * @result: gets what was found: who was killed is counted among the leftovers and named in the
 *   error, who could not be is a survivor
 *
 * Ends what is left of a job when both halves of its keeper were killed, and nothing holds its
 * processes together any more. They are known by the mark in their environment: what has been taken
 * away from a process, as by `env -i`, hides it. A process is looked at again once it is pinned by
 * its descriptor, so no stranger with the same id is ever hit.
 *
 * Blocks, but no longer than a second, or @patience if that is more.
 */
void stint_strays_end (const char *directory, gint64 patience, StintResult *result);

/**
 * stint_strays_end_async:
 *
 * The same in a thread, with %STINT_STRAYS_PATIENCE. @result belongs to the thread until @callback is called.
 */
void stint_strays_end_async (const char *directory,
                             StintResult *result,
                             GAsyncReadyCallback callback,
                             gpointer user_data);

/* Returns: (transfer full): the result. */
StintResult *stint_strays_end_finish (GAsyncResult *result);

/**
 * stint_strays_continue_keeper:
 * @directory: (type filename): the directory of a job whose lock is held
 *
 * Continues its keeper, if somebody has stopped it (SIGSTOP): it would never end.
 *
 * Returns: how many processes were continued
 */
guint stint_strays_continue_keeper (const char *directory);

G_END_DECLS
