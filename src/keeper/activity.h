/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether a job that says nothing is at work: its CPU time, looked at now and then. Nothing signals
 * that a process computes, so this is the one thing that is looked for; only while it matters.
 * libc only.
 *
 * All times are monotonic microseconds.
 */
#pragma once

#include "tree.h"

struct activity
{
  bool enabled;
  int64_t interval; /* 0: there is no idle limit */
  int64_t sampled_at;
  int64_t cpu; /* then */
  struct tree tree;
};

/* Begins to look at @now, if @enabled and @idle is not 0. @reaped is the CPU time of those that this
 * process has reaped, here and below. */
void
activity_start (struct activity *activity, bool enabled, int64_t now, int64_t idle, int64_t reaped);

/* The idle limit is another one: an eighth of it, at least 100 ms and at most 15 s, is between looks. */
void activity_set_idle (struct activity *activity, int64_t now, int64_t idle, int64_t reaped);

/* Returns: when to look next, or INT64_MAX. */
int64_t activity_next (const struct activity *activity);

/* Looks. Returns: whether the job has used a fiftieth of one CPU since the last look. */
bool activity_look (struct activity *activity, int64_t now, int64_t reaped);

/* The judgement alone: whether @used microseconds of CPU within @elapsed are work. */
bool activity_is_work (int64_t used, int64_t elapsed);

void activity_clear (struct activity *activity);
