/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-agent-prompt.h"
#include "stint-prompt-history.h"

G_BEGIN_DECLS

#define STINT_TYPE_PROMPT_ENTRY (stint_prompt_entry_get_type ())
G_DECLARE_FINAL_TYPE (StintPromptEntry, stint_prompt_entry, STINT, PROMPT_ENTRY, GtkWidget)

/*
 * Where a prompt is written: several lines, Enter sends. Up and Down go through what was said before,
 * Ctrl+R looks through it, "/" completes the agent's commands, "@" files. Files can be dropped on it,
 * files and pictures pasted into it.
 *
 * Properties:
 *
 *   busy   boolean   there is a turn: there is a button that stops it, and what is sent waits
 *
 * Signals:
 *
 *   send (StintAgentPrompt *prompt)
 *   stop ()        the button was pressed
 *   interrupt ()   Ctrl+C without a selection
 *   quit ()        "/quit", or Ctrl+D while it is empty
 *   problem (GError *error)
 */

GtkWidget *stint_prompt_entry_new (void);

/* @history: else the one of this process. */
void stint_prompt_entry_set_history (StintPromptEntry *self, StintPromptHistory *history);

/* @commands: (nullable): of StintAgentCommand. */
void stint_prompt_entry_set_commands (StintPromptEntry *self, GListModel *commands);

/* Where "@" looks for files. */
void stint_prompt_entry_set_directory (StintPromptEntry *self, const char *directory);

/* Whether images go as such, not as links to their files. */
void stint_prompt_entry_set_takes_images (StintPromptEntry *self, gboolean takes_images);

/* (transfer full) */
char *stint_prompt_entry_dup_text (StintPromptEntry *self);
void stint_prompt_entry_set_text (StintPromptEntry *self, const char *text);

/* A prompt that has not gone is written again; what is attached to it stays attached. */
void stint_prompt_entry_edit (StintPromptEntry *self, StintAgentPrompt *prompt);

/* (nullable) (type filename): where pictures are kept that are pasted for an agent that takes none. */
void stint_prompt_entry_set_picture_directory (StintPromptEntry *self, const char *directory);

/* As if it was pasted. */
void stint_prompt_entry_attach_texture (StintPromptEntry *self, GdkTexture *texture);

/* As if it was dropped. */
void stint_prompt_entry_attach (StintPromptEntry *self, GFile *file);
guint stint_prompt_entry_get_n_attachments (StintPromptEntry *self);

G_END_DECLS
