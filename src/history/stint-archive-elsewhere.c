/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows that say "running" of jobs that other living processes run.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-archive-private.h"
#include "stint-job-directories.h"

#define SELECT_ELSEWHERE                                                                           \
  "SELECT id, owner_pid, owner_start, boot_id, spec FROM jobs "                                    \
  "WHERE state = 'running' AND NOT (owner_pid = ?1 AND owner_start = ?2)"

#define COLUMN_SPEC 4

static gboolean
has_living_owner (sqlite3_stmt *statement)
{
  const char *boot_id = (const char *) sqlite3_column_text (statement, 3);
  StintOwner owner = {
    .pid = sqlite3_column_int (statement, 1),
    .start_time = (guint64) sqlite3_column_int64 (statement, 2),
  };

  g_strlcpy (owner.boot_id, boot_id != NULL ? boot_id : "", sizeof owner.boot_id);
  return stint_owner_is_alive (&owner);
}

/* One whose spec cannot be read is its owner's to tell of. */
static void
read_record (StintArchive *self, sqlite3_stmt *statement, GPtrArray *records)
{
  StintRecord *record;
  StintJobSpec *spec;

  if (!has_living_owner (statement))
    return;
  spec = stint_row_read_spec (statement, COLUMN_SPEC, NULL);
  if (spec == NULL)
    return;
  record = g_new0 (StintRecord, 1);
  record->id = (guint64) sqlite3_column_int64 (statement, 0);
  record->spec = spec;
  record->directory = stint_job_directories_dup_path (self->jobs, record->id);
  g_ptr_array_add (records, record);
}

static gboolean
list (StintArchive *self, gpointer data, GError **error)
{
  GPtrArray *records = data;
  sqlite3_stmt *statement = stint_database_prepare (self->database, SELECT_ELSEWHERE, error);
  gboolean row;

  if (statement == NULL)
    return FALSE;
  g_ptr_array_set_size (records, 0);
  sqlite3_bind_int64 (statement, 1, self->owner.pid);
  sqlite3_bind_int64 (statement, 2, (gint64) self->owner.start_time);
  while (stint_database_step (self->database, statement, &row, error))
    {
      if (!row)
        return TRUE;
      read_record (self, statement, records);
    }
  return FALSE;
}

gboolean
stint_archive_list_elsewhere (StintArchive *self, GPtrArray *records, GError **error)
{
  return stint_archive_attempt (self, list, records, error);
}
