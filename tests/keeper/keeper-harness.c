/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See keeper-harness.h.
 */
#include "keeper-harness.h"

#include "in-child.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define DEADLINE IN_CHILD_DEADLINE

/* The keeper's descriptors are numbered from here, as the engine does. */
#define FIRST_FD (KEEPER_LAUNCH_FD + 1)
#define MAX_GIVEN 16

#define STRAY_FD 77

static void
close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

static gint64
now (void)
{
  return g_get_monotonic_time ();
}

/* Before the start. */

TestJob *
test_job_new_argv (const char *const *argv)
{
  TestJob *job = g_new0 (TestJob, 1);
  static const char *const environ[] = { "PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8", NULL };

  job->block = (struct keeper_launch) {
    .magic = KEEPER_LAUNCH_MAGIC,
    .version = KEEPER_VERSION,
    .control_fd = -1,
    .pty_fd = -1,
    .stdio = { { KEEPER_STDIO_NULL, -1 }, { KEEPER_STDIO_CAPTURE, -1 }, { KEEPER_STDIO_CAPTURE, -1 } },
    .grace = DEADLINE,
  };
  job->argv = g_strdupv ((GStrv) argv);
  job->environ = g_strdupv ((GStrv) environ);
  job->cwd = g_strdup ("/");
  g_assert_nonnull (g_getenv ("STINT_KEEPER"));
  job->keeper = g_strdup (g_getenv ("STINT_KEEPER"));
  job->control_fd = job->wakeup_fd = job->pty_fd = job->write_fd = -1;
  for (int i = 0; i < 3; i++)
    job->read_fd[i] = job->given_fd[i] = -1;
  job->directory = job_directory_new ();
  job->counters = shared_new (sizeof *job->counters);
  job->events = g_array_new (FALSE, FALSE, sizeof (struct keeper_event));
  /* What the keeper lets go would otherwise be out of sight. */
  prctl (PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  return job;
}

TestJob *
test_job_new (const char *script)
{
  const char *const argv[] = { "/bin/sh", "-c", script, NULL };

  return test_job_new_argv (argv);
}

TestJob *
test_job_new_command (const char *mode, const char *argument)
{
  const char *const argv[] = { g_getenv ("STINT_KEEPER_COMMAND"), mode, argument, NULL };

  return test_job_new_argv (argv);
}

void
test_job_without (TestJob *job, const char *protection)
{
  g_free (job->keeper);
  job->keeper =
    g_strdup_printf ("%s/keeper-without-%s", g_getenv ("STINT_KEEPER_WITHOUT_DIR"), protection);
}

void
test_job_use_pty (TestJob *job, guint16 columns, guint16 rows)
{
  const struct winsize size = { .ws_col = columns, .ws_row = rows };

  job->pty_fd = posix_openpt (O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  g_assert_cmpint (job->pty_fd, >=, 0);
  g_assert_no_errno (grantpt (job->pty_fd));
  g_assert_no_errno (unlockpt (job->pty_fd));
  ioctl (job->pty_fd, TIOCSWINSZ, &size);
  job->block.columns = columns;
  job->block.rows = rows;
  for (int i = 0; i < 3; i++)
    job->block.stdio[i].kind = KEEPER_STDIO_PTY;
}

void
test_job_use_stdin (TestJob *job)
{
  int fds[2];

  g_assert_no_errno (pipe2 (fds, O_CLOEXEC));
  job->block.stdio[0].kind = KEEPER_STDIO_PASS;
  job->given_fd[0] = fds[0];
  job->write_fd = fds[1];
}

void
test_job_use_tee (TestJob *job, int stream)
{
  int fds[2];

  g_assert_no_errno (pipe2 (fds, O_CLOEXEC));
  if (job->block.stdio[stream].kind != KEEPER_STDIO_PTY)
    job->block.stdio[stream].kind = KEEPER_STDIO_TEE;
  job->read_fd[stream] = fds[0];
  job->given_fd[stream] = fds[1];
}

/* The start. */

struct given
{
  int from[MAX_GIVEN];
  int n;
};

/* Gives @fd, which is taken. Returns: the number under which the keeper finds it. */
static int
give (struct given *given, int fd)
{
  int high = fcntl (fd, F_DUPFD_CLOEXEC, 200);

  g_assert_cmpint (high, >=, 0);
  g_assert_cmpint (given->n, <, MAX_GIVEN);
  close (fd);
  given->from[given->n] = high;
  return FIRST_FD + given->n++;
}

static int
make_counters (TestJob *job)
{
  int fd = memfd_create ("counters", MFD_CLOEXEC);

  g_assert_no_errno (ftruncate (fd, sizeof *job->counters));
  shared_free (job->counters, sizeof *job->counters);
  job->counters =
    mmap (NULL, sizeof *job->counters, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  g_assert_true (job->counters != MAP_FAILED);
  return fd;
}

static int
make_lock (TestJob *job)
{
  int fd = openat (job->directory->fd, KEEPER_FILE_LOCK, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

  g_assert_cmpint (fd, >=, 0);
  g_assert_no_errno (flock (fd, LOCK_EX | LOCK_NB));
  return fd;
}

static void
give_channels (TestJob *job, struct given *given)
{
  struct keeper_launch *block = &job->block;
  int pair[2];

  g_assert_no_errno (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair));
  job->control_fd = pair[0];
  job->wakeup_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  block->control_fd = give (given, pair[1]);
  block->counters_fd = give (given, make_counters (job));
  block->wakeup_fd = give (given, dup (job->wakeup_fd));
  block->directory_fd = give (given, dup (job->directory->fd));
  block->lock_fd = give (given, make_lock (job));
  if (job->pty_fd >= 0)
    block->pty_fd = give (given, dup (job->pty_fd));
  for (int i = 0; i < 3; i++)
    if (job->given_fd[i] >= 0)
      {
        block->stdio[i].fd = give (given, job->given_fd[i]);
        job->given_fd[i] = -1;
      }
}

static uint32_t
append_words (GByteArray *bytes, char **words)
{
  uint32_t n = 0;

  for (; words[n] != NULL; n++)
    g_byte_array_append (bytes, (const guint8 *) words[n], (guint) strlen (words[n]) + 1);
  return n;
}

static int
make_launch (TestJob *job)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  int fd = memfd_create ("launch", MFD_CLOEXEC | MFD_ALLOW_SEALING);

  g_byte_array_append (bytes, (const guint8 *) &job->block, sizeof job->block);
  g_byte_array_append (bytes, (const guint8 *) job->cwd, (guint) strlen (job->cwd) + 1);
  job->block.argc = append_words (bytes, job->argv);
  job->block.envc = append_words (bytes, job->environ);
  job->block.strings_size = bytes->len - sizeof job->block;
  memcpy (bytes->data, &job->block, sizeof job->block);
  g_assert_cmpint (write (fd, bytes->data, bytes->len), ==, bytes->len);
  g_assert_no_errno (
    fcntl (fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL));
  return fd;
}

/* In the child: as the engine leaves it, and as the window process is, which ignores SIGPIPE. */
static _Noreturn void
execute_keeper (TestJob *job, const struct given *given, int launch_fd)
{
  char *const argv[] = { job->keeper, NULL };
  char *const environ[] = { NULL };
  int high = fcntl (launch_fd, F_DUPFD_CLOEXEC, 200);

  signal (SIGPIPE, SIG_IGN);
  dup2 (high, KEEPER_LAUNCH_FD);
  for (int i = 0; i < given->n; i++)
    dup2 (given->from[i], FIRST_FD + i);
  if (job->stray)
    dup2 (KEEPER_LAUNCH_FD, STRAY_FD);
  execve (job->keeper, argv, environ);
  _exit (126);
}

void
test_job_start (TestJob *job)
{
  struct given given = { 0 };
  int launch_fd;

  give_channels (job, &given);
  launch_fd = make_launch (job);
  job->pid = fork ();
  g_assert_cmpint (job->pid, >=, 0);
  if (job->pid == 0)
    execute_keeper (job, &given, launch_fd);
  close (launch_fd);
  for (int i = 0; i < given.n; i++)
    close (given.from[i]);
}

/* While it runs. */

void
test_job_ask (TestJob *job, const struct keeper_request *request)
{
  ssize_t n = send (job->control_fd, request, sizeof *request, MSG_NOSIGNAL);

  /* It may have ended. */
  g_assert_true (n == (ssize_t) sizeof *request || errno == EPIPE || errno == ECONNRESET);
}

void
test_job_ask_type (TestJob *job, enum keeper_request_type type)
{
  test_job_ask (job, &(struct keeper_request) { .type = type });
}

void
test_job_stop (TestJob *job, enum keeper_reason reason, gint64 grace)
{
  test_job_ask (job, &(struct keeper_request) {
                       .type = KEEPER_REQUEST_STOP,
                       .reason = reason,
                       .grace = grace,
                     });
}

void
test_job_kill (TestJob *job, enum keeper_reason reason)
{
  test_job_ask (job, &(struct keeper_request) { .type = KEEPER_REQUEST_KILL, .reason = reason });
}

void
test_job_set_limits (TestJob *job, gint64 wall_at, gint64 idle, enum keeper_idle_action action)
{
  test_job_ask (job, &(struct keeper_request) {
                       .type = KEEPER_REQUEST_LIMITS,
                       .wall_at = wall_at,
                       .idle = idle,
                       .idle_action = action,
                     });
}

void
test_job_close_control (TestJob *job)
{
  close_fd (&job->control_fd);
}

/* Takes in what has come, waiting until @deadline for something to. Returns: whether it did. */
static bool
take_events (TestJob *job, gint64 deadline)
{
  struct pollfd polled = { .fd = job->control_fd, .events = POLLIN };
  gint64 left = deadline - now ();
  struct keeper_event event;
  ssize_t n;

  if (job->ended || job->control_fd < 0 || left < 0)
    return false;
  if (poll (&polled, 1, (int) ((left + 999) / 1000)) <= 0)
    return false;
  n = recv (job->control_fd, &event, sizeof event, MSG_DONTWAIT);
  if (n == (ssize_t) sizeof event)
    g_array_append_val (job->events, event);
  else if (n == 0 || (errno != EAGAIN && errno != EINTR && errno != ECONNRESET))
    job->ended = true;
  return true;
}

static const struct keeper_event *
find_event (TestJob *job, enum keeper_event_type type, guint nth)
{
  for (guint i = 0; i < job->events->len; i++)
    {
      const struct keeper_event *event = &g_array_index (job->events, struct keeper_event, i);

      if (event->type == (uint32_t) type && nth-- == 0)
        return event;
    }
  return NULL;
}

const struct keeper_event *
test_job_try (TestJob *job, enum keeper_event_type type, gint64 timeout)
{
  gint64 deadline = now () + timeout;

  while (find_event (job, type, 0) == NULL)
    if (!take_events (job, deadline))
      break;
  return find_event (job, type, 0);
}

const struct keeper_event *
test_job_await_nth (TestJob *job, enum keeper_event_type type, guint nth)
{
  gint64 deadline = now () + DEADLINE;

  while (find_event (job, type, nth) == NULL)
    if (!take_events (job, deadline))
      g_error ("Event %d does not come; there were %u others", type, job->events->len);
  return find_event (job, type, nth);
}

const struct keeper_event *
test_job_await (TestJob *job, enum keeper_event_type type)
{
  return test_job_await_nth (job, type, 0);
}

guint
test_job_count (TestJob *job, enum keeper_event_type type)
{
  guint n = 0;

  while (find_event (job, type, n) != NULL)
    n++;
  return n;
}

static guint64
count_bytes (TestJob *job)
{
  return job->counters->bytes[0] + job->counters->bytes[1];
}

/* As the engine waits: armed, looked at again, and only then asleep. */
static void
sleep_until_output (TestJob *job, guint64 seen)
{
  struct pollfd polled[] = {
    { .fd = job->wakeup_fd, .events = POLLIN },
    { .fd = job->control_fd, .events = 0 }, /* its end */
  };
  guint64 count;

  job->counters->armed = 1;
  if (count_bytes (job) != seen)
    return;
  if (poll (polled, G_N_ELEMENTS (polled), DEADLINE / 1000) <= 0 ||
      (polled[0].revents == 0 && count_bytes (job) == seen))
    g_error ("No output comes after %" G_GUINT64_FORMAT " bytes", seen);
  if (read (job->wakeup_fd, &count, sizeof count) < 0)
    g_assert_cmpint (errno, ==, EAGAIN);
}

void
test_job_await_bytes (TestJob *job, guint64 bytes)
{
  guint64 seen;

  while ((seen = count_bytes (job)) < bytes)
    sleep_until_output (job, seen);
}

void
test_job_await_text (TestJob *job, const char *text)
{
  for (;;)
    {
      guint64 seen = count_bytes (job);
      g_autofree char *output = test_job_dup_output (job);

      if (output != NULL && strstr (output, text) != NULL)
        return;
      sleep_until_output (job, seen);
    }
}

GBytes *
test_job_get_output (TestJob *job)
{
  return job_directory_read (job->directory, KEEPER_FILE_OUTPUT);
}

char *
test_job_dup_output (TestJob *job)
{
  g_autoptr (GBytes) bytes = test_job_get_output (job);
  gsize size;
  const char *text;

  if (bytes == NULL)
    return NULL;
  text = g_bytes_get_data (bytes, &size);
  return g_strndup (text != NULL ? text : "", size);
}

static bool
has_worker (gpointer data)
{
  TestJob *job = data;
  g_autoptr (GArray) children = process_children (job->pid);

  if (children->len > 0)
    job->worker = g_array_index (children, pid_t, 0);
  return job->worker != 0;
}

pid_t
test_job_get_worker (TestJob *job)
{
  if (job->worker == 0)
    g_assert_true (wait_until (has_worker, job));
  return job->worker;
}

static bool
has_name (pid_t pid, const char *name)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/comm", pid);
  g_autofree char *text = NULL;

  return g_file_get_contents (path, &text, NULL, NULL) && g_str_equal (g_strchomp (text), name);
}

struct wanted_children
{
  pid_t parent;
  guint n;
  const char *name;
};

static bool
has_children (gpointer data)
{
  const struct wanted_children *wanted = data;
  g_autoptr (GArray) pids = process_children (wanted->parent);
  guint n = 0;

  for (guint i = 0; i < pids->len; i++)
    n += has_name (g_array_index (pids, pid_t, i), wanted->name);
  return n >= wanted->n;
}

void
test_job_await_children (TestJob *job, guint n, const char *name)
{
  struct wanted_children wanted = { test_job_get_leader (job), n, name };

  g_assert_true (wait_until (has_children, &wanted));
}

pid_t
test_job_get_leader (TestJob *job)
{
  return test_job_await (job, KEEPER_EVENT_STARTED)->pid;
}

/* The end. */

/* Waits for the end of the socket, which both halves of the keeper hold. */
static bool
await_end (TestJob *job, gint64 deadline)
{
  while (!job->ended)
    if (!take_events (job, deadline))
      return false;
  return true;
}

static bool
await_exit (pid_t pid, gint64 deadline)
{
  int fd = (int) syscall (SYS_pidfd_open, pid, 0);
  struct pollfd polled = { .fd = fd, .events = POLLIN };
  gint64 left = deadline - now ();
  bool exited = fd < 0 || poll (&polled, 1, left > 0 ? (int) (left / 1000) : 0) == 1;

  close_fd (&fd);
  return exited;
}

static void
reap_keeper (TestJob *job)
{
  if (!job->reaped && waitpid (job->pid, &job->status, 0) == job->pid)
    job->reaped = true;
  /* An orphan of its warden is ours. */
  if (job->worker != 0)
    waitpid (job->worker, NULL, 0);
}

bool
test_job_try_finish (TestJob *job, gint64 timeout)
{
  gint64 deadline = now () + timeout;
  bool ended = job->control_fd < 0 || await_end (job, deadline);

  ended = ended && await_exit (job->pid, deadline) &&
          (job->worker == 0 || await_exit (job->worker, deadline));
  if (!ended)
    {
      kill (job->pid, SIGKILL);
      if (job->worker != 0)
        kill (job->worker, SIGKILL);
    }
  reap_keeper (job);
  job->n_left += kill_descendants ();
  return ended;
}

bool
test_job_read_outcome (TestJob *job, struct keeper_outcome *outcome)
{
  g_autoptr (GBytes) bytes = job_directory_read (job->directory, KEEPER_FILE_OUTCOME);

  if (bytes == NULL || g_bytes_get_size (bytes) != sizeof *outcome)
    return false;
  memcpy (outcome, g_bytes_get_data (bytes, NULL), sizeof *outcome);
  return outcome->magic == KEEPER_OUTCOME_MAGIC && outcome->version == KEEPER_VERSION;
}

const struct keeper_outcome *
test_job_finish (TestJob *job)
{
  const struct keeper_event *done;
  struct keeper_outcome outcome;

  test_job_await (job, KEEPER_EVENT_DONE);
  g_assert_true (test_job_try_finish (job, DEADLINE));
  g_assert_cmpuint (job->n_left, ==, 0);

  g_assert_cmpuint (test_job_count (job, KEEPER_EVENT_DONE), ==, 1);
  done = &g_array_index (job->events, struct keeper_event, job->events->len - 1);
  g_assert_cmpuint (done->type, ==, KEEPER_EVENT_DONE);
  g_assert_cmpuint (job->counters->finished, ==, 1);
  g_assert_true (test_job_read_outcome (job, &outcome));
  g_assert_cmpmem (&outcome, sizeof outcome, &done->outcome, sizeof outcome);
  g_assert_cmpuint (outcome.size, ==, job->counters->size);
  g_assert_cmpint (outcome.ended_at, ==, done->at);
  return &done->outcome;
}

void
test_job_free (TestJob *job)
{
  if (job->pid > 0 && !job->reaped)
    {
      test_job_close_control (job);
      kill (job->pid, SIGKILL);
      waitpid (job->pid, NULL, 0);
      kill_descendants ();
    }
  close_fd (&job->control_fd);
  close_fd (&job->wakeup_fd);
  close_fd (&job->pty_fd);
  close_fd (&job->write_fd);
  for (int i = 0; i < 3; i++)
    {
      close_fd (&job->read_fd[i]);
      close_fd (&job->given_fd[i]);
    }
  shared_free (job->counters, sizeof *job->counters);
  job_directory_free (job->directory);
  g_array_unref (job->events);
  g_strfreev (job->argv);
  g_strfreev (job->environ);
  g_free (job->cwd);
  g_free (job->keeper);
  g_free (job);
}

void
test_job_freeze (TestJob *job)
{
  pid_t worker = test_job_get_worker (job);

  kill (job->pid, SIGSTOP);
  g_assert_true (wait_for_state (job->pid, "T"));
  kill (worker, SIGSTOP);
  g_assert_true (wait_for_state (worker, "T"));
}

void
test_job_thaw (TestJob *job)
{
  /* 0: it was killed meanwhile. */
  if (job->worker != 0)
    kill (job->worker, SIGCONT);
  kill (job->pid, SIGCONT);
}
