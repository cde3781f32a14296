/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The two clocks.
 */
#include "clock.h"

#include <time.h>

static int64_t
read_clock (clockid_t id)
{
  struct timespec at = { 0 };

  clock_gettime (id, &at);
  return (int64_t) at.tv_sec * 1000000 + at.tv_nsec / 1000;
}

int64_t
clock_monotonic (void)
{
  return read_clock (CLOCK_MONOTONIC);
}

int64_t
clock_real (void)
{
  return read_clock (CLOCK_REALTIME);
}
