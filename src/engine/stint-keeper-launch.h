/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-store.h"
#include "stint-job.h"

G_BEGIN_DECLS

/**
 * StintKeeperChannels:
 * @control_fd: our end of the control socket
 * @counters_fd: the page of counters
 * @wakeup_fd: the eventfd that goes with it
 *
 * What the engine holds of a keeper that has been started.
 */
typedef struct
{
  int control_fd;
  int counters_fd;
  int wakeup_fd;
} StintKeeperChannels;

/**
 * stint_keeper_launch:
 * @spec: what to run
 * @place: where; its lock goes to the keeper
 * @stdio: the caller's descriptors
 * @pty_fd: the master of the job's pty, or -1; it is duplicated
 * @channels: (out): descriptors that the caller closes
 * @error: no descriptors, no memory, or no keeper
 *
 * Starts the keeper of a job. Takes less than a millisecond and does not fork this process.
 *
 * Returns: (transfer full): the keeper's process, or %NULL
 */
GSubprocess *stint_keeper_launch (StintJobSpec *spec,
                                  StintJobPlace *place,
                                  const StintStdio *stdio,
                                  int pty_fd,
                                  StintKeeperChannels *channels,
                                  GError **error);

/**
 * stint_descriptors_raise_limit:
 *
 * Raises this process's soft limit of open descriptors to the hard one: each job takes a few. Jobs
 * get the limit that was in force before. To be called once, before anything else.
 */
void stint_descriptors_raise_limit (void);

/**
 * stint_descriptors_check_limit:
 * @wanted: how many this process cannot do without
 * @error: it may open fewer; what to do
 *
 * Returns: whether as many can be open at once
 */
gboolean stint_descriptors_check_limit (guint wanted, GError **error);

G_END_DECLS
