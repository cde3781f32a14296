/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * stint_search_text_append:
 * @self: what is going to be indexed or looked up
 * @text: any bytes
 * @length: how many
 *
 * Appends @text as the index's tokenizer wants it: valid UTF-8 without NUL, and with a space around
 * each character of a script that puts none between its words, so that each is a word of its own
 * and what is looked up is a phrase of them.
 */
void stint_search_text_append (GString *self, const char *text, gsize length);

/* Never in what stint_search_text_append() gives: what the index has of its own begins with one of them. For the
 * tokenizer they are letters. */
#define STINT_SEARCH_TEXT_MARK "\xee\x80\x80"
#define STINT_SEARCH_TEXT_MARK_CHARACTER 0xe000
#define STINT_SEARCH_TEXT_TITLE_MARK "\xee\x80\x81"
#define STINT_SEARCH_TEXT_TITLE_MARK_CHARACTER 0xe001

/* Whether @c is of a script that puts no space between its words. */
gboolean stint_search_text_stands_alone (gunichar c);

/* Whether there is a letter or digit in @text, UTF-8: without one it has no words. */
gboolean stint_search_text_has_words (const char *text);

/**
 * stint_search_text_dup_trigrams:
 * @column: of the index's `titles`
 * @text: part of what is looked for, UTF-8
 *
 * Returns: (transfer full) (nullable): for MATCH: what has all that @text has of three characters, which may be
 *   more than what has @text; %NULL: it is shorter
 */
char *stint_search_text_dup_trigrams (const char *column, const char *text);

G_END_DECLS
