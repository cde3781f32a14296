/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "stint-reader.h"

G_BEGIN_DECLS

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

/* What reads it: borrowed, and for the main thread. It lives as long as the transcript. */
StintReader *stint_transcript_get_reader (StintTranscript *self);

/* Whether no more will come. */
gboolean stint_transcript_is_complete (StintTranscript *self);

/**
 * stint_transcript_follow:
 * @self: a transcript
 *
 * Asks for #StintTranscript::grew. While nobody follows, a running job costs nothing here. Each
 * call is undone by one of stint_transcript_unfollow().
 */
void stint_transcript_follow (StintTranscript *self);
void stint_transcript_unfollow (StintTranscript *self);

G_END_DECLS
