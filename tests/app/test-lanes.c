/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who stands in which lane, what of it can be told apart, and which part of a day is looked at.
 */
#include "stint-lanes.h"
#include "stint-time-scale.h"

typedef struct
{
  GString *pieces;
  guint n, count;
  double last; /* where the last one ended */
} Seen;

static void
see (const StintLanePiece *piece, gpointer user_data)
{
  Seen *seen = user_data;

  if (seen->pieces != NULL)
    g_string_append_printf (seen->pieces, "%s%u-%u:%u/%u@%.0f-%.0f", seen->n > 0 ? " " : "",
                            piece->first, piece->last, piece->count, piece->weight, piece->from,
                            piece->to);
  /* One that can be seen takes a step, even if there is less room. */
  g_assert_cmpfloat (piece->from, >, seen->last - 1);
  seen->last = piece->to;
  seen->n++;
  seen->count += piece->count;
}

static void
assert_pieces (StintLanes *lanes, guint lane, gint64 from, gint64 to, double step, const char *wanted)
{
  Seen seen = { .pieces = g_string_new (NULL), .last = -G_MAXDOUBLE };

  stint_lanes_walk (lanes, lane, from, to, step, 4, see, &seen);
  g_assert_cmpstr (seen.pieces->str, ==, wanted);
  g_string_free (seen.pieces, TRUE);
}

static void
assert_lanes (const StintLaneSpan *spans, guint n, const char *wanted)
{
  g_autoptr (StintLanes) lanes = stint_lanes_new (spans, n);
  g_autoptr (GString) given = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (given, "%u", stint_lanes_get_lane (lanes, i));
  g_assert_cmpstr (given->str, ==, wanted);
}

static void
test_lanes (void)
{
  static const StintLaneSpan beside[] = { { 0, 10, 0 }, { 5, 8, 0 }, { 6, 20, 0 }, { 8, 9, 0 },
                                          { 10, 12, 0 } };
  static const StintLaneSpan moments[] = { { 5, 5, 0 }, { 5, 5, 0 }, { 6, 6, 0 } };

  assert_lanes (beside, G_N_ELEMENTS (beside), "01210");
  /* What ended at once was there all the same. */
  assert_lanes (moments, G_N_ELEMENTS (moments), "010");
  assert_lanes (NULL, 0, "");
}

/* As many lanes as ran at once at the most, and nobody upon another. */
static void
test_lanes_are_few (void)
{
  enum { N = 10000 };
  g_autofree StintLaneSpan *spans = g_new0 (StintLaneSpan, N);
  g_autofree gint64 *free_at = g_new0 (gint64, N);
  g_autoptr (StintLanes) lanes = NULL;
  guint most = 0;

  for (guint i = 0; i < N; i++)
    {
      spans[i].begin = i > 0 ? spans[i - 1].begin + g_test_rand_int_range (0, 20) : 0;
      spans[i].end = spans[i].begin + g_test_rand_int_range (1, 500);
    }
  lanes = stint_lanes_new (spans, N);
  for (guint i = 0; i < N; i++)
    {
      guint lane = stint_lanes_get_lane (lanes, i);
      guint at_once = 1;

      g_assert_cmpint (free_at[lane], <=, spans[i].begin);
      free_at[lane] = spans[i].end;
      for (guint j = i; j > 0 && spans[j - 1].begin + 500 > spans[i].begin; j--)
        at_once += spans[j - 1].end > spans[i].begin;
      most = MAX (most, at_once);
    }
  g_assert_cmpuint (stint_lanes_get_n_lanes (lanes), ==, most);
}

static void
test_pieces (void)
{
  static const StintLaneSpan spans[] = { { 0, 100, 0 },   { 100, 200, 0 }, { 200, 201, 1 },
                                         { 202, 203, 0 }, { 204, 205, 1 }, { 300, 301, 0 },
                                         { 302, 400, 0 } };
  g_autoptr (StintLanes) lanes = stint_lanes_new (spans, G_N_ELEMENTS (spans));

  g_assert_cmpuint (stint_lanes_get_n_lanes (lanes), ==, 1);
  /* All can be told apart. */
  assert_pieces (lanes, 0, 195, 210, 0.1,
                 "1-1:1/0@-950-50 2-2:1/1@50-60 3-3:1/0@70-80 4-4:1/1@90-100");
  /* The short ones cannot: those that touch are one, and make no room for themselves among others. */
  assert_pieces (lanes, 0, 0, 400, 1,
                 "0-0:1/0@0-100 1-1:1/0@100-200 2-4:3/2@200-208 5-5:1/0@300-302 6-6:1/0@302-400");
  /* From afar. */
  assert_pieces (lanes, 0, 0, 400, 1000, "0-6:7/2@0-4");
  /* What ended a moment ago is still to be seen; what was earlier is not asked for. */
  assert_pieces (lanes, 0, 207, 250, 1, "4-4:1/1@-3-1");
  assert_pieces (lanes, 0, 250, 260, 1, "");
}

/* However many there are, no more is drawn than there is room for. */
static void
test_many_are_few_pieces (void)
{
  enum { N = 10000, WIDTH = 1000 };
  g_autofree StintLaneSpan *spans = g_new0 (StintLaneSpan, N);
  g_autoptr (StintLanes) lanes = NULL;
  gint64 all = 0;
  guint n = 0, count = 0;

  for (guint i = 0; i < N; i++)
    {
      spans[i].begin = all += g_test_rand_int_range (0, 8);
      spans[i].end = spans[i].begin + g_test_rand_int_range (0, i % 50 == 0 ? 4000 : 20);
    }
  lanes = stint_lanes_new (spans, N);
  for (guint lane = 0; lane < stint_lanes_get_n_lanes (lanes); lane++)
    {
      Seen seen = { .last = -G_MAXDOUBLE };

      stint_lanes_walk (lanes, lane, 0, all + 1, (double) (all + 1) / WIDTH, 4, see, &seen);
      g_assert_cmpuint (seen.n, <=, WIDTH);
      n += seen.n;
      count += seen.count;
    }
  /* None is lost. */
  g_assert_cmpuint (count, ==, N);
  g_assert_cmpuint (n, <, N / 4);
}

static void
test_beside (void)
{
  static const StintLaneSpan spans[] = { { 0, 100, 0 },  { 10, 20, 0 }, { 15, 30, 0 },
                                         { 40, 50, 0 },  { 95, 110, 0 }, { 200, 210, 0 } };
  g_autoptr (StintLanes) lanes = stint_lanes_new (spans, G_N_ELEMENTS (spans));

  g_assert_cmpuint (stint_lanes_count_beside (lanes, 0), ==, 4);
  g_assert_cmpuint (stint_lanes_count_beside (lanes, 1), ==, 2);
  g_assert_cmpuint (stint_lanes_count_beside (lanes, 3), ==, 1);
  g_assert_cmpuint (stint_lanes_count_beside (lanes, 5), ==, 0);
  /* The lane below the first has 1, 3 and 4; what runs at its beginning is nearer than what follows. */
  g_assert_cmpint (stint_lanes_find_beside (lanes, 0, 1), ==, 1);
  g_assert_cmpint (stint_lanes_find_beside (lanes, 2, 1), ==, 1);
  g_assert_cmpint (stint_lanes_find_beside (lanes, 3, 0), ==, 0);
  g_assert_cmpint (stint_lanes_find_beside (lanes, 5, 1), ==, 4);
  g_assert_cmpint (stint_lanes_find_beside (lanes, 0, 7), ==, -1);
}

#define HOUR G_TIME_SPAN_HOUR

static void
count (StintTimeScale *scale, guint *n)
{
  (*n)++;
}

static void
test_zoom (void)
{
  g_autoptr (StintTimeScale) scale = stint_time_scale_new ();
  guint n_changes = 0;

  stint_time_scale_set_bounds (scale, 100 * HOUR, 124 * HOUR);
  stint_time_scale_set_width (scale, 240, FALSE);
  g_signal_connect (scale, "changed", G_CALLBACK (count), &n_changes);
  g_assert_cmpfloat (stint_time_scale_get_x (scale, 112 * HOUR), ==, 120);
  g_assert_cmpint (stint_time_scale_get_time (scale, 60), ==, 106 * HOUR);
  g_assert_false (stint_time_scale_can_zoom_out (scale));

  /* What is pointed at stays under the pointer. */
  stint_time_scale_zoom (scale, 0.5, 60);
  g_assert_cmpuint (n_changes, ==, 1);
  g_assert_cmpint (stint_time_scale_get_time (scale, 60), ==, 106 * HOUR);
  g_assert_cmpint (stint_time_scale_get_visible (scale), ==, 12 * HOUR);
  g_assert_true (stint_time_scale_can_zoom_out (scale));
  /* The ends of the day are ends. */
  stint_time_scale_zoom (scale, 100, 60);
  g_assert_cmpint (stint_time_scale_get_from (scale), ==, 100 * HOUR);
  g_assert_cmpint (stint_time_scale_get_visible (scale), ==, 24 * HOUR);
  stint_time_scale_zoom (scale, 0.1, 240);
  stint_time_scale_set_from (scale, 123 * HOUR);
  g_assert_cmpint (stint_time_scale_get_from (scale) + stint_time_scale_get_visible (scale), ==,
                   124 * HOUR);
  for (guint i = 0; i < 200; i++)
    stint_time_scale_zoom (scale, 0.5, 120);
  g_assert_false (stint_time_scale_can_zoom_in (scale));
  g_assert_cmpint (stint_time_scale_get_visible (scale), >, 0);
  stint_time_scale_fit (scale);
  g_assert_cmpint (stint_time_scale_get_visible (scale), ==, 24 * HOUR);
  n_changes = 0;
  stint_time_scale_fit (scale);
  g_assert_cmpuint (n_changes, ==, 0);
}

static void
test_mirrored (void)
{
  g_autoptr (StintTimeScale) scale = stint_time_scale_new ();

  stint_time_scale_set_bounds (scale, 0, 24 * HOUR);
  stint_time_scale_set_width (scale, 240, TRUE);
  g_assert_cmpfloat (stint_time_scale_get_x (scale, 6 * HOUR), ==, 180);
  g_assert_cmpint (stint_time_scale_get_time (scale, 180), ==, 6 * HOUR);
  stint_time_scale_zoom (scale, 0.5, 180);
  g_assert_cmpfloat (stint_time_scale_get_x (scale, 6 * HOUR), ==, 180);
}

static void
test_reveal (void)
{
  g_autoptr (StintTimeScale) scale = stint_time_scale_new ();

  stint_time_scale_set_bounds (scale, 0, 24 * HOUR);
  stint_time_scale_set_width (scale, 240, FALSE);
  stint_time_scale_zoom (scale, 0.25, 0);
  stint_time_scale_reveal (scale, 2 * HOUR, 3 * HOUR);
  g_assert_cmpint (stint_time_scale_get_from (scale), ==, 0);
  stint_time_scale_reveal (scale, 7 * HOUR, 8 * HOUR);
  g_assert_cmpint (stint_time_scale_get_from (scale), ==, 2 * HOUR);
  stint_time_scale_reveal (scale, 1 * HOUR, 2 * HOUR);
  g_assert_cmpint (stint_time_scale_get_from (scale), ==, 1 * HOUR);
  /* Longer than there is room for: seen already, then not. */
  stint_time_scale_reveal (scale, -HOUR, 30 * HOUR);
  g_assert_cmpint (stint_time_scale_get_from (scale), ==, 1 * HOUR);
  stint_time_scale_reveal (scale, 10 * HOUR, 20 * HOUR);
  g_assert_cmpint (stint_time_scale_get_from (scale), ==, 10 * HOUR);
}

static void
test_divisions (void)
{
  g_autoptr (StintTimeScale) scale = stint_time_scale_new ();

  stint_time_scale_set_bounds (scale, 0, 24 * HOUR);
  stint_time_scale_set_width (scale, 960, FALSE);
  g_assert_cmpint (stint_time_scale_get_division (scale, 80), ==, 2 * HOUR);
  g_assert_cmpint (stint_time_scale_get_division (scale, 81), ==, 3 * HOUR);
  g_assert_cmpint (stint_time_scale_get_division (scale, 900), ==, 24 * HOUR);
  stint_time_scale_zoom (scale, 0.001, 0);
  g_assert_cmpint (stint_time_scale_get_division (scale, 80), ==, 10 * G_TIME_SPAN_SECOND);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/lanes/lanes", test_lanes);
  g_test_add_func ("/app/lanes/lanes-are-few", test_lanes_are_few);
  g_test_add_func ("/app/lanes/pieces", test_pieces);
  g_test_add_func ("/app/lanes/many-are-few-pieces", test_many_are_few_pieces);
  g_test_add_func ("/app/lanes/beside", test_beside);
  g_test_add_func ("/app/time-scale/zoom", test_zoom);
  g_test_add_func ("/app/time-scale/mirrored", test_mirrored);
  g_test_add_func ("/app/time-scale/reveal", test_reveal);
  g_test_add_func ("/app/time-scale/divisions", test_divisions);
  return g_test_run ();
}
