/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which screen a program shows, however its output is cut.
 */
#include "stint-screen-state.h"

#include <string.h>

static StintScreenState
scan_cut_at (const char *text, gsize cut)
{
  StintScreenState mode = { 0 };
  gsize length = strlen (text);

  cut = MIN (cut, length);
  stint_screen_state_scan (&mode, 100, (const guint8 *) text, cut);
  stint_screen_state_scan (&mode, 100 + cut, (const guint8 *) text + cut, length - cut);
  return mode;
}

/* Wherever it is cut, the answer is the same. */
static void
assert_mode (const char *text, gboolean full_screen, guint64 entered_at)
{
  for (gsize cut = 0; cut <= strlen (text); cut++)
    {
      StintScreenState mode = scan_cut_at (text, cut);

      g_assert_cmpint (mode.full_screen, ==, full_screen);
      if (full_screen)
        g_assert_cmpuint (mode.entered_at, ==, entered_at);
    }
}

static void
test_enter_and_leave (void)
{
  assert_mode ("plain", FALSE, 0);
  assert_mode ("ab\033[?1049hxyz", TRUE, 102);
  assert_mode ("\033[?47h", TRUE, 100);
  assert_mode ("\033[?1047h", TRUE, 100);
  assert_mode ("\033[?1049h...\033[?1049l", FALSE, 0);
  assert_mode ("\033[?1049h\033[?1049h", TRUE, 100);
  assert_mode ("\033[?1049h\033c", FALSE, 0);
}

static void
test_among_other_modes (void)
{
  assert_mode ("\033[?25;1049h", TRUE, 100);
  assert_mode ("\033[?1049;25h", TRUE, 100);
  assert_mode ("\033[?25h", FALSE, 0);
  assert_mode ("\033[?10490h", FALSE, 0);
  assert_mode ("\033[1049h", FALSE, 0);
  assert_mode ("\033[?1049$p", FALSE, 0);
  assert_mode ("\033[31m\033[?2004h\033[?1049h", TRUE, 113);
}

static void
test_broken_sequences (void)
{
  assert_mode ("\033[?104\033[?1049h", TRUE, 106);
  assert_mode ("\033\033[?1049h", TRUE, 101);
  assert_mode ("\033[?99999999999999h", FALSE, 0);
  assert_mode ("\033[?", FALSE, 0);
}

/* Colours come back as they were written, whatever their numbers. */
static void
test_colours_are_kept (void)
{
  static const char *const kept[] = { "\033[38;2;255;0;10m", "\033[4:3m", "\033[0;1m",
                                      "\033[58:2::1:20:300m\033[7m", "\033[9999m" };
  g_autoptr (GString) longest = g_string_new ("\033[");
  StintScreenState state = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    {
      g_autoptr (GString) out = g_string_new (NULL);

      state = scan_cut_at (kept[i], 3);
      stint_screen_state_append_sgr (&state, out);
      g_assert_cmpstr (out->str, ==, kept[i]);
    }

  /* What is longer than is kept is forgotten, and nothing else is harmed. */
  for (guint i = 0; i < 30; i++)
    g_string_append (longest, "99999;");
  g_string_append (longest, "1m\033[32m");
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GString) out = g_string_new (NULL);

      stint_screen_state_scan (&state, 0, (const guint8 *) longest->str, longest->len);
      stint_screen_state_append_sgr (&state, out);
      g_assert_true (g_str_has_suffix (out->str, "\033[32m"));
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/screen-state/enter-and-leave", test_enter_and_leave);
  g_test_add_func ("/app/screen-state/among-other-modes", test_among_other_modes);
  g_test_add_func ("/app/screen-state/broken-sequences", test_broken_sequences);
  g_test_add_func ("/app/screen-state/colours-are-kept", test_colours_are_kept);
  return g_test_run ();
}
