/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * STINT_NEVER:
 *
 * "No limit", where a time left or a point in time is returned.
 */
#define STINT_NEVER G_MAXINT64

/**
 * stint_duration_parse:
 * @text: a number and a unit, `90`, `1.5s`, `5m`, `2h`, `1d`, `250ms`, or several, `1h30m`;
 *   without a unit it is seconds
 * @usec: (out): microseconds, 0 or more
 * @error: %STINT_ERROR_INVALID, naming @text and the form it should have
 *
 * Returns: %FALSE with @error set and @usec unchanged if @text is no duration
 */
gboolean stint_duration_parse (const char *text, gint64 *usec, GError **error);

/**
 * stint_duration_format:
 * @usec: microseconds
 *
 * The shortest text that stint_duration_parse() reads back as @usec, which is rounded down to whole
 * milliseconds: `1h30m`, `250ms`, `0`.
 *
 * Returns: (transfer full): the text
 */
char *stint_duration_format (gint64 usec);

/**
 * stint_duration_format_clock:
 * @usec: microseconds; rounded up to a whole second, so that a countdown ends at `0:00`
 *
 * Returns: (transfer full): `m:ss` or `h:mm:ss`
 */
char *stint_duration_format_clock (gint64 usec);

/**
 * stint_duration_format_words:
 * @usec: microseconds
 *
 * For sentences, translated: "2 min 14 s", "0.3 s", "1 h 5 min".
 *
 * Returns: (transfer full): the text
 */
char *stint_duration_format_words (gint64 usec);

/**
 * stint_start_time_parse:
 * @text: a time of the day, `03:00` or `15:04:05`, or a day as well, `2030-01-31 03:00`
 * @now: what it is read at: a time of the day is the next one in its time zone
 * @real_usec: (out): microseconds since 1970
 * @error: %STINT_ERROR_INVALID, naming @text and the form it should have; or it is past
 *
 * Returns: %FALSE with @error set and @real_usec unchanged if @text is no time to come
 */
gboolean stint_start_time_parse (const char *text, GDateTime *now, gint64 *real_usec, GError **error);

/**
 * stint_size_parse:
 * @text: a whole number of bytes, with K, M, G or T for powers of 1024
 * @bytes: (out): bytes
 * @error: %STINT_ERROR_INVALID, naming @text and the form it should have
 *
 * Returns: %FALSE with @error set and @bytes unchanged if @text is no size
 */
gboolean stint_size_parse (const char *text, guint64 *bytes, GError **error);

/**
 * stint_text_clean:
 * @text: anything that came from outside: a command, a title, a process name
 * @max_chars: the most characters to keep
 *
 * What may be put into a label, a row, a message or a notification: valid UTF-8 without control
 * characters (a run of them becomes one space), cut at @max_chars with an ellipsis.
 *
 * Returns: (transfer full): the text
 */
char *stint_text_clean (const char *text, guint max_chars);

G_END_DECLS
