/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See stint-current-directory.h.
 */
#include "config.h"

#include "stint-current-directory.h"

#include "stint-error.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <unistd.h>

char *
stint_current_directory_dup_for (const char *directory, GError **error)
{
  char *real = getcwd (NULL, 0);
  int code = errno;

  free (real);
  if (real != NULL || (directory != NULL && g_path_is_absolute (directory)))
    return g_get_current_dir ();
  g_set_error (error, STINT_ERROR, STINT_ERROR_FAILED,
               _ ("Cannot tell the current directory: %s; --cwd names another"), g_strerror (code));
  return NULL;
}
