/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * StintOwner:
 * @pid: process id
 * @start_time: when that process started, in clock ticks since boot: tells it from a later one of
 *   the same id
 * @boot_id: the boot that both belong to; empty: unknown
 *
 * The process that runs a job and will complete its row.
 */
typedef struct
{
  int pid;
  guint64 start_time;
  char boot_id[40];
} StintOwner;

/* Names this process. */
void stint_owner_init_self (StintOwner *self);

/**
 * stint_owner_is_alive:
 * @self: an owner, as a row names it
 *
 * Returns: whether that process still runs; one that is dead and not yet reaped doesn't
 */
gboolean stint_owner_is_alive (const StintOwner *self);

/* Whether it belongs to this boot: what was started in an earlier one is gone. */
gboolean stint_owner_is_of_this_boot (const StintOwner *self);

G_END_DECLS
