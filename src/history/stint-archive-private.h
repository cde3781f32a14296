/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-archive.h"
#include "stint-database.h"
#include "stint-owner.h"

G_BEGIN_DECLS

struct _StintArchive
{
  char *directory;
  char *jobs; /* the directory that holds the job directories */
  StintDatabase *database;
  StintOwner owner;
  guint64 last_id;         /* the largest id that this process has seen, scratch or not */
  GHashTable *scratch_ids; /* set of guint64: running jobs that have no row */
  GQueue unsaved;          /* StintRow that finished and could not be written */
  GPtrArray *problems;     /* (nullable) (element-type GError) */
  gboolean failing;        /* the user has been told that jobs are not kept */
  gboolean has_begun;      /* a job, since the last rest */
};

/* Works on the open database. May be called again, after the first call has been undone. */
typedef gboolean (*StintArchiveFunc) (StintArchive *self, gpointer data, GError **error);

/* Opens the database and calls @func; again with a new database if this one had to be moved aside. */
gboolean
stint_archive_attempt (StintArchive *self, StintArchiveFunc func, gpointer data, GError **error);

/* The largest id that the open database ever gave. */
gboolean stint_archive_read_last_id (StintArchive *self, guint64 *last_id, GError **error);

/* Takes @problem. */
void stint_archive_add_problem (StintArchive *self, GError *problem);

G_END_DECLS
