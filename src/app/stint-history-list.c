/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rows of the history's views. What was found is the model's; how it is searched, the page's. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-history-list.h"

/* How many jobs are unfolded by themselves. */
#define PAGE 100

struct _StintHistoryList
{
  GObject parent_instance;

  StintHistoryModel *model;
  GtkTreeListModel *tree; /* of the model's groups */
  GListModel *shown;      /* one of them, not owned */
  GHashTable *choices;    /* key of a group -> whether the user wants it unfolded */
  guint n_unfolded;       /* choices that are true */
  StintHistoryGroup kind; /* of the groups that they are of */
  gboolean unfolding;     /* not by the user */

  guint selected;          /* its position, or GTK_INVALID_LIST_POSITION */
  guint64 selected_id;     /* of a job, 0: it is none */
  guint64 selected_key;    /* of a group, while it is none */
  gboolean has_selected;
};

static void stint_history_list_list_init (GListModelInterface *iface);
static void stint_history_list_selection_init (GtkSelectionModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (StintHistoryList,
                               stint_history_list,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL,
                                                      stint_history_list_list_init)
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_SELECTION_MODEL,
                                                      stint_history_list_selection_init))

StintJobGroup *
stint_history_list_dup_group (gpointer item)
{
  g_autoptr (GObject) child = NULL;

  if (item == NULL || !GTK_IS_TREE_LIST_ROW (item) || gtk_tree_list_row_get_depth (item) > 0)
    return NULL;
  child = gtk_tree_list_row_get_item (item);
  return child != NULL && STINT_IS_JOB_GROUP (child) ? STINT_JOB_GROUP (g_steal_pointer (&child)) : NULL;
}

/* All jobs of a group have the same item: which of them it is, its place tells. */
StintHistoryItem *
stint_history_list_dup_job (gpointer item)
{
  g_autoptr (GtkTreeListRow) parent = NULL;
  g_autoptr (StintJobGroup) group = NULL;

  if (item != NULL && STINT_IS_HISTORY_ITEM (item))
    return g_object_ref (item);
  if (item == NULL || !GTK_IS_TREE_LIST_ROW (item) || gtk_tree_list_row_get_depth (item) == 0)
    return NULL;
  parent = gtk_tree_list_row_get_parent (item);
  group = parent != NULL ? gtk_tree_list_row_get_item (parent) : NULL;
  if (group == NULL)
    return NULL;
  return stint_job_group_dup_item (group, gtk_tree_list_row_get_position (item) -
                                              gtk_tree_list_row_get_position (parent) - 1);
}

static GListModel *
get_groups (StintHistoryList *self)
{
  return G_LIST_MODEL (stint_history_model_get_groups (self->model));
}

/* ---- What is selected ---- */

static void
set_selected (StintHistoryList *self, guint position)
{
  guint old = self->selected, first, last;

  if (old == position)
    return;
  self->selected = position;
  first = MIN (old, position);
  last = old == GTK_INVALID_LIST_POSITION        ? position
         : position == GTK_INVALID_LIST_POSITION ? old
                                                 : MAX (old, position);
  gtk_selection_model_selection_changed (GTK_SELECTION_MODEL (self), first, last - first + 1);
}

static gboolean
find_group (StintHistoryList *self, guint64 key, guint *position)
{
  guint n = g_list_model_get_n_items (get_groups (self));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (StintJobGroup) group = g_list_model_get_item (get_groups (self), i);

      if (stint_job_group_get_key (group) == key)
        {
          *position = i;
          return TRUE;
        }
    }
  return FALSE;
}

/* Where the group, and in it the job, is in the tree; (guint) -1 for @job: the group itself. */
static guint
get_tree_position (StintHistoryList *self, guint group, guint job)
{
  g_autoptr (GtkTreeListRow) row = gtk_tree_list_model_get_child_row (self->tree, group);
  g_autoptr (GtkTreeListRow) child = NULL;

  if (row == NULL || job == (guint) -1)
    return row != NULL ? gtk_tree_list_row_get_position (row) : GTK_INVALID_LIST_POSITION;
  child = gtk_tree_list_row_get_child_row (row, job);
  return child != NULL ? gtk_tree_list_row_get_position (child) : GTK_INVALID_LIST_POSITION;
}

guint
stint_history_list_find (StintHistoryList *self, guint64 id)
{
  guint position, group, job;

  g_return_val_if_fail (STINT_IS_HISTORY_LIST (self), GTK_INVALID_LIST_POSITION);

  if (!stint_history_model_find (self->model, id, &position))
    return GTK_INVALID_LIST_POSITION;
  if (self->shown == G_LIST_MODEL (self->model))
    return position;
  if (!stint_group_list_find (stint_history_model_get_groups (self->model), position, &group, &job))
    return GTK_INVALID_LIST_POSITION;
  return get_tree_position (self, group, job);
}

static void
find_selected (StintHistoryList *self)
{
  guint position = GTK_INVALID_LIST_POSITION, group;

  if (!self->has_selected)
    return;
  if (self->selected_id != 0)
    position = stint_history_list_find (self, self->selected_id);
  else if (self->shown == G_LIST_MODEL (self->tree) && find_group (self, self->selected_key, &group))
    position = get_tree_position (self, group, (guint) -1);
  set_selected (self, position);
}

static gboolean
stint_history_list_is_selected (GtkSelectionModel *model, guint position)
{
  return STINT_HISTORY_LIST (model)->selected == position;
}

static GtkBitset *
stint_history_list_get_selection_in_range (GtkSelectionModel *model, guint position, guint n_items)
{
  StintHistoryList *self = STINT_HISTORY_LIST (model);
  GtkBitset *set = gtk_bitset_new_empty ();

  if (self->selected != GTK_INVALID_LIST_POSITION)
    gtk_bitset_add (set, self->selected);
  return set;
}

static gboolean
stint_history_list_select_item (GtkSelectionModel *model, guint position, gboolean unselect_rest)
{
  StintHistoryList *self = STINT_HISTORY_LIST (model);
  g_autoptr (GObject) item = g_list_model_get_item (self->shown, position);
  g_autoptr (StintJobGroup) group = item != NULL ? stint_history_list_dup_group (item) : NULL;
  g_autoptr (StintHistoryItem) job = item != NULL ? stint_history_list_dup_job (item) : NULL;

  if (group == NULL && job == NULL)
    return FALSE;
  self->selected_id = job != NULL ? stint_history_item_get_id (job) : 0;
  self->selected_key = group != NULL ? stint_job_group_get_key (group) : 0;
  self->has_selected = TRUE;
  set_selected (self, position);
  return TRUE;
}

static gboolean
stint_history_list_unselect_item (GtkSelectionModel *model, guint position)
{
  StintHistoryList *self = STINT_HISTORY_LIST (model);

  if (self->selected != position)
    return FALSE;
  self->has_selected = FALSE;
  set_selected (self, GTK_INVALID_LIST_POSITION);
  return TRUE;
}

static void
stint_history_list_selection_init (GtkSelectionModelInterface *iface)
{
  iface->is_selected = stint_history_list_is_selected;
  iface->get_selection_in_range = stint_history_list_get_selection_in_range;
  iface->select_item = stint_history_list_select_item;
  iface->unselect_item = stint_history_list_unselect_item;
}

/* ---- Groups ---- */

static void
note_choice (StintHistoryList *self, guint64 key, gboolean unfolded)
{
  gpointer before;
  gboolean known = g_hash_table_lookup_extended (self->choices, &key, NULL, &before);

  self->n_unfolded += (unfolded ? 1 : 0) - (known && GPOINTER_TO_INT (before) ? 1 : 0);
  g_hash_table_insert (self->choices, g_memdup2 (&key, sizeof key), GINT_TO_POINTER (unfolded));
}

static void
on_expanded (GtkTreeListRow *row, GParamSpec *pspec, StintHistoryList *self)
{
  g_autoptr (StintJobGroup) group = stint_history_list_dup_group (row);
  g_autoptr (GtkTreeListRow) there = NULL;
  gboolean unfolded = gtk_tree_list_row_get_expanded (row);

  if (group == NULL || self->unfolding)
    return;
  /* A newer GTK may fold a row that goes: that is nobody's choice. */
  there = gtk_tree_list_model_get_row (self->tree, gtk_tree_list_row_get_position (row));
  if (there != row)
    return;
  note_choice (self, stint_job_group_get_key (group), unfolded);
  if (self->selected == GTK_INVALID_LIST_POSITION)
    find_selected (self);
}

/* Of groups of another kind: no key of theirs is found again, and each would be looked for. */
static void
forget_other_choices (StintHistoryList *self)
{
  g_autoptr (StintJobGroup) group = g_list_model_get_item (get_groups (self), 0);
  StintHistoryGroup kind = stint_job_group_get_kind (group);

  if (self->kind == kind)
    return;
  self->kind = kind;
  g_hash_table_remove_all (self->choices);
  self->n_unfolded = 0;
}

/* The first groups are unfolded until they fill a page, and the others where the user has it so. */
static void
unfold_first (StintHistoryList *self)
{
  guint n = g_list_model_get_n_items (get_groups (self));
  guint n_jobs = 0;

  self->unfolding = TRUE;
  for (guint i = 0; i < n && (n_jobs < PAGE || self->n_unfolded > 0); i++)
    {
      g_autoptr (StintJobGroup) group = g_list_model_get_item (get_groups (self), i);
      guint64 key = stint_job_group_get_key (group);
      gpointer choice;
      gboolean known = g_hash_table_lookup_extended (self->choices, &key, NULL, &choice);
      gboolean wanted = known ? GPOINTER_TO_INT (choice) : n_jobs < PAGE;
      g_autoptr (GtkTreeListRow) row = NULL;

      n_jobs += stint_job_group_get_n_jobs (group);
      if (!wanted)
        continue;
      row = gtk_tree_list_model_get_child_row (self->tree, i);
      if (row != NULL)
        gtk_tree_list_row_set_expanded (row, TRUE);
    }
  self->unfolding = FALSE;
}

static GListModel *
unfold (gpointer item, gpointer user_data)
{
  if (!STINT_IS_JOB_GROUP (item))
    return NULL;
  stint_job_group_unfold (item);
  return g_object_ref (item);
}

/* (transfer full) (nullable): the row at @position, if it is a group's that is unfolded or not. */
static GtkTreeListRow *
dup_group_row (StintHistoryList *self, guint position, gboolean unfolded)
{
  g_autoptr (GObject) item = g_list_model_get_item (G_LIST_MODEL (self), position);
  g_autoptr (StintJobGroup) group = stint_history_list_dup_group (item);

  if (group == NULL || gtk_tree_list_row_get_expanded (GTK_TREE_LIST_ROW (item)) != unfolded)
    return NULL;
  return GTK_TREE_LIST_ROW (g_steal_pointer (&item));
}

gboolean
stint_history_list_unfold (StintHistoryList *self, guint position)
{
  g_autoptr (GtkTreeListRow) row = NULL;

  g_return_val_if_fail (STINT_IS_HISTORY_LIST (self), FALSE);

  row = dup_group_row (self, position, FALSE);
  if (row == NULL)
    return FALSE;
  gtk_tree_list_row_set_expanded (row, TRUE);
  return TRUE;
}

guint
stint_history_list_get_group (StintHistoryList *self, guint position)
{
  g_autoptr (GObject) item = NULL;
  g_autoptr (GtkTreeListRow) parent = NULL;

  g_return_val_if_fail (STINT_IS_HISTORY_LIST (self), GTK_INVALID_LIST_POSITION);

  item = g_list_model_get_item (G_LIST_MODEL (self), position);
  if (item == NULL || !GTK_IS_TREE_LIST_ROW (item))
    return GTK_INVALID_LIST_POSITION;
  parent = gtk_tree_list_row_get_parent (GTK_TREE_LIST_ROW (item));
  return parent != NULL ? gtk_tree_list_row_get_position (parent) : position;
}

gboolean
stint_history_list_fold (StintHistoryList *self, guint position)
{
  g_autoptr (GtkTreeListRow) row = NULL;

  g_return_val_if_fail (STINT_IS_HISTORY_LIST (self), FALSE);

  row = dup_group_row (self, position, TRUE);
  if (row == NULL)
    return FALSE;
  gtk_selection_model_select_item (GTK_SELECTION_MODEL (self), position, TRUE);
  gtk_tree_list_row_set_expanded (row, FALSE);
  return TRUE;
}

/* ---- The list ---- */

static gpointer
stint_history_list_get_item (GListModel *list, guint position)
{
  StintHistoryList *self = STINT_HISTORY_LIST (list);
  gpointer item = g_list_model_get_item (self->shown, position);

  /* All rows that anybody could fold come by here. */
  if (GTK_IS_TREE_LIST_ROW (item) && gtk_tree_list_row_get_depth (item) == 0 &&
      g_signal_handler_find (item, G_SIGNAL_MATCH_FUNC | G_SIGNAL_MATCH_DATA, 0, 0, NULL,
                             on_expanded, self) == 0)
    g_signal_connect_object (item, "notify::expanded", G_CALLBACK (on_expanded), self,
                             G_CONNECT_DEFAULT);
  return item;
}

static GType
stint_history_list_get_item_type (GListModel *list)
{
  return G_TYPE_OBJECT;
}

static guint
stint_history_list_get_n_items (GListModel *list)
{
  return g_list_model_get_n_items (STINT_HISTORY_LIST (list)->shown);
}

static void
stint_history_list_list_init (GListModelInterface *iface)
{
  iface->get_item = stint_history_list_get_item;
  iface->get_item_type = stint_history_list_get_item_type;
  iface->get_n_items = stint_history_list_get_n_items;
}

static void
on_items_changed (StintHistoryList *self,
                  guint position,
                  guint n_removed,
                  guint n_added,
                  GListModel *source)
{
  if (source != self->shown)
    return;
  if (self->selected != GTK_INVALID_LIST_POSITION && self->selected >= position)
    self->selected = self->selected >= position + n_removed
                         ? self->selected - n_removed + n_added
                         : GTK_INVALID_LIST_POSITION;
  g_list_model_items_changed (G_LIST_MODEL (self), position, n_removed, n_added);
}

static void
show (StintHistoryList *self, GListModel *shown)
{
  guint n_before = g_list_model_get_n_items (self->shown);

  if (self->shown == shown)
    return;
  self->shown = shown;
  self->selected = GTK_INVALID_LIST_POSITION;
  g_list_model_items_changed (G_LIST_MODEL (self), 0, n_before, g_list_model_get_n_items (shown));
}

static void
on_replaced (StintHistoryList *self)
{
  gboolean grouped = g_list_model_get_n_items (get_groups (self)) > 0;

  if (grouped)
    {
      forget_other_choices (self);
      unfold_first (self);
    }
  show (self, grouped ? G_LIST_MODEL (self->tree) : G_LIST_MODEL (self->model));
  if (self->selected == GTK_INVALID_LIST_POSITION)
    find_selected (self);
}

static void
stint_history_list_finalize (GObject *object)
{
  StintHistoryList *self = STINT_HISTORY_LIST (object);

  g_clear_object (&self->tree);
  g_clear_object (&self->model);
  g_hash_table_unref (self->choices);

  G_OBJECT_CLASS (stint_history_list_parent_class)->finalize (object);
}

static void
stint_history_list_class_init (StintHistoryListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stint_history_list_finalize;
}

static void
stint_history_list_init (StintHistoryList *self)
{
  self->choices = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->selected = GTK_INVALID_LIST_POSITION;
}

StintHistoryList *
stint_history_list_new (StintHistoryModel *model)
{
  StintHistoryList *self = g_object_new (STINT_TYPE_HISTORY_LIST, NULL);

  self->model = g_object_ref (model);
  self->tree = gtk_tree_list_model_new (g_object_ref (get_groups (self)), FALSE, FALSE, unfold,
                                        NULL, NULL);
  self->shown = G_LIST_MODEL (self->model);
  g_signal_connect_object (self->tree, "items-changed", G_CALLBACK (on_items_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "items-changed", G_CALLBACK (on_items_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "replaced", G_CALLBACK (on_replaced), self, G_CONNECT_SWAPPED);
  return self;
}

guint
stint_history_list_get_selected (StintHistoryList *self)
{
  g_return_val_if_fail (STINT_IS_HISTORY_LIST (self), GTK_INVALID_LIST_POSITION);

  return self->selected;
}

StintHistoryModel *
stint_history_list_get_model (StintHistoryList *self)
{
  g_return_val_if_fail (STINT_IS_HISTORY_LIST (self), NULL);

  return self->model;
}
