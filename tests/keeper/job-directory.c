/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See job-directory.h.
 */
#include "job-directory.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

JobDirectory *
job_directory_new (void)
{
  JobDirectory *self = g_new0 (JobDirectory, 1);

  self->path = g_dir_make_tmp ("stint-keeper-XXXXXX", NULL);
  g_assert_nonnull (self->path);
  self->fd = open (self->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_assert_cmpint (self->fd, >=, 0);
  return self;
}

void
job_directory_free (JobDirectory *self)
{
  g_autoptr (GDir) dir = g_dir_open (self->path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    unlinkat (self->fd, name, 0);
  close (self->fd);
  g_rmdir (self->path);
  g_free (self->path);
  g_free (self);
}

GBytes *
job_directory_read (JobDirectory *self, const char *name)
{
  g_autofree char *path = g_build_filename (self->path, name, NULL);
  char *content;
  gsize size;

  if (!g_file_get_contents (path, &content, &size, NULL))
    return NULL;
  return g_bytes_new_take (content, size);
}

guint64
job_directory_disk_use (JobDirectory *self, const char *name)
{
  struct stat status;

  if (fstatat (self->fd, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
    return 0;
  return (guint64) status.st_blocks * 512;
}

void
pattern_fill (guint8 *bytes, gsize size, guint64 offset)
{
  for (gsize i = 0; i < size; i++)
    bytes[i] = pattern_at (offset + i);
}

void
pattern_assert (const guint8 *bytes, gsize size, guint64 offset)
{
  for (gsize i = 0; i < size; i++)
    if (bytes[i] != pattern_at (offset + i))
      g_error ("The byte at %" G_GUINT64_FORMAT " is %u, not %u", offset + i, bytes[i],
               pattern_at (offset + i));
}
