/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a terminal has shown, as an agent wants it: the last so many bytes of the text.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-terminal-output.h"

#include "stint-escape.h"
#include "stint-utf8.h"

#include <string.h>

/* Raw output is longer than its text. This much of it is read for a limit first, and at most. */
#define MIN_RAW (64 * 1024)
#define MAX_RAW (16 * 1024 * 1024)

/* Text without control sequences and control characters; CR LF is LF, and a CR alone, which begins
 * the line anew, too. */
static GString *
strip (const guint8 *raw, gsize size)
{
  GString *text = g_string_sized_new (size);
  StintEscape escape = { 0 };
  gboolean returned = FALSE;

  while (size > 0)
    {
      gsize used;
      StintEscapeKind kind = stint_escape_next (&escape, raw, size, &used);
      gboolean control = kind == STINT_ESCAPE_CONTROL;

      if (returned && kind != STINT_ESCAPE_NONE)
        {
          if (!(control && (escape.final == '\n' || escape.final == '\r')))
            g_string_append_c (text, '\n');
          returned = control && escape.final == '\r';
          if (returned)
            {
              raw += used;
              size -= used;
              continue;
            }
        }
      if (kind == STINT_ESCAPE_TEXT)
        g_string_append_len (text, (const char *) raw, (gssize) used);
      else if (control && (escape.final == '\n' || escape.final == '\t'))
        g_string_append_c (text, (char) escape.final);
      else if (control && escape.final == '\r')
        returned = TRUE;
      raw += used;
      size -= used;
    }
  return text;
}

char *
stint_terminal_output_to_text (const guint8 *raw,
                               gsize size,
                               guint64 limit,
                               gboolean complete,
                               gboolean *truncated)
{
  g_autoptr (GString) text = strip (raw, size);
  g_autofree char *valid = NULL;
  const char *start;
  gsize length;

  if (!complete)
    g_string_truncate (text,
                       text->len - stint_utf8_count_begun ((const guint8 *) text->str, text->len));
  valid = g_utf8_make_valid (text->str, (gssize) text->len);
  length = strlen (valid);
  *truncated = length > limit;
  if (!*truncated)
    return g_steal_pointer (&valid);
  start = valid + (length - (gsize) limit);
  while ((*start & 0xc0) == 0x80)
    start++;
  return g_strdup (start);
}

/* Returns: bytes from @start to the end of what there is; @hole: whether some are missing. */
static GByteArray *
read_raw (StintReader *reader, guint64 start, guint64 end, gboolean *hole)
{
  GByteArray *raw = g_byte_array_new ();
  guint64 offset = start;

  while (offset < end)
    {
      guint length = raw->len;
      gsize room = (gsize) MIN (end - offset, 256 * 1024);
      guint64 skipped = 0;
      gssize n;

      g_byte_array_set_size (raw, length + (guint) room);
      n = stint_reader_read (reader, &offset, raw->data + length, room, &skipped, NULL);
      g_byte_array_set_size (raw, length + (guint) MAX (n, 0));
      if (n <= 0)
        break;
      *hole = *hole || skipped > 0;
    }
  return raw;
}

char *
stint_terminal_output_read (StintReader *reader,
                            guint64 limit,
                            gboolean complete,
                            gboolean *truncated)
{
  guint64 size = stint_reader_get_size (reader);
  guint64 want;

  limit = MIN (limit, STINT_TERMINAL_OUTPUT_CEILING);
  for (want = MAX (2 * limit, MIN_RAW);; want *= 4)
    {
      guint64 start = size > want ? size - want : 0;
      gboolean hole = FALSE;
      g_autoptr (GByteArray) raw = read_raw (reader, start, size, &hole);
      g_autofree char *text =
          stint_terminal_output_to_text (raw->data, raw->len, limit, complete, truncated);

      if (*truncated || start == 0 || want >= MAX_RAW)
        {
          *truncated = *truncated || start > 0 || hole;
          return g_steal_pointer (&text);
        }
    }
}
