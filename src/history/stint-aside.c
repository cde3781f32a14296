/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Moves a database out of the way that this Stint must not touch.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stint-aside.h"
#include "stint-error.h"
#include "stint-state-lock.h"

void
stint_file_identity_read (StintFileIdentity *self, const char *path)
{
  struct stat st;

  *self = (StintFileIdentity){ 0, 0 };
  if (stat (path, &st) == 0)
    *self = (StintFileIdentity){ st.st_dev, st.st_ino };
}

gboolean
stint_file_identity_holds (const StintFileIdentity *self, const char *path)
{
  StintFileIdentity now;

  stint_file_identity_read (&now, path);
  return now.inode != 0 && now.device == self->device && now.inode == self->inode;
}

/* (transfer full): a name that nothing has. */
static char *
choose_name (const char *path, gboolean newer)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *date = g_date_time_format (now, "%Y%m%d-%H%M%S");
  g_autofree char *base = g_strdup_printf ("%s.%s-%s", path, newer ? "newer" : "damaged", date);
  char *name = g_strdup (base);

  for (guint i = 2; g_file_test (name, G_FILE_TEST_EXISTS | G_FILE_TEST_IS_SYMLINK); i++)
    {
      g_free (name);
      name = g_strdup_printf ("%s-%u", base, i);
    }
  return name;
}

static gboolean
rename_companion (const char *path, const char *target, const char *suffix)
{
  g_autofree char *from = g_strconcat (path, suffix, NULL);
  g_autofree char *to = g_strconcat (target, suffix, NULL);

  return g_rename (from, to) == 0 || errno == ENOENT;
}

/* The database last: as long as it is there, nobody begins a new one, which would delete the
 * companions that it finds. */
static gboolean
rename_all (const char *path, const char *target)
{
  return rename_companion (path, target, "-wal") && rename_companion (path, target, "-shm") &&
         rename_companion (path, target, "-journal") && g_rename (path, target) == 0;
}

gboolean
stint_set_aside (const char *directory,
                 const StintFileIdentity *file,
                 gboolean newer,
                 guint patience,
                 GError **problem)
{
  g_autofree char *path = g_build_filename (directory, "history.db", NULL);
  g_autofree char *target = NULL;
  gboolean ok = TRUE;
  int saved_errno;
  int lock;

  lock = stint_state_lock_take (directory, patience, problem);
  if (lock < 0)
    return FALSE;
  if (stint_file_identity_holds (file, path))
    {
      target = choose_name (path, newer);
      ok = rename_all (path, target);
      saved_errno = errno;
      if (!ok)
        g_set_error (problem, STINT_ERROR, STINT_ERROR_FAILED,
                     /* Translators: a file name, and why */
                     _ ("“%s” cannot be moved aside: %s"), path, g_strerror (saved_errno));
      else if (newer)
        g_set_error (problem, STINT_ERROR, STINT_ERROR_TOO_NEW,
                     _ ("The history was written by a newer version of Stint. It was moved to “%s” "
                        "and a new one was begun."),
                     target);
      else
        g_set_error (problem, STINT_ERROR, STINT_ERROR_DAMAGED,
                     _ ("The history was damaged. It was moved to “%s” and a new one was begun."),
                     target);
    }
  close (lock);
  return ok;
}
