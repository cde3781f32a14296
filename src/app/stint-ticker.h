/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

#define STINT_TYPE_TICKER (stint_ticker_get_type ())
G_DECLARE_FINAL_TYPE (StintTicker, stint_ticker, STINT, TICKER, GObject)

/* (transfer none): the one of this process; main thread only. */
StintTicker *stint_ticker_get_default (void);

/**
 * stint_ticker_listen:
 * @self: the ticker
 * @id: (inout): 0, or what an earlier call set: then nothing happens
 * @callback: (scope forever): called once a second with @data alone
 * @data: for @callback
 *
 * The one timer of all countdowns: it runs while anybody listens, and who isn't mapped doesn't.
 */
void stint_ticker_listen (StintTicker *self, gulong *id, GCallback callback, gpointer data);

/* Undoes stint_ticker_listen(), if it was done. */
void stint_ticker_forget (StintTicker *self, gulong *id);

/* The window is minimised: nobody sees what ticks. When it is back, it ticks at once. */
void stint_ticker_set_suspended (StintTicker *self, gboolean suspended);

gboolean stint_ticker_is_running (StintTicker *self);

G_END_DECLS
