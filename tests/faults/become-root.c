/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What sudo is to a job: a program that, being setuid root, becomes root altogether, so that whoever
 * started it may not signal it any more. libc only.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int
main (int argc, char **argv)
{
  if (setresuid (0, 0, 0) < 0)
    {
      perror ("setresuid");
      return 1;
    }
  /* A daemon of root's does not end with its terminal either. */
  if (argc > 1 && strcmp (argv[1], "stay") == 0)
    signal (SIGHUP, SIG_IGN);
  puts ("ready");
  fflush (stdout);
  for (;;)
    pause ();
}
