/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See priority.h.
 */
#include "priority.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#define MAX_NICENESS 19

void
priority_lower (int32_t niceness)
{
  int inherited;

  if (niceness <= 0)
    return;
  errno = 0;
  inherited = getpriority (PRIO_PROCESS, 0);
  if (errno == 0 && inherited < MAX_NICENESS)
    setpriority (PRIO_PROCESS, 0,
                 niceness < MAX_NICENESS - inherited ? inherited + niceness : MAX_NICENESS);
  priority_lower_session (niceness);
}

/* Where the kernel groups processes by session (autogroup), niceness counts only within one: a job's is
 * a session of its own, and so has to have one as a whole. A new session starts with 0. */
void
priority_lower_session (int32_t niceness)
{
  char text[16];
  ssize_t n;
  int fd, length;

  if (niceness <= 0 || (fd = open ("/proc/self/autogroup", O_WRONLY | O_CLOEXEC)) < 0)
    return;
  length = snprintf (text, sizeof text, "%d", niceness < MAX_NICENESS ? niceness : MAX_NICENESS);
  n = write (fd, text, (size_t) length);
  (void) n; /* refused to those who ask too often */
  close (fd);
}
