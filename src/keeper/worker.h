/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The half of the keeper that does the work: starts the command, records its output, holds its
 * limits, stops it, reaps everything and says how it ended. libc only.
 */
#pragma once

#include "launch.h"
#include "stream.h"

/* Sent to the worker when the warden dies. */
#define WORKER_SIGNAL_ORPHANED SIGUSR1

/* Sent to the warden: close the pty's master, the terminal must end. */
#define WARDEN_SIGNAL_HANG_UP SIGUSR2

/* Sent to the warden: there is a new engine, its socket is in the pair. */
#define WARDEN_SIGNAL_ADOPTED SIGUSR1

/* What both halves hold, so that either can carry on. */
struct keeper
{
  struct launch launch;
  struct keeper_counters *counters;
  int pty_fd;      /* the master, or -1 */
  int read_fds[2]; /* of the captured streams' pipes, or -1 */
  int write_fds[2];
  int pair_fd; /* to the other half */
};

/* Runs the job as a child of @warden, and never returns. Exits with 0 once the outcome has been
 * written and sent. */
_Noreturn void worker_run (struct keeper *keeper, int warden);

/* Sends @event to the engine, if it is still there. */
void keeper_send (const struct keeper *keeper, const struct keeper_event *event);

/* Opens the streams that the keeper records. Returns: how many. */
size_t keeper_open_streams (struct keeper *keeper, struct stream streams[KEEPER_N_STREAMS]);
