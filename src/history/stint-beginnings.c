/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The beginnings of words, as the search index has them: each behind a mark that no text has. And the words
 * that go on behind the longest of them.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-beginnings.h"

#include "stint-search-text.h"

#include <string.h>

/* Letters; of longer beginnings there are few enough words to be found one by one (stint-vocabulary.c). */
#define LONGEST 4

struct _StintBeginnings
{
  fts5_tokenizer methods;
  Fts5Tokenizer *tokenizer;
  gboolean of_title; /* what is split now */
  /* Nearly all of them: see pack(). The shortest, which nearly every word has had before, in an array. */
  gboolean shortest[128][128];
  GHashTable *ascii;  /* set of guint */
  GHashTable *others; /* set of char * */
  GString *text;
  GHashTable *known_words; /* set of char * */
  GString *word;           /* the one that is looked at now */
  GString *words;
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
  self->ascii = g_hash_table_new (g_direct_hash, g_direct_equal);
  self->others = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->text = g_string_new (NULL);
  self->known_words = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->word = g_string_new (NULL);
  self->words = g_string_new (NULL);
  return self;
}

void
stint_beginnings_free (StintBeginnings *self)
{
  self->methods.xDelete (self->tokenizer);
  g_hash_table_unref (self->ascii);
  g_hash_table_unref (self->others);
  g_string_free (self->text, TRUE);
  g_hash_table_unref (self->known_words);
  g_string_free (self->word, TRUE);
  g_string_free (self->words, TRUE);
  g_free (self);
}

static void
append (StintBeginnings *self, const char *mark, const char *beginning, gsize length)
{
  g_string_append (self->text, mark);
  g_string_append_len (self->text, beginning, (gssize) length);
  g_string_append_c (self->text, ' ');
}

/* A number for each of up to four characters of ASCII; 0: there are others in it. */
static guint
pack (const char *beginning, gsize length)
{
  guint packed = 0;

  if (length > sizeof packed)
    return 0;
  for (gsize i = 0; i < length; i++)
    {
      if ((guchar) beginning[i] >= 128)
        return 0;
      packed = packed << 8 | (guchar) beginning[i];
    }
  return packed;
}

/* Returns: whether there was none yet. */
static gboolean
remember (StintBeginnings *self, const char *beginning, gsize length)
{
  guint packed = pack (beginning, length);
  gboolean *known;

  if (packed == 0)
    return g_hash_table_add (self->others, g_strndup (beginning, length));
  if (length > 2)
    return g_hash_table_add (self->ascii, GUINT_TO_POINTER (packed));
  known = &self->shortest[packed >> 8][packed & 127];
  if (*known)
    return FALSE;
  *known = TRUE;
  return TRUE;
}

/* Few: they are kept with their mark. */
static void
add_of_title (StintBeginnings *self, const char *beginning, gsize length)
{
  g_autofree char *plain = g_strndup (beginning, length);

  if (g_hash_table_add (self->others, g_strconcat (STINT_SEARCH_TEXT_TITLE_MARK, plain, NULL)))
    append (self, STINT_SEARCH_TEXT_TITLE_MARK, beginning, length);
}

static void
add_whole_word (StintBeginnings *self, const char *word, gsize length)
{
  g_string_truncate (self->word, 0);
  g_string_append_len (self->word, word, (gssize) length);
  if (g_hash_table_contains (self->known_words, self->word->str))
    return;
  g_hash_table_add (self->known_words, g_strdup (self->word->str));
  g_string_append_len (self->words, word, (gssize) length);
  g_string_append_c (self->words, ' ');
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
      length = MIN (length, (gsize) n_bytes);
      if (remember (self, token, length))
        append (self, STINT_SEARCH_TEXT_MARK, token, length);
      if (self->of_title)
        add_of_title (self, token, length);
    }
  if (length < (gsize) n_bytes)
    add_whole_word (self, token, (gsize) n_bytes);
  return SQLITE_OK;
}

int
stint_beginnings_add (StintBeginnings *self, const char *text, gsize length, gboolean of_title)
{
  self->of_title = of_title;
  return self->methods.xTokenize (self->tokenizer, self, FTS5_TOKENIZE_DOCUMENT, text, (int) length,
                                  on_token);
}

const GString *
stint_beginnings_get_text (StintBeginnings *self)
{
  return self->text;
}

const GString *
stint_beginnings_get_words (StintBeginnings *self)
{
  return self->words;
}

void
stint_beginnings_clear (StintBeginnings *self)
{
  memset (self->shortest, 0, sizeof self->shortest);
  g_hash_table_remove_all (self->ascii);
  g_hash_table_remove_all (self->others);
  g_string_truncate (self->text, 0);
  g_hash_table_remove_all (self->known_words);
  g_string_truncate (self->words, 0);
}

char *
stint_beginnings_dup_word (const char *word, gboolean of_title)
{
  const char *mark = of_title ? STINT_SEARCH_TEXT_TITLE_MARK : STINT_SEARCH_TEXT_MARK;
  guint n = 0;

  for (const char *p = word; *p != '\0'; p = g_utf8_next_char (p))
    if (!g_unichar_isalnum (g_utf8_get_char (p)) ||
        stint_search_text_stands_alone (g_utf8_get_char (p)) || ++n > LONGEST)
      return NULL;
  return n > 0 ? g_strconcat (mark, word, NULL) : NULL;
}
