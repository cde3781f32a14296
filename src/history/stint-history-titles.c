/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Jobs that are called so, or whose command reads so: what the desktop's search asks for at each key.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-history-titles.h"

#include "stint-search-text.h"
#include "stint-searcher-private.h"

#include <string.h>

#define STARTED STINT_SEARCHER_STARTED

/* A command can be a prompt of any length. */
#define COMMAND "substr (command, 1, 2000)"

/* Of the same command there may be many runs before there is another one. */
#define MAX_ROWS 2000

static GPtrArray *
dup_words (const char *const *terms)
{
  GPtrArray *words = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; terms[i] != NULL && words->len < STINT_TITLES_TERMS; i++)
    {
      g_autofree char *word = g_utf8_make_valid (terms[i], -1);

      if (stint_search_text_has_words (word))
        g_ptr_array_add (words, g_steal_pointer (&word));
    }
  return words;
}

/* For MATCH: the beginnings of words, in names and commands only. */
static char *
dup_match (GPtrArray *words)
{
  GString *match = g_string_new ("{command name} : (");

  for (guint i = 0; i < words->len; i++)
    {
      const char *word = words->pdata[i];
      g_autoptr (GString) text = g_string_new (NULL);

      stint_search_text_append (text, word, strlen (word));
      g_string_replace (text, "\"", " ", 0);
      g_string_append_printf (match, "%s\"%s\" *", i > 0 ? " AND " : "", text->str);
    }
  return g_string_free (g_string_append_c (match, ')'), FALSE);
}

static char *
dup_sql (StintSearcher *self, GPtrArray *words)
{
  GString *sql = g_string_new ("SELECT " STINT_ENTRY_COLUMNS_AS (COMMAND) " FROM jobs WHERE ");

  if (self->stamp >= 0)
    g_string_append (sql, "(jobs.id IN (SELECT rowid FROM search.docs WHERE docs MATCH ?) OR "
                          "jobs.id IN (SELECT id FROM jobs WHERE (changed > ? OR state = 'running')");
  else
    g_string_append (sql, "((1");
  for (guint i = 0; i < words->len; i++)
    g_string_append (sql, " AND instr (lower (" COMMAND " || char (10) || coalesce (name, '')), "
                          "lower (?)) > 0");
  g_string_append_printf (sql, ")) ORDER BY " STARTED " DESC, jobs.id DESC LIMIT %d", MAX_ROWS);
  return g_string_free (sql, FALSE);
}

static void
bind (StintSearcher *self, sqlite3_stmt *statement, GPtrArray *words)
{
  int next = 1;

  if (self->stamp >= 0)
    {
      sqlite3_bind_text (statement, next++, dup_match (words), -1, g_free);
      sqlite3_bind_int64 (statement, next++, self->stamp);
    }
  for (guint i = 0; i < words->len; i++)
    sqlite3_bind_text (statement, next++, words->pdata[i], -1, SQLITE_TRANSIENT);
}

static gboolean
is_the_same (const StintEntry *a, const StintEntry *b)
{
  return g_strcmp0 (a->name, b->name) == 0 && g_strcmp0 (a->command, b->command) == 0 &&
         g_strcmp0 (a->directory, b->directory) == 0;
}

static gboolean
is_known (GPtrArray *entries, const StintEntry *entry)
{
  for (guint i = 0; i < entries->len; i++)
    if (is_the_same (entries->pdata[i], entry))
      return TRUE;
  return FALSE;
}

static GPtrArray *
collect (StintSearcher *self, sqlite3_stmt *statement, guint limit, GError **error)
{
  g_autoptr (GPtrArray) entries =
      g_ptr_array_new_with_free_func ((GDestroyNotify) stint_entry_free);
  int rc = SQLITE_DONE;

  while (entries->len < limit && (rc = sqlite3_step (statement)) == SQLITE_ROW)
    {
      g_autoptr (StintEntry) entry = stint_entry_read (statement);

      if (!is_known (entries, entry))
        g_ptr_array_add (entries, g_steal_pointer (&entry));
    }
  if (entries->len < limit && !stint_searcher_is_done (self, rc, error))
    return NULL;
  return g_steal_pointer (&entries);
}

GPtrArray *
stint_searcher_find_titles (StintSearcher *self,
                            const char *const *terms,
                            guint limit,
                            GCancellable *cancellable,
                            GError **error)
{
  g_autoptr (GPtrArray) words = dup_words (terms);
  g_autofree char *sql = NULL;
  GPtrArray *entries = NULL;
  sqlite3_stmt *statement;

  if (words->len == 0)
    return g_ptr_array_new_with_free_func ((GDestroyNotify) stint_entry_free);
  if (!stint_searcher_begin (self, cancellable, error))
    return NULL;
  sql = dup_sql (self, words);
  statement = stint_searcher_prepare (self, sql, error);
  if (statement != NULL)
    {
      bind (self, statement, words);
      entries = collect (self, statement, limit, error);
      sqlite3_finalize (statement);
    }
  stint_searcher_end (self);
  return entries;
}
