/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The follower feeds a terminal that is none: everything, in order, whole characters only, no faster
 * than it is shown; and says what it leaves out.
 */
#include "stint-follower.h"
#include "stint-pace.h"

#include "engine-fixture.h"
#include "stint-compress.h"
#include "protocol.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A terminal that keeps what it is fed. */
typedef struct
{
  GByteArray *shown;
  StintFollower *follower;
  guint n_feeds;
  gboolean acknowledges; /* at once; else never, by itself */
  gboolean cut_character;
  guint n_caught_up;
  gsize mark_at; /* how much had been shown */
  guint64 placed_at;
} Sink;

static void
on_feed (const guint8 *data, gsize length, gpointer user_data)
{
  Sink *sink = user_data;

  sink->n_feeds++;
  g_byte_array_append (sink->shown, data, (guint) length);
  if (!g_utf8_validate ((const char *) data, (gssize) length, NULL))
    sink->cut_character = TRUE;
  if (sink->acknowledges)
    stint_follower_acknowledge (sink->follower, 1000);
}

static void
on_caught_up (Sink *sink)
{
  sink->n_caught_up++;
}

static void
sink_init_pipe (Sink *sink, StintTranscript *transcript, gboolean pipe)
{
  *sink = (Sink){ .shown = g_byte_array_new (), .acknowledges = TRUE };
  sink->follower = stint_follower_new (transcript, pipe, on_feed, sink);
  g_signal_connect_swapped (sink->follower, "caught-up", G_CALLBACK (on_caught_up), sink);
}

static void
sink_init (Sink *sink, StintTranscript *transcript)
{
  sink_init_pipe (sink, transcript, FALSE);
}

static void
sink_clear (Sink *sink)
{
  g_assert_finalize_object (sink->follower);
  g_byte_array_unref (sink->shown);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Sink, sink_clear)

static void
assert_shown (const Sink *sink, const char *expected, gsize length)
{
  g_assert_cmpmem (sink->shown->data, sink->shown->len, expected, length);
}

static gboolean
has_shown (const Sink *sink, const char *text)
{
  return sink->shown->len > 0 &&
         memmem (sink->shown->data, sink->shown->len, text, strlen (text)) != NULL;
}

/* (transfer full): a transcript of a job that has ended, with this output. */
static StintTranscript *
new_transcript (const char *data,
                gsize length,
                guint64 hole_start,
                guint64 hole_end,
                char **directory)
{
  g_autofree char *output = NULL;
  g_autofree char *index = NULL;
  g_autofree char *outcome_path = NULL;
  struct keeper_outcome outcome = {
    .magic = KEEPER_OUTCOME_MAGIC,
    .version = KEEPER_VERSION,
    .size = length,
    .hole_start = hole_start,
    .hole_end = hole_end,
  };

  *directory = g_dir_make_tmp ("stint-test-XXXXXX", NULL);
  output = g_build_filename (*directory, "output", NULL);
  index = g_build_filename (*directory, "index", NULL);
  outcome_path = g_build_filename (*directory, "outcome", NULL);
  g_assert_true (g_file_set_contents (output, data, (gssize) length, NULL));
  g_assert_true (g_file_set_contents (index, "", 0, NULL));
  g_assert_true (g_file_set_contents (outcome_path, (const char *) &outcome, sizeof outcome, NULL));
  return stint_transcript_new (*directory);
}

static void
remove_directory (const char *directory)
{
  const char *const names[] = { "output", "index", "outcome", "output.zst", "index.zst", "lock" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (directory, names[i], NULL);

      g_unlink (path);
    }
  g_rmdir (directory);
}

/* Follows a finished transcript to its end. */
static void
follow_to_end (Sink *sink)
{
  stint_follower_start (sink->follower);
  wait_until (sink->n_caught_up > 0);
}

static char *
repeat (const char *line, gsize total)
{
  GString *text = g_string_sized_new (total);

  while (text->len + strlen (line) <= total)
    g_string_append (text, line);
  return g_string_free (text, FALSE);
}

static void
test_everything_in_order (void)
{
  g_autofree char *text = repeat ("0123456789\r\n", 700 * 1000);
  g_autofree char *directory = NULL;
  g_autoptr (StintTranscript) transcript = new_transcript (text, strlen (text), 0, 0, &directory);
  g_auto (Sink) sink;

  sink_init (&sink, transcript);
  follow_to_end (&sink);
  assert_shown (&sink, text, strlen (text));
  g_assert_cmpuint (stint_follower_get_skipped (sink.follower), ==, 0);
  remove_directory (directory);
}

static void
test_bare_newlines (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GString) expected = g_string_new (NULL);
  g_autofree char *directory = NULL;
  g_autoptr (StintTranscript) transcript = NULL;
  g_auto (Sink) sink;

  /* The first chunk ends between \r and \n. */
  while (text->len < 2 * STINT_PACE_MIN_CHUNK - 1)
    g_string_append_c (text, 'x');
  g_string_append (expected, text->str);
  g_string_append (text, "\r\na\nb\n\nc\r\nd");
  g_string_append (expected, "\r\na\r\nb\r\n\r\nc\r\nd");

  transcript = new_transcript (text->str, text->len, 0, 0, &directory);
  sink_init_pipe (&sink, transcript, TRUE);
  follow_to_end (&sink);
  assert_shown (&sink, expected->str, expected->len);
  remove_directory (directory);
}

static void
test_whole_characters (void)
{
  for (guint offset = 0; offset < 4; offset++)
    {
      g_autofree char *pad = g_strnfill (offset, 'x');
      g_autofree char *characters = repeat ("🙂é€", 300 * 1000);
      g_autofree char *text = g_strconcat (pad, characters, NULL);
      g_autofree char *directory = NULL;
      g_autoptr (StintTranscript) transcript =
          new_transcript (text, strlen (text), 0, 0, &directory);
      g_auto (Sink) sink;

      sink_init (&sink, transcript);
      follow_to_end (&sink);
      g_assert_cmpuint (sink.n_feeds, >, 1);
      g_assert_false (sink.cut_character);
      assert_shown (&sink, text, strlen (text));
      remove_directory (directory);
    }
}

static void
test_cut_at_the_end (void)
{
  const char text[] = "abc\xe2\x82";
  g_autofree char *directory = NULL;
  g_autoptr (StintTranscript) transcript = new_transcript (text, strlen (text), 0, 0, &directory);
  g_auto (Sink) sink;

  sink_init (&sink, transcript);
  follow_to_end (&sink);
  assert_shown (&sink, text, strlen (text));
  remove_directory (directory);
}

static void
test_waits_for_the_terminal (void)
{
  g_autofree char *text = repeat ("0123456789\r\n", 300 * 1000);
  g_autofree char *directory = NULL;
  g_autoptr (StintTranscript) transcript = new_transcript (text, strlen (text), 0, 0, &directory);
  g_auto (Sink) sink;
  gint64 started;

  sink_init (&sink, transcript);
  sink.acknowledges = FALSE;
  stint_follower_start (sink.follower);
  wait_until (sink.n_feeds > 0);
  started = g_get_monotonic_time ();
  /* Not even when there is more. */
  g_signal_emit_by_name (transcript, "grew");
  while (g_main_context_iteration (NULL, FALSE))
    {
    }
  if (g_get_monotonic_time () - started < 40 * 1000)
    g_assert_cmpuint (sink.n_feeds, ==, 1);

  /* A terminal that says nothing, as after half a control sequence, is not waited for for ever. */
  wait_until (sink.n_caught_up > 0);
  assert_shown (&sink, text, strlen (text));
  remove_directory (directory);
}

/* Who opens a job sees its last lines first, and then has the rest of the tail above them: once. */
static void
test_short_tail_first (void)
{
  g_autofree char *text = repeat ("0123456789\r\n", 3 * 1000 * 1000);
  g_autofree char *directory = NULL;
  g_autoptr (StintTranscript) transcript = new_transcript (text, strlen (text), 0, 0, &directory);
  const guint64 size = strlen (text);
  g_auto (Sink) sink;

  sink_init (&sink, transcript);
  stint_follower_set_backlog (sink.follower, 1000000, 1000 * 1000, 2 * 1000 * 1000);
  follow_to_end (&sink);
  g_assert_cmpuint (stint_follower_get_offset (sink.follower), ==, size);
  g_assert_cmpuint (stint_follower_get_start (sink.follower), >=, size - 64 * 1024);
  wait_until (stint_follower_get_start (sink.follower) < size - 900 * 1000);
  wait_until (sink.n_caught_up > 1 && stint_follower_get_offset (sink.follower) == size);
  /* Nothing that is fed again is fed a third time: what it shows stays as it is. */
  g_assert_cmpuint (sink.shown->len, <, 1200 * 1000);
  remove_directory (directory);
}

static gboolean
set_true (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

/* What is first to be seen comes at once and in one go: the terminal is not waited for between what is
 * said of earlier output and the output, nor between the frames of a compressed file. */
static void
test_first_picture_is_whole (void)
{
  /* A frame ends in the middle of the tail. */
  g_autofree char *text = repeat ("0123456789\r\n", 3 * 1024 * 1024 + 24 * 1024);
  const gsize size = strlen (text);
  g_autofree char *directory = NULL, *lock = NULL;
  g_autoptr (StintTranscript) written = new_transcript (text, size, 0, 0, &directory);
  g_autoptr (StintTranscript) transcript = NULL;
  g_autoptr (GError) error = NULL;
  gboolean idle = FALSE;
  g_auto (Sink) sink;

  lock = g_build_filename (directory, "lock", NULL);
  g_assert_true (g_file_set_contents (lock, "", 0, NULL));
  stint_compress_directory (directory, NULL, &error);
  g_assert_no_error (error);
  transcript = stint_transcript_new (directory);
  sink_init (&sink, transcript);
  sink.acknowledges = FALSE;
  stint_follower_set_backlog (sink.follower, 1000000, 1000 * 1000, 2 * 1000 * 1000);
  stint_follower_start (sink.follower);
  g_idle_add (set_true, &idle);
  wait_until (idle);
  g_assert_true (has_shown (&sink, "earlier output"));
  g_assert_cmpuint (stint_follower_get_offset (sink.follower), ==, size);
  g_assert_cmpuint (sink.n_feeds, ==, 2);
  /* But not yet done: that is the terminal's to say. */
  g_assert_cmpuint (sink.n_caught_up, ==, 0);
  stint_follower_acknowledge (sink.follower, 1000);
  wait_until (sink.n_caught_up > 0);
  remove_directory (directory);
}

/* A terminal whose answers reach a program is fed everything once. */
static void
test_short_tail_is_not_for_the_living (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) spec = stint_job_spec_new_shell (
      STINT_JOB_KIND_TERMINAL, "seq 100000 199999; echo ready; read go; echo over");
  g_autoptr (StintJob) job = NULL;
  g_auto (Sink) sink;

  stint_job_spec_resolve (spec, "/tmp", NULL, NULL);
  job = fixture_submit (list, spec);
  wait_until (stint_job_get_output_bytes (job) > 800 * 1000);
  sink_init (&sink, stint_job_get_transcript (job));
  stint_follower_set_backlog (sink.follower, 1000000, 300 * 1000, 2 * 1000 * 1000);
  stint_follower_start (sink.follower);
  wait_until (sink.n_caught_up > 0);
  g_assert_cmpuint (stint_follower_get_start (sink.follower), <,
                    stint_follower_get_offset (sink.follower) - 200 * 1000);
  stint_job_kill (job);
  wait_until (stint_job_get_state (job) == STINT_JOB_FINISHED);
}

static void
test_adapts_to_the_cost (void)
{
  g_autofree char *text = repeat ("0123456789\r\n", 4 * 1000 * 1000);
  g_autofree char *directory = NULL;
  g_autoptr (StintTranscript) transcript = new_transcript (text, strlen (text), 0, 0, &directory);
  g_auto (Sink) sink;
  gsize first;

  sink_init (&sink, transcript);
  stint_follower_set_backlog (sink.follower, 1000000, 5 * 1000 * 1000, 8 * 1000 * 1000);
  sink.acknowledges = FALSE;
  stint_follower_start (sink.follower);
  wait_until (sink.n_feeds == 1);
  first = stint_follower_get_chunk (sink.follower);
  stint_follower_acknowledge (sink.follower, 3 * STINT_PACE_BUDGET);
  g_assert_cmpuint (stint_follower_get_chunk (sink.follower), ==,
                    MAX (first / 2, STINT_PACE_MIN_CHUNK));
  for (guint n = 2; n < 12; n++)
    {
      wait_until (sink.n_feeds >= n);
      stint_follower_acknowledge (sink.follower, STINT_PACE_BUDGET / 8);
    }
  g_assert_cmpuint (stint_follower_get_chunk (sink.follower), ==, STINT_PACE_MAX_CHUNK);
  stint_follower_stop (sink.follower);
  remove_directory (directory);
}

static void
test_begins_at_the_tail (void)
{
  g_autofree char *early = repeat ("early early early\r\n", 500 * 1000);
  g_autofree char *late = repeat ("late late late\r\n", 50 * 1000);
  g_autofree char *text = g_strconcat (early, late, NULL);
  g_autofree char *directory = NULL;
  g_autoptr (StintTranscript) transcript = new_transcript (text, strlen (text), 0, 0, &directory);
  g_auto (Sink) sink;

  sink_init (&sink, transcript);
  stint_follower_set_backlog (sink.follower, 1000000, 40 * 1000, 100 * 1000);
  follow_to_end (&sink);
  g_assert_true (has_shown (&sink, "of earlier output"));
  g_assert_false (has_shown (&sink, "early"));
  /* The first line after the notice is a whole one. */
  g_assert_true (has_shown (&sink, "\033[0m\r\nlate late late\r\n"));
  g_assert_cmpuint (stint_follower_get_skipped (sink.follower), >=, strlen (early));
  g_assert_cmpuint (stint_follower_get_offset (sink.follower), ==, strlen (text));
  remove_directory (directory);
}

/* What a program in full screen shows is made of everything since it went there. */
static void
test_full_screen_is_not_skipped (void)
{
  g_autofree char *before = repeat ("before before\r\n", 200 * 1000);
  g_autofree char *since = repeat ("since since since\r\n", 200 * 1000);
  g_autofree char *text = g_strconcat (before, "\033[?1049h", since, NULL);
  g_autofree char *expected = g_strconcat ("\033[?1049h", since, NULL);
  g_autofree char *directory = NULL;
  g_autoptr (StintTranscript) transcript = new_transcript (text, strlen (text), 0, 0, &directory);
  g_auto (Sink) sink;

  sink_init (&sink, transcript);
  stint_follower_set_backlog (sink.follower, 1000000, 40 * 1000, 100 * 1000);
  follow_to_end (&sink);
  g_assert_true (stint_follower_is_full_screen (sink.follower));
  g_assert_false (has_shown (&sink, "before"));
  g_assert_cmpuint (sink.shown->len, >, strlen (expected));
  g_assert_cmpmem (sink.shown->data + sink.shown->len - strlen (expected), strlen (expected),
                   expected, strlen (expected));
  remove_directory (directory);
}

/* The same output with the program gone again is skipped. */
static void
test_left_full_screen_is_skipped (void)
{
  g_autofree char *since = repeat ("since since since\r\n", 200 * 1000);
  g_autofree char *after = repeat ("after after\r\n", 60 * 1000);
  g_autofree char *text = g_strconcat ("\033[?1049h", since, "\033[?1049l", after, NULL);
  g_autofree char *directory = NULL;
  g_autoptr (StintTranscript) transcript = new_transcript (text, strlen (text), 0, 0, &directory);
  g_auto (Sink) sink;

  sink_init (&sink, transcript);
  stint_follower_set_backlog (sink.follower, 1000000, 40 * 1000, 100 * 1000);
  follow_to_end (&sink);
  g_assert_false (has_shown (&sink, "since"));
  g_assert_true (has_shown (&sink, "after"));
  remove_directory (directory);
}

static void
test_hole_is_told (void)
{
  g_autofree char *text = repeat ("0123456789abcdef", 64 * 1024);
  g_autofree char *directory = NULL;
  g_autoptr (StintTranscript) transcript =
      new_transcript (text, strlen (text), 16 * 1024, 48 * 1024, &directory);
  g_auto (Sink) sink;

  sink_init (&sink, transcript);
  follow_to_end (&sink);
  g_assert_true (has_shown (&sink, "removed by the output limit"));
  g_assert_cmpuint (stint_follower_get_skipped (sink.follower), ==, 32 * 1024);
  g_assert_cmpuint (sink.shown->len, <, 33 * 1024);
  remove_directory (directory);
}

static void
test_stopped_loses_nothing (void)
{
  g_autofree char *text = repeat ("0123456789\r\n", 700 * 1000);
  g_autofree char *directory = NULL;
  g_autoptr (StintTranscript) transcript = new_transcript (text, strlen (text), 0, 0, &directory);
  g_auto (Sink) sink;

  sink_init (&sink, transcript);
  while (sink.n_caught_up == 0)
    {
      guint n_feeds = sink.n_feeds;

      stint_follower_start (sink.follower);
      wait_until (sink.n_feeds > n_feeds || sink.n_caught_up > 0);
      stint_follower_stop (sink.follower);
      n_feeds = sink.n_feeds;
      while (g_main_context_iteration (NULL, FALSE))
        {
        }
      g_assert_cmpuint (sink.n_feeds, ==, n_feeds);
    }
  assert_shown (&sink, text, strlen (text));
  remove_directory (directory);
}

/* Lets the job of the next test go on. */
static void
pass_gate (const char *gate)
{
  int fd = g_open (gate, O_WRONLY | O_CLOEXEC);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, "\n", 1), ==, 1);
  close (fd);
}

/* A job that writes faster than the terminal shows is skipped to its tail while it runs. */
static void
test_live_and_too_far_behind (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) spec = fixture_shell ("echo first; read go <\"$GATE\"; seq 1 60000; "
                                                 "read go <\"$GATE\"; echo last");
  g_autofree char *directory = g_dir_make_tmp ("stint-test-XXXXXX", NULL);
  g_autofree char *gate = g_build_filename (directory, "gate", NULL);
  g_autofree char *change = g_strconcat ("GATE=", gate, NULL);
  g_autoptr (StintJob) job = NULL;
  g_auto (Sink) sink;

  g_assert_cmpint (mkfifo (gate, 0600), ==, 0);
  stint_job_spec_add_env (spec, change, NULL);
  job = fixture_submit (list, spec);
  wait_until (stint_job_get_transcript (job) != NULL);

  sink_init_pipe (&sink, stint_job_get_transcript (job), TRUE);
  stint_follower_set_backlog (sink.follower, 100000, 20 * 1000, 50 * 1000);
  stint_follower_start (sink.follower);
  wait_until (has_shown (&sink, "first\r\n"));

  /* Not looked at meanwhile. */
  stint_follower_stop (sink.follower);
  pass_gate (gate);
  wait_until (stint_job_get_output_bytes (job) > 300 * 1000);
  stint_follower_start (sink.follower);
  wait_until (has_shown (&sink, "60000\r\n"));
  g_assert_true (has_shown (&sink, "of earlier output"));
  g_assert_false (has_shown (&sink, "\r\n30000\r\n"));

  pass_gate (gate);
  wait_until (has_shown (&sink, "last\r\n"));
  fixture_wait_for_all (list);
  g_unlink (gate);
  g_rmdir (directory);
}

static void
on_mark (Sink *sink)
{
  g_assert_cmpuint (sink->mark_at, ==, 0);
  sink->mark_at = sink->shown->len;
}

static void
on_placed (Sink *sink, guint64 offset)
{
  sink->placed_at = offset;
  g_byte_array_set_size (sink->shown, 0);
}

/* A part of the transcript, with a stop at the mark; then the end again. */
static void
test_range (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *directory = NULL;
  g_autoptr (StintTranscript) transcript = NULL;
  g_auto (Sink) sink;

  for (guint i = 0; i < 100000; i++)
    g_string_append_printf (text, "line %05u\r\n", i);
  transcript = new_transcript (text->str, text->len, 0, 0, &directory);
  sink_init (&sink, transcript);
  g_signal_connect_swapped (sink.follower, "mark-reached", G_CALLBACK (on_mark), &sink);
  g_signal_connect_swapped (sink.follower, "placed", G_CALLBACK (on_placed), &sink);
  follow_to_end (&sink);
  g_assert_true (stint_follower_is_at_tail (sink.follower));

  sink.n_caught_up = 0;
  stint_follower_show_range (sink.follower, 12 * 5000, 12 * 6000 + 4, 12 * 60000);
  wait_until (sink.n_caught_up > 0);
  g_assert_cmpuint (sink.placed_at, ==, 12 * 5000);
  g_assert_cmpuint (stint_follower_get_start (sink.follower), ==, 12 * 5000);
  g_assert_false (stint_follower_is_at_tail (sink.follower));
  assert_shown (&sink, text->str + 12 * 5000, 12 * 55000);
  g_assert_cmpuint (sink.mark_at, ==, 12 * 1000 + 4);

  sink.n_caught_up = 0;
  stint_follower_set_end (sink.follower, 12 * 60001);
  wait_until (sink.n_caught_up > 0);
  g_assert_cmpuint (sink.shown->len, ==, 12 * 55001);

  sink.n_caught_up = 0;
  stint_follower_show_tail (sink.follower);
  wait_until (sink.n_caught_up > 0);
  g_assert_true (has_shown (&sink, "line 99999\r\n"));
  remove_directory (directory);
}

/* So many lines as the terminal keeps, and no more. */
static void
test_begins_by_lines (void)
{
  g_autofree char *text = repeat ("\r\n", 100 * 1000);
  g_autofree char *directory = NULL;
  g_autoptr (StintTranscript) transcript = new_transcript (text, strlen (text), 0, 0, &directory);
  g_auto (Sink) sink;

  sink_init (&sink, transcript);
  g_signal_connect_swapped (sink.follower, "placed", G_CALLBACK (on_placed), &sink);
  stint_follower_set_backlog (sink.follower, 100, 40 * 1000, 100 * 1000);
  follow_to_end (&sink);
  g_assert_cmpuint (sink.shown->len, ==, 200);
  remove_directory (directory);
}

/* What lasts of what is skipped: colours and modes, but not those that were reset. */
static void
test_state_is_restored (void)
{
  g_autofree char *before = repeat ("before before\r\n", 200 * 1000);
  g_autofree char *late = repeat ("late late late\r\n", 30 * 1000);
  g_autofree char *text = g_strconcat (before, "\033[1mbold\033[0;31mred\033[?2004h\033[?25l\r\n", late, NULL);
  g_autofree char *directory = NULL;
  g_autoptr (StintTranscript) transcript = new_transcript (text, strlen (text), 0, 0, &directory);
  g_auto (Sink) sink;

  sink_init (&sink, transcript);
  stint_follower_set_backlog (sink.follower, 1000, 40 * 1000, 100 * 1000);
  follow_to_end (&sink);
  g_assert_true (has_shown (&sink, "\033[?2004h\033[?25l\033[0;31mlate late"));
  g_assert_false (has_shown (&sink, "\033[1m"));
  remove_directory (directory);
}

/* While somebody reads nothing is skipped, and while it is held nothing comes. */
static void
test_reading (void)
{
  g_autofree char *text = repeat ("0123456789\r\n", 400 * 1000);
  g_autofree char *directory = NULL;
  g_autoptr (StintTranscript) transcript = new_transcript (text, strlen (text), 0, 0, &directory);
  g_auto (Sink) sink;
  guint n_feeds;

  sink_init (&sink, transcript);
  stint_follower_show_range (sink.follower, 0, G_MAXUINT64, 0);
  follow_to_end (&sink);
  stint_follower_set_backlog (sink.follower, 100, 1000, 2000);
  stint_follower_set_may_skip (sink.follower, FALSE);
  stint_follower_set_held (sink.follower, TRUE);
  sink.n_caught_up = 0;
  stint_follower_set_end (sink.follower, G_MAXUINT64);
  n_feeds = sink.n_feeds;
  while (g_main_context_iteration (NULL, FALSE))
    {
    }
  g_assert_cmpuint (sink.n_feeds, ==, n_feeds);
  stint_follower_set_held (sink.follower, FALSE);
  wait_until (sink.n_caught_up > 0);
  assert_shown (&sink, text, strlen (text));
  remove_directory (directory);
}

/* What could not be stored is told where it is missing. */
static void
test_loss_is_told (void)
{
  static const struct keeper_index_record records[] = {
    { .offset = 0, .time = 1, .kind = KEEPER_INDEX_OUTPUT },
    { .offset = 5, .time = 2, .kind = KEEPER_INDEX_LOST, .value = 5000000 },
    { .offset = 5, .time = 3, .kind = KEEPER_INDEX_OUTPUT },
  };
  g_autofree char *directory = NULL;
  g_autoptr (StintTranscript) transcript = new_transcript ("beforeafter", 11, 0, 0, &directory);
  g_autofree char *index = g_build_filename (directory, "index", NULL);
  g_autofree char *outcome_path = g_build_filename (directory, "outcome", NULL);
  struct keeper_outcome outcome = {
    .magic = KEEPER_OUTCOME_MAGIC,
    .version = KEEPER_VERSION,
    .size = 11,
    .lost = 5000000,
  };
  g_auto (Sink) sink;

  g_assert_true (g_file_set_contents (index, (const char *) records, sizeof records, NULL));
  g_assert_true (g_file_set_contents (outcome_path, (const char *) &outcome, sizeof outcome, NULL));
  sink_init (&sink, transcript);
  follow_to_end (&sink);
  g_byte_array_append (sink.shown, (const guint8 *) "", 1);
  g_assert_true (g_str_has_prefix ((const char *) sink.shown->data, "befor\030\r\n"));
  g_assert_true (has_shown (&sink, "could not be stored"));
  g_assert_true (has_shown (&sink, "\r\neafter"));
  remove_directory (directory);
}

/* A mark at the end of the hole, as when what is before it is looked at: the hole is told, and what is
 * behind it follows, with nobody's help. */
static void
test_mark_at_the_hole (void)
{
  g_autofree char *text = repeat ("0123456789abcd\r\n", 64 * 1024);
  const guint64 marks[] = { 48 * 1024, 40 * 1024, 48 * 1024 + 16 };

  for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
    {
      g_autofree char *directory = NULL;
      g_autoptr (StintTranscript) transcript =
          new_transcript (text, strlen (text), 16 * 1024, 48 * 1024, &directory);
      g_auto (Sink) sink;

      sink_init (&sink, transcript);
      g_signal_connect_swapped (sink.follower, "mark-reached", G_CALLBACK (on_mark), &sink);
      stint_follower_show_range (sink.follower, 1024, marks[i], 64 * 1024);
      stint_follower_start (sink.follower);
      wait_until (stint_follower_get_offset (sink.follower) == 64 * 1024);
      wait_until (sink.n_caught_up > 0);
      g_assert_cmpuint (sink.n_caught_up, ==, 1);
      g_assert_true (has_shown (&sink, "removed by the output limit"));
      g_assert_cmpuint (sink.mark_at, >=, 15 * 1024);
      g_assert_cmpuint (sink.shown->len, >=, 31 * 1024);
      remove_directory (directory);
    }
}

/* What is looked through for a state ends where what is shown begins, over a hole too. */
static void
test_state_behind_the_hole (void)
{
  g_autofree char *plain = repeat ("plain plain\r\n", 600 * 1024);
  g_autofree char *text = g_strconcat (plain, "\033[31mred\r\n", NULL);
  g_autofree char *directory = NULL;
  g_autoptr (StintTranscript) transcript =
      new_transcript (text, strlen (text), 16 * 1024, 592 * 1024, &directory);
  g_auto (Sink) sink;

  sink_init (&sink, transcript);
  stint_follower_set_backlog (sink.follower, 20, 40 * 1000, 100 * 1000);
  follow_to_end (&sink);
  g_assert_cmpuint (stint_follower_get_start (sink.follower), >, 592 * 1024);
  g_assert_true (has_shown (&sink, "\033[0m\r\nplain plain\r\n"));
  remove_directory (directory);
}

/* A full-screen program begins with what was set before it went there. */
static void
test_state_before_full_screen (void)
{
  g_autofree char *before = repeat ("before before\r\n", 200 * 1000);
  g_autofree char *since = repeat ("since since since\r\n", 200 * 1000);
  g_autofree char *text =
      g_strconcat (before, "\033[?25l\033[?1h\033[32m\033[?1049h\033[?25h\033[0;31m", since, NULL);
  g_autofree char *directory = NULL;
  g_autoptr (StintTranscript) transcript = new_transcript (text, strlen (text), 0, 0, &directory);
  g_auto (Sink) sink;

  sink_init (&sink, transcript);
  stint_follower_set_backlog (sink.follower, 1000000, 40 * 1000, 100 * 1000);
  follow_to_end (&sink);
  g_assert_true (stint_follower_is_full_screen (sink.follower));
  g_assert_true (has_shown (&sink, "\033[?25l\033[?1h\033[32m\033[?1049h\033[?25h"));
  remove_directory (directory);
}

/* A sequence that the hole cuts off does not go on behind it. */
static void
test_sequence_cut_by_the_hole (void)
{
  g_autofree char *before = repeat ("0123456789abcdef", 16 * 1024);
  g_autofree char *gone = repeat ("gone gone gone\r\n", 16 * 1024);
  g_autofree char *text = g_strconcat (before, "\033[?104", gone, "9hello\r\n", NULL);
  const guint64 hole_start = strlen (before) + strlen ("\033[?104");
  g_autofree char *directory = NULL;
  g_autoptr (StintTranscript) transcript =
      new_transcript (text, strlen (text), hole_start, hole_start + strlen (gone), &directory);
  g_auto (Sink) sink;

  sink_init (&sink, transcript);
  follow_to_end (&sink);
  g_assert_true (has_shown (&sink, "9hello"));
  g_assert_false (stint_follower_is_full_screen (sink.follower));
  remove_directory (directory);
}

static void
check_feed (Sink *sink, guint64 offset)
{
  g_assert_cmpuint (sink->shown->len - sink->mark_at, <=, STINT_FOLLOWER_READING_CHUNK);
  sink->mark_at = sink->shown->len;
}

/* Even the shortest lines come in pieces that somebody who reads has room for. */
static void
test_reading_short_lines (void)
{
  g_autofree char *text = repeat ("\r\n", 100 * 1000);
  g_autofree char *directory = NULL;
  g_autoptr (StintTranscript) transcript = new_transcript (text, strlen (text), 0, 0, &directory);
  g_auto (Sink) sink;

  sink_init (&sink, transcript);
  g_signal_connect_swapped (sink.follower, "before-chunk", G_CALLBACK (check_feed), &sink);
  stint_follower_set_may_skip (sink.follower, FALSE);
  follow_to_end (&sink);
  assert_shown (&sink, text, strlen (text));
  remove_directory (directory);
}

static void
on_problem (Sink *sink, GError *error)
{
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
  sink->n_caught_up++;
}

/* A transcript whose end is damaged can still be read at its beginning. */
static void
test_damaged_end (void)
{
  g_autofree char *text = repeat ("0123456789\r\n", 2500 * 1000);
  g_autofree char *directory = NULL;
  g_autoptr (StintTranscript) transcript = new_transcript (text, strlen (text), 0, 0, &directory);
  g_autofree char *lock = g_build_filename (directory, "lock", NULL);
  g_autofree char *compressed = g_build_filename (directory, "output.zst", NULL);
  g_autofree char *index = g_build_filename (directory, "index.zst", NULL);
  g_autoptr (GError) error = NULL;
  struct stat status;
  g_auto (Sink) sink;
  int fd;

  g_assert_true (g_file_set_contents (lock, "", 0, NULL));
  g_assert_true (stint_compress_directory (directory, NULL, &error));
  g_assert_no_error (error);
  /* In the last frame: behind it stand the table of three, and what frames that. */
  fd = g_open (compressed, O_RDWR | O_CLOEXEC);
  g_assert_no_errno (fstat (fd, &status));
  g_assert_cmpint (pwrite (fd, "damage", 6, status.st_size - (8 + 3 * 8 + 9) - 10), ==, 6);
  close (fd);

  sink_init (&sink, transcript);
  g_signal_connect_swapped (sink.follower, "problem", G_CALLBACK (on_problem), &sink);
  stint_follower_set_backlog (sink.follower, 1000000, 100 * 1000, 200 * 1000);
  follow_to_end (&sink);
  g_assert_false (has_shown (&sink, "0123456789"));
  sink.n_caught_up = 0;
  stint_follower_show_range (sink.follower, 0, G_MAXUINT64, 1200);
  wait_until (sink.n_caught_up > 0);
  g_assert_true (has_shown (&sink, "0123456789"));

  g_unlink (compressed);
  g_unlink (index);
  g_unlink (lock);
  remove_directory (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/follower/everything-in-order", test_everything_in_order);
  g_test_add_func ("/app/follower/bare-newlines", test_bare_newlines);
  g_test_add_func ("/app/follower/whole-characters", test_whole_characters);
  g_test_add_func ("/app/follower/cut-at-the-end", test_cut_at_the_end);
  g_test_add_func ("/app/follower/waits-for-the-terminal", test_waits_for_the_terminal);
  g_test_add_func ("/app/follower/adapts-to-the-cost", test_adapts_to_the_cost);
  g_test_add_func ("/app/follower/begins-at-the-tail", test_begins_at_the_tail);
  g_test_add_func ("/app/follower/full-screen-is-not-skipped", test_full_screen_is_not_skipped);
  g_test_add_func ("/app/follower/left-full-screen-is-skipped", test_left_full_screen_is_skipped);
  g_test_add_func ("/app/follower/hole-is-told", test_hole_is_told);
  g_test_add_func ("/app/follower/short-tail-first", test_short_tail_first);
  g_test_add_func ("/app/follower/first-picture-is-whole", test_first_picture_is_whole);
  g_test_add_func ("/app/follower/short-tail-is-not-for-the-living",
                   test_short_tail_is_not_for_the_living);
  g_test_add_func ("/app/follower/stopped-loses-nothing", test_stopped_loses_nothing);
  g_test_add_func ("/app/follower/live-and-too-far-behind", test_live_and_too_far_behind);
  g_test_add_func ("/app/follower/range", test_range);
  g_test_add_func ("/app/follower/begins-by-lines", test_begins_by_lines);
  g_test_add_func ("/app/follower/state-is-restored", test_state_is_restored);
  g_test_add_func ("/app/follower/reading", test_reading);
  g_test_add_func ("/app/follower/loss-is-told", test_loss_is_told);
  g_test_add_func ("/app/follower/mark-at-the-hole", test_mark_at_the_hole);
  g_test_add_func ("/app/follower/state-behind-the-hole", test_state_behind_the_hole);
  g_test_add_func ("/app/follower/state-before-full-screen", test_state_before_full_screen);
  g_test_add_func ("/app/follower/sequence-cut-by-the-hole", test_sequence_cut_by_the_hole);
  g_test_add_func ("/app/follower/reading-short-lines", test_reading_short_lines);
  g_test_add_func ("/app/follower/damaged-end", test_damaged_end);
  return g_test_run ();
}
