/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * To wait for a moment, by either clock. GLib's sources know the monotonic one alone, which stands
 * still while the machine sleeps and does not notice when somebody sets the time.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-clock-source.h"

#include <errno.h>
#include <glib-unix.h>
#include <sys/timerfd.h>
#include <unistd.h>

typedef struct
{
  GSource source;
  int fd;
} WallClock;

static gboolean
dispatch (GSource *source, GSourceFunc callback, gpointer data)
{
  return callback != NULL ? callback (data) : G_SOURCE_REMOVE;
}

GSource *
stint_monotonic_source_new (gint64 at)
{
  static GSourceFuncs funcs = { .dispatch = dispatch };
  GSource *source = g_source_new (&funcs, sizeof (GSource));

  g_source_set_ready_time (source, at);
  return source;
}

static void
wall_clock_finalize (GSource *source)
{
  WallClock *self = (WallClock *) source;

  if (self->fd >= 0)
    close (self->fd);
}

GSource *
stint_wall_clock_source_new (gint64 real_usec)
{
  static GSourceFuncs funcs = {
    .dispatch = dispatch,
    .finalize = wall_clock_finalize,
  };
  GSource *source = g_source_new (&funcs, sizeof (WallClock));
  WallClock *self = (WallClock *) source;
  const struct itimerspec timer = {
    /* 0 would disarm it. */
    .it_value = { .tv_sec = real_usec / G_USEC_PER_SEC,
                  .tv_nsec = real_usec % G_USEC_PER_SEC * 1000 + 1 },
  };

  self->fd = timerfd_create (CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  if (self->fd >= 0 &&
      timerfd_settime (self->fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &timer, NULL) == 0)
    {
      g_source_add_unix_fd (source, self->fd, G_IO_IN | G_IO_ERR);
      return source;
    }
  /* Out of descriptors: late after a sleep is better than never. */
  g_source_set_ready_time (source,
                           g_get_monotonic_time () + MAX (real_usec - g_get_real_time (), 0));
  return source;
}
