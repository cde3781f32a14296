/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "stint-job-entry.h"
#include "stint-job-list.h"

G_BEGIN_DECLS

/* What has ended is taken off the list when there is more of it than this. */
#define STINT_BOARD_MOST_RECENT 50

/* Of failures that nobody has seen, the oldest count as seen when there are more than this. */
#define STINT_BOARD_MOST_FAILED 100

/* And of an agent's terminals that have ended. */
#define STINT_BOARD_MOST_BELOW 8

#define STINT_TYPE_JOB_BOARD (stint_job_board_get_type ())
G_DECLARE_FINAL_TYPE (StintJobBoard, stint_job_board, STINT, JOB_BOARD, GObject)

/*
 * A GListModel of StintJobEntry: the jobs of this session in the sections of the sidebar. It outlives
 * the window, so that what needs the user is known when there is none.
 *
 * A job that is part of another one (stint_job_spec_get_parent()) follows it, in its section, and is
 * not counted; what it needs of the user, the other one needs. That it failed is for who started it.
 *
 * A job of the history, which had finished when it came into the list, is not on the board.
 *
 * Signals:
 *
 *   counts-changed ()   how many there are in a section
 *   needs-you (StintJobEntry *entry)   a job has entered the section
 */

/**
 * stint_job_board_new:
 * @jobs: the jobs
 *
 * Returns: (transfer full): the board, kept in order as the jobs change
 */
StintJobBoard *stint_job_board_new (StintJobList *jobs);

/* Without those that are part of another one. */
guint stint_job_board_get_count (StintJobBoard *self, StintSection section);

/* (nullable) (transfer none): %NULL if the job is not on the board. */
StintJobEntry *stint_job_board_find (StintJobBoard *self, StintJob *job);

/* Puts a job that has finished on the board: one that ended while nobody could see it, or that was
 * dismissed. No effect if it is there. */
void stint_job_board_add_finished (StintJobBoard *self, StintJob *job, gboolean unseen);

/* Takes a job that has finished off the board; the history keeps it. FALSE: it has not finished. */
gboolean stint_job_board_dismiss (StintJobBoard *self, StintJob *job);

/* The user has seen how the job is: a failure no longer needs them. */
void stint_job_board_set_seen (StintJobBoard *self, StintJob *job);

/**
 * stint_job_board_set_asks:
 * @self: the board
 * @job: a job
 * @what: (nullable): what it waits for, a few words: a permission, an answer; %NULL: it was answered
 *
 * The job needs the user, until this is called with %NULL or it has finished.
 */
void stint_job_board_set_asks (StintJobBoard *self, StintJob *job, const char *what);

/**
 * stint_job_board_set_rang:
 * @self: the board
 * @job: a job
 * @rang: whether its program has rung the terminal's bell
 *
 * The job needs the user, until this is called with %FALSE, the user has seen it or it has finished.
 */
void stint_job_board_set_rang (StintJobBoard *self, StintJob *job, gboolean rang);

G_END_DECLS
