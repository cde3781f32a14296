/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the history: rows, runs of the same command, sums. Searching is in stint-searcher-run.c.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-searcher-private.h"

#include "stint-error.h"
#include "stint-job-directories.h"
#include "stint-job-store.h"
#include "stint-search-index.h"
#include "stint-units.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <glib/gstdio.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

StintSearcher *
stint_searcher_new (const char *directory)
{
  StintSearcher *self = g_new0 (StintSearcher, 1);

  self->directory = g_strdup (directory);
  self->jobs = g_build_filename (directory, "jobs", NULL);
  self->index_path = stint_search_index_dup_path (directory);
  self->database = stint_database_new (directory);
  self->stamp = -1;
  self->keys = g_array_new (FALSE, FALSE, sizeof (guint64));
  return self;
}

void
stint_searcher_free (StintSearcher *self)
{
  stint_database_free (self->database);
  g_array_unref (self->keys);
  g_free (self->match);
  g_free (self->index_path);
  g_free (self->jobs);
  g_free (self->directory);
  g_free (self);
}

const char *
stint_searcher_get_jobs_directory (StintSearcher *self)
{
  return self->jobs;
}

sqlite3_stmt *
stint_searcher_prepare (StintSearcher *self, const char *sql, GError **error)
{
  sqlite3 *db = stint_database_get_handle (self->database);
  sqlite3_stmt *statement = NULL;
  int rc = sqlite3_prepare_v2 (db, sql, -1, &statement, NULL);

  if (rc != SQLITE_OK)
    {
      stint_database_set_sqlite_error (self->database, rc, error);
      return NULL;
    }
  return statement;
}

GPtrArray *
stint_searcher_read (StintSearcher *self, const guint64 *ids, guint n_ids, GError **error)
{
  g_autoptr (GPtrArray) entries =
      g_ptr_array_new_with_free_func ((GDestroyNotify) stint_entry_free);
  sqlite3_stmt *statement;
  gboolean row;

  g_ptr_array_set_free_func (entries, NULL);
  g_ptr_array_set_size (entries, (int) n_ids);
  if (!stint_database_open (self->database, error))
    return NULL;
  statement = stint_database_prepare (
      self->database, "SELECT " STINT_ENTRY_COLUMNS " FROM jobs WHERE jobs.id = ?1", error);
  for (guint i = 0; statement != NULL && i < n_ids; i++)
    {
      sqlite3_bind_int64 (statement, 1, (gint64) STINT_HIT_ID (ids[i]));
      if (!stint_database_step (self->database, statement, &row, error))
        statement = NULL;
      else if (row)
        {
          g_ptr_array_index (entries, i) = stint_entry_read (statement);
          sqlite3_reset (statement);
        }
    }
  if (statement != NULL)
    return g_steal_pointer (&entries);
  for (guint i = 0; i < n_ids; i++)
    g_clear_pointer (&g_ptr_array_index (entries, i), stint_entry_free);
  return NULL;
}

StintRecord *
stint_searcher_load (StintSearcher *self, guint64 id, GError **error)
{
  g_autoptr (StintRecord) record = NULL;
  sqlite3_stmt *statement;
  gboolean row;

  if (!stint_database_open (self->database, error))
    return NULL;
  statement = stint_database_prepare (self->database, STINT_ROW_SELECT_ONE, error);
  if (statement == NULL)
    return NULL;
  sqlite3_bind_int64 (statement, 1, (gint64) id);
  if (!stint_database_step (self->database, statement, &row, error))
    return NULL;
  if (!row)
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                   /* Translators: a job's number */
                   _ ("There is no job %" PRIu64 " in the history that has ended"), id);
      return NULL;
    }
  record = stint_row_read (statement, error);
  sqlite3_reset (statement);
  if (record == NULL)
    return NULL;
  record->directory = stint_job_directories_dup_path (self->jobs, id);
  if (access (record->directory, F_OK) != 0)
    g_clear_pointer (&record->directory, g_free);
  return g_steal_pointer (&record);
}

/* Runs @statement, which selects an id. */
static gboolean
find_id (StintSearcher *self, sqlite3_stmt *statement, guint64 *id, GError **error)
{
  gboolean row;

  if (!stint_database_step (self->database, statement, &row, error))
    return FALSE;
  *id = row ? (guint64) sqlite3_column_int64 (statement, 0) : 0;
  sqlite3_reset (statement);
  return TRUE;
}

gboolean
stint_searcher_resolve (StintSearcher *self, const char *text, guint64 *id, GError **error)
{
  g_autofree char *clean = NULL;
  sqlite3_stmt *statement;
  guint64 number = 0;

  if (!stint_database_open (self->database, error))
    return FALSE;
  *id = 0;
  if (strcmp (text, "last") == 0)
    statement = stint_database_prepare (self->database, "SELECT max (id) FROM jobs", error);
  else if (g_ascii_string_to_unsigned (text, 10, 1, STINT_MAX_JOB_ID, &number, NULL))
    {
      statement =
          stint_database_prepare (self->database, "SELECT id FROM jobs WHERE id = ?1", error);
      if (statement != NULL)
        sqlite3_bind_int64 (statement, 1, (gint64) number);
    }
  else
    {
      statement = stint_database_prepare (
          self->database, "SELECT id FROM jobs WHERE name = ?1 ORDER BY id DESC LIMIT 1", error);
      if (statement != NULL)
        sqlite3_bind_text (statement, 1, text, -1, SQLITE_TRANSIENT);
    }
  if (statement == NULL || !find_id (self, statement, id, error))
    return FALSE;
  if (*id != 0)
    return TRUE;
  clean = stint_text_clean (text, 40);
  if (strcmp (text, "last") == 0)
    g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID, _ ("There is no job in the history"));
  else if (number != 0)
    g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                 /* Translators: a job's number */
                 _ ("There is no job %" PRIu64 " in the history"), number);
  else
    g_set_error (
        error, STINT_ERROR, STINT_ERROR_INVALID,
        /* Translators: what was typed */
        _ ("There is no job named “%s” in the history; a job is a number, a name, or “last”"),
        clean);
  return FALSE;
}

GPtrArray *
stint_searcher_find_runs (StintSearcher *self, const StintEntry *entry, guint limit, GError **error)
{
  g_autoptr (GPtrArray) entries =
      g_ptr_array_new_with_free_func ((GDestroyNotify) stint_entry_free);
  sqlite3_stmt *statement;
  gboolean row;

  if (!stint_database_open (self->database, error))
    return NULL;
  statement = stint_database_prepare (
      self->database,
      "SELECT " STINT_ENTRY_COLUMNS " FROM jobs WHERE substr (command, 1, 64) = substr (?1, 1, 64) "
      "COLLATE NOCASE AND command = ?1 AND +directory IS ?2 ORDER BY jobs.id DESC LIMIT ?3",
      error);
  if (statement == NULL)
    return NULL;
  sqlite3_bind_text (statement, 1, entry->command, -1, SQLITE_TRANSIENT);
  sqlite3_bind_text (statement, 2, entry->directory, -1, SQLITE_TRANSIENT);
  sqlite3_bind_int64 (statement, 3, limit);
  while (stint_database_step (self->database, statement, &row, error))
    {
      if (!row)
        return g_steal_pointer (&entries);
      g_ptr_array_add (entries, stint_entry_read (statement));
    }
  return NULL;
}

gboolean
stint_searcher_count (StintSearcher *self, const char *sql, gint64 *value, GError **error)
{
  sqlite3_stmt *statement;
  gboolean row;

  if (!stint_database_open (self->database, error))
    return FALSE;
  statement = stint_database_prepare (self->database, sql, error);
  if (statement == NULL || !stint_database_step (self->database, statement, &row, error))
    return FALSE;
  *value = row ? sqlite3_column_int64 (statement, 0) : 0;
  sqlite3_reset (statement);
  return TRUE;
}

void
stint_tally_free (StintTally *self)
{
  g_free (self->name);
  g_free (self);
}

GPtrArray *
stint_searcher_tally (StintSearcher *self, const char *sql, GError **error)
{
  g_autoptr (GPtrArray) tallies =
      g_ptr_array_new_with_free_func ((GDestroyNotify) stint_tally_free);
  sqlite3_stmt *statement;
  gboolean row;

  if (!stint_database_open (self->database, error))
    return NULL;
  statement = stint_database_prepare (self->database, sql, error);
  if (statement == NULL)
    return NULL;
  while (stint_database_step (self->database, statement, &row, error))
    {
      StintTally *tally;
      const char *name;

      if (!row)
        return g_steal_pointer (&tallies);
      name = (const char *) sqlite3_column_text (statement, 0);
      tally = g_new0 (StintTally, 1);
      tally->name = g_utf8_make_valid (name != NULL ? name : "", -1);
      tally->count = sqlite3_column_int64 (statement, 1);
      tally->usec = sqlite3_column_int64 (statement, 2);
      g_ptr_array_add (tallies, tally);
    }
  return NULL;
}

GHashTable *
stint_searcher_read_saved (StintSearcher *self, GError **error)
{
  g_autoptr (GHashTable) saved = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  sqlite3_stmt *statement;
  gboolean row;

  if (!stint_database_open (self->database, error))
    return NULL;
  statement = stint_database_prepare (self->database, "SELECT name, query FROM searches", error);
  if (statement == NULL)
    return NULL;
  while (stint_database_step (self->database, statement, &row, error))
    {
      if (!row)
        return g_steal_pointer (&saved);
      g_hash_table_insert (saved, g_strdup ((const char *) sqlite3_column_text (statement, 0)),
                           g_strdup ((const char *) sqlite3_column_text (statement, 1)));
    }
  return NULL;
}

gboolean
stint_searcher_backup (StintSearcher *self, const char *path, GError **error)
{
  sqlite3_stmt *statement;
  int fd, saved_errno;
  gboolean ok;

  if (!stint_database_open (self->database, error))
    return FALSE;
  /* VACUUM INTO takes an empty file, and this one has the right mode and overwrites nothing. */
  fd = g_open (path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0)
    {
      saved_errno = errno;
      g_set_error (error, STINT_ERROR, STINT_ERROR_FAILED,
                   /* Translators: a file name, and why */
                   _ ("“%s” cannot be made: %s"), path, g_strerror (saved_errno));
      return FALSE;
    }
  close (fd);
  statement = stint_searcher_prepare (self, "VACUUM main INTO ?1", error);
  if (statement != NULL)
    sqlite3_bind_text (statement, 1, path, -1, SQLITE_STATIC);
  ok = statement != NULL && stint_database_run (self->database, statement, error);
  sqlite3_finalize (statement);
  if (!ok)
    g_unlink (path);
  return ok;
}
