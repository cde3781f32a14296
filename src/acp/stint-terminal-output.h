/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-reader.h"

G_BEGIN_DECLS

/* What is handed out at most, whatever the agent allows: an answer is a line. */
#define STINT_TERMINAL_OUTPUT_CEILING (1024 * 1024)

/**
 * stint_terminal_output_read:
 * @reader: a job's output, of this thread's
 * @limit: bytes of the text
 * @complete: whether no more will come, so that a part of a character at the end is one that is damaged
 * @truncated: (out): whether there was more
 *
 * The end of a terminal's output as text: without control sequences, lines ended by LF, what is no
 * UTF-8 replaced by U+FFFD, cut at a character. Reads files: not for the main thread.
 *
 * Returns: (transfer full): the text
 */
char *stint_terminal_output_read (StintReader *reader,
                                  guint64 limit,
                                  gboolean complete,
                                  gboolean *truncated);

/* The same of bytes that are there. */
char *stint_terminal_output_to_text (const guint8 *raw,
                                     gsize size,
                                     guint64 limit,
                                     gboolean complete,
                                     gboolean *truncated);

G_END_DECLS
