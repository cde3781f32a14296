/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text for the search index. What is done to it here is done alike to what is indexed and to what
 * is looked up: a change makes a new version of the index (stint-search-index.h).
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-search-text.h"

#include <string.h>

/* More of them tell no more. */
#define MAX_TRIGRAMS 32

gboolean
stint_search_text_stands_alone (gunichar c)
{
  static const GUnicodeScript scripts[] = {
    G_UNICODE_SCRIPT_HAN,     G_UNICODE_SCRIPT_HIRAGANA, G_UNICODE_SCRIPT_KATAKANA,
    G_UNICODE_SCRIPT_THAI,    G_UNICODE_SCRIPT_LAO,      G_UNICODE_SCRIPT_KHMER,
    G_UNICODE_SCRIPT_MYANMAR,
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
      if (c == STINT_SEARCH_TEXT_MARK_CHARACTER || c == STINT_SEARCH_TEXT_TITLE_MARK_CHARACTER)
        {
          g_string_append_c (self, ' ');
        }
      else if (stint_search_text_stands_alone (c))
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

char *
stint_search_text_dup_trigrams (const char *column, const char *text)
{
  g_autoptr (GString) match = g_string_new (NULL);
  const char *start = text;

  for (guint i = 0; i < MAX_TRIGRAMS && g_utf8_strlen (start, 12) >= 3; i++)
    {
      const char *end = g_utf8_offset_to_pointer (start, 3);

      if (i == 0)
        g_string_append_printf (match, "{%s} : (\"", column);
      else
        g_string_append (match, " AND \"");
      for (const char *p = start; p < end; p++)
        {
          if (*p == '"')
            g_string_append_c (match, '"');
          g_string_append_c (match, *p);
        }
      g_string_append_c (match, '"');
      start = g_utf8_next_char (start);
    }
  if (match->len == 0)
    return NULL;
  g_string_append_c (match, ')');
  return g_string_free (g_steal_pointer (&match), FALSE);
}
