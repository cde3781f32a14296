/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A store that keeps nothing. Its places are also what a history falls back to.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-scratch-store.h"

#include "stint-error.h"

#include "protocol.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <unistd.h>

struct _StintScratchStore
{
  GObject parent_instance;

  guint64 last_id;
};

/* Of the directories that this process has made and not removed: a set of names. A history makes its
 * own on its thread. */
static GMutex places_lock;
static GHashTable *places;

static void job_store_iface_init (StintJobStoreInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (StintScratchStore,
                               stint_scratch_store,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (STINT_TYPE_JOB_STORE, job_store_iface_init))

static void
note_place (const char *directory)
{
  g_mutex_lock (&places_lock);
  if (places == NULL)
    places = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_hash_table_add (places, g_strdup (directory));
  g_mutex_unlock (&places_lock);
}

static void
forget_place (const char *directory)
{
  g_mutex_lock (&places_lock);
  if (places != NULL)
    g_hash_table_remove (places, directory);
  g_mutex_unlock (&places_lock);
}

/* (transfer full) (nullable): the set, which is empty from now on. */
static GHashTable *
take_places (void)
{
  GHashTable *taken;

  g_mutex_lock (&places_lock);
  taken = g_steal_pointer (&places);
  g_mutex_unlock (&places_lock);
  return taken;
}

/* The runtime directory is memory and may not be there: large output belongs on a disk. */
static char *
make_directory (GError **error)
{
  g_autofree char *template = g_build_filename (g_get_tmp_dir (), "stint-job-XXXXXX", NULL);
  int code;

  if (g_mkdtemp_full (template, 0700) != NULL)
    return g_steal_pointer (&template);
  code = errno;
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code),
               _ ("Cannot make a directory for the job in “%s”: %s"), g_get_tmp_dir (),
               stint_error_describe (code));
  return NULL;
}

StintJobPlace *
stint_scratch_store_make_place (guint64 id, GError **error)
{
  g_autoptr (StintJobPlace) place = stint_job_place_new ();

  place->id = id;
  place->scratch = TRUE;
  place->directory = make_directory (error);
  if (place->directory == NULL)
    return NULL;
  note_place (place->directory);
  place->lock_fd = stint_job_store_lock_directory (place->directory, error);
  if (place->lock_fd < 0)
    {
      stint_scratch_store_remove (place->directory);
      return NULL;
    }
  return g_steal_pointer (&place);
}

void
stint_scratch_store_remove (const char *directory)
{
  static const char *const names[] = {
    KEEPER_FILE_OUTPUT,      KEEPER_FILE_INDEX, KEEPER_FILE_OUTCOME,
    KEEPER_FILE_OUTCOME_NEW, KEEPER_FILE_LOCK,  KEEPER_FILE_PROTOCOL,
  };

  forget_place (directory);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (directory, names[i], NULL);

      g_unlink (path);
    }
  if (g_rmdir (directory) < 0)
    g_debug ("%s: %s", directory, g_strerror (errno));
}

void
stint_scratch_store_remove_all (void)
{
  g_autoptr (GHashTable) taken = take_places ();
  GHashTableIter iter;
  gpointer directory;

  if (taken == NULL)
    return;
  g_hash_table_iter_init (&iter, taken);
  while (g_hash_table_iter_next (&iter, &directory, NULL))
    stint_scratch_store_remove (directory);
}

static void
stint_scratch_store_begin_async (StintJobStore *store,
                                 StintJob *job,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  StintScratchStore *self = STINT_SCRATCH_STORE (store);
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  GError *error = NULL;
  StintJobPlace *place;

  g_task_set_source_tag (task, stint_scratch_store_begin_async);
  place = stint_scratch_store_make_place (++self->last_id, &error);
  if (place != NULL)
    g_task_return_pointer (task, place, (GDestroyNotify) stint_job_place_free);
  else
    g_task_return_error (task, error);
}

static StintJobPlace *
stint_scratch_store_begin_finish (StintJobStore *store, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
stint_scratch_store_finish_async (StintJobStore *store,
                                  StintJob *job,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (store, NULL, callback, user_data);

  g_task_set_source_tag (task, stint_scratch_store_finish_async);
  g_task_return_boolean (task, TRUE);
}

static gboolean
stint_scratch_store_finish_finish (StintJobStore *store, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
job_store_iface_init (StintJobStoreInterface *iface)
{
  iface->begin_async = stint_scratch_store_begin_async;
  iface->begin_finish = stint_scratch_store_begin_finish;
  iface->finish_async = stint_scratch_store_finish_async;
  iface->finish_finish = stint_scratch_store_finish_finish;
}

static void
stint_scratch_store_class_init (StintScratchStoreClass *klass)
{
}

static void
stint_scratch_store_init (StintScratchStore *self)
{
}

StintJobStore *
stint_scratch_store_new (void)
{
  return g_object_new (STINT_TYPE_SCRATCH_STORE, NULL);
}
