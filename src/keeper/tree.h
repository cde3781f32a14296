/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The descendants of this process, a child subreaper: who they are, and how to signal each of them
 * without ever hitting a stranger. libc only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a process has been sent, for tree_process.sent. */
enum tree_sent
{
  TREE_SENT_TERM = 1 << 0,
  TREE_SENT_STOP = 1 << 1,
  TREE_SENT_KILL = 1 << 2,
  TREE_SENT_COUNTED = 1 << 3,
  TREE_SPARED = 1 << 4, /* nothing yet, and for a reason */
};

struct tree_process
{
  int32_t pid;
  int32_t parent;
  int32_t group;
  int32_t session;
  uint64_t start; /* clock ticks since boot: with the pid, who it is */
  uint64_t cpu;   /* clock ticks that it, and those it has waited for, have used */
  uint32_t sent;
  bool denied;   /* we may not signal it */
  bool runnable; /* on a processor, or waiting for one */
  bool dead;     /* while a walk goes on; then only the living are left */
  bool is_new;
  char name[20];
};

/* The live descendants that the last walk found, sorted by pid. */
struct tree
{
  struct tree_process *processes;
  size_t n;
  size_t capacity;
};

void tree_clear (struct tree *tree);

/* Sets descriptors aside for looking, which must not fail when there are no others. To be called once,
 * early; a child of this process has them too. */
void tree_reserve (void);

/* Looks again. What is known of a process is kept as long as it lives. Returns: how many of those
 * found were not known before. */
size_t tree_walk (struct tree *tree);

/* Returns: microseconds of CPU time that those of the last walk, and whom they have waited for, have
 * used. */
int64_t tree_cpu (const struct tree *tree);

/* Sends @signal to @process of the last walk, unless it has ended meanwhile; what may not be
 * signalled is marked as denied. Returns: whether it was sent. */
bool tree_signal (struct tree_process *process, int signal);

/* Sends @signal to a process group that is pinned by an unreaped leader of ours. */
void tree_signal_group (int32_t leader, int signal);
