/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files that are whole or not there. GFile's replace would do nearly the same, but opens nothing
 * before there is something to write.
 */
#define G_LOG_DOMAIN "stintctl"
#include "config.h"

#include "stint-cli-file.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixoutputstream.h>
#include <glib-unix.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct _StintCliFile
{
  char *path;
  char *temporary; /* (nullable): it is written to directly */
  int fd;
  GOutputStream *stream;
};

static gboolean
fail (const char *path, int saved_errno, GError **error)
{
  g_autofree char *name = g_filename_display_name (path);

  g_set_error (error, G_IO_ERROR, (int) g_io_error_from_errno (saved_errno),
               /* Translators: a file name, and why */
               _ ("Cannot write to “%s”: %s"), name, g_strerror (saved_errno));
  return FALSE;
}

/* Returns: whether a temporary file will take its place, and with which mode. */
static gboolean
is_replaced (const char *path, int *mode)
{
  struct stat status;

  *mode = -1;
  if (stat (path, &status) != 0)
    return TRUE;
  *mode = (int) (status.st_mode & 0777);
  return S_ISREG (status.st_mode);
}

static gboolean
open_temporary (StintCliFile *self, int mode)
{
  /* What may not be written may not be replaced either. */
  if (mode >= 0 && access (self->path, W_OK) != 0)
    return FALSE;
  self->temporary = g_strconcat (self->path, ".XXXXXX", NULL);
  self->fd = g_mkstemp_full (self->temporary, O_WRONLY | O_CLOEXEC, mode >= 0 ? 0600 : 0666);
  if (self->fd < 0)
    g_clear_pointer (&self->temporary, g_free);
  else if (mode >= 0)
    /* As far as we may. */
    (void) !fchmod (self->fd, (mode_t) mode);
  return self->fd >= 0;
}

StintCliFile *
stint_cli_file_open (const char *path, GError **error)
{
  g_autoptr (StintCliFile) self = g_new0 (StintCliFile, 1);
  g_autofree char *real = realpath (path, NULL);
  gboolean ok;
  int mode;

  self->fd = -1;
  /* A link is followed. */
  self->path = g_strdup (real != NULL ? real : path);
  if (is_replaced (self->path, &mode))
    {
      errno = 0;
      ok = *path != '\0' && !g_str_has_suffix (path, "/") && open_temporary (self, mode);
      if (errno == 0)
        errno = *path == '\0' ? ENOENT : EISDIR;
    }
  else
    {
      self->fd = g_open (self->path, O_WRONLY | O_CLOEXEC, 0);
      /* A pipe that nobody empties must not make writing deaf to being cancelled. */
      ok = self->fd >= 0 && g_unix_set_fd_nonblocking (self->fd, TRUE, NULL);
    }
  if (!ok)
    {
      fail (path, errno, error);
      return NULL;
    }
  self->stream = g_unix_output_stream_new (self->fd, FALSE);
  return g_steal_pointer (&self);
}

GOutputStream *
stint_cli_file_get_stream (StintCliFile *self)
{
  return self->stream;
}

gboolean
stint_cli_file_commit (StintCliFile *self, GError **error)
{
  g_autoptr (StintCliFile) owned = self;
  int fd = self->fd;

  self->fd = -1;
  if (close (fd) != 0 && errno != EINTR)
    return fail (self->path, errno, error);
  if (self->temporary == NULL)
    return TRUE;
  if (g_rename (self->temporary, self->path) != 0)
    return fail (self->path, errno, error);
  g_clear_pointer (&self->temporary, g_free);
  return TRUE;
}

void
stint_cli_file_free (StintCliFile *self)
{
  g_clear_object (&self->stream);
  if (self->fd >= 0)
    close (self->fd);
  if (self->temporary != NULL)
    g_unlink (self->temporary);
  g_free (self->temporary);
  g_free (self->path);
  g_free (self);
}
