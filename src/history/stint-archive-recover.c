/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows that say "running" of jobs that nobody runs any more: they get the end that the keeper wrote
 * down, or at least an end. Jobs that were let go and still run are left to be taken over. Who has
 * nowhere to show what became of them notes it for the next one who has.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "stint-archive-private.h"
#include "stint-error.h"
#include "stint-job-directories.h"
#include "stint-sequence.h"
#include "stint-strays.h"

#define SELECT_RUNNING                                                                             \
  "SELECT " STINT_ROW_LEFT_COLUMNS ", started_at, owner_pid, owner_start, boot_id, detached "      \
  "FROM jobs WHERE state = 'running'"

enum
{
  COLUMN_ID = 0,
  COLUMN_STARTED_AT = STINT_ROW_N_LEFT_COLUMNS,
  COLUMN_OWNER_PID,
  COLUMN_OWNER_START,
  COLUMN_BOOT_ID,
  COLUMN_DETACHED,
};

#define SELECT_FOLLOWERS "SELECT 1 FROM jobs WHERE follows = ?1 LIMIT 1"

#define INSERT_UNSEEN "INSERT INTO unseen VALUES (?1, ?2)"
#define SELECT_UNSEEN "SELECT job, unrun FROM unseen"
#define DELETE_UNSEEN "DELETE FROM unseen"

/* Somebody else may recover it at the same time. */
#define RECOVER STINT_ROW_FINISH " AND state = 'running'"

typedef struct
{
  guint64 id;
  gint64 started_at;
  gboolean detached; /* nobody missed its owner */
  StintOwner owner;
  StintLeftJob *left; /* (nullable): of one that was let go */
  StintResult *result; /* of one that has ended */
} Orphan;

static void
orphan_clear (gpointer data)
{
  Orphan *orphan = data;

  g_clear_pointer (&orphan->left, stint_left_job_free);
  g_clear_pointer (&orphan->result, stint_result_unref);
}

typedef struct
{
  gboolean shows;
  GArray *orphans; /* Orphan */
  GPtrArray *left; /* StintLeftJob */
  GArray *recovered; /* guint64 */
  GArray *unrun; /* guint64: those of them that something was to follow */
  guint n_ending;
} Recovery;

static void
read_orphan (sqlite3_stmt *statement, Orphan *orphan)
{
  const char *boot_id = (const char *) sqlite3_column_text (statement, COLUMN_BOOT_ID);

  *orphan = (Orphan){
    .id = (guint64) sqlite3_column_int64 (statement, COLUMN_ID),
    .started_at = sqlite3_column_int64 (statement, COLUMN_STARTED_AT),
    .detached = sqlite3_column_int (statement, COLUMN_DETACHED) != 0,
    .owner.pid = sqlite3_column_int (statement, COLUMN_OWNER_PID),
    .owner.start_time = (guint64) sqlite3_column_int64 (statement, COLUMN_OWNER_START),
  };
  g_strlcpy (orphan->owner.boot_id, boot_id != NULL ? boot_id : "", sizeof orphan->owner.boot_id);
}

/* A row whose spec cannot be read is completed when the job has ended, as any other. */
static gboolean
note_left (sqlite3_stmt *statement, const char *directory, Recovery *recovery)
{
  StintLeftJob *left;

  if (!stint_job_store_can_adopt (directory))
    return FALSE;
  left = stint_row_read_left (statement, 0, directory, NULL);
  if (left == NULL)
    return FALSE;
  g_ptr_array_add (recovery->left, left);
  return TRUE;
}

/* Takes what @orphan holds. */
static void
sort_out (StintArchive *self, sqlite3_stmt *statement, Orphan *orphan, Recovery *recovery)
{
  g_autofree char *directory = stint_job_directories_dup_path (self->jobs, orphan->id);

  if (!stint_job_store_is_locked (directory))
    {
      if (orphan->detached)
        orphan->left = stint_row_read_left (statement, 0, directory, NULL);
      g_array_append_val (recovery->orphans, *orphan);
    }
  else if (!note_left (statement, directory, recovery))
    {
      recovery->n_ending++;
      stint_strays_continue_keeper (directory);
    }
}

static gboolean
find_orphans (StintArchive *self, Recovery *recovery, GError **error)
{
  sqlite3_stmt *statement = stint_database_prepare (self->database, SELECT_RUNNING, error);
  gboolean row;

  if (statement == NULL)
    return FALSE;
  while (stint_database_step (self->database, statement, &row, error))
    {
      Orphan orphan;

      if (!row)
        return TRUE;
      read_orphan (statement, &orphan);
      if (stint_owner_is_alive (&orphan.owner))
        continue;
      sort_out (self, statement, &orphan, recovery);
    }
  return FALSE;
}

/* @until: monotonic time: so long at most what only waits for a processor is waited for */
static StintResult *
load_result (StintArchive *self, const Orphan *orphan, gint64 until)
{
  g_autofree char *directory = stint_job_directories_dup_path (self->jobs, orphan->id);
  g_autoptr (GError) error = NULL;
  StintResult *result = stint_result_load_outcome (directory, !orphan->detached, &error);

  if (result == NULL)
    {
      g_debug ("Job %" G_GUINT64_FORMAT ": no outcome: %s", orphan->id, error->message);
      result = stint_result_new (STINT_REASON_INTERRUPTED);
      if (stint_owner_is_of_this_boot (&orphan->owner))
        stint_strays_end (directory, MAX (0, until - g_get_monotonic_time ()), result);
    }
  stint_job_store_tidy (directory);
  if (result->started_at == 0)
    result->started_at = orphan->started_at;
  return result;
}

/* %FALSE if it cannot be known. */
static gboolean
has_no_follower (StintArchive *self, guint64 id)
{
  sqlite3_stmt *statement = stint_database_prepare (self->database, SELECT_FOLLOWERS, NULL);
  gboolean row = TRUE;

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, (gint64) id);
  if (!stint_database_step (self->database, statement, &row, NULL))
    return FALSE;
  sqlite3_reset (statement);
  return !row;
}

/* Long after a job's end, and unasked, nothing is to start: but somebody counted on it. */
static gboolean
has_unrun (StintArchive *self, const Orphan *orphan)
{
  return orphan->left != NULL &&
         stint_sequence_has_next (orphan->left, stint_result_get_ending (orphan->result)) &&
         has_no_follower (self, orphan->id);
}

static void
tell_of_followers (StintArchive *self, guint64 id)
{
  stint_archive_add_problem (
      self, g_error_new (STINT_ERROR, STINT_ERROR_NOT_RUNNING,
                         /* Translators: a job's number */
                         _ ("Job %" PRIu64 " was let go and ended while Stint was closed. What was to "
                            "follow it has not been run"),
                         id));
}

static void
note_recovered (Recovery *recovery, guint64 id, gboolean unrun)
{
  g_array_append_val (recovery->recovered, id);
  if (unrun)
    g_array_append_val (recovery->unrun, id);
}

static gboolean
keep_for_others (StintArchive *self, guint64 id, gboolean unrun, GError **error)
{
  sqlite3_stmt *statement = stint_database_prepare (self->database, INSERT_UNSEEN, error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, (gint64) id);
  sqlite3_bind_int (statement, 2, unrun ? 1 : 0);
  return stint_database_run (self->database, statement, error);
}

static gboolean
complete (StintArchive *self, const Orphan *orphan, Recovery *recovery, GError **error)
{
  sqlite3_stmt *statement = stint_database_prepare (self->database, RECOVER, error);
  gboolean unrun;

  if (statement == NULL)
    return FALSE;
  stint_row_bind_result (orphan->id, orphan->result, statement);
  if (!stint_database_run (self->database, statement, error))
    return FALSE;
  if (stint_database_get_n_changes (self->database) == 0)
    return TRUE;
  g_debug ("Job %" G_GUINT64_FORMAT ": recovered", orphan->id);
  unrun = has_unrun (self, orphan);
  note_recovered (recovery, orphan->id, unrun);
  return recovery->shows || keep_for_others (self, orphan->id, unrun, error);
}

/* What others have recovered and not shown. */
static gboolean
read_unseen (StintArchive *self, Recovery *recovery, GError **error)
{
  sqlite3_stmt *statement = stint_database_prepare (self->database, SELECT_UNSEEN, error);
  gboolean row;

  if (statement == NULL)
    return FALSE;
  while (stint_database_step (self->database, statement, &row, error))
    {
      if (!row)
        return TRUE;
      note_recovered (recovery, (guint64) sqlite3_column_int64 (statement, 0),
                      sqlite3_column_int (statement, 1) != 0);
    }
  return FALSE;
}

/* Of several windows one gets them. */
static gboolean
take_unseen (StintArchive *self, Recovery *recovery, GError **error)
{
  sqlite3_stmt *statement;

  if (!read_unseen (self, recovery, error))
    return FALSE;
  statement = stint_database_prepare (self->database, DELETE_UNSEEN, error);
  return statement != NULL && stint_database_run (self->database, statement, error);
}

/* Whether there is something to write: a start that finds nothing waits for no writer. */
static gboolean
has_work (StintArchive *self, Recovery *recovery, gboolean *work, GError **error)
{
  *work = recovery->orphans->len > 0;
  if (*work || !recovery->shows)
    return TRUE;
  if (!read_unseen (self, recovery, error))
    return FALSE;
  *work = recovery->recovered->len > 0;
  g_array_set_size (recovery->recovered, 0);
  g_array_set_size (recovery->unrun, 0);
  return TRUE;
}

static gboolean
write_ends (StintArchive *self, Recovery *recovery, GError **error)
{
  if (!stint_database_begin (self->database, error) ||
      (recovery->shows && !take_unseen (self, recovery, error)))
    return FALSE;
  for (guint i = 0; i < recovery->orphans->len; i++)
    if (!complete (self, &g_array_index (recovery->orphans, Orphan, i), recovery, error))
      return FALSE;
  return stint_database_commit (self->database, error);
}

static gboolean
recover (StintArchive *self, gpointer data, GError **error)
{
  Recovery *recovery = data;
  gint64 until = g_get_monotonic_time () + STINT_STRAYS_PATIENCE;
  gboolean work;

  g_array_set_size (recovery->orphans, 0);
  g_ptr_array_set_size (recovery->left, 0);
  recovery->n_ending = 0;
  g_array_set_size (recovery->recovered, 0);
  g_array_set_size (recovery->unrun, 0);
  if (!find_orphans (self, recovery, error) || !has_work (self, recovery, &work, error))
    return FALSE;
  if (!work)
    return TRUE;
  /* Before the transaction: each may take a second, and all of them the strays' patience; others write
   * too. */
  for (guint i = 0; i < recovery->orphans->len; i++)
    {
      Orphan *orphan = &g_array_index (recovery->orphans, Orphan, i);

      orphan->result = load_result (self, orphan, until);
    }
  if (!write_ends (self, recovery, error))
    return FALSE;
  for (guint i = 0; recovery->shows && i < recovery->unrun->len; i++)
    tell_of_followers (self, g_array_index (recovery->unrun, guint64, i));
  return TRUE;
}

int
stint_archive_recover (StintArchive *self,
                       gboolean shows,
                       GPtrArray *left,
                       GArray *recovered,
                       guint *n_ending,
                       GError **error)
{
  g_autoptr (GArray) orphans = g_array_new (FALSE, FALSE, sizeof (Orphan));
  g_autoptr (GArray) unrun = g_array_new (FALSE, FALSE, sizeof (guint64));
  Recovery recovery = { shows, orphans, left, recovered, unrun, 0 };
  gboolean ok;

  g_array_set_clear_func (orphans, orphan_clear);
  ok = stint_archive_attempt (self, recover, &recovery, error);
  *n_ending = recovery.n_ending;
  return ok ? (int) recovered->len : -1;
}
