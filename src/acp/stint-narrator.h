/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-conversation.h"

G_BEGIN_DECLS

#define STINT_TYPE_NARRATOR (stint_narrator_get_type ())
G_DECLARE_FINAL_TYPE (StintNarrator, stint_narrator, STINT, NARRATOR, GObject)

/**
 * stint_narrator_new:
 * @conversation: a conversation that goes on
 * @fd: (transfer full): the write end of a pipe of our own
 *
 * Tells a conversation as a stream for a terminal: prompts, answers, thoughts, a line for each tool
 * call and for its end. Never blocks; what a reader that is too slow does not take is told as left
 * out.
 *
 * Returns: (transfer full): the narrator, which tells as long as it lives
 */
StintNarrator *stint_narrator_new (StintConversation *conversation, int fd);

/* Writes what can be written at once, and closes the pipe. */
void stint_narrator_close (StintNarrator *self);

G_END_DECLS
