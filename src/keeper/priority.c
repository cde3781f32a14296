/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See priority.h.
 */
#include "priority.h"

#include "protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#define MAX_NICENESS 19

/* Between two tries, times the number of the try: other keepers are after the same. */
#define SHORTEST_DELAY 100000
#define LONGEST_DELAY 300000
#define MAX_REFUSED 20

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
}

/* A new session starts with 0. What it has besides was set by this, or by the command: that stays. */
static int
lower_open_session (int fd, int32_t niceness)
{
  char text[64];
  const char *value;
  ssize_t n = read (fd, text, sizeof text - 1);
  int length;

  if (n < 0)
    return errno;
  text[n] = '\0';
  value = strstr (text, " nice ");
  if (value == NULL)
    return ENOTSUP;
  if (atoi (value + strlen (" nice ")) != 0)
    return 0;
  length = snprintf (text, sizeof text, "%d", niceness < MAX_NICENESS ? niceness : MAX_NICENESS);
  return write (fd, text, (size_t) length) < 0 ? errno : 0;
}

static int
lower_session (const char *path, int32_t niceness)
{
  int fd = open (path, O_RDWR | O_CLOEXEC), error;

  if (fd < 0)
    return errno;
  error = lower_open_session (fd, niceness);
  close (fd);
  return error;
}

int
priority_lower_session (int32_t niceness)
{
  return niceness > 0 ? lower_session ("/proc/self/autogroup", niceness) : 0;
}

static int
lower_session_of (pid_t pid, int32_t niceness)
{
  char path[32];

  if (pid <= 0)
    return ESRCH;
  snprintf (path, sizeof path, "/proc/%d/autogroup", pid);
  return lower_session (path, niceness);
}

/* Those who were refused together do not come again together. */
static int64_t
next_delay (const struct priority *priority, int64_t now)
{
  uint32_t random;

  if (getrandom (&random, sizeof random, GRND_NONBLOCK) != sizeof random)
    random = (uint32_t) now;
  return (SHORTEST_DELAY + random % (LONGEST_DELAY - SHORTEST_DELAY)) * (priority->refused + INT64_C (1));
}

void
priority_start (struct priority *priority, int32_t niceness, int64_t now)
{
  *priority = (struct priority) { 0 };
  if (niceness <= 0)
    return;
  priority->session = PRIORITY_COMMAND;
  priority->niceness = niceness;
  priority->next_at = now + next_delay (priority, now);
}

void
priority_tick (struct priority *priority, pid_t leader, int64_t now)
{
  while (priority_next (priority) <= now)
    {
      int error = priority->session == PRIORITY_COMMAND ? lower_session_of (leader, priority->niceness)
                                                        : priority_lower_session (priority->niceness);

      if (error != EAGAIN)
        {
          /* Done, or never to be: there is no such thing here, or the command is another user's. */
          priority->session--;
          continue;
        }
      priority->refused++;
      if (priority->refused >= MAX_REFUSED)
        priority->session = PRIORITY_NO_SESSION;
      priority->next_at = now + next_delay (priority, now);
    }
}

int64_t
priority_next (const struct priority *priority)
{
  return priority->session != PRIORITY_NO_SESSION ? priority->next_at : KEEPER_NEVER;
}
