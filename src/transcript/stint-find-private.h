/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-chunks.h"
#include "stint-find.h"
#include "stint-sweep.h"

G_BEGIN_DECLS

/* Hits whose places are kept, around the one that was asked for last. */
#define STINT_FIND_NEIGHBOURS 256

typedef struct
{
  StintChunkCount count;
  guint n_searches; /* the last maybe not to where the transcript ends now */
} StintFindEntry;

/* Some of a chunk's hits: where they are. */
typedef struct
{
  guint64 chunk;
  guint64 n_all; /* that the chunk has */
  guint64 from;  /* the number of the first of them */
  guint n;
  StintFindHit hits[2 * STINT_FIND_NEIGHBOURS];
} StintFindNear;

struct _StintFind
{
  GObject parent_instance;

  StintReader *reader;
  StintQuery *query;
  gsize chunk_size;
  guint n_threads;

  guint64 size; /* what is searched */
  guint64 hole_start;
  guint64 hole_end;
  GArray *entries; /* of the chunks of it */
  guint64 n_hits;
  guint64 n_searched; /* chunks */
  guint64 n_given_up;
  GError *error;

  StintSweep *sweep; /* (nullable): while it searches */
  gboolean extend_again;
  gint64 progress_at;

  /* The first hit, in the order of the sweep. */
  gboolean first_told;
  GArray *places; /* guint8: done or not */
  guint n_places; /* all before it are done */
  guint n_taken;
  StintSweepResult first; /* if has_hit: the best so far */
  StintSweepResult wrapped;

  /* To look again where hits are. */
  StintChunks *chunks;
  StintFindNear near;
};

/* Of chunk @i, which is one of what is searched. Returns: (transfer none) */
StintFindEntry *stint_find_get_entry (StintFind *self, guint64 i);

/* Once; see StintFindEntry. */
gboolean stint_find_is_searched (StintFind *self, guint64 i);

/* For tests: before it is started. */
void stint_find_set_chunk_size (StintFind *self, gsize chunk_size);
void stint_find_set_n_threads (StintFind *self, guint n_threads);

/* Threads of all searches that have not ended yet. */
guint stint_find_count_threads (void);

G_END_DECLS
