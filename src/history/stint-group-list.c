/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A list of groups. What each holds is in stint-job-group.c.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-group-list.h"

/* Groups that are made in one turn of the main loop. */
#define SLICE 2048

struct _StintGroupList
{
  GObject parent_instance;

  StintDupItemFunc dup_item;
  gpointer source; /* not owned, nullable */
  StintHistoryGroup kind;
  GArray *hits;      /* guint64, shared */
  GArray *places;    /* StintHitGroup, shared: all that there are to be */
  GPtrArray *groups; /* StintJobGroup: those that are listed */
  gboolean is_whole;
  guint more_source;
};

static void stint_group_list_list_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (StintGroupList,
                               stint_group_list,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL,
                                                      stint_group_list_list_init))

static gpointer
stint_group_list_get_item (GListModel *list, guint position)
{
  StintGroupList *self = STINT_GROUP_LIST (list);

  return position < self->groups->len ? g_object_ref (self->groups->pdata[position]) : NULL;
}

static GType
stint_group_list_get_item_type (GListModel *list)
{
  return STINT_TYPE_JOB_GROUP;
}

static guint
stint_group_list_get_n_items (GListModel *list)
{
  return STINT_GROUP_LIST (list)->groups->len;
}

static void
stint_group_list_list_init (GListModelInterface *iface)
{
  iface->get_item = stint_group_list_get_item;
  iface->get_item_type = stint_group_list_get_item_type;
  iface->get_n_items = stint_group_list_get_n_items;
}

static void
drop_group (gpointer group)
{
  stint_job_group_forget_source (group);
  g_object_unref (group);
}

static void
stint_group_list_finalize (GObject *object)
{
  StintGroupList *self = STINT_GROUP_LIST (object);

  g_clear_handle_id (&self->more_source, g_source_remove);
  g_ptr_array_unref (self->groups);
  g_array_unref (self->places);
  g_array_unref (self->hits);

  G_OBJECT_CLASS (stint_group_list_parent_class)->finalize (object);
}

static void
stint_group_list_class_init (StintGroupListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stint_group_list_finalize;
}

static void
stint_group_list_init (StintGroupList *self)
{
  self->hits = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->places = g_array_new (FALSE, FALSE, sizeof (StintHitGroup));
  self->groups = g_ptr_array_new_with_free_func (drop_group);
}

StintGroupList *
stint_group_list_new (StintDupItemFunc dup_item, gpointer source)
{
  StintGroupList *self = g_object_new (STINT_TYPE_GROUP_LIST, NULL);

  self->dup_item = dup_item;
  self->source = source;
  return self;
}

static const StintHitGroup *
get_place (const StintGroupList *self, guint i)
{
  return &g_array_index (self->places, StintHitGroup, i);
}

/* All groups are whole but the last of a first page. */
static gboolean
is_whole (const StintGroupList *self, guint i)
{
  return self->is_whole || i + 1 < self->places->len;
}

static StintJobGroup *
make_group (StintGroupList *self, guint i)
{
  return stint_job_group_new (self->kind, self->dup_item, self->source, self->hits,
                              get_place (self, i), is_whole (self, i));
}

static gboolean
is_same (StintGroupList *self, guint group, guint i)
{
  StintJobGroup *had = self->groups->pdata[group];

  return stint_job_group_get_key (had) == get_place (self, i)->key &&
         stint_job_group_get_kind (had) == self->kind;
}

/* Puts the groups of @n_added places from @position on in place of @n_removed others. */
static void
splice (StintGroupList *self, guint position, guint n_removed, guint n_added)
{
  g_autoptr (GPtrArray) tail = g_ptr_array_new ();
  guint n = self->groups->len;

  if (n_removed == 0 && n_added == 0)
    return;
  for (guint i = position + n_removed; i < n; i++)
    g_ptr_array_add (tail, g_steal_pointer (&self->groups->pdata[i]));
  for (guint i = position; i < position + n_removed; i++)
    g_clear_pointer (&self->groups->pdata[i], drop_group);
  g_ptr_array_set_free_func (self->groups, NULL);
  g_ptr_array_set_size (self->groups, (int) position);
  g_ptr_array_set_free_func (self->groups, drop_group);
  for (guint i = 0; i < n_added; i++)
    g_ptr_array_add (self->groups, make_group (self, position + i));
  g_ptr_array_extend (self->groups, tail, NULL, NULL);
  g_list_model_items_changed (G_LIST_MODEL (self), position, n_removed, n_added);
}

static gboolean
list_more (gpointer user_data)
{
  StintGroupList *self = user_data;
  guint n = self->groups->len;

  splice (self, n, 0, MIN (SLICE, self->places->len - n));
  if (self->groups->len < self->places->len)
    return G_SOURCE_CONTINUE;
  self->more_source = 0;
  return G_SOURCE_REMOVE;
}

void
stint_group_list_take (StintGroupList *self,
                       StintHistoryGroup kind,
                       GArray *hits,
                       GArray *places,
                       gboolean whole)
{
  guint n_old, n_new, before = 0, behind = 0, common;

  g_return_if_fail (STINT_IS_GROUP_LIST (self));

  g_array_ref (hits);
  g_array_unref (self->hits);
  self->hits = hits;
  g_array_ref (places);
  g_array_unref (self->places);
  self->places = places;
  self->kind = kind;
  self->is_whole = whole;
  g_clear_handle_id (&self->more_source, g_source_remove);

  n_old = self->groups->len;
  n_new = places->len;
  common = MIN (n_old, n_new);
  while (before < common && is_same (self, before, before))
    before++;
  while (behind < common - before && is_same (self, n_old - 1 - behind, n_new - 1 - behind))
    behind++;
  /* What is more than a slice comes later, and what stands behind it behind that. */
  if (n_new - before - behind > SLICE)
    {
      behind = 0;
      n_new = before + SLICE;
    }
  for (guint i = 0; i < before; i++)
    stint_job_group_update (self->groups->pdata[i], hits, get_place (self, i), is_whole (self, i));
  for (guint i = 0; i < behind; i++)
    stint_job_group_update (self->groups->pdata[n_old - behind + i], hits,
                            get_place (self, n_new - behind + i),
                            is_whole (self, n_new - behind + i));
  splice (self, before, n_old - before - behind, n_new - before - behind);
  if (self->groups->len < places->len)
    self->more_source = g_idle_add (list_more, self);
}

void
stint_group_list_forget_source (StintGroupList *self)
{
  g_return_if_fail (STINT_IS_GROUP_LIST (self));

  self->source = NULL;
  g_clear_handle_id (&self->more_source, g_source_remove);
  for (guint i = 0; i < self->groups->len; i++)
    stint_job_group_forget_source (self->groups->pdata[i]);
}

gboolean
stint_group_list_find (StintGroupList *self, guint position, guint *group, guint *position_in_it)
{
  guint low = 0, high;

  g_return_val_if_fail (STINT_IS_GROUP_LIST (self), FALSE);

  high = self->groups->len;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const StintHitGroup *place = get_place (self, middle);

      if (position < place->first)
        high = middle;
      else if (position >= place->first + place->n_hits)
        low = middle + 1;
      else
        {
          *group = middle;
          *position_in_it = position - place->first;
          return TRUE;
        }
    }
  return FALSE;
}
