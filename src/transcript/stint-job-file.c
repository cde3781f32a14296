/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One way to read a file of a job directory, compressed or not.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-job-file.h"

#include "stint-frames.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <sys/stat.h>
#include <unistd.h>

struct _StintJobFile
{
  int fd;              /* as it was recorded, or -1 */
  StintFrames *frames; /* compressed */
};

static int
open_name (const char *directory, const char *name, const char *suffix)
{
  g_autofree char *file = g_strconcat (name, suffix, NULL);
  g_autofree char *path = g_build_filename (directory, file, NULL);

  return open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
}

static void
set_error (GError **error, const char *directory, int code)
{
  if (code == ENOENT)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, _ ("The output in “%s” has been removed"),
                 directory);
  else
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code),
                 _ ("Cannot read the output in “%s”: %s"), directory, g_strerror (code));
}

StintJobFile *
stint_job_file_open (const char *directory, const char *name, GError **error)
{
  StintFrames *frames;
  StintJobFile *self;
  int fd;

  fd = open_name (directory, name, "");
  if (fd < 0 && errno != ENOENT)
    {
      set_error (error, directory, errno);
      return NULL;
    }
  if (fd >= 0)
    {
      self = g_new (StintJobFile, 1);
      *self = (StintJobFile){ .fd = fd };
      return self;
    }

  /* Compressed, or compressed just now: the new file is there before the old one goes. */
  fd = open_name (directory, name, STINT_JOB_FILE_COMPRESSED);
  if (fd < 0)
    {
      set_error (error, directory, errno);
      return NULL;
    }
  frames = stint_frames_open (fd, error);
  if (frames == NULL)
    return NULL;
  self = g_new (StintJobFile, 1);
  *self = (StintJobFile){ .fd = -1, .frames = frames };
  return self;
}

void
stint_job_file_free (StintJobFile *self)
{
  if (self->fd >= 0)
    close (self->fd);
  g_clear_pointer (&self->frames, stint_frames_free);
  g_free (self);
}

gboolean
stint_job_file_is_compressed (StintJobFile *self)
{
  return self->frames != NULL;
}

guint64
stint_job_file_get_size (StintJobFile *self)
{
  struct stat status;

  if (self->frames != NULL)
    return stint_frames_get_size (self->frames);
  return fstat (self->fd, &status) == 0 ? (guint64) status.st_size : 0;
}

void
stint_job_file_get_hole (StintJobFile *self, guint64 *start, guint64 *end)
{
  off_t hole, data;

  *start = *end = 0;
  if (self->frames != NULL)
    {
      stint_frames_get_hole (self->frames, start, end);
      return;
    }
  hole = lseek (self->fd, 0, SEEK_HOLE);
  data = hole >= 0 ? lseek (self->fd, hole, SEEK_DATA) : -1;
  if (hole >= 0 && data > hole)
    {
      *start = (guint64) hole;
      *end = (guint64) data;
    }
}

gssize
stint_job_file_pread (StintJobFile *self, void *buffer, gsize size, guint64 offset, GError **error)
{
  ssize_t n;

  if (self->frames != NULL)
    return stint_frames_pread (self->frames, buffer, size, offset, error);
  do
    n = pread (self->fd, buffer, size, (off_t) offset);
  while (n < 0 && errno == EINTR);
  if (n < 0)
    {
      int code = errno;

      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code),
                   _ ("Cannot read the output of the job: %s"), g_strerror (code));
    }
  return n;
}
