/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the worker starts the command: its terminal, its descriptors, its limits' zero, and what the
 * command tells before it is executed. See worker-private.h.
 */
#include "worker-private.h"

#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

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
      worker_close_fd (&worker->keeper->launch.block.stdio[i].fd);
  worker_close_fd (&worker->keeper->write_fds[0]);
  worker_close_fd (&worker->keeper->write_fds[1]);
}

void
worker_start (struct worker *worker)
{
  struct keeper *keeper = worker->keeper;
  const struct keeper_launch *block = &keeper->launch.block;
  int64_t now = clock_monotonic ();
  int error, stdio[3];

  worker->recorder.started_at = now;
  error = open_slave (worker);
  if (error != 0)
    {
      worker_fail (worker, KEEPER_STEP_SESSION, error);
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
      worker_fail (worker, KEEPER_STEP_FORK, error);
      return;
    }
  keeper->counters->leader = worker->command.pid;
  recorder_start (&worker->recorder, now);
  limits_start (&worker->limits, now, block->timeout, block->idle);
  activity_start (&worker->activity, block->idle_by == KEEPER_IDLE_BY_ACTIVITY, now, block->idle, 0);
  stopper_init (&worker->stopper, worker->command.pid, keeper->pty_fd >= 0);
}

void
worker_handle_started (struct worker *worker)
{
  struct command_failure failure;
  ssize_t n = read (worker->command.error_fd, &failure, sizeof failure);

  if (n < 0 && errno == EINTR)
    return;
  worker_close_fd (&worker->command.error_fd);
  if (n == (ssize_t) sizeof failure)
    {
      worker_fail (worker, (enum keeper_step) failure.step, failure.error);
      return;
    }
  if (worker->started)
    return;
  worker->started = true;
  priority_start (&worker->priority, worker->keeper->launch.block.niceness, clock_monotonic ());
  worker_send_event (worker, KEEPER_EVENT_STARTED, worker->keeper->counters->started_at);
}
