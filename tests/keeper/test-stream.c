/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One output stream: from a pipe or a pty to the transcript and on to a reader, who may be slow or
 * go away.
 */
#include "job-directory.h"
#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define KIB 1024
#define MIB (1024 * 1024)

typedef struct
{
  JobDirectory *directory;
  struct keeper_counters counters;
  struct recorder recorder;
  struct stream stream;
  int write_fd; /* the command's end */
  int tee_fd;   /* the reader's end, or -1 */
  guint64 written;
  guint64 taken; /* by the reader */
} Flow;

static void
set_nonblocking (int fd)
{
  g_assert_no_errno (fcntl (fd, F_SETFL, fcntl (fd, F_GETFL) | O_NONBLOCK));
}

static int
open_pipe (Flow *flow)
{
  int fds[2];

  g_assert_no_errno (pipe2 (fds, O_CLOEXEC));
  flow->write_fd = fds[1];
  g_assert_cmpint (fcntl (fds[0], F_SETPIPE_SZ, MIB), ==, MIB);
  return fds[0];
}

/* A pty that changes nothing of what goes through. */
static int
open_pty (Flow *flow)
{
  int master = posix_openpt (O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  struct termios attributes;

  g_assert_cmpint (master, >=, 0);
  g_assert_no_errno (grantpt (master));
  g_assert_no_errno (unlockpt (master));
  flow->write_fd = ioctl (master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
  g_assert_cmpint (flow->write_fd, >=, 0);
  g_assert_no_errno (tcgetattr (flow->write_fd, &attributes));
  cfmakeraw (&attributes);
  g_assert_no_errno (tcsetattr (flow->write_fd, TCSANOW, &attributes));
  return master;
}

static int
open_tee (Flow *flow)
{
  int fds[2];

  g_assert_no_errno (pipe2 (fds, O_CLOEXEC));
  flow->tee_fd = fds[0];
  set_nonblocking (flow->tee_fd);
  return fds[1];
}

static Flow *
flow_new (gboolean pty, gboolean tee)
{
  Flow *flow = g_new0 (Flow, 1);
  int source, tee_fd;

  flow->directory = job_directory_new ();
  flow->tee_fd = -1;
  recorder_open (&flow->recorder, &flow->counters, -1, flow->directory->fd, 0, false);
  recorder_start (&flow->recorder, g_get_monotonic_time ());
  source = pty ? open_pty (flow) : open_pipe (flow);
  tee_fd = tee ? open_tee (flow) : -1;
  g_assert_cmpint (stream_open (&flow->stream, KEEPER_STREAM_STDOUT, source, pty, tee_fd), ==, 0);
  set_nonblocking (flow->write_fd);
  return flow;
}

static void
close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

static void
flow_free (Flow *flow)
{
  stream_close (&flow->stream);
  free (flow->stream.buffer);
  close_fd (&flow->stream.tee_fd);
  close_fd (&flow->write_fd);
  close_fd (&flow->tee_fd);
  recorder_close (&flow->recorder);
  job_directory_free (flow->directory);
  g_free (flow);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Flow, flow_free)

/* The command writes up to @size bytes. Returns: how many found room. */
static gsize
flow_write (Flow *flow, gsize size)
{
  g_autofree guint8 *bytes = g_malloc (size);
  gsize done = 0;

  pattern_fill (bytes, size, flow->written);
  while (done < size)
    {
      ssize_t n = write (flow->write_fd, bytes + done, size - done);

      if (n <= 0)
        break;
      done += (gsize) n;
    }
  flow->written += done;
  return done;
}

/* The reader takes up to @size bytes, and looks whether they are the right ones. */
static gsize
flow_take (Flow *flow, gsize size)
{
  g_autofree guint8 *bytes = g_malloc (size);
  ssize_t n = read (flow->tee_fd, bytes, size);

  if (n <= 0)
    return 0;
  pattern_assert (bytes, (gsize) n, flow->taken);
  flow->taken += (gsize) n;
  return (gsize) n;
}

static void
assert_recorded (Flow *flow)
{
  g_autoptr (GBytes) output = job_directory_read (flow->directory, KEEPER_FILE_OUTPUT);
  gsize size;
  const guint8 *bytes = g_bytes_get_data (output, &size);

  g_assert_cmpuint (size, ==, flow->written);
  g_assert_cmpuint (flow->counters.bytes[0], ==, flow->written);
  pattern_assert (bytes, size, 0);
}

static const struct
{
  const char *name;
  gboolean pty;
} sources[] = { { "pipe", FALSE }, { "pty", TRUE } };

static Flow *
flow_new_from (gconstpointer source, gboolean tee)
{
  return flow_new (sources[GPOINTER_TO_SIZE (source)].pty, tee);
}

static void
test_read (gconstpointer source)
{
  g_autoptr (Flow) flow = flow_new_from (source, FALSE);

  for (int i = 0; i < 200; i++)
    {
      flow_write (flow, (gsize) g_test_rand_int_range (1, 30 * KIB));
      stream_read (&flow->stream, &flow->recorder);
      g_assert_false (stream_is_stalled (&flow->stream));
    }
  stream_drain (&flow->stream, &flow->recorder);
  assert_recorded (flow);
}

/* Nothing to read is no end, and nothing to record. */
static void
test_read_nothing (gconstpointer source)
{
  g_autoptr (Flow) flow = flow_new_from (source, TRUE);

  stream_read (&flow->stream, &flow->recorder);
  stream_drain (&flow->stream, &flow->recorder);
  g_assert_cmpint (flow->stream.fd, >=, 0);
  g_assert_cmpuint (flow->counters.bytes[0], ==, 0);
  g_assert_cmpint (flow->counters.last_output[0], ==, 0);
}

static void
test_end (gconstpointer source)
{
  g_autoptr (Flow) flow = flow_new_from (source, FALSE);

  flow_write (flow, 1000);
  close_fd (&flow->write_fd);
  for (int i = 0; i < 3; i++)
    stream_read (&flow->stream, &flow->recorder);
  g_assert_cmpint (flow->stream.fd, ==, -1);
  stream_drain (&flow->stream, &flow->recorder);
  assert_recorded (flow);
}

/* A reader that takes a little now and then: the source is not read meanwhile, and it gets all. */
static void
test_slow_reader (gconstpointer source)
{
  g_autoptr (Flow) flow = flow_new_from (source, TRUE);
  guint stalls = 0;

  while (flow->written < 3 * MIB)
    {
      guint64 before = flow->counters.bytes[0];
      gboolean stalled = stream_is_stalled (&flow->stream);

      flow_write (flow, (gsize) g_test_rand_int_range (1, 300 * KIB));
      stream_read (&flow->stream, &flow->recorder);
      if (stalled)
        g_assert_cmpuint (flow->counters.bytes[0], ==, before);
      stalls += stalled;
      flow_take (flow, (gsize) g_test_rand_int_range (1, 12 * KIB));
      stream_pass_on (&flow->stream);
    }
  g_assert_cmpuint (stalls, >, 0);

  while (flow->taken < flow->written)
    {
      flow_take (flow, 80 * KIB);
      stream_pass_on (&flow->stream);
      stream_read (&flow->stream, &flow->recorder);
    }
  assert_recorded (flow);
}

/* The end comes while the reader has not taken what there was: what the kernel still holds is kept
 * behind it, in order. */
static void
test_drain_stalled (gconstpointer source)
{
  g_autoptr (Flow) flow = flow_new_from (source, TRUE);
  guint64 before;

  while (!stream_is_stalled (&flow->stream))
    {
      flow_write (flow, 300 * KIB);
      stream_read (&flow->stream, &flow->recorder);
    }
  before = flow->counters.bytes[0];
  flow_write (flow, 2 * MIB);
  g_assert_cmpuint (flow->written, >, before);
  close_fd (&flow->write_fd);
  stream_drain (&flow->stream, &flow->recorder);
  assert_recorded (flow);

  while (stream_is_stalled (&flow->stream))
    {
      flow_take (flow, 50 * KIB);
      stream_pass_on (&flow->stream);
    }
  while (flow_take (flow, 50 * KIB) > 0)
    ;
  g_assert_cmpuint (flow->taken, ==, flow->written);
}

/* All that the kernel holds is drained though somebody still holds the other end open. */
static void
test_drain_held (gconstpointer source)
{
  g_autoptr (Flow) flow = flow_new_from (source, FALSE);

  flow_write (flow, 2 * MIB);
  stream_drain (&flow->stream, &flow->recorder);
  assert_recorded (flow);
}

/* The reader goes away: the job and its transcript go on. */
static void
test_reader_gone (gconstpointer source)
{
  g_autoptr (Flow) flow = flow_new_from (source, TRUE);

  signal (SIGPIPE, SIG_IGN);
  while (!stream_is_stalled (&flow->stream))
    {
      flow_write (flow, 300 * KIB);
      stream_read (&flow->stream, &flow->recorder);
    }
  close_fd (&flow->tee_fd);
  stream_pass_on (&flow->stream);
  g_assert_false (stream_is_stalled (&flow->stream));
  g_assert_cmpint (flow->stream.tee_fd, ==, -1);

  for (int i = 0; i < 20; i++)
    {
      flow_write (flow, 300 * KIB);
      stream_read (&flow->stream, &flow->recorder);
      g_assert_false (stream_is_stalled (&flow->stream));
    }
  stream_drain (&flow->stream, &flow->recorder);
  assert_recorded (flow);
}

/* Neither the reader's pipe nor the command's may block the keeper; the command's own end may block
 * the command. */
static void
test_blocking (void)
{
  g_autoptr (Flow) flow = flow_new (FALSE, FALSE);
  int tee = open_tee (flow), read_fd, fds[2];

  g_assert_no_errno (pipe2 (fds, O_CLOEXEC));
  read_fd = fds[0];
  stream_close (&flow->stream);
  free (flow->stream.buffer);
  g_assert_cmpint (stream_open (&flow->stream, KEEPER_STREAM_STDERR, read_fd, false, tee), ==, 0);
  g_assert_cmpint (fcntl (read_fd, F_GETFL) & O_NONBLOCK, !=, 0);
  g_assert_cmpint (fcntl (tee, F_GETFL) & O_NONBLOCK, !=, 0);
  g_assert_cmpint (fcntl (fds[1], F_GETFL) & O_NONBLOCK, ==, 0);
  close (fds[1]);
}

static void
add (const char *name, GTestDataFunc func)
{
  for (gsize i = 0; i < G_N_ELEMENTS (sources); i++)
    {
      g_autofree char *path =
        g_strdup_printf ("/keeper/stream/%s/%s", sources[i].name, name);

      g_test_add_data_func (path, GSIZE_TO_POINTER (i), func);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add ("read", test_read);
  add ("read-nothing", test_read_nothing);
  add ("end", test_end);
  add ("slow-reader", test_slow_reader);
  add ("drain-stalled", test_drain_stalled);
  add ("drain-held", test_drain_held);
  add ("reader-gone", test_reader_gone);
  g_test_add_func ("/keeper/stream/blocking", test_blocking);

  return g_test_run ();
}
