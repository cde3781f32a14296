/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See outcome.h.
 */
#include "outcome.h"

#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

void
outcome_from_counters (struct keeper_outcome *outcome, const struct keeper_counters *counters)
{
  outcome->magic = KEEPER_OUTCOME_MAGIC;
  outcome->version = KEEPER_VERSION;
  outcome->pid = counters->leader;
  outcome->started_at = counters->started_at;
  outcome->has_status = counters->has_status;
  outcome->wait_status = counters->wait_status;
  outcome->stdout_bytes = counters->bytes[KEEPER_STREAM_STDOUT];
  outcome->stderr_bytes = counters->bytes[KEEPER_STREAM_STDERR];
  outcome->size = counters->size;
  outcome->hole_start = counters->hole_start;
  outcome->hole_end = counters->hole_end;
  outcome->lost = counters->lost;
  outcome->store_error = counters->store_error;
}

void
outcome_set_end (struct keeper_outcome *outcome, const struct keeper_counters *counters, int64_t at)
{
  outcome->ended_at = at;
  outcome->ended_real = counters->started_at != 0
                            ? counters->started_real + (at - counters->started_at)
                            : clock_real ();
}

void
outcome_add_usage (struct keeper_outcome *outcome, const struct rusage *usage)
{
  const int64_t max_rss = (int64_t) usage->ru_maxrss * 1024;

  outcome->cpu += ((int64_t) usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1000000 +
                  usage->ru_utime.tv_usec + usage->ru_stime.tv_usec;
  if (max_rss > outcome->max_rss)
    outcome->max_rss = max_rss;
}

int
outcome_write (const struct keeper_outcome *outcome, int directory_fd)
{
  int fd, error = 0;

  fd = openat (directory_fd, KEEPER_FILE_OUTCOME_NEW,
               O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0)
    return errno;
  errno = 0;
  if (write (fd, outcome, sizeof *outcome) != (ssize_t) sizeof *outcome)
    error = errno != 0 ? errno : ENOSPC;
  close (fd);
  if (error == 0 && renameat (directory_fd, KEEPER_FILE_OUTCOME_NEW, directory_fd,
                              KEEPER_FILE_OUTCOME) < 0)
    error = errno;
  if (error != 0)
    unlinkat (directory_fd, KEEPER_FILE_OUTCOME_NEW, 0);
  return error;
}

void
outcome_remove_directory (int directory_fd)
{
  static const char *const names[] = {
    KEEPER_FILE_OUTPUT,      KEEPER_FILE_INDEX, KEEPER_FILE_OUTCOME,
    KEEPER_FILE_OUTCOME_NEW, KEEPER_FILE_LOCK,  KEEPER_FILE_CONTROL,
    KEEPER_FILE_PROTOCOL,
  };
  char link[64], path[PATH_MAX];
  ssize_t length;

  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    unlinkat (directory_fd, names[i], 0);

  snprintf (link, sizeof link, "/proc/self/fd/%d", directory_fd);
  length = readlink (link, path, sizeof path - 1);
  if (length > 0)
    {
      path[length] = '\0';
      rmdir (path);
    }
}
