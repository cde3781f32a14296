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

/* Whether there is a letter or digit in @text, UTF-8: without one it has no words. */
gboolean stint_search_text_has_words (const char *text);

G_END_DECLS
