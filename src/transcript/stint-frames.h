/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * StintFrames:
 *
 * A compressed file that can be read from the middle: independent zstd frames and a table of where
 * they are (the "seekable format" of zstd's contrib directory). `zstd -d` reads it too.
 *
 * Our own skippable frame at the front says how long the file was and which part of it, the hole, is
 * not there: offsets stay those of the file that was compressed.
 *
 * One thread at a time.
 */
typedef struct _StintFrames StintFrames;

/**
 * stint_frames_open:
 * @fd: (transfer full): a compressed file, open for reading; closed in any case
 * @error: it is not one, or damaged
 *
 * Returns: (transfer full): its reader, or %NULL
 */
StintFrames *stint_frames_open (int fd, GError **error);

void stint_frames_free (StintFrames *self);

/* Bytes from the beginning to the end of what was compressed, the hole included. */
guint64 stint_frames_get_size (StintFrames *self);

/* The part that is not there; @start == @end: none. */
void stint_frames_get_hole (StintFrames *self, guint64 *start, guint64 *end);

/**
 * stint_frames_pread:
 * @self: a compressed file
 * @buffer: (out caller-allocates) (array length=size): where to
 * @size: how much at most
 * @offset: from where; in the hole there is nothing to read
 * @error: the file cannot be read, or is damaged there, or @offset is in the hole
 *
 * Returns: how many bytes were read, fewer than @size at the end of a frame and before the hole; 0
 *   at the end; -1 with @error set
 */
gssize
stint_frames_pread (StintFrames *self, void *buffer, gsize size, guint64 offset, GError **error);

/**
 * StintFramesSource:
 * @buffer: (out caller-allocates): where to
 * @size: how much is wanted; less only at the end
 * @offset: from where, never in the hole
 * @user_data: as given
 * @error: it cannot be read
 *
 * Returns: how many bytes were read, or -1
 */
typedef gssize (*StintFramesSource) (
  void *buffer, gsize size, guint64 offset, gpointer user_data, GError **error);

/**
 * stint_frames_write:
 * @fd: an empty file, open for writing
 * @size: how long what is compressed is
 * @hole_start: what of it is not there
 * @hole_end: its end; @hole_start == @hole_end: all is there
 * @source: gives the bytes, in order
 * @user_data: for @source
 * @cancellable: (nullable): looked at between frames
 * @error: reading, writing or checking failed, or it was cancelled
 *
 * Compresses. Each frame is decompressed again and compared before it is written: what is compressed
 * is about to be deleted.
 *
 * Returns: %FALSE on error; then the file is of no use
 */
gboolean stint_frames_write (int fd,
                             guint64 size,
                             guint64 hole_start,
                             guint64 hole_end,
                             StintFramesSource source,
                             gpointer user_data,
                             GCancellable *cancellable,
                             GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintFrames, stint_frames_free)

G_END_DECLS
