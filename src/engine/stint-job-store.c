/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a store is to the engine, and the lock of a job directory.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-job-store.h"

#include "stint-error.h"
#include "stint-job-private.h"

#include "protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <sys/file.h>
#include <unistd.h>

G_DEFINE_INTERFACE (StintJobStore, stint_job_store, G_TYPE_OBJECT)

static void
stint_job_store_default_init (StintJobStoreInterface *iface)
{
}

StintJobPlace *
stint_job_place_new (void)
{
  StintJobPlace *self = g_new0 (StintJobPlace, 1);

  self->lock_fd = -1;
  return self;
}

void
stint_job_place_free (StintJobPlace *self)
{
  if (self->lock_fd >= 0)
    close (self->lock_fd);
  g_free (self->directory);
  g_free (self->warning);
  g_free (self);
}

void
stint_job_store_begin_async (StintJobStore *self,
                             StintJob *job,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  g_return_if_fail (STINT_IS_JOB_STORE (self));
  STINT_JOB_STORE_GET_IFACE (self)->begin_async (self, job, callback, user_data);
}

StintJobPlace *
stint_job_store_begin_finish (StintJobStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (STINT_IS_JOB_STORE (self), NULL);
  return STINT_JOB_STORE_GET_IFACE (self)->begin_finish (self, result, error);
}

void
stint_job_store_note_async (StintJobStore *self,
                            StintJob *job,
                            gboolean detached,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (STINT_IS_JOB_STORE (self));

  if (STINT_JOB_STORE_GET_IFACE (self)->note_async != NULL)
    {
      STINT_JOB_STORE_GET_IFACE (self)->note_async (self, job, detached, callback, user_data);
      return;
    }
  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, stint_job_store_note_async);
  g_task_return_boolean (task, TRUE);
}

gboolean
stint_job_store_note_finish (StintJobStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (STINT_IS_JOB_STORE (self), FALSE);

  if (STINT_JOB_STORE_GET_IFACE (self)->note_finish != NULL)
    return STINT_JOB_STORE_GET_IFACE (self)->note_finish (self, result, error);
  return g_task_propagate_boolean (G_TASK (result), error);
}

void
stint_job_store_finish_async (StintJobStore *self,
                              StintJob *job,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_return_if_fail (STINT_IS_JOB_STORE (self));
  STINT_JOB_STORE_GET_IFACE (self)->finish_async (self, job, callback, user_data);
}

gboolean
stint_job_store_finish_finish (StintJobStore *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (STINT_IS_JOB_STORE (self), FALSE);
  return STINT_JOB_STORE_GET_IFACE (self)->finish_finish (self, result, error);
}

int
stint_job_store_lock_directory (const char *directory, GError **error)
{
  g_autofree char *path = g_build_filename (directory, KEEPER_FILE_LOCK, NULL);
  int fd = open (path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  int code = errno;

  /* A file system without locks is no reason not to run: the owner's pid decides there. */
  if (fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
    {
      code = errno;
      close (fd);
      fd = -1;
    }
  if (fd < 0)
    g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), _ ("Cannot lock “%s”: %s"), path,
                 stint_error_describe (code));
  return fd;
}

gboolean
stint_job_store_is_locked (const char *directory)
{
  g_autofree char *path = g_build_filename (directory, KEEPER_FILE_LOCK, NULL);
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  gboolean locked;

  /* Who cannot look does not know that it is free: ask again. */
  if (fd < 0)
    return errno == EMFILE || errno == ENFILE || errno == ENOMEM;
  /* Shared: two that look at once do not take each other for the owner. */
  locked = flock (fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;
  close (fd);
  return locked;
}

void
stint_job_store_tidy (const char *directory)
{
  const char *const names[] = { KEEPER_FILE_CONTROL, STINT_JOB_SHARE_FILE, STINT_JOB_SHARE_FILE_NEW,
                                KEEPER_FILE_OUTCOME_NEW };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (directory, names[i], NULL);

      unlink (path);
    }
}

gboolean
stint_job_store_can_adopt (const char *directory)
{
  g_autofree char *path = g_build_filename (directory, KEEPER_FILE_CONTROL, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

gboolean
stint_job_store_wait_until_unlocked (const char *directory, GError **error)
{
  g_autofree char *path = g_build_filename (directory, KEEPER_FILE_LOCK, NULL);
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  int rc, code;

  /* Of a job that leaves no trace nothing is left. */
  if (fd < 0 && errno == ENOENT)
    return TRUE;
  if (fd >= 0)
    {
      do
        rc = flock (fd, LOCK_SH);
      while (rc < 0 && errno == EINTR);
      code = errno;
      close (fd);
      if (rc == 0)
        return TRUE;
      errno = code;
    }
  g_set_error (error, G_IO_ERROR, (int) g_io_error_from_errno (errno),
               _ ("Cannot tell whether the job still runs: %s"), g_strerror (errno));
  return FALSE;
}
