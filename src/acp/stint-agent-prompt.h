/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define STINT_TYPE_AGENT_PROMPT (stint_agent_prompt_get_type ())
G_DECLARE_FINAL_TYPE (StintAgentPrompt, stint_agent_prompt, STINT, AGENT_PROMPT, GObject)

/*
 * What the user says: a text, and what is attached to it. Editable until it goes.
 *
 * Properties:
 *
 *   text   string   read and write, notified
 */
StintAgentPrompt *stint_agent_prompt_new (const char *text);

const char *stint_agent_prompt_get_text (StintAgentPrompt *self);
void stint_agent_prompt_set_text (StintAgentPrompt *self, const char *text);

/* A file: every agent takes a link to one. @path: absolute. */
void stint_agent_prompt_attach_file (StintAgentPrompt *self, const char *path);

/* An image, if the agent takes one; @mime_type such as "image/png". */
void stint_agent_prompt_attach_image (StintAgentPrompt *self,
                                      GBytes *data,
                                      const char *mime_type);

guint stint_agent_prompt_get_n_attachments (StintAgentPrompt *self);

/**
 * stint_agent_prompt_get_attachment:
 * @position: from 0
 * @image: (out) (transfer none) (nullable): its data; %NULL: it is a file
 * @mime_type: (out) (transfer none) (nullable): of an image
 *
 * Returns: (nullable) (type filename): the path of the file; %NULL: it is an image
 */
const char *stint_agent_prompt_get_attachment (StintAgentPrompt *self,
                                               guint position,
                                               GBytes **image,
                                               const char **mime_type);

/* Whether there is a file to be read before the prompt goes to an agent that takes its text. */
gboolean stint_agent_prompt_has_files (StintAgentPrompt *self);

/* Reads the files that are attached, in a thread, for stint_agent_prompt_to_blocks(): what is a text of
 * up to 64 KiB, as long as they are no more than 256 KiB together. What is none stays a link. */
void stint_agent_prompt_read_async (StintAgentPrompt *self,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);

/* (transfer full) (element-type utf8): for each file that could not be read a sentence that says why. */
GPtrArray *stint_agent_prompt_read_finish (StintAgentPrompt *self, GAsyncResult *result);

/* (transfer full): the blocks of content. Images are left out unless @images; a file is a link unless
 * @embedded and its text has been read. */
JsonArray *
stint_agent_prompt_to_blocks (StintAgentPrompt *self, gboolean images, gboolean embedded);

G_END_DECLS
