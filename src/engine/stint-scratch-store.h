/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-store.h"

G_BEGIN_DECLS

#define STINT_TYPE_SCRATCH_STORE (stint_scratch_store_get_type ())
G_DECLARE_FINAL_TYPE (StintScratchStore, stint_scratch_store, STINT, SCRATCH_STORE, GObject)

/**
 * stint_scratch_store_new:
 *
 * A store that keeps nothing: each job has a directory of its own in the directory for temporary
 * files, which goes with the job object, or with the keeper if the engine dies first.
 *
 * Returns: (transfer full): the store
 */
StintJobStore *stint_scratch_store_new (void);

/**
 * stint_scratch_store_make_place:
 * @id: the id to give
 * @error: no directory could be made
 *
 * Returns: (transfer full): a scratch place
 */
StintJobPlace *stint_scratch_store_make_place (guint64 id, GError **error);

/* Removes a scratch directory with its files. */
void stint_scratch_store_remove (const char *directory);

/* Removes all that this process has made and that are still there: it is about to exit, and its jobs
 * have ended. What still has a job then (a widget that GTK does not free) would leave its output. */
void stint_scratch_store_remove_all (void);

G_END_DECLS
