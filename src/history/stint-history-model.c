/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hits as ids, rows as they come into view. Three lanes, each one thread with a connection of its own,
 * so that a row does not wait for a search, nor for the line that was found in the output of another.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-history-model.h"

#include "stint-job-directories.h"

#include <string.h>

/* Rows that are read at once. */
#define BATCH 64

/* Items that are kept though nobody holds them: those that were just scrolled out of view. */
#define KEPT 256

#define SNIPPET_CHARS 200

typedef enum
{
  LANE_SEARCH,
  LANE_ROWS,
  LANE_LINES,
  N_LANES,
} Lane;

struct _StintHistoryModel
{
  GObject parent_instance;

  char *directory;
  char *jobs;
  GThreadPool *pools[N_LANES];
  StintSearcher *searchers[N_LANES];

  StintHistoryQuery *query; /* (nullable): nothing has been searched */
  StintHistorySort sort;
  StintHistoryGroup group;
  GCancellable *cancellable; /* of the query */
  guint serial;              /* of the search */
  gboolean busy;
  gboolean again;

  GArray *hits;       /* guint64 */
  GArray *places;     /* StintHitGroup: of those that are grouped */
  StintHistoryGroup shown_group; /* of these */
  gboolean is_whole;             /* these are all hits */
  StintGroupList *groups;
  GHashTable *items;  /* id -> StintHistoryItem, not owned: those that exist */
  GQueue kept;        /* StintHistoryItem, owned */
  GHashTable *hidden; /* set of ids */
  GArray *wanted;     /* ids of rows to read */
  guint wanted_source;
};

static void stint_history_model_list_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (StintHistoryModel,
                               stint_history_model,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL,
                                                      stint_history_model_list_init))

enum
{
  PROP_0,
  PROP_BUSY,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];
static guint replaced_signal, failed_signal, index_lost_signal;

/* What a lane does, and what comes of it. It holds the model: who drops the model cancels first. */
typedef struct
{
  StintHistoryModel *model;
  GMainContext *context;
  GCancellable *cancellable;
  guint serial;
  Lane lane;
  gboolean again; /* of a search that has been answered before */
  StintHistoryQuery *query;
  StintHistorySort sort;
  StintHistoryGroup group;
  GArray *ids;        /* in: rows; out: hits */
  GArray *places;     /* (nullable) StintHitGroup */
  GPtrArray *entries; /* StintEntry, or NULL */
  StintSnippet *snippet;
  gboolean first_page;
  gboolean index_lost;
  GError *error;
} Task;

static void
task_free (gpointer data)
{
  Task *self = data;

  for (guint i = 0; self->entries != NULL && i < self->entries->len; i++)
    g_clear_pointer (&g_ptr_array_index (self->entries, i), stint_entry_free);
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  g_clear_pointer (&self->snippet, stint_snippet_free);
  g_clear_pointer (&self->ids, g_array_unref);
  g_clear_pointer (&self->places, g_array_unref);
  g_clear_pointer (&self->query, stint_history_query_unref);
  g_clear_pointer (&self->context, g_main_context_unref);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->model);
  g_clear_error (&self->error);
  g_free (self);
}

static Task *
task_new (StintHistoryModel *self, Lane lane)
{
  Task *task = g_new0 (Task, 1);

  task->model = g_object_ref (self);
  task->context = g_main_context_ref_thread_default ();
  task->cancellable = g_object_ref (self->cancellable);
  task->serial = self->serial;
  task->lane = lane;
  task->query = stint_history_query_ref (self->query);
  task->sort = self->sort;
  task->group = self->group;
  return task;
}

static void
set_busy (StintHistoryModel *self, gboolean busy)
{
  if (self->busy == busy)
    return;
  self->busy = busy;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BUSY]);
}

static gboolean read_wanted (gpointer user_data);

static void
want (StintHistoryModel *self, guint64 id)
{
  g_array_append_val (self->wanted, id);
  /* All that come into view at once make one batch. */
  if (self->wanted_source == 0)
    self->wanted_source = g_idle_add_full (G_PRIORITY_DEFAULT, read_wanted, self, NULL);
}

static gboolean
read_wanted (gpointer user_data)
{
  StintHistoryModel *self = user_data;

  self->wanted_source = 0;
  for (guint i = 0; i < self->wanted->len; i += BATCH)
    {
      Task *task = task_new (self, LANE_ROWS);

      task->ids = g_array_new (FALSE, FALSE, sizeof (guint64));
      g_array_append_vals (task->ids, &g_array_index (self->wanted, guint64, i),
                           MIN (BATCH, self->wanted->len - i));
      g_thread_pool_push (self->pools[LANE_ROWS], task, NULL);
    }
  g_array_set_size (self->wanted, 0);
  return G_SOURCE_REMOVE;
}

static gboolean
has_failed (StintHistoryModel *self, guint64 id)
{
  StintHistoryItem *item = g_hash_table_lookup (self->items, &id);
  const StintEntry *entry = item != NULL ? stint_history_item_get_entry (item) : NULL;

  return entry != NULL && stint_entry_has_failed (entry);
}

/* Hits that are hidden are left out; the next one begins their group. */
static void
leave_out_hidden (StintHistoryModel *self, GArray **hits, GArray **places)
{
  GArray *shown, *shown_places;
  guint n_places = (*places)->len;

  if (g_hash_table_size (self->hidden) == 0)
    return;
  shown = g_array_sized_new (FALSE, FALSE, sizeof (guint64), (*hits)->len);
  shown_places = g_array_sized_new (FALSE, FALSE, sizeof (StintHitGroup), n_places);
  for (guint i = 0, next = 0; i < (*hits)->len; i++)
    {
      guint64 id = STINT_HIT_ID (g_array_index (*hits, guint64, i));
      gboolean hidden = g_hash_table_contains (self->hidden, &id);

      if (next < n_places && g_array_index (*places, StintHitGroup, next).first == i)
        {
          StintHitGroup place = g_array_index (*places, StintHitGroup, next++);

          place.first = shown->len;
          g_array_append_val (shown_places, place);
        }
      if (!hidden)
        g_array_append_val (shown, id);
      if (hidden && shown_places->len > 0)
        {
          StintHitGroup *place = &g_array_index (shown_places, StintHitGroup, shown_places->len - 1);

          place->n_failed -= MIN (place->n_failed, has_failed (self, id) ? 1 : 0);
          if (--place->n_hits == 0)
            g_array_set_size (shown_places, shown_places->len - 1);
        }
    }
  g_array_unref (*hits);
  *hits = shown;
  g_array_unref (*places);
  *places = shown_places;
}

/* Tells of what has changed and of nothing else, so that what is selected and in view stays. */
static void
replace (StintHistoryModel *self,
         GArray *hits,
         GArray *places,
         StintHistoryGroup group,
         gboolean is_whole)
{
  GArray *old = self->hits;
  GArray *shown = g_array_ref (hits);
  GArray *shown_places =
      places != NULL ? g_array_ref (places) : g_array_new (FALSE, FALSE, sizeof (StintHitGroup));
  guint before = 0, behind = 0, common;

  leave_out_hidden (self, &shown, &shown_places);
  common = MIN (old->len, shown->len);
  while (before < common && STINT_HIT_ID (g_array_index (old, guint64, before)) ==
                                STINT_HIT_ID (g_array_index (shown, guint64, before)))
    before++;
  while (behind < common - before &&
         STINT_HIT_ID (g_array_index (old, guint64, old->len - 1 - behind)) ==
             STINT_HIT_ID (g_array_index (shown, guint64, shown->len - 1 - behind)))
    behind++;
  self->hits = shown;
  g_array_unref (self->places);
  self->places = shown_places;
  self->shown_group = group;
  self->is_whole = is_whole;
  stint_group_list_take (self->groups, group, shown, shown_places, is_whole);
  if (old->len != before + behind || shown->len != before + behind)
    g_list_model_items_changed (G_LIST_MODEL (self), before, old->len - before - behind,
                                shown->len - before - behind);
  g_array_unref (old);
  g_signal_emit (self, replaced_signal, 0);
}

static void
read_all_again (StintHistoryModel *self)
{
  GHashTableIter iter;
  gpointer key;

  g_hash_table_iter_init (&iter, self->items);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    want (self, *(guint64 *) key);
}

static void
take_hits (StintHistoryModel *self, Task *task)
{
  if (task->index_lost)
    g_signal_emit (self, index_lost_signal, 0);
  if (task->serial != self->serial)
    return;
  if (task->first_page)
    {
      /* Better than what was there, unless that is more of the same. */
      if (self->hits->len < task->ids->len ||
          memcmp (self->hits->data, task->ids->data, task->ids->len * sizeof (guint64)) != 0)
        replace (self, task->ids, task->places, self->group, FALSE);
      return;
    }
  set_busy (self, FALSE);
  if (task->error != NULL)
    {
      if (!g_error_matches (task->error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        g_signal_emit (self, failed_signal, 0, task->error);
    }
  else
    {
      replace (self, task->ids, task->places, self->group, TRUE);
      read_all_again (self);
    }
  if (self->again)
    stint_history_model_refresh (self);
}

static void
take_rows (StintHistoryModel *self, Task *task)
{
  const char *const *words = stint_history_query_get_words (task->query);

  for (guint i = 0; task->entries != NULL && i < task->entries->len; i++)
    {
      guint64 id = g_array_index (task->ids, guint64, i);
      StintHistoryItem *item = g_hash_table_lookup (self->items, &id);
      StintEntry *entry = g_steal_pointer (&g_ptr_array_index (task->entries, i));

      if (item == NULL)
        {
          g_clear_pointer (&entry, stint_entry_free);
          continue;
        }
      if (entry != NULL)
        stint_history_item_take_entry (item, entry);
      if (words[0] == NULL && stint_history_item_get_snippet (item) != NULL)
        stint_history_item_take_snippet (item, NULL);
      if (words[0] != NULL && task->serial == self->serial &&
          !g_cancellable_is_cancelled (task->cancellable))
        {
          Task *line = task_new (self, LANE_LINES);

          line->ids = g_array_new (FALSE, FALSE, sizeof (guint64));
          g_array_append_val (line->ids, id);
          g_thread_pool_push (self->pools[LANE_LINES], line, NULL);
        }
    }
}

static void
take_line (StintHistoryModel *self, Task *task)
{
  guint64 id = g_array_index (task->ids, guint64, 0);
  StintHistoryItem *item = g_hash_table_lookup (self->items, &id);

  if (item != NULL && task->serial == self->serial)
    stint_history_item_take_snippet (item, g_steal_pointer (&task->snippet));
}

static gboolean
take_answer (gpointer data)
{
  Task *task = data;

  switch (task->lane)
    {
    case LANE_SEARCH:
      take_hits (task->model, task);
      break;
    case LANE_ROWS:
      take_rows (task->model, task);
      break;
    case LANE_LINES:
      take_line (task->model, task);
      break;
    case N_LANES:
    default:
      g_assert_not_reached ();
    }
  return G_SOURCE_REMOVE;
}

static void
hand_back (Task *task)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_static_name (source, "stint-history-model");
  g_source_set_callback (source, take_answer, task, task_free);
  g_source_attach (source, task->context);
}

static void
on_first_page (const guint64 *hits, guint n_hits, gpointer user_data)
{
  Task *task = user_data;
  Task *page = g_new0 (Task, 1);

  page->model = g_object_ref (task->model);
  page->context = g_main_context_ref (task->context);
  page->serial = task->serial;
  page->lane = LANE_SEARCH;
  page->first_page = TRUE;
  page->ids = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_array_append_vals (page->ids, hits, n_hits);
  page->places = stint_searcher_dup_groups (task->model->searchers[LANE_SEARCH], hits, n_hits,
                                            task->cancellable, NULL);
  /* What went wrong is told with the whole result. */
  if (page->places != NULL)
    hand_back (page);
  else
    task_free (page);
}

/* On the thread of a lane. */
static void
work (gpointer data, gpointer user_data)
{
  Task *task = data;
  StintHistoryModel *self = task->model;
  StintSearcher *searcher = self->searchers[task->lane];

  if (task->lane == LANE_SEARCH)
    {
      /* A list that is looked at is never cut down to its first page. */
      task->ids = stint_searcher_run (searcher, task->query, task->sort, task->group,
                                      task->again ? NULL : on_first_page, task, task->cancellable,
                                      &task->error);
      task->index_lost = stint_searcher_take_lost_index (searcher);
      if (task->ids != NULL)
        task->places =
            stint_searcher_dup_groups (searcher, (const guint64 *) (void *) task->ids->data,
                                       task->ids->len, task->cancellable, &task->error);
      if (task->places == NULL)
        g_clear_pointer (&task->ids, g_array_unref);
    }
  else if (task->lane == LANE_ROWS)
    {
      task->entries = stint_searcher_read (searcher, (const guint64 *) (void *) task->ids->data,
                                           task->ids->len, NULL);
    }
  else if (!g_cancellable_is_cancelled (task->cancellable))
    {
      g_autofree char *directory =
          stint_job_directories_dup_path (self->jobs, g_array_index (task->ids, guint64, 0));

      task->snippet = stint_snippet_find (directory, stint_history_query_get_words (task->query),
                                          SNIPPET_CHARS, task->cancellable);
    }
  hand_back (task);
}

static void
on_item_gone (gpointer data, GObject *where)
{
  StintHistoryModel *self = data;
  GHashTableIter iter;
  gpointer key, value;

  g_hash_table_iter_init (&iter, self->items);
  while (g_hash_table_iter_next (&iter, &key, &value))
    if (value == where)
      {
        g_hash_table_iter_remove (&iter);
        return;
      }
}

static void
keep (StintHistoryModel *self, StintHistoryItem *item)
{
  g_queue_push_tail (&self->kept, g_object_ref (item));
  if (g_queue_get_length (&self->kept) > KEPT)
    g_object_unref (g_queue_pop_head (&self->kept));
}

static StintHistoryItem *
dup_item (gpointer source, guint64 id)
{
  StintHistoryModel *self = source;
  StintHistoryItem *item = g_hash_table_lookup (self->items, &id);

  if (item != NULL)
    return g_object_ref (item);
  item = stint_history_item_new (id);
  g_object_weak_ref (G_OBJECT (item), on_item_gone, self);
  g_hash_table_insert (self->items, g_memdup2 (&id, sizeof id), item);
  keep (self, item);
  want (self, id);
  return item;
}

static gpointer
stint_history_model_get_item (GListModel *list, guint position)
{
  StintHistoryModel *self = STINT_HISTORY_MODEL (list);

  if (position >= self->hits->len)
    return NULL;
  return dup_item (self, STINT_HIT_ID (g_array_index (self->hits, guint64, position)));
}

static GType
stint_history_model_get_item_type (GListModel *list)
{
  return STINT_TYPE_HISTORY_ITEM;
}

static guint
stint_history_model_get_n_items (GListModel *list)
{
  return STINT_HISTORY_MODEL (list)->hits->len;
}

static void
stint_history_model_list_init (GListModelInterface *iface)
{
  iface->get_item = stint_history_model_get_item;
  iface->get_item_type = stint_history_model_get_item_type;
  iface->get_n_items = stint_history_model_get_n_items;
}

/* By then no task is left: each holds a reference. The last of them may be let go by its thread. */
static void
stint_history_model_finalize (GObject *object)
{
  StintHistoryModel *self = STINT_HISTORY_MODEL (object);
  GHashTableIter iter;
  gpointer value;

  for (guint i = 0; i < N_LANES; i++)
    {
      g_thread_pool_free (self->pools[i], TRUE, FALSE);
      stint_searcher_free (self->searchers[i]);
    }
  g_clear_handle_id (&self->wanted_source, g_source_remove);
  g_queue_clear_full (&self->kept, g_object_unref);
  g_hash_table_iter_init (&iter, self->items);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    g_object_weak_unref (value, on_item_gone, self);
  g_hash_table_unref (self->items);
  g_hash_table_unref (self->hidden);
  g_array_unref (self->wanted);
  stint_group_list_forget_source (self->groups);
  g_object_unref (self->groups);
  g_array_unref (self->places);
  g_array_unref (self->hits);
  g_clear_pointer (&self->query, stint_history_query_unref);
  g_clear_object (&self->cancellable);
  g_free (self->jobs);
  g_free (self->directory);

  G_OBJECT_CLASS (stint_history_model_parent_class)->finalize (object);
}

static void
stint_history_model_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_BUSY:
      g_value_set_boolean (value, STINT_HISTORY_MODEL (object)->busy);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
stint_history_model_class_init (StintHistoryModelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = stint_history_model_finalize;
  object_class->get_property = stint_history_model_get_property;
  properties[PROP_BUSY] =
      g_param_spec_boolean ("busy", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  replaced_signal = g_signal_new ("replaced", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
  failed_signal = g_signal_new ("failed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);
  index_lost_signal = g_signal_new ("index-lost", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
stint_history_model_init (StintHistoryModel *self)
{
  self->hits = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->places = g_array_new (FALSE, FALSE, sizeof (StintHitGroup));
  self->groups = stint_group_list_new (dup_item, self);
  self->wanted = g_array_new (FALSE, FALSE, sizeof (guint64));
  self->items = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->hidden = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->cancellable = g_cancellable_new ();
  g_queue_init (&self->kept);
}

StintHistoryModel *
stint_history_model_new (const char *directory)
{
  StintHistoryModel *self = g_object_new (STINT_TYPE_HISTORY_MODEL, NULL);

  self->directory = g_strdup (directory);
  self->jobs = g_build_filename (directory, "jobs", NULL);
  for (guint i = 0; i < N_LANES; i++)
    {
      self->searchers[i] = stint_searcher_new (directory);
      self->pools[i] = g_thread_pool_new_full (work, NULL, task_free, 1, FALSE, NULL);
    }
  return self;
}

static void
start (StintHistoryModel *self, gboolean again)
{
  Task *task;

  g_cancellable_cancel (self->cancellable);
  g_object_unref (self->cancellable);
  self->cancellable = g_cancellable_new ();
  self->serial++;
  self->again = FALSE;
  set_busy (self, TRUE);
  task = task_new (self, LANE_SEARCH);
  task->again = again;
  g_thread_pool_push (self->pools[LANE_SEARCH], task, NULL);
}

void
stint_history_model_search (StintHistoryModel *self,
                            StintHistoryQuery *query,
                            StintHistorySort sort,
                            StintHistoryGroup group)
{
  g_return_if_fail (STINT_IS_HISTORY_MODEL (self));

  stint_history_query_ref (query);
  g_clear_pointer (&self->query, stint_history_query_unref);
  self->query = query;
  self->sort = sort;
  self->group = group;
  start (self, FALSE);
}

void
stint_history_model_refresh (StintHistoryModel *self)
{
  g_return_if_fail (STINT_IS_HISTORY_MODEL (self));

  if (self->query == NULL)
    return;
  /* Else a history that changes all the time would never be searched to the end. */
  if (self->busy)
    self->again = TRUE;
  else
    start (self, TRUE);
}

gboolean
stint_history_model_is_busy (StintHistoryModel *self)
{
  g_return_val_if_fail (STINT_IS_HISTORY_MODEL (self), FALSE);

  return self->busy;
}

StintGroupList *
stint_history_model_get_groups (StintHistoryModel *self)
{
  g_return_val_if_fail (STINT_IS_HISTORY_MODEL (self), NULL);

  return self->groups;
}

gboolean
stint_history_model_find (StintHistoryModel *self, guint64 id, guint *position)
{
  g_return_val_if_fail (STINT_IS_HISTORY_MODEL (self), FALSE);

  for (guint i = 0; i < self->hits->len; i++)
    if (STINT_HIT_ID (g_array_index (self->hits, guint64, i)) == id)
      {
        *position = i;
        return TRUE;
      }
  return FALSE;
}

void
stint_history_model_hide (StintHistoryModel *self, guint64 id)
{
  g_return_if_fail (STINT_IS_HISTORY_MODEL (self));

  g_hash_table_add (self->hidden, g_memdup2 (&id, sizeof id));
  replace (self, self->hits, self->places, self->shown_group, self->is_whole);
}

void
stint_history_model_show (StintHistoryModel *self, guint64 id)
{
  g_return_if_fail (STINT_IS_HISTORY_MODEL (self));

  if (g_hash_table_remove (self->hidden, &id))
    stint_history_model_refresh (self);
}
