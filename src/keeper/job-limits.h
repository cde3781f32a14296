/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The arithmetic of a job's two limits: wall clock and idle. Pure: no clock, no descriptor. The
 * keeper enforces with it and the engine shows with it, so both always agree. libc only.
 *
 * All times are monotonic microseconds.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define LIMITS_NEVER INT64_MAX

/* A program repaints when its terminal is resized; what it writes within this time of a resize is
 * no sign of life. */
#define LIMITS_REPAINT 250000

enum limits_expired
{
  LIMITS_HOLD,
  LIMITS_WALL,
  LIMITS_IDLE,
};

struct limits
{
  int64_t wall_at;     /* LIMITS_NEVER: no limit */
  int64_t idle;        /* 0: no limit */
  int64_t idle_since;  /* the last sign of life */
  int64_t quiet_until; /* output before this is a repaint */
  int64_t paused_at;   /* 0: not paused */
  int64_t held_at;     /* 0: the idle clock runs */
  bool notified;       /* this silence has been told of */
};

/* Starts both clocks at @now. @timeout and @idle are durations, 0 for none. */
void limits_start (struct limits *limits, int64_t now, int64_t timeout, int64_t idle);

/* A sign of life at @at, which may lie in the past. */
void limits_activity (struct limits *limits, int64_t at);

/* The terminal was resized at @now, @last_output being the last output before that. */
void limits_resized (struct limits *limits, int64_t now, int64_t last_output);

/* Sets the limits anew while the job runs. @wall_at is a point in time or LIMITS_NEVER. */
void limits_set (struct limits *limits, int64_t now, int64_t wall_at, int64_t idle);

/* Both clocks stand still from pause to resume. Calling either twice changes nothing. */
void limits_pause (struct limits *limits, int64_t now);
void limits_resume (struct limits *limits, int64_t now);

/* The idle clock alone stands still: the job waits for its reader, not the other way round. */
void limits_hold_idle (struct limits *limits, int64_t now);
void limits_release_idle (struct limits *limits, int64_t now);

/* The idle limit was told of: it does not expire again before the next sign of life. */
void limits_notified (struct limits *limits);

/* Returns: when a limit may expire next, or LIMITS_NEVER. */
int64_t limits_next (const struct limits *limits);

/* Returns: which limit has expired at @now; the wall clock's if both have. */
enum limits_expired limits_check (const struct limits *limits, int64_t now);

/* Returns: the time left at @now, never negative, or LIMITS_NEVER without such a limit. */
int64_t limits_wall_left (const struct limits *limits, int64_t now);
int64_t limits_idle_left (const struct limits *limits, int64_t now);
