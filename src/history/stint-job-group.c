/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A group of jobs: a stretch of the hits of a search.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-job-group.h"

/* Jobs that are listed in one turn of the main loop. */
#define SLICE 8192

/* Of one update, that are told apart. */
#define MOST_CHANGES 16

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

/* What came and went between two lists of hits: @n_removed of the old ones, at @position of the new. */
typedef struct
{
  guint position;
  guint n_removed;
  guint n_added;
} Change;

static GHashTable *
make_set (const guint64 *ids, guint n)
{
  GHashTable *set = g_hash_table_new (g_int64_hash, g_int64_equal);

  for (guint i = 0; i < n; i++)
    g_hash_table_add (set, (gpointer) &ids[i]);
  return set;
}

/* (transfer full) (element-type Change): in order. A tree takes what is replaced for another row, which
 * has not what the old one had: the focus, an open menu. So what stays between is told from what goes;
 * unless it has moved, or it is a great many. */
static GArray *
compare (const guint64 *had, guint n_had, const guint64 *has, guint n_has)
{
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (Change));
  g_autoptr (GHashTable) old_set = make_set (had, n_had);
  g_autoptr (GHashTable) new_set = make_set (has, n_has);
  guint i = 0, j = 0;

  while (i < n_had || j < n_has)
    {
      Change change = { j, 0, 0 };

      while (i < n_had && !g_hash_table_contains (new_set, &had[i]))
        i++, change.n_removed++;
      while (j < n_has && !g_hash_table_contains (old_set, &has[j]))
        j++, change.n_added++;
      if (change.n_removed == 0 && change.n_added == 0)
        {
          if (had[i] == has[j] && changes->len < MOST_CHANGES)
            {
              i++, j++;
              continue;
            }
          change.n_removed = n_had - i;
          change.n_added = n_has - j;
          i = n_had;
          j = n_has;
        }
      g_array_append_val (changes, change);
    }
  return changes;
}

/* (transfer full): the ids of hits. */
static GArray *
copy_ids (GArray *hits, guint first, guint n)
{
  GArray *ids = g_array_sized_new (FALSE, FALSE, sizeof (guint64), n);

  for (guint i = 0; i < n; i++)
    {
      guint64 id = STINT_HIT_ID (g_array_index (hits, guint64, first + i));

      g_array_append_val (ids, id);
    }
  return ids;
}

/* While one change is told of, the group is as it is between that and the next. */
static void
apply (StintJobGroup *self, GArray *changes, guint offset, const GArray *has)
{
  g_autoptr (GArray) ids = copy_ids (self->hits, self->place.first, self->n_listed);

  g_array_unref (self->hits);
  self->hits = g_array_ref (ids);
  self->place.first = 0;
  for (guint i = 0; i < changes->len; i++)
    {
      Change change = g_array_index (changes, Change, i);
      guint position = offset + change.position;

      if (change.n_removed > 0)
        g_array_remove_range (ids, position, change.n_removed);
      if (change.n_added > 0)
        g_array_insert_vals (ids, position, &g_array_index (has, guint64, position), change.n_added);
      self->n_listed = self->place.n_hits = ids->len;
      g_list_model_items_changed (G_LIST_MODEL (self), position, change.n_removed, change.n_added);
    }
}

static gboolean
are_same (const GArray *had, guint first_had, const GArray *has, guint first_has, guint n)
{
  for (guint i = 0; i < n; i++)
    if (STINT_HIT_ID (g_array_index (had, guint64, first_had + i)) !=
        STINT_HIT_ID (g_array_index (has, guint64, first_has + i)))
      return FALSE;
  return TRUE;
}

static void
take (StintJobGroup *self,
      GArray *hits,
      const StintHitGroup *place,
      gboolean is_whole,
      guint n_listed)
{
  g_array_ref (hits);
  g_array_unref (self->hits);
  self->hits = hits;
  self->place = *place;
  self->is_whole = is_whole;
  self->n_listed = n_listed;
  list_others_later (self);
}

void
stint_job_group_update (StintJobGroup *self,
                        GArray *hits,
                        const StintHitGroup *place,
                        gboolean is_whole)
{
  g_autoptr (GArray) had = NULL;
  g_autoptr (GArray) has = NULL;
  g_autoptr (GArray) changes = NULL;
  const guint64 *old, *new;
  guint n_old, n_new, before = 0, behind = 0, common;
  gboolean same;

  g_return_if_fail (STINT_IS_JOB_GROUP (self));

  /* What has been listed bit by bit is not taken back, nor listed bit by bit again when a few come; of what
   * comes at once there is no more than a slice either. */
  n_old = self->n_listed;
  n_new = MIN (place->n_hits, n_old == self->place.n_hits ? n_old + SLICE : MAX (n_old, SLICE));
  common = MIN (n_old, n_new);
  same = self->place.n_hits == place->n_hits && self->place.n_failed == place->n_failed &&
         self->is_whole == is_whole;
  /* As of all groups but one or two whenever a job begins or ends: nothing is copied for it. */
  if (n_old == n_new && are_same (self->hits, self->place.first, hits, place->first, n_old))
    {
      take (self, hits, place, is_whole, n_new);
      if (!same)
        g_signal_emit (self, changed_signal, 0);
      return;
    }
  had = copy_ids (self->hits, self->place.first, n_old);
  has = copy_ids (hits, place->first, n_new);
  old = (const guint64 *) (void *) had->data;
  new = (const guint64 *) (void *) has->data;
  while (before < common && old[before] == new[before])
    before++;
  while (behind < common - before && old[n_old - 1 - behind] == new[n_new - 1 - behind])
    behind++;
  changes = compare (old + before, n_old - before - behind, new + before, n_new - before - behind);
  if (changes->len > 0)
    apply (self, changes, before, has);

  take (self, hits, place, is_whole, n_new);
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
