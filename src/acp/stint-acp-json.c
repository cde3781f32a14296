/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JSON as agents write it, for json-glib: what that would take for the end of a string, or make invalid
 * text of, is mended before it is read.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-acp-json.h"

#include "stint-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* json-glib recurses once for each level, on the stack. */
static gboolean
is_shallow (const char *line, gsize length)
{
  guint depth = 0, n = 0;
  gboolean in_string = FALSE;

  /* Most lines have not that many in all. */
  for (gsize i = 0; i < length; i++)
    n += line[i] == '[' || line[i] == '{';
  if (n <= STINT_ACP_MAX_DEPTH)
    return TRUE;
  for (gsize i = 0; i < length; i++)
    switch (line[i])
      {
      case '\\':
        if (in_string)
          i++;
        break;
      case '"':
        in_string = !in_string;
        break;
      case '[':
      case '{':
        if (!in_string && ++depth > STINT_ACP_MAX_DEPTH)
          return FALSE;
        break;
      case ']':
      case '}':
        if (!in_string && depth > 0)
          depth--;
        break;
      default:
        break;
      }
  return TRUE;
}

/* Returns: the code unit that is escaped at @at, or -1. */
static int
read_escape (const char *at, const char *end)
{
  int unit = 0;

  if (end - at < 6 || at[0] != '\\' || at[1] != 'u')
    return -1;
  for (guint i = 2; i < 6; i++)
    {
      int digit = g_ascii_xdigit_value (at[i]);

      if (digit < 0)
        return -1;
      unit = unit * 16 + digit;
    }
  return unit;
}

/* Makes of every escape a character. U+0000 would end the string for C: it is read as U+FFFD, and
 * noted. Half a surrogate pair, which agents write that cut a text in the middle of one, is U+FFFD
 * too: json-glib makes invalid UTF-8 of the first half, and of the second no message at all. */
static gboolean
mend_escapes (char *line, gsize length)
{
  const char *end = line + length;
  gboolean found = FALSE;

  for (char *at = line; at < end && (at = memchr (at, '\\', (gsize) (end - at))) != NULL;)
    {
      int unit = read_escape (at, end), next;

      if (unit < 0)
        {
          at += 2;
          continue;
        }
      next = unit >= 0xd800 && unit < 0xdc00 ? read_escape (at + 6, end) : -1;
      if (next >= 0xdc00 && next < 0xe000)
        {
          at += 12;
          continue;
        }
      found = found || unit == 0;
      if (unit == 0 || (unit >= 0xd800 && unit < 0xe000))
        memcpy (at, "\\ufffd", 6);
      at += 6;
    }
  return found;
}

/* Each thread's own: to make one costs as much as to read a short line. */
static JsonParser *
get_parser (void)
{
  static GPrivate parsers = G_PRIVATE_INIT (g_object_unref);
  JsonParser *parser = g_private_get (&parsers);

  if (parser == NULL)
    {
      parser = json_parser_new ();
      g_private_set (&parsers, parser);
    }
  return parser;
}

JsonNode *
stint_acp_parse_json (const char *line, gsize length, gboolean *has_nul, GError **error)
{
  JsonParser *parser = get_parser ();
  g_autofree char *mended = NULL;
  gboolean found = FALSE;

  if (length > STINT_ACP_MAX_LINE + STINT_ACP_MAX_ENVELOPE || !is_shallow (line, length))
    {
      g_set_error_literal (error, STINT_ERROR, STINT_ERROR_INVALID,
                           _ ("A line of the protocol is too long, or its values lie too deep"));
      return NULL;
    }
  /* Most lines are as they are to be. */
  if (memmem (line, length, "\\u", 2) != NULL || !g_utf8_validate_len (line, length, NULL))
    {
      mended = g_utf8_make_valid (line, (gssize) length);
      length = strlen (mended);
      found = mend_escapes (mended, length);
      line = mended;
    }
  if (has_nul != NULL)
    *has_nul = found;
  if (!json_parser_load_from_data (parser, line, (gssize) length, error))
    return NULL;
  if (json_parser_get_root (parser) == NULL)
    {
      g_set_error_literal (error, STINT_ERROR, STINT_ERROR_INVALID, _ ("A line of the protocol is empty"));
      return NULL;
    }
  return json_parser_steal_root (parser);
}
