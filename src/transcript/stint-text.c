/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From bytes to text.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-text.h"

#include "stint-utf8.h"

char *
stint_text_from_bytes (GBytes *bytes)
{
  gsize size, rest;
  const guint8 *data = g_bytes_get_data (bytes, &size);

  if (size == 0)
    return g_strdup ("");
  rest = stint_utf8_count_rest (data, size);
  size -= rest;
  size -= stint_utf8_count_begun (data + rest, size);
  return g_utf8_make_valid ((const char *) data + rest, (gssize) size);
}
