/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The presets as a list. Its file is worked on by one thread, in order: see stint-preset-file.c. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-presets.h"

#include "stint-preset-file.h"

#include <glib/gstdio.h>

#define FLUSH_USEC (3 * G_USEC_PER_SEC)

/* What the thread shares with the list; outlives it while something is under way. */
typedef struct
{
  char *directory;
  GMutex mutex;
  GCond done;
  guint n_pending; /* under the mutex */
} Shared;

struct _StintPresets
{
  GObject parent_instance;

  GPtrArray *presets; /* of StintPreset, by name */
  Shared *shared;     /* atomically counted */
  GThreadPool *pool;
  GFileMonitor *monitor;
  guint n_changes; /* asked for, and not yet answered: until then the file is behind the list */
};

/* One round of the file. */
typedef struct
{
  GWeakRef list;
  Shared *shared;
  StintPreset *put; /* (nullable) */
  char *remove;     /* (nullable) */

  GPtrArray *presets; /* (nullable): the result */
  GError *problem;
  GError *error;
} Request;

static void list_model_iface_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (StintPresets,
                               stint_presets,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_iface_init))

enum
{
  PROBLEM,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
shared_clear (gpointer data)
{
  Shared *shared = data;

  g_free (shared->directory);
  g_mutex_clear (&shared->mutex);
  g_cond_clear (&shared->done);
}

static void
request_free (gpointer data)
{
  Request *request = data;

  g_weak_ref_clear (&request->list);
  g_clear_object (&request->put);
  g_free (request->remove);
  g_clear_pointer (&request->presets, g_ptr_array_unref);
  g_clear_error (&request->problem);
  g_clear_error (&request->error);
  g_atomic_rc_box_release_full (request->shared, shared_clear);
  g_free (request);
}

static gboolean
is_same (GPtrArray *a, GPtrArray *b)
{
  if (a->len != b->len)
    return FALSE;
  for (guint i = 0; i < a->len; i++)
    if (!stint_preset_equal (a->pdata[i], b->pdata[i]))
      return FALSE;
  return TRUE;
}

static void
replace (StintPresets *self, GPtrArray *presets)
{
  guint n_before = self->presets->len;

  if (is_same (self->presets, presets))
    return;
  g_ptr_array_unref (self->presets);
  self->presets = g_ptr_array_ref (presets);
  g_list_model_items_changed (G_LIST_MODEL (self), 0, n_before, presets->len);
}

/* In the main context. */
static gboolean
on_answered (gpointer data)
{
  Request *request = data;
  g_autoptr (StintPresets) self = g_weak_ref_get (&request->list);

  if (self == NULL)
    return G_SOURCE_REMOVE;
  if (request->put != NULL || request->remove != NULL)
    self->n_changes--;
  if (request->problem != NULL)
    g_signal_emit (self, signals[PROBLEM], 0, request->problem);
  if (request->error != NULL)
    g_signal_emit (self, signals[PROBLEM], 0, request->error);
  /* What the user has changed since is not in it yet. */
  if (request->presets != NULL && self->n_changes == 0)
    replace (self, request->presets);
  return G_SOURCE_REMOVE;
}

/* In the thread. */
static void
work (gpointer data, gpointer user_data)
{
  Request *request = data;
  Shared *shared = g_atomic_rc_box_acquire (request->shared);
  g_autoptr (GSource) answer = g_idle_source_new ();

  request->presets = stint_preset_file_update (shared->directory, request->put, request->remove,
                                               &request->problem, &request->error);
  /* Not g_main_context_invoke(): between two rounds of the main loop it would run here. */
  g_source_set_priority (answer, G_PRIORITY_DEFAULT);
  g_source_set_callback (answer, on_answered, request, request_free);
  g_source_attach (answer, NULL);

  g_mutex_lock (&shared->mutex);
  shared->n_pending--;
  g_cond_broadcast (&shared->done);
  g_mutex_unlock (&shared->mutex);
  g_atomic_rc_box_release_full (shared, shared_clear);
}

static void
ask (StintPresets *self, StintPreset *put, const char *remove)
{
  Request *request = g_new0 (Request, 1);

  g_weak_ref_init (&request->list, self);
  request->shared = g_atomic_rc_box_acquire (self->shared);
  request->put = put != NULL ? g_object_ref (put) : NULL;
  request->remove = g_strdup (remove);
  if (put != NULL || remove != NULL)
    self->n_changes++;

  g_mutex_lock (&self->shared->mutex);
  self->shared->n_pending++;
  g_mutex_unlock (&self->shared->mutex);
  g_thread_pool_push (self->pool, request, NULL);
}

static void
on_file_changed (StintPresets *self)
{
  ask (self, NULL, NULL);
}

static GType
get_item_type (GListModel *model)
{
  return STINT_TYPE_PRESET;
}

static guint
get_n_items (GListModel *model)
{
  return STINT_PRESETS (model)->presets->len;
}

static gpointer
get_item (GListModel *model, guint position)
{
  StintPresets *self = STINT_PRESETS (model);

  return position < self->presets->len ? g_object_ref (self->presets->pdata[position]) : NULL;
}

static void
list_model_iface_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

static void
stint_presets_dispose (GObject *object)
{
  StintPresets *self = STINT_PRESETS (object);

  if (self->monitor != NULL)
    g_file_monitor_cancel (self->monitor);
  g_clear_object (&self->monitor);
  /* What has been asked for is still done. */
  if (self->pool != NULL)
    g_thread_pool_free (self->pool, FALSE, FALSE);
  self->pool = NULL;

  G_OBJECT_CLASS (stint_presets_parent_class)->dispose (object);
}

static void
stint_presets_finalize (GObject *object)
{
  StintPresets *self = STINT_PRESETS (object);

  g_ptr_array_unref (self->presets);
  g_atomic_rc_box_release_full (self->shared, shared_clear);

  G_OBJECT_CLASS (stint_presets_parent_class)->finalize (object);
}

static void
stint_presets_class_init (StintPresetsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = stint_presets_dispose;
  object_class->finalize = stint_presets_finalize;

  signals[PROBLEM] = g_signal_new ("problem", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
stint_presets_init (StintPresets *self)
{
  self->presets = g_ptr_array_new_with_free_func (g_object_unref);
  self->shared = g_atomic_rc_box_new0 (Shared);
  g_mutex_init (&self->shared->mutex);
  g_cond_init (&self->shared->done);
  self->pool = g_thread_pool_new (work, NULL, 1, FALSE, NULL);
}

StintPresets *
stint_presets_new (const char *directory)
{
  StintPresets *self = g_object_new (STINT_TYPE_PRESETS, NULL);
  g_autofree char *path = NULL;
  g_autoptr (GFile) file = NULL;

  self->shared->directory = directory != NULL
                                ? g_strdup (directory)
                                : g_build_filename (g_get_user_config_dir (), "stint", NULL);
  path = g_build_filename (self->shared->directory, STINT_PRESET_FILE_NAME, NULL);
  file = g_file_new_for_path (path);
  /* What is watched before there is a directory is looked for by polling. */
  g_mkdir_with_parents (self->shared->directory, 0700);
  self->monitor = g_file_monitor_file (file, G_FILE_MONITOR_NONE, NULL, NULL);
  if (self->monitor != NULL)
    g_signal_connect_object (self->monitor, "changed", G_CALLBACK (on_file_changed), self,
                             G_CONNECT_SWAPPED);
  ask (self, NULL, NULL);
  return self;
}

static int
compare (gconstpointer a, gconstpointer b)
{
  return stint_preset_compare (*(StintPreset *const *) a, *(StintPreset *const *) b);
}

/* Without the one with this id. */
static GPtrArray *
copy_without (StintPresets *self, const char *id)
{
  GPtrArray *copy = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < self->presets->len; i++)
    if (g_strcmp0 (stint_preset_get_id (self->presets->pdata[i]), id) != 0)
      g_ptr_array_add (copy, g_object_ref (self->presets->pdata[i]));
  return copy;
}

void
stint_presets_put (StintPresets *self, StintPreset *preset)
{
  g_autoptr (GPtrArray) presets = NULL;

  g_return_if_fail (STINT_IS_PRESETS (self));
  g_return_if_fail (STINT_IS_PRESET (preset));

  presets = copy_without (self, stint_preset_get_id (preset));
  g_ptr_array_add (presets, g_object_ref (preset));
  g_ptr_array_sort (presets, compare);
  replace (self, presets);
  ask (self, preset, NULL);
}

void
stint_presets_remove (StintPresets *self, StintPreset *preset)
{
  g_autoptr (GPtrArray) presets = NULL;
  g_autofree char *id = NULL;

  g_return_if_fail (STINT_IS_PRESETS (self));
  g_return_if_fail (STINT_IS_PRESET (preset));

  id = g_strdup (stint_preset_get_id (preset));
  presets = copy_without (self, id);
  replace (self, presets);
  ask (self, NULL, id);
}

StintPreset *
stint_presets_lookup (StintPresets *self, const char *id)
{
  g_return_val_if_fail (STINT_IS_PRESETS (self), NULL);

  for (guint i = 0; i < self->presets->len; i++)
    if (g_strcmp0 (stint_preset_get_id (self->presets->pdata[i]), id) == 0)
      return self->presets->pdata[i];
  return NULL;
}

StintPreset *
stint_presets_find_shortcut (StintPresets *self, const char *shortcut, StintPreset *but)
{
  g_return_val_if_fail (STINT_IS_PRESETS (self), NULL);

  for (guint i = 0; shortcut != NULL && i < self->presets->len; i++)
    {
      StintPreset *preset = self->presets->pdata[i];

      if (g_strcmp0 (stint_preset_get_shortcut (preset), shortcut) == 0 &&
          (but == NULL ||
           g_strcmp0 (stint_preset_get_id (preset), stint_preset_get_id (but)) != 0))
        return preset;
    }
  return NULL;
}

gboolean
stint_presets_flush (StintPresets *self)
{
  gint64 until = g_get_monotonic_time () + FLUSH_USEC;
  gboolean written;

  g_return_val_if_fail (STINT_IS_PRESETS (self), FALSE);

  g_mutex_lock (&self->shared->mutex);
  while (self->shared->n_pending > 0 &&
         g_cond_wait_until (&self->shared->done, &self->shared->mutex, until))
    ;
  written = self->shared->n_pending == 0;
  g_mutex_unlock (&self->shared->mutex);
  return written;
}
