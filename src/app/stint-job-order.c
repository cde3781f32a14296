/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The order of the sidebar. Watches the jobs that can still change their place, and no others. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-job-order.h"

struct _StintJobOrder
{
  GObject parent_instance;

  GListModel *jobs;
  GtkSorter *sorter;
  GtkSortListModel *sorted;
  GHashTable *watched; /* set of StintJob that have not finished */
};

G_DEFINE_FINAL_TYPE (StintJobOrder, stint_job_order, G_TYPE_OBJECT)

enum
{
  GROUP_RUNNING,
  GROUP_QUEUED,
  GROUP_FINISHED,
};

static int
get_group (StintJob *job)
{
  switch (stint_job_get_state (job))
    {
    case STINT_JOB_QUEUED:
      return GROUP_QUEUED;
    case STINT_JOB_FINISHED:
      return GROUP_FINISHED;
    case STINT_JOB_STARTING:
    case STINT_JOB_RUNNING:
    case STINT_JOB_STOPPING:
    default:
      return GROUP_RUNNING;
    }
}

/* A job that has no id yet is newer than all that have one. */
static guint64
get_age_key (StintJob *job)
{
  guint64 id = stint_job_get_id (job);

  return id != 0 ? id : G_MAXUINT64;
}

static int
compare_jobs (gconstpointer a, gconstpointer b, gpointer user_data)
{
  StintJob *first = STINT_JOB ((gpointer) a);
  StintJob *second = STINT_JOB ((gpointer) b);
  int groups = get_group (first) - get_group (second);
  guint64 first_key, second_key;

  if (groups != 0)
    return groups;
  first_key = get_age_key (first);
  second_key = get_age_key (second);
  return first_key > second_key ? -1 : first_key < second_key;
}

static void
unwatch (StintJobOrder *self, StintJob *job)
{
  if (g_hash_table_contains (self->watched, job))
    {
      g_signal_handlers_disconnect_by_data (job, self);
      g_hash_table_remove (self->watched, job);
    }
}

static void
on_job_changed (StintJobOrder *self, GParamSpec *pspec, StintJob *job)
{
  g_autoptr (StintJob) kept = g_object_ref (job);

  if (stint_job_get_state (job) == STINT_JOB_FINISHED)
    unwatch (self, job);
  gtk_sorter_changed (self->sorter, GTK_SORTER_CHANGE_DIFFERENT);
}

static void
watch (StintJobOrder *self, StintJob *job)
{
  if (stint_job_get_state (job) == STINT_JOB_FINISHED ||
      !g_hash_table_add (self->watched, g_object_ref (job)))
    return;
  g_signal_connect_object (job, "notify::state", G_CALLBACK (on_job_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (job, "notify::id", G_CALLBACK (on_job_changed), self, G_CONNECT_SWAPPED);
}

static void
on_items_changed (StintJobOrder *self, guint position, guint removed, guint added, GListModel *jobs)
{
  for (guint i = position; i < position + added; i++)
    {
      g_autoptr (StintJob) job = g_list_model_get_item (jobs, i);

      watch (self, job);
    }
}

static void
stint_job_order_dispose (GObject *object)
{
  StintJobOrder *self = STINT_JOB_ORDER (object);
  GHashTableIter iter;
  gpointer job;

  g_hash_table_iter_init (&iter, self->watched);
  while (g_hash_table_iter_next (&iter, &job, NULL))
    {
      g_signal_handlers_disconnect_by_data (job, self);
      g_hash_table_iter_remove (&iter);
    }
  g_clear_object (&self->sorted);
  g_clear_object (&self->sorter);
  g_clear_object (&self->jobs);

  G_OBJECT_CLASS (stint_job_order_parent_class)->dispose (object);
}

static void
stint_job_order_finalize (GObject *object)
{
  StintJobOrder *self = STINT_JOB_ORDER (object);

  g_hash_table_unref (self->watched);

  G_OBJECT_CLASS (stint_job_order_parent_class)->finalize (object);
}

static void
stint_job_order_class_init (StintJobOrderClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stint_job_order_dispose;
  G_OBJECT_CLASS (klass)->finalize = stint_job_order_finalize;
}

static void
stint_job_order_init (StintJobOrder *self)
{
  self->watched = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
}

StintJobOrder *
stint_job_order_new (GListModel *jobs)
{
  StintJobOrder *self;

  g_return_val_if_fail (G_IS_LIST_MODEL (jobs), NULL);

  self = g_object_new (STINT_TYPE_JOB_ORDER, NULL);
  self->jobs = g_object_ref (jobs);
  self->sorter = GTK_SORTER (gtk_custom_sorter_new (compare_jobs, NULL, NULL));
  self->sorted = gtk_sort_list_model_new (g_object_ref (jobs), g_object_ref (self->sorter));
  g_signal_connect_object (jobs, "items-changed", G_CALLBACK (on_items_changed), self,
                           G_CONNECT_SWAPPED);
  on_items_changed (self, 0, 0, g_list_model_get_n_items (jobs), jobs);
  return self;
}

GListModel *
stint_job_order_get_model (StintJobOrder *self)
{
  g_return_val_if_fail (STINT_IS_JOB_ORDER (self), NULL);

  return G_LIST_MODEL (self->sorted);
}

guint
stint_job_order_find (StintJobOrder *self, StintJob *job)
{
  GListModel *model;
  guint n_jobs;

  g_return_val_if_fail (STINT_IS_JOB_ORDER (self), GTK_INVALID_LIST_POSITION);

  model = G_LIST_MODEL (self->sorted);
  n_jobs = g_list_model_get_n_items (model);
  for (guint i = 0; i < n_jobs; i++)
    {
      g_autoptr (StintJob) candidate = g_list_model_get_item (model, i);

      if (candidate == job)
        return i;
    }
  return GTK_INVALID_LIST_POSITION;
}
