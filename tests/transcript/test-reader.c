/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The reader of transcripts: apart by stream, past holes, at the tail, by lines, and cut at characters.
 */
#include "config.h"

#include "stint-index.h"
#include "stint-reader.h"
#include "stint-text.h"
#include "transcript-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

static void
assert_stream (StintReader *reader, StintStream stream, gsize max, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = stint_reader_read_stream (reader, stream, max, &error);
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
  g_autoptr (StintReader) reader = NULL;

  directory_init (&directory);
  directory_append_text (&directory, KEEPER_STREAM_STDOUT, "one ");
  directory_append_text (&directory, KEEPER_STREAM_STDERR, "ERR ");
  directory_append_record (&directory, KEEPER_INDEX_RESIZE, 80 << 16 | 24);
  directory_append_text (&directory, KEEPER_STREAM_STDOUT, "two ");
  directory_append_text (&directory, KEEPER_STREAM_STDOUT, "three");
  directory_write_outcome (&directory, 0, 0);

  reader = stint_reader_new (directory.path);
  g_assert_true (stint_reader_is_complete (reader));
  g_assert_cmpuint (stint_reader_get_size (reader), ==, 17);
  g_assert_cmpuint (stint_reader_get_lost (reader), ==, 3);
  assert_stream (reader, STINT_STREAM_STDOUT, 100, "one two three");
  assert_stream (reader, STINT_STREAM_STDERR, 100, "ERR ");
  assert_stream (reader, STINT_STREAM_STDOUT, 7, "o three");
  assert_stream (reader, STINT_STREAM_STDOUT, 0, "");
}

/* A transcript that nobody finished: the file itself tells its size. */
static void
test_without_outcome (void)
{
  g_auto (Directory) directory = { 0 };
  g_autoptr (StintReader) reader = NULL;

  directory_init (&directory);
  directory_append_text (&directory, KEEPER_STREAM_STDOUT, "left behind");
  reader = stint_reader_new (directory.path);
  g_assert_cmpuint (stint_reader_get_size (reader), ==, 11);
  assert_stream (reader, STINT_STREAM_STDOUT, 100, "left behind");
}

static void
test_missing (void)
{
  g_autoptr (StintReader) reader = stint_reader_new ("/nonexistent/stint");
  guint64 offset = 0;
  guint8 byte;

  g_assert_cmpuint (stint_reader_get_size (reader), ==, 0);
  g_assert_cmpint (stint_reader_read (reader, &offset, &byte, 1, NULL, NULL), ==, 0);
}

/* The file was removed while its history stayed: an error, not silence. */
static void
test_removed (void)
{
  g_auto (Directory) directory = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (StintReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  guint64 offset = 0;
  guint8 byte;

  directory_init (&directory);
  directory_append_text (&directory, KEEPER_STREAM_STDOUT, "gone");
  directory_write_outcome (&directory, 0, 0);
  path = g_build_filename (directory.path, "output", NULL);
  g_unlink (path);
  reader = stint_reader_new (directory.path);
  g_assert_cmpint (stint_reader_read (reader, &offset, &byte, 1, NULL, &error), ==, -1);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
}

static void
test_hole (void)
{
  g_auto (Directory) directory = { 0 };
  g_autoptr (StintReader) reader = NULL;
  g_autofree char *bytes = g_malloc (3 * 4096);
  guint8 buffer[2 * 4096];
  guint64 offset = 4090, skipped = 0;

  memset (bytes, 'a', 4096);
  memset (bytes + 4096, 0, 4096);
  memset (bytes + 8192, 'c', 4096);
  directory_init (&directory);
  directory_append (&directory, KEEPER_STREAM_STDOUT, bytes, 3 * 4096);
  directory_write_outcome (&directory, 4096, 8192);
  reader = stint_reader_new (directory.path);

  g_assert_cmpint (stint_reader_read (reader, &offset, buffer, sizeof buffer, &skipped, NULL),
                   ==, 6);
  g_assert_cmpuint (skipped, ==, 0);
  g_assert_cmpuint (offset, ==, 4096);
  g_assert_cmpint (stint_reader_read (reader, &offset, buffer, 10, &skipped, NULL), ==, 10);
  g_assert_cmpuint (skipped, ==, 4096);
  g_assert_cmpuint (offset, ==, 8202);
  g_assert_cmpint (buffer[0], ==, 'c');
  assert_stream (reader, STINT_STREAM_STDOUT, 4, "cccc");
}

static guint64
tail_offset (StintReader *reader, gsize max)
{
  return stint_reader_find_line_start (reader, G_MAXUINT64, G_MAXUINT64, max);
}

/* The tail starts at a line, and never within a character. */
static void
test_tail (void)
{
  g_auto (Directory) directory = { 0 };
  g_autoptr (StintReader) reader = NULL;
  const char *text = "first line\nsecond line\n\xf0\x9f\x98\x80\xf0\x9f\x98\x80\xf0\x9f\x98\x80";

  directory_init (&directory);
  directory_append_text (&directory, KEEPER_STREAM_STDOUT, text);
  directory_write_outcome (&directory, 0, 0);
  reader = stint_reader_new (directory.path);
  g_assert_cmpuint (tail_offset (reader, 1000), ==, 0);
  g_assert_cmpuint (tail_offset (reader, 30), ==, 11);
  for (gsize max = 1; max <= 11; max++)
    {
      guint64 offset = tail_offset (reader, max);

      g_assert_cmpint ((offset - 23) % 4, ==, 0);
    }
}

static void
test_size_at (void)
{
  g_auto (Directory) directory = { 0 };
  g_autoptr (StintReader) reader = NULL;
  g_autoptr (StintIndex) index = NULL;
  guint columns = 0, rows = 0;

  directory_init (&directory);
  directory_append_record (&directory, KEEPER_INDEX_RESIZE, 80 << 16 | 24);
  directory_append_text (&directory, KEEPER_STREAM_STDOUT, "0123456789");
  directory_append_record (&directory, KEEPER_INDEX_RESIZE, 132 << 16 | 43);
  directory_append_text (&directory, KEEPER_STREAM_STDOUT, "more");
  reader = stint_reader_new (directory.path);
  index = stint_index_new (reader);
  g_assert_true (stint_index_find_size (index, 9, &columns, &rows));
  g_assert_cmpuint (columns, ==, 80);
  g_assert_true (stint_index_find_size (index, 12, &columns, &rows));
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
  /* What begins no character is not waited for. */
  {
    g_autoptr (GBytes) bytes = g_bytes_new_static ("a\xf8", 2);
    g_autofree char *text = stint_text_from_bytes (bytes);

    g_assert_cmpstr (text, ==, "a\xef\xbf\xbd");
  }
}

/* Line starts are counted backwards, from within a line and from its start, over chunks and the hole. */
static void
test_line_starts (void)
{
  g_auto (Directory) directory = { 0 };
  g_autoptr (StintReader) reader = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  directory_init (&directory);
  for (guint i = 0; i < 30000; i++)
    g_string_append_printf (text, "line %04u\n", i % 10000);
  directory_append (&directory, KEEPER_STREAM_STDOUT, text->str, text->len);
  directory_write_outcome (&directory, 0, 0);
  reader = stint_reader_new (directory.path);

  g_assert_cmpuint (stint_reader_find_line_start (reader, 15, 0, 1000), ==, 10);
  g_assert_cmpuint (stint_reader_find_line_start (reader, 10, 0, 1000), ==, 10);
  g_assert_cmpuint (stint_reader_find_line_start (reader, 25, 1, 1000), ==, 10);
  g_assert_cmpuint (stint_reader_find_line_start (reader, 25, 9, 1000), ==, 0);
  g_assert_cmpuint (stint_reader_find_line_start (reader, 250005, 20000, 1 << 20), ==, 50000);
  g_assert_cmpuint (stint_reader_find_line_start (reader, 250005, 20000, 106), ==, 249900);
  g_assert_cmpuint (stint_reader_find_line_start (reader, G_MAXUINT64, 1, 1000), ==, 300000 - 10);
}

static void
test_line_starts_at_hole (void)
{
  g_auto (Directory) directory = { 0 };
  g_autoptr (StintReader) reader = NULL;
  g_autofree char *bytes = g_malloc0 (3 * 4096);

  memset (bytes, 'a', 4096);
  memset (bytes + 8192, 'c', 4096);
  bytes[100] = '\n';
  bytes[9000] = '\n';
  directory_init (&directory);
  directory_append (&directory, KEEPER_STREAM_STDOUT, bytes, 3 * 4096);
  directory_write_outcome (&directory, 4096, 8192);
  reader = stint_reader_new (directory.path);
  g_assert_cmpuint (stint_reader_find_line_start (reader, 12288, 0, 100000), ==, 9001);
  g_assert_cmpuint (stint_reader_find_line_start (reader, 12288, 1, 100000), ==, 8192);
  g_assert_cmpuint (stint_reader_find_line_start (reader, 12288, 2, 100000), ==, 101);
  g_assert_cmpuint (stint_reader_find_line_start (reader, 12288, 3, 100000), ==, 0);
  g_assert_cmpuint (stint_reader_find_line_start (reader, 6000, 0, 100000), ==, 101);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/reader/streams", test_streams);
  g_test_add_func ("/reader/without-outcome", test_without_outcome);
  g_test_add_func ("/reader/missing", test_missing);
  g_test_add_func ("/reader/removed", test_removed);
  g_test_add_func ("/reader/hole", test_hole);
  g_test_add_func ("/reader/tail", test_tail);
  g_test_add_func ("/reader/size-at", test_size_at);
  g_test_add_func ("/reader/text", test_text);
  g_test_add_func ("/reader/line-starts", test_line_starts);
  g_test_add_func ("/reader/line-starts-at-hole", test_line_starts_at_hole);
  return g_test_run ();
}
