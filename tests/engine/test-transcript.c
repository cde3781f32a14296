/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The transcript of a job that runs: who follows it is told, and nothing of it is missing.
 */
#include "engine-fixture.h"

#include <glib-unix.h>
#include <string.h>
#include <unistd.h>

static void
note_growth (StintTranscript *transcript, guint *n)
{
  (*n)++;
}

/* Who follows is told of each step and of the end; who does not costs nothing and is told nothing. */
static void
test_follow (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) spec = fixture_shell ("echo one; read x; echo two; read x; echo three; read x");
  g_autoptr (StintJob) job = NULL;
  StintTranscript *transcript;
  StintStdio stdio = STINT_STDIO_NONE;
  g_autofree char *output = NULL;
  guint n = 0, n_before, n_open;
  int fds[2];

  g_assert_true (g_unix_open_pipe (fds, FD_CLOEXEC, NULL));
  stdio.stdin_fd = fds[0];
  job = stint_job_list_submit (list, spec, &stdio, NULL);
  fixture_wait_for_output (job, "one");
  transcript = stint_job_get_transcript (job);
  g_signal_connect (transcript, "grew", G_CALLBACK (note_growth), &n);

  g_assert_cmpint (write (fds[1], "\n", 1), ==, 1);
  fixture_wait_for_output (job, "two");
  g_assert_cmpuint (n, ==, 0);

  stint_transcript_follow (transcript);
  g_assert_cmpint (write (fds[1], "\n", 1), ==, 1);
  wait_until (n > 0);
  fixture_wait_for_output (job, "three");
  n_before = n;
  g_assert_cmpint (write (fds[1], "\n", 1), ==, 1);
  fixture_wait_for_all (list);
  g_assert_cmpuint (n, >, n_before);
  g_assert_true (stint_transcript_is_complete (transcript));
  stint_transcript_unfollow (transcript);

  /* Whoever looks again can, and holds nothing open afterwards. */
  n_open = fixture_count_descriptors ();
  stint_transcript_follow (transcript);
  output = fixture_read (job, STINT_STREAM_STDOUT);
  g_assert_cmpstr (output, ==, "one\ntwo\nthree\n");
  g_assert_cmpuint (fixture_count_descriptors (), >, n_open);
  stint_transcript_unfollow (transcript);
  g_assert_cmpuint (fixture_count_descriptors (), ==, n_open);
  close (fds[0]);
  close (fds[1]);
}

/* Every byte of a megabyte on each stream, both at once, comes back as it was written. */
static void
test_bytes (void)
{
  g_autoptr (StintJobSpec) spec = fixture_shell (
    "i=0; while [ $i -lt 64 ]; do head -c 16384 /dev/zero | tr '\\0' o; "
    "head -c 16384 /dev/zero | tr '\\0' e >&2; i=$((i+1)); done");
  g_autoptr (StintJob) job = fixture_run (spec);
  g_autofree char *out = fixture_read (job, STINT_STREAM_STDOUT);
  g_autofree char *err = fixture_read (job, STINT_STREAM_STDERR);

  g_assert_cmpuint (strlen (out), ==, 1 << 20);
  g_assert_cmpuint (strspn (out, "o"), ==, 1 << 20);
  g_assert_cmpuint (strspn (err, "e"), ==, 1 << 20);
  g_assert_cmpuint (stint_job_get_output_bytes (job), ==, 2 << 20);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/transcript/follow", test_follow);
  g_test_add_func ("/transcript/bytes", test_bytes);
  return g_test_run ();
}
