/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The files below a directory: one level after the other, so that the nearest are found though there
 * are too many. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-file-names.h"

#include <string.h>

typedef struct
{
  char *name; /* relative, "" for the directory itself */
  guint depth;
} Folder;

static void
folder_free (Folder *folder)
{
  g_free (folder->name);
  g_free (folder);
}

static void
add_folder (GQueue *folders, const char *name, guint depth)
{
  Folder *folder = g_new (Folder, 1);

  folder->name = g_strdup (name);
  folder->depth = depth;
  g_queue_push_tail (folders, folder);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
list_folder (const char *directory, Folder *folder, GQueue *folders, GPtrArray *names)
{
  g_autofree char *path = g_build_filename (directory, folder->name, NULL);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  g_autoptr (GPtrArray) here = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  if (dir == NULL)
    return;
  while ((name = g_dir_read_name (dir)) != NULL && here->len < STINT_FILE_NAMES_LIMIT)
    if (name[0] != '.' && g_utf8_validate (name, -1, NULL) && strcmp (name, "node_modules") != 0)
      g_ptr_array_add (here, g_strdup (name));
  g_ptr_array_sort (here, compare_names);
  for (guint i = 0; i < here->len && names->len < STINT_FILE_NAMES_LIMIT; i++)
    {
      g_autofree char *relative = folder->name[0] != '\0'
                                      ? g_strconcat (folder->name, "/", here->pdata[i], NULL)
                                      : g_strdup (here->pdata[i]);
      g_autofree char *full = g_build_filename (directory, relative, NULL);

      if (g_file_test (full, G_FILE_TEST_IS_DIR) && !g_file_test (full, G_FILE_TEST_IS_SYMLINK))
        {
          g_ptr_array_add (names, g_strconcat (relative, "/", NULL));
          if (folder->depth + 1 < STINT_FILE_NAMES_DEPTH)
            add_folder (folders, relative, folder->depth + 1);
        }
      else
        g_ptr_array_add (names, g_steal_pointer (&relative));
    }
}

static void
list (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  GQueue folders = G_QUEUE_INIT;
  Folder *folder;

  add_folder (&folders, "", 0);
  while ((folder = g_queue_pop_head (&folders)) != NULL)
    {
      if (names->len < STINT_FILE_NAMES_LIMIT && !g_cancellable_is_cancelled (cancellable))
        list_folder (task_data, folder, &folders, names);
      folder_free (folder);
    }
  g_task_return_pointer (task, names, (GDestroyNotify) g_ptr_array_unref);
}

void
stint_file_names_list_async (const char *directory,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (directory != NULL);

  task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, stint_file_names_list_async);
  g_task_set_task_data (task, g_strdup (directory), g_free);
  g_task_run_in_thread (task, list);
}

GPtrArray *
stint_file_names_list_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

static const char *
get_last_part (const char *name)
{
  const char *end = name + strlen (name);

  if (end > name && end[-1] == '/')
    end--;
  while (end > name && end[-1] != '/')
    end--;
  return end;
}

char **
stint_file_names_match (GPtrArray *names, const char *text, guint n)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  g_autofree char *needle = NULL;

  g_return_val_if_fail (names != NULL, NULL);
  g_return_val_if_fail (text != NULL, NULL);

  needle = g_utf8_casefold (text, -1);
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < names->len && found->len < n; i++)
      {
        g_autofree char *whole = g_utf8_casefold (names->pdata[i], -1);
        gboolean begins =
            g_str_has_prefix (get_last_part (whole), needle) || g_str_has_prefix (whole, needle);

        if (pass == 0 ? begins : !begins && strstr (whole, needle) != NULL)
          g_ptr_array_add (found, g_strdup (names->pdata[i]));
      }
  g_ptr_array_add (found, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&found), FALSE);
}
