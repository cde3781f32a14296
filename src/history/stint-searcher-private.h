/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the rooms of the searcher share: searching is in stint-searcher-run.c, all other reading in
 * stint-searcher.c.
 */
#pragma once

#include "stint-aside.h"
#include "stint-database.h"
#include "stint-searcher.h"

G_BEGIN_DECLS

struct _StintSearcher
{
  char *directory;
  char *jobs;
  char *index_path;
  StintDatabase *database;
  StintFileIdentity index_file; /* of what is attached */
  gint64 stamp;                 /* what the index has taken in; -1: there is none to use */
  gboolean lost_index;
  char *match; /* (nullable): of the query that is answered: its words, written out where that is sooner */
  GArray *keys; /* guint64: of the groups that the last search has begun, in order */
};

/* (nullable) (transfer full): a statement of its own, to be finalized. */
sqlite3_stmt *stint_searcher_prepare (StintSearcher *self, const char *sql, GError **error);

/* Looks for the index, and whether it can be used. Before each search. */
void stint_searcher_look_at_index (StintSearcher *self);

/* After an answer without the index where one by it failed: it is damaged, and made again by who
 * indexes. */
void stint_searcher_lose_index (StintSearcher *self);

/* Appends to @sql, as stint_history_query_append_filters(), what @query asks of a job, words and all. */
void stint_searcher_append_query (StintSearcher *self,
                                  GString *sql,
                                  StintHistoryQuery *query,
                                  StintFilterFlags flags);

/* Binds that, from parameter @first on. */
void stint_searcher_bind_query (StintSearcher *self,
                                sqlite3_stmt *statement,
                                int first,
                                StintHistoryQuery *query,
                                StintFilterFlags flags);

G_END_DECLS
