/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See job-limits.h.
 */
#include "job-limits.h"

static int64_t
add_saturated (int64_t a, int64_t b)
{
  return (b > 0 && a > LIMITS_NEVER - b) ? LIMITS_NEVER : a + b;
}

/* The moment at which the clocks stand, if they do. */
static int64_t
wall_now (const struct limits *limits, int64_t now)
{
  return limits->paused_at != 0 ? limits->paused_at : now;
}

static int64_t
idle_now (const struct limits *limits, int64_t now)
{
  int64_t at = wall_now (limits, now);

  return limits->held_at != 0 && limits->held_at < at ? limits->held_at : at;
}

void
limits_start (struct limits *limits, int64_t now, int64_t timeout, int64_t idle)
{
  *limits = (struct limits) {
    .wall_at = timeout > 0 ? add_saturated (now, timeout) : LIMITS_NEVER,
    .idle = idle > 0 ? idle : 0,
    .idle_since = now,
  };
}

void
limits_activity (struct limits *limits, int64_t at)
{
  /* While a clock stands no time passes: what comes then counts from where it stands. */
  if (limits->paused_at != 0 && at > limits->paused_at)
    at = limits->paused_at;
  if (at < limits->quiet_until)
    return;
  if (limits->held_at != 0 && at > limits->held_at)
    at = limits->held_at;
  if (at <= limits->idle_since)
    return;
  limits->idle_since = at;
  limits->notified = false;
}

void
limits_resized (struct limits *limits, int64_t now, int64_t last_output)
{
  limits_activity (limits, last_output);
  limits->quiet_until = wall_now (limits, now) + LIMITS_REPAINT;
}

void
limits_set (struct limits *limits, int64_t now, int64_t wall_at, int64_t idle)
{
  limits->wall_at = wall_at;
  if (limits->idle == 0 && idle > 0)
    {
      limits->idle_since = idle_now (limits, now);
      limits->notified = false;
    }
  limits->idle = idle > 0 ? idle : 0;
}

void
limits_pause (struct limits *limits, int64_t now)
{
  if (limits->paused_at == 0)
    limits->paused_at = now;
}

void
limits_resume (struct limits *limits, int64_t now)
{
  int64_t stood;

  if (limits->paused_at == 0)
    return;

  stood = now - limits->paused_at;
  limits->wall_at = add_saturated (limits->wall_at, stood);
  limits->idle_since += stood;
  limits->quiet_until += stood;
  if (limits->held_at != 0)
    limits->held_at += stood;
  limits->paused_at = 0;
}

void
limits_hold_idle (struct limits *limits, int64_t now)
{
  if (limits->held_at == 0)
    limits->held_at = wall_now (limits, now);
}

void
limits_release_idle (struct limits *limits, int64_t now)
{
  int64_t stood;

  if (limits->held_at == 0)
    return;

  stood = wall_now (limits, now) - limits->held_at;
  limits->held_at = 0;
  if (stood > 0)
    limits->idle_since += stood;
}

void
limits_notified (struct limits *limits)
{
  limits->notified = true;
}

int64_t
limits_next (const struct limits *limits)
{
  int64_t idle_at = LIMITS_NEVER;

  if (limits->paused_at != 0)
    return LIMITS_NEVER;
  if (limits->idle > 0 && limits->held_at == 0 && !limits->notified)
    idle_at = add_saturated (limits->idle_since, limits->idle);
  return limits->wall_at < idle_at ? limits->wall_at : idle_at;
}

enum limits_expired
limits_check (const struct limits *limits, int64_t now)
{
  if (limits_next (limits) > now)
    return LIMITS_HOLD;
  return limits->wall_at <= now ? LIMITS_WALL : LIMITS_IDLE;
}

int64_t
limits_wall_left (const struct limits *limits, int64_t now)
{
  int64_t left;

  if (limits->wall_at == LIMITS_NEVER)
    return LIMITS_NEVER;
  left = limits->wall_at - wall_now (limits, now);
  return left > 0 ? left : 0;
}

int64_t
limits_idle_left (const struct limits *limits, int64_t now)
{
  int64_t left;

  if (limits->idle == 0)
    return LIMITS_NEVER;
  left = add_saturated (limits->idle_since, limits->idle) - idle_now (limits, now);
  return left > 0 ? left : 0;
}
