/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The connection to SQLite: opening, transactions, statements, and what SQLite's errors mean. What
 * is stored lives in stint-schema.c and stint-row.c.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "stint-aside.h"
#include "stint-database.h"
#include "stint-error.h"
#include "stint-schema.h"
#include "stint-state-lock.h"

/* How long another program may keep the database locked, ms. Once it has done so for the whole time,
 * the next jobs are not to wait as long. */
#define PATIENCE 4000
#define PATIENCE_LOST 100

/* Pages, of 4 KiB, that may be in the WAL before they are worth a checkpoint. The first process that
 * opens the database reads all of them, which `stintctl run` waits for. */
#define CHECKPOINT_PAGES 250

struct _StintDatabase
{
  char *directory;
  char *jobs;
  char *path;
  StintFileIdentity file; /* of `db` */
  sqlite3 *db;
  GHashTable *statements; /* SQL -> sqlite3_stmt */
  int patience;
  int n_wal_pages; /* at the last commit */
};

static void
set_patience (StintDatabase *self, int patience)
{
  if (self->patience == patience)
    return;
  self->patience = patience;
  if (self->db != NULL)
    sqlite3_busy_timeout (self->db, patience);
}

/* What a plain "SQL logic error" means: our statements are right, so the tables are not. */
static StintError
classify_logic_error (StintDatabase *self)
{
  int version = 0;

  if (stint_schema_read_version (self->db, &version) == SQLITE_OK && version > STINT_SCHEMA_VERSION)
    return STINT_ERROR_TOO_NEW;
  return STINT_ERROR_DAMAGED;
}

const char *
stint_database_describe_error (sqlite3 *db)
{
  int rc = sqlite3_errcode (db) & 0xff;
  int system_errno = sqlite3_system_errno (db);

  /* SQLite's own words do not say why. */
  if ((rc == SQLITE_CANTOPEN || rc == SQLITE_IOERR) && system_errno != 0)
    return stint_error_describe (system_errno);
  return sqlite3_errmsg (db);
}

static void
set_error (StintDatabase *self, int rc, GError **error)
{
  StintError code = STINT_ERROR_FAILED;
  const char *text = self->db != NULL ? stint_database_describe_error (self->db) : sqlite3_errstr (rc);
  g_autofree char *message = NULL;

  switch (rc & 0xff)
    {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      text = _ ("another program keeps it locked");
      set_patience (self, PATIENCE_LOST);
      break;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      code = STINT_ERROR_DAMAGED;
      break;
    case SQLITE_ERROR:
      message = g_strdup (text);
      text = message;
      code = classify_logic_error (self);
      break;
    case SQLITE_FULL:
      text = g_strerror (ENOSPC);
      break;
    case SQLITE_READONLY:
      text = g_strerror (EROFS);
      break;
    default:
      break;
    }
  g_set_error (error, STINT_ERROR, code,
               /* Translators: a file name, and what is wrong with it */
               _ ("“%s” cannot be used: %s"), self->path, text);
}

/* With the right mode, which SQLite's own files beside it then get too. Only a file that was not
 * there is opened: closing a descriptor of one that SQLite has open would drop its locks. */
static gboolean
make_file (StintDatabase *self, GError **error)
{
  int fd = g_open (self->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  int saved_errno;

  if (fd < 0 && errno == ENOENT && g_mkdir_with_parents (self->directory, 0700) == 0)
    fd = g_open (self->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd >= 0)
    return close (fd) == 0;
  saved_errno = errno;
  if (saved_errno == EEXIST)
    return TRUE;
  g_set_error (error, STINT_ERROR, STINT_ERROR_FAILED,
               /* Translators: a file name, and why */
               _ ("“%s” cannot be made: %s"), self->path, stint_error_describe (saved_errno));
  return FALSE;
}

static int
on_commit (void *user_data, sqlite3 *db, const char *name, int n_pages)
{
  StintDatabase *self = user_data;

  self->n_wal_pages = n_pages;
  return SQLITE_OK;
}

static gboolean
connect_to_file (StintDatabase *self, GError **error)
{
  int rc;

  if (!make_file (self, error))
    return FALSE;
  /* Before it is opened: if the file is exchanged in between, that is noticed at the next use. */
  stint_file_identity_read (&self->file, self->path);
  rc = sqlite3_open_v2 (self->path, &self->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE,
                        NULL);
  if (rc != SQLITE_OK)
    {
      set_error (self, rc, error);
      return FALSE;
    }
  sqlite3_busy_timeout (self->db, self->patience);
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
  sqlite3_db_config (self->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
  sqlite3_wal_hook (self->db, on_commit, self);
  return TRUE;
}

static gboolean
read_version (StintDatabase *self, int *version, GError **error)
{
  int rc = stint_schema_read_version (self->db, version);

  if (rc != SQLITE_OK)
    {
      set_error (self, rc, error);
      return FALSE;
    }
  if (*version > STINT_SCHEMA_VERSION)
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_TOO_NEW,
                   /* Translators: a file name */
                   _ ("“%s” was written by a newer version"), self->path);
      return FALSE;
    }
  return TRUE;
}

/* SQLite does not wait by itself for the lock that this needs, so as not to wait for ever. */
static int
switch_to_wal (StintDatabase *self)
{
  gint64 end = g_get_monotonic_time () + (gint64) self->patience * 1000;
  int rc;

  while ((rc = sqlite3_exec (self->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL)) ==
             SQLITE_BUSY &&
         g_get_monotonic_time () < end)
    g_usleep (2000);
  return rc;
}

static gboolean
update_schema (StintDatabase *self, GError **error)
{
  int lock = stint_state_lock_take (self->directory, (guint) self->patience, error);
  int version = 0;
  int rc = SQLITE_OK;
  gboolean ok;

  if (lock < 0)
    return FALSE;
  ok = read_version (self, &version, error);
  if (ok && version < STINT_SCHEMA_VERSION)
    {
      if (version == 0)
        rc = switch_to_wal (self);
      if (rc == SQLITE_OK)
        rc = stint_schema_update (self->db, self->jobs);
      if (rc != SQLITE_OK)
        {
          set_error (self, rc, error);
          ok = FALSE;
        }
    }
  close (lock);
  return ok;
}

static gboolean
set_up (StintDatabase *self, GError **error)
{
  int version = 0;
  int rc;

  if (!connect_to_file (self, error) || !read_version (self, &version, error))
    return FALSE;
  if (version < STINT_SCHEMA_VERSION && !update_schema (self, error))
    return FALSE;
  rc = sqlite3_exec (self->db, "PRAGMA synchronous = NORMAL", NULL, NULL, NULL);
  if (rc != SQLITE_OK)
    set_error (self, rc, error);
  return rc == SQLITE_OK;
}

static void
finalize_statement (gpointer data)
{
  sqlite3_finalize (data);
}

static void
disconnect (StintDatabase *self)
{
  g_hash_table_remove_all (self->statements);
  if (self->db != NULL && sqlite3_close (self->db) != SQLITE_OK)
    g_critical ("A statement was left open");
  self->db = NULL;
}

StintDatabase *
stint_database_new (const char *directory)
{
  StintDatabase *self = g_new0 (StintDatabase, 1);

  self->directory = g_strdup (directory);
  self->jobs = g_build_filename (directory, "jobs", NULL);
  self->path = g_build_filename (directory, "history.db", NULL);
  self->statements =
      g_hash_table_new_full (g_direct_hash, g_direct_equal, NULL, finalize_statement);
  self->patience = PATIENCE;
  return self;
}

void
stint_database_free (StintDatabase *self)
{
  disconnect (self);
  g_hash_table_unref (self->statements);
  g_free (self->path);
  g_free (self->jobs);
  g_free (self->directory);
  g_free (self);
}

gboolean
stint_database_open (StintDatabase *self, GError **error)
{
  if (self->db != NULL && stint_file_identity_holds (&self->file, self->path))
    return TRUE;
  disconnect (self);
  if (set_up (self, error))
    return TRUE;
  disconnect (self);
  return FALSE;
}

gboolean
stint_database_begin (StintDatabase *self, GError **error)
{
  sqlite3_stmt *statement = stint_database_prepare (self, "BEGIN IMMEDIATE", error);

  if (statement == NULL || !stint_database_run (self, statement, error))
    return FALSE;
  set_patience (self, PATIENCE);
  return TRUE;
}

gboolean
stint_database_commit (StintDatabase *self, GError **error)
{
  sqlite3_stmt *statement = stint_database_prepare (self, "COMMIT", error);

  return statement != NULL && stint_database_run (self, statement, error);
}

void
stint_database_rollback (StintDatabase *self)
{
  if (self->db != NULL && !sqlite3_get_autocommit (self->db))
    sqlite3_exec (self->db, "ROLLBACK", NULL, NULL, NULL);
}

sqlite3_stmt *
stint_database_prepare (StintDatabase *self, const char *sql, GError **error)
{
  sqlite3_stmt *statement = g_hash_table_lookup (self->statements, sql);
  int rc;

  if (statement != NULL)
    return statement;
  rc = sqlite3_prepare_v3 (self->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL);
  if (rc != SQLITE_OK)
    {
      set_error (self, rc, error);
      return NULL;
    }
  g_hash_table_insert (self->statements, (gpointer) sql, statement);
  return statement;
}

gboolean
stint_database_step (StintDatabase *self, sqlite3_stmt *statement, gboolean *row, GError **error)
{
  int rc = sqlite3_step (statement);

  *row = rc == SQLITE_ROW;
  if (rc == SQLITE_ROW)
    return TRUE;
  if (rc != SQLITE_DONE)
    set_error (self, rc, error);
  sqlite3_reset (statement);
  sqlite3_clear_bindings (statement);
  return rc == SQLITE_DONE;
}

gboolean
stint_database_run (StintDatabase *self, sqlite3_stmt *statement, GError **error)
{
  gboolean row;

  return stint_database_step (self, statement, &row, error);
}

sqlite3 *
stint_database_get_handle (StintDatabase *self)
{
  return self->db;
}

void
stint_database_set_sqlite_error (StintDatabase *self, int rc, GError **error)
{
  set_error (self, rc, error);
}

int
stint_database_get_n_changes (StintDatabase *self)
{
  return sqlite3_changes (self->db);
}

void
stint_database_checkpoint (StintDatabase *self)
{
  if (self->db == NULL || self->n_wal_pages < CHECKPOINT_PAGES)
    return;
  /* If it fails it is tried again after the next commit, which notices what is wrong. */
  sqlite3_wal_checkpoint_v2 (self->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
  self->n_wal_pages = 0;
}

gboolean
stint_database_set_aside (StintDatabase *self, const GError *why, GError **problem)
{
  gboolean newer = g_error_matches (why, STINT_ERROR, STINT_ERROR_TOO_NEW);

  *problem = NULL;
  if (!newer && !g_error_matches (why, STINT_ERROR, STINT_ERROR_DAMAGED))
    return FALSE;
  disconnect (self);
  return stint_set_aside (self->directory, &self->file, newer, (guint) self->patience, problem);
}
