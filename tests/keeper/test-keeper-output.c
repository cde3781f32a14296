/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The real keeper: every byte that a job writes is in the transcript and comes to whoever reads along,
 * however late, and nobody who is slow or gone holds up the job.
 */
#include "in-child.h"
#include "keeper-harness.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define KIB 1024
#define MIB (1024 * 1024)
#define MSEC ((gint64) 1000)
#define SECOND ((gint64) 1000000)

static TestJob *
new_pattern (gboolean pty, gsize size)
{
  g_autofree char *script =
    g_strdup_printf ("%s exec %s pattern %" G_GSIZE_FORMAT, pty ? "stty raw;" : "",
                     g_getenv ("STINT_KEEPER_COMMAND"), size);
  TestJob *job = test_job_new (script);

  if (pty)
    test_job_use_pty (job, 80, 24);
  return job;
}

static void
assert_pattern (TestJob *job, gsize expected)
{
  g_autoptr (GBytes) output = test_job_get_output (job);
  gsize size;
  const guint8 *bytes = g_bytes_get_data (output, &size);

  g_assert_cmpuint (size, ==, expected);
  pattern_assert (bytes, size, 0);
}

static void
test_identical (gconstpointer pty)
{
  g_autoptr (TestJob) job = new_pattern (GPOINTER_TO_INT (pty), 5 * MIB + 13);
  const struct keeper_outcome *outcome;

  test_job_start (job);
  outcome = test_job_finish (job);
  g_assert_cmpuint (outcome->reason, ==, KEEPER_REASON_EXITED);
  g_assert_cmpuint (outcome->stdout_bytes, ==, 5 * MIB + 13);
  g_assert_cmpuint (outcome->stderr_bytes, ==, 0);
  g_assert_cmpuint (outcome->lost, ==, 0);
  assert_pattern (job, 5 * MIB + 13);
}

static void
test_two_streams (void)
{
  g_autoptr (TestJob) job = test_job_new ("echo one; sleep 0.1; echo two >&2; sleep 0.1; echo three");
  const struct keeper_outcome *outcome;
  g_autofree char *output = NULL;
  g_autoptr (GBytes) index = NULL;
  const struct keeper_index_record *records;
  gsize size;

  test_job_start (job);
  outcome = test_job_finish (job);
  g_assert_cmpuint (outcome->stdout_bytes, ==, 10);
  g_assert_cmpuint (outcome->stderr_bytes, ==, 4);
  output = test_job_dup_output (job);
  g_assert_cmpstr (output, ==, "one\ntwo\nthree\n");
  index = job_directory_read (job->directory, KEEPER_FILE_INDEX);
  records = g_bytes_get_data (index, &size);
  g_assert_cmpuint (size, ==, 3 * sizeof *records);
  g_assert_cmpuint (records[0].offset, ==, 0);
  g_assert_cmpuint (records[1].offset, ==, 4);
  g_assert_cmpuint (records[1].value, ==, KEEPER_STREAM_STDERR);
  g_assert_cmpuint (records[2].offset, ==, 8);
  g_assert_cmpuint (records[2].value, ==, KEEPER_STREAM_STDOUT);
  g_assert_cmpint (records[0].time, >=, 0);
  g_assert_cmpint (records[1].time, >=, records[0].time + 90 * MSEC);
  g_assert_cmpint (records[2].time, >=, records[1].time + 90 * MSEC);
}

/* The command writes as much as the kernel takes, and ends, while nobody reads. */
static void
test_unread_at_exit (gconstpointer pty)
{
  const gsize size = GPOINTER_TO_INT (pty) ? 3000 : MIB;
  g_autofree char *script =
    g_strdup_printf ("%s echo; read line <&3; exec %s pattern %" G_GSIZE_FORMAT,
                     GPOINTER_TO_INT (pty) ? "stty raw;" : "", g_getenv ("STINT_KEEPER_COMMAND"), size);
  g_autofree char *with_pipe = g_strdup_printf ("exec 3<$FIFO; %s", script);
  g_autofree char *fifo = NULL;
  g_autoptr (TestJob) job = test_job_new (with_pipe);
  g_autoptr (GBytes) output = NULL;
  int fd;

  if (GPOINTER_TO_INT (pty))
    test_job_use_pty (job, 80, 24);
  fifo = g_build_filename (job->directory->path, "fifo", NULL);
  g_assert_no_errno (mkfifo (fifo, 0600));
  g_strfreev (job->environ);
  job->environ = g_new0 (char *, 3);
  job->environ[0] = g_strdup ("PATH=/usr/bin:/bin");
  job->environ[1] = g_strdup_printf ("FIFO=%s", fifo);
  fd = open (fifo, O_RDWR | O_CLOEXEC);
  test_job_start (job);
  test_job_await_bytes (job, 1);
  test_job_freeze (job);
  g_assert_cmpint (write (fd, "\n", 1), ==, 1);
  g_assert_true (wait_for_end (test_job_get_leader (job)));
  test_job_thaw (job);
  g_assert_cmpuint (test_job_finish (job)->reason, ==, KEEPER_REASON_EXITED);
  close (fd);

  output = test_job_get_output (job);
  g_assert_cmpuint (g_bytes_get_size (output), ==, 1 + size);
  pattern_assert ((const guint8 *) g_bytes_get_data (output, NULL) + 1, size, 0);
}

/* Somebody else, outside of the job, holds the command's end: the end is the end. */
static void
test_held_elsewhere (gconstpointer pty)
{
  g_autoptr (TestJob) job = test_job_new ("echo ready; read line; echo last");
  g_autofree char *path = NULL, *output = NULL;
  int fd, i = GPOINTER_TO_INT (pty);

  if (i)
    test_job_use_pty (job, 80, 24);
  test_job_use_stdin (job);
  test_job_start (job);
  test_job_await_text (job, "ready");
  path = g_strdup_printf ("/proc/%d/fd/1", test_job_get_leader (job));
  fd = open (path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (job->write_fd, "\n", 1), ==, 1);
  test_job_finish (job);
  close (fd);
  output = test_job_dup_output (job);
  g_assert_nonnull (strstr (output, "last"));
}

/* A daemon that keeps stdout open is ended, and what it said last is there. */
static void
test_daemon_output (void)
{
  g_autoptr (TestJob) job =
    test_job_new ("(trap 'echo goodbye; exit' TERM; echo ready; while :; do sleep 0.05; done) & read line");
  g_autofree char *output = NULL;

  test_job_use_stdin (job);
  test_job_start (job);
  test_job_await_text (job, "ready");
  g_assert_cmpint (write (job->write_fd, "\n", 1), ==, 1);
  g_assert_cmpuint (test_job_finish (job)->reason, ==, KEEPER_REASON_EXITED);
  output = test_job_dup_output (job);
  g_assert_nonnull (strstr (output, "goodbye"));
}

/* Many small reads, by the counters: no wake-up is lost. */
static void
test_wake_ups (void)
{
  g_autoptr (TestJob) job = test_job_new ("cat");
  guint64 n = 0;

  test_job_use_stdin (job);
  test_job_start (job);
  for (; n < 3000; n++)
    {
      g_assert_cmpint (write (job->write_fd, "x", 1), ==, 1);
      test_job_await_bytes (job, n + 1);
    }
  close (job->write_fd);
  job->write_fd = -1;
  g_assert_cmpuint (test_job_finish (job)->size, ==, n);
}

/* The reader along. */

/* Reads up to @size bytes, waiting for some. Returns: how many; 0 at the end. */
static gsize
take (TestJob *job, int stream, gsize size, guint64 offset)
{
  g_autofree guint8 *bytes = g_malloc (size);
  struct pollfd polled = { .fd = job->read_fd[stream], .events = POLLIN };
  ssize_t n;

  g_assert_cmpint (poll (&polled, 1, IN_CHILD_DEADLINE / 1000), ==, 1);
  n = read (job->read_fd[stream], bytes, size);
  g_assert_cmpint (n, >=, 0);
  pattern_assert (bytes, (gsize) n, offset);
  return (gsize) n;
}

static guint64
take_all (TestJob *job, int stream, gsize size, guint64 taken)
{
  gsize n;

  while ((n = take (job, stream, size, taken)) > 0)
    taken += n;
  return taken;
}

/* Waits until the keeper has stopped reading because its reader does not. */
static void
await_stall (TestJob *job)
{
  guint64 bytes = 0, before;

  do
    {
      before = bytes;
      test_job_await_bytes (job, 32 * KIB);
      test_job_try (job, KEEPER_EVENT_DONE, 300 * MSEC);
      bytes = job->counters->bytes[0];
    }
  while (bytes != before);
}

static void
test_tee (gconstpointer pty)
{
  const gsize size = 3 * MIB + 5;
  g_autoptr (TestJob) job = new_pattern (GPOINTER_TO_INT (pty), size);

  test_job_use_tee (job, 1);
  test_job_start (job);
  g_assert_cmpuint (take_all (job, 1, 10 * KIB, 0), ==, size);
  g_assert_cmpuint (test_job_finish (job)->reason, ==, KEEPER_REASON_EXITED);
  assert_pattern (job, size);
}

/* The reader is slower than the job: the job waits, is not idle, and the reader gets every byte. */
static void
test_tee_slow (gconstpointer pty)
{
  const gsize size = 3 * MIB + 5;
  g_autoptr (TestJob) job = new_pattern (GPOINTER_TO_INT (pty), size);
  guint64 taken = 0;

  job->block.output_limit = 256 * KIB;
  test_job_use_tee (job, 1);
  test_job_start (job);
  await_stall (job);
  g_assert_cmpuint (job->counters->bytes[0], <, size);
  test_job_set_limits (job, KEEPER_NEVER, 1 * SECOND, KEEPER_IDLE_TERMINATE);
  g_assert_null (test_job_try (job, KEEPER_EVENT_STOPPING, 2 * SECOND));
  for (int i = 0; i < 3; i++)
    {
      taken += take (job, 1, 200 * KIB, taken);
      g_assert_null (test_job_try (job, KEEPER_EVENT_STOPPING, 200 * MSEC));
    }
  /* The rest without a limit: on a busy machine this too could be taken for silence. */
  test_job_set_limits (job, KEEPER_NEVER, 0, KEEPER_IDLE_TERMINATE);
  g_assert_cmpuint (take_all (job, 1, 64 * KIB, taken), ==, size);
  g_assert_cmpuint (test_job_finish (job)->reason, ==, KEEPER_REASON_EXITED);
  g_assert_cmpuint (job->counters->hole_end, >, 0);
}

/* While it waits for its reader a job can be stopped, and its limits hold. */
static void
test_tee_stop (gconstpointer pty)
{
  for (int how = 0; how < 3; how++)
    {
      g_autoptr (TestJob) job = new_pattern (GPOINTER_TO_INT (pty), 100 * MIB);
      static const enum keeper_reason reasons[] = { KEEPER_REASON_TERMINATED, KEEPER_REASON_KILLED,
                                                    KEEPER_REASON_TIMEOUT };

      test_job_use_tee (job, 1);
      test_job_start (job);
      await_stall (job);
      if (how == 0)
        test_job_stop (job, KEEPER_REASON_TERMINATED, -1);
      else if (how == 1)
        test_job_kill (job, KEEPER_REASON_KILLED);
      else
        test_job_set_limits (job, g_get_monotonic_time (), 0, KEEPER_IDLE_TERMINATE);
      /* The outcome does not wait for the reader. */
      g_assert_cmpuint (test_job_await (job, KEEPER_EVENT_DONE)->outcome.reason, ==, reasons[how]);
      g_assert_cmpuint (take_all (job, 1, 64 * KIB, 0), ==, job->counters->bytes[0]);
      test_job_finish (job);
      assert_pattern (job, job->counters->bytes[0]);
    }
}

/* The job ends while much is still on its way to the reader, who then gets it. */
static void
test_tee_late (void)
{
  const gsize size = 600 * KIB;
  g_autoptr (TestJob) job = new_pattern (FALSE, size);

  test_job_use_tee (job, 1);
  test_job_start (job);
  test_job_await (job, KEEPER_EVENT_DONE);
  g_assert_false (job->ended);
  g_assert_cmpuint (take_all (job, 1, 10 * KIB, 0), ==, size);
  test_job_finish (job);
  assert_pattern (job, size);
}

/* Neither the reader nor the engine is there any more: the keeper does not stay for them. */
static void
test_tee_abandoned (void)
{
  for (int i = 0; i < 2; i++)
    {
      g_autoptr (TestJob) job = new_pattern (FALSE, 600 * KIB);

      test_job_use_tee (job, 1);
      test_job_start (job);
      test_job_await (job, KEEPER_EVENT_DONE);
      if (i == 0)
        {
          close (job->read_fd[1]);
          job->read_fd[1] = -1;
        }
      else
        {
          test_job_close_control (job);
        }
      g_assert_true (test_job_try_finish (job, IN_CHILD_DEADLINE));
      g_assert_cmpuint (job->n_left, ==, 0);
      assert_pattern (job, 600 * KIB);
    }
}

static void
test_tee_reader_gone (gconstpointer pty)
{
  const gsize size = 2 * MIB;
  g_autoptr (TestJob) job = new_pattern (GPOINTER_TO_INT (pty), size);

  test_job_use_tee (job, 1);
  test_job_start (job);
  await_stall (job);
  close (job->read_fd[1]);
  job->read_fd[1] = -1;
  g_assert_cmpuint (test_job_finish (job)->reason, ==, KEEPER_REASON_EXITED);
  assert_pattern (job, size);
}

/* A reader of stderr that does not read does not keep back stdout. */
static void
test_tee_other_stream (void)
{
  g_autofree char *script = g_strdup_printf ("C='%s'; $C pattern 3000000 >&2 & $C pattern 3000000; wait",
                                             g_getenv ("STINT_KEEPER_COMMAND"));
  g_autoptr (TestJob) job = test_job_new (script);

  test_job_use_tee (job, 1);
  test_job_use_tee (job, 2);
  test_job_start (job);
  {
    guint64 taken = 0;

    while (taken < 3000000)
      taken += take (job, 1, 64 * KIB, taken);
  }
  g_assert_cmpuint (job->counters->bytes[0], ==, 3000000);
  g_assert_cmpuint (job->counters->bytes[1], <, 3000000);
  g_assert_cmpuint (take_all (job, 2, 64 * KIB, 0), ==, 3000000);
  g_assert_cmpuint (test_job_finish (job)->size, ==, 6000000);
}

/* The limit of the transcript, and a disk that fails. */

static void
test_output_limit (void)
{
  const gsize size = 20 * MIB;
  g_autoptr (TestJob) job = new_pattern (FALSE, size);
  g_autoptr (GBytes) output = NULL;
  const struct keeper_outcome *outcome;
  const guint8 *bytes;

  job->block.output_limit = MIB;
  test_job_start (job);
  outcome = test_job_finish (job);
  g_assert_cmpuint (outcome->size, ==, size);
  g_assert_cmpuint (outcome->stdout_bytes, ==, size);
  g_assert_cmpuint (outcome->hole_start, >=, MIB / 4);
  g_assert_cmpuint (outcome->hole_end, <=, size - MIB / 4 + 4096);
  output = test_job_get_output (job);
  bytes = g_bytes_get_data (output, NULL);
  pattern_assert (bytes, outcome->hole_start, 0);
  pattern_assert (bytes + outcome->hole_end, size - outcome->hole_end, outcome->hole_end);
  g_assert_cmpuint (job_directory_disk_use (job->directory, KEEPER_FILE_OUTPUT) +
                      job_directory_disk_use (job->directory, KEEPER_FILE_INDEX),
                    <=, MIB + 64 * KIB);
}

/* The directory is taken away while the job runs: the job goes on, and its end is told. */
static void
test_directory_gone (void)
{
  g_autoptr (TestJob) job = test_job_new ("echo ready; read line; echo more; exit 3");
  const struct keeper_event *done;

  test_job_use_stdin (job);
  test_job_start (job);
  test_job_await_text (job, "ready");
  for (gsize i = 0; i < 3; i++)
    g_assert_no_errno (unlinkat (job->directory->fd,
                                 (const char *[]) { KEEPER_FILE_OUTPUT, KEEPER_FILE_INDEX,
                                                    KEEPER_FILE_LOCK }[i],
                                 0));
  g_assert_no_errno (rmdir (job->directory->path));
  g_assert_cmpint (write (job->write_fd, "\n", 1), ==, 1);
  done = test_job_await (job, KEEPER_EVENT_DONE);
  g_assert_cmpint (done->outcome.wait_status, ==, 3 << 8);
  g_assert_cmpuint (done->outcome.stdout_bytes, ==, 11);
  g_assert_true (test_job_try_finish (job, IN_CHILD_DEADLINE));
  g_assert_cmpuint (job->n_left, ==, 0);
}

static void
add (const char *name, GTestDataFunc func)
{
  g_autofree char *pipe_path = g_strdup_printf ("/keeper/output/pipe/%s", name);
  g_autofree char *pty_path = g_strdup_printf ("/keeper/output/pty/%s", name);

  g_test_add_data_func (pipe_path, GINT_TO_POINTER (FALSE), func);
  g_test_add_data_func (pty_path, GINT_TO_POINTER (TRUE), func);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  add ("identical", test_identical);
  add ("unread-at-exit", test_unread_at_exit);
  add ("held-elsewhere", test_held_elsewhere);
  add ("tee", test_tee);
  add ("tee-slow", test_tee_slow);
  add ("tee-stop", test_tee_stop);
  add ("tee-reader-gone", test_tee_reader_gone);
  g_test_add_func ("/keeper/output/two-streams", test_two_streams);
  g_test_add_func ("/keeper/output/daemon", test_daemon_output);
  g_test_add_func ("/keeper/output/wake-ups", test_wake_ups);
  g_test_add_func ("/keeper/output/tee-late", test_tee_late);
  g_test_add_func ("/keeper/output/tee-abandoned", test_tee_abandoned);
  g_test_add_func ("/keeper/output/tee-other-stream", test_tee_other_stream);
  g_test_add_func ("/keeper/output/limit", test_output_limit);
  g_test_add_func ("/keeper/output/directory-gone", test_directory_gone);

  return g_test_run ();
}
