/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a command says of its progress, found in its output wherever the reads cut it.
 */
#include "progress.h"
#include "protocol.h"

#include <glib.h>
#include <string.h>

static void
read_text (struct progress *progress, const char *text, _Atomic uint32_t *told)
{
  progress_read (progress, (const uint8_t *) text, strlen (text), told);
}

static void
assert_told (_Atomic uint32_t *told, enum keeper_progress state, guint percent)
{
  g_assert_cmpuint (KEEPER_PROGRESS_STATE (*told), ==, state);
  g_assert_cmpuint (KEEPER_PROGRESS_PERCENT (*told), ==, percent);
}

/* What stands in the text counts from before, 40 percent. */
static void
check (const char *text, enum keeper_progress state, guint percent)
{
  /* Cut in two at every place. */
  for (gsize i = 0; i <= strlen (text); i++)
    {
      struct progress progress = { 0 };
      _Atomic uint32_t told = KEEPER_PROGRESS (KEEPER_PROGRESS_NORMAL, 40);
      g_autofree char *first = g_strndup (text, i);

      read_text (&progress, first, &told);
      read_text (&progress, text + i, &told);
      assert_told (&told, state, percent);
    }
}

static void
test_said (void)
{
  check ("\033]9;4;1;7\007", KEEPER_PROGRESS_NORMAL, 7);
  check ("a\033[1mb\033]9;4;1;70\033\\c", KEEPER_PROGRESS_NORMAL, 70);
  check ("\033]9;4;1;1\007\033]9;4;1;2\007", KEEPER_PROGRESS_NORMAL, 2);
  check ("\033]9;4;1;1\033\\\033]9;4;1;2\033\\", KEEPER_PROGRESS_NORMAL, 2);
  check ("\033\033]9;4;1;3\007", KEEPER_PROGRESS_NORMAL, 3);
  check ("\033]9;\033]9;4;1;3\007", KEEPER_PROGRESS_NORMAL, 3);
  check ("\033]9;4;2;80\007", KEEPER_PROGRESS_ERROR, 80);
  check ("\033]9;4;4;80\007", KEEPER_PROGRESS_PAUSED, 80);
}

static void
test_left_out (void)
{
  check ("\033]9;4;2\007", KEEPER_PROGRESS_ERROR, 40);
  check ("\033]9;4;4\033\\", KEEPER_PROGRESS_PAUSED, 40);
  check ("\033]9;4;3\007", KEEPER_PROGRESS_UNKNOWN, 40);
  check ("\033]9;4;0\007", KEEPER_PROGRESS_NONE, 0);
  check ("\033]9;4;0;99\007", KEEPER_PROGRESS_NONE, 0);
  check ("\033]9;4;1;100\007\033]9;4;0;\007", KEEPER_PROGRESS_NONE, 0);
}

static void
test_not_said (void)
{
  static const char *const texts[] = {
    "", "9;4;1;7", "\033]9;4;1;7", "\033]9;5;1;7\007", "\033]9;4;1;x7\007", "\033]9;4;5;7\007",
    "\033]9;4;1234567890;7\007", "\033]9;4;1;7;7\007", "\033]8;;9;4;1;7\007", "\033 ]9;4;1;7\007",
    "\033]9;hello\007", "\033]0;\033[9;4;1;7\007",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    check (texts[i], KEEPER_PROGRESS_NORMAL, 40);
}

static void
test_too_much (void)
{
  check ("\033]9;4;1;101\007", KEEPER_PROGRESS_NORMAL, 100);
  check ("\033]9;4;1;99999999999\007", KEEPER_PROGRESS_NORMAL, 100);
}

/* Byte after byte it is the same as at once. */
static void
test_in_bytes (void)
{
  struct progress progress = { 0 };
  _Atomic uint32_t told = 0;

  for (const char *p = "x\033]9;4;1;55\033\\y"; *p != '\0'; p++)
    progress_read (&progress, (const uint8_t *) p, 1, &told);
  assert_told (&told, KEEPER_PROGRESS_NORMAL, 55);
}

/* Wherever it lies in a long text full of other escapes. */
static void
test_in_much (void)
{
  for (gsize at = 0; at < 1100; at++)
    {
      struct progress progress = { 0 };
      _Atomic uint32_t told = 0;
      g_autoptr (GString) text = g_string_new (NULL);

      while (text->len < 2000)
        g_string_append (text, "\033[32mgreen\033[0m ");
      g_string_truncate (text, 2000);
      g_string_insert (text, (gssize) at, "\033[\033]9;4;1;66\007");
      read_text (&progress, text->str, &told);
      assert_told (&told, KEEPER_PROGRESS_NORMAL, 66);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/progress/said", test_said);
  g_test_add_func ("/progress/left-out", test_left_out);
  g_test_add_func ("/progress/not-said", test_not_said);
  g_test_add_func ("/progress/too-much", test_too_much);
  g_test_add_func ("/progress/in-bytes", test_in_bytes);
  g_test_add_func ("/progress/in-much", test_in_much);
  return g_test_run ();
}
