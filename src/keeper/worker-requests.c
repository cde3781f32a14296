/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the engine asks of the worker, and how a job that was let go gets another engine. See
 * worker-private.h.
 */
#include "worker-private.h"

#include "adoption.h"
#include "clock.h"

#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

/* The engine lets the job go, or holds on to it again. One that nobody could meet again, for want
 * of a socket, is not let go. */
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

static void
handle_request (struct worker *worker, const struct keeper_request *request)
{
  int64_t now = clock_monotonic ();

  switch ((enum keeper_request_type) request->type)
    {
    case KEEPER_REQUEST_LIMITS:
      limits_activity (&worker->limits, worker_last_output (worker));
      limits_set (&worker->limits, now, request->wall_at, request->idle);
      activity_set_idle (&worker->activity, now, request->idle, worker->done.outcome.cpu);
      /* A silence that was only told of may be meant to end the job now. */
      if (worker->idle_action != request->idle_action)
        worker->limits.notified = false;
      worker->idle_action = request->idle_action;
      break;
    case KEEPER_REQUEST_STOP:
      worker_stop (worker, (enum keeper_reason) request->reason, now,
            request->grace < 0 ? worker->grace : request->grace);
      break;
    case KEEPER_REQUEST_KILL:
      worker_kill (worker, (enum keeper_reason) request->reason, now);
      break;
    case KEEPER_REQUEST_PAUSE:
      /* What is being ended is not held up: it would be killed for it. */
      if (worker->stopper.phase != STOPPER_RESTING)
        break;
      limits_activity (&worker->limits, worker_last_output (worker));
      worker_look_for_activity (worker, now);
      limits_pause (&worker->limits, now);
      stopper_pause (&worker->stopper);
      break;
    case KEEPER_REQUEST_RESUME:
      limits_activity (&worker->limits, worker_last_output (worker));
      limits_resume (&worker->limits, now);
      /* From here on: over the pause, what it used before would seem little. */
      activity_look (&worker->activity, now, worker->done.outcome.cpu);
      stopper_resume (&worker->stopper);
      break;
    case KEEPER_REQUEST_RESIZED:
      limits_resized (&worker->limits, now, worker_last_output (worker));
      recorder_resized (&worker->recorder, request->columns, request->rows, now);
      break;
    case KEEPER_REQUEST_ACTIVITY:
      worker_note_activity (worker, now);
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

void
worker_handle_control (struct worker *worker)
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
        worker_stop (worker, KEEPER_REASON_INTERRUPTED, clock_monotonic (), worker->grace);
      return;
    }
}

/* The warden gets the new engine's socket first: it must be able to tell it the end whatever happens
 * to this half. */
void
worker_handle_adoption (struct worker *worker)
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
  worker_handle_control (worker);
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
  worker_signal_warden (worker, WARDEN_SIGNAL_ADOPTED);
  close (block->control_fd);
  block->control_fd = fd;
  worker->engine_gone = false;
  if (worker->started)
    worker_send_event (worker, KEEPER_EVENT_STARTED, keeper->counters->started_at);
  if (worker->stopper.phase != STOPPER_RESTING)
    worker_send_event (worker, KEEPER_EVENT_STOPPING, clock_monotonic ());
}
