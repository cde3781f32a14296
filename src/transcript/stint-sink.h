/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * StintSink:
 *
 * A stream that is written to in small parts. It remembers the first error: what is written after
 * that goes nowhere.
 */
typedef struct
{
  /*< private >*/
  GOutputStream *out; /* borrowed */
  GCancellable *cancellable;
  GString *buffer;
  GError *error;
} StintSink;

void stint_sink_init (StintSink *self, GOutputStream *out, GCancellable *cancellable);
void stint_sink_clear (StintSink *self);

void stint_sink_append (StintSink *self, const char *text, gsize size);
void stint_sink_append_text (StintSink *self, const char *text);
void stint_sink_printf (StintSink *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Writes what is there. Returns: FALSE, with @error set, if that or something before it failed. */
gboolean stint_sink_flush (StintSink *self, GError **error);

/* Whether something failed. */
gboolean stint_sink_has_failed (const StintSink *self);

G_END_DECLS
