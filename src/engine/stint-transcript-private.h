/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-counters.h"
#include "stint-transcript.h"

G_BEGIN_DECLS

/* The transcript of a job that is running. */
StintTranscript *stint_transcript_new_live (const char *directory, StintCounters *counters);

/* The job has finished: no more will come. Tells the followers. */
void stint_transcript_complete (StintTranscript *self);

/* Opens what can still be opened: the directory is about to be removed. */
void stint_transcript_hold_open (StintTranscript *self);

G_END_DECLS
