/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a dropped file is to become. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-dropped.h"

#include <string.h>
#include <unistd.h>

/* Scripts that are not executable are given to who can run them. */
static const char *
find_interpreter (const char *path)
{
  static const struct
  {
    const char *suffix;
    const char *program;
  } interpreters[] = {
    { ".sh", "sh" },      { ".bash", "bash" }, { ".py", "python3" }, { ".pl", "perl" },
    { ".rb", "ruby" },    { ".js", "node" },   { ".mjs", "node" },   { ".lua", "lua" },
    { ".fish", "fish" },  { ".zsh", "zsh" },   { ".php", "php" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (interpreters); i++)
    if (g_str_has_suffix (path, interpreters[i].suffix))
      return interpreters[i].program;
  return NULL;
}

StintJobSpec *
stint_dropped_dup_spec (GFile *file)
{
  const char *path, *interpreter;
  g_autofree char *directory = NULL;
  g_autofree char *local = NULL;
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  StintJobSpec *spec;

  g_return_val_if_fail (G_IS_FILE (file), NULL);

  path = g_file_peek_path (file);
  if (path == NULL)
    return NULL;
  if (g_file_test (path, G_FILE_TEST_IS_DIR))
    {
      spec = stint_job_spec_new_shell (STINT_JOB_KIND_TERMINAL, "");
      stint_job_spec_set_directory (spec, path);
      return spec;
    }

  directory = g_path_get_dirname (path);
  local = g_path_get_basename (path);
  interpreter = find_interpreter (path);
  if (g_file_test (path, G_FILE_TEST_IS_REGULAR) && access (path, X_OK) == 0)
    {
      char *command = g_strconcat ("./", local, NULL);

      g_free (local);
      local = command;
    }
  else if (interpreter != NULL)
    g_ptr_array_add (argv, (gpointer) interpreter);
  g_ptr_array_add (argv, local);
  g_ptr_array_add (argv, NULL);
  spec = stint_job_spec_new (STINT_JOB_KIND_TERMINAL, (const char *const *) argv->pdata);
  stint_job_spec_set_directory (spec, directory);
  return spec;
}
