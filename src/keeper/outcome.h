/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The file `outcome`: how the job ended, for whoever finds the directory later. libc only.
 */
#pragma once

#include "protocol.h"

#include <sys/resource.h>

/* Fills in what the counters page knows: sizes, losses, the leader. */
void outcome_from_counters (struct keeper_outcome *outcome, const struct keeper_counters *counters);

/* Adds what a reaped process has used. */
void outcome_add_usage (struct keeper_outcome *outcome, const struct rusage *usage);

/* It has ended at @at, monotonic. The wall clock is not asked again if the command was started: the
 * start that is told is the true one, whatever suspend or setting of the clock came since. */
void outcome_set_end (struct keeper_outcome *outcome,
                      const struct keeper_counters *counters,
                      int64_t at);

/* Writes it once and whole: to a temporary name first, then renamed. Returns: 0 or the errno. */
int outcome_write (const struct keeper_outcome *outcome, int directory_fd);

/* Removes the job directory and the files that belong in it. */
void outcome_remove_directory (int directory_fd);
