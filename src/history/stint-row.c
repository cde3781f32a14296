/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Between a job and its row in the table.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "stint-error.h"
#include "stint-json.h"
#include "stint-row.h"
#include "stint-survivors.h"

/* Columns of STINT_ROW_SELECT; the parameter of a column is the next number. */
enum
{
  COLUMN_ID,
  COLUMN_REASON,
  COLUMN_FAILURE,
  COLUMN_EXIT_CODE,
  COLUMN_SIGNAL,
  COLUMN_STARTED_AT,
  COLUMN_DURATION,
  COLUMN_ESCALATED,
  COLUMN_LEFTOVERS,
  COLUMN_SURVIVORS,
  COLUMN_ERROR,
  COLUMN_CPU_TIME,
  COLUMN_MAX_RSS,
  COLUMN_STDOUT_BYTES,
  COLUMN_STDERR_BYTES,
  COLUMN_LOST_BYTES,
  COLUMN_HOLE_BYTES,
  COLUMN_STORE_ERROR,
  COLUMN_SPEC,
  COLUMN_NAME,
  COLUMN_FOLLOWS,
  COLUMN_ATTEMPT,
};

/* Those of STINT_ROW_LEFT_COLUMNS. */
enum
{
  LEFT_ID,
  LEFT_SPEC,
  LEFT_FOLLOWS,
  LEFT_ATTEMPT,
  LEFT_ADDED,
  N_LEFT,
};

G_STATIC_ASSERT (N_LEFT == STINT_ROW_N_LEFT_COLUMNS);

/* The other parameters of STINT_ROW_INSERT. */
enum
{
  PARAMETER_STATE = COLUMN_STORE_ERROR + 2,
  PARAMETER_NAME,
  PARAMETER_KIND,
  PARAMETER_COMMAND,
  PARAMETER_DIRECTORY,
  PARAMETER_TAGS,
  PARAMETER_SPEC,
  PARAMETER_CREATED_AT,
  PARAMETER_OWNER_PID,
  PARAMETER_OWNER_START,
  PARAMETER_BOOT_ID,
  PARAMETER_FOLLOWS,
  PARAMETER_ATTEMPT,
};

static const char *const failure_nicks[] = {
  [STINT_FAILURE_NONE] = "none",
  [STINT_FAILURE_NOT_FOUND] = "not-found",
  [STINT_FAILURE_NOT_EXECUTABLE] = "not-executable",
  [STINT_FAILURE_OTHER] = "other",
};

static gboolean
failure_from_nick (const char *nick, StintFailure *failure)
{
  for (guint i = 0; i < G_N_ELEMENTS (failure_nicks); i++)
    if (g_strcmp0 (nick, failure_nicks[i]) == 0)
      {
        *failure = (StintFailure) i;
        return TRUE;
      }
  return FALSE;
}

static char *
dup_valid (const char *text)
{
  return text != NULL ? g_utf8_make_valid (text, -1) : NULL;
}

static char *
tags_to_json (const char *const *tags)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_ARRAY);
  g_autoptr (JsonArray) array = json_array_new ();

  for (guint i = 0; tags != NULL && tags[i] != NULL; i++)
    {
      g_autofree char *tag = dup_valid (tags[i]);

      json_array_add_string_element (array, tag);
    }
  json_node_set_array (node, array);
  return stint_json_to_text (node, FALSE);
}

StintRow *
stint_row_new (StintJobSpec *spec)
{
  StintRow *self = g_new0 (StintRow, 1);
  g_autoptr (JsonNode) json = stint_job_spec_to_json (spec);
  g_autofree char *command = stint_job_spec_dup_command_line (spec);

  self->name = dup_valid (stint_job_spec_get_name (spec));
  self->kind = stint_job_kind_to_nick (stint_job_spec_get_kind (spec));
  self->command = g_utf8_make_valid (command, -1);
  self->directory = dup_valid (stint_job_spec_get_directory (spec));
  self->tags = tags_to_json (stint_job_spec_get_tags (spec));
  self->spec = stint_json_to_text (json, FALSE);
  self->unkept = !stint_job_spec_get_keep (spec);
  self->created_at = g_get_real_time ();
  self->attempt = 1;
  return self;
}

StintRow *
stint_row_new_for (StintJob *job)
{
  StintRow *self = stint_row_new (stint_job_get_spec (job));

  self->follows = stint_job_get_follows (job);
  self->attempt = stint_job_get_attempt (job);
  return self;
}

StintRow *
stint_row_new_finished (StintJob *job)
{
  StintRow *self = stint_row_new_for (job);

  self->id = stint_job_get_id (job);
  self->result = stint_result_ref (stint_job_get_result (job));
  if (self->result->started_at != 0)
    self->created_at = self->result->started_at;
  return self;
}

void
stint_row_free (StintRow *self)
{
  g_clear_pointer (&self->result, stint_result_unref);
  g_free (self->spec);
  g_free (self->tags);
  g_free (self->directory);
  g_free (self->command);
  g_free (self->name);
  g_free (self);
}

StintJob *
stint_record_new_job (const StintRecord *self)
{
  StintJob *job = stint_job_new_finished (self->id, self->spec, self->result, self->directory);

  stint_job_set_origin (job, self->follows, self->attempt);
  return job;
}

void
stint_record_free (StintRecord *self)
{
  g_clear_object (&self->spec);
  g_clear_pointer (&self->result, stint_result_unref);
  g_free (self->directory);
  g_free (self);
}

static void
bind_text (sqlite3_stmt *statement, int parameter, const char *text)
{
  sqlite3_bind_text (statement, parameter, text, -1, SQLITE_TRANSIENT);
}

static void
bind_integer (sqlite3_stmt *statement, int column, gint64 value)
{
  sqlite3_bind_int64 (statement, column + 1, value);
}

void
stint_row_bind_result (guint64 id, const StintResult *result, sqlite3_stmt *statement)
{
  g_autofree char *survivors = stint_survivors_to_json (result->survivors, result->n_survivors);
  g_autofree char *error = dup_valid (result->error);

  bind_integer (statement, COLUMN_ID, (gint64) id);
  bind_text (statement, COLUMN_REASON + 1, stint_reason_to_nick (result->reason));
  bind_text (statement, COLUMN_FAILURE + 1, failure_nicks[result->failure]);
  if (result->has_exit_code)
    bind_integer (statement, COLUMN_EXIT_CODE, result->exit_code);
  if (result->term_signal != 0)
    bind_integer (statement, COLUMN_SIGNAL, result->term_signal);
  if (result->started_at != 0)
    bind_integer (statement, COLUMN_STARTED_AT, result->started_at);
  bind_integer (statement, COLUMN_DURATION, result->duration);
  bind_integer (statement, COLUMN_ESCALATED, result->escalated ? 1 : 0);
  bind_integer (statement, COLUMN_LEFTOVERS, result->leftovers);
  bind_text (statement, COLUMN_SURVIVORS + 1, survivors);
  bind_text (statement, COLUMN_ERROR + 1, error);
  bind_integer (statement, COLUMN_CPU_TIME, result->cpu_time);
  bind_integer (statement, COLUMN_MAX_RSS, result->max_rss);
  bind_integer (statement, COLUMN_STDOUT_BYTES, (gint64) result->stdout_bytes);
  bind_integer (statement, COLUMN_STDERR_BYTES, (gint64) result->stderr_bytes);
  bind_integer (statement, COLUMN_LOST_BYTES, (gint64) result->lost_bytes);
  bind_integer (statement, COLUMN_HOLE_BYTES, (gint64) result->hole_bytes);
  bind_integer (statement, COLUMN_STORE_ERROR, result->store_error);
}

void
stint_row_bind (const StintRow *self, const StintOwner *owner, sqlite3_stmt *statement)
{
  if (self->result != NULL)
    stint_row_bind_result (self->id, self->result, statement);
  else
    {
      bind_integer (statement, COLUMN_ID, (gint64) self->id);
      /* What is shown if nobody ever learns better. */
      bind_integer (statement, COLUMN_STARTED_AT, self->created_at);
    }
  bind_text (statement, PARAMETER_STATE, self->result != NULL ? "finished" : "running");
  bind_text (statement, PARAMETER_NAME, self->name);
  bind_text (statement, PARAMETER_KIND, self->kind);
  bind_text (statement, PARAMETER_COMMAND, self->command);
  bind_text (statement, PARAMETER_DIRECTORY, self->directory);
  bind_text (statement, PARAMETER_TAGS, self->tags);
  bind_text (statement, PARAMETER_SPEC, self->spec);
  sqlite3_bind_int64 (statement, PARAMETER_CREATED_AT, self->created_at);
  sqlite3_bind_int64 (statement, PARAMETER_OWNER_PID, owner->pid);
  sqlite3_bind_int64 (statement, PARAMETER_OWNER_START, (gint64) owner->start_time);
  bind_text (statement, PARAMETER_BOOT_ID, owner->boot_id);
  if (self->follows != 0)
    sqlite3_bind_int64 (statement, PARAMETER_FOLLOWS, (gint64) self->follows);
  sqlite3_bind_int64 (statement, PARAMETER_ATTEMPT, self->attempt);
}

void
stint_row_bind_note (guint64 id,
                     gboolean detached,
                     const char *added,
                     const StintOwner *owner,
                     sqlite3_stmt *statement)
{
  sqlite3_bind_int64 (statement, 1, (gint64) id);
  sqlite3_bind_int (statement, 2, detached ? 1 : 0);
  sqlite3_bind_int64 (statement, 3, owner->pid);
  sqlite3_bind_int64 (statement, 4, (gint64) owner->start_time);
  bind_text (statement, 5, owner->boot_id);
  bind_text (statement, 6, added);
}

static const char *
read_text (sqlite3_stmt *statement, int column)
{
  return (const char *) sqlite3_column_text (statement, column);
}

static guint64
read_size (sqlite3_stmt *statement, int column)
{
  return (guint64) sqlite3_column_int64 (statement, column);
}

static gboolean
has_value (sqlite3_stmt *statement, int column)
{
  return sqlite3_column_type (statement, column) != SQLITE_NULL;
}

static StintResult *
read_result (sqlite3_stmt *statement)
{
  g_autoptr (StintResult) result = NULL;
  const char *reason = read_text (statement, COLUMN_REASON);
  StintReason value = reason != NULL ? stint_reason_from_nick (reason) : STINT_REASON_NONE;
  StintFailure failure;

  if (value == STINT_REASON_NONE ||
      !failure_from_nick (read_text (statement, COLUMN_FAILURE), &failure) ||
      (has_value (statement, COLUMN_EXIT_CODE) && has_value (statement, COLUMN_SIGNAL)))
    return NULL;

  result = stint_result_new (value);
  result->failure = failure;
  result->has_exit_code = has_value (statement, COLUMN_EXIT_CODE);
  result->exit_code = sqlite3_column_int (statement, COLUMN_EXIT_CODE);
  result->term_signal = sqlite3_column_int (statement, COLUMN_SIGNAL);
  result->started_at = sqlite3_column_int64 (statement, COLUMN_STARTED_AT);
  result->duration = sqlite3_column_int64 (statement, COLUMN_DURATION);
  result->escalated = sqlite3_column_int (statement, COLUMN_ESCALATED) != 0;
  result->leftovers = (guint) sqlite3_column_int64 (statement, COLUMN_LEFTOVERS);
  if (!stint_survivors_from_json (read_text (statement, COLUMN_SURVIVORS), &result->survivors,
                                  &result->n_survivors))
    return NULL;
  result->error = g_strdup (read_text (statement, COLUMN_ERROR));
  result->cpu_time = sqlite3_column_int64 (statement, COLUMN_CPU_TIME);
  result->max_rss = sqlite3_column_int64 (statement, COLUMN_MAX_RSS);
  result->stdout_bytes = read_size (statement, COLUMN_STDOUT_BYTES);
  result->stderr_bytes = read_size (statement, COLUMN_STDERR_BYTES);
  result->lost_bytes = read_size (statement, COLUMN_LOST_BYTES);
  result->hole_bytes = read_size (statement, COLUMN_HOLE_BYTES);
  result->store_error = sqlite3_column_int (statement, COLUMN_STORE_ERROR);
  return g_steal_pointer (&result);
}

StintJobSpec *
stint_row_read_spec (sqlite3_stmt *statement, int column, GError **error)
{
  const char *text = read_text (statement, column);
  g_autoptr (GError) why = NULL;
  g_autoptr (JsonNode) json = text != NULL ? json_from_string (text, &why) : NULL;
  StintJobSpec *spec = json != NULL ? stint_job_spec_from_json (json, &why) : NULL;

  if (spec != NULL)
    return spec;
  /* json_from_string() gives no node and no error for an empty text. */
  g_set_error_literal (error, STINT_ERROR, STINT_ERROR_DAMAGED,
                       why != NULL ? why->message : _ ("it is incomplete"));
  return NULL;
}

static guint
read_attempt (sqlite3_stmt *statement, int column)
{
  return (guint) CLAMP (sqlite3_column_int64 (statement, column), 1, G_MAXINT32);
}

StintLeftJob *
stint_row_read_left (sqlite3_stmt *statement, int first, const char *directory, GError **error)
{
  g_autoptr (StintJobSpec) spec = stint_row_read_spec (statement, first + LEFT_SPEC, error);
  StintLeftJob *left;

  if (spec == NULL)
    return NULL;
  left = stint_left_job_new (read_size (statement, first + LEFT_ID), spec, directory);
  left->follows = read_size (statement, first + LEFT_FOLLOWS);
  left->attempt = read_attempt (statement, first + LEFT_ATTEMPT);
  left->added = g_strdup (read_text (statement, first + LEFT_ADDED));
  return left;
}

StintRecord *
stint_row_read (sqlite3_stmt *statement, GError **error)
{
  g_autoptr (StintRecord) self = g_new0 (StintRecord, 1);
  g_autoptr (GError) why = NULL;

  self->id = read_size (statement, COLUMN_ID);
  self->follows = read_size (statement, COLUMN_FOLLOWS);
  self->attempt = read_attempt (statement, COLUMN_ATTEMPT);
  self->result = read_result (statement);
  if (self->result != NULL)
    self->spec = stint_row_read_spec (statement, COLUMN_SPEC, &why);
  /* It may have got another name since. */
  if (self->spec != NULL)
    stint_job_spec_set_name (self->spec, read_text (statement, COLUMN_NAME));
  if (self->spec != NULL)
    return g_steal_pointer (&self);
  g_set_error (error, STINT_ERROR, STINT_ERROR_DAMAGED,
               /* Translators: a job's number, and why */
               _ ("Job %" PRIu64 " of the history cannot be read: %s"), self->id,
               why != NULL ? why->message : _ ("it is incomplete"));
  return NULL;
}
