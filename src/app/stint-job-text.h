/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-entry.h"

G_BEGIN_DECLS

/* What labels, rows and chips say about a job. Translated. */

/* (transfer full): its state, or how it ended, in a few words: "Running", "Exited with code 3". */
char *stint_job_text_dup_state (StintJob *job);

/* The same of how a job ended, and the icon that goes with it. */
char *stint_job_text_dup_ended (const StintResult *result);
const char *stint_job_text_get_ended_icon (const StintResult *result);

/* The name of the symbolic icon that goes with it. */
const char *stint_job_text_get_icon (StintJob *job);

/* The style class that goes with it: "success", "warning", "error", "accent" or "dim-label". */
const char *stint_job_text_get_style (StintJob *job);

/* The same of a job that has ended so. */
const char *stint_job_text_get_ended_style (const StintResult *result);

/* (transfer full) (nullable): how long it has run or ran, %NULL if it has not started. */
char *stint_job_text_dup_elapsed (StintJob *job);

/* (transfer full) (nullable): how much of its work it says it has done: "45%"; %NULL if it does not say. */
char *stint_job_text_dup_progress (StintJob *job);

/* (transfer full) (nullable): while it is stopping: "SIGKILL in 4 s". */
char *stint_job_text_dup_kill_countdown (StintJob *job);

/* (transfer full) (nullable): of a queued job, beside its state: "number 3", "in 4:59". */
char *stint_job_text_dup_waiting (StintJob *job);

/* (transfer full): of a queued job, what it waits for, a sentence. */
char *stint_job_text_dup_queue (StintJob *job);

/* (transfer full) (nullable): when it started: "14:03" today, else "3 Mar 14:03". */
char *stint_job_text_dup_started (StintJob *job, GDateTime *now);

/* (transfer full): the kind in a word or two: "Background Shell", "Terminal", "Agent Command". */
char *stint_job_text_dup_kind (StintJobKind kind);

/* The name of the symbolic icon of a kind. */
const char *stint_job_text_get_kind_icon (StintJobKind kind);

/* The title of a section of the list. */
const char *stint_job_text_get_section (StintSection section);

/* What a kind is, a line. */
const char *stint_job_text_describe_kind (StintJobKind kind);

/* (transfer full) (type utf8): a directory with ~ for home, cleaned and clamped. */
char *stint_job_text_dup_directory (const char *directory);

/**
 * stint_job_text_get_nearest_limit:
 * @job: a job
 * @left: (out): microseconds until the first of its limits expires
 * @fraction: (out): how much of that limit is left, 0 to 1
 *
 * Returns: %FALSE if no limit is counting
 */
gboolean stint_job_text_get_nearest_limit (StintJob *job, gint64 *left, double *fraction);

/* How much of a limit is left, 0 to 1, for a ring. */
double stint_job_text_get_fraction (gint64 left, gint64 total);

G_END_DECLS
