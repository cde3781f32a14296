/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A group of jobs: a stretch of the hits of a search.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-job-group.h"

/* Jobs that are listed in one turn of the main loop. */
#define SLICE 8192

struct _StintJobGroup
{
  GObject parent_instance;

  StintHistoryGroup kind;
  StintDupItemFunc dup_item;
  gpointer source; /* not owned, nullable */
  GArray *hits;    /* guint64, shared */
  StintHitGroup place;
  gboolean is_whole;
  gboolean unfolded; /* it was once: it may still be */
  guint n_listed;
  guint more_source;
  GObject *leaf; /* (nullable) */
};

static void stint_job_group_list_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (StintJobGroup,
                               stint_job_group,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, stint_job_group_list_init))

static guint changed_signal;

static guint64
get_id (const StintJobGroup *self, guint position)
{
  return STINT_HIT_ID (g_array_index (self->hits, guint64, self->place.first + position));
}

static gpointer
stint_job_group_get_item (GListModel *list, guint position)
{
  StintJobGroup *self = STINT_JOB_GROUP (list);

  if (position >= self->n_listed)
    return NULL;
  if (self->leaf == NULL)
    self->leaf = g_object_new (G_TYPE_OBJECT, NULL);
  return g_object_ref (self->leaf);
}

static GType
stint_job_group_get_item_type (GListModel *list)
{
  return G_TYPE_OBJECT;
}

static guint
stint_job_group_get_n_items (GListModel *list)
{
  return STINT_JOB_GROUP (list)->n_listed;
}

static void
stint_job_group_list_init (GListModelInterface *iface)
{
  iface->get_item = stint_job_group_get_item;
  iface->get_item_type = stint_job_group_get_item_type;
  iface->get_n_items = stint_job_group_get_n_items;
}

static void
stint_job_group_finalize (GObject *object)
{
  StintJobGroup *self = STINT_JOB_GROUP (object);

  g_clear_handle_id (&self->more_source, g_source_remove);
  g_clear_object (&self->leaf);
  g_array_unref (self->hits);

  G_OBJECT_CLASS (stint_job_group_parent_class)->finalize (object);
}

static void
stint_job_group_class_init (StintJobGroupClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stint_job_group_finalize;

  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
stint_job_group_init (StintJobGroup *self)
{
}

StintJobGroup *
stint_job_group_new (StintHistoryGroup kind,
                     StintDupItemFunc dup_item,
                     gpointer source,
                     GArray *hits,
                     const StintHitGroup *place,
                     gboolean is_whole)
{
  StintJobGroup *self = g_object_new (STINT_TYPE_JOB_GROUP, NULL);

  self->kind = kind;
  self->dup_item = dup_item;
  self->source = source;
  self->hits = g_array_ref (hits);
  self->place = *place;
  self->is_whole = is_whole;
  self->n_listed = MIN (place->n_hits, SLICE);
  return self;
}

static gboolean
list_more (gpointer user_data)
{
  StintJobGroup *self = user_data;
  guint before = self->n_listed;

  self->n_listed += MIN (SLICE, self->place.n_hits - before);
  if (self->n_listed == self->place.n_hits)
    self->more_source = 0;
  g_list_model_items_changed (G_LIST_MODEL (self), before, 0, self->n_listed - before);
  return self->more_source != 0 ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static void
list_others_later (StintJobGroup *self)
{
  if (self->unfolded && self->n_listed < self->place.n_hits && self->more_source == 0)
    self->more_source = g_idle_add (list_more, self);
}

void
stint_job_group_unfold (StintJobGroup *self)
{
  g_return_if_fail (STINT_IS_JOB_GROUP (self));

  self->unfolded = TRUE;
  self->n_listed = MIN (self->place.n_hits, SLICE);
  list_others_later (self);
}

void
stint_job_group_update (StintJobGroup *self,
                        GArray *hits,
                        const StintHitGroup *place,
                        gboolean is_whole)
{
  g_autoptr (GArray) old = g_array_ref (self->hits);
  const guint64 *had, *has;
  guint n_had = self->n_listed, n_has, before = 0, behind = 0, common;
  gboolean same;

  g_return_if_fail (STINT_IS_JOB_GROUP (self));

  /* What has been listed bit by bit is not taken back; of what comes at once there is no more than a
   * slice either. */
  n_has = MIN (place->n_hits, MAX (n_had, SLICE));
  common = MIN (n_had, n_has);
  had = (const guint64 *) (void *) old->data + self->place.first;
  has = (const guint64 *) (void *) hits->data + place->first;
  while (before < common && STINT_HIT_ID (had[before]) == STINT_HIT_ID (has[before]))
    before++;
  while (behind < common - before &&
         STINT_HIT_ID (had[n_had - 1 - behind]) == STINT_HIT_ID (has[n_has - 1 - behind]))
    behind++;
  same = self->place.n_hits == place->n_hits && self->place.n_failed == place->n_failed &&
         self->is_whole == is_whole && before == n_had && before == n_has;

  g_array_unref (self->hits);
  self->hits = g_array_ref (hits);
  self->place = *place;
  self->is_whole = is_whole;
  self->n_listed = n_has;
  if (n_had != before + behind || n_has != before + behind)
    g_list_model_items_changed (G_LIST_MODEL (self), before, n_had - before - behind,
                                n_has - before - behind);
  list_others_later (self);
  if (!same)
    g_signal_emit (self, changed_signal, 0);
}

void
stint_job_group_forget_source (StintJobGroup *self)
{
  g_return_if_fail (STINT_IS_JOB_GROUP (self));

  self->source = NULL;
}

StintHistoryGroup
stint_job_group_get_kind (StintJobGroup *self)
{
  g_return_val_if_fail (STINT_IS_JOB_GROUP (self), STINT_GROUP_NONE);

  return self->kind;
}

guint64
stint_job_group_get_key (StintJobGroup *self)
{
  g_return_val_if_fail (STINT_IS_JOB_GROUP (self), 0);

  return self->place.key;
}

guint
stint_job_group_get_n_failed (StintJobGroup *self)
{
  g_return_val_if_fail (STINT_IS_JOB_GROUP (self), 0);

  return self->place.n_failed;
}

guint
stint_job_group_get_n_jobs (StintJobGroup *self)
{
  g_return_val_if_fail (STINT_IS_JOB_GROUP (self), 0);

  return self->is_whole ? self->place.n_hits : 0;
}

StintHistoryItem *
stint_job_group_dup_item (StintJobGroup *self, guint position)
{
  g_return_val_if_fail (STINT_IS_JOB_GROUP (self), NULL);

  if (self->source == NULL || position >= self->place.n_hits)
    return NULL;
  return self->dup_item (self->source, get_id (self, position));
}
