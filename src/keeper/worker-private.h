/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of the worker, for worker*.c only: worker.c is its loop, worker-start.c starts the
 * command, worker-requests.c does what the engine asks. libc only.
 */
#pragma once

#include <stdbool.h>

#include "activity.h"
#include "command.h"
#include "job-limits.h"
#include "priority.h"
#include "stopper.h"
#include "worker.h"

struct worker
{
  struct keeper *keeper;
  int warden;
  int signal_fd;
  int timer_fd;
  int64_t armed_at; /* when the timer runs out, KEEPER_NEVER: not armed */
  int slave_fd; /* a slave of the pty, held until the tree is empty: without any it gives EIO */
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

void worker_close_fd (int *fd);

/* Nothing happens if it is dead. */
void worker_signal_warden (struct worker *worker, int signal);

/* Tells the engine, with the reason and what is known of the end so far. */
void worker_send_event (struct worker *worker, enum keeper_event_type type, int64_t now);

/* The first cause is the reason. */
void worker_set_reason (struct worker *worker, enum keeper_reason reason);

/* It could not be started: the first failure counts. */
void worker_fail (struct worker *worker, enum keeper_step step, int error);

/* Ends the job, with a grace and without. */
void worker_stop (struct worker *worker, enum keeper_reason reason, int64_t now, int64_t grace);
void worker_kill (struct worker *worker, enum keeper_reason reason, int64_t now);

/* Signs of life: when there was output, one that is no output, and a look for CPU time. */
int64_t worker_last_output (const struct worker *worker);
void worker_note_activity (struct worker *worker, int64_t now);
void worker_look_for_activity (struct worker *worker, int64_t now);

/* worker-start.c. The second: the pipe that tells of exec has ended, or has told of a failure. */
void worker_start (struct worker *worker);
void worker_handle_started (struct worker *worker);

/* worker-requests.c: there is something on the control socket, whose end is the engine's; an engine
 * has come for the job. */
void worker_handle_control (struct worker *worker);
void worker_handle_adoption (struct worker *worker);
