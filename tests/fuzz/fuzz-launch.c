/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The launch block, as the keeper takes it out of its memfd: once as it is, once with a head that is
 * right, since hardly any bytes come by that on their own.
 */
#include "fuzz.h"
#include "launch.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t
total_length (char *const *strings, uint32_t n)
{
  size_t total = 0;

  for (uint32_t i = 0; i < n; i++)
    total += strlen (strings[i]) + 1;
  if (strings[n] != NULL)
    abort ();
  return total;
}

static void
read_block (const void *bytes, size_t size)
{
  struct launch launch = { 0 };
  int fd = memfd_create ("fuzz-launch", MFD_CLOEXEC);

  if (fd < 0 || write (fd, bytes, size) != (ssize_t) size)
    abort ();
  if (launch_read (&launch, fd) == 0)
    {
      size_t strings = strlen (launch.directory) + 1;

      /* All of it lies within the block, and there is something to run. */
      strings += total_length (launch.argv, launch.block.argc);
      strings += total_length (launch.environ, launch.block.envc);
      if (strings > launch.block.strings_size || launch.argv[0] == NULL)
        abort ();
      /* In the keeper it lives as long as the process. */
      free (launch.argv);
      free (launch.environ);
      munmap ((char *) launch.directory - sizeof launch.block, size);
    }
  close (fd);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  struct keeper_launch block;
  uint8_t *copy;

  if (size == 0)
    return 0;
  read_block (data, size);
  if (size < sizeof block)
    return 0;

  copy = malloc (size);
  if (copy == NULL)
    abort ();
  memcpy (copy, data, size);
  memcpy (&block, data, sizeof block);
  block.magic = KEEPER_LAUNCH_MAGIC;
  block.version = KEEPER_VERSION;
  block.strings_size = size - sizeof block;
  memcpy (copy, &block, sizeof block);
  read_block (copy, size);
  free (copy);
  return 0;
}
