/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tells whether a program has switched the terminal to its alternate screen. Knows just enough of
 * the syntax of control sequences to find the private modes 47, 1047 and 1049. */

#include "config.h"

#include "stint-screen-mode.h"

#include <string.h>

#define ESCAPE 0x1b

enum
{
  GROUND,
  AFTER_ESCAPE,
  AFTER_BRACKET,
  IN_PARAMETERS,
};

static void
end_parameter (StintScreenMode *self)
{
  if (self->parameter == 47 || self->parameter == 1047 || self->parameter == 1049)
    self->names_screen = TRUE;
  self->parameter = 0;
}

static void
end_sequence (StintScreenMode *self, guint8 final)
{
  end_parameter (self);
  self->state = GROUND;
  if (!self->names_screen)
    return;

  if (final == 'h' && !self->full_screen)
    {
      self->full_screen = TRUE;
      self->entered_at = self->sequence_at;
    }
  else if (final == 'l')
    {
      self->full_screen = FALSE;
    }
}

static void
take (StintScreenMode *self, guint8 byte)
{
  switch (self->state)
    {
    case AFTER_ESCAPE:
      self->state = byte == '[' ? AFTER_BRACKET : GROUND;
      if (byte == 'c') /* RIS: a full reset */
        self->full_screen = FALSE;
      break;
    case AFTER_BRACKET:
      self->state = byte == '?' ? IN_PARAMETERS : GROUND;
      self->parameter = 0;
      self->names_screen = FALSE;
      break;
    case IN_PARAMETERS:
      if (g_ascii_isdigit (byte))
        self->parameter = MIN (self->parameter * 10 + (byte - '0'), 100000);
      else if (byte == ';')
        end_parameter (self);
      else
        end_sequence (self, byte);
      break;
    default:
      g_assert_not_reached ();
    }
}

void
stint_screen_mode_scan (StintScreenMode *self, guint64 offset, const guint8 *data, gsize length)
{
  gsize at = 0;

  while (at < length)
    {
      /* Most output is text; memchr() passes over it at the speed of memory. */
      if (self->state == GROUND)
        {
          const guint8 *found = memchr (data + at, ESCAPE, length - at);

          if (found == NULL)
            return;
          at = (gsize) (found - data);
        }

      if (data[at] == ESCAPE)
        {
          self->state = AFTER_ESCAPE;
          self->sequence_at = offset + at;
        }
      else
        {
          take (self, data[at]);
        }
      at++;
    }
}
