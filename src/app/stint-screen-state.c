/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Follows the state of a terminal through output that is passed over. Knows of each control sequence
 * only whether it changes something that lasts. */

#include "config.h"

#include "stint-screen-state.h"

#include <string.h>

#define ESCAPE 0x1b

/* The longest colour sequence: ESC [, parameters of ten digits and what parts them, m. */
#define MAX_SGR (3 + STINT_ESCAPE_MAX_PARAMETERS * 11)

static gboolean
is_alternate_screen (gint32 mode)
{
  return mode == 47 || mode == 1047 || mode == 1049;
}

static void
set_screen (StintScreenState *self, gboolean full_screen)
{
  if (full_screen && !self->full_screen)
    {
      self->entered_at = self->sequence_at;
      self->before = self->now;
    }
  self->full_screen = full_screen;
}

static void
set_mode (StintScreenState *self, gint32 number, gboolean set)
{
  guint i = 0;

  while (i < self->now.n_modes && self->now.modes[i].number != number)
    i++;
  if (i == STINT_SCREEN_STATE_MODES)
    return;
  self->now.n_modes = MAX (self->now.n_modes, i + 1);
  self->now.modes[i].number = number;
  self->now.modes[i].set = set;
}

static void
take_modes (StintScreenState *self, gboolean set)
{
  for (guint i = 0; i < self->escape.n_parameters; i++)
    {
      gint32 mode = self->escape.parameters[i];

      if (is_alternate_screen (mode))
        set_screen (self, set);
      else if (mode > 0)
        set_mode (self, mode, set);
    }
}

static char *
put_number (char *at, guint32 number)
{
  char *end = at;

  do
    {
      *end++ = (char) ('0' + number % 10);
      number /= 10;
    }
  while (number > 0);
  for (char *last = end - 1; at < last; at++, last--)
    {
      char digit = *at;

      *at = *last;
      *last = digit;
    }
  return end;
}

/* Keeps the sequence as it was. What one that does not fit adds to is forgotten: seldom, and only
 * colour. By hand: coloured output has one for each few words, and a flood is passed over while
 * somebody waits for its end. */
static void
take_sgr (StintScreenState *self)
{
  const StintEscape *escape = &self->escape;
  char text[MAX_SGR], *at = text;
  gsize length;

  if (escape->n_parameters == 0 || escape->parameters[0] <= 0)
    {
      self->now.sgr_length = 0;
      if (escape->n_parameters <= 1)
        return;
    }
  *at++ = ESCAPE;
  *at++ = '[';
  for (guint i = 0; i < escape->n_parameters; i++)
    {
      if (i > 0)
        *at++ = (escape->colons & 1u << i) != 0 ? ':' : ';';
      if (escape->parameters[i] >= 0)
        at = put_number (at, (guint32) escape->parameters[i]);
    }
  *at++ = 'm';
  length = (gsize) (at - text);
  if (self->now.sgr_length + length > sizeof self->now.sgr)
    self->now.sgr_length = 0;
  if (length <= sizeof self->now.sgr)
    {
      memcpy (self->now.sgr + self->now.sgr_length, text, length);
      self->now.sgr_length += (guint) length;
    }
}

static void
take_csi (StintScreenState *self)
{
  const StintEscape *escape = &self->escape;

  if (escape->prefix == '?' && escape->intermediate == 0 &&
      (escape->final == 'h' || escape->final == 'l'))
    take_modes (self, escape->final == 'h');
  else if (escape->prefix == 0 && escape->intermediate == 0 && escape->final == 'm')
    take_sgr (self);
}

static void
take_simple (StintScreenState *self)
{
  const StintEscape *escape = &self->escape;

  if (escape->intermediate == '(')
    self->now.charset = escape->final;
  else if (escape->intermediate == 0 && (escape->final == '=' || escape->final == '>'))
    self->now.keypad = escape->final == '=';
  else if (escape->intermediate == 0 && escape->final == 'c')
    {
      /* RIS: a full reset */
      const StintEscape kept = *escape;

      *self = (StintScreenState){ .escape = kept };
    }
}

void
stint_screen_state_scan (StintScreenState *self, guint64 offset, const guint8 *data, gsize length)
{
  gsize at = 0;

  while (at < length)
    {
      StintEscapeKind kind;
      const guint8 *begun;
      gsize used;

      /* Most output is text; memchr() passes over it at the speed of memory. */
      if (stint_escape_is_ground (&self->escape))
        {
          const guint8 *found = memchr (data + at, ESCAPE, length - at);

          if (found == NULL)
            return;
          at = (gsize) (found - data);
        }
      kind = stint_escape_next (&self->escape, data + at, length - at, &used);
      /* One that is cut off by the next does not count. */
      begun = memrchr (data + at, ESCAPE, used);
      if (begun != NULL)
        self->sequence_at = offset + (guint64) (begun - data);
      at += used;
      if (kind == STINT_ESCAPE_CSI)
        take_csi (self);
      else if (kind == STINT_ESCAPE_SIMPLE)
        take_simple (self);
    }
}

void
stint_screen_state_cut (StintScreenState *self)
{
  self->escape = (StintEscape){ 0 };
}

void
stint_screen_state_rewind (StintScreenState *self)
{
  stint_screen_state_cut (self);
  self->full_screen = FALSE;
  self->now = self->before;
}

void
stint_screen_state_append_sgr (const StintScreenState *self, GString *out)
{
  g_string_append_len (out, self->now.sgr, (gssize) self->now.sgr_length);
}

void
stint_screen_state_append (const StintScreenState *self, GString *out)
{
  for (guint i = 0; i < self->now.n_modes; i++)
    g_string_append_printf (out, "\033[?%d%c", self->now.modes[i].number, self->now.modes[i].set ? 'h' : 'l');
  if (self->now.keypad)
    g_string_append (out, "\033=");
  if (self->now.charset != 0)
    g_string_append_printf (out, "\033(%c", self->now.charset);
  stint_screen_state_append_sgr (self, out);
}
