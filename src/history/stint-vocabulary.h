/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/**
 * stint_vocabulary_expand:
 * @db: a connection to which the search index is attached as `search`
 * @word: a word as it was typed, perhaps not to its end
 *
 * FTS5 answers a prefix by first merging all that every word has that begins so, however little of it is
 * wanted then; whole words it reads as they are asked for. Words of up to four letters are not among them:
 * those are found by their beginning.
 *
 * Returns: (transfer full) (nullable): for MATCH: the words of the index that begin so, in brackets;
 *   %NULL: too many, or @word is not plain: it is to be looked for as it is
 */
char *stint_vocabulary_expand (sqlite3 *db, const char *word);

G_END_DECLS
