/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Following takes the main loop a small part of its time: the dearer a showing, the longer the pause.
 */
#include "stint-pace.h"

#define MSEC 1000
#define SECOND (1000 * 1000)
#define LARGE (64 * 1024)

/* Shows so much @n times, each for @work and a paint of @paint, as fast as it may. Returns: from the
 * first to the last. */
static gint64
show (StintPace *pace, guint n, gint64 work, gint64 paint)
{
  gint64 now = SECOND, begun = now;

  stint_pace_settle (pace);
  for (guint i = 0; i < n; i++)
    {
      now = MAX (now, stint_pace_get_next (pace));
      stint_pace_feed (pace, LARGE, now);
      stint_pace_work (pace, work);
      stint_pace_paint (pace, paint);
    }
  return now - begun;
}

static void
test_pause_grows_with_cost (void)
{
  StintPace cheap, dear, absurd;

  stint_pace_init (&cheap);
  stint_pace_init (&dear);
  stint_pace_init (&absurd);
  g_assert_cmpint (show (&cheap, 21, 1 * MSEC, 2 * MSEC), ==, 20 * 80 * MSEC);
  g_assert_cmpint (show (&dear, 21, 5 * MSEC, 10 * MSEC), ==, 20 * 16 * 15 * MSEC);
  /* However slow it is: something is shown. */
  g_assert_cmpint (show (&absurd, 21, 500 * MSEC, 900 * MSEC), ==, 20 * 500 * MSEC);
}

/* One frame that was late for reasons of its own is not what a showing costs. */
static void
test_cost_is_smoothed (void)
{
  StintPace pace;

  stint_pace_init (&pace);
  show (&pace, 20, 1 * MSEC, 2 * MSEC);
  stint_pace_paint (&pace, 40 * MSEC);
  g_assert_cmpint (pace.cost, <, 15 * MSEC);
  for (guint i = 0; i < 20; i++)
    stint_pace_paint (&pace, 3 * MSEC);
  g_assert_cmpint (pace.cost, <, 4 * MSEC);
}

/* What was worked off while nothing was painted does not slow down what is looked at afterwards for long. */
static void
test_unseen_work_is_forgotten (void)
{
  StintPace pace;

  stint_pace_init (&pace);
  for (guint i = 0; i < 1000; i++)
    stint_pace_work (&pace, 6 * MSEC);
  stint_pace_paint (&pace, 2 * MSEC);
  for (guint i = 0; i < 8; i++)
    stint_pace_paint (&pace, 3 * MSEC);
  g_assert_cmpint (pace.cost, <, 10 * MSEC);
}

/* Whoever waits since a while looks at a stream; who has fallen behind and cannot be skipped waits again. */
static void
test_tires (void)
{
  StintPace pace;

  stint_pace_init (&pace);
  stint_pace_place (&pace, SECOND);
  stint_pace_feed (&pace, LARGE, SECOND);
  stint_pace_tire (&pace, SECOND + 200 * MSEC);
  g_assert_cmpint (stint_pace_get_next (&pace), ==, 0);
  stint_pace_tire (&pace, SECOND + 400 * MSEC);
  g_assert_cmpint (stint_pace_get_next (&pace), >, SECOND);
  stint_pace_fall_behind (&pace, 2 * SECOND);
  g_assert_cmpint (stint_pace_get_next (&pace), ==, 0);
  stint_pace_tire (&pace, 2 * SECOND + 200 * MSEC);
  g_assert_cmpint (stint_pace_get_next (&pace), ==, 0);
}

/* The terminal's work in several chunks before one paint counts whole. */
static void
test_work_adds_up (void)
{
  StintPace pace;

  stint_pace_init (&pace);
  stint_pace_work (&pace, 4 * MSEC);
  stint_pace_work (&pace, -1);
  stint_pace_work (&pace, 5 * MSEC);
  stint_pace_paint (&pace, 6 * MSEC);
  g_assert_cmpint (pace.cost, ==, 15 * MSEC);
}

/* What somebody waits for comes at once: the beginning, and what is as little as an echo. */
static void
test_no_pause_for_who_waits (void)
{
  StintPace pace;

  stint_pace_init (&pace);
  stint_pace_place (&pace, SECOND);
  stint_pace_feed (&pace, LARGE, SECOND);
  g_assert_cmpint (stint_pace_get_next (&pace), ==, 0);
  stint_pace_settle (&pace);
  g_assert_cmpint (stint_pace_get_next (&pace), >, SECOND);
  stint_pace_feed (&pace, 100, 2 * SECOND);
  g_assert_cmpint (stint_pace_get_next (&pace), ==, 0);
  g_assert_cmpint (stint_pace_get_next_skip (&pace), ==, 0);
}

static void
test_chunk_adapts (void)
{
  StintPace pace;

  stint_pace_init (&pace);
  for (guint i = 0; i < 10; i++)
    stint_pace_work (&pace, 1 * MSEC);
  g_assert_cmpuint (pace.chunk, ==, STINT_PACE_MAX_CHUNK);
  stint_pace_work (&pace, STINT_PACE_BUDGET * 3 / 4);
  g_assert_cmpuint (pace.chunk, ==, STINT_PACE_MAX_CHUNK);
  stint_pace_work (&pace, STINT_PACE_BUDGET + 1);
  g_assert_cmpuint (pace.chunk, ==, STINT_PACE_MAX_CHUNK / 2);
  for (guint i = 0; i < 10; i++)
    stint_pace_work (&pace, 100 * MSEC);
  g_assert_cmpuint (pace.chunk, ==, STINT_PACE_MIN_CHUNK);
  stint_pace_place (&pace, SECOND);
  g_assert_cmpuint (pace.chunk, ==, STINT_PACE_MAX_CHUNK);
}

/* What nobody waits for may take less at once. */
static void
test_chunk_is_smaller_live (void)
{
  StintPace pace;

  stint_pace_init (&pace);
  stint_pace_place (&pace, SECOND);
  stint_pace_work (&pace, STINT_PACE_BUDGET * 3 / 4);
  g_assert_cmpuint (pace.chunk, ==, STINT_PACE_MAX_CHUNK);
  stint_pace_settle (&pace);
  stint_pace_work (&pace, STINT_PACE_BUDGET * 3 / 4);
  g_assert_cmpuint (pace.chunk, ==, STINT_PACE_MAX_CHUNK / 2);
  stint_pace_work (&pace, STINT_PACE_LIVE_BUDGET * 3 / 4);
  g_assert_cmpuint (pace.chunk, ==, STINT_PACE_MAX_CHUNK / 2);
}

/* A single skip is somebody's large build; one after another is a flood, also where pauses are long. */
static void
test_flood (void)
{
  StintPace pace;
  gint64 now = SECOND, next;

  stint_pace_init (&pace);
  stint_pace_skip (&pace, now);
  g_assert_false (pace.flood);
  g_assert_false (stint_pace_is_flooding (&pace, now));
  g_assert_cmpint (stint_pace_get_next_skip (&pace), ==, 0);
  stint_pace_skip (&pace, now += 200 * MSEC);
  g_assert_true (pace.flood);
  g_assert_cmpint (stint_pace_get_next_skip (&pace), ==, now + 250 * MSEC);

  stint_pace_paint (&pace, 900 * MSEC);
  next = stint_pace_get_next_skip (&pace);
  g_assert_cmpint (next, ==, now + 500 * MSEC);
  g_assert_true (stint_pace_is_flooding (&pace, next));
  stint_pace_skip (&pace, now = next + 50 * MSEC);
  g_assert_true (pace.flood);

  g_assert_false (stint_pace_is_flooding (&pace, now + 5 * SECOND));
  stint_pace_skip (&pace, now += 5 * SECOND);
  g_assert_false (pace.flood);
}

/* Of a flood's end one chunk is shown and then there is a pause; after a single skip all of the tail comes
 * at once, for somebody waits for it. */
static void
test_flood_is_shown_piece_by_piece (void)
{
  StintPace pace;

  stint_pace_init (&pace);
  stint_pace_skip (&pace, SECOND);
  stint_pace_feed (&pace, LARGE, SECOND);
  g_assert_cmpint (stint_pace_get_next (&pace), ==, 0);
  stint_pace_skip (&pace, SECOND + 100 * MSEC);
  stint_pace_feed (&pace, LARGE, SECOND + 100 * MSEC);
  g_assert_cmpint (stint_pace_get_next (&pace), >, SECOND + 100 * MSEC);
  /* Opened anew, it is waited for again. */
  stint_pace_place (&pace, SECOND + 200 * MSEC);
  g_assert_cmpint (stint_pace_get_next (&pace), ==, 0);
  g_assert_cmpint (stint_pace_get_next_skip (&pace), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/pace/pause-grows-with-cost", test_pause_grows_with_cost);
  g_test_add_func ("/app/pace/cost-is-smoothed", test_cost_is_smoothed);
  g_test_add_func ("/app/pace/work-adds-up", test_work_adds_up);
  g_test_add_func ("/app/pace/unseen-work-is-forgotten", test_unseen_work_is_forgotten);
  g_test_add_func ("/app/pace/no-pause-for-who-waits", test_no_pause_for_who_waits);
  g_test_add_func ("/app/pace/chunk-adapts", test_chunk_adapts);
  g_test_add_func ("/app/pace/chunk-is-smaller-live", test_chunk_is_smaller_live);
  g_test_add_func ("/app/pace/tires", test_tires);
  g_test_add_func ("/app/pace/flood", test_flood);
  g_test_add_func ("/app/pace/flood-is-shown-piece-by-piece", test_flood_is_shown_piece_by_piece);
  return g_test_run ();
}
