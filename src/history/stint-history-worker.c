/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one thread that touches the database.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-history-worker.h"

struct _StintHistoryWorker
{
  char *directory;
  GAsyncQueue *requests; /* Request */
  GAsyncQueue *ended;    /* the thread's last word */
  GThread *thread;       /* (nullable) */
};

/* A disk can hang, and a lock be held, for longer than anybody waits for a window to close. What is
 * not written by then is recovered from the job directories at the next start. */
#define LONGEST_STOP (3 * G_USEC_PER_SEC)

typedef struct
{
  GMainContext *context;
  StintWorkFunc work; /* NULL: the last one */
  StintDoneFunc done;
  gpointer data;
  GPtrArray *problems;
} Request;

static void
request_free (Request *self)
{
  g_clear_pointer (&self->context, g_main_context_unref);
  g_clear_pointer (&self->problems, g_ptr_array_unref);
  g_free (self);
}

static gboolean
report (gpointer user_data)
{
  Request *request = user_data;

  request->done (request->problems, request->data);
  return G_SOURCE_REMOVE;
}

/* Not g_main_context_invoke(): while nobody iterates the default context that would call back on
 * this thread. */
static void
hand_back (Request *request)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_static_name (source, "stint-history");
  g_source_set_callback (source, report, request, (GDestroyNotify) request_free);
  g_source_attach (source, request->context);
}

static gpointer
run (gpointer user_data)
{
  StintHistoryWorker *self = user_data;
  StintArchive *archive = stint_archive_new (self->directory);

  for (;;)
    {
      Request *request = g_async_queue_pop (self->requests);

      if (request->work == NULL)
        {
          request_free (request);
          stint_archive_free (archive);
          g_async_queue_push (self->ended, self);
          return NULL;
        }
      request->work (archive, request->data);
      request->problems = stint_archive_take_problems (archive);
      hand_back (request);
      stint_archive_rest (archive);
    }
}

StintHistoryWorker *
stint_history_worker_new (const char *directory)
{
  StintHistoryWorker *self = g_new0 (StintHistoryWorker, 1);

  self->directory = g_strdup (directory);
  self->requests = g_async_queue_new ();
  self->ended = g_async_queue_new ();
  return self;
}

gboolean
stint_history_worker_free (StintHistoryWorker *self)
{
  if (!stint_history_worker_stop (self))
    return FALSE; /* it is the thread's now */
  g_async_queue_unref (self->requests);
  g_async_queue_unref (self->ended);
  g_free (self->directory);
  g_free (self);
  return TRUE;
}

void
stint_history_worker_push (StintHistoryWorker *self,
                           GMainContext *context,
                           StintWorkFunc work,
                           StintDoneFunc done,
                           gpointer data)
{
  Request *request = g_new0 (Request, 1);

  request->context = g_main_context_ref (context);
  request->work = work;
  request->done = done;
  request->data = data;
  g_async_queue_push (self->requests, request);
  if (self->thread == NULL)
    self->thread = g_thread_new ("stint-history", run, self);
}

gboolean
stint_history_worker_stop (StintHistoryWorker *self)
{
  if (self->thread == NULL)
    return TRUE;
  g_async_queue_push (self->requests, g_new0 (Request, 1));
  if (g_async_queue_timeout_pop (self->ended, LONGEST_STOP) == NULL)
    {
      g_clear_pointer (&self->thread, g_thread_unref);
      return FALSE;
    }
  g_thread_join (g_steal_pointer (&self->thread));
  return TRUE;
}
