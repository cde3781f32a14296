/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See stint-standard-descriptors.h.
 */
#define G_LOG_DOMAIN "stintctl"
#include "config.h"

#include "stint-standard-descriptors.h"

#include <fcntl.h>
#include <unistd.h>

static gboolean was_closed[3];

void
stint_standard_descriptors_ensure (void)
{
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    {
      if (fcntl (fd, F_GETFD) >= 0)
        continue;
      /* The lowest free descriptor is this one. */
      was_closed[fd] = open ("/dev/null", fd == STDIN_FILENO ? O_RDONLY : O_WRONLY) == fd;
    }
}

gboolean
stint_standard_descriptor_was_open (int fd)
{
  g_return_val_if_fail (fd >= 0 && fd < (int) G_N_ELEMENTS (was_closed), FALSE);
  return !was_closed[fd];
}
