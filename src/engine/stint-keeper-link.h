/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "protocol.h"

G_BEGIN_DECLS

#define STINT_TYPE_KEEPER_LINK (stint_keeper_link_get_type ())
G_DECLARE_FINAL_TYPE (StintKeeperLink, stint_keeper_link, STINT, KEEPER_LINK, GObject)

/*
 * Signals:
 *
 *   event (gpointer event)  a struct keeper_event, valid during the emission
 *   ended ()                the keeper has closed its end; no event follows
 */

/**
 * stint_keeper_link_new:
 * @control_fd: (transfer full): the engine's end of a control socket
 *
 * The engine's end of the conversation with one keeper, on the thread-default main context.
 *
 * Returns: (transfer full): the link
 */
StintKeeperLink *stint_keeper_link_new (int control_fd);

/* Sends @request, if the keeper is still there. */
void stint_keeper_link_send (StintKeeperLink *self, const struct keeper_request *request);

/* Ends the conversation: a keeper whose job still runs stops it. */
void stint_keeper_link_close (StintKeeperLink *self);

/* Who has the other end goes on, should it have been stopped. */
void stint_keeper_link_continue_peer (StintKeeperLink *self);

G_END_DECLS
