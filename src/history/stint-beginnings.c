/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The beginnings of words, as the search index has them: each behind a mark that no text has.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-beginnings.h"

#include "stint-search-text.h"

#include <string.h>

/* Letters; of longer beginnings FTS5 makes the few words itself (stint-vocabulary.c). */
#define LONGEST 2

struct _StintBeginnings
{
  fts5_tokenizer methods;
  Fts5Tokenizer *tokenizer;
  /* Nearly all of them, by their characters; 0: no second one. */
  gboolean ascii[128][128];
  GHashTable *others; /* set of char * */
  GString *text;
};

static fts5_api *
find_api (sqlite3 *db)
{
  fts5_api *api = NULL;
  sqlite3_stmt *statement = NULL;

  if (sqlite3_prepare_v2 (db, "SELECT fts5 (?1)", -1, &statement, NULL) == SQLITE_OK)
    {
      sqlite3_bind_pointer (statement, 1, &api, "fts5_api_ptr", NULL);
      sqlite3_step (statement);
    }
  sqlite3_finalize (statement);
  return api;
}

StintBeginnings *
stint_beginnings_new (sqlite3 *db)
{
  const char *arguments[] = { STINT_TOKENIZER_ARGUMENT, STINT_TOKENIZER_VALUE };
  fts5_api *api = find_api (db);
  StintBeginnings *self;
  void *context;

  if (api == NULL)
    return NULL;
  self = g_new0 (StintBeginnings, 1);
  if (api->xFindTokenizer (api, STINT_TOKENIZER, &context, &self->methods) != SQLITE_OK ||
      self->methods.xCreate (context, arguments, G_N_ELEMENTS (arguments), &self->tokenizer) !=
          SQLITE_OK)
    {
      g_free (self);
      return NULL;
    }
  self->others = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->text = g_string_new (NULL);
  return self;
}

void
stint_beginnings_free (StintBeginnings *self)
{
  self->methods.xDelete (self->tokenizer);
  g_hash_table_unref (self->others);
  g_string_free (self->text, TRUE);
  g_free (self);
}

static void
append (StintBeginnings *self, const char *beginning, gsize length)
{
  g_string_append (self->text, STINT_SEARCH_TEXT_MARK);
  g_string_append_len (self->text, beginning, (gssize) length);
  g_string_append_c (self->text, ' ');
}

static void
add (StintBeginnings *self, const char *beginning, gsize length)
{
  guchar first = (guchar) beginning[0], second = length > 1 ? (guchar) beginning[1] : 0;
  char *copy;

  if (first < 128 && second < 128 && length <= 2)
    {
      if (self->ascii[first][second])
        return;
      self->ascii[first][second] = TRUE;
    }
  else
    {
      copy = g_strndup (beginning, length);
      if (!g_hash_table_add (self->others, copy))
        return;
    }
  append (self, beginning, length);
}

static int
on_token (void *user_data, int flags, const char *token, int n_bytes, int start, int end)
{
  StintBeginnings *self = user_data;
  gsize length = 0;

  if (n_bytes <= 0 || stint_search_text_stands_alone (g_utf8_get_char_validated (token, n_bytes)))
    return SQLITE_OK;
  for (guint i = 0; i < LONGEST && length < (gsize) n_bytes; i++)
    {
      length += (gsize) g_utf8_skip[(guchar) token[length]];
      add (self, token, MIN (length, (gsize) n_bytes));
    }
  return SQLITE_OK;
}

int
stint_beginnings_add (StintBeginnings *self, const char *text, gsize length)
{
  return self->methods.xTokenize (self->tokenizer, self, FTS5_TOKENIZE_DOCUMENT, text, (int) length,
                                  on_token);
}

const GString *
stint_beginnings_get_text (StintBeginnings *self)
{
  return self->text;
}

void
stint_beginnings_clear (StintBeginnings *self)
{
  memset (self->ascii, 0, sizeof self->ascii);
  g_hash_table_remove_all (self->others);
  g_string_truncate (self->text, 0);
}

char *
stint_beginnings_dup_word (const char *word)
{
  guint n = 0;

  for (const char *p = word; *p != '\0'; p = g_utf8_next_char (p))
    if (!g_unichar_isalnum (g_utf8_get_char (p)) ||
        stint_search_text_stands_alone (g_utf8_get_char (p)) || ++n > LONGEST)
      return NULL;
  return n > 0 ? g_strconcat (STINT_SEARCH_TEXT_MARK, word, NULL) : NULL;
}
