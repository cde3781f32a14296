/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How jobs leave the history. First the row, together with a note in `removals`; then, in any order
 * and after any crash, what the note says is still to go. The note goes last.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include <errno.h>
#include <ftw.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stint-archive-edit.h"
#include "stint-archive-private.h"
#include "stint-error.h"
#include "stint-job-directories.h"
#include "stint-search-index.h"

/* Rows that go in one transaction: who begins a job meanwhile waits for one of them. */
#define PIECE 200

typedef struct
{
  const guint64 *ids;
  guint n_ids;
  guint n_removed;
} Removal;

static gboolean
run_for_id (StintArchive *self, const char *sql, guint64 id, GError **error)
{
  sqlite3_stmt *statement = stint_database_prepare (self->database, sql, error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, (gint64) id);
  return stint_database_run (self->database, statement, error);
}

static gboolean
remove_rows (StintArchive *self, gpointer data, GError **error)
{
  Removal *removal = data;

  removal->n_removed = 0;
  if (!stint_database_begin (self->database, error))
    return FALSE;
  for (guint i = 0; i < removal->n_ids; i++)
    {
      if (!run_for_id (self, "DELETE FROM jobs WHERE id = ?1 AND state = 'finished'",
                       removal->ids[i], error))
        return FALSE;
      if (stint_database_get_n_changes (self->database) == 0)
        continue;
      removal->n_removed++;
      if (!run_for_id (self, "INSERT OR IGNORE INTO removals VALUES (?1)", removal->ids[i], error))
        return FALSE;
    }
  return stint_database_commit (self->database, error);
}

static guint64
measure (const char *directory)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;
  guint64 bytes = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (directory, name, NULL);
      struct stat st;

      if (lstat (path, &st) == 0)
        bytes += (guint64) st.st_blocks * 512;
    }
  return bytes;
}

/* Takes the locks of those that nobody holds, and leaves the others out. */
static GArray *
take_free (StintArchive *self,
           const guint64 *ids,
           guint n_ids,
           GArray *locks,
           StintRemoved *removed)
{
  GArray *free_ids = g_array_new (FALSE, FALSE, sizeof (guint64));

  for (guint i = 0; i < n_ids; i++)
    {
      g_autofree char *directory = stint_job_directories_dup_path (self->jobs, ids[i]);
      int lock = -1;

      if (stint_job_store_is_locked (directory) || !stint_job_directories_take (directory, &lock))
        {
          removed->n_held++;
          continue;
        }
      g_array_append_val (free_ids, ids[i]);
      removed->bytes += measure (directory);
      if (lock >= 0)
        g_array_append_val (locks, lock);
    }
  return free_ids;
}

static void
release (GArray *locks)
{
  for (guint i = 0; i < locks->len; i++)
    close (g_array_index (locks, int, i));
  g_array_set_size (locks, 0);
}

gboolean
stint_archive_remove (StintArchive *self,
                      const guint64 *ids,
                      guint n_ids,
                      StintRemoved *removed,
                      GError **error)
{
  g_autoptr (GArray) locks = g_array_new (FALSE, FALSE, sizeof (int));

  *removed = (StintRemoved){ 0 };
  for (guint i = 0; i < n_ids; i += PIECE)
    {
      g_autoptr (GArray) some = take_free (self, ids + i, MIN (PIECE, n_ids - i), locks, removed);
      Removal removal = { (const guint64 *) (void *) some->data, some->len, 0 };
      gboolean ok = stint_archive_attempt (self, remove_rows, &removal, error);

      release (locks);
      if (!ok)
        return FALSE;
      removed->n_jobs += removal.n_removed;
    }
  return TRUE;
}

typedef struct
{
  const StintRetention *retention;
  gint64 now;
  GArray *ids;
} Expiry;

static gboolean
select_ids (StintArchive *self, const char *sql, gint64 parameter, GArray *ids, GError **error)
{
  sqlite3_stmt *statement = stint_database_prepare (self->database, sql, error);
  gboolean row;

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, parameter);
  while (stint_database_step (self->database, statement, &row, error))
    {
      guint64 id;

      if (!row)
        return TRUE;
      id = (guint64) sqlite3_column_int64 (statement, 0);
      g_array_append_val (ids, id);
    }
  return FALSE;
}

#define KEPT "state = 'finished' AND NOT pinned"
#define NEWEST_FIRST "ORDER BY coalesce (started_at, created_at) DESC, id DESC"

/* Of the jobs that neither age nor number has taken: the oldest beyond what the disk may hold. */
static gboolean
add_over_size (StintArchive *self, Expiry *expiry, GError **error)
{
  g_autoptr (GHashTable) taken = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (guint64));
  guint64 total = 0;
  guint n_taken = expiry->ids->len;
  g_autofree guint64 *copies = g_memdup2 (expiry->ids->data, n_taken * sizeof (guint64));

  for (guint i = 0; i < n_taken; i++)
    g_hash_table_add (taken, &copies[i]);
  if (!select_ids (self,
                   "SELECT id FROM jobs WHERE " KEPT " AND ?1 = ?1 AND "
                   "coalesce (stdout_bytes, 0) + coalesce (stderr_bytes, 0) > 0 " NEWEST_FIRST,
                   0, all, error))
    return FALSE;
  for (guint i = 0; i < all->len; i++)
    {
      guint64 id = g_array_index (all, guint64, i);
      g_autofree char *directory = NULL;

      if (g_hash_table_contains (taken, &id))
        continue;
      directory = stint_job_directories_dup_path (self->jobs, id);
      total += measure (directory);
      if (total > expiry->retention->max_bytes)
        g_array_append_val (expiry->ids, id);
    }
  return TRUE;
}

static void
add_new (GArray *ids, GArray *more)
{
  g_autoptr (GHashTable) known = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_autofree guint64 *copies = g_memdup2 (ids->data, ids->len * sizeof (guint64));

  for (guint i = 0; i < ids->len; i++)
    g_hash_table_add (known, &copies[i]);
  for (guint i = 0; i < more->len; i++)
    if (!g_hash_table_contains (known, &g_array_index (more, guint64, i)))
      g_array_append_val (ids, g_array_index (more, guint64, i));
}

static gboolean
find_expired (StintArchive *self, gpointer data, GError **error)
{
  Expiry *expiry = data;
  const StintRetention *retention = expiry->retention;

  g_array_set_size (expiry->ids, 0);
  if (retention->max_age > 0 &&
      !select_ids (self,
                   /* What was imported is as old as its import. */
                   "SELECT id FROM jobs WHERE " KEPT " AND created_at < ?1",
                   expiry->now - retention->max_age, expiry->ids, error))
    return FALSE;
  if (retention->max_jobs > 0)
    {
      g_autoptr (GArray) over = g_array_new (FALSE, FALSE, sizeof (guint64));

      if (!select_ids (self,
                       "SELECT id FROM jobs WHERE " KEPT " " NEWEST_FIRST " LIMIT -1 OFFSET ?1",
                       (gint64) retention->max_jobs, over, error))
        return FALSE;
      add_new (expiry->ids, over);
    }
  return retention->max_bytes == 0 || add_over_size (self, expiry, error);
}

GArray *
stint_archive_find_expired (StintArchive *self,
                            const StintRetention *retention,
                            gint64 now,
                            GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint64));
  Expiry expiry = { retention, now, ids };

  if (!stint_archive_attempt (self, find_expired, &expiry, error))
    return NULL;
  return g_steal_pointer (&ids);
}

static int
remove_entry (const char *path, const struct stat *st, int type, struct FTW *where)
{
  if (remove (path) == 0 || errno == ENOENT)
    return 0;
  return -1;
}

/* Links are removed, never followed. */
static gboolean
remove_directory (const char *directory, GError **error)
{
  int saved_errno;

  if (nftw (directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS) == 0 || errno == ENOENT)
    return TRUE;
  saved_errno = errno;
  g_set_error (error, STINT_ERROR, STINT_ERROR_FAILED,
               /* Translators: a file name, and why */
               _ ("“%s” cannot be removed: %s"), directory, g_strerror (saved_errno));
  return FALSE;
}

static gboolean
read_removals (StintArchive *self, gpointer data, GError **error)
{
  g_array_set_size (data, 0);
  return select_ids (self, "SELECT id FROM removals WHERE ?1 = 0", 0, data, error);
}

static gboolean
read_identity (StintArchive *self, gpointer data, GError **error)
{
  sqlite3_stmt *statement =
      stint_database_prepare (self->database, "SELECT identity FROM changes", error);
  gboolean row;

  if (statement == NULL || !stint_database_step (self->database, statement, &row, error))
    return FALSE;
  *(gint64 *) data = row ? sqlite3_column_int64 (statement, 0) : 0;
  sqlite3_reset (statement);
  return TRUE;
}

static gboolean
forget_removals (StintArchive *self, gpointer data, GError **error)
{
  GArray *ids = data;

  if (!stint_database_begin (self->database, error))
    return FALSE;
  for (guint i = 0; i < ids->len; i++)
    if (!run_for_id (self, "DELETE FROM removals WHERE id = ?1", g_array_index (ids, guint64, i),
                     error))
      return FALSE;
  return stint_database_commit (self->database, error);
}

gboolean
stint_archive_sweep (StintArchive *self, GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GArray) gone = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (StintSearchIndex) index = stint_search_index_new (self->directory);
  g_autoptr (GError) first = NULL;
  gint64 identity = 0, stamp;

  if (!stint_archive_attempt (self, read_removals, ids, error) ||
      !stint_archive_attempt (self, read_identity, &identity, error))
    return FALSE;
  if (ids->len == 0)
    return TRUE;
  /* While others index, or it cannot be opened, their words cannot be taken out: their notes stay for the
   * next time. */
  if (!stint_search_index_open (index, identity, &stamp, NULL, &first))
    {
      if (g_error_matches (first, G_IO_ERROR, G_IO_ERROR_BUSY))
        return TRUE;
      g_propagate_error (error, g_steal_pointer (&first));
      return FALSE;
    }
  for (guint i = 0; i < ids->len; i++)
    {
      guint64 id = g_array_index (ids, guint64, i);
      g_autofree char *directory = stint_job_directories_dup_path (self->jobs, id);
      g_autoptr (GError) why = NULL;
      int lock = -1;

      if (!stint_job_directories_take (directory, &lock))
        continue;
      stint_search_index_remove (index, id, NULL);
      if (remove_directory (directory, &why))
        g_array_append_val (gone, id);
      else if (first == NULL)
        first = g_steal_pointer (&why);
      if (lock >= 0)
        close (lock);
    }
  stint_search_index_close (index);
  if (!stint_archive_attempt (self, forget_removals, gone, first == NULL ? &first : NULL) ||
      first != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&first));
      return FALSE;
    }
  return TRUE;
}

static gboolean
select_all (StintArchive *self, gpointer data, GError **error)
{
  g_array_set_size (data, 0);
  return select_ids (self, "SELECT id FROM jobs WHERE state = 'finished' AND ?1 = 0", 0, data,
                     error);
}

static gboolean
overwrite (StintArchive *self, gpointer data, GError **error)
{
  sqlite3 *db = stint_database_get_handle (self->database);
  int rc = sqlite3_exec (db,
                         "DELETE FROM searches;"
                         "UPDATE changes SET identity = random ();",
                         NULL, NULL, NULL);

  /* What others still read stays in the WAL until the next checkpoint, and is overwritten then. */
  if (rc == SQLITE_OK)
    rc = sqlite3_exec (db, "VACUUM; PRAGMA wal_checkpoint (TRUNCATE)", NULL, NULL, NULL);
  if (rc == SQLITE_OK)
    return TRUE;
  stint_database_set_sqlite_error (self->database, rc, error);
  return FALSE;
}

gboolean
stint_archive_clear (StintArchive *self, StintRemoved *removed, GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint64));
  gboolean ok;

  *removed = (StintRemoved){ 0 };
  if (!stint_archive_attempt (self, select_all, ids, error))
    return FALSE;
  sqlite3_exec (stint_database_get_handle (self->database), "PRAGMA secure_delete = ON", NULL, NULL,
                NULL);
  /* The new identity makes who indexes begin a new index. */
  ok =
      stint_archive_remove (self, (const guint64 *) (void *) ids->data, ids->len, removed, error) &&
      stint_archive_sweep (self, error) && stint_archive_attempt (self, overwrite, NULL, error);
  if (ok)
    {
      g_autoptr (StintSearchIndex) index = stint_search_index_new (self->directory);
      gint64 identity = 0, stamp;

      ok = stint_archive_attempt (self, read_identity, &identity, error);
      /* If somebody else has it open, that one does so. */
      if (ok)
        stint_search_index_open (index, identity, &stamp, NULL, NULL);
    }
  sqlite3_exec (stint_database_get_handle (self->database), "PRAGMA secure_delete = OFF", NULL,
                NULL, NULL);
  return ok;
}
