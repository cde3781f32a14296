/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * stint_monotonic_source_new:
 * @at: monotonic microseconds
 *
 * Returns: (transfer full): a source that is dispatched at @at, which stands still with the machine
 */
GSource *stint_monotonic_source_new (gint64 at);

/**
 * stint_wall_clock_source_new:
 * @real_usec: microseconds since 1970
 *
 * A source that is dispatched when the wall clock says @real_usec or more: also at once after the
 * machine has slept past it, and whenever the clock is set, since that may be past it too. Whoever
 * it calls looks at the time, and makes a new one if it is too early.
 *
 * Returns: (transfer full): the source
 */
GSource *stint_wall_clock_source_new (gint64 real_usec);

G_END_DECLS
