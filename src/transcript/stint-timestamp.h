/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Characters of a time. */
#define STINT_TIMESTAMP_WIDTH 12

/**
 * StintTimestamp:
 *
 * Writes the times at which lines came: "12:34:56.789".
 */
typedef struct
{
  /*< private >*/
  gint64 started_at;
  gint64 second; /* what `text` says, seconds since 1970 */
  char text[16];
} StintTimestamp;

/**
 * stint_timestamp_init:
 * @self: (out caller-allocates): has nothing to free
 * @started_at: when the command started, microseconds since 1970; 0: not known
 */
void stint_timestamp_init (StintTimestamp *self, gint64 started_at);

/**
 * stint_timestamp_format:
 * @self: a timestamp
 * @time: microseconds since the start of the command; what cannot be one is taken for the nearest
 *
 * Returns: (transfer none): the local time then, or the time since the start if that is not known;
 *   until the next call
 */
const char *stint_timestamp_format (StintTimestamp *self, gint64 time);

G_END_DECLS
