/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The history as one thread sees it: finishing and loading, and what all calls have in common. How
 * a job begins is in stint-archive-begin.c, what a crash left behind in stint-archive-recover.c.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "stint-archive-private.h"
#include "stint-error.h"
#include "stint-job-directories.h"

/* A database can be moved aside, and the next one too, by somebody else. */
#define MAX_TRIES 3

static gboolean
write_finished (StintArchive *self, gpointer data, GError **error)
{
  const StintRow *row = data;
  sqlite3_stmt *statement;

  statement = stint_database_prepare (self->database, STINT_ROW_FINISH, error);
  if (statement == NULL)
    return FALSE;
  stint_row_bind_result (row->id, row->result, statement);
  if (!stint_database_run (self->database, statement, error))
    return FALSE;
  if (stint_database_get_n_changes (self->database) > 0)
    return TRUE;

  /* The database that had it was moved aside. */
  statement = stint_database_prepare (self->database, STINT_ROW_INSERT, error);
  if (statement == NULL)
    return FALSE;
  stint_row_bind (row, &self->owner, statement);
  return stint_database_run (self->database, statement, error);
}

static void
save_unsaved (StintArchive *self)
{
  StintRow *row;

  while ((row = g_queue_peek_head (&self->unsaved)) != NULL)
    {
      if (!write_finished (self, row, NULL))
        return;
      g_debug ("Job %" G_GUINT64_FORMAT ": row completed late", row->id);
      stint_row_free (g_queue_pop_head (&self->unsaved));
    }
}

gboolean
stint_archive_attempt (StintArchive *self, StintArchiveFunc func, gpointer data, GError **error)
{
  for (guint tries = 1;; tries++)
    {
      g_autoptr (GError) why = NULL;
      GError *problem = NULL;
      gboolean again;

      if (stint_database_open (self->database, &why) && func (self, data, &why))
        {
          save_unsaved (self);
          return TRUE;
        }
      stint_database_rollback (self->database);
      again = stint_database_set_aside (self->database, why, &problem);
      if (problem != NULL)
        stint_archive_add_problem (self, problem);
      if (!again || tries == MAX_TRIES)
        {
          g_propagate_error (error, g_steal_pointer (&why));
          return FALSE;
        }
    }
}

void
stint_archive_add_problem (StintArchive *self, GError *problem)
{
  if (self->problems == NULL)
    self->problems = g_ptr_array_new_with_free_func ((GDestroyNotify) g_error_free);
  g_ptr_array_add (self->problems, problem);
}

StintArchive *
stint_archive_new (const char *directory)
{
  StintArchive *self = g_new0 (StintArchive, 1);

  self->directory = g_strdup (directory);
  self->jobs = g_build_filename (directory, "jobs", NULL);
  self->database = stint_database_new (directory);
  self->scratch_ids = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  g_queue_init (&self->unsaved);
  stint_owner_init_self (&self->owner);
  return self;
}

void
stint_archive_free (StintArchive *self)
{
  if (!g_queue_is_empty (&self->unsaved) && stint_database_open (self->database, NULL))
    save_unsaved (self);
  g_queue_clear_full (&self->unsaved, (GDestroyNotify) stint_row_free);
  stint_database_free (self->database);
  g_hash_table_unref (self->scratch_ids);
  g_clear_pointer (&self->problems, g_ptr_array_unref);
  g_free (self->jobs);
  g_free (self->directory);
  g_free (self);
}

GPtrArray *
stint_archive_take_problems (StintArchive *self)
{
  return g_steal_pointer (&self->problems);
}

void
stint_archive_rest (StintArchive *self)
{
  if (self->has_begun)
    stint_database_checkpoint (self->database);
  self->has_begun = FALSE;
}

gboolean
stint_archive_finish (StintArchive *self, StintRow *row, GError **error)
{
  g_autoptr (StintRow) owned = row;

  if (g_hash_table_remove (self->scratch_ids, &row->id))
    return TRUE;
  /* Its keeper may have been killed as it wrote the outcome. */
  if (row->result->reason == STINT_REASON_INTERRUPTED)
    {
      g_autofree char *directory = stint_job_directories_dup_path (self->jobs, row->id);

      stint_job_store_tidy (directory);
    }
  if (stint_archive_attempt (self, write_finished, row, error))
    {
      g_debug ("Job %" G_GUINT64_FORMAT ": row completed", row->id);
      return TRUE;
    }
  g_queue_push_tail (&self->unsaved, g_steal_pointer (&owned));
  return FALSE;
}

typedef struct
{
  guint64 id;
  gboolean detached;
  const char *added;
} Note;

static gboolean
write_note (StintArchive *self, gpointer data, GError **error)
{
  const Note *note = data;
  sqlite3_stmt *statement = stint_database_prepare (self->database, STINT_ROW_NOTE, error);

  if (statement == NULL)
    return FALSE;
  stint_row_bind_note (note->id, note->detached, note->added, &self->owner, statement);
  return stint_database_run (self->database, statement, error);
}

gboolean
stint_archive_note (StintArchive *self,
                    guint64 id,
                    gboolean detached,
                    const char *added,
                    GError **error)
{
  Note note = { id, detached, added };

  return stint_archive_attempt (self, write_note, &note, error);
}

typedef struct
{
  guint limit;
  GPtrArray *records;
  guint n_unreadable;
  GError *first_error;
} Load;

static void
read_record (StintArchive *self, Load *load, sqlite3_stmt *statement)
{
  g_autoptr (GError) why = NULL;
  StintRecord *record = stint_row_read (statement, &why);

  if (record == NULL)
    {
      load->n_unreadable++;
      if (load->first_error == NULL)
        load->first_error = g_steal_pointer (&why);
      return;
    }
  record->directory = stint_job_directories_dup_path (self->jobs, record->id);
  if (access (record->directory, F_OK) != 0)
    g_clear_pointer (&record->directory, g_free);
  g_ptr_array_add (load->records, record);
}

static gboolean
load_records (StintArchive *self, gpointer data, GError **error)
{
  Load *load = data;
  sqlite3_stmt *statement;
  gboolean row;

  g_ptr_array_set_size (load->records, 0);
  g_clear_error (&load->first_error);
  load->n_unreadable = 0;

  statement = stint_database_prepare (self->database, STINT_ROW_SELECT, error);
  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, load->limit);
  while (stint_database_step (self->database, statement, &row, error))
    {
      if (!row)
        return TRUE;
      read_record (self, load, statement);
    }
  return FALSE;
}

/* One problem for all of them: they tend to have one cause. */
static void
report_unreadable (StintArchive *self, Load *load)
{
  if (load->n_unreadable > 1)
    g_prefix_error (&load->first_error,
                    /* Translators: followed by what is wrong with the first of them */
                    g_dngettext (GETTEXT_PACKAGE, "%u job of the history cannot be read. ",
                                 "%u jobs of the history cannot be read. ", load->n_unreadable),
                    load->n_unreadable);
  if (load->first_error != NULL)
    stint_archive_add_problem (self, g_steal_pointer (&load->first_error));
}

GPtrArray *
stint_archive_load (StintArchive *self, guint limit, GError **error)
{
  Load load = { limit, NULL, 0, NULL };

  load.records = g_ptr_array_new_with_free_func ((GDestroyNotify) stint_record_free);
  if (stint_archive_attempt (self, load_records, &load, error))
    {
      report_unreadable (self, &load);
      return load.records;
    }
  g_clear_error (&load.first_error);
  g_ptr_array_unref (load.records);
  return NULL;
}
