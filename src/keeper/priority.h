/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The CPU priority of the keeper and the job: lower than what they inherit, so that a busy job leaves
 * the window its share. Best effort: no job fails for it, or waits. libc only.
 *
 * Where the kernel shares the CPU between sessions (autogroup), niceness counts only within one, and a
 * session has one as a whole. All ordinary users together may set that of one in 100 ms: who comes too
 * early asks again.
 */
#pragma once

#include <stdint.h>
#include <sys/types.h>

enum priority_session
{
  PRIORITY_NO_SESSION,
  PRIORITY_KEEPER,
  PRIORITY_COMMAND, /* first: it is the one that may be busy */
};

/* The sessions whose niceness is still to be set. All zero: none. */
struct priority
{
  enum priority_session session; /* the next, and all before it */
  int32_t niceness;
  uint32_t refused; /* how often */
  int64_t next_at;
};

/* Adds @niceness to the caller's, and not to its session's. 0 or less changes nothing. What is forked
 * afterwards inherits it. */
void priority_lower (int32_t niceness);

/* Sets that of the caller's session, unless it has one: after setsid(). Returns: 0 or an errno, EAGAIN
 * for too early. */
int priority_lower_session (int32_t niceness);

/* What is left to do when the command runs in a session of its own, and has tried. */
void priority_start (struct priority *priority, int32_t niceness, int64_t now);

/* Tries again, if it is time to. @leader leads the command's session, and is not reaped; 0 once it is. */
void priority_tick (struct priority *priority, pid_t leader, int64_t now);

/* Returns: when to call priority_tick(), or KEEPER_NEVER. */
int64_t priority_next (const struct priority *priority);
