/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The line of a job's output that a search found.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-snippet.h"

#include "stint-plain.h"
#include "stint-query.h"
#include "stint-reader.h"
#include "stint-search-index.h"

#include <string.h>

/* Lines with the first word that are looked at for the others. */
#define MAX_LINES 50

#define CHUNK (64 * 1024)

void
stint_snippet_free (StintSnippet *self)
{
  g_free (self->text);
  g_free (self);
}

static void
read_plain (StintPlain *plain,
            StintReader *reader,
            guint64 offset,
            guint64 end,
            GCancellable *cancellable)
{
  g_autofree guint8 *buffer = g_malloc (CHUNK);

  stint_plain_reset (plain);
  while (offset < end && !g_cancellable_is_cancelled (cancellable))
    {
      guint64 skipped;
      gssize n = stint_reader_read (reader, &offset, buffer, (gsize) MIN (CHUNK, end - offset),
                                    &skipped, NULL);

      if (n <= 0)
        break;
      stint_plain_append (plain, buffer, (gsize) n, offset - (guint64) n);
    }
}

/* @hit_start and @hit_end: of the best line so far. Returns: how many of @words it has, 0: none */
static guint
find_best (StintPlain *plain, const char *const *words, gsize *hit_start, gsize *hit_end)
{
  guint best = 0;

  for (guint i = 0; words[i] != NULL && best == 0; i++)
    {
      g_autoptr (StintQuery) query = stint_query_new (words[i], STINT_QUERY_CASELESS, NULL);
      g_autoptr (StintSeeker) seeker = query != NULL ? stint_seeker_new (query) : NULL;
      gsize start, end;

      if (seeker == NULL)
        continue;
      stint_seeker_begin (seeker, plain->text, plain->length, NULL);
      for (guint n = 0; n < MAX_LINES && stint_seeker_next (seeker, &start, &end); n++)
        {
          gsize from = start, to = end;
          g_autofree char *line = NULL;
          g_autofree char *folded = NULL;
          guint found = 1;

          while (from > 0 && start - from < 4096 && plain->text[from - 1] != '\n')
            from--;
          while (to < plain->length && to - end < 4096 && plain->text[to] != '\n')
            to++;
          line = g_utf8_make_valid ((const char *) plain->text + from, (gssize) (to - from));
          folded = g_utf8_casefold (line, -1);
          for (guint j = i + 1; words[j] != NULL; j++)
            {
              g_autofree char *word = g_utf8_casefold (words[j], -1);

              found += strstr (folded, word) != NULL;
            }
          if (found <= best)
            continue;
          best = found;
          *hit_start = start;
          *hit_end = end;
        }
    }
  return best;
}

/* What may be shown: control characters, of which TAB is the one that a plain line has, are spaces. */
static void
append_clean (GString *text, const guint8 *bytes, gsize length)
{
  g_autofree char *valid = g_utf8_make_valid ((const char *) bytes, (gssize) length);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    if (g_unichar_iscntrl (g_utf8_get_char (p)))
      g_string_append_c (text, ' ');
    else
      g_string_append_len (text, p, g_utf8_next_char (p) - p);
}

static StintSnippet *
cut_out (StintPlain *plain, gsize start, gsize end, guint max_chars)
{
  g_autoptr (GString) text = g_string_new (NULL);
  StintSnippet *self = g_new0 (StintSnippet, 1);
  gsize from = start, to = end;
  guint before = 0, after = 0;

  while (from > 0 && plain->text[from - 1] != '\n' && before < max_chars / 3)
    before += (plain->text[--from] & 0xc0) != 0x80;
  while (from < start && (plain->text[from] & 0xc0) == 0x80)
    from++;
  while (to < plain->length && plain->text[to] != '\n' && after < max_chars * 2 / 3)
    after += (plain->text[to++] & 0xc0) != 0x80;
  while (to > end && to < plain->length && (plain->text[to] & 0xc0) == 0x80)
    to++;
  if (from > 0 && plain->text[from - 1] != '\n')
    g_string_append (text, "…");
  else
    while (from < start && g_ascii_isspace (plain->text[from]))
      from++;
  append_clean (text, plain->text + from, start - from);
  self->start = (int) text->len;
  append_clean (text, plain->text + start, end - start);
  self->end = (int) text->len;
  append_clean (text, plain->text + end, to - end);
  if (to < plain->length && plain->text[to] != '\n')
    g_string_append (text, "…");
  self->text = g_string_free (g_steal_pointer (&text), FALSE);
  return self;
}

StintSnippet *
stint_snippet_find (const char *directory,
                    const char *const *words,
                    guint max_chars,
                    GCancellable *cancellable)
{
  g_autoptr (StintReader) reader = NULL;
  guint64 size, limit = STINT_INDEX_DEFAULT_LIMIT;
  StintPlain plain = { .with_offsets = FALSE };
  StintSnippet *snippet = NULL;
  gsize start, end;

  if (words[0] == NULL)
    return NULL;
  reader = stint_reader_new (directory);
  size = stint_reader_get_size (reader);
  stint_plain_init (&plain);
  read_plain (&plain, reader, 0, MIN (size, limit / 2), cancellable);
  if (find_best (&plain, words, &start, &end) > 0)
    snippet = cut_out (&plain, start, end, max_chars);
  else if (size > limit / 2)
    {
      guint64 from =
          stint_reader_find_line_start (reader, MAX (size - limit / 2, limit / 2), 0, 4096);

      read_plain (&plain, reader, from, size, cancellable);
      if (find_best (&plain, words, &start, &end) > 0)
        snippet = cut_out (&plain, start, end, max_chars);
    }
  stint_plain_clear (&plain);
  return snippet;
}
