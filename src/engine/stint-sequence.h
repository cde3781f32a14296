/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-list.h"

G_BEGIN_DECLS

/* Names of the continuations that a spec asks for. */
#define STINT_SEQUENCE_RETRY "retry"
#define STINT_SEQUENCE_THEN "then"

/* (nullable): the line, if @name is that of a continuation which stint_sequence_add() has added. */
const char *stint_sequence_get_added_line (const char *name);

/**
 * stint_sequence_attach:
 * @list: a list
 * @job: a job of it that has just been submitted
 *
 * Gives @job the continuations that its spec asks for: to be tried again, and its lines.
 */
void stint_sequence_attach (StintJobList *list, StintJob *job);

/**
 * stint_sequence_add:
 * @list: a list
 * @job: a job of it; if it has ended, @line runs now
 * @when: how it must have ended
 * @line: a shell line
 *
 * Adds a line that follows the job, where and as it ran, whatever else follows it: the same line with
 * another condition too. It goes with the job when that is let go, and to the job's next attempt if it
 * is tried again.
 */
void stint_sequence_add (StintJobList *list, StintJob *job, StintThen when, const char *line);

/* Adds what another process had added: @added is of stint_job_dup_added(), or %NULL. */
void stint_sequence_attach_added (StintJobList *list, StintJob *job, const char *added);

/**
 * stint_sequence_has_next:
 * @left: a job
 * @ending: how it ended
 *
 * Returns: whether anything was to follow it then
 */
gboolean stint_sequence_has_next (const StintLeftJob *left, StintEnding ending);

/**
 * stint_sequence_next:
 * @spec: what ran
 * @attempt: which attempt it was, 1 being the first
 * @ending: how it ended
 * @next_attempt: (out): the attempt that the next one is
 *
 * What a sequence does without a list, for who runs one job after the other.
 *
 * Returns: (transfer full) (nullable): what to run next, unsealed; %NULL: the sequence is over
 */
StintJobSpec *stint_sequence_next (StintJobSpec *spec,
                                   guint attempt,
                                   StintEnding ending,
                                   guint *next_attempt);

G_END_DECLS
