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

/* Writes it once and whole: to a temporary name first, then renamed. Returns: 0 or the errno. */
int outcome_write (const struct keeper_outcome *outcome, int directory_fd);

/* Removes the job directory and the files that belong in it. */
void outcome_remove_directory (int directory_fd);
