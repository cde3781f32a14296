/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A fuzz target without a fuzzer: gives it each file of the directories in its arguments, and speaks TAP.
 */
#include "fuzz.h"

#include <glib.h>
#include <stdlib.h>
#include <string.h>

static int
compare (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
add_files (GPtrArray *files, const char *directory)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (directory, 0, &error);
  const char *name;

  g_assert_no_error (error);
  while ((name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (files, g_build_filename (directory, name, NULL));
}

/* In memory of its own size: a byte too far is one that the sanitizer sees. */
static void
replay (const char *file)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *content = NULL;
  uint8_t *bytes;
  gsize size;

  g_file_get_contents (file, &content, &size, &error);
  g_assert_no_error (error);
  bytes = malloc (size);
  if (size > 0)
    memcpy (bytes, content, size);
  g_assert_cmpint (LLVMFuzzerTestOneInput (bytes, size), ==, 0);
  free (bytes);
}

int
main (int argc, char *argv[])
{
  g_autoptr (GPtrArray) files = g_ptr_array_new_with_free_func (g_free);

  for (int i = 1; i < argc; i++)
    add_files (files, argv[i]);
  g_assert_cmpuint (files->len, >, 0);
  g_ptr_array_sort (files, compare);

  g_print ("1..%u\n", files->len);
  for (guint i = 0; i < files->len; i++)
    {
      g_autofree char *name = g_path_get_basename (files->pdata[i]);

      replay (files->pdata[i]);
      g_print ("ok %u - %s\n", i + 1, name);
    }
  return EXIT_SUCCESS;
}
