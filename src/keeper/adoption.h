/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a job that was let go is met again: a socket in its directory, on which an engine that comes
 * later is handed what the first one had. libc only.
 */
#pragma once

#include "protocol.h"

#include <stdbool.h>

/* Listens in the job directory @directory_fd. Returns: 0 and the socket in @listen_fd, or the errno. */
int adoption_listen (int directory_fd, int *listen_fd);

/* Nobody is to come any more. */
void adoption_close (int directory_fd, int *listen_fd);

/* Takes the next engine that has come; one of another user is sent away. Returns: its socket, or -1. */
int adoption_accept (int listen_fd);

/* Tells the engine at @fd how the job stands, with the descriptors of its counters, their eventfd, and
 * the pty's master or -1. Returns: whether it was sent. */
bool adoption_tell (int fd, const struct keeper_adoption *adoption, const int given[3]);

/* One half of the keeper gives the other the new control socket, through the pair that both have. */
bool adoption_share (int pair_fd, int control_fd);

/* Returns: the control socket that was shared last, or -1 if none was since. */
int adoption_take_shared (int pair_fd);
