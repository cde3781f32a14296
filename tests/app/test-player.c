/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The player with a clock that stands still until it is moved: what has been shown when, where the
 * position is, and how little a seek reads.
 */
#include "stint-player.h"

#include "engine-fixture.h"
#include "protocol.h"

#include <glib/gstdio.h>
#include <string.h>

#define SEC ((gint64) G_USEC_PER_SEC)
#define MSEC (SEC / 1000)
#define FULL_SCREEN "\033[?1049h"

/* A transcript of a job that has ended, a follower of it and a terminal that keeps what it is fed. */
typedef struct
{
  char *directory;
  StintTranscript *transcript;
  StintFollower *follower;
  StintPlayer *player;
  GString *shown;
  gsize fed; /* also what was shown before */
  guint n_placed;
  gint64 now;
} Fixture;

static void
on_feed (const guint8 *data, gsize length, gpointer user_data)
{
  Fixture *fixture = user_data;

  g_string_append_len (fixture->shown, (const char *) data, (gssize) length);
  fixture->fed += length;
  stint_follower_acknowledge (fixture->follower, 1000);
}

/* A range begins with what the terminal is emptied with, and maybe a notice. */
static void
on_before_chunk (Fixture *fixture, guint64 offset)
{
  if (offset == stint_follower_get_start (fixture->follower))
    g_string_truncate (fixture->shown, 0);
}

static void
on_placed (Fixture *fixture)
{
  fixture->n_placed++;
}

static gint64
get_now (gpointer user_data)
{
  return ((Fixture *) user_data)->now;
}

static void
write_file (Fixture *fixture, const char *name, gconstpointer data, gsize length)
{
  g_autofree char *path = g_build_filename (fixture->directory, name, NULL);

  g_assert_true (g_file_set_contents (path, data, (gssize) length, NULL));
}

/* @records: (element-type keeper_index_record) */
static void
set_up (Fixture *fixture,
        const GString *output,
        GArray *records,
        guint64 hole_start,
        guint64 hole_end)
{
  struct keeper_outcome outcome = {
    .magic = KEEPER_OUTCOME_MAGIC,
    .version = KEEPER_VERSION,
    .size = output->len,
    .hole_start = hole_start,
    .hole_end = hole_end,
  };

  *fixture = (Fixture){ .directory = g_dir_make_tmp ("stint-test-XXXXXX", NULL),
                        .shown = g_string_new (NULL),
                        .now = 1000 };
  write_file (fixture, "output", output->str, output->len);
  write_file (fixture, "index", records->data, records->len * sizeof (struct keeper_index_record));
  write_file (fixture, "outcome", &outcome, sizeof outcome);

  fixture->transcript = stint_transcript_new (fixture->directory);
  fixture->follower = stint_follower_new (fixture->transcript, FALSE, on_feed, fixture);
  g_signal_connect_swapped (fixture->follower, "before-chunk", G_CALLBACK (on_before_chunk),
                            fixture);
  g_signal_connect_swapped (fixture->follower, "placed", G_CALLBACK (on_placed), fixture);
  fixture->player =
      stint_player_new (fixture->follower, stint_transcript_get_reader (fixture->transcript));
  stint_player_set_clock (fixture->player, get_now, fixture);
  stint_follower_start (fixture->follower);
}

static void
tear_down (Fixture *fixture)
{
  const char *const names[] = { "output", "index", "outcome" };

  g_assert_finalize_object (fixture->player);
  g_assert_finalize_object (fixture->follower);
  g_object_unref (fixture->transcript);
  g_string_free (fixture->shown, TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (fixture->directory, names[i], NULL);

      g_unlink (path);
    }
  g_rmdir (fixture->directory);
  g_free (fixture->directory);
}

static void
add_record (GArray *records, guint64 offset, gint64 time)
{
  struct keeper_index_record record = { .offset = offset,
                                        .time = time,
                                        .kind = KEEPER_INDEX_OUTPUT };

  g_array_append_val (records, record);
}

/* "a" at 1 s, "b" at 2 s and so on, @pause seconds before the last. */
static void
set_up_letters (Fixture *fixture, guint n, gint64 pause)
{
  g_autoptr (GString) output = g_string_new (NULL);
  g_autoptr (GArray) records = g_array_new (FALSE, FALSE, sizeof (struct keeper_index_record));

  for (guint i = 0; i < n; i++)
    {
      add_record (records, i, (i + (i + 1 == n ? pause : 1)) * SEC);
      g_string_append_c (output, (char) ('a' + i));
    }
  set_up (fixture, output, records, 0, 0);
}

static gboolean
has_shown (Fixture *fixture, const char *text)
{
  return strcmp (fixture->shown->str, text) == 0;
}

/* Lets @usec go by at once. */
static void
pass (Fixture *fixture, gint64 usec)
{
  gint64 position = stint_player_get_position (fixture->player);

  fixture->now += usec;
  wait_until (stint_player_get_position (fixture->player) != position ||
              !stint_player_is_playing (fixture->player));
}

/* Waits for some ticks in which no time goes by. */
static void
let_it_tick (void)
{
  gint64 until = g_get_monotonic_time () + 250 * MSEC;

  wait_until (g_get_monotonic_time () >= until);
}

static void
test_true_timing (void)
{
  Fixture fixture;

  set_up_letters (&fixture, 5, 1);
  g_assert_cmpint (stint_player_get_duration (fixture.player), ==, 5 * SEC);
  g_assert_false (stint_player_is_playing (fixture.player));
  /* The follower shows all there is, and nobody has touched it. */
  g_assert_cmpint (stint_player_get_position (fixture.player), ==, 5 * SEC);
  wait_until (has_shown (&fixture, "abcde"));

  stint_player_play (fixture.player);
  g_assert_true (stint_player_is_playing (fixture.player));
  g_assert_cmpint (stint_player_get_position (fixture.player), ==, 0);
  wait_until (has_shown (&fixture, ""));

  pass (&fixture, 999 * MSEC);
  g_assert_cmpint (stint_player_get_position (fixture.player), ==, 999 * MSEC);
  let_it_tick ();
  g_assert_cmpstr (fixture.shown->str, ==, "");
  g_assert_cmpint (stint_player_get_position (fixture.player), ==, 999 * MSEC);

  pass (&fixture, MSEC);
  wait_until (has_shown (&fixture, "a"));
  pass (&fixture, 2500 * MSEC);
  wait_until (has_shown (&fixture, "abc"));
  let_it_tick ();
  g_assert_cmpstr (fixture.shown->str, ==, "abc");
  g_assert_cmpint (stint_player_get_position (fixture.player), ==, 3500 * MSEC);

  pass (&fixture, 60 * SEC);
  wait_until (!stint_player_is_playing (fixture.player));
  wait_until (has_shown (&fixture, "abcde"));
  g_assert_cmpint (stint_player_get_position (fixture.player), ==, 5 * SEC);

  /* From the end it begins anew. */
  stint_player_play (fixture.player);
  g_assert_cmpint (stint_player_get_position (fixture.player), ==, 0);
  wait_until (has_shown (&fixture, ""));
  tear_down (&fixture);
}

static void
test_pause (void)
{
  Fixture fixture;

  set_up_letters (&fixture, 5, 1);
  stint_player_play (fixture.player);
  wait_until (has_shown (&fixture, ""));
  pass (&fixture, 1500 * MSEC);
  stint_player_pause (fixture.player);
  g_assert_false (stint_player_is_playing (fixture.player));
  fixture.now += 3600 * SEC;
  let_it_tick ();
  g_assert_cmpint (stint_player_get_position (fixture.player), ==, 1500 * MSEC);
  stint_player_play (fixture.player);
  g_assert_cmpint (stint_player_get_position (fixture.player), ==, 1500 * MSEC);
  pass (&fixture, 500 * MSEC);
  g_assert_cmpint (stint_player_get_position (fixture.player), ==, 2 * SEC);
  wait_until (has_shown (&fixture, "ab"));
  tear_down (&fixture);
}

static void
test_speed (void)
{
  Fixture fixture;

  set_up_letters (&fixture, 20, 1);
  stint_player_set_speed (fixture.player, 4);
  stint_player_play (fixture.player);
  pass (&fixture, 1250 * MSEC);
  g_assert_cmpint (stint_player_get_position (fixture.player), ==, 5 * SEC);

  /* What has gone by before the change has gone by as fast as it did. */
  fixture.now += 250 * MSEC;
  stint_player_set_speed (fixture.player, 0.5);
  g_assert_cmpint (stint_player_get_position (fixture.player), ==, 6 * SEC);
  pass (&fixture, 1000 * MSEC);
  g_assert_cmpint (stint_player_get_position (fixture.player), ==, 6500 * MSEC);
  wait_until (has_shown (&fixture, "abcdef"));
  tear_down (&fixture);
}

static void
test_long_silence (void)
{
  Fixture fixture;

  set_up_letters (&fixture, 3, 3600);
  stint_player_set_speed (fixture.player, 16);
  stint_player_seek (fixture.player, 2 * SEC);
  wait_until (has_shown (&fixture, "ab"));
  stint_player_play (fixture.player);
  pass (&fixture, 1900 * MSEC);
  /* It says where it is while it waits. */
  g_assert_cmpint (stint_player_get_position (fixture.player), ==, 2 * SEC + 16 * 1900 * MSEC);
  let_it_tick ();
  g_assert_cmpstr (fixture.shown->str, ==, "ab");
  pass (&fixture, 100 * MSEC);
  wait_until (has_shown (&fixture, "abc"));
  g_assert_cmpint (stint_player_get_position (fixture.player), ==, 3602 * SEC);
  tear_down (&fixture);
}

static void
test_no_silence_is_too_long (void)
{
  Fixture fixture;

  set_up_letters (&fixture, 3, 3600);
  stint_player_set_max_pause (fixture.player, 0);
  stint_player_seek (fixture.player, 2 * SEC);
  stint_player_play (fixture.player);
  pass (&fixture, 3000 * SEC);
  g_assert_cmpint (stint_player_get_position (fixture.player), ==, 3002 * SEC);
  wait_until (has_shown (&fixture, "ab"));
  tear_down (&fixture);
}

/* One step of the clock over several silences is as good as many. */
static void
test_several_silences (void)
{
  g_autoptr (GString) output = g_string_new ("abcd");
  g_autoptr (GArray) records = g_array_new (FALSE, FALSE, sizeof (struct keeper_index_record));
  Fixture fixture;

  for (guint i = 0; i < 4; i++)
    add_record (records, i, i * 100 * SEC);
  set_up (&fixture, output, records, 0, 0);
  stint_player_set_max_pause (fixture.player, 5 * SEC);
  stint_player_play (fixture.player);
  wait_until (has_shown (&fixture, "a"));
  pass (&fixture, 11 * SEC);
  g_assert_cmpint (stint_player_get_position (fixture.player), ==, 201 * SEC);
  wait_until (has_shown (&fixture, "abc"));
  tear_down (&fixture);
}

static void
test_seek (void)
{
  Fixture fixture;
  guint n_placed;

  set_up_letters (&fixture, 10, 1);
  stint_player_seek (fixture.player, 2 * SEC);
  wait_until (has_shown (&fixture, "ab"));

  /* Forwards only what is new is fed. */
  n_placed = fixture.n_placed;
  stint_player_seek (fixture.player, 7 * SEC);
  wait_until (has_shown (&fixture, "abcdefg"));
  g_assert_cmpuint (fixture.n_placed, ==, n_placed);

  stint_player_seek (fixture.player, 4 * SEC);
  wait_until (has_shown (&fixture, "abcd"));
  g_assert_cmpuint (fixture.n_placed, ==, n_placed + 1);

  stint_player_seek (fixture.player, -1);
  g_assert_cmpint (stint_player_get_position (fixture.player), ==, 0);
  wait_until (has_shown (&fixture, ""));
  stint_player_seek (fixture.player, G_MAXINT64);
  g_assert_cmpint (stint_player_get_position (fixture.player), ==, 10 * SEC);
  wait_until (has_shown (&fixture, "abcdefghij"));
  tear_down (&fixture);
}

/* A slider that is dragged: the last place counts, and not every one is loaded. */
static void
test_many_seeks (void)
{
  Fixture fixture;
  guint n_placed;

  set_up_letters (&fixture, 26, 1);
  wait_until (fixture.n_placed > 0);
  n_placed = fixture.n_placed;
  for (guint i = 0; i < 400; i++)
    {
      stint_player_seek (fixture.player, (26 - (i % 20)) * SEC);
      g_main_context_iteration (NULL, FALSE);
    }
  stint_player_seek (fixture.player, 3 * SEC);
  wait_until (has_shown (&fixture, "abc"));
  let_it_tick ();
  g_assert_cmpstr (fixture.shown->str, ==, "abc");
  g_assert_cmpuint (fixture.n_placed - n_placed, <, 20);
  tear_down (&fixture);
}

/* 64 bytes every 10 ms. */
static GString *
new_lines (gsize total, GArray *records)
{
  GString *output = g_string_sized_new (total);

  while (output->len < total)
    {
      add_record (records, output->len, (gint64) (output->len / 64) * 10 * MSEC);
      g_string_append_printf (output, "%062" G_GSIZE_FORMAT "\r\n", output->len);
    }
  return output;
}

static gint64
get_time (guint64 offset)
{
  return (gint64) (offset / 64) * 10 * MSEC;
}

/* Far into a long transcript only what stands before the place is read. */
static void
test_far_seek (void)
{
  g_autoptr (GArray) records = g_array_new (FALSE, FALSE, sizeof (struct keeper_index_record));
  g_autoptr (GString) output = new_lines (48 * 1024 * 1024, records);
  guint64 target = 40 * 1024 * 1024;
  Fixture fixture;
  gsize fed;

  set_up (&fixture, output, records, 0, 0);
  wait_until (stint_follower_get_offset (fixture.follower) == output->len);
  fed = fixture.fed;
  stint_player_seek (fixture.player, get_time (target) - 1);
  wait_until (stint_follower_get_offset (fixture.follower) == target &&
              g_str_has_suffix (fixture.shown->str, "41942976\r\n"));
  g_assert_cmpuint (fixture.fed - fed, <=, 1024 * 1024 + 1024);
  /* It begins with a line, and tells that there was more. */
  g_assert_cmpuint (stint_follower_get_start (fixture.follower) % 64, ==, 0);
  g_assert_cmpuint (stint_follower_get_start (fixture.follower), >=, target - 1024 * 1024);
  tear_down (&fixture);
}

/* @entered, @left: where a program went to full screen and came back. Returns: where it is shown from. */
static guint64
seek_over_full_screen (guint64 entered, guint64 left, guint64 target)
{
  g_autoptr (GArray) records = g_array_new (FALSE, FALSE, sizeof (struct keeper_index_record));
  g_autoptr (GString) output = new_lines (24 * 1024 * 1024, records);
  guint64 start;
  Fixture fixture;

  memcpy (output->str + entered, FULL_SCREEN, strlen (FULL_SCREEN));
  memcpy (output->str + left, "\033[?1049l", strlen ("\033[?1049l"));
  set_up (&fixture, output, records, 0, 0);
  wait_until (stint_follower_get_offset (fixture.follower) == output->len);
  stint_player_seek (fixture.player, get_time (target) - 1);
  wait_until (stint_follower_get_offset (fixture.follower) == target);
  start = stint_follower_get_start (fixture.follower);
  g_assert_cmpint (stint_follower_is_full_screen (fixture.follower), ==,
                   start <= entered && target <= left);
  tear_down (&fixture);
  return start;
}

static void
test_full_screen (void)
{
  const guint64 mib = 1024 * 1024;

  /* In the program. */
  g_assert_cmpuint (seek_over_full_screen (5 * mib + 64, 20 * mib, 12 * mib), ==, 5 * mib + 64);
  /* After it: what is shown above begins in it. */
  g_assert_cmpuint (seek_over_full_screen (5 * mib + 64, 12 * mib - 6400, 12 * mib), ==,
                    5 * mib + 64);
  /* Long after it. */
  g_assert_cmpuint (seek_over_full_screen (5 * mib + 64, 8 * mib, 12 * mib), >=, 11 * mib);
  /* It begins within what is shown. */
  g_assert_cmpuint (seek_over_full_screen (12 * mib - 6400, 20 * mib, 12 * mib), <,
                    12 * mib - 6400);
  /* Too long ago. */
  g_assert_cmpuint (seek_over_full_screen (64, 23 * mib, 22 * mib), >=, 21 * mib);
}

/* What the output limit removed takes no time and is told. */
static void
test_hole (void)
{
  g_autoptr (GString) output = g_string_new (NULL);
  g_autoptr (GArray) records = g_array_new (FALSE, FALSE, sizeof (struct keeper_index_record));
  Fixture fixture;

  add_record (records, 0, 1 * SEC);
  add_record (records, 3000, 2 * SEC);
  add_record (records, 13000, 9 * SEC);
  g_string_append_printf (output, "%04000d%08000d%04000d", 1, 2, 3);
  set_up (&fixture, output, records, 4000, 12000);
  stint_player_seek (fixture.player, 2 * SEC);
  wait_until (fixture.n_placed == 2 && stint_follower_get_offset (fixture.follower) >= 13000);
  wait_until (strstr (fixture.shown->str, "removed by the output limit") != NULL);
  g_assert_cmpuint (fixture.shown->len, <, 9000);
  stint_player_seek (fixture.player, 9 * SEC);
  wait_until (stint_follower_get_offset (fixture.follower) == 16000);
  tear_down (&fixture);
}

/* Whoever shows something else through the follower has the player stopped, not the other way round. */
static void
test_shown_otherwise (void)
{
  Fixture fixture;

  set_up_letters (&fixture, 10, 1);
  stint_player_play (fixture.player);
  pass (&fixture, 2 * SEC);
  wait_until (has_shown (&fixture, "ab"));
  stint_follower_show_tail (fixture.follower);
  wait_until (has_shown (&fixture, "abcdefghij"));
  wait_until (!stint_player_is_playing (fixture.player));
  g_assert_cmpint (stint_player_get_position (fixture.player), ==, 2 * SEC);

  stint_player_play (fixture.player);
  wait_until (has_shown (&fixture, "ab"));
  pass (&fixture, 1 * SEC);
  wait_until (has_shown (&fixture, "abc"));
  tear_down (&fixture);
}

/* What is shown anew by the follower itself is still the player's. */
static void
test_reload (void)
{
  Fixture fixture;
  guint n_placed;

  set_up_letters (&fixture, 10, 1);
  stint_player_play (fixture.player);
  pass (&fixture, 2 * SEC);
  wait_until (has_shown (&fixture, "ab"));
  n_placed = fixture.n_placed;
  stint_follower_reload (fixture.follower);
  wait_until (fixture.n_placed == n_placed + 1 && has_shown (&fixture, "ab"));
  g_assert_true (stint_player_is_playing (fixture.player));
  pass (&fixture, 1 * SEC);
  wait_until (has_shown (&fixture, "abc"));
  tear_down (&fixture);
}

static void
test_empty (void)
{
  g_autoptr (GString) output = g_string_new ("no index\r\n");
  g_autoptr (GArray) records = g_array_new (FALSE, FALSE, sizeof (struct keeper_index_record));
  Fixture fixture;

  set_up (&fixture, output, records, 0, 0);
  g_assert_cmpint (stint_player_get_duration (fixture.player), ==, 0);
  stint_player_play (fixture.player);
  wait_until (!stint_player_is_playing (fixture.player));
  wait_until (has_shown (&fixture, "no index\r\n"));
  g_assert_cmpint (stint_player_get_position (fixture.player), ==, 0);
  tear_down (&fixture);
}

static void
count (guint *n)
{
  (*n)++;
}

static void
test_notifies (void)
{
  guint n_position = 0, n_playing = 0, n_speed = 0;
  Fixture fixture;

  set_up_letters (&fixture, 3, 1);
  g_signal_connect_swapped (fixture.player, "notify::position", G_CALLBACK (count), &n_position);
  g_signal_connect_swapped (fixture.player, "notify::playing", G_CALLBACK (count), &n_playing);
  g_signal_connect_swapped (fixture.player, "notify::speed", G_CALLBACK (count), &n_speed);
  stint_player_play (fixture.player);
  stint_player_play (fixture.player);
  g_assert_cmpuint (n_position, ==, 1);
  g_assert_cmpuint (n_playing, ==, 1);
  let_it_tick ();
  g_assert_cmpuint (n_position, ==, 1);
  pass (&fixture, 3 * SEC);
  wait_until (n_playing == 2);
  g_assert_cmpuint (n_position, ==, 2);
  stint_player_set_speed (fixture.player, 1);
  g_assert_cmpuint (n_speed, ==, 0);
  g_object_set (fixture.player, "speed", 2.0, "max-pause", G_GINT64_CONSTANT (0), NULL);
  g_assert_cmpuint (n_speed, ==, 1);
  g_assert_cmpint (stint_player_get_max_pause (fixture.player), ==, 0);
  tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/player/true-timing", test_true_timing);
  g_test_add_func ("/app/player/pause", test_pause);
  g_test_add_func ("/app/player/speed", test_speed);
  g_test_add_func ("/app/player/long-silence", test_long_silence);
  g_test_add_func ("/app/player/no-silence-is-too-long", test_no_silence_is_too_long);
  g_test_add_func ("/app/player/several-silences", test_several_silences);
  g_test_add_func ("/app/player/seek", test_seek);
  g_test_add_func ("/app/player/many-seeks", test_many_seeks);
  g_test_add_func ("/app/player/far-seek", test_far_seek);
  g_test_add_func ("/app/player/full-screen", test_full_screen);
  g_test_add_func ("/app/player/hole", test_hole);
  g_test_add_func ("/app/player/shown-otherwise", test_shown_otherwise);
  g_test_add_func ("/app/player/reload", test_reload);
  g_test_add_func ("/app/player/empty", test_empty);
  g_test_add_func ("/app/player/notifies", test_notifies);
  return g_test_run ();
}
