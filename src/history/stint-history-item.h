/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "stint-entry.h"
#include "stint-snippet.h"

G_BEGIN_DECLS

#define STINT_TYPE_HISTORY_ITEM (stint_history_item_get_type ())
G_DECLARE_FINAL_TYPE (StintHistoryItem, stint_history_item, STINT, HISTORY_ITEM, GObject)

/*
 * A row of a StintHistoryModel: known by its id at once, by what it shows a moment later.
 *
 * Signals:
 *
 *   changed ()   there is something (else) to show
 */

StintHistoryItem *stint_history_item_new (guint64 id);

guint64 stint_history_item_get_id (StintHistoryItem *self);

/* (nullable) (transfer none): %NULL until it has been read. */
const StintEntry *stint_history_item_get_entry (StintHistoryItem *self);

/* @entry: (transfer full) (nullable) */
void stint_history_item_take_entry (StintHistoryItem *self, StintEntry *entry);

/* (nullable) (transfer none): the line of its output that was found. */
const StintSnippet *stint_history_item_get_snippet (StintHistoryItem *self);

/* @snippet: (transfer full) (nullable) */
void stint_history_item_take_snippet (StintHistoryItem *self, StintSnippet *snippet);

G_END_DECLS
