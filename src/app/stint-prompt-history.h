/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define STINT_TYPE_PROMPT_HISTORY (stint_prompt_history_get_type ())
G_DECLARE_FINAL_TYPE (StintPromptHistory, stint_prompt_history, STINT, PROMPT_HISTORY, GObject)

/*
 * What was said to agents, the newest last, kept in a file that only its owner may read.
 *
 * Signals:
 *
 *   problem (GError *error)   it could not be read or written; what was said is known until the end
 *   loaded ()                 what was kept is there
 */

/* Of these the newest are kept, and of each so many bytes. */
#define STINT_PROMPT_HISTORY_LIMIT 1000
#define STINT_PROMPT_HISTORY_MAX_BYTES (64 * 1024)

/* @file: (nullable) (type filename): %NULL: `stint/prompts` in the state directory. Read in a thread. */
StintPromptHistory *stint_prompt_history_new (const char *file);

/* (transfer none): the one of this process. */
StintPromptHistory *stint_prompt_history_get_default (void);

guint stint_prompt_history_get_n (StintPromptHistory *self);

/* (transfer none): the one said @back times before the newest. */
const char *stint_prompt_history_get (StintPromptHistory *self, guint back);

/* Keeps a prompt, unless it is the newest already. Written in a thread. */
void stint_prompt_history_add (StintPromptHistory *self, const char *text);

/* (transfer full) (array zero-terminated=1): those that hold @text, whatever its case, the newest
 * first, each once, at most @n. */
char **stint_prompt_history_search (StintPromptHistory *self, const char *text, guint n);

/* Whether all that was added has been written, or could not be. */
gboolean stint_prompt_history_is_saved (StintPromptHistory *self);

G_END_DECLS
