/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is changed of jobs that have ended: their names, tags and pins; saved searches; and jobs of
 * other programs' histories, which are added as if they had ended here.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <json-glib/json-glib.h>

#include "stint-archive-edit.h"
#include "stint-archive-private.h"
#include "stint-error.h"
#include "stint-json.h"
#include "stint-units.h"

typedef struct
{
  const guint64 *ids;
  guint n_ids;
  const char *sql; /* ?1: the id, ?2: the value */
  const char *text;
  gint64 number;
  guint n_changed;
} Edit;

static gboolean
edit (StintArchive *self, gpointer data, GError **error)
{
  Edit *self_edit = data;

  self_edit->n_changed = 0;
  if (!stint_database_begin (self->database, error))
    return FALSE;
  for (guint i = 0; i < self_edit->n_ids; i++)
    {
      sqlite3_stmt *statement = stint_database_prepare (self->database, self_edit->sql, error);

      if (statement == NULL)
        return FALSE;
      sqlite3_bind_int64 (statement, 1, (gint64) self_edit->ids[i]);
      if (self_edit->text != NULL)
        sqlite3_bind_text (statement, 2, self_edit->text, -1, SQLITE_TRANSIENT);
      else
        sqlite3_bind_int64 (statement, 2, self_edit->number);
      if (!stint_database_run (self->database, statement, error))
        return FALSE;
      self_edit->n_changed += (guint) stint_database_get_n_changes (self->database);
    }
  return stint_database_commit (self->database, error);
}

static gboolean
check_found (const Edit *self, GError **error)
{
  if (self->n_changed > 0 || self->n_ids == 0)
    return TRUE;
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
               /* Translators: a job's number */
               _ ("There is no job %" PRIu64 " in the history"), self->ids[0]);
  return FALSE;
}

gboolean
stint_archive_rename (StintArchive *self, guint64 id, const char *name, GError **error)
{
  g_autofree char *valid = g_utf8_make_valid (name != NULL ? name : "", -1);
  Edit data = { &id, 1, "UPDATE jobs SET name = nullif (?2, '') WHERE id = ?1", valid, 0, 0 };

  return stint_archive_attempt (self, edit, &data, error) && check_found (&data, error);
}

gboolean
stint_archive_set_tags (StintArchive *self, guint64 id, const char *const *tags, GError **error)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_ARRAY);
  g_autoptr (JsonArray) array = json_array_new ();
  g_autofree char *text = NULL;
  Edit data = { &id, 1, "UPDATE jobs SET tags = ?2 WHERE id = ?1", NULL, 0, 0 };

  for (guint i = 0; tags[i] != NULL; i++)
    {
      g_autofree char *tag = stint_text_clean (tags[i], 100);

      if (*tag != '\0')
        json_array_add_string_element (array, tag);
    }
  json_node_set_array (node, array);
  text = stint_json_to_text (node, FALSE);
  data.text = text;
  return stint_archive_attempt (self, edit, &data, error) && check_found (&data, error);
}

gboolean
stint_archive_pin (StintArchive *self,
                   const guint64 *ids,
                   guint n_ids,
                   gboolean pinned,
                   GError **error)
{
  Edit data = { ids, n_ids, "UPDATE jobs SET pinned = ?2 WHERE id = ?1", NULL, pinned != FALSE, 0 };

  return stint_archive_attempt (self, edit, &data, error) && check_found (&data, error);
}

typedef struct
{
  const char *name;
  const char *query; /* NULL: forget it */
} Saved;

static gboolean
save_search (StintArchive *self, gpointer data, GError **error)
{
  const Saved *saved = data;
  sqlite3_stmt *statement;

  statement = stint_database_prepare (self->database,
                                      saved->query != NULL
                                          ? "INSERT OR REPLACE INTO searches VALUES (?1, ?2)"
                                          : "DELETE FROM searches WHERE name = ?1",
                                      error);
  if (statement == NULL)
    return FALSE;
  sqlite3_bind_text (statement, 1, saved->name, -1, SQLITE_TRANSIENT);
  if (saved->query != NULL)
    sqlite3_bind_text (statement, 2, saved->query, -1, SQLITE_TRANSIENT);
  return stint_database_run (self->database, statement, error);
}

gboolean
stint_archive_save_search (StintArchive *self, const char *name, const char *query, GError **error)
{
  Saved saved = { name, query };

  return stint_archive_attempt (self, save_search, &saved, error);
}

typedef struct
{
  GPtrArray *rows; /* StintRow with results, without ids */
  gboolean by_command;
  guint n_added;
} Import;

static gboolean
is_known (StintArchive *self,
          const StintRow *row,
          gboolean by_command,
          gboolean *known,
          GError **error)
{
  sqlite3_stmt *statement = stint_database_prepare (
      self->database,
      by_command
          ? "SELECT 1 FROM jobs WHERE substr (command, 1, 64) = substr (?2, 1, 64) COLLATE NOCASE AND command = ?2 "
            "AND ?1 = ?1 LIMIT 1"
          : "SELECT 1 FROM jobs WHERE coalesce (started_at, created_at) = ?1 AND command = ?2 LIMIT 1",
      error);

  if (statement == NULL)
    return FALSE;
  sqlite3_bind_int64 (statement, 1, row->result->started_at);
  sqlite3_bind_text (statement, 2, row->command, -1, SQLITE_STATIC);
  if (!stint_database_step (self->database, statement, known, error))
    return FALSE;
  sqlite3_reset (statement);
  return TRUE;
}

static gboolean
import (StintArchive *self, gpointer data, GError **error)
{
  Import *self_import = data;
  guint64 id = 0;

  self_import->n_added = 0;
  if (!stint_database_begin (self->database, error) ||
      !stint_archive_read_last_id (self, &id, error))
    return FALSE;
  id = MAX (id, self->last_id);
  for (guint i = 0; i < self_import->rows->len; i++)
    {
      StintRow *row = g_ptr_array_index (self_import->rows, i);
      sqlite3_stmt *statement;
      gboolean known;

      if (!is_known (self, row, self_import->by_command, &known, error))
        return FALSE;
      if (known)
        continue;
      statement = stint_database_prepare (self->database, STINT_ROW_INSERT, error);
      if (statement == NULL)
        return FALSE;
      row->id = ++id;
      stint_row_bind (row, &self->owner, statement);
      if (!stint_database_run (self->database, statement, error))
        return FALSE;
      self_import->n_added++;
    }
  if (!stint_database_commit (self->database, error))
    return FALSE;
  self->last_id = id;
  return TRUE;
}

int
stint_archive_import (StintArchive *self, GPtrArray *rows, gboolean by_command, GError **error)
{
  /* In pieces, so that who begins a job meanwhile does not wait for all of them. */
  const guint piece = 500;
  int n_added = 0;

  for (guint i = 0; i < rows->len; i += piece)
    {
      g_autoptr (GPtrArray) some = g_ptr_array_new ();
      Import data = { some, by_command, 0 };

      for (guint j = i; j < MIN (i + piece, rows->len); j++)
        g_ptr_array_add (some, g_ptr_array_index (rows, j));
      if (!stint_archive_attempt (self, import, &data, error))
        return -1;
      n_added += (int) data.n_added;
    }
  return n_added;
}
