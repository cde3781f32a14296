/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What counts as a question at the end of a terminal's output, and what counts as a bell.
 */
#include "config.h"

#include "stint-question.h"

#include <string.h>

static gboolean
asks (const char *output, gboolean takes_lines)
{
  g_auto (StintLastWords) words;

  stint_last_words_read (&words, (const guint8 *) output, strlen (output), 0);
  return stint_last_words_ask (&words, takes_lines);
}

/* Where whole lines are taken; those of the first list ask for yes or no, in every mode. */
static const char *const choices[] = {
  "Do you want to continue? [Y/n] ",
  "Ok to proceed? (y) ",
  "Continue (y/n)?",
  "Are you sure (yes/no/[fingerprint])? ",
  "Voulez-vous continuer ? [O/n] ",
  "(1/2) Stage this hunk [y,n,q,a,d,e,?]? ",
  "Overwrite [y/N]: ",
  "Proceed (Y/n) ❯ ",
  /* As a library that draws its line again with each key writes it. */
  "\033[1G\033[0JOk to proceed? (y) \033[20G",
  "\033[1mReally?\033[0m [y/N] ",
};
static const char *const questions[] = {
  "[sudo] password for ann: ",
  "Enter passphrase for key '/home/ann/.ssh/id_ed25519': ",
  "Password:",
  "first line\r\nrm: remove regular file 'x'? ",
  "Port? [8080] ",
  "package name: (stint) ",
  "Pick one: > ",
  "密码：",
  "続行しますか？",
  "\033[H\033[2JName? ",
  "50%\rName? ",
};
static const char *const statements[] = {
  "",
  "> ",
  "Do you want to continue? [Y/n] \r\n",
  "$ ",
  "ann@host:~/stint$ ",
  "root@host:~# ",
  ">>> ",
  "sqlite> ",
  "(gdb) ",
  "Compiling [12/200]",
  "Downloading (linux/amd64)",
  "[=====>    ] ",
  "Receiving objects (50%)",
  "working...",
  "waiting (3 of 10)",
  "(",
  "]",
  "a)",
  "\033[?1049hSave modified buffer? (y/n) ",
  "\033]0;Name?\a",
};

static void
test_questions (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    {
      g_test_message ("%s", choices[i]);
      g_assert_true (asks (choices[i], TRUE));
      g_assert_true (asks (choices[i], FALSE));
    }
  for (guint i = 0; i < G_N_ELEMENTS (questions); i++)
    {
      g_test_message ("%s", questions[i]);
      g_assert_true (asks (questions[i], TRUE));
      g_assert_false (asks (questions[i], FALSE));
    }
}

static void
test_statements (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (statements); i++)
    {
      g_test_message ("%s", statements[i]);
      g_assert_false (asks (statements[i], TRUE));
      g_assert_false (asks (statements[i], FALSE));
    }
  /* Full-screen no longer. */
  g_assert_true (asks ("\033[?1049h\033[?1049lName? ", TRUE));
}

static guint64
find_bell (const char *output, guint64 offset)
{
  g_auto (StintLastWords) words;

  stint_last_words_read (&words, (const guint8 *) output, strlen (output), offset);
  return words.bell_at;
}

static void
test_bells (void)
{
  g_assert_cmpuint (find_bell ("a\ab", 0), ==, 2);
  g_assert_cmpuint (find_bell ("a\ab\a", 0), ==, 4);
  g_assert_cmpuint (find_bell ("ab", 0), ==, 0);
  /* What ends a title is no bell, not even where the title is cut off at its beginning. */
  g_assert_cmpuint (find_bell ("\033]0;title\a", 0), ==, 0);
  g_assert_cmpuint (find_bell ("title\a\r\nb", 100), ==, 0);
  g_assert_cmpuint (find_bell ("title\a\r\nb\a", 100), ==, 110);
}

/* Bytes of all sorts, cut anywhere. */
static void
test_random (void)
{
  static const char alphabet[] = "\033\033[]?0149;:hlH\007\n\r ab(y/n)]\xc3\xa9\x9b\xef\xbc\x9f>";

  for (guint round = 0; round < 2000; round++)
    {
      guint8 output[60];
      g_auto (StintLastWords) words;

      for (gsize i = 0; i < sizeof output; i++)
        output[i] = (guint8) alphabet[g_test_rand_int_range (0, sizeof alphabet - 1)];
      stint_last_words_read (&words, output, (gsize) g_test_rand_int_range (0, sizeof output),
                             round % 2);
      g_assert_true (g_utf8_validate (words.line, -1, NULL));
      stint_last_words_ask (&words, TRUE);
      stint_last_words_ask (&words, FALSE);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/question/questions", test_questions);
  g_test_add_func ("/question/statements", test_statements);
  g_test_add_func ("/question/bells", test_bells);
  g_test_add_func ("/question/random", test_random);
  return g_test_run ();
}
