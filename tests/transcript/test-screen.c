/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The headless terminal: what becomes of text, of control sequences, and of what is cut anywhere.
 */
#include "stint-screen.h"

#include <glib.h>
#include <string.h>

/* Lines as text: "\\" at the end of one that goes on, and styles in brackets if they are wanted. */
typedef struct
{
  GString *text;
  gboolean with_styles;
  guint n_lines;
  guint64 last_offset;
  gint64 last_time;
} Lines;

static void
append_style (GString *text, const StintStyle *style)
{
  if (style->foreground == 0 && style->background == 0 && style->flags == 0)
    g_string_append (text, "[]");
  else
    g_string_append_printf (text, "[%x/%x/%x]", style->foreground, style->background, style->flags);
}

static void
take_line (const StintLine *line, gpointer user_data)
{
  Lines *lines = user_data;
  gsize end = 0;

  g_assert_true (g_utf8_validate_len (line->text, line->size, NULL));
  for (guint i = 0; i < line->n_runs; i++)
    {
      g_assert_cmpuint (line->runs[i].start, ==, end);
      g_assert_cmpuint (line->runs[i].size, >, 0);
      end += line->runs[i].size;
      if (lines->with_styles)
        append_style (lines->text, &line->runs[i].style);
      g_string_append_len (lines->text, line->text + line->runs[i].start,
                           (gssize) line->runs[i].size);
    }
  g_assert_cmpuint (end, ==, line->size);
  for (gsize i = 0; i < line->size; i++)
    g_assert_true ((guint8) line->text[i] >= 0x20 && line->text[i] != 0x7f);
  g_string_append (lines->text, line->wrapped ? "\\" : "\n");
  lines->n_lines++;
  lines->last_offset = line->offset;
  lines->last_time = line->time;
}

typedef struct
{
  gboolean tty;
  guint columns;
  guint rows;
  gboolean with_styles;
} Setup;

static const Setup pipes = { .tty = FALSE };
static const Setup tty = { .tty = TRUE, .columns = 10, .rows = 4 };
static const Setup styled = { .tty = TRUE, .columns = 40, .rows = 4, .with_styles = TRUE };

/* In pieces of @step bytes. */
static char *
render (const Setup *setup, const char *data, gsize size, gsize step)
{
  g_autoptr (GString) text = g_string_new (NULL);
  Lines lines = { .text = text, .with_styles = setup->with_styles };
  g_autoptr (StintScreen) screen =
      stint_screen_new (setup->tty, setup->columns, setup->rows, take_line, &lines);

  for (gsize at = 0; at < size; at += step)
    stint_screen_feed (screen, STINT_STREAM_STDOUT, at, 0, (const guint8 *) data + at,
                       MIN (step, size - at));
  stint_screen_finish (screen);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* However it is cut. */
static void
assert_lines_of (const Setup *setup, const char *data, gsize size, const char *expected)
{
  for (gsize step = 1; step <= size + 1; step++)
    {
      g_autofree char *text = render (setup, data, size, step);

      g_assert_cmpstr (text, ==, expected);
    }
}

static void
assert_lines (const Setup *setup, const char *data, const char *expected)
{
  assert_lines_of (setup, data, strlen (data), expected);
}

static void
test_pipes (void)
{
  assert_lines (&pipes, "", "");
  assert_lines (&pipes, "one\ntwo", "one\ntwo\n");
  assert_lines (&pipes, "one\r\n\ntwo\n\n", "one\n\ntwo\n\n");
  assert_lines (&pipes, "trailing  \n", "trailing  \n");
  assert_lines (&pipes, "a\tb\vc\fd\n", "a       b\nc\nd\n");
  assert_lines (&pipes, "\a\x01\x02nothing\x7f\n", "nothing\n");
  assert_lines_of (&pipes, "a\0b\n", 4, "ab\n");
  /* Wide as it is, a line is not made of nothing. */
  assert_lines (&pipes, "\033[65535CX\rab\033[70000;70000H", /* */
                "ab                                                              "
                "                                                                "
                "                                                                "
                "                                                                "
                "                                                                "
                "                                                                "
                "                                                                "
                "                                                               X\n"
                "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n");
}

static void
test_progress (void)
{
  assert_lines (&tty, "10%\r50%\r100%\n", "100%\n");
  assert_lines (&tty, "long text\r\033[Kshort\r\n", "short\n");
  assert_lines (&tty, "a\r\nb\r\n\033[2AA\r\nB\r\n", "A\nB\n");
  assert_lines (&tty, "abc\b\bX\r\n", "aXc\n");
  assert_lines (&pipes, "  0%\r 50%\r100%\ndone\n", "100%\ndone\n");
  /* In place, at the bottom of a screen that scrolls. */
  assert_lines (&tty, "1\r\n2\r\n3\r\n4\r\nbar 1\033[1A\rfour\033[1B\rbar 2\r\n",
                "1\n2\n3\nfour\nbar 2\n");
}

static void
test_wrap (void)
{
  assert_lines (&tty, "0123456789abc\r\n", "0123456789\\abc\n");
  assert_lines (&tty, "0123456789\r\nabc", "0123456789\nabc\n");
  assert_lines (&tty, "0123456789\b\bX\r\n", "0123456X89\n");
  /* Compilers clear to the end of the line wherever they are. */
  assert_lines (&tty, "0123456789\033[Kabc\r\n", "0123456789\\abc\n");
  assert_lines (&tty, "\033[?7l0123456789abc\r\n", "012345678c\n");
  assert_lines (&tty, "1\r\n2\r\n3\r\n4\r\n5\r\n6", "1\n2\n3\n4\n5\n6\n");
  /* A wide character does not fit into one column. */
  assert_lines (&tty, "012345678\xe6\x97\xa5x", "012345678\\\xe6\x97\xa5x\n");
}

static void
test_wide (void)
{
  assert_lines (&tty, "\xe6\x97\xa5\xe6\x9c\xac\rx", "x \xe6\x9c\xac\n");
  assert_lines (&tty, "\xe6\x97\xa5\xe6\x9c\xac\033[2Gx", " x\xe6\x9c\xac\n");
  assert_lines (&tty, "\xe6\x97\xa5z\033[1D\bx", " xz\n");
  /* A family: four wide characters and their joiners; a flag; a letter with two marks. */
  assert_lines (&tty, "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7|",
                "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7|\n");
  assert_lines (&tty, "a\xcc\x82\xcc\x83|\xcc\x81", "a\xcc\x82\xcc\x83|\xcc\x81\n");
  assert_lines (&tty, "\xcc\x81x", "x\n");
  assert_lines (&tty, "abc\033[1P\xe6\x97\xa5\033[2D\033[1P|", "abc|\n");
}

static void
test_invalid (void)
{
  assert_lines (&pipes,
                "a\xff\xfe"
                "b",
                "a\xef\xbf\xbd\xef\xbf\xbd"
                "b\n");
  assert_lines (&pipes, "\xc3(", "\xef\xbf\xbd(\n");
  assert_lines (&pipes, "\xe2\x82\nx", "\xef\xbf\xbd\nx\n");
  assert_lines (&pipes, "\xe2\x82\033[mx", "\xef\xbf\xbdx\n");
  assert_lines (&pipes, "\xe2\x82", "\xef\xbf\xbd\n");
  assert_lines (&pipes, "\xf0\x9f\x98\xe6\x97\xa5", "\xef\xbf\xbd\xe6\x97\xa5\n");
  /* Too long, a surrogate, beyond the last one. */
  assert_lines (&pipes, "\xc0\xaf|\xed\xa0\x80|\xf4\x90\x80\x80",
                "\xef\xbf\xbd\xef\xbf\xbd|\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd|"
                "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\n");
  /* C1 control characters, as they are in UTF-8. */
  assert_lines (&pipes,
                "a\xc2\x85\xc2\x9b"
                "b",
                "ab\n");
}

static void
test_styles (void)
{
  assert_lines (&styled, "a\033[1;31mb\033[0mc", "[]a[1000001/0/1]b[]c\n");
  assert_lines (&styled, "\033[38;5;200;48;2;1;2;3mx\033[39;49my", "[10000c8/2010203/0]x[]y\n");
  assert_lines (&styled, "\033[38:2:1:2:3mx\033[38:2::4:5:6my\033[38:5:7mz",
                "[2010203/0/0]x[2040506/0/0]y[1000007/0/0]z\n");
  assert_lines (&styled, "\033[97;100mx\033[m", "[100000f/1000008/0]x\n");
  assert_lines (&styled, "\033[4:3mx\033[4:0my\033[21mz\033[24m.", "[0/0/8]x[]y[0/0/8]z[].\n");
  assert_lines (&styled, "\033[1;2;3;4;5;7;8;9mx\033[22;23;24;25;27;28;29my", "[0/0/ff]x[]y\n");
  /* An underline's colour is not ours; a colour that is cut off takes the rest along. */
  assert_lines (&styled, "\033[58;2;1;2;3;1mx\033[0;38;5mz", "[0/0/1]x[]z\n");
  assert_lines (&styled, "\033[38;2;300;1;1;3mx", "[0/0/4]x\n");
  /* What is erased takes the colour; what scrolls in too. */
  assert_lines (&styled, "\033[44mx\033[K\033[5D\033[0m",
                "[0/1000004/0]x                         "
                "              \n");
}

static void
test_editing (void)
{
  assert_lines (&tty, "abcdef\033[3D\033[2P|", "abc|\n");
  assert_lines (&tty, "abcdef\033[3D\033[2@|", "abc| def\n");
  assert_lines (&tty, "abcdef\033[4D\033[2X|", "ab| ef\n");
  assert_lines (&tty, "abc\033[4h\033[2GX\033[4l", "aXbc\n");
  assert_lines (&tty, "1\r\n2\r\n3\033[2;1H\033[Lnew", "1\nnew\n2\n3\n");
  assert_lines (&tty, "1\r\n2\r\n3\033[1;1H\033[M", "2\n3\n");
  assert_lines (&tty, "ab\033[3bc", "abbbbc\n");
  assert_lines (&tty, "ab\r\033[3bc", "cb\n");
  assert_lines (&tty, "abc\r\n\033[1K\033[Ax\033[1Jy", " yc\n");
  assert_lines (&tty, "\033[3;5Hx\033[1;1H\033[0Jy", "y\n");
  assert_lines (&tty, "\033(0lqk\033(B lqk", "\xe2\x94\x8c\xe2\x94\x80\xe2\x94\x90 lqk\n");
  assert_lines (&tty, "\033)0a\016q\017q", "a\xe2\x94\x80q\n");
  assert_lines (&tty, "ab\0337cd\033[3;3H\0338X", "abXd\n");
  assert_lines (&tty, "ab\033[scd\033[3;3H\033[uX", "abXd\n");
  assert_lines (&tty, "\033[3;3HX\033[5FY\033[2EZ\033[2dA\033[4GB\033[aC", "Y\n A B C\nZ X\n");
  assert_lines (&tty, "a\tb\033[1ZX\033[2IY", "a       XY\n");
}

static void
test_scrolling (void)
{
  /* A region that begins at the top feeds the lines that are finished. */
  assert_lines (&tty, "\033[1;3r1\r\n2\r\n3\r\n4\033[4;1Hbar", "1\n2\n3\n4\nbar\n");
  /* One that does not, does not. */
  assert_lines (&tty, "top\033[2;4r\033[2;1H1\r\n2\r\n3\r\n4", "top\n2\n3\n4\n");
  assert_lines (&tty, "1\r\n2\033[1;1H\033Mnew", "new\n1\n2\n");
  assert_lines (&tty, "1\r\n2\033[Sx", "1\n2\n x\n");
  assert_lines (&tty, "1\r\n2\033[Tx", "\n1x\n2\n");
  assert_lines (&tty, "1\033D2\033E3", "1\n 2\n3\n");
  /* What was cleared can be scrolled back to. */
  assert_lines (&tty, "1\r\n2\033[2J\033[Hnew", "1\n2\nnew\n");
  assert_lines (&tty, "1\r\n2\033cnew", "1\n2\nnew\n");
}

static void
test_alternate (void)
{
  assert_lines (&tty, "shell\r\n\033[?1049h\033[Hvim\033[2;1H~\033[?1049lback", "shell\nback\n");
  assert_lines (&tty, "shell\r\n\033[?1049hvim", "shell\n\nvim\n");
  assert_lines (&tty, "\033[?1049h1\r\n2\r\n3\r\n4\r\n5\r\n6\033[?1049l", "");
  assert_lines (&tty, "a\033[?47hb\033[?47lc", "a c\n");
  assert_lines (&tty, "a\033[?1047hb\033[?1047l\033[?1047h|", "a\n  |\n");
}

/* What never ends must not take what follows a line feed along, nor time or memory. */
static void
test_hostile (void)
{
  g_autoptr (GString) long_title = g_string_new ("a\033]0;");
  g_autofree char *title = NULL, *text = NULL, *many = NULL;

  for (guint i = 0; i < 1 << 20; i++)
    g_string_append_c (long_title, 'x');
  g_string_append (long_title, "\007b\n");
  title = render (&pipes, long_title->str, long_title->len, 4096);
  g_assert_cmpstr (title, ==, "ab\n");

  assert_lines (&pipes, "a\033]0;never ends\nb\n", "a\nb\n");
  assert_lines (&pipes, "a\033P1;2q###\nb\n", "a\nb\n");
  assert_lines (&tty, "\033[99999999999;99999999999Hx\033[99999999999A\ry", "y\n\n\n         x\n");
  assert_lines (&tty,
                "\033[99999999999@\033[99999999999P\033[99999999999X\033[99999999999L"
                "\033[99999999999M\033[99999999999T\033[99999999999Zx\033[99999999999bx",
                "xxxxxxxxxx\\x\n");
  assert_lines (
      &tty, "\033[1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1;1mx", "x\n");
  assert_lines (&tty, "\033[0;0r\033[5;2r\033[0;99999rx", "x\n");

  many = g_strnfill (100000, 'x');
  text = render (&pipes, many, 100000, 100000);
  g_assert_cmpuint (strlen (text), ==, 100000 + 100000 / STINT_SCREEN_PIPE_COLUMNS + 1);
  g_assert_true (g_str_has_suffix (text, "x\n"));
}

static void
test_marks (void)
{
  g_autoptr (GString) input = g_string_new (NULL);
  g_autofree char *text = NULL;

  /* More sequences than there are numbers, and more marks than a cell has room for. */
  for (guint i = 0; i < 300; i++)
    for (guint j = 0; j < 300; j++)
      {
        g_string_append_c (input, 'a');
        g_string_append_unichar (input, 0xe0100 + i % 0xf0);
        g_string_append_unichar (input, 0x300 + j % 0x70);
        g_string_append_unichar (input, 0x1ab0 + (i + j) % 14);
      }
  for (guint i = 0; i < 1000; i++)
    g_string_append_unichar (input, 0x301);
  text = render (&pipes, input->str, input->len, 4096);
  g_assert_true (g_utf8_validate (text, -1, NULL));
}

static void
test_resize (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  Lines lines = { .text = text };
  g_autoptr (StintScreen) screen = stint_screen_new (TRUE, 10, 4, take_line, &lines);
  const char *parts[] = { "1\r\n2\r\n3\r\n4 wide\r\n", "abcdefgh\r\n", "0123456789abcdef" };

  stint_screen_feed (screen, STINT_STREAM_STDOUT, 0, 0, (const guint8 *) parts[0],
                     strlen (parts[0]));
  stint_screen_resize (screen, 4, 2);
  g_assert_cmpstr (text->str, ==, "1\n2\n3\n");
  stint_screen_feed (screen, STINT_STREAM_STDOUT, 20, 0, (const guint8 *) parts[1],
                     strlen (parts[1]));
  stint_screen_resize (screen, 12, 8);
  stint_screen_feed (screen, STINT_STREAM_STDOUT, 40, 0, (const guint8 *) parts[2],
                     strlen (parts[2]));
  stint_screen_resize (screen, 0, 0);
  stint_screen_resize (screen, G_MAXUINT, G_MAXUINT);
  stint_screen_resize (screen, 1, 1);
  stint_screen_finish (screen);
  g_assert_cmpstr (text->str, ==, "1\n2\n3\n4 wide\nabcd\\efgh\n0123456789abcdef\n");
}

static void
feed_text (StintScreen *screen, StintStream stream, guint64 offset, gint64 time, const char *data);

/* As in VTE: lines are broken anew, and the cursor stays at its character. */
static void
test_rewrap (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  Lines lines = { .text = text };
  g_autoptr (StintScreen) screen = stint_screen_new (TRUE, 20, 4, take_line, &lines);

  feed_text (screen, STINT_STREAM_STDOUT, 0, 0, "one\r\n0123456789abcdefgh\xe6\x97\xa5\r\n$ ");
  stint_screen_resize (screen, 17, 4);
  feed_text (screen, STINT_STREAM_STDOUT, 50, 0, "x\033[1A\r!");
  stint_screen_resize (screen, 30, 4);
  feed_text (screen, STINT_STREAM_STDOUT, 80, 0, "?");
  stint_screen_resize (screen, 19, 2);
  /* The wide character that was cut takes its other half along. */
  g_assert_cmpstr (text->str, ==, "one\n");
  stint_screen_resize (screen, 18, 2);
  g_assert_cmpstr (text->str, ==, "one\n0123456789abcdefg!\\");
  stint_screen_finish (screen);
  g_assert_cmpstr (text->str, ==, "one\n0123456789abcdefg!\\?\n$ x\n");
}

static void
feed_text (StintScreen *screen, StintStream stream, guint64 offset, gint64 time, const char *data)
{
  stint_screen_feed (screen, stream, offset, time, (const guint8 *) data, strlen (data));
}

/* Neither stream breaks the other's characters, sequences or colours. */
static void
test_streams (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  Lines lines = { .text = text, .with_styles = TRUE };
  g_autoptr (StintScreen) screen = stint_screen_new (FALSE, 0, 0, take_line, &lines);

  feed_text (screen, STINT_STREAM_STDOUT, 0, 5, "\033[31mout \xe6\x97");
  feed_text (screen, STINT_STREAM_STDERR, 10, 6, "err\033[3");
  feed_text (screen, STINT_STREAM_STDOUT, 20, 7, "\xa5\n");
  feed_text (screen, STINT_STREAM_STDERR, 30, 8, "2mgreen\n");
  stint_screen_finish (screen);
  g_assert_cmpstr (text->str, ==,
                   "[1000001/0/0]out [0/0/100]err[1000001/0/0]\xe6\x97\xa5\n"
                   "[1000002/0/100]green\n");
}

/* A line's place is that of its first byte, also of one that is empty or written over. */
static void
test_offsets (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  Lines lines = { .text = text };
  g_autoptr (StintScreen) screen = stint_screen_new (TRUE, 10, 2, take_line, &lines);

  feed_text (screen, STINT_STREAM_STDOUT, 100, 1, "ab\r\n\r\n");
  g_assert_cmpuint (lines.n_lines, ==, 1);
  g_assert_cmpuint (lines.last_offset, ==, 100);
  feed_text (screen, STINT_STREAM_STDOUT, 106, 2, "0123456789ab\r");
  g_assert_cmpuint (lines.n_lines, ==, 2);
  g_assert_cmpuint (lines.last_offset, ==, 105);
  g_assert_cmpint (lines.last_time, ==, 1);
  feed_text (screen, STINT_STREAM_STDOUT, 119, 3, "XYZ\r\n");
  g_assert_cmpuint (lines.last_offset, ==, 106);
  stint_screen_finish (screen);
  g_assert_cmpuint (lines.last_offset, ==, 116);
  g_assert_cmpint (lines.last_time, ==, 2);
}

/* After a gap nothing is taken for the rest of what stood before it. */
static void
test_skip (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  Lines lines = { .text = text };
  g_autoptr (StintScreen) screen = stint_screen_new (FALSE, 0, 0, take_line, &lines);

  feed_text (screen, STINT_STREAM_STDOUT, 0, 0, "before \xe6\x97");
  feed_text (screen, STINT_STREAM_STDERR, 9, 0, "\033[");
  stint_screen_skip (screen);
  g_assert_cmpstr (text->str, ==, "before \xef\xbf\xbd\n");
  feed_text (screen, STINT_STREAM_STDOUT, 1000, 0, "\x97\xa5 after\n");
  feed_text (screen, STINT_STREAM_STDERR, 1010, 0, "m\n");
  stint_screen_finish (screen);
  g_assert_cmpstr (text->str, ==, "before \xef\xbf\xbd\n after\nm\n");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/screen/pipes", test_pipes);
  g_test_add_func ("/screen/progress", test_progress);
  g_test_add_func ("/screen/wrap", test_wrap);
  g_test_add_func ("/screen/wide", test_wide);
  g_test_add_func ("/screen/invalid", test_invalid);
  g_test_add_func ("/screen/styles", test_styles);
  g_test_add_func ("/screen/editing", test_editing);
  g_test_add_func ("/screen/scrolling", test_scrolling);
  g_test_add_func ("/screen/alternate", test_alternate);
  g_test_add_func ("/screen/hostile", test_hostile);
  g_test_add_func ("/screen/marks", test_marks);
  g_test_add_func ("/screen/resize", test_resize);
  g_test_add_func ("/screen/rewrap", test_rewrap);
  g_test_add_func ("/screen/streams", test_streams);
  g_test_add_func ("/screen/offsets", test_offsets);
  g_test_add_func ("/screen/skip", test_skip);
  return g_test_run ();
}
