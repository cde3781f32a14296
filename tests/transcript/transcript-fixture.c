/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "transcript-fixture.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static int
make_file (Directory *directory, const char *name)
{
  g_autofree char *path = g_build_filename (directory->path, name, NULL);

  return g_open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
}

void
directory_init (Directory *directory)
{
  directory->path = g_dir_make_tmp ("stint-test-XXXXXX", NULL);
  directory->output_fd = make_file (directory, KEEPER_FILE_OUTPUT);
  directory->index_fd = make_file (directory, KEEPER_FILE_INDEX);
  close (make_file (directory, KEEPER_FILE_LOCK));
}

void
directory_clear (Directory *directory)
{
  g_autoptr (GDir) dir = g_dir_open (directory->path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (directory->path, name, NULL);

      g_unlink (path);
    }
  g_rmdir (directory->path);
  close (directory->output_fd);
  close (directory->index_fd);
  g_free (directory->path);
}

void
directory_append_record (Directory *directory, enum keeper_index_kind kind, guint32 value)
{
  off_t size = lseek (directory->index_fd, 0, SEEK_END);
  struct keeper_index_record record = {
    .offset = (guint64) lseek (directory->output_fd, 0, SEEK_END),
    .time = 1000 * (1 + size / (off_t) sizeof record),
    .kind = kind,
    .value = value,
  };

  g_assert_cmpint (write (directory->index_fd, &record, sizeof record), ==, sizeof record);
}

void
directory_append (Directory *directory, enum keeper_stream stream, const char *bytes, gsize size)
{
  directory_append_record (directory, KEEPER_INDEX_OUTPUT, stream);
  g_assert_cmpint (write (directory->output_fd, bytes, size), ==, (gssize) size);
}

void
directory_append_text (Directory *directory, enum keeper_stream stream, const char *text)
{
  directory_append (directory, stream, text, strlen (text));
}

void
directory_write_outcome (Directory *directory, guint64 hole_start, guint64 hole_end)
{
  g_autofree char *path = g_build_filename (directory->path, KEEPER_FILE_OUTCOME, NULL);
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

gboolean
directory_has (Directory *directory, const char *name)
{
  g_autofree char *path = g_build_filename (directory->path, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}
