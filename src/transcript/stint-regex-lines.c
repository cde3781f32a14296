/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keeps an expression within a line. Knows the everyday part of PCRE2's syntax, and says so when it
 * meets any other.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-regex-lines.h"

#include <string.h>

/* In a class: white space but the end of a line, of what plain text can hold. */
#define SPACES_IN_CLASS "\\h\\x{85}\\x{2028}\\x{2029}"

typedef struct
{
  const char *at;
  GString *out;
} Rewriter;

static void
copy (Rewriter *self, gsize n)
{
  g_string_append_len (self->out, self->at, (gssize) n);
  self->at += n;
}

static void
replace (Rewriter *self, gsize n, const char *text)
{
  g_string_append (self->out, text);
  self->at += n;
}

static gboolean
is_literal_when_escaped (char c)
{
  return (g_ascii_isprint (c) && !g_ascii_isalnum (c)) || c == 't';
}

static gboolean
take_escape (Rewriter *self)
{
  char c = self->at[1];

  if (c == 's')
    replace (self, 2, "[^\\S\\n]");
  else if (c == 'W')
    replace (self, 2, "[^\\w\\n]");
  else if (c == 'D')
    replace (self, 2, "[^\\d\\n]");
  else if (is_literal_when_escaped (c) || (c != '\0' && strchr ("dwSbBh", c) != NULL))
    copy (self, 2);
  else
    return FALSE;
  return TRUE;
}

static gboolean
take_escape_in_class (Rewriter *self, gboolean negated)
{
  char c = self->at[1];

  if (c == 's' && !negated)
    replace (self, 2, SPACES_IN_CLASS);
  else if (c == 't' && self->at[2] == '-')
    return FALSE; /* a range, maybe, that the end of a line is in */
  else if (is_literal_when_escaped (c) || (c != '\0' && strchr ("dwSh", c) != NULL) ||
           (negated && c != '\0' && strchr ("sDWH", c) != NULL))
    copy (self, 2);
  else
    return FALSE;
  return TRUE;
}

/* [:name:] */
static gboolean
take_named_class (Rewriter *self, gboolean negated)
{
  static const char *const harmless[] = { "[:alpha:]",  "[:digit:]", "[:alnum:]",
                                          "[:upper:]",  "[:lower:]", "[:punct:]",
                                          "[:xdigit:]", "[:word:]",  "[:blank:]" };

  for (guint i = 0; i < G_N_ELEMENTS (harmless); i++)
    if (g_str_has_prefix (self->at, harmless[i]))
      {
        copy (self, strlen (harmless[i]));
        return TRUE;
      }
  return FALSE;
}

static gboolean
take_class (Rewriter *self)
{
  gboolean negated = self->at[1] == '^', first = TRUE;

  copy (self, negated ? 2 : 1);
  if (negated)
    g_string_append (self->out, "\\n");
  for (; *self->at != ']' || first; first = FALSE)
    {
      if (*self->at == ']')
        replace (self, 1, "\\]");
      else if (*self->at == '\\')
        {
          if (!take_escape_in_class (self, negated))
            return FALSE;
        }
      else if (*self->at == '[' && self->at[1] != '\0' && strchr (":.=", self->at[1]) != NULL)
        {
          if (!take_named_class (self, negated))
            return FALSE;
        }
      else if ((guint8) *self->at < 0x20)
        return FALSE;
      else
        copy (self, 1);
    }
  copy (self, 1);
  return TRUE;
}

static gboolean
take_group (Rewriter *self)
{
  static const char *const harmless[] = { "(?:", "(?=",  "(?!",  "(?>", "(?|",
                                          "(?<", "(?P<", "(?i)", "(?i:" };

  if (self->at[1] != '?' && self->at[1] != '*')
    {
      copy (self, 1);
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (harmless); i++)
    if (g_str_has_prefix (self->at, harmless[i]))
      {
        copy (self, strlen (harmless[i]));
        return TRUE;
      }
  return FALSE;
}

char *
stint_regex_keep_in_line (const char *pattern)
{
  g_autoptr (GString) out = g_string_new (NULL);
  Rewriter self = { pattern, out };

  while (*self.at != '\0')
    {
      gboolean known = TRUE;

      if (*self.at == '\\')
        known = take_escape (&self);
      else if (*self.at == '[')
        known = take_class (&self);
      else if (*self.at == '(')
        known = take_group (&self);
      else if ((guint8) *self.at < 0x20 && *self.at != '\t')
        known = FALSE;
      else
        copy (&self, 1);
      if (!known)
        return NULL;
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}
