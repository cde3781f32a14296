/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reader of transcripts: apart by stream, past holes, at the tail, while it grows, and cut at
 * characters.
 */
#include "engine-fixture.h"

#include "protocol.h"

#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* A job directory made by hand. */
typedef struct
{
  char *path;
  int output_fd;
  int index_fd;
} Directory;

static void
directory_init (Directory *directory)
{
  g_autofree char *output = NULL, *index = NULL;

  directory->path = g_dir_make_tmp ("stint-test-XXXXXX", NULL);
  output = g_build_filename (directory->path, "output", NULL);
  index = g_build_filename (directory->path, "index", NULL);
  directory->output_fd = g_open (output, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  directory->index_fd = g_open (index, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
}

static void
directory_clear (Directory *directory)
{
  const char *const names[] = { "output", "index", "outcome" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (directory->path, names[i], NULL);

      g_unlink (path);
    }
  g_rmdir (directory->path);
  close (directory->output_fd);
  close (directory->index_fd);
  g_free (directory->path);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Directory, directory_clear)

static void
append (Directory *directory, enum keeper_stream stream, const char *bytes, gsize size)
{
  struct keeper_index_record record = {
    .offset = (guint64) lseek (directory->output_fd, 0, SEEK_END),
    .time = 1 + lseek (directory->index_fd, 0, SEEK_CUR),
    .kind = KEEPER_INDEX_OUTPUT,
    .value = stream,
  };

  g_assert_cmpint (write (directory->index_fd, &record, sizeof record), ==, sizeof record);
  g_assert_cmpint (write (directory->output_fd, bytes, size), ==, (gssize) size);
}

static void
append_text (Directory *directory, enum keeper_stream stream, const char *text)
{
  append (directory, stream, text, strlen (text));
}

static void
append_resize (Directory *directory, guint columns, guint rows)
{
  struct keeper_index_record record = {
    .offset = (guint64) lseek (directory->output_fd, 0, SEEK_END),
    .time = 1,
    .kind = KEEPER_INDEX_RESIZE,
    .value = columns << 16 | rows,
  };

  g_assert_cmpint (write (directory->index_fd, &record, sizeof record), ==, sizeof record);
}

static void
write_outcome (Directory *directory, guint64 hole_start, guint64 hole_end)
{
  g_autofree char *path = g_build_filename (directory->path, "outcome", NULL);
  struct keeper_outcome outcome = {
    .magic = KEEPER_OUTCOME_MAGIC,
    .version = KEEPER_VERSION,
    .size = (guint64) lseek (directory->output_fd, 0, SEEK_END),
    .hole_start = hole_start,
    .hole_end = hole_end,
    .lost = 3,
  };

  g_assert_true (g_file_set_contents (path, (const char *) &outcome, sizeof outcome, NULL));
}

static void
assert_stream (StintTranscript *transcript, StintStream stream, gsize max, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = stint_transcript_read_stream (transcript, stream, max, &error);
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, strlen (expected));
  text = g_strndup (g_bytes_get_size (bytes) > 0 ? g_bytes_get_data (bytes, NULL) : "",
                    g_bytes_get_size (bytes));
  g_assert_cmpstr (text, ==, expected);
}

static void
test_streams (void)
{
  g_auto (Directory) directory = { 0 };
  g_autoptr (StintTranscript) transcript = NULL;

  directory_init (&directory);
  append_text (&directory, KEEPER_STREAM_STDOUT, "one ");
  append_text (&directory, KEEPER_STREAM_STDERR, "ERR ");
  append_resize (&directory, 80, 24);
  append_text (&directory, KEEPER_STREAM_STDOUT, "two ");
  append_text (&directory, KEEPER_STREAM_STDOUT, "three");
  write_outcome (&directory, 0, 0);

  transcript = stint_transcript_new (directory.path);
  g_assert_true (stint_transcript_is_complete (transcript));
  g_assert_cmpuint (stint_transcript_get_size (transcript), ==, 17);
  g_assert_cmpuint (stint_transcript_get_lost (transcript), ==, 3);
  assert_stream (transcript, STINT_STREAM_STDOUT, 100, "one two three");
  assert_stream (transcript, STINT_STREAM_STDERR, 100, "ERR ");
  assert_stream (transcript, STINT_STREAM_STDOUT, 7, "o three");
  assert_stream (transcript, STINT_STREAM_STDOUT, 0, "");
}

/* A transcript that nobody finished: the file itself tells its size. */
static void
test_without_outcome (void)
{
  g_auto (Directory) directory = { 0 };
  g_autoptr (StintTranscript) transcript = NULL;

  directory_init (&directory);
  append_text (&directory, KEEPER_STREAM_STDOUT, "left behind");
  transcript = stint_transcript_new (directory.path);
  g_assert_cmpuint (stint_transcript_get_size (transcript), ==, 11);
  assert_stream (transcript, STINT_STREAM_STDOUT, 100, "left behind");
}

static void
test_missing (void)
{
  g_autoptr (StintTranscript) transcript = stint_transcript_new ("/nonexistent/stint");
  guint64 offset = 0;
  guint8 byte;

  g_assert_cmpuint (stint_transcript_get_size (transcript), ==, 0);
  g_assert_cmpint (stint_transcript_read (transcript, &offset, &byte, 1, NULL, NULL), ==, 0);
}

/* The file was removed while its history stayed: an error, not silence. */
static void
test_removed (void)
{
  g_auto (Directory) directory = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (StintTranscript) transcript = NULL;
  g_autoptr (GError) error = NULL;
  guint64 offset = 0;
  guint8 byte;

  directory_init (&directory);
  append_text (&directory, KEEPER_STREAM_STDOUT, "gone");
  write_outcome (&directory, 0, 0);
  path = g_build_filename (directory.path, "output", NULL);
  g_unlink (path);
  transcript = stint_transcript_new (directory.path);
  g_assert_cmpint (stint_transcript_read (transcript, &offset, &byte, 1, NULL, &error), ==, -1);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

static void
test_hole (void)
{
  g_auto (Directory) directory = { 0 };
  g_autoptr (StintTranscript) transcript = NULL;
  g_autofree char *bytes = g_malloc (3 * 4096);
  guint8 buffer[2 * 4096];
  guint64 offset = 4090, skipped = 0;

  memset (bytes, 'a', 4096);
  memset (bytes + 4096, 0, 4096);
  memset (bytes + 8192, 'c', 4096);
  directory_init (&directory);
  append (&directory, KEEPER_STREAM_STDOUT, bytes, 3 * 4096);
  write_outcome (&directory, 4096, 8192);
  transcript = stint_transcript_new (directory.path);

  g_assert_cmpint (stint_transcript_read (transcript, &offset, buffer, sizeof buffer, &skipped, NULL),
                   ==, 6);
  g_assert_cmpuint (skipped, ==, 0);
  g_assert_cmpuint (offset, ==, 4096);
  g_assert_cmpint (stint_transcript_read (transcript, &offset, buffer, 10, &skipped, NULL), ==, 10);
  g_assert_cmpuint (skipped, ==, 4096);
  g_assert_cmpuint (offset, ==, 8202);
  g_assert_cmpint (buffer[0], ==, 'c');
  assert_stream (transcript, STINT_STREAM_STDOUT, 4, "cccc");
}

/* The tail starts at a line, and never within a character. */
static void
test_tail (void)
{
  g_auto (Directory) directory = { 0 };
  g_autoptr (StintTranscript) transcript = NULL;
  const char *text = "first line\nsecond line\n\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf0\x9f\x98\x80";

  directory_init (&directory);
  append_text (&directory, KEEPER_STREAM_STDOUT, text);
  write_outcome (&directory, 0, 0);
  transcript = stint_transcript_new (directory.path);
  g_assert_cmpuint (stint_transcript_get_tail_offset (transcript, 1000), ==, 0);
  g_assert_cmpuint (stint_transcript_get_tail_offset (transcript, 30), ==, 11);
  for (gsize max = 1; max <= 11; max++)
    {
      guint64 offset = stint_transcript_get_tail_offset (transcript, max);

      g_assert_cmpint ((offset - 23) % 4, ==, 0);
    }
}

static void
test_size_at (void)
{
  g_auto (Directory) directory = { 0 };
  g_autoptr (StintTranscript) transcript = NULL;
  guint columns = 0, rows = 0;

  directory_init (&directory);
  append_resize (&directory, 80, 24);
  append_text (&directory, KEEPER_STREAM_STDOUT, "0123456789");
  append_resize (&directory, 132, 43);
  append_text (&directory, KEEPER_STREAM_STDOUT, "more");
  transcript = stint_transcript_new (directory.path);
  g_assert_true (stint_transcript_get_size_at (transcript, 9, &columns, &rows));
  g_assert_cmpuint (columns, ==, 80);
  g_assert_true (stint_transcript_get_size_at (transcript, 12, &columns, &rows));
  g_assert_cmpuint (columns, ==, 132);
  g_assert_cmpuint (rows, ==, 43);
}

/* An emoji cut at every offset, at either end, never leaves a replacement character. */
static void
test_text (void)
{
  const char *emoji = "\xf0\x9f\x98\x80\xf0\x9f\x98\x80";

  for (gsize start = 0; start <= 4; start++)
    for (gsize end = 4; end <= 8; end++)
      {
        g_autoptr (GBytes) bytes = g_bytes_new (emoji + start, end - start);
        g_autofree char *text = stint_text_from_bytes (bytes);
        gsize whole = (start == 0) + (end == 8);

        g_assert_cmpuint (strlen (text), ==, 4 * whole);
        g_assert_null (strstr (text, "\xef\xbf\xbd"));
      }
  {
    g_autoptr (GBytes) bytes = g_bytes_new_static ("a\xff" "b\0c", 5);
    g_autofree char *text = stint_text_from_bytes (bytes);

    g_assert_true (g_utf8_validate (text, -1, NULL));
    g_assert_nonnull (strchr (text, 'c'));
  }
}

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
  guint n = 0, n_before;
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
  assert_stream (transcript, STINT_STREAM_STDOUT, 100, "one\ntwo\nthree\n");
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
  g_test_add_func ("/transcript/streams", test_streams);
  g_test_add_func ("/transcript/without-outcome", test_without_outcome);
  g_test_add_func ("/transcript/missing", test_missing);
  g_test_add_func ("/transcript/removed", test_removed);
  g_test_add_func ("/transcript/hole", test_hole);
  g_test_add_func ("/transcript/tail", test_tail);
  g_test_add_func ("/transcript/size-at", test_size_at);
  g_test_add_func ("/transcript/text", test_text);
  g_test_add_func ("/transcript/follow", test_follow);
  g_test_add_func ("/transcript/bytes", test_bytes);
  return g_test_run ();
}
