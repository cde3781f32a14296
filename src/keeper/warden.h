/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The half of the keeper that only waits, and takes over if the worker dies. libc only.
 */
#pragma once

/* Reads the launch block from @launch_fd, runs the job and waits for its end. Returns: the exit
 * status of the keeper: 0 if the engine has been told how the job ended. */
int warden_run (int launch_fd);
