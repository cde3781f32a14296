/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether what a terminal's output stopped at is a question, and whether a bell was rung in it.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-question.h"

#include "stint-escape.h"

#include <string.h>

/* In "(yes/no/[fingerprint])" the longest. */
#define LONGEST_CHOICE 16

/* Reading */

static void
handle_control (StintLastWords *self, GString *line, guint8 control, guint64 end)
{
  if (control == '\a')
    self->bell_at = end;
  else if (control == '\n' || control == '\r')
    g_string_truncate (line, 0);
  else if (control == '\t')
    g_string_append_c (line, ' ');
}

static gboolean
is_alternate_screen (gint32 mode)
{
  return mode == 47 || mode == 1047 || mode == 1049;
}

static void
handle_csi (StintLastWords *self, GString *line, const StintEscape *escape)
{
  switch (escape->final)
    {
    case 'h':
    case 'l':
      for (guint i = 0; escape->prefix == '?' && i < escape->n_parameters; i++)
        if (is_alternate_screen (escape->parameters[i]))
          self->full_screen = escape->final == 'h';
      break;
    /* What follows stands elsewhere on the screen. */
    case 'A':
    case 'B':
    case 'H':
    case 'd':
    case 'f':
      g_string_truncate (line, 0);
      break;
    case 'G':
      if (escape->n_parameters == 0 || escape->parameters[0] <= 1)
        g_string_truncate (line, 0);
      break;
    default:
      break;
    }
}

static gsize
find_safe_start (const guint8 *output, gsize size)
{
  gsize at = 0;

  while (at < size && output[at] != '\n' && output[at] != '\033')
    at++;
  return at;
}

void
stint_last_words_read (StintLastWords *self, const guint8 *output, gsize size, guint64 offset)
{
  g_autoptr (GString) line = g_string_new (NULL);
  StintEscape escape = { 0 };
  gsize used;

  *self = (StintLastWords){ 0 };
  for (gsize at = offset > 0 ? find_safe_start (output, size) : 0; at < size; at += used)
    {
      switch (stint_escape_next (&escape, output + at, size - at, &used))
        {
        case STINT_ESCAPE_TEXT:
          g_string_append_len (line, (const char *) output + at, (gssize) used);
          break;
        case STINT_ESCAPE_CONTROL:
          handle_control (self, line, escape.final, offset + at + used);
          break;
        case STINT_ESCAPE_CSI:
          handle_csi (self, line, &escape);
          break;
        case STINT_ESCAPE_SIMPLE:
        case STINT_ESCAPE_STRING:
        case STINT_ESCAPE_NONE:
        default:
          break;
        }
    }
  self->line = g_utf8_make_valid (line->str, (gssize) line->len);
}

void
stint_last_words_clear (StintLastWords *self)
{
  g_clear_pointer (&self->line, g_free);
}

/* Judging. A text is from `start` to `end`, which the functions move. */

static gunichar
get_last (const char *start, const char *end)
{
  return end > start ? g_utf8_get_char (g_utf8_prev_char (end)) : 0;
}

static const char *
trim_spaces (const char *start, const char *end)
{
  while (g_unichar_isspace (get_last (start, end)))
    end = g_utf8_prev_char (end);
  return end;
}

/* Without what only points to where one is to type. */
static const char *
trim_pointer (const char *start, const char *end)
{
  end = trim_spaces (start, end);
  while (end > start && g_utf8_strchr (">»›❯", -1, get_last (start, end)) != NULL)
    end = g_utf8_prev_char (end);
  return trim_spaces (start, end);
}

static gboolean
ends_as_question (const char *start, const char *end)
{
  gunichar last = get_last (start, end);

  /* The full-width ones and the Arabic question mark too. */
  return last != 0 && g_utf8_strchr ("?:？：؟", -1, last) != NULL;
}

/* Returns: the bracket that the one at the end of the text closes, or NULL. */
static const char *
find_opening (const char *start, const char *end)
{
  guint depth = 0;

  while (end > start)
    {
      char c = *--end;

      if (c == ')' || c == ']')
        depth++;
      else if ((c == '(' || c == '[') && --depth == 0)
        return end;
    }
  return NULL;
}

/* One key, or what stands for yes. */
static gboolean
is_answer (const char *word)
{
  return (g_ascii_isalpha (word[0]) && word[1] == '\0') || g_ascii_strcasecmp (word, "yes") == 0;
}

/* "y/N", "Y,n,?", "yes/no/[fingerprint]", "y"; neither "3/10" nor "linux/amd64" nor "a". */
static gboolean
are_choices (const char *start, const char *end)
{
  g_autofree char *text = g_strndup (start, (gsize) (end - start));
  g_auto (GStrv) words = g_strsplit_set (text, "/,|", -1);
  gboolean any_answer = FALSE;

  for (guint i = 0; words[i] != NULL; i++)
    {
      const char *word = g_strstrip (words[i]);

      if (*word == '\0' || strlen (word) > LONGEST_CHOICE || g_ascii_isdigit (*word) ||
          strchr (word, ' ') != NULL)
        return FALSE;
      any_answer = any_answer || is_answer (word);
    }
  if (words[0] != NULL && words[1] == NULL)
    return g_ascii_strcasecmp (words[0], "y") == 0 || g_ascii_strcasecmp (words[0], "yes") == 0;
  return any_answer;
}

gboolean
stint_last_words_ask (const StintLastWords *self, gboolean takes_lines)
{
  const char *start = self->line, *end = trim_pointer (start, start + strlen (start));
  const char *opening;
  gunichar last = get_last (start, end);

  if (self->full_screen)
    return FALSE;
  /* "Continue (y/n)?" */
  if (last == '?' || last == ':')
    {
      const char *before = trim_spaces (start, end - 1);

      last = get_last (start, before);
      opening = last == ')' || last == ']' ? find_opening (start, before) : NULL;
      return takes_lines || (opening != NULL && are_choices (opening + 1, before - 1));
    }
  if (last != ')' && last != ']')
    return takes_lines && ends_as_question (start, end);
  opening = find_opening (start, end);
  if (opening == NULL)
    return FALSE;
  if (are_choices (opening + 1, end - 1))
    return TRUE;
  /* "Name: (none)", "Port? [80]" */
  return takes_lines && ends_as_question (start, trim_spaces (start, opening));
}
