/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Many small writes become few large ones.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-sink.h"

#include <string.h>

#define FULL 131072

void
stint_sink_init (StintSink *self, GOutputStream *out, GCancellable *cancellable)
{
  *self = (StintSink){
    .out = out,
    .cancellable = cancellable,
    .buffer = g_string_sized_new (FULL + FULL / 4),
  };
}

void
stint_sink_clear (StintSink *self)
{
  g_string_free (self->buffer, TRUE);
  g_clear_error (&self->error);
}

static void
drain (StintSink *self)
{
  if (self->error == NULL)
    g_output_stream_write_all (self->out, self->buffer->str, self->buffer->len, NULL,
                               self->cancellable, &self->error);
  g_string_truncate (self->buffer, 0);
}

void
stint_sink_append (StintSink *self, const char *text, gsize size)
{
  g_string_append_len (self->buffer, text, (gssize) size);
  if (self->buffer->len >= FULL)
    drain (self);
}

void
stint_sink_append_text (StintSink *self, const char *text)
{
  stint_sink_append (self, text, strlen (text));
}

void
stint_sink_printf (StintSink *self, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  g_string_append_vprintf (self->buffer, format, args);
  va_end (args);
  if (self->buffer->len >= FULL)
    drain (self);
}

gboolean
stint_sink_flush (StintSink *self, GError **error)
{
  if (self->buffer->len > 0)
    drain (self);
  if (self->error == NULL)
    return TRUE;
  if (error != NULL && *error == NULL)
    *error = g_error_copy (self->error);
  return FALSE;
}

gboolean
stint_sink_has_failed (const StintSink *self)
{
  return self->error != NULL;
}
