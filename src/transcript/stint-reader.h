/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "stint-stream.h"

G_BEGIN_DECLS

struct keeper_counters;

/**
 * StintReader:
 *
 * Reads one job directory, while its keeper still writes and afterwards, compressed or not. Never
 * writes, never waits for more. One thread at a time: another thread takes a
 * stint_reader_dup() of its own.
 *
 * Offsets are bytes of `output`: of all streams in the order in which they came, the hole that the
 * output limit made included.
 */
typedef struct _StintReader StintReader;

/**
 * stint_reader_new:
 * @directory: (type filename): a job directory in which nobody writes any more
 *
 * Returns: (transfer full): its reader; that it cannot be read is told by the calls that read
 */
StintReader *stint_reader_new (const char *directory);

/**
 * stint_reader_new_live:
 * @directory: (type filename): a job directory
 * @page: the counters that its keeper publishes
 * @owner: (nullable): what keeps @page mapped; a reference is held
 *
 * Returns: (transfer full): the reader of a transcript that grows
 */
StintReader *stint_reader_new_live (const char *directory,
                                    const struct keeper_counters *page,
                                    GObject *owner);

/* A reader of the same for another thread, with descriptors of its own. */
StintReader *stint_reader_dup (StintReader *self);

void stint_reader_free (StintReader *self);

/* What the counters say now is the end: they are not looked at again. */
void stint_reader_complete (StintReader *self);

/* Whether no more will come. */
gboolean stint_reader_is_complete (StintReader *self);

/* Opens what can still be opened, and keeps it so: the directory is about to be removed. */
void stint_reader_hold_open (StintReader *self);

/**
 * stint_reader_close:
 * @self: a reader
 *
 * Closes the files until something is read again. A file that is held open keeps its place on the disk
 * after it has been compressed or removed. Does nothing while the transcript grows.
 */
void stint_reader_close (StintReader *self);

/* Bytes from the beginning to the end of what there is now, the hole included. */
guint64 stint_reader_get_size (StintReader *self);

/* The part that the output limit removed; @start == @end: none. */
void stint_reader_get_hole (StintReader *self, guint64 *start, guint64 *end);

/* Bytes that could not be stored at all. */
guint64 stint_reader_get_lost (StintReader *self);

/**
 * stint_reader_read:
 * @self: a reader
 * @offset: (inout): where to read from; moved past the hole if it lay in it, and then past what was read
 * @buffer: (out caller-allocates) (array length=size): where to
 * @size: how much at most
 * @skipped: (out) (optional): how many bytes of the hole were passed over before the first byte read
 * @error: the file cannot be read
 *
 * Raw bytes of all streams in the order in which they came. Never returns bytes of the hole.
 *
 * Returns: how many bytes were read, maybe fewer than there are; 0 at the end of what there is; -1
 *   with @error set
 */
gssize stint_reader_read (StintReader *self,
                          guint64 *offset,
                          guint8 *buffer,
                          gsize size,
                          guint64 *skipped,
                          GError **error);

/**
 * stint_reader_find_line_start:
 * @self: a reader
 * @before: an offset
 * @max_lines: how many lines before it are wanted
 * @max_bytes: how much of the output at most
 *
 * Returns: the start of the line that stands @max_lines line feeds before @before (0: of the line of
 *   @before itself); if @max_bytes are too few for that, an offset at most @max_bytes before it, at
 *   the start of a line if there is one, and never within a UTF-8 sequence
 */
guint64 stint_reader_find_line_start (StintReader *self,
                                      guint64 before,
                                      guint64 max_lines,
                                      gsize max_bytes);

/**
 * stint_reader_read_stream:
 * @self: a reader
 * @stream: which
 * @max_bytes: how much of its end at most
 * @error: a file cannot be read
 *
 * Returns: (transfer full): the last bytes of one stream, as they were written
 */
GBytes *stint_reader_read_stream (StintReader *self,
                                  StintStream stream,
                                  gsize max_bytes,
                                  GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintReader, stint_reader_free)

G_END_DECLS
