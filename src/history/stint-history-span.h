/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-history.h"
#include "stint-searcher.h"

G_BEGIN_DECLS

/* How many jobs are read at most, and how much of a command. */
#define STINT_SPAN_JOBS 50000
#define STINT_SPAN_COMMAND_CHARS 300

/**
 * stint_history_read_span_async:
 * @self: the history
 * @query: (nullable): what else the jobs are to be like
 * @from: microseconds since 1970
 * @to: the first microsecond that no longer counts
 * @cancellable: (nullable): looked at while rows are read
 * @callback: called when it is done
 * @user_data: for @callback
 *
 * Reads the jobs that ran at any moment between @from and @to, in a thread. Of their commands there is
 * only the beginning.
 */
void stint_history_read_span_async (StintHistory *self,
                                    StintHistoryQuery *query,
                                    gint64 from,
                                    gint64 to,
                                    GCancellable *cancellable,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data);

/* Returns: (transfer full) (element-type StintEntry): by when they started, at most %STINT_SPAN_JOBS;
 * %NULL with @error set */
GPtrArray *
stint_history_read_span_finish (StintHistory *self, GAsyncResult *result, GError **error);

G_END_DECLS
