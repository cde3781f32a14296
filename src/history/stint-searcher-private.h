/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What the rooms of the searcher share: stint-searcher.c searches, stint-history-span.c reads what ran
 * between two points in time, stint-history-titles.c what is called so. */

#include "stint-aside.h"
#include "stint-database.h"
#include "stint-searcher.h"

G_BEGIN_DECLS

#define STINT_SEARCHER_STARTED "coalesce (started_at, created_at)"

struct _StintSearcher
{
  char *directory;
  char *jobs;
  char *index_path;
  StintDatabase *database;
  StintFileIdentity index_file; /* of what is attached */
  gint64 stamp;                 /* what the index has taken in; -1: there is none to use */
};

/* Opens what there is, and has the statements of a search look at @cancellable until the end of it. */
gboolean stint_searcher_begin (StintSearcher *self, GCancellable *cancellable, GError **error);
void stint_searcher_end (StintSearcher *self);

/* (transfer full): @sql, to be finalized. */
sqlite3_stmt *stint_searcher_prepare (StintSearcher *self, const char *sql, GError **error);

/* Whether the rows of a statement have come to their end; @rc: what was returned instead of a row. */
gboolean stint_searcher_is_done (StintSearcher *self, int rc, GError **error);

/* The conditions of @query, words too, after a WHERE clause over `jobs`; and what they are bound to,
 * from parameter @first on. */
void stint_searcher_append_words (StintSearcher *self, GString *sql, StintHistoryQuery *query);
void stint_searcher_bind_words (StintSearcher *self,
                                sqlite3_stmt *statement,
                                StintHistoryQuery *query,
                                int first);

G_END_DECLS
