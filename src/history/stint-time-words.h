/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * stint_time_words_parse:
 * @text: `today`, `yesterday`, `now`, `monday` (the last one), `3d` (that long ago; `w` is a week),
 *   `2026-11`, `2026-11-22`, `2026-11-22T14:30`, `14:30` (today), also with seconds
 * @now: microseconds since 1970
 * @begin: (out): the first microsecond of what @text names
 * @end: (out): the first microsecond after it; a point in time ends where it begins
 * @error: %STINT_ERROR_INVALID, naming @text and the forms that there are
 *
 * A point or span in time, in the local time zone.
 */
gboolean stint_time_words_parse (const char *text,
                                 gint64 now,
                                 gint64 *begin,
                                 gint64 *end,
                                 GError **error);

G_END_DECLS
