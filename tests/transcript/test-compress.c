/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compressing what a job has left: the same reader reads the same, and nothing is lost on the way.
 */
#include "config.h"

#include "stint-compress.h"
#include "stint-index.h"
#include "stint-reader.h"
#include "transcript-fixture.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define BLOCK 4096

/* 200 blocks, each with its number in every word; out and err take turns. */
static void
fill (Directory *directory)
{
  guint32 block[BLOCK / 4];

  directory_init (directory);
  directory_append_record (directory, KEEPER_INDEX_RESIZE, 80 << 16 | 24);
  for (guint32 i = 0; i < 200; i++)
    {
      for (guint j = 0; j < G_N_ELEMENTS (block); j++)
        block[j] = i;
      directory_append (directory, i % 2 == 0 ? KEEPER_STREAM_STDOUT : KEEPER_STREAM_STDERR,
                        (const char *) block, sizeof block);
    }
}

static GBytes *
read_all (StintReader *reader)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  guint64 offset = 0;

  while (TRUE)
    {
      g_autoptr (GError) error = NULL;
      guint8 buffer[30000];
      gssize n = stint_reader_read (reader, &offset, buffer, sizeof buffer, NULL, &error);

      g_assert_no_error (error);
      if (n == 0)
        return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
      g_byte_array_append (bytes, buffer, (guint) n);
    }
}

static void
assert_equal (GBytes *a, GBytes *b)
{
  g_assert_true (g_bytes_equal (a, b));
}

/* @hole blocks are gone from the middle of the output, and what the index says of them too. */
static void
check_same (guint hole)
{
  g_auto (Directory) directory = { 0 };
  g_autoptr (StintReader) before = NULL, after = NULL;
  g_autoptr (StintIndex) index = NULL;
  g_autoptr (GBytes) all = NULL, err = NULL, all_after = NULL, err_after = NULL, open_after = NULL;
  g_autoptr (GError) error = NULL;
  StintIndexRecord record;
  guint64 start = 0, end = 0;
  guint columns, rows;

  fill (&directory);
  if (hole > 0)
    g_assert_no_errno (fallocate (directory.output_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                  50 * BLOCK, hole * BLOCK));
  directory_write_outcome (&directory, hole > 0 ? 50 * BLOCK : 0, hole > 0 ? (50 + hole) * BLOCK : 0);
  before = stint_reader_new (directory.path);
  all = read_all (before);
  err = stint_reader_read_stream (before, STINT_STREAM_STDERR, G_MAXINT32, NULL);
  g_assert_cmpuint (g_bytes_get_size (all), ==, (200 - hole) * BLOCK);

  g_assert_true (stint_compress_is_due (directory.path));
  g_assert_true (stint_compress_directory (directory.path, NULL, &error));
  g_assert_no_error (error);
  g_assert_false (stint_compress_is_due (directory.path));
  g_assert_false (directory_has (&directory, "output"));
  g_assert_false (directory_has (&directory, "index"));
  g_assert_true (directory_has (&directory, "output.zst"));

  after = stint_reader_new (directory.path);
  g_assert_cmpuint (stint_reader_get_size (after), ==, 200 * BLOCK);
  g_assert_cmpuint (stint_reader_get_lost (after), ==, 3);
  stint_reader_get_hole (after, &start, &end);
  g_assert_cmpuint (end - start, ==, hole * BLOCK);
  all_after = read_all (after);
  assert_equal (all, all_after);
  err_after = stint_reader_read_stream (after, STINT_STREAM_STDERR, G_MAXINT32, NULL);
  assert_equal (err, err_after);
  index = stint_index_new (after);
  g_assert_cmpuint (stint_index_get_n (index), ==, 201);
  stint_index_find_span (index, 101 * BLOCK, &record);
  g_assert_cmpint (record.stream, ==, STINT_STREAM_STDERR);
  g_assert_true (stint_index_find_size (index, 0, &columns, &rows));
  g_assert_cmpuint (columns, ==, 80);

  /* Who had it open goes on. */
  open_after = read_all (before);
  assert_equal (all, open_after);
  /* Again is nothing. */
  g_assert_true (stint_compress_directory (directory.path, NULL, &error));
}

static void
test_same (void)
{
  check_same (0);
}

static void
test_hole (void)
{
  check_same (100);
}

/* Without an outcome the keeper may still be at it; a small output is left alone. */
static void
test_due (void)
{
  g_auto (Directory) directory = { 0 }, small = { 0 };

  fill (&directory);
  g_assert_false (stint_compress_is_due (directory.path));
  directory_init (&small);
  directory_append_text (&small, KEEPER_STREAM_STDOUT, "a word");
  directory_write_outcome (&small, 0, 0);
  g_assert_false (stint_compress_is_due (small.path));
}

static void
test_locked (void)
{
  g_auto (Directory) directory = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  int fd;

  fill (&directory);
  directory_write_outcome (&directory, 0, 0);
  path = g_build_filename (directory.path, "lock", NULL);
  fd = g_open (path, O_RDWR | O_CLOEXEC, 0);
  g_assert_no_errno (flock (fd, LOCK_EX));
  g_assert_false (stint_compress_directory (directory.path, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_BUSY);
  g_assert_true (directory_has (&directory, "output"));
  close (fd);
}

/* Cancelled, or no room: all is as it was, and no half of a file is left. */
static void
test_given_up (void)
{
  g_auto (Directory) directory = { 0 };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  fill (&directory);
  directory_write_outcome (&directory, 0, 0);
  g_cancellable_cancel (cancellable);
  g_assert_false (stint_compress_directory (directory.path, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_true (directory_has (&directory, "output"));
  g_assert_true (directory_has (&directory, "index"));
  g_assert_false (directory_has (&directory, "output.zst"));
  g_assert_false (directory_has (&directory, "output.zst.new"));
  g_assert_false (directory_has (&directory, "index.zst.new"));
}

/* The output is shorter than the outcome says: better to keep what there is. */
static void
test_shorter (void)
{
  g_auto (Directory) directory = { 0 };
  g_autoptr (GError) error = NULL;

  fill (&directory);
  directory_write_outcome (&directory, 0, 0);
  g_assert_no_errno (ftruncate (directory.output_fd, 100 * BLOCK));
  g_assert_false (stint_compress_directory (directory.path, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT);
  g_assert_true (directory_has (&directory, "output"));
  g_assert_false (directory_has (&directory, "output.zst"));
}

/* What the outcome does not know of is not thrown away. */
static void
test_longer (void)
{
  g_auto (Directory) directory = { 0 };
  g_autoptr (GError) error = NULL;

  fill (&directory);
  directory_write_outcome (&directory, 0, 0);
  directory_append_text (&directory, KEEPER_STREAM_STDOUT, "and a word more");
  g_assert_false (stint_compress_directory (directory.path, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
  g_assert_true (directory_has (&directory, "output"));
  g_assert_true (directory_has (&directory, "index"));
  g_assert_false (directory_has (&directory, "output.zst"));
}

/* An index that cannot be read now is no empty one; one that never was is. */
static void
test_index (void)
{
  g_auto (Directory) directory = { 0 };
  g_autofree char *index = NULL, *away = NULL;
  g_autoptr (GError) error = NULL;

  fill (&directory);
  directory_write_outcome (&directory, 0, 0);
  index = g_build_filename (directory.path, "index", NULL);
  away = g_build_filename (directory.path, "away", NULL);
  g_assert_no_errno (g_rename (index, away));
  g_assert_no_errno (symlink (away, index));
  g_assert_false (stint_compress_directory (directory.path, NULL, &error));
  g_assert_nonnull (error);
  g_assert_true (directory_has (&directory, "output"));
  g_assert_true (directory_has (&directory, "index"));
  g_assert_false (directory_has (&directory, "index.zst"));

  g_clear_error (&error);
  g_assert_no_errno (g_unlink (index));
  g_assert_true (stint_compress_directory (directory.path, NULL, &error));
  g_assert_no_error (error);
}

/* Outcome and output say different things of the hole: that is told, and nothing else is read. */
static void
test_other_hole (void)
{
  g_auto (Directory) directory = { 0 };
  g_autoptr (StintReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  guint8 buffer[30000];
  guint64 offset = 60 * BLOCK;

  fill (&directory);
  directory_write_outcome (&directory, 50 * BLOCK, 150 * BLOCK);
  g_assert_true (stint_compress_directory (directory.path, NULL, &error));
  directory_write_outcome (&directory, 0, 0);
  reader = stint_reader_new (directory.path);
  g_assert_cmpint (stint_reader_read (reader, &offset, buffer, sizeof buffer, NULL, &error), ==, -1);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
}

/* Who began to read while the job ran finds the same records in what it has become. */
static void
test_began_live (void)
{
  static struct keeper_counters page;
  g_auto (Directory) directory = { 0 };
  g_autoptr (StintReader) reader = NULL;
  g_autoptr (StintIndex) index = NULL;
  StintIndexRecord record;
  const guint64 n = 2000, hole_start = BLOCK, hole_end = 3 * BLOCK;

  directory_init (&directory);
  for (guint64 i = 0; i < n; i++)
    {
      g_autofree char *line = g_strdup_printf ("this is line number %020" G_GUINT64_FORMAT "\n", i);

      directory_append_text (&directory, KEEPER_STREAM_STDERR, line);
    }
  g_assert_no_errno (fallocate (directory.index_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                (off_t) hole_start, (off_t) (hole_end - hole_start)));
  page.size = (guint64) lseek (directory.output_fd, 0, SEEK_END);
  page.index_size = n * sizeof (struct keeper_index_record);
  page.index_hole_start = hole_start;
  page.index_hole_end = hole_end;
  reader = stint_reader_new_live (directory.path, &page, NULL);

  directory_write_outcome (&directory, 0, 0);
  g_assert_true (stint_compress_directory (directory.path, NULL, NULL));
  index = stint_index_new (reader);
  g_assert_cmpuint (stint_index_get_n (index), ==, hole_start / 24 + n - (hole_end + 23) / 24);
  g_assert_true (stint_index_get (index, stint_index_get_n (index) - 1, &record));
  g_assert_cmpint (record.time, ==, 1000 * (gint64) n);
}

/* Returns: how many files this process has open that are no more. */
static guint
count_removed (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc/self/fd", name, NULL);
      g_autofree char *target = g_file_read_link (path, NULL);

      n += target != NULL && g_str_has_suffix (target, " (deleted)");
    }
  return n;
}

/* Who lets go of what has been compressed meanwhile gives its place on the disk back, and finds the
 * same records where they are now. */
static void
test_closed (void)
{
  g_auto (Directory) directory = { 0 };
  g_autoptr (StintReader) reader = NULL;
  g_autoptr (StintIndex) index = NULL;
  g_autoptr (GBytes) before = NULL, after = NULL;
  StintIndexRecord first[2], then[2];
  guint64 n_records;
  guint n_removed;

  directory_init (&directory);
  for (guint i = 0; i < 2000; i++)
    {
      g_autofree char *line = g_strdup_printf ("this is line number %020u\n", i);

      directory_append_text (&directory, KEEPER_STREAM_STDERR, line);
    }
  g_assert_no_errno (fallocate (directory.index_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                BLOCK, 2 * BLOCK));
  directory_write_outcome (&directory, 0, 0);
  reader = stint_reader_new (directory.path);
  index = stint_index_new (reader);
  before = read_all (reader);
  n_records = stint_index_get_n (index);
  g_assert_true (stint_index_get (index, n_records / 2, &first[0]));
  g_assert_true (stint_index_get (index, n_records - 1, &first[1]));

  g_assert_true (stint_compress_directory (directory.path, NULL, NULL));
  n_removed = count_removed ();
  stint_reader_close (reader);
  g_assert_cmpuint (count_removed (), ==, n_removed - 2);

  g_assert_true (stint_index_get (index, n_records / 2, &then[0]));
  g_assert_true (stint_index_get (index, n_records - 1, &then[1]));
  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpint (then[i].time, ==, first[i].time);
      g_assert_cmpuint (then[i].offset, ==, first[i].offset);
    }
  g_assert_cmpuint (stint_index_get_n (index), ==, n_records);
  after = read_all (reader);
  assert_equal (before, after);
}

/* What is held open stays so: its directory is being removed. */
static void
test_held (void)
{
  g_auto (Directory) directory = { 0 };
  g_autoptr (StintReader) reader = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *path = NULL;

  fill (&directory);
  directory_write_outcome (&directory, 0, 0);
  path = g_build_filename (directory.path, "output", NULL);
  reader = stint_reader_new (directory.path);
  g_assert_cmpuint (stint_reader_get_size (reader), ==, 200 * BLOCK);
  stint_reader_hold_open (reader);
  g_assert_no_errno (g_unlink (path));
  stint_reader_close (reader);
  bytes = read_all (reader);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, 200 * BLOCK);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compress/same", test_same);
  g_test_add_func ("/compress/hole", test_hole);
  g_test_add_func ("/compress/due", test_due);
  g_test_add_func ("/compress/locked", test_locked);
  g_test_add_func ("/compress/given-up", test_given_up);
  g_test_add_func ("/compress/shorter", test_shorter);
  g_test_add_func ("/compress/longer", test_longer);
  g_test_add_func ("/compress/index", test_index);
  g_test_add_func ("/compress/other-hole", test_other_hole);
  g_test_add_func ("/compress/began-live", test_began_live);
  g_test_add_func ("/compress/closed", test_closed);
  g_test_add_func ("/compress/held", test_held);
  return g_test_run ();
}
