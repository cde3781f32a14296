/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads what is passed over, for StintScreenState. The follower does so before it skips, the player
 * before it loads. */

#include "config.h"

#include "stint-screen-scan.h"

#include <string.h>

#define READ_SIZE (64 * 1024)

void
stint_screen_scan_begin (
  StintScreenScan *self, StintReader *reader, guint64 from, guint64 target, guint64 window)
{
  self->reader = reader;
  self->offset = from;
  self->target = target;
  if (target < from || target - from > window)
    {
      memset (&self->state, 0, sizeof self->state);
      self->offset = target > window ? target - window : 0;
    }
}

/* Returns: how many bytes were read, 0 at the end, -1 with @error set */
static gssize
scan (StintScreenScan *self, guint8 *buffer, GError **error)
{
  guint64 hole = 0, from;
  gssize got = stint_reader_read (self->reader, &self->offset, buffer,
                                  (gsize) MIN (READ_SIZE, self->target - self->offset), &hole, error);

  if (got <= 0)
    return got;
  from = self->offset - (guint64) got;
  if (hole > 0)
    stint_screen_state_cut (&self->state);
  /* Behind the hole it may be more than was wanted. */
  if (from < self->target)
    stint_screen_state_scan (&self->state, from, buffer,
                             (gsize) MIN ((guint64) got, self->target - from));
  return got;
}

StintScreenScanStep
stint_screen_scan_step (StintScreenScan *self, GError **error)
{
  guint8 buffer[READ_SIZE];
  gsize done = 0;

  while (done < STINT_SCREEN_SCAN_PIECE && self->offset < self->target)
    {
      gssize got = scan (self, buffer, error);

      if (got < 0)
        return STINT_SCREEN_SCAN_FAILED;
      if (got == 0)
        return STINT_SCREEN_SCAN_DONE;
      done += (gsize) got;
    }
  return self->offset < self->target ? STINT_SCREEN_SCAN_MORE : STINT_SCREEN_SCAN_DONE;
}
