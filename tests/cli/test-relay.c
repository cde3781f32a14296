/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The relay: all bytes, at the pace of who reads; its end, and that of its reader, told once.
 */
#define G_LOG_DOMAIN "test"
#include "config.h"

#include "stint-relay.h"

#include <fcntl.h>
#include <glib-unix.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define wait_until(condition)                                                                      \
  G_STMT_START                                                                                     \
  {                                                                                                \
    gint64 wait_deadline_ = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;                         \
    while (!(condition))                                                                           \
      {                                                                                            \
        g_assert_cmpint (g_get_monotonic_time (), <, wait_deadline_);                              \
        g_main_context_iteration (NULL, TRUE);                                                     \
      }                                                                                            \
  }                                                                                                \
  G_STMT_END

typedef struct
{
  StintRelay *relay;
  int write_fd;
  int read_fd; /* what the relay writes to, from the other side */
  int out_fd;
  guint ended;
  gboolean reader_gone;
} Fixture;

static gboolean
turn (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static void
note_ended (StintRelay *relay, gboolean reader_gone, gpointer data)
{
  Fixture *fixture = data;

  g_assert_true (relay == fixture->relay);
  fixture->ended++;
  fixture->reader_gone = reader_gone;
}

static void
start (Fixture *fixture, int out_fd, int read_fd)
{
  g_autoptr (GError) error = NULL;

  fixture->out_fd = out_fd;
  fixture->read_fd = read_fd;
  fixture->relay = stint_relay_new (out_fd, &fixture->write_fd, note_ended, fixture, &error);
  g_assert_no_error (error);
  g_assert_cmpint (fcntl (fixture->write_fd, F_GETFD) & FD_CLOEXEC, ==, FD_CLOEXEC);
}

static void
start_on_pipe (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  int fds[2];

  g_unix_open_pipe (fds, FD_CLOEXEC, &error);
  g_assert_no_error (error);
  start (fixture, fds[1], fds[0]);
}

static void
finish (Fixture *fixture)
{
  wait_until (fixture->ended > 0);
  for (guint i = 0; i < 10; i++)
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpuint (fixture->ended, ==, 1);
  stint_relay_free (fixture->relay);
  /* It was lent. */
  g_assert_cmpint (fcntl (fixture->out_fd, F_GETFD), >=, 0);
  close (fixture->out_fd);
}

static gpointer
write_much (gpointer data)
{
  int fd = GPOINTER_TO_INT (data);
  g_autofree guint8 *bytes = g_malloc (1 << 20);

  for (guint i = 0; i < 1 << 20; i++)
    bytes[i] = (guint8) (i * 7 + (i >> 8));
  for (guint done = 0; done < 1 << 20;)
    {
      ssize_t n = write (fd, bytes + done, (1 << 20) - done);

      g_assert_cmpint (n, >, 0);
      done += (guint) n;
    }
  close (fd);
  return NULL;
}

static void
test_all_bytes (void)
{
  Fixture fixture = { 0 };
  GThread *thread;
  guint got = 0;
  guint8 chunk[1000];

  start_on_pipe (&fixture);
  thread = g_thread_new ("writer", write_much, GINT_TO_POINTER (fixture.write_fd));
  while (got < 1 << 20)
    {
      ssize_t n = read (fixture.read_fd, chunk, sizeof chunk);

      g_assert_cmpint (n, >, 0);
      for (ssize_t i = 0; i < n; i++, got++)
        g_assert_cmpuint (chunk[i], ==, (guint8) (got * 7 + (got >> 8)));
      /* A slow reader; and the end is not told before all is written. */
      if (got < (1 << 20) - 65536)
        g_assert_cmpuint (fixture.ended, ==, 0);
    }
  g_thread_join (thread);
  finish (&fixture);
  g_assert_false (fixture.reader_gone);
  close (fixture.read_fd);
}

/* Somebody else has made the descriptor non-blocking, since it is shared. */
static void
test_nonblocking (void)
{
  Fixture fixture = { 0 };
  GThread *thread;
  guint got = 0;
  char chunk[65536];

  start_on_pipe (&fixture);
  g_unix_set_fd_nonblocking (fixture.out_fd, TRUE, NULL);
  thread = g_thread_new ("writer", write_much, GINT_TO_POINTER (fixture.write_fd));
  while (got < 1 << 20)
    {
      ssize_t n = read (fixture.read_fd, chunk, sizeof chunk);

      g_assert_cmpint (n, >, 0);
      got += (guint) n;
    }
  g_thread_join (thread);
  finish (&fixture);
  g_assert_false (fixture.reader_gone);
  close (fixture.read_fd);
}

static void
test_reader_gone (void)
{
  Fixture fixture = { 0 };

  start_on_pipe (&fixture);
  close (fixture.read_fd);
  /* Without a byte having been written. */
  finish (&fixture);
  g_assert_true (fixture.reader_gone);
  close (fixture.write_fd);
}

static void
test_socket_reader_gone (void)
{
  Fixture fixture = { 0 };
  int pair[2];

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), ==, 0);
  start (&fixture, pair[0], pair[1]);
  close (pair[1]);
  finish (&fixture);
  g_assert_true (fixture.reader_gone);
  close (fixture.write_fd);
}

static gint64
used_cpu (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (gint64) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * G_USEC_PER_SEC + usage.ru_utime.tv_usec +
         usage.ru_stime.tv_usec;
}

/* It waits, and does not spin: on a file, a socket, a pipe. */
static void
test_waits_quietly (void)
{
  for (guint kind = 0; kind < 3; kind++)
    {
      Fixture fixture = { 0 };
      int pair[2] = { -1, -1 };
      gint64 begun_at, cpu;

      if (kind == 0)
        start_on_pipe (&fixture);
      else if (kind == 1 && socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0)
        start (&fixture, pair[0], pair[1]);
      else
        start (&fixture, open ("/dev/null", O_WRONLY | O_CLOEXEC), -1);

      begun_at = g_get_monotonic_time ();
      cpu = used_cpu ();
      wait_until (g_get_monotonic_time () - begun_at > 300000);
      g_assert_cmpint (used_cpu () - cpu, <, 150000);
      g_assert_cmpuint (fixture.ended, ==, 0);
      close (fixture.write_fd);
      finish (&fixture);
      g_assert_false (fixture.reader_gone);
      if (fixture.read_fd >= 0)
        close (fixture.read_fd);
    }
}

/* Abandoned, while its thread cannot be had back: nobody is called, and nothing is used after free. */
static void
test_abandoned (void)
{
  Fixture fixture = { 0 };
  gint64 freed_at;

  start_on_pipe (&fixture);
  g_assert_cmpint (write (fixture.write_fd, "x", 1), ==, 1);
  stint_relay_free (fixture.relay);
  close (fixture.write_fd);
  close (fixture.read_fd);
  freed_at = g_get_monotonic_time ();
  wait_until (g_get_monotonic_time () - freed_at > 100000);
  g_assert_cmpuint (fixture.ended, ==, 0);
  close (fixture.out_fd);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  g_timeout_add (10, turn, NULL);

  g_test_add_func ("/cli/relay/all-bytes", test_all_bytes);
  g_test_add_func ("/cli/relay/nonblocking", test_nonblocking);
  g_test_add_func ("/cli/relay/reader-gone", test_reader_gone);
  g_test_add_func ("/cli/relay/socket-reader-gone", test_socket_reader_gone);
  g_test_add_func ("/cli/relay/waits-quietly", test_waits_quietly);
  g_test_add_func ("/cli/relay/abandoned", test_abandoned);
  return g_test_run ();
}
