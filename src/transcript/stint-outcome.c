/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads the last word of a keeper.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-outcome.h"

#include <glib/gi18n-lib.h>
#include <string.h>

gboolean
stint_outcome_read (const char *directory, struct keeper_outcome *outcome, GError **error)
{
  g_autofree char *path = g_build_filename (directory, KEEPER_FILE_OUTCOME, NULL);
  g_autofree char *content = NULL;
  gsize length;

  if (!g_file_get_contents (path, &content, &length, error))
    return FALSE;
  if (length == sizeof *outcome)
    memcpy (outcome, content, sizeof *outcome);
  if (length != sizeof *outcome || outcome->magic != KEEPER_OUTCOME_MAGIC ||
      outcome->version != KEEPER_VERSION || outcome->hole_end < outcome->hole_start ||
      outcome->hole_end > outcome->size)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                   _ ("“%s” is damaged or was written by another version"), path);
      return FALSE;
    }
  return TRUE;
}
