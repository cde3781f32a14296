/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * StintRelay:
 *
 * Copies what comes out of a pipe to a descriptor that may block, on a thread of its own, so that a
 * slow reader holds up nothing else.
 */
typedef struct _StintRelay StintRelay;

/**
 * StintRelayFunc:
 * @relay: the relay
 * @reader_gone: whether it ended because nobody reads @out_fd any more (else: all has been copied)
 * @user_data: what was given to stint_relay_new()
 *
 * Called once, on the main context, when the relay has ended.
 */
typedef void (*StintRelayFunc) (StintRelay *relay, gboolean reader_gone, gpointer user_data);

/**
 * stint_relay_new:
 * @out_fd: where to copy to; stays the caller's
 * @write_fd: (out): the end of the pipe to write to, close-on-exec; the caller's
 * @ended: called at the end
 * @user_data: for @ended
 * @error: there are no descriptors
 *
 * Returns: (transfer full): a relay that runs, or %NULL
 */
StintRelay *stint_relay_new (int out_fd,
                             int *write_fd,
                             StintRelayFunc ended,
                             gpointer user_data,
                             GError **error);

/* Frees a relay that has ended, or abandons one that has not: the process is about to exit. */
void stint_relay_free (StintRelay *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintRelay, stint_relay_free)

G_END_DECLS
