/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The directories jobs/<id>. One that exists is never taken for a new job, whatever the database
 * says: it may belong to a row of a database that was moved aside.
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
#include "stint-job-directories.h"
#include "stint-job-store.h"

char *
stint_job_directories_dup_state (void)
{
  const char *home = g_get_user_state_dir ();

  return g_path_is_absolute (home) ? g_build_filename (home, "stint", NULL)
                                   : g_build_filename (g_get_home_dir (), ".local", "state", "stint", NULL);
}

char *
stint_job_directories_dup_path (const char *jobs, guint64 id)
{
  return g_strdup_printf ("%s/%" G_GUINT64_FORMAT, jobs, id);
}

guint64
stint_job_directories_get_highest (const char *jobs)
{
  g_autoptr (GDir) dir = g_dir_open (jobs, 0, NULL);
  guint64 highest = 0;
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      guint64 id;

      if (g_ascii_string_to_unsigned (name, 10, 1, STINT_MAX_JOB_ID, &id, NULL))
        highest = MAX (highest, id);
    }
  return highest;
}

static char *
make_directory (const char *jobs, guint64 *id, GError **error)
{
  g_autofree char *directory = NULL;
  int saved_errno = 0;

  /* Another process can be in the way more than once, a dangling link for ever. */
  for (guint tries = 0; tries < 16; tries++)
    {
      g_free (directory);
      directory = stint_job_directories_dup_path (jobs, *id);
      if (g_mkdir (directory, 0700) == 0)
        return g_steal_pointer (&directory);
      saved_errno = errno;
      if (saved_errno == EEXIST)
        {
          *id = MAX (*id, stint_job_directories_get_highest (jobs)) + 1;
          continue;
        }
      if (saved_errno == ENOENT)
        {
          if (g_mkdir (jobs, 0700) == 0 || errno == EEXIST)
            continue;
          saved_errno = errno;
        }
      break;
    }
  g_set_error (error, STINT_ERROR, STINT_ERROR_FAILED,
               /* Translators: a file name, and why */
               _ ("“%s” cannot be made: %s"), directory, stint_error_describe (saved_errno));
  return NULL;
}

char *
stint_job_directories_make (const char *jobs, guint64 *id, int *lock_fd, GError **error)
{
  g_autofree char *directory = make_directory (jobs, id, error);

  if (directory == NULL)
    return NULL;
  *lock_fd = stint_job_store_lock_directory (directory, error);
  if (*lock_fd < 0)
    {
      stint_job_directories_discard (directory);
      return NULL;
    }
  return g_steal_pointer (&directory);
}

void
stint_job_directories_discard (const char *directory)
{
  g_autofree char *lock = g_build_filename (directory, "lock", NULL);

  g_unlink (lock);
  g_rmdir (directory);
}

static int
lock_shared_or_not (const char *directory, int operation)
{
  int fd = open (directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);

  if (fd < 0)
    return -1;
  /* Where directories cannot be locked nobody can hold one. */
  if (flock (fd, operation | LOCK_NB) == 0 || errno != EWOULDBLOCK)
    return fd;
  close (fd);
  errno = EWOULDBLOCK;
  return -1;
}

int
stint_job_directories_hold (const char *directory)
{
  return lock_shared_or_not (directory, LOCK_SH);
}

gboolean
stint_job_directories_take (const char *directory, int *lock)
{
  *lock = lock_shared_or_not (directory, LOCK_EX);
  return *lock >= 0 || errno != EWOULDBLOCK;
}
