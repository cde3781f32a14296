/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * StintCompactor:
 *
 * Compresses the transcripts of finished jobs, one after another, in a thread that gives way to
 * everybody else. What it does not get to is done by the next one.
 */
typedef struct _StintCompactor StintCompactor;

/**
 * StintCompactorProblem:
 * @error: why a transcript was left as it was
 * @user_data: as given
 *
 * Called in the context in which the compactor was made. A full disk is no problem here: nothing is
 * lost by it, and who writes will tell.
 */
typedef void (*StintCompactorProblem) (const GError *error, gpointer user_data);

/**
 * stint_compactor_new:
 * @jobs: (type filename): the directory that holds the job directories; what is due there comes first
 * @problem: (scope notified): is told of what goes wrong
 * @user_data: for @problem, until the compactor is freed
 *
 * Returns: (transfer full): a compactor that has begun
 */
StintCompactor *
stint_compactor_new (const char *jobs, StintCompactorProblem problem, gpointer user_data);

/* A job has finished in @directory. */
void stint_compactor_add (StintCompactor *self, const char *directory);

/* Waits until there is nothing to do; for tests. */
void stint_compactor_wait (StintCompactor *self);

/* Stops where it is; what was begun is undone. Waits a moment at most: a disk may hang. */
void stint_compactor_free (StintCompactor *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintCompactor, stint_compactor_free)

G_END_DECLS
