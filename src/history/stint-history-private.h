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

/* Removes what is left of removed jobs, in a thread of its own. */
void stint_history_sweep (StintHistory *self);

G_END_DECLS
