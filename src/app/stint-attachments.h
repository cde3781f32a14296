/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-agent-prompt.h"

G_BEGIN_DECLS

#define STINT_TYPE_ATTACHMENTS (stint_attachments_get_type ())
G_DECLARE_FINAL_TYPE (StintAttachments, stint_attachments, STINT, ATTACHMENTS, GtkWidget)

/*
 * What goes with a prompt: a chip for each, which takes it away again. Hidden while there is none.
 *
 * Signals:
 *
 *   removed ()                the user has taken one away
 *   problem (GError *error)   one could not be attached
 */

/* Whether images go as such, not as links to their files. */
void stint_attachments_set_takes_images (StintAttachments *self, gboolean takes_images);

/* (nullable) (type filename): where pictures that are pasted are kept, for an agent that takes none. */
void stint_attachments_set_directory (StintAttachments *self, const char *directory);

/* A picture that was pasted. */
void stint_attachments_add_texture (StintAttachments *self, GdkTexture *texture);

void stint_attachments_add_file (StintAttachments *self, GFile *file);

guint stint_attachments_get_n (StintAttachments *self);

/* All of them go with @prompt. */
void stint_attachments_move_to (StintAttachments *self, StintAgentPrompt *prompt);

G_END_DECLS
