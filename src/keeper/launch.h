/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Takes the launch block out of its memfd. libc only.
 */
#pragma once

#include "protocol.h"

struct launch
{
  struct keeper_launch block;
  const char *directory;
  char **argv;    /* ended by NULL */
  char **environ; /* ended by NULL */
};

/* Reads the launch block from @fd. What it holds lives as long as the process. Returns: 0, or the
 * errno: EPROTO for a block that is not of this build. */
int launch_read (struct launch *launch, int fd);

/* Makes every descriptor that the block names close-on-exec and closes all the others but 0 to 2,
 * which become /dev/null. Returns: 0 or the errno. */
int launch_adopt_descriptors (const struct launch *launch);
