/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds a query in plain text. What is literally meant is looked for by its two rarest bytes,
 * sixteen places at a time; an expression is PCRE2's business, over many lines at once where that
 * cannot differ from line by line.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-query.h"

#include "stint-regex-lines.h"
#include "stint-utf8.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* Of an expression, from each place on. More is not a search but an accident: `(a+)+$`. */
#define MATCH_LIMIT 1000000
#define JIT_STACK_START (32 * 1024)
#define JIT_STACK_MAX (1024 * 1024)

/* How much is searched before somebody looks whether it is still wanted. */
#define SLICE_SIZE (64 * 1024)

struct _StintQuery
{
  gatomicrefcount ref_count;
  char *text;
  StintQueryFlags flags;
  gboolean is_hopeless; /* nothing can match it */
  char *needed_bytes;

  /* Literally. */
  guint8 *needle; /* in lower case if caseless */
  gsize needle_length;
  gsize rare[2];  /* where in it its two rarest bytes are */
  guint8 fold[2]; /* what is set in a byte before it is compared with those */

  /* By PCRE2. */
  pcre2_code *code;
  pcre2_code
      *ascii_code; /* (nullable): the same for lines of ASCII alone, without Unicode's idea of \w */
  gboolean by_line; /* what it finds could reach over the end of a line */
};

struct _StintSeeker
{
  StintQuery *query;
  guint64 n_given_up;

  /* By PCRE2. */
  pcre2_match_data *match_data;
  pcre2_match_context *context;
  pcre2_jit_stack *jit_stack;

  /* The text. */
  const guint8 *text;
  gsize length;
  const gint *cancelled;
  gsize at;          /* what is before it has been searched */
  gsize slice_start; /* of whole lines, by PCRE2 */
  gsize slice_end;
  gsize slice_next;
  gsize by_line_until; /* slices that begin before it are single lines */
  const pcre2_code *code;
  gsize wide; /* what lies before it, from the slice on, is ASCII */
};

/* How common a byte is in logs; 0: the rarest. */
static guint
get_commonness (guint8 byte)
{
  static const char common[] =
      " etaonisr0l1d2uhc3mp45f6789g:.yb-v/w_,k[]=()\"'TASEIRNOLDCMxPFUBGHWV;zjqKXYJQZ";
  const char *place = byte != 0 ? strchr (common, byte) : NULL;

  return place != NULL ? (guint) (sizeof common - (gsize) (place - common)) : 0;
}

static guint
get_commonness_of (StintQuery *self, gsize i)
{
  guint8 byte = self->needle[i];
  guint common = get_commonness (byte);

  if (self->flags & STINT_QUERY_CASELESS)
    common = MAX (common, get_commonness ((guint8) g_ascii_toupper ((char) byte)));
  return common;
}

static void
choose_rare (StintQuery *self)
{
  gsize first = 0, second;

  for (gsize i = 1; i < self->needle_length; i++)
    if (get_commonness_of (self, i) < get_commonness_of (self, first))
      first = i;
  second = first == 0 ? self->needle_length - 1 : 0;
  for (gsize i = 0; i < self->needle_length; i++)
    if (i != first && get_commonness_of (self, i) < get_commonness_of (self, second))
      second = i;
  self->rare[0] = first;
  self->rare[1] = second;
  for (guint i = 0; i < 2; i++)
    if ((self->flags & STINT_QUERY_CASELESS) &&
        g_ascii_isalpha ((char) self->needle[self->rare[i]]))
      self->fold[i] = 0x20;
}

static void
set_literal (StintQuery *self)
{
  self->needle_length = strlen (self->text);
  self->needle = (guint8 *) ((self->flags & STINT_QUERY_CASELESS) ? g_ascii_strdown (self->text, -1)
                                                                  : g_strdup (self->text));
  choose_rare (self);
  self->needed_bytes = g_new0 (char, self->needle_length + 1);
  for (gsize i = 0, n = 0; i < self->needle_length; i++)
    if (!((self->flags & STINT_QUERY_CASELESS) && g_ascii_isalpha ((char) self->needle[i])))
      self->needed_bytes[n++] = (char) self->needle[i];
}

static pcre2_code *
compile (const char *pattern, uint32_t options, GError **error)
{
  pcre2_compile_context *context = pcre2_compile_context_create (NULL);
  pcre2_code *code;
  PCRE2_UCHAR text[256];
  PCRE2_SIZE offset;
  int number;

  pcre2_set_newline (context, PCRE2_NEWLINE_LF);
  code = pcre2_compile ((PCRE2_SPTR) pattern, strlen (pattern),
                        options | PCRE2_UTF | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C, &number,
                        &offset, context);
  pcre2_compile_context_free (context);
  if (code != NULL)
    {
      /* Without, it is only slower. */
      pcre2_jit_compile (code, PCRE2_JIT_COMPLETE);
      return code;
    }
  if (pcre2_get_error_message (number, text, sizeof text) < 0)
    text[0] = '\0';
  offset = MIN (offset, strlen (pattern));
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               _ ("Not a regular expression, at character %u: %s"),
               (guint) g_utf8_strlen (pattern, (gssize) offset) + 1, (const char *) text);
  return NULL;
}

static char *
enclose (const char *pattern, StintQueryFlags flags)
{
  if (flags & STINT_QUERY_WHOLE_WORDS)
    return g_strdup_printf ("(?<!\\w)(?:%s)(?!\\w)", pattern);
  return g_strdup (pattern);
}

/* Classes are three times as slow to match with Unicode's properties. */
static gboolean
has_classes (const char *pattern)
{
  for (const char *at = pattern; (at = strpbrk (at, "\\[")) != NULL; at++)
    if (at[0] == '[' ? at[1] == ':' : (at[1] != '\0' && strchr ("wWdDsS", at[1]) != NULL))
      return TRUE;
  return FALSE;
}

/* What every match has, says PCRE2; but not whether it minds the case. */
static void
set_needed_bytes (StintQuery *self)
{
  static const uint32_t types[] = { PCRE2_INFO_FIRSTCODETYPE, PCRE2_INFO_LASTCODETYPE };
  static const uint32_t units[] = { PCRE2_INFO_FIRSTCODEUNIT, PCRE2_INFO_LASTCODEUNIT };
  guint n = 0;

  if (strstr (self->text, "(*") != NULL)
    return;
  for (const char *at = self->text; (at = strstr (at, "(?")) != NULL; at += 2)
    if (at[2] != ':')
      return;
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      uint32_t type = 0, unit = 0;

      pcre2_pattern_info (self->code, types[i], &type);
      pcre2_pattern_info (self->code, units[i], &unit);
      if (type == 1 && unit > 0x20 && unit < 0x7f &&
          !((self->flags & STINT_QUERY_CASELESS) && g_ascii_isalpha ((char) unit)))
        self->needed_bytes[n++] = (char) unit;
    }
}

static gboolean
set_regex (StintQuery *self, GError **error)
{
  g_autofree char *escaped = NULL, *safe = NULL, *pattern = NULL;
  uint32_t caseless = (self->flags & STINT_QUERY_CASELESS) ? PCRE2_CASELESS : 0;

  if (self->flags & STINT_QUERY_REGEX)
    {
      pcre2_code *alone;

      /* By itself first: for the place of an error, and because `a)(b` is none. */
      alone = compile (self->text, caseless | PCRE2_UCP, error);
      if (alone == NULL)
        return FALSE;
      pcre2_code_free (alone);
      safe = stint_regex_keep_in_line (self->text);
      self->by_line = safe == NULL;
    }
  else
    {
      escaped = g_regex_escape_string (self->text, -1);
    }
  pattern = enclose (escaped != NULL ? escaped : (safe != NULL ? safe : self->text), self->flags);
  self->code = compile (pattern, caseless | PCRE2_UCP, error);
  if (self->code != NULL && (self->flags & STINT_QUERY_REGEX) && has_classes (self->text))
    self->ascii_code = compile (pattern, caseless, NULL);
  if (self->code == NULL)
    return FALSE;
  self->needed_bytes = g_new0 (char, 3);
  set_needed_bytes (self);
  return TRUE;
}

static gboolean
has_control (const char *text)
{
  for (; *text != '\0'; text++)
    if (g_ascii_iscntrl (*text) && *text != '\t')
      return TRUE;
  return FALSE;
}

StintQuery *
stint_query_new (const char *text, StintQueryFlags flags, GError **error)
{
  g_autoptr (StintQuery) self = g_new0 (StintQuery, 1);
  gboolean is_regex = (flags & STINT_QUERY_REGEX) != 0;

  g_return_val_if_fail (text != NULL, NULL);

  g_atomic_ref_count_init (&self->ref_count);
  self->text = g_strdup (text);
  self->flags = flags;
  if (!g_utf8_validate (text, -1, NULL))
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                           _ ("What is to be found is not valid text"));
      return NULL;
    }
  self->is_hopeless = text[0] == '\0' || (!is_regex && has_control (text));
  if (self->is_hopeless)
    return g_steal_pointer (&self);
  if (is_regex || ((flags & STINT_QUERY_CASELESS) && !g_str_is_ascii (text)))
    {
      if (!set_regex (self, error))
        return NULL;
    }
  else
    {
      set_literal (self);
    }
  return g_steal_pointer (&self);
}

StintQuery *
stint_query_ref (StintQuery *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
stint_query_unref (StintQuery *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_pointer (&self->code, pcre2_code_free);
  g_clear_pointer (&self->ascii_code, pcre2_code_free);
  g_free (self->needed_bytes);
  g_free (self->needle);
  g_free (self->text);
  g_free (self);
}

char *
stint_query_dup_pattern (StintQuery *self, gboolean *caseless)
{
  g_autofree char *escaped = NULL, *enclosed = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  if (caseless != NULL)
    *caseless = (self->flags & STINT_QUERY_CASELESS) != 0;
  if (!(self->flags & STINT_QUERY_REGEX))
    escaped = g_regex_escape_string (self->text, -1);
  enclosed = enclose (escaped != NULL ? escaped : self->text, self->flags);
  return g_strconcat ("(*UCP)", enclosed, NULL);
}

const char *
stint_query_get_needed_bytes (StintQuery *self)
{
  return self->needed_bytes != NULL ? self->needed_bytes : "";
}

StintSeeker *
stint_seeker_new (StintQuery *query)
{
  StintSeeker *self = g_new0 (StintSeeker, 1);

  self->query = stint_query_ref (query);
  if (query->code != NULL)
    {
      self->match_data = pcre2_match_data_create (1, NULL);
      self->context = pcre2_match_context_create (NULL);
      self->jit_stack = pcre2_jit_stack_create (JIT_STACK_START, JIT_STACK_MAX, NULL);
      pcre2_set_match_limit (self->context, MATCH_LIMIT);
      pcre2_jit_stack_assign (self->context, NULL, self->jit_stack);
    }
  return self;
}

void
stint_seeker_free (StintSeeker *self)
{
  g_clear_pointer (&self->match_data, pcre2_match_data_free);
  g_clear_pointer (&self->context, pcre2_match_context_free);
  g_clear_pointer (&self->jit_stack, pcre2_jit_stack_free);
  stint_query_unref (self->query);
  g_free (self);
}

guint64
stint_seeker_get_n_given_up (StintSeeker *self)
{
  return self->n_given_up;
}

/* PCRE2 takes only UTF-8: what is none becomes SUB, which plain text has none of, byte by byte. */
static void
make_valid (guint8 *text, gsize length)
{
  const guint64 highs = G_GUINT64_CONSTANT (0x8080808080808080);
  gsize i = 0;

  while (i < length)
    {
      gsize begun = i;
      const char *bad;
      guint64 word;

      if (text[i] < 0x80)
        {
          i++;
          for (; length - i >= 8; i += 8)
            {
              memcpy (&word, text + i, sizeof word);
              if (word & highs)
                break;
            }
          continue;
        }
      while (i < length && text[i] >= 0x80)
        i++;
      while (!g_utf8_validate_len ((const char *) text + begun, i - begun, &bad))
        {
          begun = (gsize) ((const guint8 *) bad - text);
          text[begun++] = 0x1a;
        }
    }
}

void
stint_seeker_begin (StintSeeker *self, guint8 *text, gsize length, const gint *cancelled)
{
  if (self->query->code != NULL)
    make_valid (text, length);
  self->text = text;
  self->length = length;
  self->cancelled = cancelled;
  self->at = self->slice_start = self->slice_end = self->slice_next = self->by_line_until = 0;
  self->wide = 0;
}

/* Whether a letter, a digit or an underscore begins at @at and, if @length is not 0, is so long. */
static gboolean
is_word_char (const guint8 *at, gsize size, gsize length)
{
  gunichar c;

  if (*at < 0x80)
    return (g_ascii_isalnum ((char) *at) || *at == '_') && length <= 1;
  c = g_utf8_get_char_validated ((const char *) at, (gssize) size);
  return c < 0x110000 && g_unichar_isalnum (c) &&
         (length == 0 || (gsize) g_unichar_to_utf8 (c, NULL) == length);
}

static gboolean
is_whole_word (StintSeeker *self, gsize start, gsize end)
{
  if (end < self->length && is_word_char (self->text + end, self->length - end, 0))
    return FALSE;
  if (start > 0)
    {
      gsize before = start - 1;

      while (before > 0 && start - before < 4 && (self->text[before] & 0xc0) == 0x80)
        before--;
      return !is_word_char (self->text + before, start - before, start - before);
    }
  return TRUE;
}

static gboolean
is_needle (StintQuery *query, const guint8 *at)
{
  if (!(query->flags & STINT_QUERY_CASELESS))
    return memcmp (at, query->needle, query->needle_length) == 0;
  for (gsize i = 0; i < query->needle_length; i++)
    if ((guint8) g_ascii_tolower ((char) at[i]) != query->needle[i])
      return FALSE;
  return TRUE;
}

typedef guint8 Sixteen __attribute__ ((vector_size (16)));

/* Whether the needle may be at one of the sixteen places from @at on. */
static inline gboolean
may_be_among (StintQuery *query, const guint8 *at, guint64 places[2])
{
  Sixteen first, second;

  memcpy (&first, at + query->rare[0], sizeof first);
  memcpy (&second, at + query->rare[1], sizeof second);
  first |= query->fold[0];
  second |= query->fold[1];
  first = (Sixteen) (first == query->needle[query->rare[0]]);
  second = (Sixteen) (second == query->needle[query->rare[1]]);
  first &= second;
  memcpy (places, &first, sizeof first);
  return (places[0] | places[1]) != 0;
}

/* Returns: where the needle is next, or the length. */
static gsize
find_needle (StintSeeker *self, gsize from)
{
  StintQuery *query = self->query;
  const guint8 *text = self->text;
  gsize n = query->needle_length, last;

  if (self->length < n)
    return self->length;
  last = self->length - n;
  while (from + 15 <= last)
    {
      guint64 places[2];

      if (may_be_among (query, text + from, places))
        for (guint half = 0; half < 2; half++)
          for (guint64 bits = GUINT64_FROM_LE (places[half]); bits != 0;)
            {
              guint place = (guint) __builtin_ctzll (bits) / 8;

              if (is_needle (query, text + from + half * 8 + place))
                return from + half * 8 + place;
              bits &= ~(G_GUINT64_CONSTANT (0xff) << (place * 8));
            }
      from += 16;
    }
  for (; from <= last; from++)
    if (is_needle (query, text + from))
      return from;
  return self->length;
}

static gboolean
is_cancelled (StintSeeker *self)
{
  return self->cancelled != NULL && g_atomic_int_get (self->cancelled) != 0;
}

static gboolean
next_literal (StintSeeker *self, gsize *start, gsize *end)
{
  while (self->at < self->length)
    {
      gsize found = find_needle (self, self->at);

      if (found == self->length)
        break;
      *start = found;
      *end = found + self->query->needle_length;
      if (!(self->query->flags & STINT_QUERY_WHOLE_WORDS) || is_whole_word (self, *start, *end))
        {
          self->at = *end;
          return TRUE;
        }
      self->at = found + 1;
    }
  self->at = self->length;
  return FALSE;
}

static gsize
find_end_of_line (StintSeeker *self, gsize from)
{
  const guint8 *found = memchr (self->text + from, '\n', self->length - from);

  return found != NULL ? (gsize) (found - self->text) : self->length;
}

/* Leaves in the slice lines of ASCII alone, or one that is not. */
static void
choose_code (StintSeeker *self)
{
  const guint8 *line;

  self->code = self->query->code;
  if (self->query->ascii_code == NULL)
    return;
  if (self->wide <= self->slice_start)
    self->wide = self->slice_start + stint_utf8_count_ascii (self->text + self->slice_start,
                                                             self->length - self->slice_start);
  if (self->wide < self->slice_end)
    {
      line = memrchr (self->text + self->slice_start, '\n', self->wide - self->slice_start);
      if (line == NULL)
        {
          self->slice_end = find_end_of_line (self, self->wide);
          self->slice_next = self->slice_end + 1;
          return;
        }
      self->slice_end = (gsize) (line - self->text);
      self->slice_next = self->slice_end + 1;
    }
  self->code = self->query->ascii_code;
}

/* The lines that are searched in one call. FALSE: none are left, or nobody wants them. */
static gboolean
next_slice (StintSeeker *self)
{
  gsize start = self->slice_next;
  gboolean by_line = self->query->by_line || start < self->by_line_until;

  if (start >= self->length || is_cancelled (self))
    return FALSE;
  self->slice_start = self->at = start;
  self->slice_end =
      find_end_of_line (self, by_line ? start : MIN (start + SLICE_SIZE, self->length - 1));
  self->slice_next = self->slice_end + 1;
  choose_code (self);
  return TRUE;
}

/* PCRE2 has given up on the slice: line by line, then, or without the one line that it is. */
static void
narrow_slice (StintSeeker *self)
{
  if (self->query->by_line || self->at < self->by_line_until)
    {
      self->n_given_up++;
      self->at = self->slice_end;
      return;
    }
  self->by_line_until = self->slice_next;
  self->slice_end = find_end_of_line (self, self->at);
  self->slice_next = self->slice_end + 1;
}

static gboolean
next_regex (StintSeeker *self, gsize *start, gsize *end)
{
  PCRE2_SIZE *found = pcre2_get_ovector_pointer (self->match_data);

  for (;;)
    {
      int status;

      while (self->at >= self->slice_end)
        if (!next_slice (self))
          return FALSE;

      status = pcre2_match (self->code, self->text + self->slice_start,
                            self->slice_end - self->slice_start, self->at - self->slice_start,
                            PCRE2_NOTEMPTY | PCRE2_NO_UTF_CHECK, self->match_data, self->context);
      if (status >= 0 && found[1] > found[0])
        {
          *start = self->slice_start + found[0];
          *end = self->slice_start + found[1];
          self->at = MAX (*end, self->at + 1);
          return TRUE;
        }
      if (status < 0 && status != PCRE2_ERROR_NOMATCH)
        narrow_slice (self);
      else
        self->at = self->slice_end;
    }
}

gboolean
stint_seeker_next (StintSeeker *self, gsize *start, gsize *end)
{
  if (self->query->is_hopeless)
    return FALSE;
  return self->query->code != NULL ? next_regex (self, start, end)
                                   : next_literal (self, start, end);
}
