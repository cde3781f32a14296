/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The largest id that is believed: what a JSON reader can hold exactly. */
#define STINT_MAX_JOB_ID (G_GINT64_CONSTANT (1) << 53)

/* (transfer full) (type filename): `$XDG_STATE_HOME/stint`; a path that is not absolute counts as none,
 * as the base directory specification wants it. */
char *stint_job_directories_dup_state (void);

/* (transfer full) (type filename): where a job of this id has, or would have, its directory. */
char *stint_job_directories_dup_path (const char *jobs, guint64 id);

/**
 * stint_job_directories_get_highest:
 * @jobs: (type filename): the directory that holds the job directories
 *
 * Returns: the largest id that has a directory, 0: none
 */
guint64 stint_job_directories_get_highest (const char *jobs);

/**
 * stint_job_directories_make:
 * @jobs: (type filename): the directory that holds the job directories; made if it is not there
 * @id: (inout): the id to use; raised above all that have a directory if this one has
 * @lock_fd: (out): the new directory's lock, held
 * @error: it cannot be made or locked
 *
 * Returns: (transfer full) (type filename): a directory that was not there before, or %NULL
 */
char *stint_job_directories_make (const char *jobs, guint64 *id, int *lock_fd, GError **error);

/* Undoes stint_job_directories_make(), but for the lock. */
void stint_job_directories_discard (const char *directory);

/**
 * stint_job_directories_hold:
 * @directory: (type filename): a job directory
 *
 * While it is held nobody removes the job; any number may hold it, in any process. Waits for nobody.
 *
 * Returns: what holds it: closing it lets go. -1: it is not there, or is being removed
 */
int stint_job_directories_hold (const char *directory);

/**
 * stint_job_directories_take:
 * @directory: (type filename): a job directory
 * @lock: (out): keeps others from holding it until it is closed; -1: it is not there
 *
 * Returns: whether it may be removed: nobody holds it
 */
gboolean stint_job_directories_take (const char *directory, int *lock);

G_END_DECLS
