/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * StintStream:
 * @STINT_STREAM_STDOUT: standard output; on a pty everything
 * @STINT_STREAM_STDERR: standard error
 */
typedef enum
{
  STINT_STREAM_STDOUT,
  STINT_STREAM_STDERR,
} StintStream;

#define STINT_TYPE_TRANSCRIPT (stint_transcript_get_type ())
G_DECLARE_FINAL_TYPE (StintTranscript, stint_transcript, STINT, TRANSCRIPT, GObject)

/*
 * Signals:
 *
 *   grew ()   there is more to read, or the transcript is complete; only while somebody follows
 */

/**
 * stint_transcript_new:
 * @directory: (type filename): a job directory
 *
 * Returns: (transfer full): a reader of a transcript that is complete
 */
StintTranscript *stint_transcript_new (const char *directory);

/* Bytes from its beginning to its end, the hole included. */
guint64 stint_transcript_get_size (StintTranscript *self);

/* Whether no more will come. */
gboolean stint_transcript_is_complete (StintTranscript *self);

/* The part that the output limit removed; @start == @end: none. */
void stint_transcript_get_hole (StintTranscript *self, guint64 *start, guint64 *end);

/* Bytes that could not be stored at all. */
guint64 stint_transcript_get_lost (StintTranscript *self);

/**
 * stint_transcript_read:
 * @self: a transcript
 * @offset: (inout): where to read from; moved past the hole if it lay in it, and then past what was read
 * @buffer: (out caller-allocates) (array length=size): where to
 * @size: how much at most
 * @skipped: (out) (optional): how many bytes of the hole were passed over before the first byte read
 * @error: the file cannot be read
 *
 * Raw bytes of all streams in the order in which they came. Never returns bytes of the hole.
 *
 * Returns: how many bytes were read; 0 at the end of what there is; -1 with @error set
 */
gssize stint_transcript_read (StintTranscript *self,
                              guint64 *offset,
                              guint8 *buffer,
                              gsize size,
                              guint64 *skipped,
                              GError **error);

/**
 * stint_transcript_get_tail_offset:
 * @self: a transcript
 * @max_bytes: how much of the end is wanted
 *
 * Returns: an offset at most @max_bytes before the end, at the start of a line if there is one, and
 *   never within a UTF-8 sequence
 */
guint64 stint_transcript_get_tail_offset (StintTranscript *self, gsize max_bytes);

/**
 * stint_transcript_read_stream:
 * @self: a transcript
 * @stream: which
 * @max_bytes: how much of its end at most
 * @error: a file cannot be read
 *
 * Returns: (transfer full): the last bytes of one stream, as they were written
 */
GBytes *stint_transcript_read_stream (StintTranscript *self,
                                      StintStream stream,
                                      gsize max_bytes,
                                      GError **error);

/**
 * stint_transcript_get_size_at:
 * @self: a transcript
 * @offset: a place in it
 * @columns: (out): the terminal's size there
 * @rows: (out):
 *
 * Returns: %FALSE if it was not recorded on a terminal
 */
gboolean
stint_transcript_get_size_at (StintTranscript *self, guint64 offset, guint *columns, guint *rows);

/**
 * stint_transcript_follow:
 * @self: a transcript
 *
 * Asks for #StintTranscript::grew. While nobody follows, a running job costs nothing here. Each
 * call is undone by one of stint_transcript_unfollow().
 */
void stint_transcript_follow (StintTranscript *self);
void stint_transcript_unfollow (StintTranscript *self);

/**
 * stint_text_from_bytes:
 * @bytes: any bytes
 *
 * Returns: (transfer full): valid UTF-8, with U+FFFD for what is not; a sequence that is cut off at
 *   either end is left out
 */
char *stint_text_from_bytes (GBytes *bytes);

G_END_DECLS
