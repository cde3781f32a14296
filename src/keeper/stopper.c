/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See stopper.h. Who is to be signalled is found anew each time; how to signal safely is tree.c's.
 */
#include "stopper.h"

#include <signal.h>
#include <string.h>

/* A tree that forks faster than we can look is met again by SIGKILL, which comes in any case. */
#define MAX_ROUNDS 64

/* How often to look again while killing, if nothing is reaped meanwhile. */
#define KILL_INTERVAL 10000

/* What is alive this long after SIGKILL is stuck in the kernel, or not ours to kill. */
#define GIVE_UP_AFTER 1000000

/* Unless it only waits for a processor to end on, which on a busy machine a nice one may do for long. */
#define WAIT_FOR_PROCESSOR 10000000

void
stopper_init (struct stopper *stopper, int32_t leader, bool terminal)
{
  *stopper = (struct stopper) {
    .leader = leader,
    .session = leader,
    .terminal = terminal,
    .kill_at = KEEPER_NEVER,
    .next_at = KEEPER_NEVER,
    .give_up_at = KEEPER_NEVER,
  };
}

void
stopper_clear (struct stopper *stopper)
{
  tree_clear (&stopper->tree);
}

static void
signal_leader_group (struct stopper *stopper, int signal)
{
  if (stopper->leader != 0)
    tree_signal_group (stopper->leader, signal);
}

/* Marks @mark on, and signals, each process that does not have it, until no new ones appear. */
static void
for_each_unmarked (struct stopper *stopper,
                   uint32_t mark,
                   void (*act) (struct stopper *, struct tree_process *))
{
  size_t acted;
  int rounds = 0;

  do
    {
      acted = 0;
      tree_walk (&stopper->tree);
      for (size_t i = 0; i < stopper->tree.n; i++)
        {
          struct tree_process *process = &stopper->tree.processes[i];

          if (process->sent & mark)
            continue;
          process->sent |= mark;
          act (stopper, process);
          acted++;
        }
    }
  while (acted > 0 && ++rounds < MAX_ROUNDS);
}

/* SIGTERM stays pending in a stopped process, so SIGCONT follows. An interactive shell ignores
 * SIGTERM, and ends with its terminal: SIGHUP. */
static void
ask_to_end (struct stopper *stopper, struct tree_process *process)
{
  tree_signal (process, SIGTERM);
  if (stopper->terminal && process->session == stopper->session)
    tree_signal (process, SIGHUP);
  tree_signal (process, SIGCONT);
}

/* A signal to a group reaches all who are in it and all whom they were just making: who is new in it
 * afterwards was made in answer to it, by a trap that tidies up. */
static bool
is_answer (const struct stopper *stopper, const struct tree_process *process)
{
  return process->is_new && stopper->leader != 0 && process->group == stopper->leader;
}

static void
ask_others_to_end (struct stopper *stopper, struct tree_process *process)
{
  if (is_answer (stopper, process))
    process->sent |= TREE_SPARED;
  else
    ask_to_end (stopper, process);
}

static void
ask_group_to_end (struct stopper *stopper)
{
  tree_walk (&stopper->tree);
  for (size_t i = 0; i < stopper->tree.n; i++)
    if (stopper->leader != 0 && stopper->tree.processes[i].group == stopper->leader)
      stopper->tree.processes[i].sent |= TREE_SENT_TERM;

  signal_leader_group (stopper, SIGTERM);
  if (stopper->terminal)
    signal_leader_group (stopper, SIGHUP);
  signal_leader_group (stopper, SIGCONT);

  /* Whoever left the group meanwhile may not have got it. */
  tree_walk (&stopper->tree);
  for (size_t i = 0; i < stopper->tree.n; i++)
    {
      struct tree_process *process = &stopper->tree.processes[i];

      if (process->group != stopper->leader)
        process->sent &= ~(uint32_t) TREE_SENT_TERM;
      else if (is_answer (stopper, process))
        process->sent |= TREE_SENT_TERM | TREE_SPARED;
    }
}

static void
freeze (struct stopper *stopper, struct tree_process *process)
{
  (void) stopper;
  tree_signal (process, SIGSTOP);
}

static void
forget_mark (struct stopper *stopper, uint32_t mark)
{
  for (size_t i = 0; i < stopper->tree.n; i++)
    stopper->tree.processes[i].sent &= ~mark;
}

static void
kill_all (struct stopper *stopper, int64_t now)
{
  tree_walk (&stopper->tree);
  if (stopper->tree.n > 1)
    {
      /* What stands still cannot fork: freeze until nothing new appears, then kill. */
      forget_mark (stopper, TREE_SENT_STOP);
      for_each_unmarked (stopper, TREE_SENT_STOP, freeze);
    }

  signal_leader_group (stopper, SIGKILL);
  for (size_t i = 0; i < stopper->tree.n; i++)
    {
      struct tree_process *process = &stopper->tree.processes[i];

      if (tree_signal (process, SIGKILL))
        process->sent |= TREE_SENT_KILL;
      /* What is killed together with the leader is none of its leftovers, whichever ends first. */
      if (stopper->leader_ended && !(process->sent & TREE_SENT_COUNTED))
        stopper->leftovers++;
      process->sent |= TREE_SENT_COUNTED;
    }
  stopper->next_at = now + KILL_INTERVAL;
}

void
stopper_terminate (struct stopper *stopper, int64_t now, int64_t grace)
{
  int64_t kill_at = grace > KEEPER_NEVER - now ? KEEPER_NEVER : now + grace;

  if (stopper->phase == STOPPER_TERMINATING)
    {
      if (kill_at < stopper->kill_at)
        stopper->kill_at = stopper->next_at = kill_at;
      return;
    }
  if (stopper->phase != STOPPER_RESTING)
    return;
  if (grace <= 0)
    {
      stopper_kill (stopper, now);
      return;
    }

  stopper->phase = STOPPER_TERMINATING;
  stopper->kill_at = stopper->next_at = kill_at;
  ask_group_to_end (stopper);
  for_each_unmarked (stopper, TREE_SENT_TERM, ask_others_to_end);
  /* When the leader has ended it is their turn. */
  for (size_t i = 0; i < stopper->tree.n; i++)
    if (stopper->tree.processes[i].sent & TREE_SPARED)
      stopper->tree.processes[i].sent &= ~(uint32_t) (TREE_SENT_TERM | TREE_SPARED);
}

void
stopper_kill (struct stopper *stopper, int64_t now)
{
  if (stopper->phase >= STOPPER_KILLING)
    return;
  if (stopper->phase == STOPPER_TERMINATING)
    stopper->escalated = true;
  stopper->phase = STOPPER_KILLING;
  stopper->kill_at = now;
  stopper->give_up_at = now + GIVE_UP_AFTER;
  kill_all (stopper, now);
}

void
stopper_ask_newcomers (struct stopper *stopper)
{
  if (stopper->phase == STOPPER_TERMINATING)
    for_each_unmarked (stopper, TREE_SENT_TERM, ask_to_end);
}

size_t
stopper_leader_ended (struct stopper *stopper, bool count_leftovers)
{
  stopper->leader_ended = true;
  tree_walk (&stopper->tree);
  if (count_leftovers)
    for (size_t i = 0; i < stopper->tree.n; i++)
      {
        stopper->tree.processes[i].sent |= TREE_SENT_COUNTED;
        stopper->leftovers++;
      }
  return stopper->tree.n;
}

/* Who has been killed and is runnable ends as soon as it runs. Who has not been reached yet is none to give up
 * either: its parent may have died at that moment, and then nobody looked again in time on a busy machine. */
static bool
is_ending (struct stopper *stopper, int64_t now)
{
  if (now >= stopper->give_up_at - GIVE_UP_AFTER + WAIT_FOR_PROCESSOR)
    return false;
  tree_walk (&stopper->tree);
  for (size_t i = 0; i < stopper->tree.n; i++)
    {
      const struct tree_process *process = &stopper->tree.processes[i];

      if (!process->denied && (process->runnable || !(process->sent & TREE_SENT_KILL)))
        return true;
    }
  return false;
}

void
stopper_tick (struct stopper *stopper, int64_t now)
{
  if (stopper->phase == STOPPER_TERMINATING && now >= stopper->kill_at)
    {
      stopper_kill (stopper, now);
      return;
    }
  if (stopper->phase != STOPPER_KILLING)
    return;
  if (now >= stopper->give_up_at && !is_ending (stopper, now))
    {
      stopper->phase = STOPPER_GAVE_UP;
      stopper->next_at = KEEPER_NEVER;
      return;
    }
  kill_all (stopper, now);
}

int64_t
stopper_next (const struct stopper *stopper)
{
  return stopper->next_at;
}

void
stopper_pause (struct stopper *stopper)
{
  signal_leader_group (stopper, SIGSTOP);
  for_each_unmarked (stopper, TREE_SENT_STOP, freeze);
}

void
stopper_resume (struct stopper *stopper)
{
  tree_walk (&stopper->tree);
  for (size_t i = 0; i < stopper->tree.n; i++)
    tree_signal (&stopper->tree.processes[i], SIGCONT);
  forget_mark (stopper, TREE_SENT_STOP);
}

uint32_t
stopper_name_survivors (struct stopper *stopper, struct keeper_survivor *survivors)
{
  uint32_t n = 0;

  tree_walk (&stopper->tree);
  for (size_t i = 0; i < stopper->tree.n && n < KEEPER_MAX_SURVIVORS; i++, n++)
    {
      survivors[n].pid = stopper->tree.processes[i].pid;
      memcpy (survivors[n].name, stopper->tree.processes[i].name, sizeof survivors[n].name);
    }
  return n;
}
