/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding in a transcript: the same hits as a naive search has, whatever the chunks, colours, line
 * ends, holes and bytes; what is known early; what stops at once; what stays small.
 */
#include "transcript-fixture.h"

#include "stint-escape.h"
#include "stint-find-private.h"
#include "stint-frames.h"
#include "stint-regex-lines.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* The naive search: one line at a time, one byte at a time. */

typedef struct
{
  GArray *hits; /* StintFindHit */
  GRegex *regex;
} Naive;

static GRegex *
make_regex (const char *text, StintQueryFlags flags)
{
  g_autofree char *escaped = g_regex_escape_string (text, -1), *pattern = NULL;
  const char *inner = (flags & STINT_QUERY_REGEX) ? text : escaped;
  GRegexCompileFlags options =
      G_REGEX_NEWLINE_LF | ((flags & STINT_QUERY_CASELESS) ? G_REGEX_CASELESS : 0);
  g_autoptr (GError) error = NULL;
  GRegex *regex;

  pattern = (flags & STINT_QUERY_WHOLE_WORDS) ? g_strdup_printf ("(?<!\\w)(?:%s)(?!\\w)", inner)
                                              : g_strdup (inner);
  regex = g_regex_new (pattern, options, 0, &error);
  g_assert_no_error (error);
  return regex;
}

static void
make_utf8 (GByteArray *line)
{
  const char *bad;
  gsize done = 0;

  while (!g_utf8_validate_len ((const char *) line->data + done, line->len - done, &bad))
    {
      done = (gsize) ((const guint8 *) bad - line->data);
      line->data[done++] = 0x1a;
    }
}

static void
search_line (Naive *naive, const guint8 *raw, gsize size, guint64 offset)
{
  g_autoptr (GByteArray) line = g_byte_array_new ();
  g_autoptr (GArray) offsets = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GMatchInfo) info = NULL;
  StintEscape escape = { 0 };

  for (gsize i = 0, used; i < size; i += used)
    {
      gboolean was_ground = stint_escape_is_ground (&escape);
      StintEscapeKind kind = stint_escape_next (&escape, raw + i, size - i, &used);

      if (kind != STINT_ESCAPE_TEXT &&
          !(kind == STINT_ESCAPE_CONTROL && was_ground && raw[i] == '\t'))
        continue;
      for (gsize k = i; k < i + used; k++)
        {
          guint64 at = offset + k;

          g_array_append_val (offsets, at);
          g_byte_array_append (line, raw + k, 1);
        }
    }
  if (line->len == 0)
    return;
  make_utf8 (line);
  g_regex_match_full (naive->regex, (const char *) line->data, line->len, 0, G_REGEX_MATCH_NOTEMPTY,
                      &info, NULL);
  for (; g_match_info_matches (info); g_match_info_next (info, NULL))
    {
      int start, end;
      StintFindHit hit;

      g_match_info_fetch_pos (info, 0, &start, &end);
      hit.start = g_array_index (offsets, guint64, start);
      hit.end = g_array_index (offsets, guint64, end - 1) + 1;
      g_array_append_val (naive->hits, hit);
    }
}

static void
search_part (Naive *naive, const guint8 *data, guint64 from, guint64 to)
{
  guint64 line = from;

  for (guint64 i = from; i <= to; i++)
    if (i == to || data[i] == '\n' || data[i] == '\r')
      {
        search_line (naive, data + line, (gsize) (i - line), line);
        line = i + 1;
      }
}

static GArray *
search_naively (GByteArray *data,
                guint64 hole_start,
                guint64 hole_end,
                const char *text,
                StintQueryFlags flags)
{
  g_autoptr (GRegex) regex = make_regex (text, flags);
  Naive naive = { g_array_new (FALSE, FALSE, sizeof (StintFindHit)), regex };

  if (hole_start < hole_end)
    {
      search_part (&naive, data->data, 0, hole_start);
      search_part (&naive, data->data, hole_end, data->len);
    }
  else
    {
      search_part (&naive, data->data, 0, data->len);
    }
  return naive.hits;
}

/* Ours. */

typedef struct
{
  guint n_progress;
  guint n_first;
  guint n_done;
  StintFindHit first;
  guint64 n_hits;
  guint64 n_bytes;
} Heard;

static void
handle_progress (StintFind *find, guint64 n_bytes, guint64 n_hits, gpointer data)
{
  Heard *heard = data;

  heard->n_progress++;
  g_assert_cmpuint (n_bytes, <=, stint_find_get_size (find));
  heard->n_bytes = n_bytes;
}

static void
handle_first (StintFind *find, guint64 start, guint64 end, gpointer data)
{
  Heard *heard = data;

  heard->n_first++;
  heard->first = (StintFindHit){ start, end };
}

static void
handle_done (StintFind *find, guint64 n_hits, gpointer data)
{
  Heard *heard = data;

  heard->n_done++;
  heard->n_hits = n_hits;
}

static void
listen (StintFind *find, Heard *heard)
{
  *heard = (Heard){ 0 };
  g_signal_connect (find, "progress", G_CALLBACK (handle_progress), heard);
  g_signal_connect (find, "first-hit", G_CALLBACK (handle_first), heard);
  g_signal_connect (find, "done", G_CALLBACK (handle_done), heard);
}

static void
wait_for_done (Heard *heard, guint n)
{
  while (heard->n_done < n)
    g_main_context_iteration (NULL, TRUE);
}

static void
wait_for_threads (void)
{
  while (stint_find_count_threads () > 0)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static StintFind *
make_find (Directory *directory, const char *text, StintQueryFlags flags, gsize chunk_size)
{
  g_autoptr (StintReader) reader = stint_reader_new (directory->path);
  g_autoptr (GError) error = NULL;
  StintFind *find = stint_find_new (reader, text, flags, &error);

  g_assert_no_error (error);
  if (chunk_size > 0)
    stint_find_set_chunk_size (find, chunk_size);
  return find;
}

static gboolean
has_same_hits (StintFind *find, GArray *hits)
{
  if (stint_find_get_n_hits (find) != hits->len)
    return FALSE;
  for (guint i = 0; i < hits->len; i++)
    {
      StintFindHit *expected = &g_array_index (hits, StintFindHit, i), hit;

      if (!stint_find_locate (find, i, &hit) || hit.start != expected->start ||
          hit.end != expected->end)
        {
          g_test_message ("hit %u: %" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT
                          ", naively %" G_GUINT64_FORMAT "-%" G_GUINT64_FORMAT,
                          i, hit.start, hit.end, expected->start, expected->end);
          return FALSE;
        }
    }
  return TRUE;
}

typedef struct
{
  guint n_answers;
  StintFindAnswer answer;
  StintFindHit hit;
  guint64 ordinal;
  GError *error;
} Looked;

static void
handle_looked (GObject *source, GAsyncResult *result, gpointer data)
{
  Looked *looked = data;

  looked->answer = stint_find_look_finish (STINT_FIND (source), result, &looked->hit,
                                           &looked->ordinal, &looked->error);
  looked->n_answers++;
}

static Looked
look (StintFind *find, guint64 offset, int direction)
{
  Looked looked = { 0 };

  stint_find_look_async (find, offset, direction, NULL, handle_looked, &looked);
  while (looked.n_answers == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_no_error (looked.error);
  return looked;
}

static void
check_looked (const Looked *looked, GArray *hits, guint i)
{
  g_assert_cmpint (looked->answer, ==, i < hits->len ? STINT_FIND_HIT : STINT_FIND_NONE);
  if (i >= hits->len)
    return;
  g_assert_cmpuint (looked->hit.start, ==, g_array_index (hits, StintFindHit, i).start);
  g_assert_cmpuint (looked->hit.end, ==, g_array_index (hits, StintFindHit, i).end);
  g_assert_cmpuint (looked->ordinal, ==, i);
}

/* The order of hits, asked for by offsets. */
static void
check_places (StintFind *find, GArray *hits, guint64 offset)
{
  Looked next = look (find, offset, 1), previous = look (find, offset, -1);
  guint i = 0;

  while (i < hits->len && g_array_index (hits, StintFindHit, i).start < offset)
    i++;
  check_looked (&next, hits, i);
  /* Before the first, none: a number that is too large. */
  check_looked (&previous, hits, i - 1);
}

static void
check_first (Heard *heard, GArray *hits, guint64 from)
{
  guint i = 0;

  g_assert_cmpuint (heard->n_first, ==, hits->len > 0);
  if (hits->len == 0)
    return;
  while (i < hits->len && g_array_index (hits, StintFindHit, i).start < from)
    i++;
  i %= hits->len;
  g_assert_cmpuint (heard->first.start, ==, g_array_index (hits, StintFindHit, i).start);
  g_assert_cmpuint (heard->first.end, ==, g_array_index (hits, StintFindHit, i).end);
}

/* Random output. */

static const char *const tokens[] = {
  "foo",
  "Foo",
  "FOO",
  "fo",
  "o",
  "oo",
  "f",
  "bar",
  "bar1",
  "_",
  "-",
  " ",
  " ",
  ".",
  "\t",
  "é",
  "É",
  "ß",
  "\xc3",
  "\xa9",
  "\xff",
  "\xf0\x9f\x98\x80",
  "\033[31m",
  "\033[m",
  "\033[0m",
  "\033[1;38;5;200m",
  "\033[1:2m",
  "\033[?25l",
  "\033[ q",
  "\033[1234567890m",
  "\033[>1;2;3;4;5;6;7c",
  "\033(B",
  "\033]0;foo\a",
  "\033]8;;foo\033\\",
  "\033Pfoo\033\\",
  "\033]foo",
  "\033",
  "\033[3",
  "\033[3\x18",
  "\a",
  "\b",
  "\x7f",
  "\033[1\a2m",
  "\033[\xc3m",
  "\033\033[mfoo",
  "\n",
  "\n",
  "\n",
  "\r",
  "\r\n",
};

/* Lines are shorter than @max_line. */
static void
append_random (GByteArray *data, GRand *rand, gsize n, gsize max_line)
{
  gsize goal = data->len + n;
  gsize line = 0;

  while (line < data->len && data->data[data->len - 1 - line] != '\n' &&
         data->data[data->len - 1 - line] != '\r')
    line++;
  while (data->len < goal)
    {
      const char *token = tokens[g_rand_int_range (rand, 0, G_N_ELEMENTS (tokens))];
      guint8 nul = 0;

      if (g_rand_int_range (rand, 0, 100) == 0)
        g_byte_array_append (data, &nul, 1), line++;
      if (line + 24 > max_line)
        token = "\n";
      g_byte_array_append (data, (const guint8 *) token, (guint) strlen (token));
      line = strchr ("\r\n", token[strlen (token) - 1]) != NULL ? 0 : line + strlen (token);
    }
}

typedef struct
{
  const char *text;
  StintQueryFlags flags;
} Query;

static const Query queries[] = {
  { "foo", 0 },
  { "o", 0 },
  { "oo", 0 },
  { "Foo", STINT_QUERY_CASELESS },
  { "foo", STINT_QUERY_WHOLE_WORDS },
  { "foo", STINT_QUERY_WHOLE_WORDS | STINT_QUERY_CASELESS },
  { "-", STINT_QUERY_WHOLE_WORDS },
  { "é", 0 },
  { "é", STINT_QUERY_CASELESS },
  { "é", STINT_QUERY_WHOLE_WORDS },
  { "o\tf", 0 },
  { ".", 0 },
  { "fo+", STINT_QUERY_REGEX },
  { "fo+", STINT_QUERY_REGEX | STINT_QUERY_CASELESS | STINT_QUERY_WHOLE_WORDS },
  { "^f", STINT_QUERY_REGEX },
  { "o$", STINT_QUERY_REGEX },
  { "^.*$", STINT_QUERY_REGEX },
  { "x*", STINT_QUERY_REGEX },
  { "o\\s*f", STINT_QUERY_REGEX },
  { "o[\\s.]f", STINT_QUERY_REGEX },
  { "[^o]", STINT_QUERY_REGEX },
  { "[^]o]+", STINT_QUERY_REGEX },
  { "\\W+", STINT_QUERY_REGEX },
  { "\\D{3}", STINT_QUERY_REGEX },
  { "\\w+", STINT_QUERY_REGEX },
  { "\\w+\\b.", STINT_QUERY_REGEX },
  { "[[:alpha:]]+", STINT_QUERY_REGEX },
  { "(foo|bar)+", STINT_QUERY_REGEX },
  { "(?<=o)f", STINT_QUERY_REGEX },
  { "f(?!o)", STINT_QUERY_REGEX },
  { "(?s)o.f", STINT_QUERY_REGEX },
  { "\\Af|o\\z", STINT_QUERY_REGEX },
  { "o[^x]*+f?", STINT_QUERY_REGEX },
  { "[\\x00-\\xff]{4}", STINT_QUERY_REGEX },
  { "o(?=\\n|$)", STINT_QUERY_REGEX },
  { "((?:f|é)o?)\\1", STINT_QUERY_REGEX },
};

static void
write_output (Directory *directory, GByteArray *data)
{
  g_assert_cmpint (ftruncate (directory->output_fd, 0), ==, 0);
  g_assert_cmpint (pwrite (directory->output_fd, data->data, data->len, 0), ==, (gssize) data->len);
}

static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int_range (0, G_MAXINT32));
  guint64 n_all = 0;

  for (guint round = 0; round < 30; round++)
    {
      g_auto (Directory) directory;
      g_autoptr (GByteArray) data = g_byte_array_new ();
      gsize chunk_size = (gsize) g_rand_int_range (rand, 32, 400);
      guint64 hole_start = 0, hole_end = 0;

      directory_init (&directory);
      append_random (data, rand, (gsize) g_rand_int_range (rand, 0, 3000), chunk_size);
      write_output (&directory, data);
      if (round % 2 == 1 && data->len > 0)
        {
          hole_start = (guint64) g_rand_int_range (rand, 0, (gint32) data->len);
          hole_end = (guint64) g_rand_int_range (rand, (gint32) hole_start, (gint32) data->len);
        }
      lseek (directory.output_fd, 0, SEEK_END);
      directory_write_outcome (&directory, hole_start, hole_end);
      for (guint i = 0; i < G_N_ELEMENTS (queries); i++)
        {
          g_autoptr (StintFind) find =
              make_find (&directory, queries[i].text, queries[i].flags, chunk_size);
          g_autoptr (GArray) hits =
              search_naively (data, hole_start, hole_end, queries[i].text, queries[i].flags);
          guint64 from = (guint64) g_rand_int_range (rand, 0, (gint32) data->len + 10);
          Heard heard;

          listen (find, &heard);
          stint_find_start (find, from);
          wait_for_done (&heard, 1);
          if (!has_same_hits (find, hits))
            g_error ("round %u, chunks of %" G_GSIZE_FORMAT ", “%s” %u: %" G_GUINT64_FORMAT
                     " hits, naively %u",
                     round, chunk_size, queries[i].text, queries[i].flags,
                     stint_find_get_n_hits (find), hits->len);
          g_assert_cmpuint (heard.n_hits, ==, hits->len);
          g_assert_cmpuint (stint_find_get_n_searched (find), ==, data->len);
          g_assert_null (stint_find_get_error (find));
          check_first (&heard, hits, from);
          for (guint k = 0; k < 10; k++)
            check_places (find, hits,
                          (guint64) g_rand_int_range (rand, 0, (gint32) data->len + 10));
          n_all += hits->len;
        }
    }
  /* The control: there was something to find. */
  g_assert_cmpuint (n_all, >, 5000);
}

/* The control of has_same_hits(). */
static void
test_naive_differs (void)
{
  g_auto (Directory) directory;
  g_autoptr (GByteArray) data = g_byte_array_new ();
  g_autoptr (StintFind) find = NULL;
  g_autoptr (GArray) hits = NULL;
  Heard heard;

  directory_init (&directory);
  g_byte_array_append (data, (const guint8 *) "foo bar foo\n", 12);
  write_output (&directory, data);
  lseek (directory.output_fd, 0, SEEK_END);
  directory_write_outcome (&directory, 0, 0);
  find = make_find (&directory, "foo", 0, 0);
  listen (find, &heard);
  stint_find_start (find, 0);
  wait_for_done (&heard, 1);

  hits = search_naively (data, 0, 0, "foo", 0);
  g_assert_true (has_same_hits (find, hits));
  g_array_index (hits, StintFindHit, 1).end++;
  g_assert_false (has_same_hits (find, hits));
  g_array_set_size (hits, 1);
  g_assert_false (has_same_hits (find, hits));
}

static guint64
count (const char *output, const char *text, StintQueryFlags flags)
{
  g_auto (Directory) directory;
  g_autoptr (StintFind) find = NULL;
  Heard heard;

  directory_init (&directory);
  directory_append_text (&directory, KEEPER_STREAM_STDOUT, output);
  directory_write_outcome (&directory, 0, 0);
  find = make_find (&directory, text, flags, 0);
  listen (find, &heard);
  stint_find_start (find, 0);
  wait_for_done (&heard, 1);
  return heard.n_hits;
}

static void
test_examples (void)
{
  /* A colour inside a word; but not a line end. */
  g_assert_cmpuint (count ("f\033[31mo\033[0mo\n", "foo", 0), ==, 1);
  g_assert_cmpuint (count ("f\033[31m\no\033[0mo\n", "foo", 0), ==, 0);
  g_assert_cmpuint (count ("fo\ro", "foo", 0), ==, 0);
  g_assert_cmpuint (count ("foo\r\nbar\r\n", "^foo$", STINT_QUERY_REGEX), ==, 1);
  g_assert_cmpuint (count ("10%\r20%\r100%\n", "^\\d+%$", STINT_QUERY_REGEX), ==, 3);
  /* What a control sequence says is not text. */
  g_assert_cmpuint (count ("\033]0;foo\abar", "foo", 0), ==, 0);
  g_assert_cmpuint (count ("\033]0;foo\nfoo", "foo", 0), ==, 1);
  /* Never. */
  g_assert_cmpuint (count ("foo\n", "", 0), ==, 0);
  g_assert_cmpuint (count ("foo\n", "", STINT_QUERY_REGEX), ==, 0);
  g_assert_cmpuint (count ("foo\nbar\n", "foo\nbar", 0), ==, 0);
  g_assert_cmpuint (count ("foo\nbar\n", "o\\nb", STINT_QUERY_REGEX), ==, 0);
  g_assert_cmpuint (count ("", "foo", 0), ==, 0);
  /* What a regular expression would act on. */
  g_assert_cmpuint (count ("a.c abc", "a.c", 0), ==, 1);
  g_assert_cmpuint (count ("a.c abc", "a.c", STINT_QUERY_REGEX), ==, 2);
  g_assert_cmpuint (count ("ÄRGER ärger", "ärger", STINT_QUERY_CASELESS), ==, 2);
  g_assert_cmpuint (count ("ÄRGER ärger", "ärger", 0), ==, 1);
  g_assert_cmpuint (count ("żaba aba", "aba", STINT_QUERY_WHOLE_WORDS), ==, 1);
  g_assert_cmpuint (count ("żaba aba", "aba", STINT_QUERY_WHOLE_WORDS | STINT_QUERY_REGEX), ==, 1);
  g_assert_cmpuint (count ("x\xff\xfe foo \xff", "foo .$", STINT_QUERY_REGEX), ==, 1);
}

static void
test_bad_queries (void)
{
  g_autoptr (StintReader) reader = stint_reader_new ("/nonexistent");
  static const char *const bad[] = { "abc(", "[a", "*a", "a)(b", "(?<=a+)b", "\\C" };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (
          stint_find_new (reader, bad[i], STINT_QUERY_REGEX | STINT_QUERY_WHOLE_WORDS, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
      g_test_message ("%s: %s", bad[i], error->message);
      g_assert_nonnull (strstr (error->message, "at character"));
    }
  {
    g_autoptr (GError) error = NULL;

    g_assert_null (stint_find_new (reader, "ää(", STINT_QUERY_REGEX, &error));
    g_assert_nonnull (strstr (error->message, "at character 4"));
  }
  {
    g_autoptr (GError) error = NULL;

    g_assert_null (stint_find_new (reader, "\xff", 0, &error));
    g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
  }
  /* The control: literally, each can be found. */
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_cmpuint (count (bad[i], bad[i], 0), ==, 1);
}

static void
test_unreadable (void)
{
  g_auto (Directory) directory;
  g_autoptr (StintFind) find = NULL;
  g_autofree char *path = NULL;
  Heard heard;

  directory_init (&directory);
  directory_append_text (&directory, KEEPER_STREAM_STDOUT, "foo\n");
  directory_write_outcome (&directory, 0, 0);
  path = g_build_filename (directory.path, KEEPER_FILE_OUTPUT, NULL);
  g_unlink (path);
  find = make_find (&directory, "foo", 0, 0);
  listen (find, &heard);
  stint_find_start (find, 0);
  wait_for_done (&heard, 1);
  g_assert_cmpuint (heard.n_hits, ==, 0);
  g_assert_nonnull (stint_find_get_error (find));
}

static void
test_pattern (void)
{
  g_autoptr (StintReader) reader = stint_reader_new ("/nonexistent");
  g_autoptr (StintFind) literal = stint_find_new (reader, "a.b", STINT_QUERY_CASELESS, NULL);
  g_autoptr (StintFind) word = stint_find_new (reader, "a", STINT_QUERY_WHOLE_WORDS, NULL);
  g_autofree char *literal_pattern = NULL, *word_pattern = NULL;
  gboolean caseless;

  literal_pattern = stint_find_dup_pattern (literal, &caseless);
  g_assert_true (caseless);
  g_assert_true (g_regex_match_simple (literal_pattern, "xa.b", 0, 0));
  g_assert_false (g_regex_match_simple (literal_pattern, "xacb", 0, 0));
  word_pattern = stint_find_dup_pattern (word, &caseless);
  g_assert_false (caseless);
  g_assert_true (g_regex_match_simple (word_pattern, "x a.b", 0, 0));
  g_assert_false (g_regex_match_simple (word_pattern, "xa.b", 0, 0));
}

static void
check_kept (const char *pattern, const char *expected)
{
  g_autofree char *kept = stint_regex_keep_in_line (pattern);

  g_assert_cmpstr (kept, ==, expected);
}

static void
test_keep_in_line (void)
{
  check_kept ("a[^b]c", "a[^\\nb]c");
  check_kept ("[^]b]", "[^\\n\\]b]");
  check_kept ("[]b]", "[\\]b]");
  check_kept ("\\s+", "[^\\S\\n]+");
  check_kept ("(?<name>a)(?:b)", "(?<name>a)(?:b)");
  check_kept ("a\\nb", NULL);
  check_kept ("(?s).", NULL);
  check_kept ("\\Aa", NULL);
  check_kept ("[\\t-z]", NULL);
  check_kept ("\\12", NULL);
  check_kept ("(?#\\)", NULL);
  check_kept ("[[:space:]]", NULL);
  check_kept ("\\Qa[\\E", NULL);
}

/* Longer than a chunk, in pieces. */
static void
test_long_line (void)
{
  g_auto (Directory) directory;
  g_autoptr (GByteArray) data = g_byte_array_new ();
  static const Query all[] = { { "needle", 0 },
                               { "need[a-z]e", STINT_QUERY_REGEX },
                               { "Needle", STINT_QUERY_CASELESS } };

  directory_init (&directory);
  for (guint i = 0; i < 30000; i++)
    {
      const char *word = i % 7 == 3 ? "nee\033[1mdle" : "haystack ";

      g_byte_array_append (data, (const guint8 *) word, (guint) strlen (word));
      if (i == 20000)
        g_byte_array_append (data, (const guint8 *) "\n", 1);
    }
  write_output (&directory, data);
  lseek (directory.output_fd, 0, SEEK_END);
  directory_write_outcome (&directory, 0, 0);
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      g_autoptr (GArray) hits = search_naively (data, 0, 0, all[i].text, all[i].flags);

      for (gsize chunk_size = 64; chunk_size < 40000; chunk_size *= 5)
        {
          g_autoptr (StintFind) find =
              make_find (&directory, all[i].text, all[i].flags, chunk_size);
          Heard heard;

          listen (find, &heard);
          stint_find_start (find, 0);
          wait_for_done (&heard, 1);
          g_assert_cmpuint (heard.n_hits, ==, hits->len);
          g_assert_cmpuint (heard.n_hits, >, 4000);
          if (chunk_size > 1000)
            g_assert_true (has_same_hits (find, hits));
        }
    }
}

static gssize
read_bytes (void *buffer, gsize size, guint64 offset, gpointer data, GError **error)
{
  memcpy (buffer, ((GByteArray *) data)->data + offset, size);
  return (gssize) size;
}

static void
test_compressed (void)
{
  g_auto (Directory) directory;
  g_autoptr (GByteArray) data = g_byte_array_new ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autofree char *output = NULL, *compressed = NULL;
  g_autoptr (GError) error = NULL;
  int fd;

  directory_init (&directory);
  append_random (data, rand, 5 * 1024 * 1024, 1000);
  write_output (&directory, data);
  lseek (directory.output_fd, 0, SEEK_END);
  directory_write_outcome (&directory, 0, 0);
  output = g_build_filename (directory.path, KEEPER_FILE_OUTPUT, NULL);
  compressed = g_strconcat (output, ".zst", NULL);
  fd = g_open (compressed, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  g_assert_true (stint_frames_write (fd, data->len, 0, 0, read_bytes, data, NULL, &error));
  close (fd);
  g_unlink (output);
  for (guint i = 0; i < 5; i++)
    {
      g_autoptr (StintFind) find =
          make_find (&directory, "fo+ ?bar", STINT_QUERY_REGEX, i == 0 ? 0 : 200000 + 99999 * i);
      g_autoptr (GArray) hits = search_naively (data, 0, 0, "fo+ ?bar", STINT_QUERY_REGEX);
      Heard heard;

      listen (find, &heard);
      stint_find_start (find, 3000000);
      wait_for_done (&heard, 1);
      g_assert_cmpuint (hits->len, >, 1000);
      g_assert_true (has_same_hits (find, hits));
      check_first (&heard, hits, 3000000);
    }
}

static void
test_growing (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (g_test_rand_int_range (0, G_MAXINT32));

  for (guint round = 0; round < 10; round++)
    for (guint i = 0; i < 3; i++)
      {
        static const Query all[] = { { "oo", 0 },
                                     { "o[^b]", STINT_QUERY_REGEX },
                                     { "FOO", STINT_QUERY_CASELESS } };
        g_auto (Directory) directory;
        g_autoptr (GByteArray) data = g_byte_array_new ();
        g_autoptr (StintReader) reader = NULL;
        g_autoptr (StintFind) find = NULL;
        struct keeper_counters page = { 0 };
        guint64 hole_start = 0, hole_end = 0;
        Heard heard;

        directory_init (&directory);
        append_random (data, rand, 500, 150);
        write_output (&directory, data);
        page.size = data->len;
        reader = stint_reader_new_live (directory.path, &page, NULL);
        find = stint_find_new (reader, all[i].text, all[i].flags, NULL);
        stint_find_set_chunk_size (find, 200);
        listen (find, &heard);
        stint_find_start (find, 0);
        for (guint step = 1; step < 40; step++)
          {
            g_autoptr (GArray) hits = NULL;

            wait_for_done (&heard, step);
            hits = search_naively (data, hole_start, hole_end, all[i].text, all[i].flags);
            if (!has_same_hits (find, hits))
              g_error ("round %u, step %u: %" G_GUINT64_FORMAT " hits, naively %u", round, step,
                       stint_find_get_n_hits (find), hits->len);
            check_places (find, hits,
                          (guint64) g_rand_int_range (rand, 0, (gint32) data->len + 10));

            append_random (data, rand, (gsize) g_rand_int_range (rand, 0, 150), 100);
            write_output (&directory, data);
            if (round % 2 == 1 && step > 5)
              {
                hole_start = 300;
                hole_end = MIN (data->len - 200,
                                MAX (hole_end, 300) + (guint64) g_rand_int_range (rand, 0, 120));
                if (hole_start < hole_end)
                  {
                    page.hole_start = hole_start;
                    page.hole_end = hole_end;
                  }
                else
                  {
                    hole_start = hole_end = 0;
                  }
              }
            page.size = data->len;
            stint_find_extend (find);
          }
        wait_for_done (&heard, 40);
      }
}

/* While it searches: one more round, one done. */
static void
test_extend_while_running (void)
{
  g_auto (Directory) directory;
  g_autoptr (StintReader) reader = NULL;
  g_autoptr (StintFind) find = NULL;
  struct keeper_counters page = { 0 };
  Heard heard;

  directory_init (&directory);
  directory_append_text (&directory, KEEPER_STREAM_STDOUT, "foo\nfoo\nfo");
  page.size = 10;
  reader = stint_reader_new_live (directory.path, &page, NULL);
  find = stint_find_new (reader, "foo", 0, NULL);
  listen (find, &heard);
  stint_find_start (find, 0);
  directory_append_text (&directory, KEEPER_STREAM_STDOUT, "o\n");
  page.size = 12;
  stint_find_extend (find);
  wait_for_done (&heard, 1);
  g_assert_cmpuint (heard.n_hits, ==, 3);
  g_assert_cmpuint (heard.n_first, ==, 1);
  g_assert_false (stint_find_is_running (find));
}

static void
make_large (Directory *directory, guint n_lines)
{
  g_autoptr (GByteArray) block = g_byte_array_new ();

  for (guint i = 0; i < 100000; i++)
    g_byte_array_append (block, (const guint8 *) "x\n", 2);
  for (guint i = 0; i < n_lines / 100000; i++)
    g_assert_cmpint (write (directory->output_fd, block->data, block->len), ==,
                     (gssize) block->len);
  directory_write_outcome (directory, 0, 0);
}

static void
handle_to_cancel (StintFind *find, guint64 a, guint64 b, gpointer data)
{
  stint_find_cancel (find);
}

static void
handle_to_drop (StintFind *find, guint64 a, guint64 b, gpointer data)
{
  StintFind **owned = data;

  g_clear_object (owned);
}

/* By a call, by the last reference, and from within a signal. */
static void
test_cancel (void)
{
  g_auto (Directory) directory;

  directory_init (&directory);
  make_large (&directory, 4000000);
  for (guint way = 0; way < 5; way++)
    {
      StintFind *find = make_find (&directory, "x$", STINT_QUERY_REGEX, 100000);
      Heard heard;

      listen (find, &heard);
      if (way == 3)
        g_signal_connect (find, "first-hit", G_CALLBACK (handle_to_cancel), NULL);
      if (way == 4)
        g_signal_connect (find, "first-hit", G_CALLBACK (handle_to_drop), &find);
      stint_find_start (find, 0);
      g_assert_cmpuint (stint_find_count_threads (), >, 0);
      if (way == 0)
        {
          /* The control. */
          wait_for_done (&heard, 1);
          g_assert_cmpuint (heard.n_hits, ==, 4000000);
          g_assert_cmpuint (heard.n_progress, >, 0);
        }
      while (way > 0 && heard.n_first == 0)
        g_main_context_iteration (NULL, TRUE);
      if (way == 1 || way == 3)
        stint_find_cancel (find);
      if (way == 2)
        g_clear_object (&find);
      if (find != NULL)
        g_assert_false (stint_find_is_running (find));
      heard.n_progress = 0;
      wait_for_threads ();
      if (way > 0)
        {
          g_assert_cmpuint (heard.n_done, ==, 0);
          g_assert_cmpuint (heard.n_progress, ==, 0);
        }
      g_clear_object (&find);
    }
}

/* From hit to hit, over more of them than are kept, there and back; and around the end. */
static void
test_look (void)
{
  g_auto (Directory) directory;
  g_autoptr (StintFind) find = NULL;
  Looked looked;
  Heard heard;

  directory_init (&directory);
  make_large (&directory, 200000);
  find = make_find (&directory, "[x]", STINT_QUERY_REGEX, 10000);
  listen (find, &heard);
  stint_find_start (find, 0);
  g_assert_cmpint (look (find, 0, 1).answer, ==, STINT_FIND_NOT_YET);
  wait_for_done (&heard, 1);
  looked = look (find, 0, 1);
  for (guint64 i = 0; i < 12000; i++)
    {
      g_assert_cmpint (looked.answer, ==, STINT_FIND_HIT);
      g_assert_cmpuint (looked.hit.start, ==, 2 * i);
      g_assert_cmpuint (looked.ordinal, ==, i);
      looked = look (find, looked.hit.start + 1, 1);
    }
  for (guint64 i = 12000; i > 0; i--)
    {
      g_assert_cmpuint (looked.ordinal, ==, i);
      looked = look (find, looked.hit.start, -1);
    }
  g_assert_cmpuint (looked.ordinal, ==, 0);
  g_assert_cmpint (look (find, looked.hit.start, -1).answer, ==, STINT_FIND_NONE);
  looked = look (find, G_MAXUINT64, -1);
  g_assert_cmpuint (looked.ordinal, ==, 199999);
  g_assert_cmpint (look (find, looked.hit.start + 1, 1).answer, ==, STINT_FIND_NONE);
  g_assert_cmpuint (look (find, 0, 1).ordinal, ==, 0);
}

static gsize
get_resident (void)
{
  g_autofree char *text = NULL;
  char *end;

  g_file_get_contents ("/proc/self/statm", &text, NULL, NULL);
  g_ascii_strtoull (text, &end, 10);
  return (gsize) g_ascii_strtoull (end, NULL, 10) * (gsize) sysconf (_SC_PAGESIZE);
}

static void
test_many_hits (void)
{
  g_auto (Directory) directory;
  g_autoptr (StintFind) find = NULL;
  StintFindHit hit;
  Heard heard;
  gsize before;

  directory_init (&directory);
  make_large (&directory, 10000000);
  before = get_resident ();
  find = make_find (&directory, "x", 0, 0);
  listen (find, &heard);
  stint_find_start (find, 0);
  wait_for_done (&heard, 1);
  g_assert_cmpuint (heard.n_hits, ==, 10000000);
  g_assert_true (stint_find_locate (find, 9999999, &hit));
  g_assert_cmpuint (hit.start, ==, 2 * 9999999);
  g_assert_false (stint_find_locate (find, 10000000, &hit));
#ifndef __SANITIZE_ADDRESS__
  g_assert_cmpuint (get_resident (), <, before + 32 * 1024 * 1024);
#else
  g_test_message ("%" G_GSIZE_FORMAT " bytes before", before);
#endif
}

/* Hopeless for one line, which costs a little and hides no other. */
static void
test_too_hard (void)
{
  g_autoptr (GString) output = g_string_new ("ab\n");
  g_auto (Directory) directory;
  g_autoptr (StintFind) find = NULL;
  Heard heard;

  for (guint i = 0; i < 5000; i++)
    g_string_append_c (output, 'a');
  g_string_append (output, "c\naab\n");
  directory_init (&directory);
  directory_append_text (&directory, KEEPER_STREAM_STDOUT, output->str);
  directory_write_outcome (&directory, 0, 0);
  find = make_find (&directory, "(a+)+[bd]", STINT_QUERY_REGEX, 0);
  listen (find, &heard);
  stint_find_start (find, 0);
  wait_for_done (&heard, 1);
  g_assert_cmpuint (heard.n_hits, ==, 2);
  g_assert_cmpuint (stint_find_get_n_given_up (find), ==, 1);
  g_assert_cmpuint (count ("ab\naaac\naab\n", "(a+)+[bd]", STINT_QUERY_REGEX), ==, 2);
}

/* Lines each of which takes long: who looks does not wait, and need not look to the end. */
static void
test_look_is_slow (void)
{
  g_autoptr (GString) output = g_string_new (NULL);
  g_auto (Directory) directory;
  g_autoptr (StintFind) find = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Looked looked = { 0 }, cancelled = { 0 };
  guint n_turns;
  Heard heard;

  for (guint i = 0; i < 4000; i++)
    g_string_append (output, "aaaaaaaaaaaaaa\n");
  g_string_append (output, "ab\n");
  directory_init (&directory);
  directory_append_text (&directory, KEEPER_STREAM_STDOUT, output->str);
  directory_write_outcome (&directory, 0, 0);
  find = make_find (&directory, "(a+)+[bd]", STINT_QUERY_REGEX, 0);
  listen (find, &heard);
  stint_find_start (find, 0);
  wait_for_done (&heard, 1);
  g_assert_cmpuint (heard.n_hits, ==, 1);

  /* The answer comes by the main loop, which goes on meanwhile. */
  stint_find_look_async (find, 0, 1, cancellable, handle_looked, &cancelled);
  g_main_context_iteration (NULL, FALSE);
  g_assert_cmpuint (cancelled.n_answers, ==, 0);
  g_cancellable_cancel (cancellable);
  while (cancelled.n_answers == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (cancelled.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&cancelled.error);

  stint_find_look_async (find, 0, 1, NULL, handle_looked, &looked);
  for (n_turns = 0; looked.n_answers == 0; n_turns++)
    {
      g_main_context_iteration (NULL, FALSE);
      g_usleep (1000);
    }
  g_assert_cmpint (looked.answer, ==, STINT_FIND_HIT);
  g_assert_cmpuint (looked.hit.start, ==, 60000);
  g_assert_cmpuint (looked.ordinal, ==, 0);
  /* The control: it was slow. */
  g_assert_cmpuint (n_turns, >, 10);

  /* It is known now. */
  g_assert_cmpint (look (find, 60001, 1).answer, ==, STINT_FIND_NONE);
  g_assert_cmpuint (look (find, 60001, -1).ordinal, ==, 0);
}

/* The search ends first, with its last reference; the answer comes all the same. */
static void
test_look_and_drop (void)
{
  g_auto (Directory) directory;
  StintFind *find;
  Looked looked = { 0 };
  Heard heard;

  directory_init (&directory);
  make_large (&directory, 100000);
  find = make_find (&directory, "[x]", STINT_QUERY_REGEX, 0);
  listen (find, &heard);
  stint_find_start (find, 0);
  wait_for_done (&heard, 1);
  stint_find_look_async (find, 150000, 1, NULL, handle_looked, &looked);
  g_object_add_weak_pointer (G_OBJECT (find), (gpointer *) &find);
  g_object_unref (find);
  while (looked.n_answers == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (looked.ordinal, ==, 75000);
  while (find != NULL)
    g_main_context_iteration (NULL, FALSE);
}

int
main (int argc, char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/find/examples", test_examples);
  g_test_add_func ("/find/naive-differs", test_naive_differs);
  g_test_add_func ("/find/random", test_random);
  g_test_add_func ("/find/bad-queries", test_bad_queries);
  g_test_add_func ("/find/unreadable", test_unreadable);
  g_test_add_func ("/find/pattern", test_pattern);
  g_test_add_func ("/find/keep-in-line", test_keep_in_line);
  g_test_add_func ("/find/long-line", test_long_line);
  g_test_add_func ("/find/compressed", test_compressed);
  g_test_add_func ("/find/growing", test_growing);
  g_test_add_func ("/find/extend-while-running", test_extend_while_running);
  g_test_add_func ("/find/cancel", test_cancel);
  g_test_add_func ("/find/look", test_look);
  g_test_add_func ("/find/look-is-slow", test_look_is_slow);
  g_test_add_func ("/find/look-and-drop", test_look_and_drop);
  g_test_add_func ("/find/many-hits", test_many_hits);
  g_test_add_func ("/find/too-hard", test_too_hard);
  status = g_test_run ();
  wait_for_threads ();
  return status;
}
