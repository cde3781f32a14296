/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See worker.h. One loop over one poll: signals, one timer, the control socket, and the streams.
 * What to do when is decided here; how to end a tree is stopper.c's, how to record is recorder.c's.
 */
#include "worker.h"

#include "activity.h"
#include "adoption.h"
#include "clock.h"
#include "command.h"
#include "job-limits.h"
#include "outcome.h"
#include "priority.h"
#include "stopper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* While killing what may not be signalled, its terminal is taken away halfway through. */
#define HANG_UP_AFTER 300000

enum
{
  POLL_SIGNALS,
  POLL_TIMER,
  POLL_CONTROL,
  POLL_STARTED,
  POLL_ADOPTION,
  POLL_STREAMS,
  POLL_TEES = POLL_STREAMS + KEEPER_N_STREAMS,
  N_POLLS = POLL_TEES + KEEPER_N_STREAMS,
};

struct worker
{
  struct keeper *keeper;
  int warden;
  int signal_fd;
  int timer_fd;
  int64_t armed_at; /* when the timer runs out, KEEPER_NEVER: not armed */
  int slave_fd; /* one slave of the pty, held until the tree is empty: without any it would give EIO */
  bool engine_gone;
  bool detached; /* the job goes on without an engine */
  int listen_fd; /* while it is detached: where a later engine comes */

  struct command command;
  bool started; /* the command has been executed */
  bool tree_empty;

  struct limits limits;
  uint32_t idle_action;
  struct activity activity;
  int64_t grace;
  struct stopper stopper;
  struct priority priority;
  struct recorder recorder;
  struct stream streams[KEEPER_N_STREAMS];
  size_t n_streams;

  struct keeper_event done;
};

static void
send_event (struct worker *worker, enum keeper_event_type type, int64_t now)
{
  const struct keeper_event event = {
    .type = type,
    .reason = worker->done.outcome.reason,
    .pid = worker->command.pid,
    .wait_status = worker->done.outcome.wait_status,
    .at = now,
    .kill_at = worker->stopper.kill_at,
  };

  keeper_send (worker->keeper, &event);
}

/* The first cause is the reason. */
static void
set_reason (struct worker *worker, enum keeper_reason reason)
{
  if (worker->done.outcome.reason == KEEPER_REASON_NONE)
    worker->done.outcome.reason = reason;
}

static void
stop (struct worker *worker, enum keeper_reason reason, int64_t now, int64_t grace)
{
  bool was_killing = worker->stopper.phase >= STOPPER_KILLING;

  set_reason (worker, reason);
  stopper_terminate (&worker->stopper, now, grace);
  if (!was_killing)
    send_event (worker, KEEPER_EVENT_STOPPING, now);
}

static void
kill_now (struct worker *worker, enum keeper_reason reason, int64_t now)
{
  if (worker->stopper.phase >= STOPPER_KILLING)
    return;
  set_reason (worker, reason);
  stopper_kill (&worker->stopper, now);
  send_event (worker, KEEPER_EVENT_STOPPING, now);
}

/* The command's own descriptors and the terminal. */

static void
close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

/* Characters, not bytes, are erased in UTF-8; and Ctrl+S must not seem to freeze a job. */
static void
set_up_terminal (struct worker *worker)
{
  const struct keeper_launch *block = &worker->keeper->launch.block;
  const struct winsize size = { .ws_row = block->rows, .ws_col = block->columns };
  struct termios attributes;

  if (tcgetattr (worker->slave_fd, &attributes) == 0)
    {
      attributes.c_iflag |= IUTF8;
      attributes.c_iflag &= ~(tcflag_t) (IXON | IXOFF);
      tcsetattr (worker->slave_fd, TCSANOW, &attributes);
    }
  if (size.ws_row > 0 && size.ws_col > 0)
    ioctl (worker->slave_fd, TIOCSWINSZ, &size);
}

static int
open_slave (struct worker *worker)
{
  if (worker->keeper->pty_fd < 0)
    return 0;
  worker->slave_fd = ioctl (worker->keeper->pty_fd, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (worker->slave_fd < 0)
    return errno;
  set_up_terminal (worker);
  return 0;
}

static int
command_descriptor (struct worker *worker, int i)
{
  const struct keeper_stdio *stdio = &worker->keeper->launch.block.stdio[i];

  switch (stdio->kind)
    {
    case KEEPER_STDIO_PTY:
      return worker->slave_fd;
    case KEEPER_STDIO_CAPTURE:
    case KEEPER_STDIO_TEE:
      return worker->keeper->write_fds[i - 1];
    case KEEPER_STDIO_PASS:
      return stdio->fd;
    case KEEPER_STDIO_NULL:
    default:
      return -1;
    }
}

/* What the command has now, and nobody else may keep open. */
static void
close_command_descriptors (struct worker *worker)
{
  for (int i = 0; i < 3; i++)
    if (worker->keeper->launch.block.stdio[i].kind == KEEPER_STDIO_PASS)
      close_fd (&worker->keeper->launch.block.stdio[i].fd);
  close_fd (&worker->keeper->write_fds[0]);
  close_fd (&worker->keeper->write_fds[1]);
}

static void
hang_up (struct worker *worker, int64_t now)
{
  if (worker->keeper->pty_fd < 0)
    return;
  for (size_t i = 0; i < worker->n_streams; i++)
    if (worker->streams[i].pty)
      {
        stream_drain (&worker->streams[i], &worker->recorder);
        stream_close (&worker->streams[i]);
      }
  worker->keeper->pty_fd = -1;
  close_fd (&worker->slave_fd);
  kill (worker->warden, WARDEN_SIGNAL_HANG_UP);
  send_event (worker, KEEPER_EVENT_HANG_UP, now);
}

/* The start. */

static void
fail (struct worker *worker, enum keeper_step step, int error)
{
  set_reason (worker, KEEPER_REASON_FAILED);
  if (worker->done.outcome.step == KEEPER_STEP_NONE)
    {
      worker->done.outcome.step = step;
      worker->done.outcome.error = error;
    }
}

static void
start (struct worker *worker)
{
  struct keeper *keeper = worker->keeper;
  const struct keeper_launch *block = &keeper->launch.block;
  int64_t now = clock_monotonic ();
  int error, stdio[3];

  worker->recorder.started_at = now;
  error = open_slave (worker);
  if (error != 0)
    {
      fail (worker, KEEPER_STEP_SESSION, error);
      return;
    }
  for (int i = 0; i < 3; i++)
    stdio[i] = command_descriptor (worker, i);
  if (block->rows > 0)
    recorder_resized (&worker->recorder, block->columns, block->rows, now);

  error = command_start (&worker->command, &keeper->launch, stdio, worker->slave_fd);
  close_command_descriptors (worker);
  if (error != 0)
    {
      fail (worker, KEEPER_STEP_FORK, error);
      return;
    }
  keeper->counters->leader = worker->command.pid;
  recorder_start (&worker->recorder, now);
  limits_start (&worker->limits, now, block->timeout, block->idle);
  activity_start (&worker->activity, block->idle_by == KEEPER_IDLE_BY_ACTIVITY, now, block->idle, 0);
  stopper_init (&worker->stopper, worker->command.pid, keeper->pty_fd >= 0);
}

/* The pipe that tells of exec has ended, or has told of a failure. */
static void
handle_started (struct worker *worker)
{
  struct command_failure failure;
  ssize_t n = read (worker->command.error_fd, &failure, sizeof failure);

  if (n < 0 && errno == EINTR)
    return;
  close_fd (&worker->command.error_fd);
  if (n == (ssize_t) sizeof failure)
    {
      fail (worker, (enum keeper_step) failure.step, failure.error);
      return;
    }
  if (worker->started)
    return;
  worker->started = true;
  priority_start (&worker->priority, worker->keeper->launch.block.niceness, clock_monotonic ());
  send_event (worker, KEEPER_EVENT_STARTED, worker->keeper->counters->started_at);
}

/* The end of processes. */

/* The leader is still a zombie, so its process group is its own: what it left is stopped now. */
static void
handle_leader_ended (struct worker *worker, int64_t now)
{
  bool natural = worker->stopper.phase == STOPPER_RESTING;
  bool wait = (worker->keeper->launch.block.flags & KEEPER_LEFTOVERS_WAIT) != 0;
  size_t left = stopper_leader_ended (&worker->stopper, natural && !wait);

  if (worker->command.error_fd >= 0)
    handle_started (worker);
  if (left > 0 && !natural)
    stopper_ask_newcomers (&worker->stopper);
  if (left > 0 && natural && !wait)
    stopper_terminate (&worker->stopper, now, worker->grace);
}

static void
note_leader_status (struct worker *worker, int status, int64_t now)
{
  struct keeper_counters *counters = worker->keeper->counters;
  struct keeper_outcome *outcome = &worker->done.outcome;

  worker->stopper.leader = 0;
  outcome->leader_end_at = now;
  if (outcome->reason == KEEPER_REASON_FAILED)
    return;

  counters->wait_status = outcome->wait_status = status;
  counters->has_status = outcome->has_status = 1;
  if ((worker->keeper->launch.block.flags & KEEPER_LEFTOVERS_WAIT) == 0)
    set_reason (worker, WIFEXITED (status) ? KEEPER_REASON_EXITED : KEEPER_REASON_SIGNALED);
  send_event (worker, KEEPER_EVENT_LEADER_EXITED, now);
  if (worker->stopper.phase == STOPPER_TERMINATING)
    send_event (worker, KEEPER_EVENT_STOPPING, now);
}

/* Looks at who has ended before it takes the status, so that the leader is never reaped unseen. */
static void
reap (struct worker *worker)
{
  int64_t now = clock_monotonic ();
  struct rusage usage;
  int status;

  for (;;)
    {
      siginfo_t info = { 0 };

      if (waitid (P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0)
        {
          worker->tree_empty = errno == ECHILD;
          break;
        }
      if (info.si_pid == 0)
        break;
      if (info.si_pid == worker->command.pid)
        handle_leader_ended (worker, now);
      if (wait4 (info.si_pid, &status, 0, &usage) != info.si_pid)
        break;
      outcome_add_usage (&worker->done.outcome, &usage);
      if (info.si_pid == worker->command.pid)
        note_leader_status (worker, status, now);
    }
  if (!worker->tree_empty && worker->stopper.phase == STOPPER_KILLING)
    stopper_tick (&worker->stopper, now);
}

/* What comes in. */

static void
handle_signals (struct worker *worker)
{
  struct signalfd_siginfo info;

  while (read (worker->signal_fd, &info, sizeof info) == sizeof info)
    switch (info.ssi_signo)
      {
      case SIGCHLD:
        break;
      case WORKER_SIGNAL_ORPHANED:
        stop (worker, KEEPER_REASON_INTERRUPTED, clock_monotonic (), worker->grace);
        break;
      default:
        stop (worker, KEEPER_REASON_TERMINATED, clock_monotonic (), worker->grace);
        break;
      }
  reap (worker);
}

/* The engine lets the job go, or holds on to it again. One that nobody could meet again, for want of
 * a socket, is not let go. */
static void
set_detached (struct worker *worker, bool detached)
{
  struct keeper_event event = { .type = KEEPER_EVENT_DETACHED, .at = clock_monotonic () };
  int directory_fd = worker->keeper->launch.block.directory_fd;

  if (!detached)
    adoption_close (directory_fd, &worker->listen_fd);
  else if (worker->listen_fd < 0)
    event.error = adoption_listen (directory_fd, &worker->listen_fd);
  worker->detached = detached && event.error == 0;
  event.detached = worker->detached;
  keeper_send (worker->keeper, &event);
}

static int64_t
last_output (const struct worker *worker)
{
  const struct keeper_counters *counters = worker->keeper->counters;
  int64_t out = counters->last_output[KEEPER_STREAM_STDOUT];
  int64_t err = counters->last_output[KEEPER_STREAM_STDERR];

  return out > err ? out : err;
}

/* A sign of life that is no output. */
static void
note_activity (struct worker *worker, int64_t now)
{
  worker->keeper->counters->last_activity = now;
  limits_activity (&worker->limits, now);
}

static void
look_for_activity (struct worker *worker, int64_t now)
{
  if (worker->limits.paused_at == 0 &&
      activity_look (&worker->activity, now, worker->done.outcome.cpu))
    note_activity (worker, now);
}

static void
handle_request (struct worker *worker, const struct keeper_request *request)
{
  int64_t now = clock_monotonic ();

  switch ((enum keeper_request_type) request->type)
    {
    case KEEPER_REQUEST_LIMITS:
      limits_activity (&worker->limits, last_output (worker));
      limits_set (&worker->limits, now, request->wall_at, request->idle);
      activity_set_idle (&worker->activity, now, request->idle, worker->done.outcome.cpu);
      /* A silence that was only told of may be meant to end the job now. */
      if (worker->idle_action != request->idle_action)
        worker->limits.notified = false;
      worker->idle_action = request->idle_action;
      break;
    case KEEPER_REQUEST_STOP:
      stop (worker, (enum keeper_reason) request->reason, now,
            request->grace < 0 ? worker->grace : request->grace);
      break;
    case KEEPER_REQUEST_KILL:
      kill_now (worker, (enum keeper_reason) request->reason, now);
      break;
    case KEEPER_REQUEST_PAUSE:
      /* What is being ended is not held up: it would be killed for it. */
      if (worker->stopper.phase != STOPPER_RESTING)
        break;
      limits_activity (&worker->limits, last_output (worker));
      look_for_activity (worker, now);
      limits_pause (&worker->limits, now);
      stopper_pause (&worker->stopper);
      break;
    case KEEPER_REQUEST_RESUME:
      limits_activity (&worker->limits, last_output (worker));
      limits_resume (&worker->limits, now);
      /* From here on: over the pause, what it used before would seem little. */
      activity_look (&worker->activity, now, worker->done.outcome.cpu);
      stopper_resume (&worker->stopper);
      break;
    case KEEPER_REQUEST_RESIZED:
      limits_resized (&worker->limits, now, last_output (worker));
      recorder_resized (&worker->recorder, request->columns, request->rows, now);
      break;
    case KEEPER_REQUEST_ACTIVITY:
      note_activity (worker, now);
      break;
    case KEEPER_REQUEST_DETACH:
      set_detached (worker, true);
      break;
    case KEEPER_REQUEST_ATTACH:
      set_detached (worker, false);
      break;
    default:
      break;
    }
}

/* The app's death is told by the end of its socket. */
static void
handle_control (struct worker *worker)
{
  struct keeper_request request;
  int fd = worker->keeper->launch.block.control_fd;

  for (;;)
    {
      ssize_t n = recv (fd, &request, sizeof request, MSG_DONTWAIT | MSG_TRUNC);

      if (n == (ssize_t) sizeof request)
        {
          handle_request (worker, &request);
          continue;
        }
      /* An engine that ends with events unread: told once, before what it had asked. */
      if (n > 0 || (n < 0 && (errno == EINTR || errno == ECONNRESET)))
        continue;
      if (n < 0 && errno == EAGAIN)
        return;
      worker->engine_gone = true;
      if (!worker->detached)
        stop (worker, KEEPER_REASON_INTERRUPTED, clock_monotonic (), worker->grace);
      return;
    }
}

/* An engine has come for the job. The warden gets its socket first: it must be able to tell it the end
 * whatever happens to this half. */
static void
handle_adoption (struct worker *worker)
{
  struct keeper *keeper = worker->keeper;
  struct keeper_launch *block = &keeper->launch.block;
  const int given[3] = { block->counters_fd, block->wakeup_fd, keeper->pty_fd };
  struct keeper_adoption adoption = {
    .magic = KEEPER_ADOPTION_MAGIC,
    .version = KEEPER_VERSION,
    .layout = KEEPER_LAYOUT,
    .limits = worker->limits,
    .idle_action = worker->idle_action,
  };
  const int nothing[3] = { -1, -1, -1 };
  int fd = adoption_accept (worker->listen_fd);

  if (fd < 0)
    return;
  /* The end of the last one's socket may not have been looked at yet. */
  handle_control (worker);
  if (!worker->engine_gone)
    {
      adoption.error = EBUSY;
      adoption_tell (fd, &adoption, nothing);
      close (fd);
      return;
    }
  if (!adoption_share (keeper->pair_fd, fd) || !adoption_tell (fd, &adoption, given))
    {
      close (fd);
      return;
    }
  kill (worker->warden, WARDEN_SIGNAL_ADOPTED);
  close (block->control_fd);
  block->control_fd = fd;
  worker->engine_gone = false;
  if (worker->started)
    send_event (worker, KEEPER_EVENT_STARTED, keeper->counters->started_at);
  if (worker->stopper.phase != STOPPER_RESTING)
    send_event (worker, KEEPER_EVENT_STOPPING, clock_monotonic ());
}

static void
handle_limits (struct worker *worker, int64_t now)
{
  if (worker->stopper.phase != STOPPER_RESTING)
    return;
  limits_activity (&worker->limits, last_output (worker));
  if (limits_next (&worker->limits) <= now || activity_next (&worker->activity) <= now)
    look_for_activity (worker, now);
  switch (limits_check (&worker->limits, now))
    {
    case LIMITS_WALL:
      stop (worker, KEEPER_REASON_TIMEOUT, now, worker->grace);
      break;
    case LIMITS_IDLE:
      if (worker->idle_action == KEEPER_IDLE_NOTIFY)
        {
          limits_notified (&worker->limits);
          send_event (worker, KEEPER_EVENT_IDLE_EXPIRED, now);
        }
      else
        {
          stop (worker, KEEPER_REASON_IDLE_TIMEOUT, now, worker->grace);
        }
      break;
    case LIMITS_HOLD:
    default:
      break;
    }
}

static void
handle_time (struct worker *worker)
{
  int64_t now = clock_monotonic ();
  bool was_terminating = worker->stopper.phase == STOPPER_TERMINATING;
  uint64_t expirations;
  ssize_t n = read (worker->timer_fd, &expirations, sizeof expirations);

  (void) n;
  worker->armed_at = KEEPER_NEVER;
  handle_limits (worker, now);
  if (worker->stopper.phase == STOPPER_RESTING)
    priority_tick (&worker->priority, worker->stopper.leader, now);
  if (stopper_next (&worker->stopper) > now)
    return;
  stopper_tick (&worker->stopper, now);
  if (was_terminating && worker->stopper.phase == STOPPER_KILLING)
    send_event (worker, KEEPER_EVENT_ESCALATED, now);
  if (worker->stopper.phase == STOPPER_KILLING && now >= worker->stopper.kill_at + HANG_UP_AFTER)
    hang_up (worker, now);
}

static int64_t
earlier (int64_t a, int64_t b)
{
  return a < b ? a : b;
}

static void
arm_timer (struct worker *worker)
{
  int64_t next = stopper_next (&worker->stopper);
  struct itimerspec timer = { 0 };

  /* Nothing is due after a silence that was told of: a sign of life makes the next one due. */
  if (worker->limits.notified)
    limits_activity (&worker->limits, last_output (worker));
  if (worker->stopper.phase == STOPPER_RESTING)
    {
      next = earlier (next, limits_next (&worker->limits));
      if (worker->limits.paused_at == 0)
        next = earlier (next, activity_next (&worker->activity));
      next = earlier (next, priority_next (&worker->priority));
    }
  /* What was due before time began would not be armed at all. */
  if (next < 1)
    next = 1;
  /* One that comes too early is armed anew then. An idle limit moves on with all output. */
  if (next >= worker->armed_at)
    return;
  worker->armed_at = next;
  timer.it_value.tv_sec = next / 1000000;
  timer.it_value.tv_nsec = next % 1000000 * 1000;
  timerfd_settime (worker->timer_fd, TFD_TIMER_ABSTIME, &timer, NULL);
}

/* While its reader does not take what the job wrote, the job is not idle: it waits. */
static void
hold_idle_while_stalled (struct worker *worker)
{
  bool stalled = false;

  for (size_t i = 0; i < worker->n_streams; i++)
    stalled = stalled || stream_is_stalled (&worker->streams[i]);
  if (stalled)
    {
      limits_activity (&worker->limits, last_output (worker));
      limits_hold_idle (&worker->limits, clock_monotonic ());
    }
  else
    {
      limits_release_idle (&worker->limits, clock_monotonic ());
    }
}

static void
fill_polls (const struct worker *worker, struct pollfd polls[N_POLLS])
{
  for (int i = 0; i < N_POLLS; i++)
    polls[i] = (struct pollfd) { .fd = -1 };
  polls[POLL_SIGNALS] = (struct pollfd) { .fd = worker->signal_fd, .events = POLLIN };
  polls[POLL_TIMER] = (struct pollfd) { .fd = worker->timer_fd, .events = POLLIN };
  if (!worker->engine_gone)
    polls[POLL_CONTROL] =
      (struct pollfd) { .fd = worker->keeper->launch.block.control_fd, .events = POLLIN };
  polls[POLL_STARTED] = (struct pollfd) { .fd = worker->command.error_fd, .events = POLLIN };
  polls[POLL_ADOPTION] = (struct pollfd) { .fd = worker->listen_fd, .events = POLLIN };
  for (size_t i = 0; i < worker->n_streams; i++)
    {
      const struct stream *stream = &worker->streams[i];

      if (stream_is_stalled (stream))
        polls[POLL_TEES + i] = (struct pollfd) { .fd = stream->tee_fd, .events = POLLOUT };
      else
        polls[POLL_STREAMS + i] = (struct pollfd) { .fd = stream->fd, .events = POLLIN };
    }
}

/* Waits for those that there are: more than a process may have open are refused. Returns: as poll. */
static int
poll_open (struct pollfd polls[N_POLLS])
{
  struct pollfd open[N_POLLS];
  int places[N_POLLS], n = 0, status;

  for (int i = 0; i < N_POLLS; i++)
    if (polls[i].fd >= 0)
      {
        places[n] = i;
        open[n++] = polls[i];
      }
  status = poll (open, (nfds_t) n, -1);
  for (int i = 0; status > 0 && i < n; i++)
    polls[places[i]].revents = open[i].revents;
  return status;
}

/* One turn. Signals and requests come before output: Kill does not queue behind a flood. */
static void
turn (struct worker *worker)
{
  struct pollfd polls[N_POLLS];

  arm_timer (worker);
  fill_polls (worker, polls);
  if (poll_open (polls) < 0)
    return;

  if (polls[POLL_CONTROL].revents != 0)
    handle_control (worker);
  if (polls[POLL_STARTED].revents != 0)
    handle_started (worker);
  if (polls[POLL_ADOPTION].revents != 0)
    handle_adoption (worker);
  if (polls[POLL_SIGNALS].revents != 0)
    handle_signals (worker);
  if (polls[POLL_TIMER].revents != 0)
    handle_time (worker);
  for (size_t i = 0; i < worker->n_streams; i++)
    {
      if (polls[POLL_TEES + i].revents != 0)
        stream_pass_on (&worker->streams[i]);
      if (polls[POLL_STREAMS + i].revents != 0)
        stream_read (&worker->streams[i], &worker->recorder);
    }
  hold_idle_while_stalled (worker);
}

/* The end. */

static bool
is_over (const struct worker *worker)
{
  return worker->tree_empty || worker->stopper.phase == STOPPER_GAVE_UP;
}

static void
report (struct worker *worker)
{
  struct keeper *keeper = worker->keeper;
  struct keeper_outcome *outcome = &worker->done.outcome;

  for (size_t i = 0; i < worker->n_streams; i++)
    stream_drain (&worker->streams[i], &worker->recorder);

  if (outcome->has_status)
    set_reason (worker, WIFEXITED (outcome->wait_status) ? KEEPER_REASON_EXITED
                                                         : KEEPER_REASON_SIGNALED);
  worker->done.type = KEEPER_EVENT_DONE;
  worker->done.at = clock_monotonic ();
  recorder_finish (&worker->recorder, worker->done.at);
  outcome_from_counters (outcome, keeper->counters);
  outcome->escalated = worker->stopper.escalated;
  outcome->leftovers = worker->stopper.leftovers;
  if (worker->stopper.phase == STOPPER_GAVE_UP)
    outcome->n_survivors = stopper_name_survivors (&worker->stopper, outcome->survivors);
  outcome->ended_at = worker->done.at;
  outcome->ended_real = clock_real ();

  outcome_write (outcome, keeper->launch.block.directory_fd);
  adoption_close (keeper->launch.block.directory_fd, &worker->listen_fd);
  recorder_wake (&worker->recorder);
  /* Killed in between there is no message, but the outcome is on disk; never two of either. */
  keeper->counters->finished = 1;
  keeper_send (keeper, &worker->done);
}

/* The job has finished; its reader may not have read all of it. Ends with the reader or the engine. */
static void
finish_passing_on (struct worker *worker)
{
  for (size_t i = 0; i < worker->n_streams; i++)
    {
      struct stream *stream = &worker->streams[i];

      while (stream_is_stalled (stream))
        {
          struct pollfd polls[] = {
            { .fd = stream->tee_fd, .events = POLLOUT },
            { .fd = worker->keeper->launch.block.control_fd, .events = 0 },
          };

          if (poll (polls, 2, -1) < 0)
            continue;
          if (polls[1].revents != 0)
            return;
          stream_pass_on (stream);
        }
    }
}

static int
open_signals (void)
{
  sigset_t signals;

  sigemptyset (&signals);
  sigaddset (&signals, SIGCHLD);
  sigaddset (&signals, SIGTERM);
  sigaddset (&signals, SIGINT);
  sigaddset (&signals, SIGHUP);
  sigaddset (&signals, WORKER_SIGNAL_ORPHANED);
  return signalfd (-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
}

void
worker_run (struct keeper *keeper, int warden)
{
  const struct keeper_launch *block = &keeper->launch.block;
  struct worker worker = {
    .keeper = keeper,
    .warden = warden,
    .armed_at = KEEPER_NEVER,
    .slave_fd = -1,
    .listen_fd = -1,
    .command = { .error_fd = -1 },
    .idle_action = block->idle_action,
    .grace = block->grace,
  };

  prctl (PR_SET_CHILD_SUBREAPER, 1);
  prctl (PR_SET_PDEATHSIG, WORKER_SIGNAL_ORPHANED);
  stopper_init (&worker.stopper, 0, false);
  limits_start (&worker.limits, 0, 0, 0);

  worker.signal_fd = open_signals ();
  worker.timer_fd = timerfd_create (CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  recorder_open (&worker.recorder, keeper->counters, block->wakeup_fd, block->directory_fd,
                 block->output_limit, false);
  if (worker.signal_fd < 0 || worker.timer_fd < 0)
    {
      fail (&worker, KEEPER_STEP_KEEPER, errno);
      worker.tree_empty = true;
    }
  else
    {
      worker.n_streams = keeper_open_streams (keeper, worker.streams);
      start (&worker);
      reap (&worker);
      /* If the warden died before the death signal was set, the signal will not come. */
      if (getppid () != warden)
        stop (&worker, KEEPER_REASON_INTERRUPTED, clock_monotonic (), worker.grace);
    }

  while (!is_over (&worker))
    turn (&worker);

  report (&worker);
  finish_passing_on (&worker);
  /* Stopped, it would hold the lock for ever. */
  if (getppid () == warden)
    kill (warden, SIGCONT);
  _exit (0);
}
