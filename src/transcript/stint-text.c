/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From bytes to text.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-text.h"

static gboolean
is_continuation (guint8 byte)
{
  return (byte & 0xc0) == 0x80;
}

char *
stint_text_from_bytes (GBytes *bytes)
{
  gsize size;
  const char *start = g_bytes_get_data (bytes, &size);
  const char *end, *last;

  if (size == 0)
    return g_strdup ("");
  end = start + size;
  for (int i = 0; i < 3 && start < end && is_continuation ((guint8) *start); i++)
    start++;

  /* The lead byte of the last sequence, if it wants more than there is. */
  for (last = end; last > start && end - last < 4;)
    {
      guint8 byte = (guint8) * (--last);

      if (is_continuation (byte))
        continue;
      if (byte >= 0xc0 && last + g_utf8_skip[byte] > end)
        end = last;
      break;
    }
  return g_utf8_make_valid (start, end - start);
}
