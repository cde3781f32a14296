/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is within a paragraph: code, emphasis, links, entities. The text is cut into pieces; what may
 * open or close emphasis is a piece of its own until it is known what it is, as in CommonMark's
 * "delimiter stack". Nothing here takes more than linear time, or near it, whatever is written. */

#define G_LOG_DOMAIN "stint-markdown"

#include "config.h"

#include "stint-markdown-private.h"

#include <string.h>

#define MAX_URI 2048       /* bytes: a longer one is no link */
#define MAX_CODE_FENCE 64  /* backticks: more open nothing */
#define MAX_OPEN_LINKS 256 /* brackets that are open at once */

typedef struct
{
  const char *text;
  gsize size; /* shrinks as delimiters are used up */
  gboolean can_open;
  gboolean can_close;
  gsize original_size;
} Piece;

typedef struct
{
  guint first; /* pieces: the style begins after this one… */
  guint last;  /* …and ends before this one */
  StintMarkdownStyle style;
  char *uri;
} Mark;

typedef struct
{
  guint piece;
  guint n_delimiters; /* that were there before it */
  gboolean active;
} Bracket;

typedef struct
{
  const char *at;
  const char *begin;
  const char *end;
  const char *plain; /* where the text that is nothing else began */
  GArray *pieces;
  GArray *marks;
  GArray *delimiters; /* of guint: the pieces that are delimiter runs, in order */
  GArray *brackets;
  GStringChunk *decoded;
  const char *no_fence[MAX_CODE_FENCE + 1]; /* from here on no run of so many backticks follows */
} Inline;

static void
mark_clear (Mark *mark)
{
  g_free (mark->uri);
}

void
stint_markdown_span_clear (StintMarkdownSpan *span)
{
  g_free (span->uri);
}

static guint
add_piece (Inline *self, const char *text, gsize size)
{
  Piece piece = { .text = text, .size = size, .original_size = size };

  g_array_append_val (self->pieces, piece);
  return self->pieces->len - 1;
}

static Piece *
get_piece (Inline *self, guint i)
{
  return &g_array_index (self->pieces, Piece, i);
}

/* The text up to @to is only text. */
static void
flush (Inline *self, const char *to)
{
  if (to > self->plain)
    add_piece (self, self->plain, (gsize) (to - self->plain));
  self->plain = self->at;
}

static void
add_mark (Inline *self, guint first, guint last, StintMarkdownStyle style, const char *uri)
{
  Mark mark = { .first = first, .last = last, .style = style, .uri = g_strdup (uri) };

  g_array_append_val (self->marks, mark);
}

static gsize
count_run (const char *p, const char *end)
{
  const char *start = p;

  while (p < end && *p == *start)
    p++;
  return (gsize) (p - start);
}

/* Takes text of @size bytes from here, shown as @shown, in a style of its own. */
static void
take_styled (Inline *self,
             gsize size,
             const char *shown,
             gsize shown_size,
             StintMarkdownStyle style,
             const char *uri)
{
  const char *from = self->at;
  guint first;

  self->at += size;
  flush (self, from);
  first = add_piece (self, "", 0);
  add_piece (self, shown, shown_size);
  add_mark (self, first, add_piece (self, "", 0), style, uri);
}

static gboolean
take_code (Inline *self)
{
  gsize fence = count_run (self->at, self->end);
  const char *content = self->at + fence;
  const char *p = content;

  if (fence > MAX_CODE_FENCE ||
      (self->no_fence[fence] != NULL && self->at >= self->no_fence[fence]))
    {
      self->at += fence;
      return TRUE;
    }
  while ((p = memchr (p, '`', (gsize) (self->end - p))) != NULL)
    {
      gsize run = count_run (p, self->end);

      if (run == fence)
        {
          g_autofree char *code = g_strndup (content, (gsize) (p - content));
          gsize size = strlen (code);
          char *shown = code;

          g_strdelimit (code, "\n\r", ' ');
          if (size > 2 && code[0] == ' ' && code[size - 1] == ' ' && strspn (code, " ") < size)
            {
              shown++;
              size -= 2;
            }
          shown = g_string_chunk_insert_len (self->decoded, shown, (gssize) size);
          take_styled (self, (gsize) (p + run - self->at), shown, size, STINT_MARKDOWN_INLINE_CODE,
                       NULL);
          return TRUE;
        }
      p += run;
    }
  self->no_fence[fence] = self->at;
  self->at += fence;
  return TRUE;
}

static gboolean
take_entity (Inline *self)
{
  static const struct
  {
    const char *name;
    const char *text;
  } names[] = { { "&amp;", "&" },   { "&lt;", "<" },   { "&gt;", ">" },     { "&quot;", "\"" },
                { "&apos;", "'" },  { "&nbsp;", " " }, { "&hellip;", "…" }, { "&mdash;", "—" },
                { "&ndash;", "–" }, { "&copy;", "©" }, { "&rarr;", "→" },   { "&larr;", "←" } };
  gsize left = (gsize) (self->end - self->at);
  gunichar value = 0;
  const char *p = self->at + 2;
  gboolean hex;
  char utf8[6];
  int size;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      gsize length = strlen (names[i].name);

      if (left >= length && memcmp (self->at, names[i].name, length) == 0)
        {
          const char *from = self->at;

          self->at += length;
          flush (self, from);
          add_piece (self, names[i].text, strlen (names[i].text));
          return TRUE;
        }
    }
  if (left < 4 || self->at[1] != '#')
    return FALSE;
  hex = *p == 'x' || *p == 'X';
  p += hex;
  for (guint n = 0; p < self->end && n < 7 && (hex ? g_ascii_isxdigit (*p) : g_ascii_isdigit (*p));
       n++, p++)
    value = value * (hex ? 16 : 10) + (gunichar) g_ascii_xdigit_value (*p);
  if (p == self->at + 2 + hex || p == self->end || *p != ';')
    return FALSE;
  if (value < 0x20 || value == 0x7f || !g_unichar_validate (value))
    value = 0xfffd;
  size = g_unichar_to_utf8 (value, utf8);
  {
    const char *from = self->at;

    self->at = p + 1;
    flush (self, from);
    add_piece (self, g_string_chunk_insert_len (self->decoded, utf8, size), (gsize) size);
  }
  return TRUE;
}

static gboolean
has_prefix (Inline *self, const char *prefix)
{
  gsize size = strlen (prefix);

  return (gsize) (self->end - self->at) >= size &&
         g_ascii_strncasecmp (self->at, prefix, size) == 0;
}

/* <https://example.org> and <someone@example.org> */
static gboolean
take_autolink (Inline *self)
{
  const char *start = self->at + 1;
  const char *p = start;
  gboolean has_colon = FALSE, has_at = FALSE;
  g_autofree char *uri = NULL;
  g_autofree char *target = NULL;

  while (p < self->end && p - start < MAX_URI && *p != '>' && *p != '<' && (guchar) *p > ' ')
    {
      has_colon |= *p == ':' && p > start + 1;
      has_at |= *p == '@' && p > start;
      p++;
    }
  if (p == self->end || *p != '>' || (!has_colon && !has_at) || !g_ascii_isalnum (*start))
    return FALSE;
  uri = g_strndup (start, (gsize) (p - start));
  target = has_colon ? g_strdup (uri) : g_strconcat ("mailto:", uri, NULL);
  take_styled (self, (gsize) (p + 1 - self->at), start, (gsize) (p - start), STINT_MARKDOWN_LINK,
               target);
  return TRUE;
}

/* https://example.org, written as it is. What ends a sentence is not part of it. */
static gboolean
take_bare_link (Inline *self)
{
  const char *p = self->at;
  g_autofree char *uri = NULL;
  gsize n_open = 0, n_close = 0;

  if (!has_prefix (self, "https://") && !has_prefix (self, "http://"))
    return FALSE;
  if (self->at > self->begin && (g_ascii_isalnum (self->at[-1]) || self->at[-1] == '_'))
    return FALSE;
  for (; p < self->end && p - self->at < MAX_URI && (guchar) *p > ' ' &&
         strchr ("<>\"`*", *p) == NULL;
       p++)
    {
      n_open += *p == '(';
      n_close += *p == ')';
    }
  while (p > self->at &&
         (strchr (".,:;!?'_~]", p[-1]) != NULL || (p[-1] == ')' && n_close > n_open)))
    {
      n_close -= p[-1] == ')';
      p--;
    }
  /* Within a link's text the brackets are the link's. */
  if (self->brackets->len > 0 && p > self->at)
    {
      const char *bracket = memchr (self->at, ']', (gsize) (p - self->at));

      if (bracket != NULL)
        p = bracket;
    }
  while (p > self->at && ((guchar) *p & 0xc0) == 0x80 && p < self->end)
    p--;
  if (p - self->at <= 8)
    return FALSE;
  uri = g_strndup (self->at, (gsize) (p - self->at));
  take_styled (self, (gsize) (p - self->at), self->at, (gsize) (p - self->at), STINT_MARKDOWN_LINK,
               uri);
  return TRUE;
}

static gunichar
get_character_before (Inline *self, const char *p)
{
  return p > self->begin ? g_utf8_get_char (g_utf8_prev_char (p)) : ' ';
}

static gboolean
is_punctuation (gunichar c)
{
  return g_unichar_ispunct (c) || (c < 0x80 && g_ascii_ispunct ((char) c));
}

static void
take_delimiters (Inline *self)
{
  const char *from = self->at;
  gsize size = count_run (from, self->end);
  gunichar before = get_character_before (self, from);
  gunichar after = from + size < self->end ? g_utf8_get_char (from + size) : ' ';
  gboolean space_before = g_unichar_isspace (before), space_after = g_unichar_isspace (after);
  gboolean left =
      !space_after && (!is_punctuation (after) || space_before || is_punctuation (before));
  gboolean right =
      !space_before && (!is_punctuation (before) || space_after || is_punctuation (after));
  guint i;

  self->at += size;
  if (*from == '~' && size != 2)
    return;
  flush (self, from);
  i = add_piece (self, from, size);
  get_piece (self, i)->can_open = *from == '_' ? left && (!right || is_punctuation (before)) : left;
  get_piece (self, i)->can_close =
      *from == '_' ? right && (!left || is_punctuation (after)) : right;
  g_array_append_val (self->delimiters, i);
}

/* "If one of them can both open and close, the sum of the lengths must not be a multiple of 3." */
static gboolean
is_match (const Piece *opener, const Piece *closer)
{
  if (opener->text[0] != closer->text[0] || !opener->can_open)
    return FALSE;
  if (closer->text[0] == '~')
    return TRUE;
  return !((opener->can_close || closer->can_open) &&
           (opener->original_size + closer->original_size) % 3 == 0 &&
           (opener->original_size % 3 != 0 || closer->original_size % 3 != 0));
}

static void
lower_bottoms (guint bottoms[3][3][2], guint bottom)
{
  for (guint i = 0; i < 3; i++)
    for (guint j = 0; j < 3; j++)
      for (guint k = 0; k < 2; k++)
        bottoms[i][j][k] = MIN (bottoms[i][j][k], bottom);
}

/* Returns: the delimiter in [@low, @top) that @closer closes, counted from 1 after it; @low: none. */
static guint
find_opener (Inline *self, const Piece *closer, guint low, guint top)
{
  while (top > low &&
         !is_match (get_piece (self, g_array_index (self->delimiters, guint, top - 1)), closer))
    top--;
  return top;
}

/* What becomes of the delimiters from @bottom on; they are gone afterwards. Those that may still open
 * something are kept at the array's beginning, as a stack. */
static void
match_delimiters (Inline *self, guint bottom)
{
  /* For what closes nothing: below which an opener need not be looked for, by sign, length and whether
   * it could open too. */
  guint bottoms[3][3][2];
  guint top = bottom;

  memset (bottoms, 0xff, sizeof bottoms);
  lower_bottoms (bottoms, bottom);
  for (guint i = bottom; i < self->delimiters->len; i++)
    {
      guint index = g_array_index (self->delimiters, guint, i);
      Piece *closer = get_piece (self, index);
      guint *low =
          &bottoms[closer->text[0] == '*'   ? 0
                   : closer->text[0] == '_' ? 1
                                            : 2][closer->original_size % 3][closer->can_open];

      while (closer->can_close && closer->size > 0)
        {
          guint found = find_opener (self, closer, *low, top);
          Piece *opener;
          gsize used;

          if (found == *low)
            {
              *low = top;
              break;
            }
          /* What is between them can't be matched any more. */
          top = found;
          opener = get_piece (self, g_array_index (self->delimiters, guint, top - 1));
          used = opener->size >= 2 && closer->size >= 2 ? 2 : 1;
          add_mark (self, g_array_index (self->delimiters, guint, top - 1), index,
                    closer->text[0] == '~' ? STINT_MARKDOWN_STRUCK
                    : used == 2            ? STINT_MARKDOWN_STRONG
                                           : STINT_MARKDOWN_EMPHASIS,
                    NULL);
          opener->size -= used;
          closer->size -= used;
          if (opener->size == 0)
            top--;
          lower_bottoms (bottoms, top);
        }
      if (closer->can_open && closer->size > 0)
        g_array_index (self->delimiters, guint, top++) = index;
    }
  g_array_set_size (self->delimiters, bottom);
}

/* (target "title") after a link's text. Returns: where it ends; NULL if it is none. */
static const char *
parse_target (const char *p, const char *end, char **uri)
{
  const char *limit = end - p > MAX_URI ? p + MAX_URI : end;
  const char *start;
  guint depth = 0;
  g_autofree char *target = NULL;
  char *out;

  if (p == end || *p != '(')
    return NULL;
  for (p++; p < limit && g_ascii_isspace (*p); p++)
    ;
  if (p < limit && *p == '<')
    {
      for (start = ++p; p < limit && *p != '>' && *p != '\n' && *p != '\r'; p++)
        ;
      if (p == limit || *p != '>')
        return NULL;
      target = g_strndup (start, (gsize) (p - start));
      p++;
    }
  else
    {
      for (start = p; p < limit && (guchar) *p > ' '; p++)
        {
          if (*p == '\\' && p + 1 < limit && g_ascii_ispunct (p[1]))
            p++;
          else if (*p == '(')
            depth++;
          else if (*p == ')' && depth-- == 0)
            break;
        }
      target = g_strndup (start, (gsize) (p - start));
    }
  for (; p < limit && g_ascii_isspace (*p); p++)
    ;
  if (p < limit && (*p == '"' || *p == '\''))
    {
      char quote = *p;

      for (p++; p < limit && *p != quote; p++)
        p += *p == '\\' && p + 1 < limit;
      for (p++; p < limit && g_ascii_isspace (*p); p++)
        ;
    }
  if (p >= limit || *p != ')')
    return NULL;
  out = target;
  for (const char *in = target; *in != '\0'; in++)
    {
      if (*in == '\\' && g_ascii_ispunct (in[1]))
        in++;
      *out++ = *in;
    }
  *out = '\0';
  *uri = g_steal_pointer (&target);
  return p + 1;
}

static void
take_open_bracket (Inline *self)
{
  const char *from = self->at;
  Bracket bracket = { .active = TRUE, .n_delimiters = self->delimiters->len };

  self->at += *from == '!' ? 2 : 1;
  if (self->brackets->len >= MAX_OPEN_LINKS)
    return;
  flush (self, from);
  bracket.piece = add_piece (self, from, (gsize) (self->at - from));
  g_array_append_val (self->brackets, bracket);
}

static void
take_close_bracket (Inline *self)
{
  Bracket bracket;
  const char *from = self->at;
  const char *after;
  g_autofree char *uri = NULL;
  Piece *opener;
  guint last;

  if (self->brackets->len == 0)
    {
      self->at++;
      return;
    }
  bracket = g_array_index (self->brackets, Bracket, self->brackets->len - 1);
  g_array_set_size (self->brackets, self->brackets->len - 1);
  after = bracket.active ? parse_target (from + 1, self->end, &uri) : NULL;
  if (after == NULL)
    {
      self->at++;
      return;
    }
  self->at = after;
  flush (self, from);
  match_delimiters (self, bracket.n_delimiters);
  last = add_piece (self, "", 0);
  opener = get_piece (self, bracket.piece);
  /* No links in links; pictures may be in them. */
  if (opener->text[0] != '!')
    for (guint i = 0; i < self->brackets->len; i++)
      g_array_index (self->brackets, Bracket, i).active =
          get_piece (self, g_array_index (self->brackets, Bracket, i).piece)->text[0] == '!';
  opener->size = 0;
  add_mark (self, bracket.piece, last, STINT_MARKDOWN_LINK, uri);
}

static void
take_line_end (Inline *self)
{
  const char *from = self->at;
  gboolean meant = *from == STINT_MARKDOWN_BREAK;

  self->at++;
  flush (self, from);
  add_piece (self, meant ? "\n" : " ", 1);
}

static void
take_escape (Inline *self)
{
  const char *from = self->at;

  if (from + 1 == self->end || !(g_ascii_ispunct (from[1]) || from[1] == '\n'))
    {
      self->at++;
      return;
    }
  self->at++;
  flush (self, from);
  if (*self->at == '\n')
    {
      self->at++;
      self->plain = self->at;
      add_piece (self, "\n", 1);
    }
  else
    self->at++;
}

static void
take_next (Inline *self)
{
  char c = *self->at;

  if (c == '`')
    take_code (self);
  else if (c == '*' || c == '_' || c == '~')
    take_delimiters (self);
  else if (c == '[' || (c == '!' && self->at + 1 < self->end && self->at[1] == '['))
    take_open_bracket (self);
  else if (c == ']')
    take_close_bracket (self);
  else if (c == '\\')
    take_escape (self);
  else if (c == '\n' || c == STINT_MARKDOWN_BREAK)
    take_line_end (self);
  else if (!((c == '&' && take_entity (self)) || (c == '<' && take_autolink (self)) ||
             ((c == 'h' || c == 'H') && take_bare_link (self))))
    self->at++;
}

static void
write_out (Inline *self, GString *out, GArray *spans)
{
  g_autofree guint *starts = g_new (guint, self->pieces->len + 1);
  guint at = (guint) g_utf8_strlen (out->str, (gssize) out->len);

  for (guint i = 0; i < self->pieces->len; i++)
    {
      const Piece *piece = get_piece (self, i);

      starts[i] = at;
      g_string_append_len (out, piece->text, (gssize) piece->size);
      at += (guint) g_utf8_strlen (piece->text, (gssize) piece->size);
    }
  starts[self->pieces->len] = at;
  for (guint i = 0; i < self->marks->len; i++)
    {
      Mark *mark = &g_array_index (self->marks, Mark, i);
      StintMarkdownSpan span = { .start = starts[mark->first + 1],
                                 .end = starts[mark->last],
                                 .style = mark->style,
                                 .uri = g_steal_pointer (&mark->uri) };

      if (span.start < span.end)
        g_array_append_val (spans, span);
      else
        stint_markdown_span_clear (&span);
    }
}

void
stint_markdown_inline (const char *source, gsize size, GString *out, GArray *spans)
{
  Inline self = { .at = source, .begin = source, .end = source + size, .plain = source };

  if (size > STINT_MARKDOWN_MAX_INLINE)
    {
      g_string_append_len (out, source, (gssize) size);
      for (gsize i = out->len - size; i < out->len; i++)
        if (out->str[i] == STINT_MARKDOWN_BREAK)
          out->str[i] = '\n';
      return;
    }
  self.pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  self.marks = g_array_new (FALSE, FALSE, sizeof (Mark));
  g_array_set_clear_func (self.marks, (GDestroyNotify) mark_clear);
  self.delimiters = g_array_new (FALSE, FALSE, sizeof (guint));
  self.brackets = g_array_new (FALSE, FALSE, sizeof (Bracket));
  self.decoded = g_string_chunk_new (256);

  while (self.at < self.end)
    take_next (&self);
  flush (&self, self.end);
  match_delimiters (&self, 0);
  write_out (&self, out, spans);

  g_array_unref (self.pieces);
  g_array_unref (self.marks);
  g_array_unref (self.delimiters);
  g_array_unref (self.brackets);
  g_string_chunk_free (self.decoded);
}
