/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which words of the search index begin as what was typed.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-vocabulary.h"

#include <string.h>

/* More words than these take longer to be found and read than FTS5 takes to merge them. */
#define MAX_WORDS 32

/* A word that is met so often is skipped rather than read to its end: to look for the next one takes as
 * long as to read some. */
#define FEW_INSTANCES 8

/* What is behind every word that begins with what stands before it, and before every other. */
#define LAST_CHARACTER "\xf4\x8f\xbf\xbf"

/* As the tokenizer has it: ASCII stays one word, in small letters. */
static char *
dup_plain (const char *word)
{
  if (*word == '\0')
    return NULL;
  for (const char *p = word; *p != '\0'; p++)
    if (!g_ascii_isalnum (*p))
      return NULL;
  return g_ascii_strdown (word, -1);
}

static sqlite3_stmt *
prepare (sqlite3 *db)
{
  sqlite3_stmt *statement = NULL;

  sqlite3_exec (db,
                "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING "
                "fts5vocab ('search', 'words', 'instance')",
                NULL, NULL, NULL);
  sqlite3_prepare_v2 (db, "SELECT term FROM temp.vocabulary WHERE term >= ?1 AND term < ?2", -1, &statement,
                      NULL);
  return statement;
}

/* (transfer full) (nullable): the first word at or behind @from, before the end that is bound. */
static char *
find_next (sqlite3_stmt *statement, const char *from)
{
  char *found = NULL;

  sqlite3_bind_text (statement, 1, from, -1, SQLITE_TRANSIENT);
  if (sqlite3_step (statement) == SQLITE_ROW)
    found = g_strdup ((const char *) sqlite3_column_text (statement, 0));
  return found;
}

/* Reads on to the next word. Returns: whether the end was reached; else @next is it, or NULL. */
static gboolean
read_on (sqlite3_stmt *statement, const char *word, char **next)
{
  *next = NULL;
  for (guint i = 0; i < FEW_INSTANCES; i++)
    {
      const char *term;

      if (sqlite3_step (statement) != SQLITE_ROW)
        return TRUE;
      term = (const char *) sqlite3_column_text (statement, 0);
      if (strcmp (term, word) != 0)
        {
          *next = g_strdup (term);
          return FALSE;
        }
    }
  return FALSE;
}

/* Returns: whether these are all of them. */
static gboolean
collect (sqlite3_stmt *statement, const char *prefix, GPtrArray *words)
{
  char *word = find_next (statement, prefix);

  while (word != NULL)
    {
      char *next;

      if (words->len == MAX_WORDS)
        {
          g_free (word);
          return FALSE;
        }
      g_ptr_array_add (words, word);
      if (read_on (statement, word, &next))
        break;
      if (next == NULL)
        {
          g_autofree char *behind = g_strconcat (word, "\x01", NULL);

          sqlite3_reset (statement);
          next = find_next (statement, behind);
        }
      word = next;
    }
  return TRUE;
}

char *
stint_vocabulary_expand (sqlite3 *db, const char *word)
{
  g_autofree char *prefix = dup_plain (word);
  g_autofree char *end = NULL;
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  sqlite3_stmt *statement;
  GString *match;
  gboolean all;

  if (prefix == NULL || (statement = prepare (db)) == NULL)
    return NULL;
  end = g_strconcat (prefix, LAST_CHARACTER, NULL);
  sqlite3_bind_text (statement, 2, end, -1, SQLITE_STATIC);
  all = collect (statement, prefix, words);
  sqlite3_finalize (statement);
  /* None: then the word itself, which nothing has. */
  if (!all || words->len == 0)
    return NULL;
  match = g_string_new ("(");
  for (guint i = 0; i < words->len; i++)
    g_string_append_printf (match, "%s\"%s\"", i > 0 ? " OR " : "", (const char *) words->pdata[i]);
  g_string_append_c (match, ')');
  return g_string_free (match, FALSE);
}
