/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the engine asks of the keeper: messages of any length and content, as the worker takes them
 * from its control socket, and the timer that it arms after each. There is no job: a keeper whose tree
 * is empty has nobody to signal.
 *
 * The input is a row of messages, each behind a byte that says its length.
 */
#include "fuzz.h"

/* The worker's own functions, which nobody else may call. */
#include "../../src/keeper/worker.c"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>

#define MAX_MESSAGES 64

static struct keeper_counters counters;

static void
open_worker (struct worker *worker, struct keeper *keeper, int control_fd)
{
  *keeper = (struct keeper) {
    .launch.block = {
      .control_fd = control_fd,
      .counters_fd = -1,
      .wakeup_fd = -1,
      .directory_fd = -1,
      .lock_fd = -1,
      .pty_fd = -1,
      .narration_fd = -1,
      .stdio = { { 0, -1 }, { 0, -1 }, { 0, -1 } },
    },
    .counters = &counters,
    .pty_fd = -1,
    .read_fds = { -1, -1 },
    .write_fds = { -1, -1 },
    .pair_fd = -1,
  };
  memset (&counters, 0, sizeof counters);
  *worker = (struct worker) {
    .keeper = keeper,
    .signal_fd = -1,
    .timer_fd = timerfd_create (CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC),
    .armed_at = KEEPER_NEVER,
    .slave_fd = -1,
    .listen_fd = -1,
    .command = { .error_fd = -1 },
    .grace = 5000000,
    .recorder = {
      .counters = &counters,
      .wakeup_fd = -1,
      .output_fd = -1,
      .index_fd = memfd_create ("fuzz-index", MFD_CLOEXEC),
    },
  };
  if (worker->timer_fd < 0 || worker->recorder.index_fd < 0)
    abort ();
  stopper_init (&worker->stopper, 0, false);
  limits_start (&worker->limits, clock_monotonic (), 0, 0);
}

/* The timer is armed, unless nothing is due ever: a limit that has passed must not go unseen. */
static void
check_timer (struct worker *worker)
{
  struct itimerspec timer;
  int64_t next = stopper_next (&worker->stopper);

  if (worker->stopper.phase == STOPPER_RESTING && limits_next (&worker->limits) < next)
    next = limits_next (&worker->limits);
  if (next == KEEPER_NEVER || next > clock_monotonic () + 1000000)
    return;
  /* One that has run out meanwhile can be read. */
  if (timerfd_gettime (worker->timer_fd, &timer) < 0)
    abort ();
  if (timer.it_value.tv_sec == 0 && timer.it_value.tv_nsec == 0)
    {
      struct pollfd expired = { .fd = worker->timer_fd, .events = POLLIN };
      int n;

      /* It may have run out without the kernel having come round to it. */
      do
        n = poll (&expired, 1, 1000);
      while (n < 0 && errno == EINTR);
      if (n != 1)
        abort ();
    }
}

static void
turn_once (struct worker *worker)
{
  worker_handle_control (worker);
  arm_timer (worker);
  check_timer (worker);
  handle_time (worker);
  arm_timer (worker);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  struct keeper keeper;
  struct worker worker;
  int pair[2];

  if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) < 0)
    abort ();
  open_worker (&worker, &keeper, pair[0]);

  for (int n = 0; n < MAX_MESSAGES && size > 0 && worker.stopper.phase != STOPPER_GAVE_UP; n++)
    {
      size_t length = data[0] < size - 1 ? data[0] : size - 1;

      if (length > 0 && send (pair[1], data + 1, length, MSG_NOSIGNAL) != (ssize_t) length)
        abort ();
      data += 1 + length;
      size -= 1 + length;
      turn_once (&worker);
      /* Its answers. */
      while (recv (pair[1], &(struct keeper_event) { 0 }, sizeof (struct keeper_event), 0) > 0)
        ;
    }
  close (pair[1]);
  turn_once (&worker);
  if (!worker.detached && worker.done.outcome.reason == KEEPER_REASON_NONE)
    abort ();

  close (pair[0]);
  close (worker.timer_fd);
  recorder_close (&worker.recorder);
  stopper_clear (&worker.stopper);
  return 0;
}
