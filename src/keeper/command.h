/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Starts the command: a session and process group of its own, clean signals, its descriptors, its
 * directory, and exec. libc only.
 */
#pragma once

#include "launch.h"

#include <sys/types.h>

struct command
{
  pid_t pid;
  int error_fd; /* ends when the command has been executed; else it gives a struct command_failure */
};

struct command_failure
{
  int32_t step; /* enum keeper_step */
  int32_t error;
};

/* Starts @launch's command with @stdio as its descriptors 0 to 2; @terminal is the slave that becomes
 * its controlling terminal, or -1. Returns: 0, or the errno of pipe or fork. */
int command_start (struct command *command,
                   const struct launch *launch,
                   const int stdio[3],
                   int terminal);
