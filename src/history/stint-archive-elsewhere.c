/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows that say "running" of jobs that other living processes run.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-archive-private.h"
#include "stint-job-directories.h"
#include "stint-row.h"

#define SELECT_ELSEWHERE                                                                           \
  "SELECT " STINT_ROW_LEFT_COLUMNS ", owner_pid, owner_start, boot_id FROM jobs "                  \
  "WHERE state = 'running' AND NOT (owner_pid = ?1 AND owner_start = ?2)"

enum
{
  COLUMN_ID = 0,
  COLUMN_OWNER_PID = STINT_ROW_N_LEFT_COLUMNS,
  COLUMN_OWNER_START,
  COLUMN_BOOT_ID,
};

static gboolean
has_living_owner (sqlite3_stmt *statement)
{
  const char *boot_id = (const char *) sqlite3_column_text (statement, COLUMN_BOOT_ID);
  StintOwner owner = {
    .pid = sqlite3_column_int (statement, COLUMN_OWNER_PID),
    .start_time = (guint64) sqlite3_column_int64 (statement, COLUMN_OWNER_START),
  };

  g_strlcpy (owner.boot_id, boot_id != NULL ? boot_id : "", sizeof owner.boot_id);
  return stint_owner_is_alive (&owner);
}

/* One whose spec cannot be read is its owner's to tell of. */
static void
read_job (StintArchive *self, sqlite3_stmt *statement, GPtrArray *jobs)
{
  g_autofree char *directory = NULL;
  StintLeftJob *left;

  if (!has_living_owner (statement))
    return;
  directory = stint_job_directories_dup_path (
      self->jobs, (guint64) sqlite3_column_int64 (statement, COLUMN_ID));
  left = stint_row_read_left (statement, 0, directory, NULL);
  if (left != NULL)
    g_ptr_array_add (jobs, left);
}

static gboolean
list (StintArchive *self, gpointer data, GError **error)
{
  GPtrArray *left = data;
  sqlite3_stmt *statement = stint_database_prepare (self->database, SELECT_ELSEWHERE, error);
  gboolean row;

  if (statement == NULL)
    return FALSE;
  g_ptr_array_set_size (left, 0);
  sqlite3_bind_int64 (statement, 1, self->owner.pid);
  sqlite3_bind_int64 (statement, 2, (gint64) self->owner.start_time);
  while (stint_database_step (self->database, statement, &row, error))
    {
      if (!row)
        return TRUE;
      read_job (self, statement, left);
    }
  return FALSE;
}

gboolean
stint_archive_list_elsewhere (StintArchive *self, GPtrArray *left, GError **error)
{
  return stint_archive_attempt (self, list, left, error);
}
