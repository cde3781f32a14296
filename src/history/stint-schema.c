/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables, and the way from each earlier version of them to the next.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-job-directories.h"
#include "stint-schema.h"

/* Times are microseconds, points in time since 1970. What an unfinished job does not have is NULL.
 * `command`, `directory` and `tags` are for display and search; `spec` is what is run again. */
static const char *const migrations[STINT_SCHEMA_VERSION] = {
  "CREATE TABLE jobs ("
  "  id INTEGER PRIMARY KEY AUTOINCREMENT,"
  "  name TEXT,"
  "  kind TEXT NOT NULL,"
  "  command TEXT NOT NULL,"
  "  directory TEXT,"
  "  tags TEXT NOT NULL,"
  "  spec TEXT NOT NULL,"
  "  state TEXT NOT NULL CHECK (state IN ('running', 'finished')),"
  "  owner_pid INTEGER,"
  "  owner_start INTEGER,"
  "  boot_id TEXT,"
  "  created_at INTEGER NOT NULL,"
  "  started_at INTEGER,"
  "  duration INTEGER,"
  "  reason TEXT,"
  "  failure TEXT,"
  "  exit_code INTEGER,"
  "  signal INTEGER CHECK (signal IS NULL OR exit_code IS NULL),"
  "  escalated INTEGER,"
  "  leftovers INTEGER,"
  "  survivors TEXT,"
  "  error TEXT,"
  "  cpu_time INTEGER,"
  "  max_rss INTEGER,"
  "  stdout_bytes INTEGER,"
  "  stderr_bytes INTEGER,"
  "  lost_bytes INTEGER,"
  "  hole_bytes INTEGER,"
  "  store_error INTEGER,"
  "  CHECK (state = 'running' OR reason IS NOT NULL)"
  ") STRICT;"
  /* Recovery looks for these at every start. */
  "CREATE INDEX jobs_running ON jobs (id) WHERE state = 'running';",

  /* What is done with jobs that have ended. `changed` counts the changes that a search index has to
   * take in (`changes.last` is the newest); a running job has none and is found without one. */
  "ALTER TABLE jobs ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;"
  "ALTER TABLE jobs ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;"
  "UPDATE jobs SET changed = id WHERE state = 'finished';"
  "CREATE INDEX jobs_changed ON jobs (changed);"
  "CREATE INDEX jobs_pinned ON jobs (id) WHERE pinned;"
  /* The order in which jobs are shown: an imported one is older than its id. */
  "CREATE INDEX jobs_started ON jobs (coalesce (started_at, created_at), id);"
  /* A command can be a prompt of any length. */
  "CREATE INDEX jobs_command ON jobs (substr (command, 1, 64), id);"
  /* One row; `identity` tells an index which history it is of. */
  "CREATE TABLE changes (last INTEGER NOT NULL, identity INTEGER NOT NULL) STRICT;"
  "INSERT INTO changes SELECT coalesce (max (changed), 0), random () FROM jobs;"
  "CREATE TABLE job_tags ("
  "  job INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,"
  "  tag TEXT NOT NULL,"
  "  PRIMARY KEY (job, tag)"
  ") STRICT, WITHOUT ROWID;"
  "CREATE INDEX job_tags_tag ON job_tags (tag, job);"
  "INSERT OR IGNORE INTO job_tags SELECT jobs.id, json_each.value FROM jobs, "
  "  json_each (iif (json_valid (jobs.tags), jobs.tags, '[]'))"
  "  WHERE jobs.tags <> '[]' AND json_each.type = 'text';"
  /* Jobs whose rows are gone, and whose output and words are still to go. */
  "CREATE TABLE removals (id INTEGER PRIMARY KEY) STRICT;"
  "CREATE TABLE searches (name TEXT PRIMARY KEY, query TEXT NOT NULL) STRICT, WITHOUT ROWID;"

  "CREATE TRIGGER jobs_inserted AFTER INSERT ON jobs WHEN NEW.state = 'finished' BEGIN"
  "  UPDATE changes SET last = last + 1;"
  "  UPDATE jobs SET changed = (SELECT last FROM changes) WHERE id = NEW.id;"
  "END;"
  "CREATE TRIGGER jobs_updated AFTER UPDATE OF state, name, tags ON jobs"
  "  WHEN NEW.state = 'finished' BEGIN"
  "  UPDATE changes SET last = last + 1;"
  "  UPDATE jobs SET changed = (SELECT last FROM changes) WHERE id = NEW.id;"
  "END;"
  "CREATE TRIGGER jobs_tagged AFTER INSERT ON jobs WHEN NEW.tags <> '[]' BEGIN"
  "  INSERT OR IGNORE INTO job_tags SELECT NEW.id, value FROM json_each (NEW.tags)"
  "    WHERE type = 'text';"
  "END;"
  "CREATE TRIGGER jobs_retagged AFTER UPDATE OF tags ON jobs BEGIN"
  "  DELETE FROM job_tags WHERE job = NEW.id;"
  "  INSERT OR IGNORE INTO job_tags SELECT NEW.id, value FROM json_each (NEW.tags)"
  "    WHERE type = 'text';"
  "END;",
  /* Whether it was let go: it went on when the process that had started it ended. */
  "ALTER TABLE jobs ADD COLUMN detached INTEGER NOT NULL DEFAULT 0;",
  /* The job that it followed, and which attempt at the same it is. No foreign key: that one may be
   * removed, which changes nothing for this one. */
  "ALTER TABLE jobs ADD COLUMN follows INTEGER;"
  "ALTER TABLE jobs ADD COLUMN attempt INTEGER NOT NULL DEFAULT 1;"
  /* What is to follow one that was let go, beside what its spec says: an array of JSON. */
  "ALTER TABLE jobs ADD COLUMN added_lines TEXT;"
  "CREATE INDEX jobs_follows ON jobs (follows) WHERE follows IS NOT NULL;"
  /* For each order in which jobs are shown, and each filter that few jobs may pass (by far the most
   * are finished, exited and with 0: those are met soon enough without). Every index ends with the id
   * by itself. */
  "DROP INDEX jobs_command;"
  "CREATE INDEX jobs_command ON jobs (substr (command, 1, 64) COLLATE NOCASE);"
  "CREATE INDEX jobs_duration ON jobs (duration);"
  "CREATE INDEX jobs_output ON jobs (coalesce (stdout_bytes, 0) + coalesce (stderr_bytes, 0));"
  "CREATE INDEX jobs_directory ON jobs (directory, coalesce (started_at, created_at));"
  "CREATE INDEX jobs_kind ON jobs (kind, coalesce (started_at, created_at));"
  "CREATE INDEX jobs_name ON jobs (name) WHERE name IS NOT NULL;"
  "CREATE INDEX jobs_exit ON jobs (exit_code, coalesce (started_at, created_at))"
  "  WHERE exit_code <> 0;"
  "CREATE INDEX jobs_signal ON jobs (signal, coalesce (started_at, created_at))"
  "  WHERE signal IS NOT NULL;"
  "CREATE INDEX jobs_reason ON jobs (reason, coalesce (started_at, created_at))"
  "  WHERE reason <> 'exited';"
  "CREATE INDEX jobs_failed ON jobs (coalesce (started_at, created_at))"
  "  WHERE state = 'finished' AND NOT (reason = 'exited' AND exit_code = 0)"
  "  AND reason NOT IN ('terminated', 'killed', 'cancelled');"
  "DROP INDEX job_tags_tag;"
  "CREATE INDEX job_tags_tag ON job_tags (tag COLLATE NOCASE, job);",
  /* Jobs whose rows were completed by who had nowhere to show them, and whether something was to follow:
   * for the next window, which tells, and empties it. */
  "CREATE TABLE unseen ("
  "  job INTEGER PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE,"
  "  unrun INTEGER NOT NULL"
  ") STRICT;",
  /* For the columns of the window: a job's title, how it ended (what failed stands above what was
   * stopped, and that above what ended well), and its tags. */
  "CREATE INDEX jobs_title ON jobs (substr (coalesce (name, command), 1, 64) COLLATE NOCASE);"
  "CREATE INDEX jobs_outcome ON jobs ("
  "  CASE WHEN state = 'running' THEN 3"
  "  WHEN reason IN ('terminated', 'killed', 'cancelled') THEN 1"
  "  WHEN reason = 'exited' AND coalesce (exit_code, 0) = 0 THEN 0 ELSE 2 END);"
  "CREATE INDEX jobs_tags ON jobs (tags);"
  /* In the order in which they are shown: so few are met late in that of all jobs. */
  "DROP INDEX jobs_pinned;"
  "CREATE INDEX jobs_pinned ON jobs (coalesce (started_at, created_at)) WHERE pinned;",
};

int
stint_schema_read_version (sqlite3 *db, int *version)
{
  sqlite3_stmt *statement;
  int rc;

  rc = sqlite3_prepare_v2 (db, "PRAGMA user_version", -1, &statement, NULL);
  if (rc != SQLITE_OK)
    return rc;
  if (sqlite3_step (statement) == SQLITE_ROW)
    *version = sqlite3_column_int (statement, 0);
  return sqlite3_finalize (statement);
}

/* No id is given twice, not even by a database that was begun because the last one was moved aside. */
static int
reserve_ids (sqlite3 *db, const char *jobs)
{
  g_autofree char *sql = NULL;

  sql = g_strdup_printf (
      "INSERT INTO sqlite_sequence (name, seq) VALUES ('jobs', %" G_GUINT64_FORMAT ")",
      stint_job_directories_get_highest (jobs));
  return sqlite3_exec (db, sql, NULL, NULL, NULL);
}

static int
migrate (sqlite3 *db, int version, const char *jobs)
{
  g_autofree char *set_version = g_strdup_printf ("PRAGMA user_version = %d", STINT_SCHEMA_VERSION);

  if (version < 0)
    return SQLITE_CORRUPT;
  if (version >= STINT_SCHEMA_VERSION)
    return SQLITE_OK;
  for (int i = version; i < STINT_SCHEMA_VERSION; i++)
    {
      int rc = sqlite3_exec (db, migrations[i], NULL, NULL, NULL);

      if (rc == SQLITE_OK && i == 0)
        rc = reserve_ids (db, jobs);
      if (rc != SQLITE_OK)
        return rc;
    }
  return sqlite3_exec (db, set_version, NULL, NULL, NULL);
}

int
stint_schema_update (sqlite3 *db, const char *jobs)
{
  int version = 0;
  int rc;

  rc = sqlite3_exec (db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
  if (rc != SQLITE_OK)
    return rc;
  /* Somebody else may have done it meanwhile. */
  rc = stint_schema_read_version (db, &version);
  if (rc == SQLITE_OK)
    rc = migrate (db, version, jobs);
  if (rc == SQLITE_OK)
    rc = sqlite3_exec (db, "COMMIT", NULL, NULL, NULL);
  if (rc != SQLITE_OK && !sqlite3_get_autocommit (db))
    sqlite3_exec (db, "ROLLBACK", NULL, NULL, NULL);
  return rc;
}
