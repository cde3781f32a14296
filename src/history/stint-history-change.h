/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-archive-edit.h"
#include "stint-history.h"

G_BEGIN_DECLS

/*
 * Changes to jobs that have ended, off the main thread. Each of them ends with
 * stint_history_change_finish(), and StintHistory::changed is emitted before it.
 */

void stint_history_rename_async (StintHistory *self,
                                 guint64 id,
                                 const char *name,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);

/* @tags: (array zero-terminated=1): all that it is to have. */
void stint_history_set_tags_async (StintHistory *self,
                                   guint64 id,
                                   const char *const *tags,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
void stint_history_pin_async (StintHistory *self,
                              guint64 id,
                              gboolean pinned,
                              GAsyncReadyCallback callback,
                              gpointer user_data);

/* @query: (nullable): %NULL: forget it. */
void stint_history_save_search_async (StintHistory *self,
                                      const char *name,
                                      const char *query,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);

/* @ids: (array length=n_ids): see stint_archive_remove(). */
void stint_history_remove_async (StintHistory *self,
                                 const guint64 *ids,
                                 guint n_ids,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);

/* Removes what @retention does not keep, now. */
void stint_history_prune_async (StintHistory *self,
                                const StintRetention *retention,
                                GAsyncReadyCallback callback,
                                gpointer user_data);

/* Removes everything: see stint_archive_clear(). */
void
stint_history_clear_async (StintHistory *self, GAsyncReadyCallback callback, gpointer user_data);

/* @removed: (out) (optional): what was removed, by those that remove. */
gboolean stint_history_change_finish (StintHistory *self,
                                      GAsyncResult *result,
                                      StintRemoved *removed,
                                      GError **error);

G_END_DECLS
