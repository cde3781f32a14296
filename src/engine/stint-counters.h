/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "protocol.h"

G_BEGIN_DECLS

#define STINT_TYPE_COUNTERS (stint_counters_get_type ())
G_DECLARE_FINAL_TYPE (StintCounters, stint_counters, STINT, COUNTERS, GObject)

/*
 * Signals:
 *
 *   grew ()   more output has been recorded since the last time; only while somebody follows, and
 *             at most every 8 ms
 */

/**
 * stint_counters_new:
 * @counters_fd: the page that a keeper writes; it is mapped and may be closed
 * @wakeup_fd: (transfer full): the eventfd that goes with it
 * @error: it cannot be mapped
 *
 * The one reader of a job's counters in this process; it fans out.
 *
 * Returns: (transfer full): the counters, or %NULL
 */
StintCounters *stint_counters_new (int counters_fd, int wakeup_fd, GError **error);

/* The page itself, to read. */
const struct keeper_counters *stint_counters_get_page (StintCounters *self);

/* Monotonic microseconds of the last output on any stream, 0: none yet. */
gint64 stint_counters_get_last_output (StintCounters *self);

/* The same of the last sign of life, output or another. */
gint64 stint_counters_get_last_activity (StintCounters *self);

/* Bytes received on all streams. */
guint64 stint_counters_get_bytes (StintCounters *self);

/* What the command says of its progress, packed as KEEPER_PROGRESS() does. */
guint32 stint_counters_get_progress (StintCounters *self);

/* Asks for #StintCounters::grew; each call is undone by one of stint_counters_unfollow(). */
void stint_counters_follow (StintCounters *self);
void stint_counters_unfollow (StintCounters *self);

G_END_DECLS
