/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A job as a list shows it: read from its row, without its spec.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-entry.h"

#include "stint-units.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>

static char *
dup_text (sqlite3_stmt *statement, int column)
{
  const char *text = (const char *) sqlite3_column_text (statement, column);

  return text != NULL ? g_utf8_make_valid (text, sqlite3_column_bytes (statement, column)) : NULL;
}

/* (transfer full): the strings of a JSON array; none if it is something else. */
static char **
read_tags (sqlite3_stmt *statement, int column)
{
  const char *text = (const char *) sqlite3_column_text (statement, column);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_autoptr (JsonNode) node = NULL;
  JsonArray *array;

  if (text != NULL && g_str_has_prefix (text, "[\""))
    node = json_from_string (text, NULL);
  array = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonNode *element = json_array_get_element (array, i);

      if (JSON_NODE_HOLDS_VALUE (element) && json_node_get_value_type (element) == G_TYPE_STRING)
        g_strv_builder_add (builder, json_node_get_string (element));
    }
  return g_strv_builder_end (builder);
}

StintEntry *
stint_entry_read (sqlite3_stmt *statement)
{
  StintEntry *self = g_new0 (StintEntry, 1);
  g_autofree char *state = NULL;
  g_autofree char *reason = NULL;

  self->id = (guint64) sqlite3_column_int64 (statement, 0);
  self->name = dup_text (statement, 1);
  self->kind = dup_text (statement, 2);
  self->command = dup_text (statement, 3);
  self->directory = dup_text (statement, 4);
  self->tags = read_tags (statement, 5);
  self->pinned = sqlite3_column_int (statement, 6) != 0;
  state = dup_text (statement, 7);
  self->running = g_strcmp0 (state, "running") == 0;
  reason = dup_text (statement, 8);
  self->reason = reason != NULL ? stint_reason_from_nick (reason) : STINT_REASON_NONE;
  self->has_exit_code = sqlite3_column_type (statement, 9) != SQLITE_NULL;
  self->exit_code = sqlite3_column_int (statement, 9);
  self->term_signal = sqlite3_column_int (statement, 10);
  self->started_at = sqlite3_column_int64 (statement, 11);
  self->duration = sqlite3_column_int64 (statement, 12);
  self->cpu_time = sqlite3_column_int64 (statement, 13);
  self->max_rss = sqlite3_column_int64 (statement, 14);
  self->output_bytes = (guint64) sqlite3_column_int64 (statement, 15);
  self->missing_bytes = (guint64) sqlite3_column_int64 (statement, 16);
  self->escalated = sqlite3_column_int (statement, 17) != 0;
  self->leftovers = (guint) sqlite3_column_int64 (statement, 18);
  self->error = dup_text (statement, 19);
  self->follows = (guint64) sqlite3_column_int64 (statement, 20);
  self->attempt = (guint) CLAMP (sqlite3_column_int64 (statement, 21), 1, G_MAXINT32);
  if (self->command == NULL)
    self->command = g_strdup ("");
  return self;
}

StintEntry *
stint_entry_copy (const StintEntry *self)
{
  StintEntry *copy = g_memdup2 (self, sizeof *self);

  copy->name = g_strdup (self->name);
  copy->kind = g_strdup (self->kind);
  copy->command = g_strdup (self->command);
  copy->directory = g_strdup (self->directory);
  copy->tags = g_strdupv (self->tags);
  copy->error = g_strdup (self->error);
  return copy;
}

void
stint_entry_free (StintEntry *self)
{
  g_free (self->name);
  g_free (self->kind);
  g_free (self->command);
  g_free (self->directory);
  g_strfreev (self->tags);
  g_free (self->error);
  g_free (self);
}

gboolean
stint_entry_has_failed (const StintEntry *self)
{
  switch (self->reason)
    {
    case STINT_REASON_NONE:
    case STINT_REASON_TERMINATED:
    case STINT_REASON_KILLED:
    case STINT_REASON_CANCELLED:
      return FALSE;
    case STINT_REASON_EXITED:
      return self->has_exit_code && self->exit_code != 0;
    case STINT_REASON_SIGNALED:
    case STINT_REASON_TIMEOUT:
    case STINT_REASON_IDLE_TIMEOUT:
    case STINT_REASON_FAILED:
    case STINT_REASON_INTERRUPTED:
    default:
      return TRUE;
    }
}

char *
stint_entry_dup_title (const StintEntry *self, guint max_chars)
{
  gboolean named = self->name != NULL && *self->name != '\0';

  return stint_text_clean (named ? self->name : self->command, max_chars);
}

char *
stint_entry_dup_outcome (const StintEntry *self)
{
  g_autofree char *signal_name = NULL;

  if (self->running)
    return g_strdup (_ ("running"));
  switch (self->reason)
    {
    case STINT_REASON_EXITED:
      /* What was imported may not say. */
      if (!self->has_exit_code)
        return g_strdup (_ ("ended"));
      /* Translators: how a job ended: its exit code */
      return g_strdup_printf (_ ("exit %d"), self->exit_code);
    case STINT_REASON_SIGNALED:
      signal_name = stint_signal_dup_name (self->term_signal);
      return g_steal_pointer (&signal_name);
    case STINT_REASON_TIMEOUT:
      return g_strdup (_ ("time was up"));
    case STINT_REASON_IDLE_TIMEOUT:
      return g_strdup (_ ("was idle"));
    case STINT_REASON_TERMINATED:
      return g_strdup (_ ("stopped"));
    case STINT_REASON_KILLED:
      return g_strdup (_ ("killed"));
    case STINT_REASON_CANCELLED:
      return g_strdup (_ ("cancelled"));
    case STINT_REASON_FAILED:
      return g_strdup (_ ("not started"));
    case STINT_REASON_INTERRUPTED:
      return g_strdup (_ ("interrupted"));
    case STINT_REASON_NONE:
    default:
      return g_strdup (_ ("unknown"));
    }
}
