/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * UTF-8, a piece at a time.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-utf8.h"

#include <string.h>

/* Returns: FALSE if no character of several bytes begins with @byte. */
static gboolean
begin (StintUtf8 *self, guint8 byte)
{
  self->lower = 0x80;
  self->upper = 0xbf;
  if (byte >= 0xc2 && byte <= 0xdf)
    {
      self->missing = 1;
      self->value = byte & 0x1f;
    }
  else if (byte >= 0xe0 && byte <= 0xef)
    {
      self->missing = 2;
      self->value = byte & 0x0f;
      if (byte == 0xe0)
        self->lower = 0xa0;
      else if (byte == 0xed)
        self->upper = 0x9f;
    }
  else if (byte >= 0xf0 && byte <= 0xf4)
    {
      self->missing = 3;
      self->value = byte & 0x07;
      if (byte == 0xf0)
        self->lower = 0x90;
      else if (byte == 0xf4)
        self->upper = 0x8f;
    }
  else
    {
      return FALSE;
    }
  return TRUE;
}

gboolean
stint_utf8_next (StintUtf8 *self, const guint8 *data, gsize size, gsize *used, gunichar *character)
{
  gsize at = 0;

  *character = STINT_REPLACEMENT_CHARACTER;
  if (self->missing == 0)
    {
      guint8 byte = data[at++];

      if (byte < 0x80 || !begin (self, byte))
        {
          if (byte < 0x80)
            *character = byte;
          *used = at;
          return TRUE;
        }
    }
  while (self->missing > 0 && at < size)
    {
      if (data[at] < self->lower || data[at] > self->upper)
        {
          self->missing = 0;
          *used = at;
          return TRUE;
        }
      self->value = self->value << 6 | (data[at++] & 0x3f);
      self->lower = 0x80;
      self->upper = 0xbf;
      self->missing--;
    }
  *used = at;
  if (self->missing > 0)
    return FALSE;
  *character = self->value;
  return TRUE;
}

gboolean
stint_utf8_has_begun (const StintUtf8 *self)
{
  return self->missing > 0;
}

gboolean
stint_utf8_finish (StintUtf8 *self)
{
  gboolean begun = self->missing > 0;

  self->missing = 0;
  return begun;
}

static gboolean
is_continuation (guint8 byte)
{
  return (byte & 0xc0) == 0x80;
}

gsize
stint_utf8_count_rest (const guint8 *data, gsize size)
{
  gsize n = 0;

  while (n < MIN (size, STINT_UTF8_MAX_PART) && is_continuation (data[n]))
    n++;
  return n;
}

gsize
stint_utf8_count_begun (const guint8 *data, gsize size)
{
  for (gsize n = 1; n <= MIN (size, STINT_UTF8_MAX_PART); n++)
    {
      StintUtf8 character = { 0 };
      guint8 byte = data[size - n];

      if (is_continuation (byte))
        continue;
      return begin (&character, byte) && character.missing >= n ? n : 0;
    }
  return 0;
}

gsize
stint_utf8_count_ascii (const guint8 *data, gsize size)
{
  const guint64 highs = G_GUINT64_CONSTANT (0x8080808080808080);
  gsize i = 0;

  for (; i + 8 <= size; i += 8)
    {
      guint64 word;

      memcpy (&word, data + i, sizeof word);
      if ((word & highs) != 0)
        break;
    }
  while (i < size && data[i] < 0x80)
    i++;
  return i;
}
