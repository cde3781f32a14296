/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-searcher.h"

G_BEGIN_DECLS

/**
 * stint_searcher_find_titles:
 * @self: a searcher
 * @terms: (array zero-terminated=1): see stint_history_query_new_titles()
 * @limit: how many at most
 * @cancellable: (nullable): looked at while it is searched
 * @error: the history cannot be read, or was cancelled
 *
 * Looks for jobs by name and command, for who shows a few results while one types. Of the runs of one
 * command in one directory it gives the newest.
 *
 * Returns: (transfer full) (element-type StintEntry): newest first; none for terms without a word; %NULL
 * with @error set
 */
GPtrArray *stint_searcher_find_titles (StintSearcher *self,
                                       const char *const *terms,
                                       guint limit,
                                       GCancellable *cancellable,
                                       GError **error);

G_END_DECLS
