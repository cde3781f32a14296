/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define STINT_TYPE_PROBLEM (stint_problem_get_type ())
G_DECLARE_FINAL_TYPE (StintProblem, stint_problem, STINT, PROBLEM, GObject)

/* One line for a toast, and what went wrong in full. Neither is markup. */
const char *stint_problem_get_title (StintProblem *self);
const char *stint_problem_get_details (StintProblem *self);

/* Microseconds since 1970: when it was raised. */
gint64 stint_problem_get_time (StintProblem *self);

/* (transfer full): all of it, to be pasted somewhere. */
char *stint_problem_dup_text (StintProblem *self);

#define STINT_TYPE_PROBLEMS (stint_problems_get_type ())
G_DECLARE_FINAL_TYPE (StintProblems, stint_problems, STINT, PROBLEMS, GObject)

/*
 * A GListModel of StintProblem, oldest first.
 *
 * Signals:
 *
 *   raised (StintProblem *problem)
 */

/**
 * stint_problems_new:
 *
 * The one way to tell a person that something went wrong. Whoever meets an error raises it here;
 * the window shows it, and it is kept.
 *
 * Returns: (transfer full): nothing wrong yet
 */
StintProblems *stint_problems_new (void);

/**
 * stint_problems_raise:
 * @self: the problems
 * @title: what did not work, in a few words, translated
 * @error: why
 *
 * Also written to standard error. What has just been raised with the same error is not raised again.
 */
void stint_problems_raise (StintProblems *self, const char *title, const GError *error);

/* Forgets them all. */
void stint_problems_clear (StintProblems *self);

/* How many have been raised that nobody has been shown: there was no window. */
guint stint_problems_get_n_untold (StintProblems *self);

/* Those that there are have been shown. */
void stint_problems_set_told (StintProblems *self);

G_END_DECLS
