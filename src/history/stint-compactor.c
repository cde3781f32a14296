/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread that compresses transcripts. It owns its queue; the one other thing it shares is the
 * context to which it reports.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-compactor.h"

#include "stint-compress.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A keeper that has reported its job's end still holds the lock for a moment. */
#define BUSY_RETRY_USEC (G_USEC_PER_SEC / 2)
#define MAX_TRIES 20

#define FREE_PATIENCE_USEC (G_USEC_PER_SEC / 2)

typedef struct
{
  char *directory;
  guint n_tries;
  gint64 not_before; /* monotonic */
} Item;

struct _StintCompactor
{
  gatomicrefcount ref_count; /* the owner's and the thread's */
  char *jobs;
  GCancellable *cancellable;

  GMutex mutex;
  GCond cond;
  GQueue queue; /* of Item */
  gboolean scanned;
  gboolean busy;
  gboolean ended;

  GMainContext *context;
  StintCompactorProblem problem; /* cleared when the owner goes; only used in its context */
  gpointer user_data;
};

static void
item_free (Item *item)
{
  g_free (item->directory);
  g_free (item);
}

static StintCompactor *
compactor_ref (StintCompactor *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

static void
compactor_unref (StintCompactor *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_queue_clear_full (&self->queue, (GDestroyNotify) item_free);
  g_object_unref (self->cancellable);
  g_main_context_unref (self->context);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->cond);
  g_free (self->jobs);
  g_free (self);
}

/* Behind everybody else, at the processor and at the disk. A failure only means that it is not. */
static void
give_way (void)
{
  const int idle_class = 3 << 13;

  setpriority (PRIO_PROCESS, (id_t) gettid (), 19);
  syscall (SYS_ioprio_set, 1, 0, idle_class);
}

typedef struct
{
  StintCompactor *compactor;
  GError *error;
} Report;

static gboolean
report (gpointer data)
{
  Report *self = data;

  if (self->compactor->problem != NULL)
    self->compactor->problem (self->error, self->compactor->user_data);
  return G_SOURCE_REMOVE;
}

static void
report_free (gpointer data)
{
  Report *self = data;

  compactor_unref (self->compactor);
  g_error_free (self->error);
  g_free (self);
}

static gboolean
is_worth_telling (const GError *error)
{
  return !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) &&
         !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND) &&
         !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE) &&
         !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_BUSY);
}

/* Not g_main_context_invoke(): while nobody iterates the default context that would call back on
 * this thread. */
static void
tell (StintCompactor *self, const GError *error)
{
  g_autoptr (GSource) source = NULL;
  Report *data;

  if (!is_worth_telling (error))
    {
      g_debug ("%s", error->message);
      return;
    }
  data = g_new (Report, 1);
  *data = (Report){ compactor_ref (self), g_error_copy (error) };
  source = g_idle_source_new ();
  g_source_set_static_name (source, "stint-compactor");
  g_source_set_callback (source, report, data, report_free);
  g_source_attach (source, self->context);
}

/* Returns: whether to come back to it later. */
static gboolean
compress (StintCompactor *self, Item *item)
{
  g_autoptr (GError) error = NULL;

  if (!stint_compress_is_due (item->directory) ||
      stint_compress_directory (item->directory, self->cancellable, &error))
    return FALSE;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_BUSY) && ++item->n_tries < MAX_TRIES)
    {
      item->not_before = g_get_monotonic_time () + BUSY_RETRY_USEC;
      return TRUE;
    }
  tell (self, error);
  return FALSE;
}

static void
add (StintCompactor *self, const char *directory)
{
  Item *item = g_new0 (Item, 1);

  item->directory = g_strdup (directory);
  g_mutex_lock (&self->mutex);
  g_queue_push_tail (&self->queue, item);
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
}

static void
scan (StintCompactor *self)
{
  g_autoptr (GDir) dir = g_dir_open (self->jobs, 0, NULL);
  const char *name;

  while (dir != NULL && !g_cancellable_is_cancelled (self->cancellable) &&
         (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *directory = g_build_filename (self->jobs, name, NULL);

      if (stint_compress_is_due (directory))
        add (self, directory);
    }
}

/* Returns: (transfer full) (nullable): what is to be done next, when it is time; NULL at the end. */
static Item *
take (StintCompactor *self)
{
  Item *item;

  g_mutex_lock (&self->mutex);
  self->busy = FALSE;
  g_cond_broadcast (&self->cond);
  while (!g_cancellable_is_cancelled (self->cancellable))
    {
      item = g_queue_peek_head (&self->queue);
      if (item == NULL)
        g_cond_wait (&self->cond, &self->mutex);
      else if (item->not_before <= g_get_monotonic_time ())
        break;
      else
        g_cond_wait_until (&self->cond, &self->mutex, item->not_before);
    }
  item = g_cancellable_is_cancelled (self->cancellable) ? NULL : g_queue_pop_head (&self->queue);
  self->busy = item != NULL;
  g_mutex_unlock (&self->mutex);
  return item;
}

static gpointer
run (gpointer data)
{
  StintCompactor *self = data;
  Item *item;

  give_way ();
  scan (self);
  g_mutex_lock (&self->mutex);
  self->scanned = TRUE;
  g_mutex_unlock (&self->mutex);

  while ((item = take (self)) != NULL)
    {
      if (!compress (self, item))
        {
          item_free (item);
          continue;
        }
      g_mutex_lock (&self->mutex);
      g_queue_push_tail (&self->queue, item);
      g_mutex_unlock (&self->mutex);
    }

  g_mutex_lock (&self->mutex);
  self->ended = TRUE;
  g_cond_broadcast (&self->cond);
  g_mutex_unlock (&self->mutex);
  compactor_unref (self);
  return NULL;
}

StintCompactor *
stint_compactor_new (const char *jobs, StintCompactorProblem problem, gpointer user_data)
{
  StintCompactor *self = g_new0 (StintCompactor, 1);
  GThread *thread;

  g_atomic_ref_count_init (&self->ref_count);
  self->jobs = g_strdup (jobs);
  self->cancellable = g_cancellable_new ();
  g_mutex_init (&self->mutex);
  g_cond_init (&self->cond);
  g_queue_init (&self->queue);
  self->context = g_main_context_ref_thread_default ();
  self->problem = problem;
  self->user_data = user_data;

  thread = g_thread_try_new ("stint-compactor", run, compactor_ref (self), NULL);
  if (thread != NULL)
    {
      g_thread_unref (thread);
    }
  else
    {
      /* No thread is to be had: what is there stays as it is. */
      self->scanned = self->ended = TRUE;
      compactor_unref (self);
    }
  return self;
}

void
stint_compactor_add (StintCompactor *self, const char *directory)
{
  g_autofree char *parent = g_path_get_dirname (directory);

  /* What is kept nowhere is about to be removed. */
  if (g_str_equal (parent, self->jobs))
    add (self, directory);
}

void
stint_compactor_wait (StintCompactor *self)
{
  g_mutex_lock (&self->mutex);
  while (!self->ended && (!self->scanned || self->busy || !g_queue_is_empty (&self->queue)))
    g_cond_wait (&self->cond, &self->mutex);
  g_mutex_unlock (&self->mutex);
}

void
stint_compactor_free (StintCompactor *self)
{
  gint64 deadline = g_get_monotonic_time () + FREE_PATIENCE_USEC;

  self->problem = NULL;
  g_mutex_lock (&self->mutex);
  g_cancellable_cancel (self->cancellable);
  g_cond_broadcast (&self->cond);
  while (!self->ended && g_cond_wait_until (&self->cond, &self->mutex, deadline))
    ;
  g_mutex_unlock (&self->mutex);
  compactor_unref (self);
}
