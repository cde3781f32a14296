/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-list.h"

G_BEGIN_DECLS

#define STINT_TYPE_SHUTDOWN (stint_shutdown_get_type ())
G_DECLARE_FINAL_TYPE (StintShutdown, stint_shutdown, STINT, SHUTDOWN, GObject)

/*
 * Signals:
 *
 *   begun ()     it has begun; nothing new starts from now on
 *   progress ()  it has begun, or a job has ended or been saved
 */

/**
 * stint_shutdown_new:
 * @jobs: the jobs to end
 *
 * The way out, whatever the cause: refuse new jobs, cancel every job (with the smaller of its grace
 * and 4 s), SIGKILL after 5 s, give up on what is left after 6 s, and wait until what has ended is
 * saved, at most 4 s more.
 *
 * Returns: (transfer full): the shutdown
 */
StintShutdown *stint_shutdown_new (StintJobList *jobs);

/**
 * stint_shutdown_begin:
 * @self: the shutdown
 * @cause: its name, for the log and for stint_shutdown_get_cause(): "window closed", "SIGTERM"
 *
 * Begins, or if it has begun, goes straight to SIGKILL.
 */
void stint_shutdown_begin (StintShutdown *self, const char *cause);

/**
 * stint_shutdown_add_cause:
 * @self: the shutdown
 * @cause: its name
 * @cancellable: what is cancelled when it happens, from any thread
 *
 * Another cause, whoever finds it out: an agent's prompt, the end of the session. To be called on
 * the thread that runs the jobs. It is seen before anything else that is ready at the same time.
 */
void stint_shutdown_add_cause (StintShutdown *self, const char *cause, GCancellable *cancellable);

/* SIGKILL to all that is left, now; begins, if it has not begun. */
void stint_shutdown_stop_now (StintShutdown *self);

gboolean stint_shutdown_get_begun (StintShutdown *self);

/* (nullable): the name of the first cause. */
const char *stint_shutdown_get_cause (StintShutdown *self);

/* (transfer none): the token: cancelled when it begins, before anything is stopped. */
GCancellable *stint_shutdown_get_cancellable (StintShutdown *self);

/**
 * stint_shutdown_dup_waiting:
 * @self: the shutdown
 *
 * What it waits for; which processes that are tells stint_job_dup_processes().
 *
 * Returns: (transfer full) (element-type StintJob): the jobs that have not ended
 */
GPtrArray *stint_shutdown_dup_waiting (StintShutdown *self);

/**
 * stint_shutdown_wait_async:
 * @self: the shutdown
 * @callback: called exactly once, when everything has ended or been given up
 * @user_data: for @callback
 */
void stint_shutdown_wait_async (StintShutdown *self,
                                GAsyncReadyCallback callback,
                                gpointer user_data);

/**
 * stint_shutdown_wait_finish:
 *
 * Returns: %TRUE if all ended and was saved; %FALSE with an error that names what did not
 */
gboolean stint_shutdown_wait_finish (StintShutdown *self, GAsyncResult *result, GError **error);

/* Watches SIGTERM, SIGINT and SIGHUP, but those that are ignored: each begins the shutdown, and the
 * second makes it hurry. */
void stint_shutdown_watch_signals (StintShutdown *self);

/* The first such signal, or 0: who ends by it exits with 128 + n. */
int stint_shutdown_get_signal (StintShutdown *self);

G_END_DECLS
