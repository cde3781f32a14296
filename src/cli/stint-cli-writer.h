/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * StintCliWriter:
 *
 * Writes text to a descriptor that may block, and never waits for it: what its reader has not taken
 * yet is kept.
 */
typedef struct _StintCliWriter StintCliWriter;

/**
 * StintCliWriterFunc:
 * @reader_gone: whether nobody reads any more (else: all has been written)
 * @user_data: what was given to stint_cli_writer_new()
 *
 * Called once, on the main context.
 */
typedef void (*StintCliWriterFunc) (gboolean reader_gone, gpointer user_data);

/**
 * stint_cli_writer_new:
 * @fd: where to; stays the caller's
 * @most: how much memory to take for a slow reader, in bytes: what can be kept for it is at least half
 * @ended: called when all has been written after stint_cli_writer_close(), or nobody reads any more
 * @user_data: for @ended
 * @error: there are no descriptors
 *
 * Returns: (transfer full): a writer, or %NULL
 */
StintCliWriter *
stint_cli_writer_new (int fd,
                      gsize most,
                      StintCliWriterFunc ended,
                      gpointer user_data,
                      GError **error);

/**
 * stint_cli_writer_write:
 * @self: a writer
 * @text: what to write
 * @length: its bytes
 *
 * Returns: %FALSE if the reader is too slow: from this text on nothing is taken
 */
gboolean stint_cli_writer_write (StintCliWriter *self, const char *text, gsize length);

/* Nothing more is written. Once. */
void stint_cli_writer_close (StintCliWriter *self);

/* What has not been written is lost. */
void stint_cli_writer_free (StintCliWriter *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintCliWriter, stint_cli_writer_free)

G_END_DECLS
