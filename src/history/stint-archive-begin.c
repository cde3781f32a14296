/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a job begins: id, directory, lock and row in one transaction, so that no row is ever seen
 * whose lock nobody holds yet; and the scratch place instead, if that cannot be.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include <glib/gi18n-lib.h>

#include "stint-archive-private.h"
#include "stint-error.h"
#include "stint-job-directories.h"
#include "stint-scratch-store.h"

#define SELECT_LAST_ID "SELECT seq FROM sqlite_sequence WHERE name = 'jobs'"

typedef struct
{
  StintRow *row;
  StintJobPlace *place;
} Begin;

gboolean
stint_archive_read_last_id (StintArchive *self, guint64 *last_id, GError **error)
{
  sqlite3_stmt *statement = stint_database_prepare (self->database, SELECT_LAST_ID, error);
  gboolean row;

  *last_id = 0;
  if (statement == NULL || !stint_database_step (self->database, statement, &row, error))
    return FALSE;
  if (!row)
    return TRUE;
  *last_id = (guint64) MAX (sqlite3_column_int64 (statement, 0), 0);
  return stint_database_run (self->database, statement, error);
}

static gboolean
insert (StintArchive *self, StintRow *row, GError **error)
{
  sqlite3_stmt *statement = stint_database_prepare (self->database, STINT_ROW_INSERT, error);

  if (statement == NULL)
    return FALSE;
  stint_row_bind (row, &self->owner, statement);
  return stint_database_run (self->database, statement, error);
}

static void
discard_place (Begin *begin)
{
  if (begin->place != NULL && begin->place->directory != NULL)
    stint_job_directories_discard (begin->place->directory);
  g_clear_pointer (&begin->place, stint_job_place_free);
}

/* Ids go up, over the rows that were removed, the directories of lost rows, and the scratch places
 * of this process. */
static gboolean
make_place (StintArchive *self, Begin *begin, GError **error)
{
  StintJobPlace *place = begin->place = stint_job_place_new ();

  if (!stint_archive_read_last_id (self, &place->id, error))
    return FALSE;
  place->id = MAX (place->id, self->last_id) + 1;
  place->directory = stint_job_directories_make (self->jobs, &place->id, &place->lock_fd, error);
  return place->directory != NULL;
}

static gboolean
begin_row (StintArchive *self, gpointer data, GError **error)
{
  Begin *begin = data;

  if (!stint_database_begin (self->database, error))
    return FALSE;
  if (make_place (self, begin, error))
    {
      begin->row->id = begin->place->id;
      if (insert (self, begin->row, error) && stint_database_commit (self->database, error))
        return TRUE;
    }
  stint_database_rollback (self->database);
  discard_place (begin);
  return FALSE;
}

/* An id that no other job of this process has or will have: make_place() goes on above it. Another
 * process may give it to a job of its own, which does no harm: this job has no row and no
 * directory in jobs/ that could be taken for the other's. */
/* @why: (nullable): why it is not kept, if it should have been. */
static StintJobPlace *
make_scratch_place (StintArchive *self, const GError *why, GError **error)
{
  g_autoptr (StintJobPlace) place = NULL;

  if (self->last_id == 0)
    self->last_id = stint_job_directories_get_highest (self->jobs);
  place = stint_scratch_store_make_place (self->last_id + 1, error);
  if (place == NULL)
    return NULL;
  if (why == NULL)
    return g_steal_pointer (&place);
  g_free (place->warning);
  /* Translators: followed by the reason */
  place->warning = g_strdup_printf (_ ("This job is not kept in the history: %s"), why->message);
  return g_steal_pointer (&place);
}

static void
report_failure (StintArchive *self, const GError *why)
{
  if (!self->failing)
    /* Translators: followed by the reason */
    stint_archive_add_problem (self, g_error_new (STINT_ERROR, STINT_ERROR_FAILED,
                                                  _ ("New jobs are not kept in the history: %s"),
                                                  why->message));
  self->failing = TRUE;
}

static gboolean
look_up_last_id (StintArchive *self, gpointer data, GError **error)
{
  guint64 last_id;

  if (!stint_archive_read_last_id (self, &last_id, error))
    return FALSE;
  self->last_id = MAX (self->last_id, last_id);
  return TRUE;
}

/* Its id is above all others, if they can be looked up; nothing is written. */
static StintJobPlace *
begin_unkept (StintArchive *self, StintRow *row, GError **error)
{
  StintJobPlace *place;

  stint_archive_attempt (self, look_up_last_id, NULL, NULL);
  place = make_scratch_place (self, NULL, error);
  if (place == NULL)
    return NULL;
  self->last_id = row->id = place->id;
  g_hash_table_add (self->scratch_ids, g_memdup2 (&row->id, sizeof row->id));
  return place;
}

StintJobPlace *
stint_archive_begin (StintArchive *self, StintRow *row, GError **error)
{
  Begin begin = { row, NULL };
  g_autoptr (GError) why = NULL;

  if (row->unkept)
    return begin_unkept (self, row, error);
  if (stint_archive_attempt (self, begin_row, &begin, &why))
    {
      self->failing = FALSE;
      g_debug ("Job %" G_GUINT64_FORMAT ": row written", row->id);
    }
  else
    {
      report_failure (self, why);
      begin.place = make_scratch_place (self, why, error);
      if (begin.place == NULL)
        return NULL;
      row->id = begin.place->id;
      g_hash_table_add (self->scratch_ids, g_memdup2 (&row->id, sizeof row->id));
      g_debug ("Job %" G_GUINT64_FORMAT ": not kept: %s", row->id, why->message);
    }
  self->last_id = begin.place->id;
  self->has_begun = TRUE;
  return begin.place;
}
