/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Between the follower and the terminal: what is added to recorded output and taken from it. Nothing
 * is added within a full-screen program, which knows where its columns are. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-decorator.h"

#include "stint-screen-state.h"

#include <string.h>

/* As xterm's grey 244: it can be read on light and dark. */
#define TIMESTAMP_BEGIN "\033[0;38;5;244m"
#define STDERR_BEGIN "\033[31m"

struct _StintDecorator
{
  StintIndex *index;
  gboolean pipe;
  StintStreams streams;
  gboolean mark_stderr;
  gint64 start; /* 0: no timestamps */
  StintTimestamp timestamp;

  StintScreenState screens[2]; /* of each stream: its colours are its own */
  StintStream stream;          /* of what was shown last */
  gboolean at_line_start;
  guint8 last_byte;
};

StintDecorator *
stint_decorator_new (StintReader *reader, gboolean pipe)
{
  StintDecorator *self = g_new0 (StintDecorator, 1);

  self->index = stint_index_new (reader);
  self->pipe = pipe;
  self->at_line_start = TRUE;
  return self;
}

void
stint_decorator_free (StintDecorator *self)
{
  stint_index_free (self->index);
  g_free (self);
}

void
stint_decorator_set_streams (StintDecorator *self, StintStreams streams)
{
  self->streams = streams;
}

void
stint_decorator_set_mark_stderr (StintDecorator *self, gboolean mark_stderr)
{
  self->mark_stderr = mark_stderr;
}

void
stint_decorator_set_timestamps (StintDecorator *self, gint64 start)
{
  self->start = start;
  stint_timestamp_init (&self->timestamp, start);
}

gboolean
stint_decorator_is_plain (StintDecorator *self)
{
  return !self->pipe && self->start == 0;
}

void
stint_decorator_restart (StintDecorator *self, const StintScreenState *state)
{
  memset (self->screens, 0, sizeof self->screens);
  self->screens[STINT_STREAM_STDOUT] = *state;
  self->stream = STINT_STREAM_STDOUT;
  self->at_line_start = TRUE;
  self->last_byte = 0;
}

void
stint_decorator_cut (StintDecorator *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->screens); i++)
    stint_screen_state_cut (&self->screens[i]);
  self->at_line_start = TRUE;
  self->last_byte = 0;
}

static StintScreenState *
get_screen (StintDecorator *self)
{
  return &self->screens[self->stream];
}

/* The colours of the stream that is shown. */
static void
append_colors (StintDecorator *self, GString *out)
{
  if (self->mark_stderr && self->stream == STINT_STREAM_STDERR)
    g_string_append (out, STDERR_BEGIN);
  stint_screen_state_append_sgr (get_screen (self), out);
}

static void
begin_line (StintDecorator *self, gint64 time, GString *out)
{
  self->at_line_start = FALSE;
  if (self->start != 0)
    {
      g_string_append_printf (out, TIMESTAMP_BEGIN "%s \033[0m",
                              stint_timestamp_format (&self->timestamp, time));
      append_colors (self, out);
    }
}

static void
transform_control (StintDecorator *self, guint8 control, GString *out)
{
  if (control == '\n')
    {
      if (self->pipe && self->last_byte != '\r')
        g_string_append_c (out, '\r');
      g_string_append_c (out, '\n');
      self->at_line_start = TRUE;
    }
  else
    {
      g_string_append_c (out, (char) control);
      /* What comes next is written over the line, not over its time. */
      if (control == '\r' && self->start != 0 && !self->at_line_start)
        g_string_append_printf (out, "\033[%dC", STINT_DECORATOR_TIMESTAMP_WIDTH);
    }
  self->last_byte = control;
}

static gboolean
resets_color (const StintEscape *escape)
{
  if (escape->prefix != 0 || escape->final != 'm')
    return FALSE;
  if (escape->n_parameters == 0)
    return TRUE;
  for (guint i = 0; i < escape->n_parameters; i++)
    if (escape->parameters[i] <= 0 || escape->parameters[i] == 39)
      return TRUE;
  return FALSE;
}

/* Text, line feeds and control sequences of one stream. */
static void
transform_span (StintDecorator *self,
                const StintIndexRecord *record,
                guint64 offset,
                const guint8 *data,
                gsize length,
                GString *out)
{
  StintScreenState *screen = get_screen (self);
  StintEscape escape = screen->escape;

  for (gsize at = 0, used; at < length; at += used)
    {
      StintEscapeKind kind = stint_escape_next (&escape, data + at, length - at, &used);

      if (screen->full_screen)
        self->at_line_start = FALSE;
      else if (self->at_line_start && kind != STINT_ESCAPE_CONTROL)
        begin_line (self, record->time, out);
      else if (self->at_line_start && kind == STINT_ESCAPE_CONTROL && escape.final == '\n')
        begin_line (self, record->time, out);

      if (kind == STINT_ESCAPE_CONTROL && !screen->full_screen)
        {
          /* A control character may stand in the middle of a sequence. */
          g_string_append_len (out, (const char *) data + at, (gssize) used - 1);
          transform_control (self, escape.final, out);
        }
      else
        {
          g_string_append_len (out, (const char *) data + at, (gssize) used);
          self->last_byte = data[at + used - 1];
        }
      stint_screen_state_scan (screen, offset + at, data + at, used);
      if (kind == STINT_ESCAPE_CSI && self->mark_stderr && self->stream == STINT_STREAM_STDERR &&
          resets_color (&escape))
        append_colors (self, out);
    }
}

static void
set_stream (StintDecorator *self, StintStream stream, GString *out)
{
  if (self->stream == stream)
    return;
  self->stream = stream;
  if (!get_screen (self)->full_screen)
    {
      g_string_append (out, "\033[0m");
      append_colors (self, out);
    }
}

/* What most pipes need, at the speed of memory. */
static void
transform_newlines (StintDecorator *self, const guint8 *data, gsize length, GString *out)
{
  gsize at = 0;

  while (at < length)
    {
      const guint8 *found = memchr (data + at, '\n', length - at);
      gsize end = found != NULL ? (gsize) (found - data) : length;
      guint8 before = end > 0 ? data[end - 1] : self->last_byte;

      g_string_append_len (out, (const char *) data + at, (gssize) (end - at));
      if (found != NULL)
        g_string_append (out, before == '\r' ? "\n" : "\r\n");
      at = end + (found != NULL ? 1 : 0);
    }
  self->last_byte = data[length - 1];
}

void
stint_decorator_transform (
  StintDecorator *self, guint64 offset, const guint8 *data, gsize length, GString *out)
{
  if (length > 0 && self->pipe && self->streams == STINT_STREAMS_BOTH && !self->mark_stderr &&
      self->start == 0)
    {
      transform_newlines (self, data, length, out);
      return;
    }
  while (length > 0)
    {
      StintIndexRecord record;
      guint64 end = stint_index_find_span (self->index, offset, &record);
      gsize n = (gsize) MIN ((guint64) length, end > offset ? end - offset : length);

      if (stint_streams_include (self->streams, record.stream))
        {
          set_stream (self, record.stream, out);
          transform_span (self, &record, offset, data, n, out);
        }
      offset += n;
      data += n;
      length -= n;
    }
}
