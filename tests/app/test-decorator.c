/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is made of recorded output on its way to the terminal, in any chunks.
 */
#include "config.h"

#include "stint-compress.h"
#include "stint-decorator.h"
#include "transcript-fixture.h"

#include <string.h>
#include <unistd.h>

#define STAMP "\033[0;38;5;244m"

/* 1970-01-01 00:00:00 UTC and a second. */
#define START G_USEC_PER_SEC

typedef struct
{
  Directory directory;
  StintReader *reader;
  StintDecorator *decorator;
} Fixture;

static void
fixture_init (Fixture *fixture)
{
  directory_init (&fixture->directory);
}

static void
fixture_open (Fixture *fixture, gboolean pipe)
{
  static const StintScreenState state;

  fixture->reader = stint_reader_new (fixture->directory.path);
  fixture->decorator = stint_decorator_new (fixture->reader, pipe);
  stint_decorator_restart (fixture->decorator, &state);
}

static void
fixture_clear (Fixture *fixture)
{
  stint_decorator_free (fixture->decorator);
  stint_reader_free (fixture->reader);
  directory_clear (&fixture->directory);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, fixture_clear)

/* Everything there is, in chunks of this size. */
static char *
transform (Fixture *fixture, gsize chunk)
{
  g_autoptr (GString) out = g_string_new (NULL);
  static const StintScreenState state;
  guint64 offset = 0;

  stint_decorator_restart (fixture->decorator, &state);
  while (TRUE)
    {
      guint8 buffer[4096];
      guint64 at = offset;
      gssize n = stint_reader_read (fixture->reader, &offset, buffer, MIN (chunk, sizeof buffer), NULL, NULL);

      g_assert_cmpint (n, >=, 0);
      if (n == 0)
        return g_string_free (g_steal_pointer (&out), FALSE);
      stint_decorator_transform (fixture->decorator, at, buffer, (gsize) n, out);
    }
}

static void
assert_shown (Fixture *fixture, const char *expected)
{
  for (gsize chunk = 1; chunk < 30; chunk++)
    {
      g_autofree char *shown = transform (fixture, chunk);

      g_assert_cmpstr (shown, ==, expected);
    }
}

static void
test_newlines (void)
{
  g_auto (Fixture) fixture = { 0 };

  fixture_init (&fixture);
  directory_append_text (&fixture.directory, KEEPER_STREAM_STDOUT, "a\nb\r\n\n\033[1mc");
  fixture_open (&fixture, TRUE);
  assert_shown (&fixture, "a\r\nb\r\n\r\n\033[1mc");
  g_assert_false (stint_decorator_is_plain (fixture.decorator));
}

static void
test_terminal (void)
{
  g_auto (Fixture) fixture = { 0 };

  fixture_init (&fixture);
  directory_append_text (&fixture.directory, KEEPER_STREAM_STDOUT, "a\nb\r\n");
  fixture_open (&fixture, FALSE);
  g_assert_true (stint_decorator_is_plain (fixture.decorator));
  assert_shown (&fixture, "a\nb\r\n");
}

static void
append_both (Fixture *fixture)
{
  fixture_init (fixture);
  directory_append_text (&fixture->directory, KEEPER_STREAM_STDOUT, "out1\n");
  directory_append_text (&fixture->directory, KEEPER_STREAM_STDERR, "err1\n");
  directory_append_text (&fixture->directory, KEEPER_STREAM_STDOUT, "out2\n");
  directory_append_text (&fixture->directory, KEEPER_STREAM_STDERR, "\033[1merr\033[0m2\n");
  directory_append_text (&fixture->directory, KEEPER_STREAM_STDOUT, "out3\n");
}

static void
test_streams (void)
{
  g_auto (Fixture) fixture = { 0 };

  append_both (&fixture);
  fixture_open (&fixture, TRUE);
  assert_shown (&fixture, "out1\r\nerr1\r\nout2\r\n\033[1merr\033[0m2\r\nout3\r\n");
  stint_decorator_set_streams (fixture.decorator, STINT_STREAMS_STDOUT);
  assert_shown (&fixture, "out1\r\nout2\r\nout3\r\n");
  stint_decorator_set_streams (fixture.decorator, STINT_STREAMS_STDERR);
  assert_shown (&fixture, "\033[0merr1\r\n\033[1merr\033[0m2\r\n");
}

/* Red, and red again after the program has reset its colours; the other stream has its own. */
static void
test_mark_stderr (void)
{
  g_auto (Fixture) fixture = { 0 };

  append_both (&fixture);
  fixture_open (&fixture, TRUE);
  stint_decorator_set_mark_stderr (fixture.decorator, TRUE);
  assert_shown (&fixture, "out1\r\n\033[0m\033[31merr1\r\n\033[0mout2\r\n"
                          "\033[0m\033[31m\033[1merr\033[0m\033[31m2\r\n\033[0mout3\r\n");
}

/* Each line begins with the time of its first byte; colours go on behind it. */
static void
test_timestamps (void)
{
  g_auto (Fixture) fixture = { 0 };

  fixture_init (&fixture);
  directory_append_text (&fixture.directory, KEEPER_STREAM_STDOUT, "one \033[32mtwo\nth");
  directory_append_text (&fixture.directory, KEEPER_STREAM_STDOUT, "ree\n\nfour");
  fixture_open (&fixture, TRUE);
  stint_decorator_set_timestamps (fixture.decorator, START);
  assert_shown (&fixture, STAMP "00:00:01.001 \033[0mone \033[32mtwo\r\n" STAMP
                                "00:00:01.001 \033[0m\033[32mthree\r\n" STAMP
                                "00:00:01.002 \033[0m\033[32m\r\n" STAMP
                                "00:00:01.002 \033[0m\033[32mfour");
}

/* A progress bar is written over itself, not over the time before it. */
static void
test_carriage_return (void)
{
  g_auto (Fixture) fixture = { 0 };

  fixture_init (&fixture);
  directory_append_text (&fixture.directory, KEEPER_STREAM_STDOUT, "10 %\r20 %\r\n");
  fixture_open (&fixture, FALSE);
  stint_decorator_set_timestamps (fixture.decorator, START);
  assert_shown (&fixture, STAMP "00:00:01.001 \033[0m10 %\r\033[13C20 %\r\033[13C\n");
}

/* A full-screen program knows its columns. */
static void
test_full_screen (void)
{
  g_auto (Fixture) fixture = { 0 };

  fixture_init (&fixture);
  directory_append_text (&fixture.directory, KEEPER_STREAM_STDOUT, "\033[?1049ha\r\nb\033[?1049lc\r\nd");
  fixture_open (&fixture, FALSE);
  stint_decorator_set_timestamps (fixture.decorator, START);
  assert_shown (&fixture, STAMP "00:00:01.001 \033[0m\033[?1049ha\r\nb\033[?1049lc\r\033[13C\n" STAMP
                                "00:00:01.001 \033[0md");
}

/* An index that is damaged gives odd times, and no more. */
static void
test_damaged_times (void)
{
  static const struct keeper_index_record records[] = {
    { .offset = 0, .time = G_MININT64 },
    { .offset = 2, .time = -1 },
    { .offset = 4, .time = G_MAXINT64 },
  };
  g_auto (Fixture) fixture = { 0 };
  g_autofree char *shown = NULL;

  fixture_init (&fixture);
  g_assert_cmpint (write (fixture.directory.output_fd, "a\nb\nc\n", 6), ==, 6);
  g_assert_cmpint (write (fixture.directory.index_fd, records, sizeof records), ==, sizeof records);
  fixture_open (&fixture, TRUE);
  stint_decorator_set_timestamps (fixture.decorator, START);
  shown = transform (&fixture, 100);
  g_assert_true (g_str_has_prefix (shown, STAMP "00:00:01.000 \033[0ma\r\n" STAMP "00:00:01.000 \033[0mb\r\n"));
  g_assert_nonnull (strstr (shown, "\033[0mc\r\n"));
}

/* Each line from another stream: looking that up must not take long, least of all in a compressed
 * index of several frames. */
static void
check_taking_turns (gboolean compressed)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (GString) all = g_string_new (NULL);
  g_autoptr (GString) out = g_string_new (NULL);
  const guint n = 60000;
  g_autofree struct keeper_index_record *records = g_new0 (struct keeper_index_record, n);
  gint64 begun;

  fixture_init (&fixture);
  for (guint i = 0; i < n; i++)
    {
      records[i] = (struct keeper_index_record){
        .offset = all->len, .time = i, .value = i % 2 == 0 ? KEEPER_STREAM_STDOUT : KEEPER_STREAM_STDERR
      };
      g_string_append_printf (all, "%s %05u\n", i % 2 == 0 ? "out" : "err", i);
    }
  g_assert_cmpint (write (fixture.directory.output_fd, all->str, all->len), ==, (gssize) all->len);
  g_assert_cmpint (write (fixture.directory.index_fd, records, n * sizeof *records), ==,
                   (gssize) (n * sizeof *records));
  if (compressed)
    {
      directory_write_outcome (&fixture.directory, 0, 0);
      g_assert_true (stint_compress_directory (fixture.directory.path, NULL, NULL));
    }
  fixture_open (&fixture, TRUE);
  stint_decorator_set_streams (fixture.decorator, STINT_STREAMS_STDERR);
  begun = g_get_monotonic_time ();
  stint_decorator_transform (fixture.decorator, 0, (const guint8 *) all->str, all->len, out);
  g_test_message ("%u turns took %" G_GINT64_FORMAT " us", n, g_get_monotonic_time () - begun);
  g_assert_cmpuint (out->len, ==, strlen ("\033[0m") + n / 2 * 11);
  /* Without care it is minutes. */
  g_assert_cmpint (g_get_monotonic_time () - begun, <, 10 * G_USEC_PER_SEC);
}

static void
test_taking_turns (void)
{
  check_taking_turns (FALSE);
  check_taking_turns (TRUE);
}

int
main (int argc, char **argv)
{
  g_setenv ("TZ", "UTC", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/decorator/newlines", test_newlines);
  g_test_add_func ("/app/decorator/terminal", test_terminal);
  g_test_add_func ("/app/decorator/streams", test_streams);
  g_test_add_func ("/app/decorator/mark-stderr", test_mark_stderr);
  g_test_add_func ("/app/decorator/timestamps", test_timestamps);
  g_test_add_func ("/app/decorator/carriage-return", test_carriage_return);
  g_test_add_func ("/app/decorator/full-screen", test_full_screen);
  g_test_add_func ("/app/decorator/damaged-times", test_damaged_times);
  g_test_add_func ("/app/decorator/taking-turns", test_taking_turns);
  return g_test_run ();
}
