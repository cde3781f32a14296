/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "stint-job.h"

G_BEGIN_DECLS

/**
 * StintJobPlace:
 * @id: the job's id
 * @directory: (type filename): its directory, which exists
 * @lock_fd: its lock, held; the taker closes it
 * @scratch: nothing may be left of the job: whoever is last removes the directory
 * @warning: (nullable): what the user should know, if the job is not kept as it should be
 *
 * What a store gives a job before it is started.
 */
typedef struct
{
  guint64 id;
  char *directory;
  int lock_fd;
  gboolean scratch;
  char *warning;
} StintJobPlace;

StintJobPlace *stint_job_place_new (void);
void stint_job_place_free (StintJobPlace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintJobPlace, stint_job_place_free)

#define STINT_TYPE_JOB_STORE (stint_job_store_get_type ())
G_DECLARE_INTERFACE (StintJobStore, stint_job_store, STINT, JOB_STORE, GObject)

/**
 * StintJobStoreInterface:
 * @begin_async: writes the row of a job that has no id yet and makes its directory, before it is
 *   started
 * @begin_finish: (transfer full): never %NULL without an error. A store that cannot keep the job but
 *   can let it run says so in the place's warning.
 * @note_async: (nullable): writes into the row of a job that has begun and not finished that this
 *   process runs it, whether it is let go, and what was added to follow it
 * @note_finish: (nullable): %FALSE with an error that the user is to see
 * @finish_async: completes the row of a job that has finished
 * @finish_finish: %FALSE with an error that the user is to see
 *
 * Where jobs are kept. The engine asks; the history answers. Calls come from the main context; calls
 * for one job come in order.
 */
struct _StintJobStoreInterface
{
  GTypeInterface parent_iface;

  void (*begin_async) (StintJobStore *self,
                       StintJob *job,
                       GAsyncReadyCallback callback,
                       gpointer user_data);
  StintJobPlace *(*begin_finish) (StintJobStore *self, GAsyncResult *result, GError **error);
  void (*note_async) (StintJobStore *self,
                      StintJob *job,
                      gboolean detached,
                      GAsyncReadyCallback callback,
                      gpointer user_data);
  gboolean (*note_finish) (StintJobStore *self, GAsyncResult *result, GError **error);
  void (*finish_async) (StintJobStore *self,
                        StintJob *job,
                        GAsyncReadyCallback callback,
                        gpointer user_data);
  gboolean (*finish_finish) (StintJobStore *self, GAsyncResult *result, GError **error);
};

void stint_job_store_begin_async (StintJobStore *self,
                                  StintJob *job,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
StintJobPlace *
stint_job_store_begin_finish (StintJobStore *self, GAsyncResult *result, GError **error);
void stint_job_store_note_async (StintJobStore *self,
                                 StintJob *job,
                                 gboolean detached,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);
gboolean stint_job_store_note_finish (StintJobStore *self, GAsyncResult *result, GError **error);
void stint_job_store_finish_async (StintJobStore *self,
                                   StintJob *job,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
gboolean stint_job_store_finish_finish (StintJobStore *self, GAsyncResult *result, GError **error);

/**
 * stint_job_store_lock_directory:
 * @directory: (type filename): a job directory that exists
 * @error: it cannot be locked
 *
 * Takes the lock that says "somebody still cares for this job".
 *
 * Returns: the descriptor, close-on-exec, or -1 with @error set
 */
int stint_job_store_lock_directory (const char *directory, GError **error);

/**
 * stint_job_store_is_locked:
 * @directory: (type filename): a job directory
 *
 * Returns: whether a keeper, or who started it, still cares for the job
 */
gboolean stint_job_store_is_locked (const char *directory);

/* Removes what those who ran a job that has ended had there for a time, if they died meanwhile: the
 * places where they could be met, and an outcome that was never whole. */
void stint_job_store_tidy (const char *directory);

/* Whether there is a place in @directory, of a job that runs, where its keeper can be asked for it. */
gboolean stint_job_store_can_adopt (const char *directory);

/**
 * stint_job_store_wait_until_unlocked:
 * @directory: (type filename): a job directory
 * @error: the lock cannot be looked at
 *
 * Blocks until nobody cares for the job any more: it has ended, whoever ran it, and all that is left of
 * it is on the disk. For threads that may wait.
 */
gboolean stint_job_store_wait_until_unlocked (const char *directory, GError **error);

G_END_DECLS
