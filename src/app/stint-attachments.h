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
 *   settled ()                nothing is being loaded any more: all of them can go
 *   problem (GError *error)   one could not be attached, and is not there any more
 */

/* Whether images go as such, not as links to their files. */
void stint_attachments_set_takes_images (StintAttachments *self, gboolean takes_images);

/* (nullable) (type filename): where pictures that are pasted are kept, for an agent that takes none. */
void stint_attachments_set_directory (StintAttachments *self, const char *directory);

/* A picture that was pasted. */
void stint_attachments_add_texture (StintAttachments *self, GdkTexture *texture);

void stint_attachments_add_file (StintAttachments *self, GFile *file);

/* Takes the files or the picture of @clipboard. Returns: %FALSE if there is neither: it is text. */
gboolean stint_attachments_paste (StintAttachments *self, GdkClipboard *clipboard);

/* With those that are still being loaded. */
guint stint_attachments_get_n (StintAttachments *self);

/* Whether one is still being loaded. */
gboolean stint_attachments_is_loading (StintAttachments *self);

/* All of them go with @prompt. None is being loaded. */
void stint_attachments_move_to (StintAttachments *self, StintAgentPrompt *prompt);

/* An image that went with a prompt, to go with the next. */
void stint_attachments_add_image (StintAttachments *self, GBytes *image, const char *mime_type);

G_END_DECLS
