/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Jobs of the history as facts, for the verbs that work without a window process.
 */
#define G_LOG_DOMAIN "stintctl"
#include "config.h"

#include "stint-cli-records.h"

#include "stint-database.h"
#include "stint-error.h"
#include "stint-job-directories.h"
#include "stint-job-facts.h"
#include "stint-job-store.h"
#include "stint-row.h"
#include "stint-schema.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

/* How long a writer may keep us waiting, ms. */
#define PATIENCE 4000

/* The columns of stint_row_read(), what neither needs, and those of stint_row_read_left(); what was added
 * to follow a job is nothing to show. */
#define SELECT(follows, attempt)                                                                   \
  "SELECT id, " STINT_ROW_RESULT_COLUMNS ", spec, name, " follows ", " attempt ", "                \
  "state, created_at, owner_pid, owner_start, boot_id, "                                           \
  "id, spec, " follows ", " attempt ", NULL FROM jobs "                                            \
  "WHERE (?1 = 0 OR id = ?1) AND (?2 IS NULL OR name = ?2 OR (name IS NULL AND command = ?2)) "

/* Nobody has brought the tables up to date yet, and who only reads does not. */
#define SELECT_NOW SELECT ("follows", "attempt")
#define SELECT_BEFORE SELECT ("0", "1")
#define FIRST_WITH_ORIGIN 4

/* By the index of those alone, which a switch that is bound would not find. */
#define ONLY_RUNNING "AND state = 'running' "
#define NEWEST_FIRST "ORDER BY id DESC LIMIT ?3"

/* No spec, which may be long or damaged. */
#define SELECT_OWNERS                                                                              \
  "SELECT owner_pid, owner_start, boot_id, id FROM jobs WHERE state = 'running'"

enum
{
  OWNERS_OWNER = 0,
  OWNERS_ID = 3,
};

enum
{
  COLUMN_ID = 0,
  COLUMN_STATE = 22,
  COLUMN_CREATED_AT,
  COLUMN_OWNER_PID,
  COLUMN_OWNER_START,
  COLUMN_BOOT_ID,
  COLUMN_LEFT,
};

typedef struct
{
  sqlite3 *db;
  const char *file;
  const char *jobs; /* the directory of the job directories */
} Source;

static void
set_unreadable (const Source *source, GError **error)
{
  g_autofree char *name = g_filename_display_name (source->file);

  g_set_error (error, STINT_ERROR, STINT_ERROR_FAILED,
               /* Translators: a file name, and why */
               _ ("“%s” cannot be read: %s"), name, stint_database_describe_error (source->db));
}

static GVariant *
read_finished (sqlite3_stmt *statement, const char *directory, GError **error)
{
  g_autoptr (StintRecord) record = stint_row_read (statement, error);
  g_autoptr (StintJob) job = NULL;

  if (record == NULL)
    return NULL;
  record->directory = g_strdup (directory);
  job = stint_record_new_job (record);
  return stint_job_facts_new (job);
}

/* Its pid, start and boot are three columns from @first on. */
static gboolean
has_owner (sqlite3_stmt *statement, int first)
{
  const char *boot_id = (const char *) sqlite3_column_text (statement, first + 2);
  StintOwner owner = {
    .pid = sqlite3_column_int (statement, first),
    .start_time = (guint64) sqlite3_column_int64 (statement, first + 1),
  };

  g_strlcpy (owner.boot_id, boot_id != NULL ? boot_id : "", sizeof owner.boot_id);
  return stint_owner_is_alive (&owner);
}

/* Whose job it is: a window that has only just submitted one does not know its number yet. */
static GVariant *
add_owner (GVariant *facts, int pid)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (facts);
  g_autoptr (GVariantDict) dict = g_variant_dict_new (owned);

  g_variant_dict_insert (dict, "ownerPid", "i", pid);
  return g_variant_dict_end (dict);
}

static GVariant *
read_unfinished (sqlite3_stmt *statement, const char *directory, GError **error)
{
  gint64 started_at = sqlite3_column_int64 (statement, COLUMN_CREATED_AT);
  g_autoptr (StintLeftJob) left = stint_row_read_left (statement, COLUMN_LEFT, directory, error);
  g_autoptr (StintResult) result = NULL;
  g_autoptr (StintJob) job = NULL;

  if (left == NULL)
    return NULL;
  if (has_owner (statement, COLUMN_OWNER_PID) || stint_job_store_is_locked (directory))
    return add_owner (stint_job_facts_new_elsewhere (left, started_at),
                      sqlite3_column_int (statement, COLUMN_OWNER_PID));
  result = stint_result_load_outcome (directory, TRUE, NULL);
  if (result == NULL)
    result = stint_result_new (STINT_REASON_INTERRUPTED);
  if (result->started_at == 0)
    result->started_at = started_at;
  job = stint_job_new_finished (left->id, left->spec, result, directory);
  stint_job_set_origin (job, left->follows, left->attempt);
  return stint_job_facts_new (job);
}

static GVariant *
read_row (const Source *source, sqlite3_stmt *statement, GError **error)
{
  guint64 id = (guint64) sqlite3_column_int64 (statement, COLUMN_ID);
  g_autofree char *directory = stint_job_directories_dup_path (source->jobs, id);
  const char *state = (const char *) sqlite3_column_text (statement, COLUMN_STATE);

  if (g_strcmp0 (state, "running") == 0)
    return read_unfinished (statement, directory, error);
  return read_finished (statement,
                        g_file_test (directory, G_FILE_TEST_IS_DIR) ? directory : NULL, error);
}

static gboolean
read_rows (const Source *source, sqlite3_stmt *statement, GPtrArray *records, GError **error)
{
  int rc;

  while ((rc = sqlite3_step (statement)) == SQLITE_ROW)
    {
      GVariant *facts = read_row (source, statement, error);

      if (facts == NULL)
        return FALSE;
      g_ptr_array_add (records, g_variant_ref_sink (facts));
    }
  if (rc == SQLITE_DONE)
    return TRUE;
  set_unreadable (source, error);
  return FALSE;
}

static gboolean
read_all (const Source *source,
          const StintCliRecordQuery *query,
          GPtrArray *records,
          GError **error)
{
  sqlite3_stmt *statement = NULL;
  g_autofree char *sql = NULL;
  int version = 0;
  gboolean ok;

  sqlite3_busy_timeout (source->db, PATIENCE);
  if (stint_schema_read_version (source->db, &version) != SQLITE_OK)
    {
      set_unreadable (source, error);
      return FALSE;
    }
  /* The first job is about to be written. */
  if (version == 0)
    return TRUE;
  sql = g_strconcat (version < FIRST_WITH_ORIGIN ? SELECT_BEFORE : SELECT_NOW,
                     query->running ? ONLY_RUNNING : "", NEWEST_FIRST, NULL);
  if (sqlite3_prepare_v2 (source->db, sql, -1, &statement, NULL) != SQLITE_OK)
    {
      set_unreadable (source, error);
      return FALSE;
    }
  sqlite3_bind_int64 (statement, 1, (gint64) query->id);
  if (query->name != NULL)
    sqlite3_bind_text (statement, 2, query->name, -1, SQLITE_STATIC);
  sqlite3_bind_int64 (statement, 3, query->limit);
  ok = read_rows (source, statement, records, error);
  sqlite3_finalize (statement);
  return ok;
}

GPtrArray *
stint_cli_records_read (const char *state, const StintCliRecordQuery *query, GError **error)
{
  g_autofree char *file = g_build_filename (state, "history.db", NULL);
  g_autofree char *jobs = g_build_filename (state, "jobs", NULL);
  g_autoptr (GPtrArray) records = NULL;
  Source source = { NULL, file, jobs };
  gboolean ok = FALSE;

  records = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  if (!g_file_test (file, G_FILE_TEST_EXISTS))
    return g_steal_pointer (&records);
  if (sqlite3_open_v2 (file, &source.db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) ==
      SQLITE_OK)
    ok = read_all (&source, query, records, error);
  else
    set_unreadable (&source, error);
  sqlite3_close (source.db);
  return ok ? g_steal_pointer (&records) : NULL;
}

static gboolean
has_interrupted (const Source *source)
{
  sqlite3_stmt *statement = NULL;
  gboolean found = FALSE;

  sqlite3_busy_timeout (source->db, PATIENCE);
  if (sqlite3_prepare_v2 (source->db, SELECT_OWNERS, -1, &statement, NULL) != SQLITE_OK)
    return FALSE;
  while (!found && sqlite3_step (statement) == SQLITE_ROW)
    {
      guint64 id = (guint64) sqlite3_column_int64 (statement, OWNERS_ID);
      g_autofree char *directory = stint_job_directories_dup_path (source->jobs, id);

      found = !has_owner (statement, OWNERS_OWNER) && !stint_job_store_is_locked (directory);
    }
  sqlite3_finalize (statement);
  return found;
}

gboolean
stint_cli_records_has_interrupted (const char *state)
{
  g_autofree char *file = g_build_filename (state, "history.db", NULL);
  g_autofree char *jobs = g_build_filename (state, "jobs", NULL);
  Source source = { NULL, file, jobs };
  gboolean found = FALSE;

  if (!g_file_test (file, G_FILE_TEST_EXISTS))
    return FALSE;
  if (sqlite3_open_v2 (file, &source.db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) ==
      SQLITE_OK)
    found = has_interrupted (&source);
  sqlite3_close (source.db);
  return found;
}
