/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One job of the history, read only.
 */
#define G_LOG_DOMAIN "stintctl"
#include "config.h"

#include "stint-cli-lookup.h"

#include "stint-database.h"
#include "stint-error.h"
#include "stint-job-directories.h"
#include "stint-schema.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

/* How long a writer may keep us waiting, ms. */
#define PATIENCE 2000

#define SELECT "SELECT id, state, coalesce (started_at, created_at), spec FROM jobs "

void
stint_cli_job_free (StintCliJob *self)
{
  g_clear_object (&self->spec);
  g_free (self->directory);
  g_free (self);
}

static void
set_no_such_job (guint64 id, GError **error)
{
  if (id == 0)
    g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID, _ ("There is no job in the history"));
  else
    g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                 /* Translators: a job's number */
                 _ ("There is no job %" PRIu64 " in the history"), id);
}

static void
set_unreadable (sqlite3 *db, const char *file, GError **error)
{
  g_autofree char *name = g_filename_display_name (file);

  g_set_error (error, STINT_ERROR, STINT_ERROR_FAILED,
               /* Translators: a file name, and why */
               _ ("“%s” cannot be read: %s"), name, stint_database_describe_error (db));
}

static StintCliJob *
read_row (sqlite3_stmt *statement, const char *jobs, GError **error)
{
  g_autoptr (StintCliJob) self = g_new0 (StintCliJob, 1);
  const char *text = (const char *) sqlite3_column_text (statement, 3);
  g_autoptr (JsonNode) json = NULL;
  g_autoptr (GError) why = NULL;

  self->id = (guint64) sqlite3_column_int64 (statement, 0);
  self->running = strcmp ((const char *) sqlite3_column_text (statement, 1), "running") == 0;
  self->started_at = sqlite3_column_int64 (statement, 2);
  self->directory = stint_job_directories_dup_path (jobs, self->id);
  /* json_from_string() gives no node and no error for an empty text. */
  json = text != NULL ? json_from_string (text, &why) : NULL;
  if (json != NULL)
    self->spec = stint_job_spec_from_json (json, &why);
  if (self->spec != NULL)
    return g_steal_pointer (&self);
  g_set_error (error, STINT_ERROR, STINT_ERROR_DAMAGED,
               /* Translators: a job's number, and why */
               _ ("Job %" PRIu64 " of the history cannot be read: %s"), self->id,
               why != NULL ? why->message : _ ("it is incomplete"));
  return NULL;
}

static StintCliJob *
find (sqlite3 *db, const char *file, const char *jobs, guint64 id, GError **error)
{
  const char *sql = id == 0 ? SELECT "ORDER BY id DESC LIMIT 1" : SELECT "WHERE id = ?1";
  sqlite3_stmt *statement = NULL;
  StintCliJob *job = NULL;
  int version = 0, rc;

  rc = stint_schema_read_version (db, &version);
  /* An empty file: the first job is about to be written. */
  if (rc == SQLITE_OK && version == 0)
    {
      set_no_such_job (id, error);
      return NULL;
    }
  if (rc == SQLITE_OK)
    rc = sqlite3_prepare_v2 (db, sql, -1, &statement, NULL);
  if (rc == SQLITE_OK && id != 0)
    rc = sqlite3_bind_int64 (statement, 1, (gint64) id);
  if (rc == SQLITE_OK)
    rc = sqlite3_step (statement);
  if (rc == SQLITE_ROW)
    job = read_row (statement, jobs, error);
  else if (rc == SQLITE_DONE)
    set_no_such_job (id, error);
  else
    set_unreadable (db, file, error);
  sqlite3_finalize (statement);
  return job;
}

StintCliJob *
stint_cli_lookup (const char *state, guint64 id, GError **error)
{
  g_autofree char *file = g_build_filename (state, "history.db", NULL);
  g_autofree char *jobs = g_build_filename (state, "jobs", NULL);
  StintCliJob *job = NULL;
  sqlite3 *db = NULL;

  if (!g_file_test (file, G_FILE_TEST_EXISTS))
    {
      set_no_such_job (id, error);
      return NULL;
    }
  if (sqlite3_open_v2 (file, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK)
    {
      sqlite3_busy_timeout (db, PATIENCE);
      job = find (db, file, jobs, id, error);
    }
  else
    {
      set_unreadable (db, file, error);
    }
  sqlite3_close (db);
  return job;
}

gboolean
stint_cli_check_kept (const char *directory, guint64 id, GError **error)
{
  if (directory == NULL || !g_file_test (directory, G_FILE_TEST_IS_DIR))
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_FAILED,
                   /* Translators: a job's number */
                   _ ("The output of job %" PRIu64 " was not kept"), id);
      return FALSE;
    }
  if (access (directory, R_OK | X_OK) == 0)
    return TRUE;
  g_set_error (error, STINT_ERROR, STINT_ERROR_FAILED,
               /* Translators: a job's number, and why */
               _ ("The output of job %" PRIu64 " cannot be read: %s"), id, g_strerror (errno));
  return FALSE;
}
