/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text for the search index. What is done to it here is done alike to what is indexed and to what
 * is looked up: a change makes a new version of the index (stint-search-index.c).
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-search-text.h"

#include <string.h>

static gboolean
stands_alone (gunichar c)
{
  static const GUnicodeScript scripts[] = {
    G_UNICODE_SCRIPT_HAN, G_UNICODE_SCRIPT_HIRAGANA, G_UNICODE_SCRIPT_KATAKANA,
    G_UNICODE_SCRIPT_THAI, G_UNICODE_SCRIPT_LAO, G_UNICODE_SCRIPT_KHMER, G_UNICODE_SCRIPT_MYANMAR,
  };
  GUnicodeScript script;

  if (c < 0x0e00 || !g_unichar_isalnum (c))
    return FALSE;
  script = g_unichar_get_script (c);
  for (guint i = 0; i < G_N_ELEMENTS (scripts); i++)
    if (script == scripts[i])
      return TRUE;
  return FALSE;
}

void
stint_search_text_append (GString *self, const char *text, gsize length)
{
  const char *end = text + length;

  while (text < end)
    {
      gunichar c;
      const char *next;

      /* Nearly everything. */
      if ((guchar) *text < 0x80)
        {
          g_string_append_c (self, *text != '\0' ? *text : ' ');
          text++;
          continue;
        }
      c = g_utf8_get_char_validated (text, end - text);
      if (c == (gunichar) -1 || c == (gunichar) -2)
        {
          g_string_append_c (self, ' ');
          text++;
          continue;
        }
      next = g_utf8_next_char (text);
      if (stands_alone (c))
        {
          g_string_append_c (self, ' ');
          g_string_append_len (self, text, next - text);
          g_string_append_c (self, ' ');
        }
      else
        {
          g_string_append_len (self, text, next - text);
        }
      text = next;
    }
}

gboolean
stint_search_text_has_words (const char *text)
{
  for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
    if (g_unichar_isalnum (g_utf8_get_char (p)))
      return TRUE;
  return FALSE;
}
