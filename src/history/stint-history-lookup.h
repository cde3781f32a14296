/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-history.h"
#include "stint-searcher.h"

G_BEGIN_DECLS

/**
 * stint_history_find_job_async:
 * @self: the history
 * @id: of a job that has ended
 * @callback: called when it is done
 * @user_data: for @callback
 *
 * Reads one job as it was. While the job exists it is held: nobody removes it from the history.
 */
void stint_history_find_job_async (StintHistory *self,
                                   guint64 id,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);

/* Returns: (transfer full): the job, or %NULL */
StintJob *stint_history_find_job_finish (StintHistory *self, GAsyncResult *result, GError **error);

/* Reads a job and the newest @limit runs of its command in its directory. */
void stint_history_find_runs_async (StintHistory *self,
                                    guint64 id,
                                    guint limit,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);

/* Returns: (transfer full) (element-type StintEntry): the job itself, then the runs, newest first */
GPtrArray *
stint_history_find_runs_finish (StintHistory *self, GAsyncResult *result, GError **error);

/* Reads the saved searches. */
void stint_history_read_saved_async (StintHistory *self,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);

/* Returns: (transfer full): name -> query */
GHashTable *
stint_history_read_saved_finish (StintHistory *self, GAsyncResult *result, GError **error);

G_END_DECLS
