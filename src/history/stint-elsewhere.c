/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Jobs of other processes. A row tells that there is one, the socket in its directory how it goes on.
 * The row is there first: until the socket is, its directory is watched.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-elsewhere.h"

/* The history's files are written several times for each job. */
#define NEWS_MSEC 200

struct _StintElsewhere
{
  GObject parent_instance;

  StintHistory *history;
  StintJobList *jobs;
  GFileMonitor *monitor; /* of the history's directory */
  GHashTable *sockets;   /* id -> GFileMonitor: of jobs whose socket is not there yet */
  GHashTable *watched;   /* set of StintJob */
  gboolean listing;
  gboolean again; /* there were news since */
};

G_DEFINE_FINAL_TYPE (StintElsewhere, stint_elsewhere, G_TYPE_OBJECT)

enum
{
  SIGNAL_ORPHANED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void list (StintElsewhere *self);

static void
forget_socket (StintElsewhere *self, guint64 id)
{
  g_hash_table_remove (self->sockets, &id);
}

static void
handle_state (StintElsewhere *self, GParamSpec *pspec, StintJob *job)
{
  g_autoptr (StintJob) kept = g_object_ref (job);

  if (stint_job_get_state (job) != STINT_JOB_FINISHED)
    return;
  g_signal_handlers_disconnect_by_data (job, self);
  g_hash_table_remove (self->watched, job);
  if (stint_job_get_result (job)->reason == STINT_REASON_INTERRUPTED)
    g_signal_emit (self, signals[SIGNAL_ORPHANED], 0);
}

static void
handle_watched (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (StintElsewhere) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (StintJob) job = stint_job_list_watch_finish (STINT_JOB_LIST (source), result, &error);

  if (job == NULL)
    {
      g_debug ("A job of another process cannot be watched: %s", error->message);
      return;
    }
  forget_socket (self, stint_job_get_id (job));
  g_hash_table_add (self->watched, g_object_ref (job));
  g_signal_connect_object (job, "notify::state", G_CALLBACK (handle_state), self,
                           G_CONNECT_SWAPPED);
  handle_state (self, NULL, job);
}

/* Only when the socket has come is there anything to connect to, and then at once. */
static void
watch_socket (StintElsewhere *self, guint64 id, const char *directory)
{
  g_autofree char *path = g_build_filename (directory, "owner", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  GFileMonitor *monitor;

  if (g_hash_table_contains (self->sockets, &id))
    return;
  monitor = g_file_monitor_file (file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
  if (monitor == NULL)
    return;
  g_signal_connect_object (monitor, "changed", G_CALLBACK (list), self, G_CONNECT_SWAPPED);
  g_hash_table_insert (self->sockets, g_memdup2 (&id, sizeof id), monitor);
}

static void
watch (StintElsewhere *self, const StintLeftJob *left)
{
  g_autofree char *path = g_build_filename (left->directory, "owner", NULL);
  g_autoptr (StintJob) known = stint_job_list_lookup (self->jobs, left->id);

  if (known != NULL)
    return;
  watch_socket (self, left->id, left->directory);
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    stint_job_list_watch_async (self->jobs, left, handle_watched, g_object_ref (self));
}

static void
forget_others (StintElsewhere *self, GPtrArray *running)
{
  GHashTableIter iter;
  gpointer id;

  g_hash_table_iter_init (&iter, self->sockets);
  while (g_hash_table_iter_next (&iter, &id, NULL))
    {
      gboolean found = FALSE;

      for (guint i = 0; i < running->len && !found; i++)
        found = ((StintLeftJob *) running->pdata[i])->id == *(guint64 *) id;
      if (!found)
        g_hash_table_iter_remove (&iter);
    }
}

static void
handle_listed (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (StintElsewhere) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) running =
      stint_history_list_elsewhere_finish (STINT_HISTORY (source), result, &error);

  self->listing = FALSE;
  if (self->monitor == NULL)
    return;
  if (running == NULL)
    {
      g_debug ("The jobs of other processes are not known: %s", error->message);
      return;
    }
  forget_others (self, running);
  for (guint i = 0; i < running->len; i++)
    watch (self, running->pdata[i]);
  if (self->again)
    list (self);
}

static void
list (StintElsewhere *self)
{
  self->again = self->listing;
  if (self->listing)
    return;
  self->listing = TRUE;
  stint_history_list_elsewhere_async (self->history, handle_listed, g_object_ref (self));
}

static void
handle_news (StintElsewhere *self, GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);

  if (g_str_has_prefix (name, "history.db"))
    list (self);
}

static void
stint_elsewhere_dispose (GObject *object)
{
  StintElsewhere *self = STINT_ELSEWHERE (object);
  GHashTableIter iter;
  gpointer job;

  g_hash_table_iter_init (&iter, self->watched);
  while (g_hash_table_iter_next (&iter, &job, NULL))
    g_signal_handlers_disconnect_by_data (job, self);
  g_hash_table_remove_all (self->watched);
  g_hash_table_remove_all (self->sockets);
  if (self->monitor != NULL)
    g_file_monitor_cancel (self->monitor);
  g_clear_object (&self->monitor);
  g_clear_object (&self->jobs);
  g_clear_object (&self->history);

  G_OBJECT_CLASS (stint_elsewhere_parent_class)->dispose (object);
}

static void
stint_elsewhere_finalize (GObject *object)
{
  StintElsewhere *self = STINT_ELSEWHERE (object);

  g_hash_table_unref (self->watched);
  g_hash_table_unref (self->sockets);

  G_OBJECT_CLASS (stint_elsewhere_parent_class)->finalize (object);
}

static void
stint_elsewhere_class_init (StintElsewhereClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stint_elsewhere_dispose;
  G_OBJECT_CLASS (klass)->finalize = stint_elsewhere_finalize;

  signals[SIGNAL_ORPHANED] = g_signal_new ("orphaned", STINT_TYPE_ELSEWHERE, G_SIGNAL_RUN_LAST, 0,
                                           NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
stint_elsewhere_init (StintElsewhere *self)
{
  self->sockets = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_object_unref);
  self->watched = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
}

StintElsewhere *
stint_elsewhere_new (StintHistory *history, StintJobList *jobs)
{
  g_autoptr (GFile) directory = NULL;
  StintElsewhere *self;

  g_return_val_if_fail (STINT_IS_HISTORY (history), NULL);
  g_return_val_if_fail (STINT_IS_JOB_LIST (jobs), NULL);

  self = g_object_new (STINT_TYPE_ELSEWHERE, NULL);
  self->history = g_object_ref (history);
  self->jobs = g_object_ref (jobs);
  directory = g_file_new_for_path (stint_history_get_directory (history));
  self->monitor = g_file_monitor_directory (directory, G_FILE_MONITOR_NONE, NULL, NULL);
  if (self->monitor == NULL)
    return self;
  g_file_monitor_set_rate_limit (self->monitor, NEWS_MSEC);
  g_signal_connect_object (self->monitor, "changed", G_CALLBACK (handle_news), self,
                           G_CONNECT_SWAPPED);
  list (self);
  return self;
}
