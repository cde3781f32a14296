/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-prompt-history.h"

G_BEGIN_DECLS

#define STINT_TYPE_PROMPT_COMPLETER (stint_prompt_completer_get_type ())
G_DECLARE_FINAL_TYPE (StintPromptCompleter, stint_prompt_completer, STINT, PROMPT_COMPLETER, GObject)

/*
 * What completes a prompt that is being written: "/" the agent's commands, "@" files, and what was
 * said before.
 *
 * Signals:
 *
 *   recalled (const char *text)   something that was said before was chosen: it is the prompt now
 *   completing (gboolean now)     around a change of the text that is no typing
 */

/* @view: where the prompt is written; it holds the popover until stint_prompt_completer_close(). */
StintPromptCompleter *stint_prompt_completer_new (GtkTextView *view);

/* The popover goes, and nothing is offered any more. */
void stint_prompt_completer_close (StintPromptCompleter *self);

/* @commands: (nullable): of StintAgentCommand. */
void stint_prompt_completer_set_commands (StintPromptCompleter *self, GListModel *commands);

/* (nullable) (type filename): where "@" looks for files. */
void stint_prompt_completer_set_directory (StintPromptCompleter *self, const char *directory);

/* Offers what fits what stands before the cursor: it has just been typed. */
void stint_prompt_completer_complete (StintPromptCompleter *self);

/* Offers what was said before and holds the prompt's text, until something else is typed. */
void stint_prompt_completer_search (StintPromptCompleter *self, StintPromptHistory *history);

/* Nothing is offered any more, until something is typed. */
void stint_prompt_completer_dismiss (StintPromptCompleter *self);

/* Returns: whether the keys mean what is offered. */
gboolean stint_prompt_completer_handle_key (StintPromptCompleter *self,
                                            guint key,
                                            GdkModifierType state);

G_END_DECLS
