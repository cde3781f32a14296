/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See launch.h.
 */
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The descriptors that a block can name: seven channels and three of the command's. */
#define MAX_NAMED 10

/* Cuts the next string off @rest. Returns: NULL if none is left. */
static char *
take_string (char **rest, char *end)
{
  char *string = *rest;
  char *nul = string < end ? memchr (string, '\0', (size_t) (end - string)) : NULL;

  if (nul == NULL)
    return NULL;
  *rest = nul + 1;
  return string;
}

static char **
take_strings (char **rest, char *end, uint32_t n)
{
  /* No string is shorter than its NUL: a count that cannot be true allocates nothing. */
  char **strings = n <= (size_t) (end - *rest) ? calloc ((size_t) n + 1, sizeof *strings) : NULL;

  if (strings == NULL)
    return NULL;
  for (uint32_t i = 0; i < n; i++)
    if ((strings[i] = take_string (rest, end)) == NULL)
      {
        free (strings);
        return NULL;
      }
  return strings;
}

/* Points into the @size bytes at @map. */
static int
parse (struct launch *launch, char *map, size_t size)
{
  char *rest, *end = map + size;

  memcpy (&launch->block, map, sizeof launch->block);
  if (launch->block.magic != KEEPER_LAUNCH_MAGIC || launch->block.version != KEEPER_VERSION ||
      launch->block.strings_size != size - sizeof launch->block)
    return EPROTO;

  rest = map + sizeof launch->block;
  launch->directory = take_string (&rest, end);
  if (launch->directory == NULL || launch->block.argc == 0)
    return EPROTO;
  launch->argv = take_strings (&rest, end, launch->block.argc);
  launch->environ = launch->argv != NULL ? take_strings (&rest, end, launch->block.envc) : NULL;
  if (launch->environ != NULL)
    return 0;
  free (launch->argv);
  return EPROTO;
}

int
launch_read (struct launch *launch, int fd)
{
  struct stat status;
  char *map;
  int error;

  if (fstat (fd, &status) < 0)
    return errno;
  if ((size_t) status.st_size < sizeof launch->block)
    return EPROTO;

  /* Private: the strings become the command's argv, and a shared map of a sealed memfd is refused. */
  map = mmap (NULL, (size_t) status.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  if (map == MAP_FAILED)
    return errno;

  error = parse (launch, map, (size_t) status.st_size);
  if (error != 0)
    munmap (map, (size_t) status.st_size);
  return error;
}

static int
compare (const void *a, const void *b)
{
  const int32_t first = *(const int32_t *) a, second = *(const int32_t *) b;

  return (first > second) - (first < second);
}

int
launch_adopt_descriptors (const struct launch *launch)
{
  const struct keeper_launch *block = &launch->block;
  int32_t named[MAX_NAMED] = {
    block->control_fd,  block->counters_fd, block->wakeup_fd,
    block->directory_fd, block->lock_fd,    block->pty_fd,
    block->stdio[0].fd, block->stdio[1].fd, block->stdio[2].fd,
    block->narration_fd,
  };
  int null_fd, last = 2;

  qsort (named, MAX_NAMED, sizeof *named, compare);
  for (size_t i = 0; i < MAX_NAMED; i++)
    {
      if (named[i] <= last)
        continue;
      if (fcntl (named[i], F_SETFD, FD_CLOEXEC) < 0)
        return errno;
      if (named[i] > last + 1)
        close_range ((unsigned) last + 1, (unsigned) named[i] - 1, 0);
      last = named[i];
    }
  close_range ((unsigned) last + 1, ~0u, 0);

  null_fd = open ("/dev/null", O_RDWR | O_CLOEXEC);
  if (null_fd < 0)
    return errno;
  for (int fd = 0; fd <= 2; fd++)
    if (dup2 (null_fd, fd) < 0)
      return errno;
  /* One of the three was missing, and is itself now: the command inherits it. */
  if (null_fd <= 2)
    fcntl (null_fd, F_SETFD, 0);
  else
    close (null_fd);
  return 0;
}
