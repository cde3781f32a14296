/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* How the index splits text into words; of its tables, and of StintBeginnings. */
#define STINT_TOKENIZER "unicode61"
#define STINT_TOKENIZER_ARGUMENT "remove_diacritics"
#define STINT_TOKENIZER_VALUE "2"

/**
 * StintBeginnings:
 *
 * The first letters of each word of some texts, one to four of them, each once. What is typed first is a
 * letter, with which a large part of all words begins: FTS5 would merge what all of them have before it
 * gives the first job. So that it need not, the index has the beginnings as words of their own; and the
 * words that go on behind them, each once, for stint_vocabulary_expand().
 */
typedef struct _StintBeginnings StintBeginnings;

/* (transfer full) (nullable): @db: whose tokenizer splits the texts; %NULL: it has none. */
StintBeginnings *stint_beginnings_new (sqlite3 *db);
void stint_beginnings_free (StintBeginnings *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintBeginnings, stint_beginnings_free)

/**
 * stint_beginnings_add:
 * @self: the beginnings
 * @text: (array length=length): from stint_search_text_append()
 * @length: bytes
 * @of_title: it is a command or a name: its beginnings are also there as such
 *
 * Returns: an SQLite result code
 */
int stint_beginnings_add (StintBeginnings *self, const char *text, gsize length, gboolean of_title);

/* For a column of the index: valid until more is added. */
const GString *stint_beginnings_get_text (StintBeginnings *self);

/* The words that are longer than the longest beginning, likewise. */
const GString *stint_beginnings_get_words (StintBeginnings *self);

/* There are none again. */
void stint_beginnings_clear (StintBeginnings *self);

/**
 * stint_beginnings_dup_word:
 * @word: from stint_search_text_append()
 * @of_title: of commands and names alone
 *
 * Returns: (transfer full) (nullable): the word of the index that every job has with a word that begins with
 *   @word; %NULL: @word is longer than that, or not the beginning of one word
 */
char *stint_beginnings_dup_word (const char *word, gboolean of_title);

G_END_DECLS
