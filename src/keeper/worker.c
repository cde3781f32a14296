/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See worker.h. One loop over one poll: signals, one timer, the control socket, and the streams.
 * What to do when is decided here; how the command is started is in worker-start.c, what the engine
 * may ask in worker-requests.c, how to end a tree in stopper.c, how to record in recorder.c.
 */
#include "worker-private.h"

#include "adoption.h"
#include "clock.h"
#include "outcome.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

/* While killing what may not be signalled, its terminal is taken away halfway through. */
#define HANG_UP_AFTER 300000

/* So often the survivors are named anew because somebody has ended meanwhile. */
#define MAX_NAMINGS 8

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

void
worker_send_event (struct worker *worker, enum keeper_event_type type, int64_t now)
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

void
worker_set_reason (struct worker *worker, enum keeper_reason reason)
{
  if (worker->done.outcome.reason == KEEPER_REASON_NONE)
    worker->done.outcome.reason = reason;
}

void
worker_stop (struct worker *worker, enum keeper_reason reason, int64_t now, int64_t grace)
{
  bool was_killing = worker->stopper.phase >= STOPPER_KILLING;

  worker_set_reason (worker, reason);
  stopper_terminate (&worker->stopper, now, grace);
  if (!was_killing)
    worker_send_event (worker, KEEPER_EVENT_STOPPING, now);
}

void
worker_kill (struct worker *worker, enum keeper_reason reason, int64_t now)
{
  if (worker->stopper.phase >= STOPPER_KILLING)
    return;
  worker_set_reason (worker, reason);
  stopper_kill (&worker->stopper, now);
  worker_send_event (worker, KEEPER_EVENT_STOPPING, now);
}

void
worker_fail (struct worker *worker, enum keeper_step step, int error)
{
  worker_set_reason (worker, KEEPER_REASON_FAILED);
  if (worker->done.outcome.step == KEEPER_STEP_NONE)
    {
      worker->done.outcome.step = step;
      worker->done.outcome.error = error;
    }
}

void
worker_close_fd (int *fd)
{
  if (*fd >= 0)
    close (*fd);
  *fd = -1;
}

/* Once it has ended, its id may be a stranger's. */
void
worker_signal_warden (struct worker *worker, int signal)
{
  if (getppid () == worker->warden)
    kill (worker->warden, signal);
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
  worker_close_fd (&worker->slave_fd);
  worker_signal_warden (worker, WARDEN_SIGNAL_HANG_UP);
  worker_send_event (worker, KEEPER_EVENT_HANG_UP, now);
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
    worker_handle_started (worker);
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
    worker_set_reason (worker, WIFEXITED (status) ? KEEPER_REASON_EXITED : KEEPER_REASON_SIGNALED);
  worker_send_event (worker, KEEPER_EVENT_LEADER_EXITED, now);
  if (worker->stopper.phase == STOPPER_TERMINATING)
    worker_send_event (worker, KEEPER_EVENT_STOPPING, now);
}

/* Looks at who has ended before it takes the status, so that the leader is never reaped unseen.
 * Returns: how many were reaped. */
static size_t
reap (struct worker *worker)
{
  int64_t now = clock_monotonic ();
  struct rusage usage;
  size_t n = 0;
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
      n++;
      outcome_add_usage (&worker->done.outcome, &usage);
      if (info.si_pid == worker->command.pid)
        note_leader_status (worker, status, now);
    }
  if (!worker->tree_empty && worker->stopper.phase == STOPPER_KILLING)
    stopper_tick (&worker->stopper, now);
  return n;
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
        worker_stop (worker, KEEPER_REASON_INTERRUPTED, clock_monotonic (), worker->grace);
        break;
      default:
        worker_stop (worker, KEEPER_REASON_TERMINATED, clock_monotonic (), worker->grace);
        break;
      }
  reap (worker);
}

int64_t
worker_last_output (const struct worker *worker)
{
  const struct keeper_counters *counters = worker->keeper->counters;
  int64_t out = counters->last_output[KEEPER_STREAM_STDOUT];
  int64_t err = counters->last_output[KEEPER_STREAM_STDERR];

  return out > err ? out : err;
}

void
worker_note_activity (struct worker *worker, int64_t now)
{
  worker->keeper->counters->last_activity = now;
  limits_activity (&worker->limits, now);
}

void
worker_look_for_activity (struct worker *worker, int64_t now)
{
  if (worker->limits.paused_at == 0 &&
      activity_look (&worker->activity, now, worker->done.outcome.cpu))
    worker_note_activity (worker, now);
}

static void
handle_limits (struct worker *worker, int64_t now)
{
  if (worker->stopper.phase != STOPPER_RESTING)
    return;
  limits_activity (&worker->limits, worker_last_output (worker));
  if (limits_next (&worker->limits) <= now || activity_next (&worker->activity) <= now)
    worker_look_for_activity (worker, now);
  switch (limits_check (&worker->limits, now))
    {
    case LIMITS_WALL:
      worker_stop (worker, KEEPER_REASON_TIMEOUT, now, worker->grace);
      break;
    case LIMITS_IDLE:
      if (worker->idle_action == KEEPER_IDLE_NOTIFY)
        {
          limits_notified (&worker->limits);
          worker_send_event (worker, KEEPER_EVENT_IDLE_EXPIRED, now);
        }
      else
        {
          worker_stop (worker, KEEPER_REASON_IDLE_TIMEOUT, now, worker->grace);
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
    worker_send_event (worker, KEEPER_EVENT_ESCALATED, now);
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
    limits_activity (&worker->limits, worker_last_output (worker));
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
      limits_activity (&worker->limits, worker_last_output (worker));
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
    worker_handle_control (worker);
  if (polls[POLL_STARTED].revents != 0)
    worker_handle_started (worker);
  if (polls[POLL_ADOPTION].revents != 0)
    worker_handle_adoption (worker);
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

/* Who ends as it is given up, or as the survivors are named, is none of them, and has a status: the
 * leader is either reaped or named. What forks for ever is named as it was found last. */
static void
name_survivors (struct worker *worker)
{
  struct keeper_outcome *outcome = &worker->done.outcome;

  for (int i = 0; i < MAX_NAMINGS; i++)
    {
      outcome->n_survivors = stopper_name_survivors (&worker->stopper, outcome->survivors);
      if (reap (worker) == 0)
        break;
    }
}

static void
report (struct worker *worker)
{
  struct keeper *keeper = worker->keeper;
  struct keeper_outcome *outcome = &worker->done.outcome;

  if (worker->stopper.phase == STOPPER_GAVE_UP)
    name_survivors (worker);
  for (size_t i = 0; i < worker->n_streams; i++)
    stream_drain (&worker->streams[i], &worker->recorder);

  if (outcome->has_status)
    worker_set_reason (worker, WIFEXITED (outcome->wait_status) ? KEEPER_REASON_EXITED
                                                         : KEEPER_REASON_SIGNALED);
  worker->done.type = KEEPER_EVENT_DONE;
  worker->done.at = clock_monotonic ();
  recorder_finish (&worker->recorder, worker->done.at);
  outcome_from_counters (outcome, keeper->counters);
  outcome->escalated = worker->stopper.escalated;
  outcome->leftovers = worker->stopper.leftovers;
  outcome_set_end (outcome, keeper->counters, worker->done.at);

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
      worker_fail (&worker, KEEPER_STEP_KEEPER, errno);
      worker.tree_empty = true;
    }
  else
    {
      worker.n_streams = keeper_open_streams (keeper, worker.streams);
      worker_start (&worker);
      reap (&worker);
      /* If the warden died before the death signal was set, the signal will not come. */
      if (getppid () != warden)
        worker_stop (&worker, KEEPER_REASON_INTERRUPTED, clock_monotonic (), worker.grace);
    }

  while (!is_over (&worker))
    turn (&worker);

  report (&worker);
  finish_passing_on (&worker);
  /* Stopped, it would hold the lock for ever. */
  worker_signal_warden (&worker, SIGCONT);
  _exit (0);
}
