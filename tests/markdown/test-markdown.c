/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What Markdown becomes: written as blocks, one a line, with the styles' signs put back in. Whatever
 * the pieces are in which it comes, it becomes the same.
 */
#include "stint-markdown.h"

#include <string.h>

static const char *const kinds[] = { "p", "h", "code", "item", "table", "rule" };

static void
dump_span_ends (GString *out, const StintMarkdownBlock *block, guint at, gboolean opening)
{
  for (guint i = 0; i < block->spans->len; i++)
    {
      const StintMarkdownSpan *span = &g_array_index (block->spans, StintMarkdownSpan, i);
      const char *sign = span->style == STINT_MARKDOWN_EMPHASIS      ? "i"
                         : span->style == STINT_MARKDOWN_STRONG      ? "b"
                         : span->style == STINT_MARKDOWN_STRUCK      ? "s"
                         : span->style == STINT_MARKDOWN_INLINE_CODE ? "c"
                                                                     : "a";

      if ((opening ? span->start : span->end) != at)
        continue;
      g_string_append_printf (out, opening ? "{%s" : "%.0s}", sign);
      if (opening && span->uri != NULL)
        g_string_append_printf (out, "=%s", span->uri);
      if (opening)
        g_string_append_c (out, ' ');
    }
}

static void
dump_block (GString *out, const StintMarkdownBlock *block)
{
  guint at = 0;

  for (guint i = 0; i < block->quote; i++)
    g_string_append (out, "> ");
  g_string_append (out, kinds[block->kind]);
  if (block->level > 0)
    g_string_append_printf (out, "%u", block->level);
  if (block->indent > 0)
    g_string_append_printf (out, " +%u", block->indent);
  if (block->marker != NULL)
    g_string_append_printf (out, " %s", block->marker);
  if (block->info != NULL)
    g_string_append_printf (out, " (%s)", block->info);
  g_string_append (out, ": ");
  for (const char *p = block->text;; p = g_utf8_next_char (p), at++)
    {
      dump_span_ends (out, block, at, FALSE);
      dump_span_ends (out, block, at, TRUE);
      if (*p == '\0')
        break;
      if (*p == '\n')
        g_string_append (out, "\\n");
      else
        g_string_append_unichar (out, g_utf8_get_char (p));
    }
  g_string_append_c (out, '\n');
}

static char *
dump (StintMarkdown *markdown)
{
  g_autoptr (GString) out = g_string_new (NULL);

  for (guint i = 0; i < stint_markdown_get_n_blocks (markdown); i++)
    dump_block (out, stint_markdown_get_block (markdown, i));
  return g_string_free (g_steal_pointer (&out), FALSE);
}

/* In pieces of @step characters, of which only the last is looked at. */
static char *
render (const char *source, guint step)
{
  g_autoptr (StintMarkdown) markdown = stint_markdown_new ();

  for (const char *p = source; *p != '\0';)
    {
      const char *end = p;

      for (guint i = 0; i < step && *end != '\0'; i++)
        end = g_utf8_next_char (end);
      stint_markdown_append (markdown, p, end - p);
      p = end;
    }
  return dump (markdown);
}

static void
check (const char *source, const char *expected)
{
  static const guint steps[] = { G_MAXUINT, 1, 2, 7 };

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    {
      g_autofree char *text = render (source, steps[i]);

      g_assert_cmpstr (text, ==, expected);
    }
}

static void
test_paragraphs (void)
{
  check ("", "");
  check ("one", "p: one\n");
  check ("one\ntwo\n\nthree\n", "p: one two\np: three\n");
  check ("one  \ntwo\\\nthree", "p: one\\ntwo\\nthree\n");
  check ("\n\n  one\n\n\n", "p: one\n");
  check ("<b>no HTML</b>", "p: <b>no HTML</b>\n");
  check ("grün\r\n🙂", "p: grün 🙂\n");
}

static void
test_headings (void)
{
  check ("# One\n## Two ##\n####### seven", "h1: One\nh2: Two\np: ####### seven\n");
  check ("#no\n# ", "p: #no\nh1: \n");
  check ("One\n===\nTwo\n---\nthree", "h1: One\nh2: Two\np: three\n");
  check ("one\n\n---\n* * *", "p: one\nrule: \nrule: \n");
  check ("# a *b* `c`", "h1: a {i b} {c c}\n");
}

static void
test_code (void)
{
  check ("```c\nint *x;\n\n  y\n```\nafter", "code (c): int *x;\\n\\n  y\np: after\n");
  check ("~~~~\n```\n~~~\n~~~~", "code: ```\\n~~~\n");
  check ("```\nnever closed\n", "code: never closed\n");
  check ("text\n```\ncode\n```", "p: text\ncode: code\n");
  check ("    indented\n\n      more\n\ntext", "code: indented\\n\\n  more\np: text\n");
  check ("text\n    not code", "p: text not code\n");
  check ("```inline``` text", "p: {c inline} text\n");
}

static void
test_lists (void)
{
  check ("- one\n- two\n  more\n* three", "item +1 •: one\nitem +1 •: two more\nitem +1 •: three\n");
  check ("1. one\n2. two\n10) ten", "item +1 1.: one\nitem +1 2.: two\nitem +1 10): ten\n");
  check ("- one\n  - two\n    1. x\n    2. y\n- three",
         "item +1 •: one\nitem +2 •: two\nitem +3 1.: x\nitem +3 2.: y\nitem +1 •: three\n");
  check ("- one\n\n  inside\n\noutside", "item +1 •: one\np +1: inside\np: outside\n");
  check ("- [ ] open\n- [x] done\n- [y] text", "item +1 ☐: open\nitem +1 ☑: done\nitem +1 •: [y] text\n");
  check ("1. x\n   ```sh\n   ls\n   ```\n2. y", "item +1 1.: x\ncode +1 (sh): ls\nitem +1 2.: y\n");
  check ("in 2024.\n2025. was text", "p: in 2024. 2025. was text\n");
  check ("text\n- item", "p: text\nitem +1 •: item\n");
  check ("- - both", "item +1 •: \nitem +2 •: both\n");
  check ("-no\n-", "p: -no -\n");
}

static void
test_quotes (void)
{
  check ("> one\n> two\nlazy\n\nafter", "> p: one two lazy\np: after\n");
  check ("> # head\n> - a\n>   b\n> > deep", "> h1: head\n> item +1 •: a b\n> > p: deep\n");
  check ("> ```\n> code\nafter", "> code: code\np: after\n");
  check (">no space", "> p: no space\n");
}

static void
test_inline (void)
{
  check ("*a* _b_ **c** __d__ ~~e~~", "p: {i a} {i b} {b c} {b d} {s e}\n");
  check ("***both*** **a *b* c**", "p: {b {i both}} {b a {i b} c}\n");
  check ("snake_case_name 2*3*4 a * b *", "p: snake_case_name 2{i 3}4 a * b *\n");
  check ("*open **and __not", "p: *open **and __not\n");
  check ("`a*b` ``c`d`` ` e", "p: {c a*b} {c c`d} ` e\n");
  check ("\\*no\\* \\a", "p: *no* \\a\n");
  check ("&amp;&lt;&#65;&#x1F642;&unknown;", "p: &<A🙂&unknown;\n");
  check ("~one~", "p: ~one~\n");
}

static void
test_links (void)
{
  check ("[a *b*](https://x.org \"t\")", "p: {a=https://x.org a {i b}}\n");
  check ("[a](b(c)d) [e](<f g>)", "p: {a=b(c)d a} {a=f g e}\n");
  check ("![picture](p.png)", "p: {a=p.png picture}\n");
  check ("<https://x.org/?a=1> <a@x.org>", "p: {a=https://x.org/?a=1 https://x.org/?a=1} {a=mailto:a@x.org a@x.org}\n");
  check ("see https://x.org/a_b_c. (http://y.org/(z))",
         "p: see {a=https://x.org/a_b_c https://x.org/a_b_c}. ({a=http://y.org/(z) http://y.org/(z)})\n");
  check ("[no] [no](un closed", "p: [no] [no](un closed\n");
  check ("[x[y](u)](v)", "p: [x{a=u y}](v)\n");
}

static void
test_tables (void)
{
  check ("| a | bb |\n|---|--:|\n| **long** | 1 |\n| `x` |\n\nend",
         "table: {b a}    │ {b bb}\\n─────┼───\\n{b long} │  1\\n{c x}   \np: end\n");
  check ("a | b\nno table", "p: a | b no table\n");
  check ("| a\\|b | c |\n|-|-|\n", "table: {b a|b} │ {b c}\\n────┼──\n");
}

#define CHUNK 40

/* Appends CHUNK rows @n times. Returns: the most characters that were written for one chunk. */
static guint
grow_table (StintMarkdown *markdown, const char *row, guint n)
{
  g_autoptr (GString) chunk = g_string_new (NULL);
  guint most = 0;

  for (guint i = 0; i < CHUNK; i++)
    g_string_append (chunk, row);
  for (; n > 0; n--)
    {
      guint written = 0;

      for (guint i = stint_markdown_append (markdown, chunk->str, -1); i < stint_markdown_get_n_blocks (markdown); i++)
        written += (guint) g_utf8_strlen (stint_markdown_get_block (markdown, i)->text, -1);
      most = MAX (most, written);
    }
  return most;
}

/* However long a table is, a row of it costs no more than one of a table of 16 KiB. */
static void
test_long_tables (void)
{
  static const struct { const char *head, *row; guint n, most; } tables[] = {
    { "| one | two |\n|-----|----:|\n", "| first | **second** ü |\n", 60, 40 * 1024 },
    /* Two signs that would become 60 each */
    { "| 012345678901234567890123456789012345678901234567890123456789 | b |\n|-|-|\n", "|\n", 400, 120 * 1024 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    {
      g_autoptr (StintMarkdown) markdown = stint_markdown_new ();
      const StintMarkdownBlock *last;
      gsize rows = 0;

      stint_markdown_append (markdown, tables[i].head, -1);
      g_assert_cmpuint (grow_table (markdown, tables[i].row, tables[i].n), <=, tables[i].most);
      for (guint b = 0; b < stint_markdown_get_n_blocks (markdown); b++)
        {
          const StintMarkdownBlock *block = stint_markdown_get_block (markdown, b);

          g_assert_cmpint (block->kind, ==, STINT_MARKDOWN_TABLE);
          for (const char *p = block->text; p != NULL; p = strchr (p + 1, '\n'))
            rows++;
        }
      /* Head and line; nothing of it is lost. */
      g_assert_cmpuint (rows, ==, 2 + CHUNK * tables[i].n);
      stint_markdown_append (markdown, "\nend", -1);
      last = stint_markdown_get_block (markdown, stint_markdown_get_n_blocks (markdown) - 1);
      g_assert_cmpint (last->kind, ==, STINT_MARKDOWN_PARAGRAPH);
      g_assert_cmpstr (last->text, ==, "end");
    }
}

/* In whatever pieces it comes, and a further piece in the columns of the first. */
static void
test_table_pieces (void)
{
  g_autoptr (GString) source = g_string_new ("> | a | b |\n> |-:|:-:|\n");
  g_autofree char *at_once = NULL;

  while (source->len < 40 * 1000)
    g_string_append (source, "> | `x`*yü* | longer | 3 |\n");
  g_string_append (source, "> - item\n");
  at_once = render (source->str, G_MAXUINT);
  g_assert_nonnull (strstr (at_once, "\n> table: {c x}{i yü} │ longer │ 3\\n{c x}{i yü} │ longer"));
  g_assert_true (g_str_has_suffix (at_once, "│ 3\n> item +1 •: item\n"));
  for (guint step = 900; step < 2000; step += 333)
    {
      g_autofree char *text = render (source->str, step);

      g_assert_cmpstr (text, ==, at_once);
    }
}

/* What would be seconds of work, were each cell measured by all before it. */
static void
test_hostile_tables (void)
{
  g_autoptr (StintMarkdown) markdown = stint_markdown_new ();
  g_autoptr (GString) source = g_string_new (NULL);

  for (guint i = 0; i < 64; i++)
    g_string_append (source, "|012345678901234567890123456789012345678901234567890123456789");
  g_string_append_c (source, '\n');
  for (guint i = 0; i < 64; i++)
    g_string_append (source, "|-");
  g_string_append_c (source, '\n');
  stint_markdown_append (markdown, source->str, -1);
  g_assert_cmpuint (grow_table (markdown, "||||||||||||||||||||||||||||||||||||||||||||||||||||||||||||||||\n", 25),
                    <=, 240 * 1024);
  /* A row that has no end */
  g_string_truncate (source, 0);
  while (source->len < 100 * 1000)
    g_string_append (source, "*a*|");
  stint_markdown_append (markdown, source->str, -1);
  g_assert_true (g_str_has_suffix (stint_markdown_get_block (markdown, stint_markdown_get_n_blocks (markdown) - 1)->text,
                                   source->str));
}

/* What can't be shown is made visible, and ends nothing. */
static void
test_invalid (void)
{
  g_autoptr (StintMarkdown) markdown = stint_markdown_new ();
  g_autofree char *text = NULL;

  stint_markdown_append (markdown, "a\0b\033[31m\xff", 9);
  text = dump (markdown);
  g_assert_cmpstr (text, ==, "p: a\xef\xbf\xbd" "b␛[31m\xef\xbf\xbd\n");
}

/* A block that is closed is never touched again. */
static void
test_only_the_last_is_read_again (void)
{
  g_autoptr (StintMarkdown) markdown = stint_markdown_new ();
  const char *first;

  g_assert_cmpuint (stint_markdown_append (markdown, "one\n\ntw", -1), ==, 0);
  first = stint_markdown_get_block (markdown, 0)->text;
  g_assert_cmpuint (stint_markdown_append (markdown, "o\n\n- th", -1), ==, 1);
  g_assert_cmpuint (stint_markdown_append (markdown, "ree\n- f", -1), ==, 2);
  g_assert_cmpuint (stint_markdown_append (markdown, "our", -1), ==, 2);
  g_assert_true (stint_markdown_get_block (markdown, 0)->text == first);
  g_assert_cmpuint (stint_markdown_get_n_blocks (markdown), ==, 4);
  g_assert_cmpstr (stint_markdown_get_source (markdown), ==, "one\n\ntwo\n\n- three\n- four");
}

/* What costs a naive parser quadratic or exponential time. Here each is done before one notices. */
static void
test_hostile (void)
{
  static const char *const pieces[] = { "*a ", "a** ", "[", "](", "![[]()", "`a``", "<", "> ", "- ", "_*", "&", "|", "[a](<b",
                                        "*a_ ", "http://", "~~a ", "\\", "1. ", "#" };

  for (guint i = 0; i < G_N_ELEMENTS (pieces); i++)
    {
      g_autoptr (StintMarkdown) markdown = stint_markdown_new ();
      g_autoptr (GString) source = g_string_new (NULL);

      while (source->len < 60 * 1000)
        g_string_append (source, pieces[i]);
      stint_markdown_append (markdown, source->str, (gssize) source->len);
      stint_markdown_append (markdown, "\n|-|\n", -1);
      g_assert_cmpuint (stint_markdown_get_n_blocks (markdown), >, 0);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/markdown/paragraphs", test_paragraphs);
  g_test_add_func ("/markdown/headings", test_headings);
  g_test_add_func ("/markdown/code", test_code);
  g_test_add_func ("/markdown/lists", test_lists);
  g_test_add_func ("/markdown/quotes", test_quotes);
  g_test_add_func ("/markdown/inline", test_inline);
  g_test_add_func ("/markdown/links", test_links);
  g_test_add_func ("/markdown/tables/columns", test_tables);
  g_test_add_func ("/markdown/tables/long", test_long_tables);
  g_test_add_func ("/markdown/tables/pieces", test_table_pieces);
  g_test_add_func ("/markdown/tables/hostile", test_hostile_tables);
  g_test_add_func ("/markdown/invalid", test_invalid);
  g_test_add_func ("/markdown/only-the-last-is-read-again", test_only_the_last_is_read_again);
  g_test_add_func ("/markdown/hostile", test_hostile);
  return g_test_run ();
}
