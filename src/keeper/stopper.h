/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ends everything a job started: SIGTERM, one grace, SIGKILL until nothing is left, and after a
 * second of that it gives up. One stopper serves one job; the first cause is the reason. libc only.
 */
#pragma once

#include "protocol.h"
#include "tree.h"

enum stopper_phase
{
  STOPPER_RESTING,
  STOPPER_TERMINATING, /* the grace runs */
  STOPPER_KILLING,
  STOPPER_GAVE_UP, /* what is left cannot be ended */
};

struct stopper
{
  struct tree tree;
  enum stopper_phase phase;
  int32_t leader;     /* its process group; 0 once it has been reaped */
  bool leader_ended;  /* the command itself has ended */
  bool terminal;      /* there is a pty: SIGHUP too */
  int32_t session;    /* the leader's */
  uint32_t leftovers; /* descendants that had to be ended after the leader */
  bool escalated;
  int64_t kill_at;    /* when the grace ends */
  int64_t next_at;    /* when to look again */
  int64_t give_up_at;
};

void stopper_init (struct stopper *stopper, int32_t leader, bool terminal);
void stopper_clear (struct stopper *stopper);

/* Asks everything to end, and will kill what is left at @now + @grace. Asked again, the grace goes
 * on, or ends earlier if the new one would. */
void stopper_terminate (struct stopper *stopper, int64_t now, int64_t grace);

/* Asks what was born since, if everything is being asked to end. The grace goes on. */
void stopper_ask_newcomers (struct stopper *stopper);

/* Kills everything, now. */
void stopper_kill (struct stopper *stopper, int64_t now);

/* The leader has ended and is about to be reaped: the last moment at which its process group is
 * surely its own. Returns: how many descendants are still there. */
size_t stopper_leader_ended (struct stopper *stopper, bool count_leftovers);

/* To be called at stopper_next() and whenever something was reaped while stopping. */
void stopper_tick (struct stopper *stopper, int64_t now);

/* Returns: when to call stopper_tick(), or KEEPER_NEVER. */
int64_t stopper_next (const struct stopper *stopper);

/* SIGSTOP and SIGCONT to everything. */
void stopper_pause (struct stopper *stopper);
void stopper_resume (struct stopper *stopper);

/* Names what is still alive. Returns: how many, at most KEEPER_MAX_SURVIVORS are written. */
uint32_t stopper_name_survivors (struct stopper *stopper, struct keeper_survivor *survivors);
