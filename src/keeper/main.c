/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * stint-keeper: the small process that each job runs under. The engine starts it; see src/DESIGN.md.
 */
#include "protocol.h"
#include "warden.h"

#include <fcntl.h>
#include <stdio.h>

int
main (void)
{
  if (fcntl (KEEPER_LAUNCH_FD, F_GETFD) < 0)
    {
      fputs ("stint-keeper: it is started by stint and stintctl, not by hand\n", stderr);
      return 125;
    }
  return warden_run (KEEPER_LAUNCH_FD);
}
