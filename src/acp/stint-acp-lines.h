/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Bytes: more than this of a buffer is given back after a long line. */
#define STINT_ACP_KEPT (1024 * 1024)

/* Lines out of a descriptor, as they come: in pieces, or many at a time. One thread at a time. */
typedef struct _StintAcpLines StintAcpLines;

/* @max: bytes; a longer line is passed over. */
StintAcpLines *stint_acp_lines_new (gsize max);
void stint_acp_lines_free (StintAcpLines *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintAcpLines, stint_acp_lines_free)

/* read(2), of @size bytes at most: its result, and errno. What was given out is gone. */
gssize stint_acp_lines_read (StintAcpLines *self, int fd, gsize size);

/**
 * stint_acp_lines_next:
 * @length: (out): its bytes
 * @too_long: (out) (optional): it has more bytes than are allowed; these are its first ones
 *
 * Returns: (nullable) (transfer none): the next line that is whole, without its end; empty ones are
 *   passed over. Not terminated by a NUL, and gone with the next call.
 */
const char *stint_acp_lines_next (StintAcpLines *self, gsize *length, gboolean *too_long);

/* At the end of all: what has no end of its own; then %NULL. */
const char *stint_acp_lines_rest (StintAcpLines *self, gsize *length);

/* Bytes that have not been given out: of the line that has no end yet, when stint_acp_lines_next() has nothing
 * more. %G_MAXSIZE while it is too long, and the rest of it is passed over. */
gsize stint_acp_lines_get_rest (StintAcpLines *self);

G_END_DECLS
