/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row of the history's list. What fills it is in stint-history-model.c.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-history-item.h"

struct _StintHistoryItem
{
  GObject parent_instance;

  guint64 id;
  StintEntry *entry;
  StintSnippet *snippet;
};

G_DEFINE_FINAL_TYPE (StintHistoryItem, stint_history_item, G_TYPE_OBJECT)

static guint changed_signal;

static void
stint_history_item_finalize (GObject *object)
{
  StintHistoryItem *self = STINT_HISTORY_ITEM (object);

  g_clear_pointer (&self->entry, stint_entry_free);
  g_clear_pointer (&self->snippet, stint_snippet_free);

  G_OBJECT_CLASS (stint_history_item_parent_class)->finalize (object);
}

static void
stint_history_item_class_init (StintHistoryItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stint_history_item_finalize;

  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
stint_history_item_init (StintHistoryItem *self)
{
}

StintHistoryItem *
stint_history_item_new (guint64 id)
{
  StintHistoryItem *self = g_object_new (STINT_TYPE_HISTORY_ITEM, NULL);

  self->id = id;
  return self;
}

guint64
stint_history_item_get_id (StintHistoryItem *self)
{
  g_return_val_if_fail (STINT_IS_HISTORY_ITEM (self), 0);

  return self->id;
}

const StintEntry *
stint_history_item_get_entry (StintHistoryItem *self)
{
  g_return_val_if_fail (STINT_IS_HISTORY_ITEM (self), NULL);

  return self->entry;
}

void
stint_history_item_take_entry (StintHistoryItem *self, StintEntry *entry)
{
  g_return_if_fail (STINT_IS_HISTORY_ITEM (self));

  g_clear_pointer (&self->entry, stint_entry_free);
  self->entry = entry;
  g_signal_emit (self, changed_signal, 0);
}

const StintSnippet *
stint_history_item_get_snippet (StintHistoryItem *self)
{
  g_return_val_if_fail (STINT_IS_HISTORY_ITEM (self), NULL);

  return self->snippet;
}

void
stint_history_item_take_snippet (StintHistoryItem *self, StintSnippet *snippet)
{
  g_return_if_fail (STINT_IS_HISTORY_ITEM (self));

  g_clear_pointer (&self->snippet, stint_snippet_free);
  self->snippet = snippet;
  g_signal_emit (self, changed_signal, 0);
}
