/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One timer a second for every countdown on the screen, and none when there is none or it is minimised. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-ticker.h"

struct _StintTicker
{
  GObject parent_instance;

  guint n_listeners;
  guint source_id;
  gboolean suspended;
};

G_DEFINE_FINAL_TYPE (StintTicker, stint_ticker, G_TYPE_OBJECT)

enum
{
  TICK,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static gboolean
on_second (gpointer user_data)
{
  g_autoptr (StintTicker) self = g_object_ref (STINT_TICKER (user_data));

  g_signal_emit (self, signals[TICK], 0);
  return G_SOURCE_CONTINUE;
}

static void
update_source (StintTicker *self)
{
  gboolean wanted = self->n_listeners > 0 && !self->suspended;

  if (!wanted)
    g_clear_handle_id (&self->source_id, g_source_remove);
  else if (self->source_id == 0)
    self->source_id = g_timeout_add_seconds (1, on_second, self);
}

static void
stint_ticker_dispose (GObject *object)
{
  StintTicker *self = STINT_TICKER (object);

  g_clear_handle_id (&self->source_id, g_source_remove);

  G_OBJECT_CLASS (stint_ticker_parent_class)->dispose (object);
}

static void
stint_ticker_class_init (StintTickerClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stint_ticker_dispose;

  signals[TICK] = g_signal_new ("tick", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 0);
}

static void
stint_ticker_init (StintTicker *self)
{
}

StintTicker *
stint_ticker_get_default (void)
{
  static StintTicker *ticker;

  if (ticker == NULL)
    {
      ticker = g_object_new (STINT_TYPE_TICKER, NULL);
      g_object_add_weak_pointer (G_OBJECT (ticker), (gpointer *) &ticker);
    }
  return ticker;
}

void
stint_ticker_listen (StintTicker *self, gulong *id, GCallback callback, gpointer data)
{
  g_return_if_fail (STINT_IS_TICKER (self));
  g_return_if_fail (id != NULL);

  if (*id != 0)
    return;
  *id = g_signal_connect_swapped (self, "tick", callback, data);
  self->n_listeners++;
  update_source (self);
}

void
stint_ticker_forget (StintTicker *self, gulong *id)
{
  g_return_if_fail (STINT_IS_TICKER (self));
  g_return_if_fail (id != NULL);

  if (*id == 0)
    return;
  g_clear_signal_handler (id, self);
  self->n_listeners--;
  update_source (self);
}

void
stint_ticker_set_suspended (StintTicker *self, gboolean suspended)
{
  g_return_if_fail (STINT_IS_TICKER (self));

  if (self->suspended == suspended)
    return;
  self->suspended = suspended;
  update_source (self);
  if (self->source_id != 0)
    g_signal_emit (self, signals[TICK], 0);
}

gboolean
stint_ticker_is_running (StintTicker *self)
{
  g_return_val_if_fail (STINT_IS_TICKER (self), FALSE);

  return self->source_id != 0;
}
