/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stamp FILE COMMAND…
 *
 * Runs a command and writes how many microseconds it took, from within whatever shows its output:
 * what that takes to start is not counted.
 */
#include <inttypes.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static int64_t
now (void)
{
  struct timespec time;

  clock_gettime (CLOCK_MONOTONIC, &time);
  return (int64_t) time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

int
main (int argc, char **argv)
{
  char partial[4096];
  int64_t begun = now (), took;
  int status;
  pid_t pid;
  FILE *file;

  if (argc < 3 || posix_spawnp (&pid, argv[2], NULL, NULL, argv + 2, environ) != 0)
    return 126;
  if (waitpid (pid, &status, 0) != pid || status != 0)
    return 1;
  took = now () - begun;

  /* Whoever waits for the file finds it whole. */
  snprintf (partial, sizeof partial, "%s.partial", argv[1]);
  file = fopen (partial, "w");
  if (file == NULL)
    return 1;
  fprintf (file, "%" PRId64 "\n", took);
  return fclose (file) == 0 && rename (partial, argv[1]) == 0 ? 0 : 1;
}
