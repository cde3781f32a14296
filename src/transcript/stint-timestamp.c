/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time of day at which a line came, for the window and the exports.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-timestamp.h"

/* What a damaged index or history says beyond these is no time; neither do they overflow. */
#define MAX_START (G_GINT64_CONSTANT (1) << 55) /* the year 3111 */
#define MAX_TIME (G_GINT64_CONSTANT (1) << 51)  /* 71 years */

void
stint_timestamp_init (StintTimestamp *self, gint64 started_at)
{
  *self = (StintTimestamp){ .started_at = CLAMP (started_at, 0, MAX_START), .second = -1 };
}

const char *
stint_timestamp_format (StintTimestamp *self, gint64 time)
{
  gint64 at = self->started_at + CLAMP (time, 0, MAX_TIME);
  gint64 second = at / G_USEC_PER_SEC;

  /* Most lines come in the same second as the one before. */
  if (second != self->second)
    {
      g_autoptr (GDateTime) moment = self->started_at != 0
                                         ? g_date_time_new_from_unix_local (second)
                                         : g_date_time_new_from_unix_utc (second);

      self->second = second;
      g_snprintf (self->text, sizeof self->text, "%02d:%02d:%02d", g_date_time_get_hour (moment),
                  g_date_time_get_minute (moment), g_date_time_get_second (moment));
    }
  g_snprintf (self->text + 8, sizeof self->text - 8, ".%03d", (int) (at % G_USEC_PER_SEC / 1000));
  return self->text;
}
