/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The index: looked up by place and time, over the hole, while it grows.
 */
#include "config.h"

#include "stint-index.h"
#include "stint-reader.h"
#include "transcript-fixture.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void
test_lookup (void)
{
  g_auto (Directory) directory = { 0 };
  g_autoptr (StintReader) reader = NULL;
  g_autoptr (StintIndex) index = NULL;
  StintIndexRecord record;

  directory_init (&directory);
  for (guint i = 0; i < 5000; i++)
    directory_append_text (&directory, i % 2 == 0 ? KEEPER_STREAM_STDOUT : KEEPER_STREAM_STDERR, "0123456789");
  reader = stint_reader_new (directory.path);
  index = stint_index_new (reader);
  g_assert_cmpuint (stint_index_get_n (index), ==, 5000);
  for (guint i = 0; i < 5000; i += 7)
    {
      g_assert_cmpuint (stint_index_find_offset (index, i * 10), ==, i);
      g_assert_cmpuint (stint_index_find_offset (index, i * 10 + 9), ==, i);
      g_assert_cmpuint (stint_index_find_time (index, 1000 * (i + 1)), ==, i);
      g_assert_cmpuint (stint_index_find_time (index, 1000 * (i + 1) + 999), ==, i);
      g_assert_cmpuint (stint_index_find_span (index, i * 10 + 3, &record), ==,
                        i < 4999 ? (i + 1) * 10 : G_MAXUINT64);
      g_assert_cmpint (record.stream, ==, i % 2);
      g_assert_cmpint (record.time, ==, 1000 * (i + 1));
    }
  g_assert_cmpuint (stint_index_find_time (index, -1), ==, 0);
  g_assert_false (stint_index_get (index, 5000, &record));
}

static void
test_nothing (void)
{
  g_autoptr (StintReader) reader = stint_reader_new ("/nonexistent/stint");
  g_autoptr (StintIndex) index = stint_index_new (reader);
  StintIndexRecord record;
  guint columns, rows;

  g_assert_cmpuint (stint_index_get_n (index), ==, 0);
  g_assert_false (stint_index_get (index, 0, &record));
  g_assert_cmpuint (stint_index_find_span (index, 7, &record), ==, 7);
  g_assert_false (stint_index_find_size (index, 0, &columns, &rows));
}

static void
test_lost (void)
{
  g_auto (Directory) directory = { 0 };
  g_autoptr (StintReader) reader = NULL;
  g_autoptr (StintIndex) index = NULL;
  StintIndexRecord record;

  directory_init (&directory);
  directory_append_text (&directory, KEEPER_STREAM_STDOUT, "before");
  directory_append_record (&directory, KEEPER_INDEX_LOST, 77);
  directory_append_text (&directory, KEEPER_STREAM_STDERR, "after");
  reader = stint_reader_new (directory.path);
  index = stint_index_new (reader);
  g_assert_true (stint_index_get (index, 1, &record));
  g_assert_cmpint (record.kind, ==, STINT_INDEX_LOST);
  g_assert_cmpuint (record.offset, ==, 6);
  g_assert_cmpuint (record.lost, ==, 77);
  /* A loss does not end a span's stream, nor begin one. */
  g_assert_cmpuint (stint_index_find_span (index, 5, &record), ==, 6);
  stint_index_find_span (index, 6, &record);
  g_assert_cmpint (record.stream, ==, STINT_STREAM_STDERR);
}

/* The hole begins and ends within a record; what it leaves of them is not taken for one. */
static void
test_hole (void)
{
  g_auto (Directory) directory = { 0 };
  g_autoptr (StintReader) reader = NULL;
  g_autoptr (StintIndex) index = NULL;
  StintIndexRecord record;
  guint64 n, before = 0;

  directory_init (&directory);
  for (guint i = 0; i < 2000; i++)
    directory_append_text (&directory, KEEPER_STREAM_STDERR, "0123456789");
  g_assert_no_errno (fallocate (directory.index_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 8192, 16384));
  reader = stint_reader_new (directory.path);
  index = stint_index_new (reader);
  n = stint_index_get_n (index);
  g_assert_cmpuint (n, ==, 8192 / 24 + (2000 - (8192 + 16384) / 24));
  for (guint64 i = 0; i < n; i++)
    {
      g_assert_true (stint_index_get (index, i, &record));
      g_assert_cmpint (record.stream, ==, STINT_STREAM_STDERR);
      g_assert_cmpint (record.time, ==, 1000 * (1 + (gint64) record.offset / 10));
      g_assert_true (i == 0 || record.offset > before);
      before = record.offset;
      g_assert_cmpuint (stint_index_find_offset (index, record.offset), ==, i);
    }
  g_assert_cmpuint (before, ==, 19990);
}

/* Live: new records are found, and so are those that a hole moves. */
static void
test_growth (void)
{
  g_auto (Directory) directory = { 0 };
  g_autoptr (StintReader) reader = NULL;
  g_autoptr (StintIndex) index = NULL;
  struct keeper_counters page = { 0 };
  StintIndexRecord record;
  guint columns, rows;

  directory_init (&directory);
  reader = stint_reader_new_live (directory.path, &page, NULL);
  index = stint_index_new (reader);
  g_assert_cmpuint (stint_index_get_n (index), ==, 0);
  g_assert_false (stint_index_find_size (index, 0, &columns, &rows));
  for (guint i = 0; i < 3000; i++)
    {
      if (i % 1000 == 500)
        directory_append_record (&directory, KEEPER_INDEX_RESIZE, (80 + i) << 16 | 24);
      directory_append_text (&directory, KEEPER_STREAM_STDOUT, "0123456789");
      page.size += 10;
      page.index_size = (guint64) lseek (directory.index_fd, 0, SEEK_END);
      g_assert_true (stint_index_get (index, stint_index_get_n (index) - 1, &record));
      g_assert_cmpuint (record.offset, ==, i * 10);
      if (i >= 500 && i % 100 == 0)
        {
          g_assert_true (stint_index_find_size (index, page.size, &columns, &rows));
          g_assert_cmpuint (columns, ==, 80 + (i + 500) / 1000 * 1000 - 500);
        }
    }
  page.index_hole_start = 4096;
  page.index_hole_end = 40960;
  g_assert_cmpuint (stint_index_get_n (index), ==, 4096 / 24 + (3003 - (40960 + 23) / 24));
  g_assert_true (stint_index_get (index, stint_index_get_n (index) - 1, &record));
  g_assert_cmpuint (record.offset, ==, 29990);
  g_assert_true (stint_index_find_size (index, page.size, &columns, &rows));
  g_assert_cmpuint (columns, ==, 80 + 2500);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/index/lookup", test_lookup);
  g_test_add_func ("/index/nothing", test_nothing);
  g_test_add_func ("/index/lost", test_lost);
  g_test_add_func ("/index/hole", test_hole);
  g_test_add_func ("/index/growth", test_growth);
  return g_test_run ();
}
