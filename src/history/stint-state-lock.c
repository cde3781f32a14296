/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One at a time, over all processes: for what SQLite's own locks do not cover.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "stint-error.h"
#include "stint-state-lock.h"

#define RETRY_INTERVAL 5 /* ms */

int
stint_state_lock_take (const char *directory, guint patience, GError **error)
{
  g_autofree char *path = g_build_filename (directory, "history.lock", NULL);
  gint64 end = g_get_monotonic_time () + (gint64) patience * 1000;
  int fd, saved_errno;

  fd = g_open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0)
    {
      saved_errno = errno;
      g_set_error (error, STINT_ERROR, STINT_ERROR_FAILED,
                   /* Translators: a file name, and why */
                   _ ("“%s” cannot be opened: %s"), path, stint_error_describe (saved_errno));
      return -1;
    }

  /* Without LOCK_NB a holder that hangs would make this thread hang. */
  while (flock (fd, LOCK_EX | LOCK_NB) < 0)
    {
      saved_errno = errno;
      if ((saved_errno != EWOULDBLOCK && saved_errno != EINTR) || g_get_monotonic_time () >= end)
        {
          close (fd);
          g_set_error (error, STINT_ERROR, STINT_ERROR_FAILED,
                       /* Translators: a file name, and why */
                       _ ("“%s” cannot be locked: %s"), path, stint_error_describe (saved_errno));
          return -1;
        }
      g_usleep (RETRY_INTERVAL * 1000);
    }
  return fd;
}
