/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-reader.h"

G_BEGIN_DECLS

/**
 * StintPieceKind:
 * @STINT_PIECE_DATA: `size` bytes of one stream at `data`
 * @STINT_PIECE_RESIZE: the terminal has `columns` and `rows` from here
 * @STINT_PIECE_REMOVED: `missing` bytes were removed here by the output limit
 * @STINT_PIECE_LOST: `missing` bytes could not be stored here
 */
typedef enum
{
  STINT_PIECE_DATA,
  STINT_PIECE_RESIZE,
  STINT_PIECE_REMOVED,
  STINT_PIECE_LOST,
} StintPieceKind;

typedef struct
{
  StintPieceKind kind;
  StintStream stream;
  guint64 offset;
  gint64 time; /* microseconds since the start of the command; never less than before */
  const guint8 *data; /* until the next piece */
  gsize size;
  guint64 missing;
  guint columns;
  guint rows;
} StintPiece;

/**
 * StintWalk:
 *
 * A transcript from its beginning to what is its end when the walk begins, piece by piece: output
 * and index together.
 */
typedef struct _StintWalk StintWalk;

/* A walk over what @reader, which must outlive it, reads. */
StintWalk *stint_walk_new (StintReader *reader);
void stint_walk_free (StintWalk *self);

/* Where it ends. */
guint64 stint_walk_get_end (StintWalk *self);

/* The size that the terminal had at first; FALSE if that was not recorded. */
gboolean stint_walk_get_size (StintWalk *self, guint *columns, guint *rows);

/**
 * stint_walk_next:
 * @self: a walk
 * @piece: (out): what comes next
 * @error: the output cannot be read
 *
 * Returns: %FALSE at the end, and with @error set if it cannot be read
 */
gboolean stint_walk_next (StintWalk *self, StintPiece *piece, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintWalk, stint_walk_free)

G_END_DECLS
