/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The file of the presets. Every change is a round of its own: lock, read, change, write, so that
 * two processes that change different presets both get their way. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-preset-file.h"

#include "stint-error.h"
#include "stint-json.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <sys/file.h>
#include <unistd.h>

#define VERSION 1
#define LOCK_NAME "presets.lock"

/* Returns: a descriptor to close, or -1. */
static int
lock (const char *directory, GError **error)
{
  g_autofree char *path = g_build_filename (directory, LOCK_NAME, NULL);
  int fd, code;

  if (g_mkdir_with_parents (directory, 0700) == 0)
    {
      fd = g_open (path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
      while (fd >= 0)
        {
          if (flock (fd, LOCK_EX) == 0)
            return fd;
          if (errno != EINTR)
            {
              code = errno;
              close (fd);
              errno = code;
              break;
            }
        }
    }
  code = errno;
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code),
               /* Translators: the first %s is a file, the second why */
               _ ("Cannot lock “%s”: %s"), path, stint_error_describe (code));
  return -1;
}

static gboolean
set_damaged (GError **error, const char *why)
{
  g_set_error_literal (error, STINT_ERROR, STINT_ERROR_DAMAGED, why);
  return FALSE;
}

static gboolean
parse (const char *text, gsize length, GPtrArray *presets, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autoptr (GError) why = NULL;
  JsonObject *root;
  JsonNode *node;
  JsonArray *array;

  if (!json_parser_load_from_data (parser, text, (gssize) length, &why))
    return set_damaged (error, why->message);
  node = json_parser_get_root (parser);
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return set_damaged (error, _ ("It is not an object"));
  root = json_node_get_object (node);
  node = json_object_get_member (root, "version");
  if (node == NULL || json_node_get_value_type (node) != G_TYPE_INT64)
    return set_damaged (error, _ ("It has no version"));
  if (json_node_get_int (node) > VERSION)
    {
      g_set_error_literal (
          error, STINT_ERROR, STINT_ERROR_TOO_NEW,
          _ ("The presets were written by a newer Stint; they are left as they are"));
      return FALSE;
    }
  node = json_object_get_member (root, "presets");
  if (node == NULL || !JSON_NODE_HOLDS_ARRAY (node))
    return set_damaged (error, _ ("It has no presets"));
  array = json_node_get_array (node);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      StintPreset *preset = stint_preset_from_json (json_array_get_element (array, i), error);

      if (preset == NULL)
        return FALSE;
      g_ptr_array_add (presets, preset);
    }
  return TRUE;
}

/* Nothing that somebody wrote is overwritten, be it damaged. */
static gboolean
move_aside (const char *path, const GError *why, GError **problem, GError **error)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *stamp = g_date_time_format (now, "%Y%m%d-%H%M%S");
  g_autofree char *aside = g_strdup_printf ("%s.damaged-%s", path, stamp);

  for (guint i = 2; g_file_test (aside, G_FILE_TEST_EXISTS); i++)
    {
      g_free (aside);
      aside = g_strdup_printf ("%s.damaged-%s-%u", path, stamp, i);
    }
  if (g_rename (path, aside) != 0)
    {
      int code = errno;

      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), _ ("Cannot rename “%s”: %s"),
                   path, stint_error_describe (code));
      return FALSE;
    }
  g_set_error (problem, STINT_ERROR, STINT_ERROR_DAMAGED,
               /* Translators: the first %s is a file's new name, the second why */
               _ ("The file of the presets is damaged and was moved to “%s”: %s"), aside,
               why->message);
  return TRUE;
}

static gboolean
read_presets (const char *path, GPtrArray *presets, GError **problem, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) why = NULL;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, &why))
    {
      if (g_error_matches (why, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        return TRUE;
      g_propagate_error (error, g_steal_pointer (&why));
      return FALSE;
    }
  if (parse (text, length, presets, &why))
    return TRUE;
  g_ptr_array_set_size (presets, 0);
  if (g_error_matches (why, STINT_ERROR, STINT_ERROR_DAMAGED))
    return move_aside (path, why, problem, error);
  g_propagate_error (error, g_steal_pointer (&why));
  return FALSE;
}

static gboolean
write_presets (const char *path, GPtrArray *presets, GError **error)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "version");
  json_builder_add_int_value (builder, VERSION);
  json_builder_set_member_name (builder, "presets");
  json_builder_begin_array (builder);
  for (guint i = 0; i < presets->len; i++)
    json_builder_add_value (builder, stint_preset_to_json (presets->pdata[i]));
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  text = stint_json_to_text (root, TRUE);
  return g_file_set_contents_full (
      path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT | G_FILE_SET_CONTENTS_DURABLE, 0600, error);
}

static void
remove_id (GPtrArray *presets, const char *id)
{
  for (guint i = presets->len; i > 0; i--)
    if (g_strcmp0 (stint_preset_get_id (presets->pdata[i - 1]), id) == 0)
      g_ptr_array_remove_index (presets, i - 1);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  return stint_preset_compare (*(StintPreset *const *) a, *(StintPreset *const *) b);
}

GPtrArray *
stint_preset_file_update (const char *directory,
                          StintPreset *put,
                          const char *remove,
                          GError **problem,
                          GError **error)
{
  g_autoptr (GPtrArray) presets = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree char *path = g_build_filename (directory, STINT_PRESET_FILE_NAME, NULL);
  gboolean done;
  int fd;

  fd = lock (directory, error);
  if (fd < 0)
    return NULL;
  done = read_presets (path, presets, problem, error);
  if (done && remove != NULL)
    remove_id (presets, remove);
  if (done && put != NULL)
    {
      remove_id (presets, stint_preset_get_id (put));
      g_ptr_array_add (presets, g_object_ref (put));
    }
  g_ptr_array_sort (presets, compare);
  if (done && (put != NULL || remove != NULL))
    done = write_presets (path, presets, error);
  close (fd);
  return done ? g_steal_pointer (&presets) : NULL;
}
