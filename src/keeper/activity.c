/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See activity.h.
 */
#include "activity.h"

#define SHORTEST_INTERVAL 100000
#define LONGEST_INTERVAL 15000000
#define LOOKS_PER_LIMIT 8

/* A program that waits wakes up too, for its clock or its cursor: that is no work. */
#define WORK_SHARE 50

/* What is used is counted in ticks of this length at best. */
#define TICK 10000

bool
activity_is_work (int64_t used, int64_t elapsed)
{
  return used >= TICK && used >= elapsed / WORK_SHARE;
}

/* When a process is reaped its time moves to who reaped it, here or within the tree: none is lost,
 * but of those that nobody waits for. */
static int64_t
measure (struct activity *activity, int64_t reaped)
{
  tree_walk (&activity->tree);
  return tree_cpu (&activity->tree) + reaped;
}

void
activity_set_idle (struct activity *activity, int64_t now, int64_t idle, int64_t reaped)
{
  int64_t interval = idle / LOOKS_PER_LIMIT;

  if (!activity->enabled || idle <= 0)
    {
      activity->interval = 0;
      return;
    }
  if (interval < SHORTEST_INTERVAL)
    interval = SHORTEST_INTERVAL;
  if (interval > LONGEST_INTERVAL)
    interval = LONGEST_INTERVAL;
  if (activity->interval == 0)
    {
      activity->sampled_at = now;
      activity->cpu = measure (activity, reaped);
    }
  activity->interval = interval;
}

void
activity_start (struct activity *activity, bool enabled, int64_t now, int64_t idle, int64_t reaped)
{
  *activity = (struct activity) { .enabled = enabled };
  activity_set_idle (activity, now, idle, reaped);
}

int64_t
activity_next (const struct activity *activity)
{
  return activity->interval > 0 ? activity->sampled_at + activity->interval : INT64_MAX;
}

bool
activity_look (struct activity *activity, int64_t now, int64_t reaped)
{
  int64_t elapsed = now - activity->sampled_at, cpu, used;

  /* So short a time shows nothing; what is used in it counts at the next look. */
  if (activity->interval == 0 || elapsed < TICK)
    return false;
  cpu = measure (activity, reaped);
  used = cpu - activity->cpu;
  activity->cpu = cpu;
  activity->sampled_at = now;
  return activity_is_work (used, elapsed);
}

void
activity_clear (struct activity *activity)
{
  tree_clear (&activity->tree);
}
