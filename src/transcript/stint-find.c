/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is known of a query's hits: how many there are in each chunk. The searching is StintSweep's
 * and StintChunks'; here is what follows from the numbers, and in stint-find-look.c where the hits are.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-find-private.h"

#define PROGRESS_INTERVAL (45 * G_TIME_SPAN_MILLISECOND)
#define MAX_THREADS 8

/* 4 TiB. More is not there but claimed: by an outcome that is damaged. */
#define MAX_CHUNKS (4u * 1024u * 1024u)

G_DEFINE_FINAL_TYPE (StintFind, stint_find, G_TYPE_OBJECT)

enum
{
  SIGNAL_PROGRESS,
  SIGNAL_FIRST_HIT,
  SIGNAL_DONE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

StintFindEntry *
stint_find_get_entry (StintFind *self, guint64 i)
{
  return &g_array_index (self->entries, StintFindEntry, i);
}

gboolean
stint_find_is_searched (StintFind *self, guint64 i)
{
  return stint_find_get_entry (self, i)->n_searches > 0;
}

static void
set_entry (StintFind *self, guint64 i, const StintChunkCount *count)
{
  StintFindEntry *entry = stint_find_get_entry (self, i);

  self->n_hits += count->n_hits;
  self->n_hits -= entry->count.n_hits;
  self->n_searched += entry->n_searches == 0;
  *entry = (StintFindEntry){ *count, entry->n_searches + 1 };
  if (self->near.chunk == i)
    self->near.n = 0;
}

static void
take_result (StintFind *self, const StintSweepResult *result)
{
  StintSweepResult *best = result->wraps ? &self->wrapped : &self->first;

  set_entry (self, stint_sweep_get_chunk (self->sweep, result->place), &result->count);
  if (result->has_hit && (!best->has_hit || result->place < best->place))
    *best = *result;
  g_array_index (self->places, guint8, result->place) = 1;
  while (self->n_places < self->places->len && g_array_index (self->places, guint8, self->n_places))
    self->n_places++;
  self->n_taken++;
}

static void
take_results (StintFind *self)
{
  g_autoptr (GArray) results = stint_sweep_take (self->sweep);

  for (guint i = 0; i < results->len; i++)
    take_result (self, &g_array_index (results, StintSweepResult, i));
}

/* Emits what is due. Whoever hears it may cancel the search. */
static void
tell_first_hit (StintFind *self)
{
  const StintFindHit *hit = NULL;

  if (self->first_told)
    return;
  if (self->first.has_hit && self->n_places > self->first.place)
    hit = &self->first.hit;
  else if (self->wrapped.has_hit && self->n_places == self->places->len)
    hit = &self->wrapped.hit;
  if (hit == NULL)
    return;
  self->first_told = TRUE;
  g_signal_emit (self, signals[SIGNAL_FIRST_HIT], 0, hit->start, hit->end);
}

static void
tell_progress (StintFind *self, gboolean is_last)
{
  gint64 now = g_get_monotonic_time ();

  if (!is_last && now - self->progress_at < PROGRESS_INTERVAL)
    return;
  self->progress_at = now;
  g_signal_emit (self, signals[SIGNAL_PROGRESS], 0, stint_find_get_n_searched (self), self->n_hits);
}

static void
end_sweep (StintFind *self)
{
  GError *error = stint_sweep_take_error (self->sweep);

  self->n_given_up += stint_sweep_take_given_up (self->sweep);
  if (self->error == NULL)
    self->error = g_steal_pointer (&error);
  g_clear_error (&error);
  g_clear_pointer (&self->sweep, stint_sweep_free);
}

static void
handle_results (gpointer data)
{
  g_autoptr (StintFind) self = g_object_ref (STINT_FIND (data));
  StintSweep *sweep = self->sweep;
  gboolean is_last;

  take_results (self);
  is_last = self->n_taken == self->places->len;
  tell_first_hit (self);
  if (self->sweep == sweep)
    tell_progress (self, is_last);
  if (self->sweep != sweep || !is_last)
    return;

  end_sweep (self);
  if (self->extend_again)
    stint_find_extend (self);
  if (self->sweep == NULL)
    g_signal_emit (self, signals[SIGNAL_DONE], 0, self->n_hits);
}

static void
begin_sweep (StintFind *self, GArray *order, guint64 from)
{
  g_array_set_size (self->places, 0);
  g_array_set_size (self->places, order->len);
  self->n_places = self->n_taken = 0;
  self->first = self->wrapped = (StintSweepResult){ 0 };
  self->sweep = stint_sweep_new (self->reader, self->query, self->chunk_size, self->size, order,
                                 from, self->n_threads, handle_results, self);
}

/* Chunks of which nothing is left. */
static gboolean
is_in_hole (StintFind *self, guint64 i)
{
  return i * self->chunk_size >= self->hole_start && (i + 1) * self->chunk_size < self->hole_end;
}

static gboolean
is_beside_hole (StintFind *self, guint64 i)
{
  return (i + 2) * self->chunk_size >= self->hole_start &&
         i * self->chunk_size <= self->hole_end + self->chunk_size;
}

/* Has an entry for each chunk that there is now. */
static void
measure (StintFind *self)
{
  guint64 start, end, old_end = self->hole_end;

  self->size = MAX (self->size, stint_reader_get_size (self->reader));
  self->size = MIN (self->size, (guint64) MAX_CHUNKS * self->chunk_size);
  g_array_set_size (self->entries, (guint) stint_chunks_count (self->size, self->chunk_size));
  stint_reader_get_hole (self->reader, &start, &end);
  self->hole_start = start;
  self->hole_end = end;
  if (end == old_end || start == end)
    return;
  for (guint64 i = 0; i < self->entries->len; i++)
    {
      if (is_in_hole (self, i))
        set_entry (self, i, &(StintChunkCount){ end, 0, TRUE });
      else if (is_beside_hole (self, i))
        stint_find_get_entry (self, i)->count.is_final = FALSE;
    }
}

static gboolean
handle_nothing (gpointer data)
{
  StintFind *self = STINT_FIND (data);

  if (self->sweep == NULL)
    g_signal_emit (self, signals[SIGNAL_DONE], 0, self->n_hits);
  return G_SOURCE_REMOVE;
}

/* There is nothing to search; it is told all the same, and not before the caller is done. */
static void
tell_done_later (StintFind *self)
{
  GSource *source = g_idle_source_new ();

  g_source_set_priority (source, G_PRIORITY_DEFAULT);
  g_source_set_callback (source, handle_nothing, g_object_ref (self), g_object_unref);
  g_source_attach (source, g_main_context_get_thread_default ());
  g_source_unref (source);
}

static void
sweep_or_end (StintFind *self, GArray *order, guint64 from)
{
  self->extend_again = FALSE;
  if (order->len > 0)
    {
      begin_sweep (self, order, from);
      return;
    }
  g_array_unref (order);
  tell_done_later (self);
}

void
stint_find_start (StintFind *self, guint64 from)
{
  GArray *order;
  guint64 n, first;

  g_return_if_fail (STINT_IS_FIND (self));
  g_return_if_fail (self->chunks == NULL);

  /* Before it is copied, so that it is done once: without an outcome it may be slow. */
  measure (self);
  self->chunks =
      stint_chunks_new (stint_reader_dup (self->reader), self->query, self->chunk_size, NULL);
  n = self->entries->len;
  /* It may be in the chunk before, whose last line goes on. */
  first = n > 0 ? MIN (from / self->chunk_size, n - 1) : 0;
  first -= first > 0;
  order = g_array_sized_new (FALSE, FALSE, sizeof (guint64), (guint) n);
  for (guint64 i = 0; i < n; i++)
    {
      guint64 chunk = (first + i) % n;

      g_array_append_val (order, chunk);
    }
  sweep_or_end (self, order, from);
}

void
stint_find_extend (StintFind *self)
{
  GArray *order;

  g_return_if_fail (STINT_IS_FIND (self));
  g_return_if_fail (self->chunks != NULL);

  if (self->sweep != NULL)
    {
      self->extend_again = TRUE;
      return;
    }
  measure (self);
  order = g_array_new (FALSE, FALSE, sizeof (guint64));
  for (guint64 i = 0; i < self->entries->len; i++)
    if (!stint_find_is_searched (self, i) || !stint_find_get_entry (self, i)->count.is_final)
      g_array_append_val (order, i);
  sweep_or_end (self, order, 0);
}

void
stint_find_cancel (StintFind *self)
{
  g_return_if_fail (STINT_IS_FIND (self));

  self->extend_again = FALSE;
  if (self->sweep != NULL)
    {
      take_results (self);
      end_sweep (self);
    }
}

gboolean
stint_find_is_running (StintFind *self)
{
  g_return_val_if_fail (STINT_IS_FIND (self), FALSE);
  return self->sweep != NULL;
}

guint64
stint_find_get_n_hits (StintFind *self)
{
  g_return_val_if_fail (STINT_IS_FIND (self), 0);
  return self->n_hits;
}

guint64
stint_find_get_size (StintFind *self)
{
  g_return_val_if_fail (STINT_IS_FIND (self), 0);
  return self->size;
}

guint64
stint_find_get_n_searched (StintFind *self)
{
  g_return_val_if_fail (STINT_IS_FIND (self), 0);
  return MIN (self->size, self->n_searched * self->chunk_size);
}

const GError *
stint_find_get_error (StintFind *self)
{
  g_return_val_if_fail (STINT_IS_FIND (self), NULL);
  return self->error;
}

guint64
stint_find_get_n_given_up (StintFind *self)
{
  g_return_val_if_fail (STINT_IS_FIND (self), 0);
  return self->n_given_up;
}

char *
stint_find_dup_pattern (StintFind *self, gboolean *caseless)
{
  g_return_val_if_fail (STINT_IS_FIND (self), NULL);
  return stint_query_dup_pattern (self->query, caseless);
}

void
stint_find_set_chunk_size (StintFind *self, gsize chunk_size)
{
  self->chunk_size = chunk_size;
}

void
stint_find_set_n_threads (StintFind *self, guint n_threads)
{
  self->n_threads = n_threads;
}

guint
stint_find_count_threads (void)
{
  return stint_sweep_count_threads ();
}

static void
stint_find_dispose (GObject *object)
{
  StintFind *self = STINT_FIND (object);

  g_clear_pointer (&self->sweep, stint_sweep_free);
  G_OBJECT_CLASS (stint_find_parent_class)->dispose (object);
}

static void
stint_find_finalize (GObject *object)
{
  StintFind *self = STINT_FIND (object);

  g_clear_pointer (&self->chunks, stint_chunks_free);
  g_clear_pointer (&self->reader, stint_reader_free);
  g_clear_pointer (&self->query, stint_query_unref);
  g_clear_pointer (&self->entries, g_array_unref);
  g_clear_pointer (&self->places, g_array_unref);
  g_clear_error (&self->error);
  G_OBJECT_CLASS (stint_find_parent_class)->finalize (object);
}

static void
stint_find_class_init (StintFindClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  object_class->dispose = stint_find_dispose;
  object_class->finalize = stint_find_finalize;

  signals[SIGNAL_PROGRESS] = g_signal_new ("progress", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                           G_TYPE_NONE, 2, G_TYPE_UINT64, G_TYPE_UINT64);
  signals[SIGNAL_FIRST_HIT] = g_signal_new ("first-hit", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                            NULL, G_TYPE_NONE, 2, G_TYPE_UINT64, G_TYPE_UINT64);
  signals[SIGNAL_DONE] = g_signal_new ("done", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 1, G_TYPE_UINT64);
}

static void
stint_find_init (StintFind *self)
{
  self->chunk_size = STINT_CHUNK_SIZE;
  self->n_threads = MIN (g_get_num_processors (), MAX_THREADS);
  self->entries = g_array_new (FALSE, TRUE, sizeof (StintFindEntry));
  self->places = g_array_new (FALSE, TRUE, sizeof (guint8));
}

StintFind *
stint_find_new (StintReader *reader, const char *text, StintQueryFlags flags, GError **error)
{
  StintQuery *query;
  StintFind *self;

  g_return_val_if_fail (reader != NULL && text != NULL, NULL);

  query = stint_query_new (text, flags, error);
  if (query == NULL)
    return NULL;
  self = g_object_new (STINT_TYPE_FIND, NULL);
  self->query = query;
  self->reader = stint_reader_dup (reader);
  return self;
}
