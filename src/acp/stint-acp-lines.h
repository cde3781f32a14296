/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Lines out of a descriptor, as they come: in pieces, or many at a time. One thread at a time. */
typedef struct _StintAcpLines StintAcpLines;

/* @max: bytes; a longer line is passed over. */
StintAcpLines *stint_acp_lines_new (gsize max);
void stint_acp_lines_free (StintAcpLines *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintAcpLines, stint_acp_lines_free)

/* read(2), of @size bytes at most: its result, and errno. What stint_acp_lines_next() gave out is gone. */
gssize stint_acp_lines_read (StintAcpLines *self, int fd, gsize size);

/**
 * stint_acp_lines_next:
 * @length: (out): its bytes
 * @too_long: (out) (optional): it has more bytes than are allowed; these are its first ones
 *
 * Returns: (nullable) (transfer none): the next line that is whole, without its end; empty ones are
 *   passed over. Not terminated by a NUL.
 */
const char *stint_acp_lines_next (StintAcpLines *self, gsize *length, gboolean *too_long);

/* At the end of all: what has no end of its own. */
const char *stint_acp_lines_rest (StintAcpLines *self, gsize *length);

/* Whether the last byte that was read was the end of a line, and all lines have been given out. */
gboolean stint_acp_lines_is_empty (StintAcpLines *self);

G_END_DECLS
