/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stint-keeper: the small process that each job runs under. The engine starts it; see src/DESIGN.md.
 */
#include "protocol.h"
#include "warden.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int
main (void)
{
  if (fcntl (KEEPER_LAUNCH_FD, F_GETFD) < 0)
    {
      fputs ("stint-keeper: it is started by stint and stintctl, not by hand\n", stderr);
      return 125;
    }
  /* As the worker does: nothing is left to be tidied up, and who waits for the lock waits for this. A
   * leak check here would hang for ever if SIGCONT came while it stops the process to look. */
  _exit (warden_run (KEEPER_LAUNCH_FD));
}
