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
};

/* (nullable) (transfer full): a statement of its own, to be finalized. */
sqlite3_stmt *stint_searcher_prepare (StintSearcher *self, const char *sql, GError **error);

G_END_DECLS
