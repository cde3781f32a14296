/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-history-worker.h"
#include "stint-history.h"

G_BEGIN_DECLS

/* (nullable): %NULL once it is closed. */
StintHistoryWorker *stint_history_get_worker (StintHistory *self);

/* @problems: (nullable) (element-type GError): emits StintHistory::problem for each. */
void stint_history_emit_problems (StintHistory *self, GPtrArray *problems);

/* Emits StintHistory::changed, and has the index take it in. */
void stint_history_note_change (StintHistory *self);

/* Emits StintHistory::pruned. */
void stint_history_emit_pruned (StintHistory *self, guint n_jobs, guint64 bytes);

/* What the threads that sweep share with who waits for them. */
typedef struct
{
  GMutex mutex;
  GCond cond;
  guint n_running;
  char *directory;
} StintSweeping;

StintSweeping *stint_sweeping_new (const char *directory);
void stint_sweeping_unref (gpointer data);

/* Waits until none runs, but no longer than that. */
void stint_sweeping_wait (StintSweeping *self, gint64 usec);
StintSweeping *stint_history_get_sweeping (StintHistory *self);

/* Removes what is left of removed jobs, in a thread of its own. */
void stint_history_sweep (StintHistory *self);

G_END_DECLS
