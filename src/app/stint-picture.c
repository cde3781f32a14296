/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads pictures from files, and makes files of pictures; what for, others decide. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-picture.h"

#include <glib/gi18n.h>

#define ATTRIBUTES G_FILE_ATTRIBUTE_STANDARD_TYPE "," G_FILE_ATTRIBUTE_STANDARD_SIZE

/* Reading */

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const guint64 *max = g_task_get_task_data (task);
  GError *error = NULL;
  g_autoptr (GBytes) bytes = g_file_load_bytes_finish (G_FILE (source), result, NULL, &error);

  if (bytes == NULL)
    g_task_return_error (task, error);
  else if (g_bytes_get_size (bytes) > *max)
    g_task_return_pointer (task, NULL, NULL); /* it has grown */
  else
    g_task_return_pointer (task, g_steal_pointer (&bytes), (GDestroyNotify) g_bytes_unref);
}

static void
on_queried (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  const guint64 *max = g_task_get_task_data (task);
  GFile *file = G_FILE (source);
  GCancellable *cancellable = g_task_get_cancellable (task);
  GError *error = NULL;
  g_autoptr (GFileInfo) info = g_file_query_info_finish (file, result, &error);
  g_autofree char *name = NULL;

  if (info == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  if (g_file_info_get_file_type (info) != G_FILE_TYPE_REGULAR)
    {
      name = g_file_get_parse_name (file);
      g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE,
                               /* Translators: %s is the path of a file */
                               _ ("“%s” is not a regular file and cannot be attached"), name);
    }
  else if ((guint64) g_file_info_get_size (info) > *max)
    g_task_return_pointer (task, NULL, NULL);
  else
    g_file_load_bytes_async (file, cancellable, on_loaded, g_steal_pointer (&task));
}

void
stint_picture_load_async (GFile *file,
                          guint64 max,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  GTask *task;

  g_return_if_fail (G_IS_FILE (file));

  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, stint_picture_load_async);
  g_task_set_task_data (task, g_memdup2 (&max, sizeof max), g_free);
  g_file_query_info_async (file, ATTRIBUTES, G_FILE_QUERY_INFO_NONE, G_PRIORITY_DEFAULT,
                           cancellable, on_queried, task);
}

gboolean
stint_picture_load_finish (GAsyncResult *result, GBytes **bytes, GError **error)
{
  g_autoptr (GError) failure = NULL;

  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);

  *bytes = g_task_propagate_pointer (G_TASK (result), &failure);
  if (failure == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&failure));
  return FALSE;
}

/* Writing */

typedef struct
{
  GdkTexture *texture; /* until the result is taken */
  char *path;          /* (nullable) */
  GBytes *png;
} Making;

static void
making_free (gpointer data)
{
  Making *making = data;

  g_clear_object (&making->texture);
  g_free (making->path);
  g_clear_pointer (&making->png, g_bytes_unref);
  g_free (making);
}

static void
make_png (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Making *making = data;
  GError *error = NULL;
  gsize size;
  const char *bytes;

  making->png = gdk_texture_save_to_png_bytes (making->texture);
  bytes = g_bytes_get_data (making->png, &size);
  if (making->path != NULL &&
      !g_file_set_contents_full (making->path, bytes, (gssize) size, G_FILE_SET_CONTENTS_CONSISTENT,
                                 0600, &error))
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

void
stint_picture_make_png_async (GdkTexture *texture,
                              const char *path,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Making *making;

  g_return_if_fail (GDK_IS_TEXTURE (texture));

  making = g_new0 (Making, 1);
  making->texture = g_object_ref (texture);
  making->path = g_strdup (path);
  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, stint_picture_make_png_async);
  g_task_set_task_data (task, making, making_free);
  g_task_run_in_thread (task, make_png);
}

GBytes *
stint_picture_make_png_finish (GAsyncResult *result, GError **error)
{
  Making *making;

  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  making = g_task_get_task_data (G_TASK (result));
  /* The thread may be the last to let go of the task: a texture is GDK's, and goes here. */
  g_clear_object (&making->texture);
  if (!g_task_propagate_boolean (G_TASK (result), error))
    return NULL;
  return g_steal_pointer (&making->png);
}
