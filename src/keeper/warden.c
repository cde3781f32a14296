/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See warden.h. The warden is a subreaper too, so that what the worker kept together stays together
 * when the worker is killed.
 */
#include "warden.h"

#include "adoption.h"
#include "clock.h"
#include "outcome.h"
#include "priority.h"
#include "stopper.h"
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long to wait for a child to end before looking at the tree again. */
#define TAKE_OVER_INTERVAL 10000000 /* nanoseconds */

/* A job that writes much is read with few system calls. Failing to is no loss. */
#define PIPE_SIZE (1024 * 1024)

void
keeper_send (const struct keeper *keeper, const struct keeper_event *event)
{
  ssize_t n = send (keeper->launch.block.control_fd, event, sizeof *event, MSG_NOSIGNAL | MSG_DONTWAIT);

  (void) n; /* the engine may be gone; the outcome is on disk */
}

static int
tee_of (const struct keeper *keeper, int i, enum keeper_stdio_kind kind)
{
  const struct keeper_stdio *stdio = &keeper->launch.block.stdio[i + 1];

  return stdio->kind == kind ? stdio->fd : -1;
}

size_t
keeper_open_streams (struct keeper *keeper, struct stream streams[KEEPER_N_STREAMS])
{
  size_t n = 0;

  if (keeper->pty_fd >= 0 && stream_open (&streams[n], KEEPER_STREAM_STDOUT, keeper->pty_fd, true,
                                          tee_of (keeper, 0, KEEPER_STDIO_PTY)) == 0)
    n++;
  for (int i = 0; i < KEEPER_N_STREAMS && n < KEEPER_N_STREAMS; i++)
    if (keeper->read_fds[i] >= 0 &&
        stream_open (&streams[n], (enum keeper_stream) i, keeper->read_fds[i], false,
                     tee_of (keeper, i, KEEPER_STDIO_TEE)) == 0)
      n++;
  return n;
}

static int
map_counters (struct keeper *keeper)
{
  void *page = mmap (NULL, sizeof *keeper->counters, PROT_READ | PROT_WRITE, MAP_SHARED,
                     keeper->launch.block.counters_fd, 0);

  if (page == MAP_FAILED)
    return errno;
  keeper->counters = page;
  return 0;
}

/* The pipes are made here, so that the warden can drain them if the worker dies. */
static int
make_pipes (struct keeper *keeper)
{
  for (int i = 0; i < 2; i++)
    {
      uint32_t kind = keeper->launch.block.stdio[i + 1].kind;
      int fds[2];

      keeper->read_fds[i] = keeper->write_fds[i] = -1;
      /* The command's own stdout is a protocol's; what is told about it takes its place. */
      if (i == 0 && kind == KEEPER_STDIO_PASS && keeper->launch.block.narration_fd > 2)
        keeper->read_fds[i] = keeper->launch.block.narration_fd;
      if (kind != KEEPER_STDIO_CAPTURE && kind != KEEPER_STDIO_TEE)
        continue;
      if (pipe2 (fds, O_CLOEXEC) < 0)
        return errno;
      fcntl (fds[0], F_SETPIPE_SZ, PIPE_SIZE);
      keeper->read_fds[i] = fds[0];
      keeper->write_fds[i] = fds[1];
    }
  return 0;
}

static void
close_writing_ends (struct keeper *keeper)
{
  for (int i = 0; i < 2; i++)
    {
      if (keeper->write_fds[i] >= 0)
        close (keeper->write_fds[i]);
      keeper->write_fds[i] = -1;
    }
}

/* What is only the worker's and the command's: a copy here would keep a reader from seeing its end. */
static void
close_passed (struct keeper *keeper)
{
  for (int i = 0; i < 3; i++)
    {
      struct keeper_stdio *stdio = &keeper->launch.block.stdio[i];

      if (stdio->fd >= 0)
        close (stdio->fd);
      stdio->fd = -1;
    }
}

static void
report (struct keeper *keeper, struct keeper_event *done)
{
  const struct keeper_launch *block = &keeper->launch.block;

  outcome_write (&done->outcome, block->directory_fd);
  unlinkat (block->directory_fd, KEEPER_FILE_CONTROL, 0);
  keeper_send (keeper, done);
  keeper->counters->finished = 1;
}

/* The job could not even be begun: still, its end is told like any other. */
static int
fail (struct keeper *keeper, int error)
{
  struct keeper_event done = { .type = KEEPER_EVENT_DONE, .at = clock_monotonic () };

  outcome_from_counters (&done.outcome, keeper->counters);
  done.outcome.reason = KEEPER_REASON_FAILED;
  done.outcome.step = KEEPER_STEP_KEEPER;
  done.outcome.error = error;
  outcome_set_end (&done.outcome, keeper->counters, done.at);
  report (keeper, &done);
  return 0;
}

/* Reaps all that has ended. Returns: whether children are left. */
static bool
reap (struct keeper *keeper, struct stopper *stopper, struct keeper_outcome *outcome)
{
  struct rusage usage;
  int status;
  pid_t pid;

  while ((pid = wait4 (-1, &status, WNOHANG, &usage)) > 0)
    {
      outcome_add_usage (outcome, &usage);
      if (pid == keeper->counters->leader)
        {
          keeper->counters->wait_status = status;
          keeper->counters->has_status = 1;
          stopper->leader = 0;
          stopper->leader_ended = true;
        }
    }
  return pid == 0 || errno != ECHILD;
}

/* The worker is dead: kills what it had kept, records what it had not, and tells how it ended. */
static void
take_over (struct keeper *keeper)
{
  struct keeper_event done = { .type = KEEPER_EVENT_DONE };
  struct stream streams[KEEPER_N_STREAMS];
  struct recorder recorder;
  struct stopper stopper;
  const struct timespec interval = { .tv_nsec = TAKE_OVER_INTERVAL };
  sigset_t child;
  size_t n_streams;

  sigemptyset (&child);
  sigaddset (&child, SIGCHLD);
  /* The leader's group cannot be trusted: who knows when it was reaped. */
  stopper_init (&stopper, 0, keeper->pty_fd >= 0);
  stopper.leader_ended = keeper->counters->has_status != 0;

  stopper_kill (&stopper, clock_monotonic ());
  while (reap (keeper, &stopper, &done.outcome) && stopper.phase != STOPPER_GAVE_UP)
    {
      sigtimedwait (&child, NULL, &interval);
      stopper_tick (&stopper, clock_monotonic ());
    }

  recorder_open (&recorder, keeper->counters, keeper->launch.block.wakeup_fd,
                 keeper->launch.block.directory_fd, keeper->launch.block.output_limit, true);
  n_streams = keeper_open_streams (keeper, streams);
  for (size_t i = 0; i < n_streams; i++)
    stream_drain (&streams[i], &recorder);

  done.at = clock_monotonic ();
  recorder_finish (&recorder, done.at);
  outcome_from_counters (&done.outcome, keeper->counters);
  done.outcome.reason = KEEPER_REASON_INTERRUPTED;
  done.outcome.escalated = 1;
  done.outcome.leftovers = stopper.leftovers;
  done.outcome.n_survivors =
    stopper.phase == STOPPER_GAVE_UP ? stopper_name_survivors (&stopper, done.outcome.survivors) : 0;
  done.outcome.leader_end_at = done.at;
  outcome_set_end (&done.outcome, keeper->counters, done.at);
  report (keeper, &done);
}

/* An engine has taken over a job that was let go: it is the one to tell. */
static void
take_new_engine (struct keeper *keeper)
{
  int fd = adoption_take_shared (keeper->pair_fd);

  if (fd < 0)
    return;
  close (keeper->launch.block.control_fd);
  keeper->launch.block.control_fd = fd;
}

/* Waits for the worker, which is not let stand still; what asks the keeper to stop is passed on to it. */
static int
wait_for_worker (struct keeper *keeper, pid_t worker, const sigset_t *signals)
{
  for (;;)
    {
      int status, signal = sigwaitinfo (signals, NULL);
      pid_t pid;

      if (signal == SIGTERM || signal == SIGINT || signal == SIGHUP)
        kill (worker, SIGTERM);
      if (signal == WARDEN_SIGNAL_HANG_UP && keeper->pty_fd >= 0)
        {
          close (keeper->pty_fd);
          keeper->pty_fd = -1;
        }
      if (signal == WARDEN_SIGNAL_ADOPTED)
        take_new_engine (keeper);
      while ((pid = waitpid (-1, &status, WNOHANG | WUNTRACED)) > 0)
        {
          if (pid == worker && !WIFSTOPPED (status))
            return status;
          /* Somebody has stopped it: no limit would be held, and no output taken. */
          if (pid == worker)
            kill (worker, SIGCONT);
        }
    }
}

static bool
engine_is_gone (const struct keeper *keeper)
{
  struct pollfd control = { .fd = keeper->launch.block.control_fd, .events = 0 };

  return poll (&control, 1, 0) == 1;
}

int
warden_run (int launch_fd)
{
  static struct keeper keeper; /* as long as the process, as what the launch block holds */
  sigset_t signals;
  pid_t warden = getpid (), worker;
  int error, status, pair[2];

  /* Nothing that is asked of the keeper before it listens may be lost, and a terminal's Ctrl+C is
   * not meant for it. */
  sigemptyset (&signals);
  sigaddset (&signals, SIGCHLD);
  sigaddset (&signals, SIGTERM);
  sigaddset (&signals, SIGINT);
  sigaddset (&signals, SIGHUP);
  sigaddset (&signals, WORKER_SIGNAL_ORPHANED);
  sigaddset (&signals, WARDEN_SIGNAL_HANG_UP);
  sigprocmask (SIG_BLOCK, &signals, NULL);
  signal (SIGPIPE, SIG_IGN);
  signal (SIGXFSZ, SIG_IGN);
  setsid ();

  if (launch_read (&keeper.launch, launch_fd) != 0 ||
      launch_adopt_descriptors (&keeper.launch) != 0 || map_counters (&keeper) != 0)
    return 125;
  tree_reserve ();
  keeper.pty_fd = keeper.launch.block.pty_fd;
  priority_lower (keeper.launch.block.niceness);

  prctl (PR_SET_CHILD_SUBREAPER, 1);
  error = make_pipes (&keeper);
  if (error != 0)
    return fail (&keeper, error);
  if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
    return fail (&keeper, errno);
  keeper.pair_fd = pair[1];
  worker = fork ();
  if (worker < 0)
    return fail (&keeper, errno);
  if (worker == 0)
    {
      close (pair[0]);
      worker_run (&keeper, warden);
    }

  keeper.pair_fd = pair[0];
  close (pair[1]);
  close_writing_ends (&keeper);
  close_passed (&keeper);
  status = wait_for_worker (&keeper, worker, &signals);
  /* The worker may have ended before its signal was seen. */
  take_new_engine (&keeper);
  if ((!WIFEXITED (status) || WEXITSTATUS (status) != 0) && keeper.counters->finished == 0)
    take_over (&keeper);
  /* Without an engine nobody else removes the directory. */
  if ((keeper.launch.block.flags & KEEPER_SCRATCH) != 0 && engine_is_gone (&keeper))
    outcome_remove_directory (keeper.launch.block.directory_fd);
  return 0;
}
