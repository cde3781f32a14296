/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The arithmetic of the two limits with a clock of our own, and against a model that counts ticks.
 */
#include "job-limits.h"

#include <glib.h>

#define START ((int64_t) 1000000000)
#define SECOND ((int64_t) 1000000)

static void
test_none (void)
{
  struct limits limits;

  limits_start (&limits, START, 0, 0);
  g_assert_cmpint (limits_next (&limits), ==, LIMITS_NEVER);
  g_assert_cmpint (limits_check (&limits, LIMITS_NEVER - 1), ==, LIMITS_HOLD);
  g_assert_cmpint (limits_wall_left (&limits, START), ==, LIMITS_NEVER);
  g_assert_cmpint (limits_idle_left (&limits, START), ==, LIMITS_NEVER);
}

/* Exactly at the limit, and not a microsecond before. */
static void
test_wall (void)
{
  struct limits limits;

  limits_start (&limits, START, 10 * SECOND, 0);
  g_assert_cmpint (limits_next (&limits), ==, START + 10 * SECOND);
  g_assert_cmpint (limits_check (&limits, START + 10 * SECOND - 1), ==, LIMITS_HOLD);
  g_assert_cmpint (limits_check (&limits, START + 10 * SECOND), ==, LIMITS_WALL);
  g_assert_cmpint (limits_wall_left (&limits, START + 4 * SECOND), ==, 6 * SECOND);
  g_assert_cmpint (limits_wall_left (&limits, START + 40 * SECOND), ==, 0);

  limits_activity (&limits, START + 9 * SECOND);
  g_assert_cmpint (limits_check (&limits, START + 10 * SECOND), ==, LIMITS_WALL);
}

static void
test_idle (void)
{
  struct limits limits;

  limits_start (&limits, START, 0, 10 * SECOND);
  g_assert_cmpint (limits_check (&limits, START + 10 * SECOND - 1), ==, LIMITS_HOLD);
  g_assert_cmpint (limits_check (&limits, START + 10 * SECOND), ==, LIMITS_IDLE);

  limits_activity (&limits, START + 9 * SECOND);
  g_assert_cmpint (limits_next (&limits), ==, START + 19 * SECOND);
  g_assert_cmpint (limits_idle_left (&limits, START + 12 * SECOND), ==, 7 * SECOND);

  /* What is older than what is known changes nothing. */
  limits_activity (&limits, START + 3 * SECOND);
  g_assert_cmpint (limits_next (&limits), ==, START + 19 * SECOND);
}

static void
test_both (void)
{
  struct limits limits;

  limits_start (&limits, START, 10 * SECOND, 5 * SECOND);
  g_assert_cmpint (limits_next (&limits), ==, START + 5 * SECOND);
  g_assert_cmpint (limits_check (&limits, START + 5 * SECOND), ==, LIMITS_IDLE);
  /* When both have expired it is the wall clock's. */
  g_assert_cmpint (limits_check (&limits, START + 10 * SECOND), ==, LIMITS_WALL);

  limits_activity (&limits, START + 8 * SECOND);
  g_assert_cmpint (limits_next (&limits), ==, START + 10 * SECOND);
}

static void
test_extend (void)
{
  struct limits limits;

  limits_start (&limits, START, 10 * SECOND, 5 * SECOND);
  limits_set (&limits, START + 4 * SECOND, START + 60 * SECOND, 20 * SECOND);
  g_assert_cmpint (limits_check (&limits, START + 19 * SECOND), ==, LIMITS_HOLD);
  /* The silence so far counts. */
  g_assert_cmpint (limits_next (&limits), ==, START + 20 * SECOND);

  limits_set (&limits, START + 15 * SECOND, LIMITS_NEVER, 0);
  g_assert_cmpint (limits_next (&limits), ==, LIMITS_NEVER);

  /* Switched on again, the idle clock starts again. */
  limits_set (&limits, START + 50 * SECOND, LIMITS_NEVER, 5 * SECOND);
  g_assert_cmpint (limits_next (&limits), ==, START + 55 * SECOND);

  /* Shortened to what has passed, it has expired. */
  limits_set (&limits, START + 53 * SECOND, LIMITS_NEVER, 2 * SECOND);
  g_assert_cmpint (limits_check (&limits, START + 53 * SECOND), ==, LIMITS_IDLE);
  limits_set (&limits, START + 53 * SECOND, START + 53 * SECOND, 2 * SECOND);
  g_assert_cmpint (limits_check (&limits, START + 53 * SECOND), ==, LIMITS_WALL);
  limits_set (&limits, START + 53 * SECOND, LIMITS_NEVER, -7);
  g_assert_cmpint (limits_next (&limits), ==, LIMITS_NEVER);
}

static void
test_pause (void)
{
  struct limits limits;

  limits_start (&limits, START, 10 * SECOND, 5 * SECOND);
  limits_resume (&limits, START + 1 * SECOND);
  g_assert_cmpint (limits_next (&limits), ==, START + 5 * SECOND);

  limits_pause (&limits, START + 2 * SECOND);
  limits_pause (&limits, START + 50 * SECOND);
  g_assert_cmpint (limits_next (&limits), ==, LIMITS_NEVER);
  g_assert_cmpint (limits_check (&limits, START + 100 * SECOND), ==, LIMITS_HOLD);
  g_assert_cmpint (limits_wall_left (&limits, START + 100 * SECOND), ==, 8 * SECOND);
  g_assert_cmpint (limits_idle_left (&limits, START + 100 * SECOND), ==, 3 * SECOND);

  limits_resume (&limits, START + 102 * SECOND);
  limits_resume (&limits, START + 104 * SECOND);
  g_assert_cmpint (limits_next (&limits), ==, START + 105 * SECOND);
  limits_activity (&limits, START + 104 * SECOND);
  g_assert_cmpint (limits_next (&limits), ==, START + 109 * SECOND);
  g_assert_cmpint (limits_wall_left (&limits, START + 104 * SECOND), ==, 6 * SECOND);
}

/* A point in time that is set during a pause counts from the moment at which the clock stands. */
static void
test_extend_while_paused (void)
{
  struct limits limits;

  limits_start (&limits, START, 10 * SECOND, 0);
  limits_pause (&limits, START + 2 * SECOND);
  limits_set (&limits, START + 50 * SECOND, START + 2 * SECOND + 60 * SECOND, 7 * SECOND);
  g_assert_cmpint (limits_wall_left (&limits, START + 90 * SECOND), ==, 60 * SECOND);
  g_assert_cmpint (limits_idle_left (&limits, START + 90 * SECOND), ==, 7 * SECOND);
  limits_resume (&limits, START + 100 * SECOND);
  g_assert_cmpint (limits_next (&limits), ==, START + 107 * SECOND);
  g_assert_cmpint (limits_wall_left (&limits, START + 100 * SECOND), ==, 60 * SECOND);
}

static void
test_hold (void)
{
  struct limits limits;

  limits_start (&limits, START, 100 * SECOND, 5 * SECOND);
  limits_release_idle (&limits, START + 1 * SECOND);
  limits_hold_idle (&limits, START + 2 * SECOND);
  limits_hold_idle (&limits, START + 3 * SECOND);
  /* The wall clock goes on. */
  g_assert_cmpint (limits_next (&limits), ==, START + 100 * SECOND);
  g_assert_cmpint (limits_idle_left (&limits, START + 50 * SECOND), ==, 3 * SECOND);
  g_assert_cmpint (limits_wall_left (&limits, START + 50 * SECOND), ==, 50 * SECOND);

  limits_release_idle (&limits, START + 50 * SECOND);
  limits_release_idle (&limits, START + 52 * SECOND);
  g_assert_cmpint (limits_next (&limits), ==, START + 53 * SECOND);
}

/* Held, then paused; released while paused; and the same nested the other way round. */
static void
test_hold_and_pause (void)
{
  struct limits limits;

  limits_start (&limits, START, 0, 10 * SECOND);
  limits_hold_idle (&limits, START + 2 * SECOND);
  limits_pause (&limits, START + 4 * SECOND);
  limits_release_idle (&limits, START + 20 * SECOND);
  g_assert_cmpint (limits_idle_left (&limits, START + 30 * SECOND), ==, 8 * SECOND);
  limits_resume (&limits, START + 40 * SECOND);
  g_assert_cmpint (limits_next (&limits), ==, START + 48 * SECOND);

  limits_start (&limits, START, 0, 10 * SECOND);
  limits_pause (&limits, START + 3 * SECOND);
  limits_hold_idle (&limits, START + 5 * SECOND);
  limits_resume (&limits, START + 20 * SECOND);
  g_assert_cmpint (limits_idle_left (&limits, START + 29 * SECOND), ==, 7 * SECOND);
  limits_release_idle (&limits, START + 30 * SECOND);
  g_assert_cmpint (limits_next (&limits), ==, START + 37 * SECOND);

  limits_start (&limits, START, 0, 10 * SECOND);
  limits_pause (&limits, START + 3 * SECOND);
  limits_hold_idle (&limits, START + 5 * SECOND);
  limits_release_idle (&limits, START + 6 * SECOND);
  limits_resume (&limits, START + 20 * SECOND);
  g_assert_cmpint (limits_next (&limits), ==, START + 27 * SECOND);
}

static void
test_repaint (void)
{
  struct limits limits;

  limits_start (&limits, START, 0, 10 * SECOND);
  limits_resized (&limits, START + 5 * SECOND, START + 4 * SECOND);
  /* The output before the resize was real... */
  g_assert_cmpint (limits_next (&limits), ==, START + 14 * SECOND);
  /* ...what follows it at once is a repaint... */
  limits_activity (&limits, START + 5 * SECOND + LIMITS_REPAINT - 1);
  g_assert_cmpint (limits_next (&limits), ==, START + 14 * SECOND);
  /* ...and what comes later is real again. */
  limits_activity (&limits, START + 5 * SECOND + LIMITS_REPAINT);
  g_assert_cmpint (limits_next (&limits), ==, START + 15 * SECOND + LIMITS_REPAINT);

  /* A window that is dragged: repaint upon repaint, no sign of life in any of them. */
  limits_start (&limits, START, 0, 10 * SECOND);
  for (int i = 1; i < 100; i++)
    {
      int64_t now = START + i * LIMITS_REPAINT / 2;

      limits_resized (&limits, now, i > 1 ? now - 1 : 0);
      limits_activity (&limits, now + 1);
    }
  g_assert_cmpint (limits_next (&limits), ==, START + 10 * SECOND);
}

/* Resized while it is paused, a program repaints once it goes on. */
static void
test_repaint_after_pause (void)
{
  struct limits limits;

  limits_start (&limits, START, 0, 10 * SECOND);
  limits_pause (&limits, START + 1 * SECOND);
  limits_resized (&limits, START + 50 * SECOND, 0);
  limits_resume (&limits, START + 101 * SECOND);
  limits_activity (&limits, START + 101 * SECOND + LIMITS_REPAINT / 2);
  g_assert_cmpint (limits_next (&limits), ==, START + 110 * SECOND);
}

static void
test_notify_once (void)
{
  struct limits limits;

  limits_start (&limits, START, 60 * SECOND, 5 * SECOND);
  g_assert_cmpint (limits_check (&limits, START + 5 * SECOND), ==, LIMITS_IDLE);
  limits_notified (&limits);
  g_assert_cmpint (limits_check (&limits, START + 5 * SECOND), ==, LIMITS_HOLD);
  g_assert_cmpint (limits_next (&limits), ==, START + 60 * SECOND);
  /* The output that was known already does not make it a new silence. */
  limits_activity (&limits, START);
  g_assert_cmpint (limits_next (&limits), ==, START + 60 * SECOND);
  g_assert_cmpint (limits_check (&limits, START + 60 * SECOND), ==, LIMITS_WALL);

  limits_activity (&limits, START + 30 * SECOND);
  g_assert_cmpint (limits_next (&limits), ==, START + 35 * SECOND);
  g_assert_cmpint (limits_check (&limits, START + 35 * SECOND), ==, LIMITS_IDLE);
}

/* Switched off and on again, the idle limit begins a new silence, which is to be told of. */
static void
test_notify_after_restart (void)
{
  struct limits limits;

  limits_start (&limits, START, 0, 5 * SECOND);
  limits_notified (&limits);
  limits_set (&limits, START + 10 * SECOND, LIMITS_NEVER, 0);
  limits_set (&limits, START + 20 * SECOND, LIMITS_NEVER, 5 * SECOND);
  g_assert_cmpint (limits_next (&limits), ==, START + 25 * SECOND);
}

static void
test_saturation (void)
{
  struct limits limits;
  const int64_t huge = LIMITS_NEVER - 1;

  limits_start (&limits, START, huge, huge);
  g_assert_cmpint (limits_next (&limits), ==, LIMITS_NEVER);
  g_assert_cmpint (limits_check (&limits, START + SECOND), ==, LIMITS_HOLD);
  limits_pause (&limits, START + SECOND);
  limits_resume (&limits, START + 100 * SECOND);
  g_assert_cmpint (limits_next (&limits), ==, LIMITS_NEVER);
  g_assert_cmpint (limits_wall_left (&limits, START + 100 * SECOND), ==, LIMITS_NEVER);
  g_assert_cmpint (limits_idle_left (&limits, START + 100 * SECOND), >, huge / 2);

  limits_set (&limits, START, huge, 0);
  limits_pause (&limits, START + SECOND);
  limits_resume (&limits, START + 100 * SECOND);
  g_assert_cmpint (limits_next (&limits), ==, LIMITS_NEVER);

  limits_start (&limits, START, -1, -1);
  g_assert_cmpint (limits_next (&limits), ==, LIMITS_NEVER);
}

/* The model: it counts ticks, and nothing else. */

#define TICK 10000 /* microseconds */
#define NONE G_MAXINT64

struct model
{
  int64_t now; /* all in ticks */
  int64_t wall_left;
  int64_t idle;
  int64_t silence;
  int64_t quiet_left;
  bool paused;
  bool held;
  bool notified;
};

static void
model_tick (struct model *model)
{
  model->now++;
  if (model->paused)
    return;
  if (model->quiet_left > 0)
    model->quiet_left--;
  if (model->wall_left != NONE)
    model->wall_left--;
  if (!model->held)
    model->silence++;
}

static void
model_activity (struct model *model)
{
  if (model->quiet_left > 0)
    return;
  model->silence = 0;
  model->notified = false;
}

static bool
model_idle_runs (const struct model *model)
{
  return model->idle > 0 && !model->held && !model->notified;
}

static enum limits_expired
model_check (const struct model *model)
{
  if (model->paused)
    return LIMITS_HOLD;
  if (model->wall_left != NONE && model->wall_left <= 0)
    return LIMITS_WALL;
  return model_idle_runs (model) && model->silence >= model->idle ? LIMITS_IDLE : LIMITS_HOLD;
}

static int64_t
model_next (const struct model *model)
{
  int64_t next = NONE;

  if (!model->paused && model->wall_left != NONE)
    next = model->now + model->wall_left;
  if (!model->paused && model_idle_runs (model))
    next = MIN (next, model->now + model->idle - model->silence);
  return next;
}

static int64_t
in_usec (int64_t ticks)
{
  return ticks == NONE ? LIMITS_NEVER : ticks * TICK;
}

static void
compare (const struct limits *limits, const struct model *model)
{
  int64_t now = in_usec (model->now);

  g_assert_cmpint (limits_check (limits, now), ==, model_check (model));
  g_assert_cmpint (limits_next (limits), ==, in_usec (model_next (model)));
  g_assert_cmpint (limits_wall_left (limits, now), ==,
                   model->wall_left == NONE ? LIMITS_NEVER : in_usec (MAX (model->wall_left, 0)));
  g_assert_cmpint (limits_idle_left (limits, now), ==,
                   model->idle == 0 ? LIMITS_NEVER
                                    : in_usec (MAX (model->idle - model->silence, 0)));
}

enum variant
{
  EAGER,    /* activity is told at once, and only while the clocks run */
  STANDING, /* also while they stand */
  LAZY,     /* as the keeper does: the last output is looked up before anything else is done */
};

static void
set_limits (struct limits *limits, struct model *model)
{
  int64_t now = in_usec (model->now), wall, idle;

  wall = g_test_rand_bit () ? NONE : g_test_rand_int_range (0, 400);
  idle = g_test_rand_bit () ? 0 : g_test_rand_int_range (1, 200);
  /* What that means is a test of its own. */
  if (model->notified && model->idle == 0)
    idle = 0;

  if (model->idle == 0 && idle > 0)
    model->silence = 0;
  model->idle = idle;
  model->wall_left = wall;
  /* While the clock stands, a point in time counts from where it stands. */
  limits_set (limits, now,
              wall == NONE ? LIMITS_NEVER
                           : (limits->paused_at != 0 ? limits->paused_at : now) + in_usec (wall),
              in_usec (idle));
}

static void
do_anything (struct limits *limits, struct model *model)
{
  int64_t now = in_usec (model->now);

  switch (g_test_rand_int_range (0, 7))
    {
    case 0:
      model->paused = true;
      limits_pause (limits, now);
      break;
    case 1:
    case 2:
      model->paused = false;
      limits_resume (limits, now);
      break;
    case 3:
      model->held = true;
      limits_hold_idle (limits, now);
      break;
    case 4:
      model->held = false;
      limits_release_idle (limits, now);
      break;
    case 5:
      set_limits (limits, model);
      break;
    default:
      model->quiet_left = LIMITS_REPAINT / TICK;
      limits_resized (limits, now, 0);
      break;
    }
}

static void
simulate (enum variant variant)
{
  struct limits limits;
  struct model model = {
    .now = START / TICK,
    .wall_left = g_test_rand_int_range (1, 500),
    .idle = g_test_rand_int_range (1, 200),
  };
  int64_t last_output = 0;

  limits_start (&limits, in_usec (model.now), in_usec (model.wall_left), in_usec (model.idle));
  for (int i = 0; i < 3000; i++)
    {
      bool stands = model.paused || model.held, acts = g_test_rand_int_range (0, 40) == 0;
      bool looks = variant != LAZY || g_test_rand_int_range (0, 10) == 0;

      model_tick (&model);
      if (g_test_rand_int_range (0, 20) == 0 && (variant != EAGER || !stands))
        {
          model_activity (&model);
          last_output = in_usec (model.now);
          if (variant != LAZY)
            limits_activity (&limits, last_output);
        }
      if (variant == LAZY && (looks || acts))
        limits_activity (&limits, last_output);
      if (acts)
        do_anything (&limits, &model);
      if (!looks && !acts)
        continue;
      compare (&limits, &model);
      if (model_check (&model) == LIMITS_IDLE && g_test_rand_bit ())
        {
          model.notified = true;
          limits_notified (&limits);
        }
    }
}

static void
test_random (gconstpointer data)
{
  for (int i = 0; i < 300; i++)
    simulate ((enum variant) GPOINTER_TO_INT (data));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/keeper/limits/none", test_none);
  g_test_add_func ("/keeper/limits/wall", test_wall);
  g_test_add_func ("/keeper/limits/idle", test_idle);
  g_test_add_func ("/keeper/limits/both", test_both);
  g_test_add_func ("/keeper/limits/extend", test_extend);
  g_test_add_func ("/keeper/limits/pause", test_pause);
  g_test_add_func ("/keeper/limits/extend-while-paused", test_extend_while_paused);
  g_test_add_func ("/keeper/limits/hold", test_hold);
  g_test_add_func ("/keeper/limits/hold-and-pause", test_hold_and_pause);
  g_test_add_func ("/keeper/limits/repaint", test_repaint);
  g_test_add_func ("/keeper/limits/notify-once", test_notify_once);
  g_test_add_func ("/keeper/limits/saturation", test_saturation);
  g_test_add_data_func ("/keeper/limits/random", GINT_TO_POINTER (EAGER), test_random);
  g_test_add_data_func ("/keeper/limits/random-standing", GINT_TO_POINTER (STANDING), test_random);
  g_test_add_data_func ("/keeper/limits/random-lazy", GINT_TO_POINTER (LAZY), test_random);
  g_test_add_func ("/keeper/limits/repaint-after-pause", test_repaint_after_pause);
  g_test_add_func ("/keeper/limits/notify-after-restart", test_notify_after_restart);

  return g_test_run ();
}
