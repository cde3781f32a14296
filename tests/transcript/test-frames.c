/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compressed files: what comes out is what went in, from any place; damage is told, never given out.
 */
#include "config.h"

#include "stint-frames.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIB (1024 * 1024)

typedef struct
{
  guint8 *bytes;
  gsize size;
  guint n_reads;
} Plain;

static gssize
read_plain (void *buffer, gsize size, guint64 offset, gpointer user_data, GError **error)
{
  Plain *plain = user_data;
  gsize n = MIN (size, plain->size - (gsize) offset);

  /* A source may give less than is wanted. */
  n = MIN (n, 300000);
  memcpy (buffer, plain->bytes + offset, n);
  plain->n_reads++;
  return (gssize) n;
}

static void
plain_init (Plain *plain, gsize size)
{
  plain->bytes = g_malloc (size + 1);
  plain->size = size;
  for (gsize i = 0; i < size; i++)
    plain->bytes[i] = (guint8) ("log line "[i % 9] + (i / 5000) % 7);
}

static int
write_frames (Plain *plain, guint64 hole_start, guint64 hole_end)
{
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  int fd = g_file_open_tmp ("stint-test-XXXXXX", &path, &error);

  g_assert_no_error (error);
  g_unlink (path);
  g_assert_true (stint_frames_write (fd, plain->size, hole_start, hole_end, read_plain, plain, NULL, &error));
  g_assert_no_error (error);
  return fd;
}

/* Everything from @offset on to the end or the hole is what was written. */
static void
assert_from (StintFrames *frames, const Plain *plain, guint64 offset, guint64 end)
{
  g_autofree guint8 *buffer = g_malloc (MIB);

  while (offset < end)
    {
      g_autoptr (GError) error = NULL;
      gssize n = stint_frames_pread (frames, buffer, MIB, offset, &error);

      g_assert_no_error (error);
      g_assert_cmpint (n, >, 0);
      g_assert_cmpmem (buffer, (gsize) n, plain->bytes + offset, (gsize) n);
      offset += (guint64) n;
    }
  g_assert_cmpuint (offset, ==, end);
}

static void
test_round_trip (void)
{
  static const gsize sizes[] = { 0, 1, 4095, MIB - 1, MIB, MIB + 1, 5 * MIB + 17 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      Plain plain = { 0 };
      g_autoptr (StintFrames) frames = NULL;
      guint8 byte;

      plain_init (&plain, sizes[i]);
      frames = stint_frames_open (write_frames (&plain, 0, 0), NULL);
      g_assert_nonnull (frames);
      g_assert_cmpuint (stint_frames_get_size (frames), ==, sizes[i]);
      assert_from (frames, &plain, 0, sizes[i]);
      assert_from (frames, &plain, sizes[i] / 2, sizes[i]);
      g_assert_cmpint (stint_frames_pread (frames, &byte, 1, sizes[i], NULL), ==, 0);
      g_free (plain.bytes);
    }
}

/* Offsets stay those of the file with its hole, which costs nothing. */
static void
test_hole (void)
{
  Plain plain = { 0 };
  g_autoptr (StintFrames) frames = NULL;
  guint64 start = 0, end = 0;
  struct stat status;
  int fd;

  plain_init (&plain, 4 * MIB);
  fd = write_frames (&plain, MIB + 100, 3 * MIB + 7);
  g_assert_cmpuint (plain.n_reads, <, 12);
  g_assert_no_errno (fstat (fd, &status));
  g_assert_cmpint (status.st_size, <, MIB);
  frames = stint_frames_open (fd, NULL);
  g_assert_cmpuint (stint_frames_get_size (frames), ==, 4 * MIB);
  stint_frames_get_hole (frames, &start, &end);
  g_assert_cmpuint (start, ==, MIB + 100);
  g_assert_cmpuint (end, ==, 3 * MIB + 7);
  assert_from (frames, &plain, 0, MIB + 100);
  assert_from (frames, &plain, 3 * MIB + 7, 4 * MIB);
  g_free (plain.bytes);
}

/* zstd itself reads it, without what only we know. */
static void
test_zstd (void)
{
  Plain plain = { 0 };
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE);
  g_autoptr (GSubprocess) process = NULL;
  g_autoptr (GBytes) out = NULL;
  g_autoptr (GError) error = NULL;
  int fd;

  plain_init (&plain, 2 * MIB + 5);
  fd = write_frames (&plain, 0, 0);
  g_assert_cmpint (lseek (fd, 0, SEEK_SET), ==, 0);
  g_subprocess_launcher_take_stdin_fd (launcher, fd);
  process = g_subprocess_launcher_spawn (launcher, &error, "zstd", "-dcq", NULL);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate (process, NULL, NULL, &out, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpmem (g_bytes_get_data (out, NULL), g_bytes_get_size (out), plain.bytes, plain.size);
  g_free (plain.bytes);
}

/* Whatever bit is flipped: an error or the truth, never something else. */
static void
test_damage (void)
{
  Plain plain = { 0 };
  g_autofree guint8 *buffer = g_malloc (MIB);
  guint n_refused = 0;
  struct stat status;
  int fd;

  plain_init (&plain, MIB + 1000);
  fd = write_frames (&plain, 0, 0);
  g_assert_no_errno (fstat (fd, &status));
  for (off_t at = 0; at < status.st_size; at += 1 + status.st_size / 400)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (StintFrames) frames = NULL;
      guint8 byte, flipped;
      gssize n = -1;

      g_assert_cmpint (pread (fd, &byte, 1, at), ==, 1);
      flipped = byte ^ 0x10;
      g_assert_cmpint (pwrite (fd, &flipped, 1, at), ==, 1);
      frames = stint_frames_open (dup (fd), &error);
      if (frames != NULL)
        n = stint_frames_pread (frames, buffer, MIB, 0, &error);
      if (n < 0)
        g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
      else
        g_assert_cmpmem (buffer, (gsize) n, plain.bytes, (gsize) n);
      n_refused += n < 0;
      g_assert_cmpint (pwrite (fd, &byte, 1, at), ==, 1);
    }
  g_assert_cmpuint (n_refused, >, 100);
  close (fd);
  g_free (plain.bytes);
}

static void
test_truncated (void)
{
  Plain plain = { 0 };
  struct stat status;
  int fd;

  plain_init (&plain, 100000);
  fd = write_frames (&plain, 0, 0);
  g_assert_no_errno (fstat (fd, &status));
  for (off_t size = status.st_size - 1; size >= 0; size -= 1 + size / 50)
    {
      g_autoptr (GError) error = NULL;

      g_assert_no_errno (ftruncate (fd, size));
      g_assert_null (stint_frames_open (dup (fd), &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
    }
  close (fd);
  g_free (plain.bytes);
}

static gssize
read_short (void *buffer, gsize size, guint64 offset, gpointer user_data, GError **error)
{
  return offset < 10 ? read_plain (buffer, 10, offset, user_data, error) : 0;
}

static void
test_short_source (void)
{
  Plain plain = { 0 };
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  int fd = g_file_open_tmp ("stint-test-XXXXXX", &path, NULL);

  plain_init (&plain, 100);
  g_assert_false (stint_frames_write (fd, 100, 0, 0, read_short, &plain, NULL, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT);
  g_unlink (path);
  close (fd);
  g_free (plain.bytes);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/frames/round-trip", test_round_trip);
  g_test_add_func ("/frames/hole", test_hole);
  g_test_add_func ("/frames/zstd", test_zstd);
  g_test_add_func ("/frames/damage", test_damage);
  g_test_add_func ("/frames/truncated", test_truncated);
  g_test_add_func ("/frames/short-source", test_short_source);
  return g_test_run ();
}
