/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The writer: all bytes in order however slow the reader; what is kept for it has a bound.
 */
#define G_LOG_DOMAIN "test"
#include "config.h"

#include "stint-cli-writer.h"

#include <glib-unix.h>
#include <unistd.h>

#define MEBIBYTE (1024 * 1024)
#define CHUNK (64 * 1024)

typedef struct
{
  StintCliWriter *writer;
  int fds[2];
  guint64 written; /* bytes; byte number n is get_byte (n) */
  guint64 read;
  guint ended;
  gboolean reader_gone;
} Fixture;

static guint8
get_byte (guint64 n)
{
  return (guint8) (n * 7 + (n >> 8));
}

static gboolean
turn (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static void
note_ended (gboolean reader_gone, gpointer user_data)
{
  Fixture *fixture = user_data;

  fixture->ended++;
  fixture->reader_gone = reader_gone;
}

static void
start (Fixture *fixture, gsize most)
{
  g_autoptr (GError) error = NULL;

  g_unix_open_pipe (fixture->fds, FD_CLOEXEC, &error);
  g_assert_no_error (error);
  fixture->writer = stint_cli_writer_new (fixture->fds[1], most, note_ended, fixture, &error);
  g_assert_no_error (error);
}

static gboolean
write_chunk (Fixture *fixture)
{
  char chunk[CHUNK];

  for (guint i = 0; i < CHUNK; i++)
    chunk[i] = (char) get_byte (fixture->written + i);
  if (!stint_cli_writer_write (fixture->writer, chunk, CHUNK))
    return FALSE;
  fixture->written += CHUNK;
  return TRUE;
}

/* Reads @n bytes, which have been written: the writer's thread may be on its way with them. */
static void
read_bytes (Fixture *fixture, guint64 n)
{
  const guint64 end = fixture->read + n;

  while (fixture->read < end)
    {
      guint8 chunk[CHUNK];
      GPollFD poll = { .fd = fixture->fds[0], .events = G_IO_IN };
      ssize_t got;

      while (g_poll (&poll, 1, 0) == 0)
        g_main_context_iteration (NULL, TRUE);
      got = read (fixture->fds[0], chunk, MIN (sizeof chunk, end - fixture->read));
      g_assert_cmpint (got, >, 0);
      for (ssize_t i = 0; i < got; i++, fixture->read++)
        g_assert_cmpuint (chunk[i], ==, get_byte (fixture->read));
    }
}

static void
finish (Fixture *fixture)
{
  stint_cli_writer_close (fixture->writer);
  read_bytes (fixture, fixture->written - fixture->read);
  while (fixture->ended == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (fixture->ended, ==, 1);
  g_assert_false (fixture->reader_gone);
  stint_cli_writer_free (fixture->writer);
  close (fixture->fds[0]);
  close (fixture->fds[1]);
}

/* A reader that is always behind, though never by much, gets all of what has no bound. */
static void
test_behind (void)
{
  Fixture fixture = { 0 };

  start (&fixture, 6 * MEBIBYTE);
  while (fixture.written < 2 * MEBIBYTE)
    g_assert_true (write_chunk (&fixture));
  while (fixture.written < 32 * MEBIBYTE)
    {
      g_assert_true (write_chunk (&fixture));
      read_bytes (&fixture, CHUNK);
    }
  finish (&fixture);
}

/* What is beyond the bound is refused, and nothing of what is before is lost. */
static void
test_bound (void)
{
  Fixture fixture = { 0 };
  guint64 written;

  start (&fixture, MEBIBYTE);
  while (write_chunk (&fixture))
    ;
  written = fixture.written;
  g_assert_cmpuint (written, >=, MEBIBYTE - CHUNK);
  g_assert_cmpuint (written, <, 2 * MEBIBYTE);
  /* Not what is smaller either: there would be a hole. */
  read_bytes (&fixture, written);
  g_assert_false (stint_cli_writer_write (fixture.writer, "x", 1));
  finish (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* So that a wait looks again. */
  g_timeout_add (10, turn, NULL);
  g_test_add_func ("/writer/behind", test_behind);
  g_test_add_func ("/writer/bound", test_bound);
  return g_test_run ();
}
