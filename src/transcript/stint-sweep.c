/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The threads of a search. They share a list of chunks and a list of results, and nothing else;
 * what they hold of the transcript is given back on the main thread, to which its owner belongs.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-sweep.h"

#include <sys/resource.h>
#include <unistd.h>

#define TELL_INTERVAL (50 * G_TIME_SPAN_MILLISECOND)

/* Behind the main loop, whatever else wants the cores. */
#define NICENESS 10

/* Neighbours go to one thread: the end of one is where the next one begins, and a compressed
 * transcript's frame is then decompressed once. Not at the beginning, where all help with the
 * first hit. */
#define FIRST_CHUNKS 16
#define RUN_OF_CHUNKS 4

typedef struct
{
  GMutex lock;
  GMainContext *context;
  StintQuery *query;
  gsize chunk_size;
  guint64 size;
  guint64 from;
  GArray *order;

  gint cancelled; /* atomic */

  /* Under the lock. */
  guint next;
  guint n_threads;
  guint best; /* places before it are all that a first hit may still be in */
  gboolean told;
  gint64 told_at;
  GArray *results;
  GError *error;
  guint64 n_given_up;

  /* The main thread's. */
  StintSweep *sweep; /* NULL: nobody listens any more */
  GPtrArray *chunks; /* StintChunks; one for each thread */
} Shared;

struct _StintSweep
{
  Shared *shared;
  StintSweepCallback callback;
  gpointer user_data;
};

static gint n_all_threads;

static void
shared_clear (gpointer data)
{
  Shared *shared = data;

  g_mutex_clear (&shared->lock);
  g_main_context_unref (shared->context);
  stint_query_unref (shared->query);
  g_array_unref (shared->order);
  g_array_unref (shared->results);
  g_clear_error (&shared->error);
  g_clear_pointer (&shared->chunks, g_ptr_array_unref);
}

static void
shared_unref (gpointer data)
{
  g_atomic_rc_box_release_full (data, shared_clear);
}

/* On the main thread. */
static gboolean
handle_told (gpointer data)
{
  Shared *shared = data;
  gboolean ended;

  g_mutex_lock (&shared->lock);
  shared->told = FALSE;
  shared->told_at = g_get_monotonic_time ();
  ended = shared->n_threads == 0;
  g_mutex_unlock (&shared->lock);

  if (ended)
    g_clear_pointer (&shared->chunks, g_ptr_array_unref);
  if (shared->sweep != NULL)
    shared->sweep->callback (shared->sweep->user_data);
  return G_SOURCE_REMOVE;
}

/* Under the lock. */
static void
tell (Shared *shared)
{
  GSource *source;

  if (shared->told)
    return;
  shared->told = TRUE;
  source = g_idle_source_new ();
  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_static_name (source, "[stint] search");
  g_source_set_callback (source, handle_told, g_atomic_rc_box_acquire (shared), shared_unref);
  g_source_attach (source, shared->context);
  g_source_unref (source);
}

/* The first hit of a chunk: the first behind `from` if it is one that `from` may be in. */
static void
find_first_hit (Shared *shared, StintChunks *chunks, StintSweepResult *result)
{
  guint64 i = g_array_index (shared->order, guint64, result->place), before = 0;

  if (result->place < 2 && result->count.start < shared->from)
    before = stint_chunks_count_before (chunks, i, shared->size, shared->from);
  result->wraps = before == result->count.n_hits;
  result->has_hit =
      stint_chunks_list (chunks, i, shared->size, result->wraps ? 0 : before, &result->hit, 1) == 1;
}

static void
add_result (Shared *shared, StintSweepResult *result, GError *error, guint64 given_up)
{
  gboolean is_urgent;

  g_mutex_lock (&shared->lock);
  is_urgent = result->has_hit && !result->wraps && result->place < shared->best;
  if (is_urgent)
    shared->best = result->place;
  /* The chunks before the first hit's may come after it. */
  is_urgent = is_urgent || (shared->best < G_MAXUINT && result->place < shared->best);
  g_array_append_val (shared->results, *result);
  shared->n_given_up += given_up;
  if (error != NULL && shared->error == NULL)
    shared->error = g_steal_pointer (&error);
  if (is_urgent || g_get_monotonic_time () - shared->told_at >= TELL_INTERVAL)
    tell (shared);
  g_mutex_unlock (&shared->lock);
  g_clear_error (&error);
}

static void
search_chunk (Shared *shared, StintChunks *chunks, guint place)
{
  StintSweepResult result = { .place = place };
  GError *error = NULL;
  gboolean is_first;
  guint64 given_up;

  stint_chunks_search (chunks, g_array_index (shared->order, guint64, place), shared->size,
                       &result.count, &error);
  given_up = stint_chunks_take_given_up (chunks);
  g_mutex_lock (&shared->lock);
  is_first = result.count.n_hits > 0 && place < shared->best;
  g_mutex_unlock (&shared->lock);
  if (is_first)
    find_first_hit (shared, chunks, &result);
  /* It has been through the same lines again: they are counted already. */
  stint_chunks_take_given_up (chunks);
  if (g_atomic_int_get (&shared->cancelled))
    g_clear_error (&error);
  else
    add_result (shared, &result, error, given_up);
}

static gboolean
take_work (Shared *shared, guint *start, guint *end)
{
  gboolean is_some;

  g_mutex_lock (&shared->lock);
  is_some = shared->next < shared->order->len;
  *start = shared->next;
  *end = *start + (*start < FIRST_CHUNKS ? 1 : RUN_OF_CHUNKS);
  *end = MIN (*end, shared->order->len);
  shared->next = *end;
  g_mutex_unlock (&shared->lock);
  return is_some && !g_atomic_int_get (&shared->cancelled);
}

typedef struct
{
  Shared *shared;
  StintChunks *chunks;
} Work;

static gpointer
run (gpointer data)
{
  Work *work = data;
  Shared *shared = work->shared;
  guint start, end;

  /* On Linux a thread has a niceness of its own. */
  setpriority (PRIO_PROCESS, (id_t) gettid (), NICENESS);
  while (take_work (shared, &start, &end))
    for (guint place = start; place < end && !g_atomic_int_get (&shared->cancelled); place++)
      search_chunk (shared, work->chunks, place);

  g_mutex_lock (&shared->lock);
  shared->n_threads--;
  if (shared->n_threads == 0)
    tell (shared);
  g_mutex_unlock (&shared->lock);
  shared_unref (shared);
  g_free (work);
  g_atomic_int_add (&n_all_threads, -1);
  return NULL;
}

static void
start_threads (Shared *shared, StintReader *reader, guint n)
{
  shared->n_threads = n;
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (shared->chunks, stint_chunks_new (stint_reader_dup (reader), shared->query,
                                                       shared->chunk_size, &shared->cancelled));
  for (guint i = 0; i < n; i++)
    {
      Work *work = g_new (Work, 1);

      work->shared = g_atomic_rc_box_acquire (shared);
      work->chunks = shared->chunks->pdata[i];
      g_atomic_int_inc (&n_all_threads);
      g_thread_unref (g_thread_new ("find", run, work));
    }
}

StintSweep *
stint_sweep_new (StintReader *reader,
                 StintQuery *query,
                 gsize chunk_size,
                 guint64 size,
                 GArray *order,
                 guint64 from,
                 guint n_threads,
                 StintSweepCallback callback,
                 gpointer user_data)
{
  StintSweep *self = g_new0 (StintSweep, 1);
  Shared *shared = g_atomic_rc_box_new0 (Shared);

  g_assert (order->len > 0);

  g_mutex_init (&shared->lock);
  shared->context = g_main_context_ref_thread_default ();
  shared->query = stint_query_ref (query);
  shared->chunk_size = chunk_size;
  shared->size = size;
  shared->from = from;
  shared->order = order;
  shared->best = G_MAXUINT;
  shared->told_at = g_get_monotonic_time ();
  shared->results = g_array_new (FALSE, FALSE, sizeof (StintSweepResult));
  shared->sweep = self;
  shared->chunks = g_ptr_array_new_with_free_func ((GDestroyNotify) stint_chunks_free);

  self->shared = shared;
  self->callback = callback;
  self->user_data = user_data;
  start_threads (shared, reader, CLAMP (n_threads, 1, order->len));
  return self;
}

void
stint_sweep_free (StintSweep *self)
{
  g_atomic_int_set (&self->shared->cancelled, 1);
  self->shared->sweep = NULL;
  shared_unref (self->shared);
  g_free (self);
}

GArray *
stint_sweep_take (StintSweep *self)
{
  GArray *results = g_array_new (FALSE, FALSE, sizeof (StintSweepResult));
  Shared *shared = self->shared;

  g_mutex_lock (&shared->lock);
  g_array_append_vals (results, shared->results->data, shared->results->len);
  g_array_set_size (shared->results, 0);
  g_mutex_unlock (&shared->lock);
  return results;
}

guint64
stint_sweep_get_chunk (StintSweep *self, guint place)
{
  return g_array_index (self->shared->order, guint64, place);
}

GError *
stint_sweep_take_error (StintSweep *self)
{
  GError *error;

  g_mutex_lock (&self->shared->lock);
  error = g_steal_pointer (&self->shared->error);
  g_mutex_unlock (&self->shared->lock);
  return error;
}

guint64
stint_sweep_take_given_up (StintSweep *self)
{
  guint64 n;

  g_mutex_lock (&self->shared->lock);
  n = self->shared->n_given_up;
  self->shared->n_given_up = 0;
  g_mutex_unlock (&self->shared->lock);
  return n;
}

guint
stint_sweep_count_threads (void)
{
  return (guint) g_atomic_int_get (&n_all_threads);
}
