/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How much of the end of an output is enough to see what it stopped at. */
#define STINT_QUESTION_BYTES 4096

/**
 * StintLastWords:
 * @line: the line that the output stopped in the middle of, without control sequences; empty if it
 *   stopped behind a line feed
 * @bell_at: behind the last bell in the output; 0: there is none in what was read
 * @full_screen: the alternate screen is shown, as far as what was read tells
 *
 * What a terminal's output says at its end.
 */
typedef struct
{
  char *line;
  guint64 bell_at;
  gboolean full_screen;
} StintLastWords;

/**
 * stint_last_words_read:
 * @self: (out): what is found
 * @output: (array length=size): the end of the output
 * @size: how much, at most a few kibibytes
 * @offset: of @output; where it is cut, what may be the rest of a control sequence is passed over
 */
void
stint_last_words_read (StintLastWords *self, const guint8 *output, gsize size, guint64 offset);
void stint_last_words_clear (StintLastWords *self);

/**
 * stint_last_words_ask:
 * @self: what the output stopped at
 * @takes_lines: whether the terminal takes whole lines (canonical mode). One that takes single keys
 *   belongs to a program that always reads it, such as a shell or an editor: there only what asks for
 *   yes or no is a question
 *
 * Guesses, from the shape of the line alone: the words are in any language. What a shell or an
 * interpreter prompts with is no question.
 *
 * Returns: whether somebody is asked something
 */
gboolean stint_last_words_ask (const StintLastWords *self, gboolean takes_lines);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (StintLastWords, stint_last_words_clear)

G_END_DECLS
