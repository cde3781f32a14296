/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The syntax of control sequences, in any chunks.
 */
#include "config.h"

#include "stint-escape.h"

#include <string.h>

/* What a text is cut into, a line for each: the same for every size of the chunks. */
static char *
describe (const char *text, gsize size, gsize chunk)
{
  g_autoptr (GString) told = g_string_new (NULL);
  StintEscape escape = { 0 };
  gboolean in_text = FALSE;

  for (gsize at = 0; at < size;)
    {
      gsize used, left = MIN (chunk, size - at);
      StintEscapeKind kind = stint_escape_next (&escape, (const guint8 *) text + at, left, &used);

      g_assert_cmpuint (used, >, 0);
      g_assert_cmpuint (used, <=, left);
      if (kind == STINT_ESCAPE_TEXT)
        {
          if (!in_text)
            g_string_append (told, "text ");
          g_string_append_len (told, text + at, (gssize) used);
        }
      else if (in_text && kind != STINT_ESCAPE_NONE)
        {
          g_string_append_c (told, '\n');
        }
      if (kind != STINT_ESCAPE_NONE)
        in_text = kind == STINT_ESCAPE_TEXT;
      switch (kind)
        {
        case STINT_ESCAPE_CONTROL:
          g_string_append_printf (told, "control %02x\n", escape.final);
          break;
        case STINT_ESCAPE_SIMPLE:
          g_string_append_printf (told, "simple %c%c\n", escape.intermediate != 0 ? escape.intermediate : '-',
                                  escape.final);
          break;
        case STINT_ESCAPE_CSI:
          g_string_append_printf (told, "csi %c", escape.prefix != 0 ? escape.prefix : '-');
          for (guint i = 0; i < escape.n_parameters; i++)
            g_string_append_printf (told, "%s%d", (escape.colons & 1u << i) != 0 ? ":" : " ",
                                    escape.parameters[i]);
          g_string_append_printf (told, " %c\n", escape.final);
          break;
        case STINT_ESCAPE_STRING:
          g_string_append_printf (told, "string %c\n", escape.final);
          break;
        case STINT_ESCAPE_TEXT:
        case STINT_ESCAPE_NONE:
        default:
          break;
        }
      at += used;
    }
  if (!stint_escape_is_ground (&escape))
    g_string_append (told, "(more)");
  return g_string_free (g_steal_pointer (&told), FALSE);
}

typedef struct
{
  const char *text;
  const char *told;
} Case;

static const Case cases[] = {
  { "plain", "text plain" },
  { "a\r\nb", "text a\ncontrol 0d\ncontrol 0a\ntext b" },
  { "\033[31mred\033[m", "csi - 31 m\ntext red\ncsi - m\n" },
  { "\033[?1049;25h", "csi ? 1049 25 h\n" },
  { "\033[;5H", "csi - -1 5 H\n" },
  { "\033[38:2::1:2:3m", "csi - 38:2:-1:1:2:3 m\n" },
  { "\033[99999999m", "csi - 65535 m\n" },
  { "\033[3\n1m", "control 0a\ncsi - 31 m\n" },
  { "\033[3\0301m", "text 1m" },
  { "\033[3\033[4m", "csi - 4 m\n" },
  { "\033[1 q", "csi - 1 q\n" },
  { "\033[1<2m!", "text !" },
  { "\033(0x\033(B", "simple (0\ntext x\nsimple (B\n" },
  { "\0337\033M", "simple -7\nsimple -M\n" },
  { "\033]0;a title\007text", "string ]\ntext text" },
  { "\033]8;;http://x\033\\link", "string ]\ntext link" },
  { "\033P1;2q...\033\\.", "string P\ntext ." },
  { "\033]0;cut\033[1m", "csi - 1 m\n" },
  { "\033]0;never ended\nnext", "control 0a\ntext next" },
  { "\033]0;never ended", "(more)" },
  { "\033[12", "(more)" },
  { "\x7f", "control 7f\n" },
  { "caf\xc3\xa9 \xff", "text caf\xc3\xa9 \xff" },
  { "0123456789012345678901234567890\x7f" "01234567\033[mrest", "text 0123456789012345678901234567890\n"
    "control 7f\ntext 01234567\ncsi - m\ntext rest" },
};

static void
test_cases (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (gsize chunk = 1; chunk < 40; chunk++)
      {
        g_autofree char *told = describe (cases[i].text, strlen (cases[i].text), chunk);

        g_assert_cmpstr (told, ==, cases[i].told);
      }
}

/* More parameters than there is room for: the sequence means nothing, and nothing of it is text. */
static void
test_many_parameters (void)
{
  g_autoptr (GString) text = g_string_new ("\033[1");
  g_autofree char *told = NULL;

  for (guint i = 0; i < 1000; i++)
    g_string_append (text, ";1");
  g_string_append (text, "mtext");
  told = describe (text->str, text->len, 7);
  g_assert_cmpstr (told, ==, "text text");
}

/* Random bytes: however they are cut, the same is told. */
static void
test_random (void)
{
  static const char alphabet[] = "\033\033[]P?0123;:mHKh\007\\\n\r ab\xc3\xa9\x9b\x18\x7f";

  for (guint round = 0; round < 300; round++)
    {
      char text[200];
      g_autofree char *whole = NULL, *cut = NULL;

      for (gsize i = 0; i < sizeof text; i++)
        text[i] = alphabet[g_test_rand_int_range (0, sizeof alphabet - 1)];
      whole = describe (text, sizeof text, sizeof text);
      cut = describe (text, sizeof text, (gsize) g_test_rand_int_range (1, 20));
      g_assert_cmpstr (whole, ==, cut);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/escape/cases", test_cases);
  g_test_add_func ("/escape/many-parameters", test_many_parameters);
  g_test_add_func ("/escape/random", test_random);
  return g_test_run ();
}
