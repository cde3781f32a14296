/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the hits are: the chunk follows from the numbers, the place in it from what is near or from
 * the chunk itself, which is searched again.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-find-private.h"

#include <string.h>

/* Hit @number of chunk @i. */
static gboolean
get_hit (StintFind *self, guint64 i, guint64 number, StintFindHit *hit)
{
  StintFindNear *near = &self->near;

  if (near->chunk != i || number < near->from || number - near->from >= near->n)
    {
      near->chunk = i;
      near->n_all = stint_find_get_entry (self, i)->count.n_hits;
      near->from = number - MIN (number, STINT_FIND_NEIGHBOURS);
      near->n = stint_chunks_list (self->chunks, i, self->size, near->from, near->hits,
                                   G_N_ELEMENTS (near->hits));
      /* What is in it has changed. */
      if (number - near->from >= near->n)
        return FALSE;
    }
  *hit = near->hits[number - near->from];
  return TRUE;
}

/* Which hit of which chunk it is. */
static gboolean
find_ordinal (StintFind *self, guint64 ordinal, guint64 *chunk, guint64 *number)
{
  for (guint64 i = 0; i < self->entries->len && stint_find_is_searched (self, i); i++)
    {
      guint32 n = stint_find_get_entry (self, i)->count.n_hits;

      if (ordinal < n)
        {
          *chunk = i;
          *number = ordinal;
          return TRUE;
        }
      ordinal -= n;
    }
  return FALSE;
}

gboolean
stint_find_locate (StintFind *self, guint64 ordinal, StintFindHit *hit)
{
  guint64 chunk, number;

  g_return_val_if_fail (STINT_IS_FIND (self), FALSE);
  g_return_val_if_fail (hit != NULL, FALSE);

  return find_ordinal (self, ordinal, &chunk, &number) && get_hit (self, chunk, number, hit);
}

/* It goes from chunk to chunk. Which of them follows from the numbers, on the main thread; where in
 * it, from what is near or, in another thread, from the chunk itself. */
typedef struct
{
  guint64 offset;
  gboolean is_forward;
  GCancellable *cancellable;
  gulong handler;
  gint cancelled;

  guint64 chunk;       /* the one that is looked at */
  StintChunks *chunks; /* while that is read */
  guint64 size;
  StintFindEntry entry; /* as it was then */
  StintFindNear near;

  StintFindHit hit;
  guint64 ordinal;
} Look;

static void
look_free (Look *look)
{
  g_cancellable_disconnect (look->cancellable, look->handler);
  g_clear_object (&look->cancellable);
  g_clear_pointer (&look->chunks, stint_chunks_free);
  g_free (look);
}

static void
handle_cancelled (GCancellable *cancellable, gpointer data)
{
  g_atomic_int_set ((gint *) data, 1);
}

/* How many of @n hits begin before @offset. */
static guint
count_before (const StintFindHit *hits, guint n, guint64 offset)
{
  guint low = 0, high = n;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (hits[middle].start < offset)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Whether the hits on both sides of @offset are near, or known not to be in the chunk. */
static gboolean
is_near (const StintFindNear *near, guint64 chunk, guint64 offset)
{
  guint before = count_before (near->hits, near->n, offset);

  return near->chunk == chunk && near->n > 0 && (before > 0 || near->from == 0) &&
         (before < near->n || near->from + near->n >= near->n_all);
}

static void
search_in_thread (GTask *search, gpointer source, gpointer data, GCancellable *cancellable)
{
  Look *look = data;
  StintFindNear *near = &look->near;
  guint max = look->entry.count.n_hits, before;
  g_autofree StintFindHit *hits = g_new (StintFindHit, max);

  near->chunk = look->chunk;
  near->n_all = stint_chunks_list (look->chunks, look->chunk, look->size, 0, hits, max);
  before = count_before (hits, (guint) near->n_all, look->offset);
  near->from = before - MIN (before, STINT_FIND_NEIGHBOURS);
  near->n = (guint) MIN (near->n_all - near->from, G_N_ELEMENTS (near->hits));
  memcpy (near->hits, hits + near->from, near->n * sizeof (StintFindHit));
  g_task_return_boolean (search, TRUE);
}

/* What is before the chunk that is looked at. */
static guint64
sum_before (StintFind *self, const Look *look)
{
  guint64 n = 0;

  for (guint64 i = 0; i < look->chunk; i++)
    {
      if (!stint_find_is_searched (self, i))
        return G_MAXUINT64;
      n += stint_find_get_entry (self, i)->count.n_hits;
    }
  return n;
}

/* Answers with the hit, if @near has it. */
static gboolean
answer_from (GTask *task, const StintFindNear *near)
{
  Look *look = g_task_get_task_data (task);
  guint before = count_before (near->hits, near->n, look->offset);
  guint n;

  if (look->is_forward ? before == near->n : before == 0)
    return FALSE;
  n = look->is_forward ? before : before - 1;
  look->hit = near->hits[n];
  look->ordinal = sum_before (g_task_get_source_object (task), look);
  if (look->ordinal < G_MAXUINT64)
    look->ordinal += near->from + n;
  g_task_return_int (task, STINT_FIND_HIT);
  return TRUE;
}

/* To the chunk beside the one that was looked at. Returns: %FALSE if that was the last. */
static gboolean
move_on (StintFind *self, Look *look)
{
  if (look->is_forward ? look->chunk + 1 >= self->entries->len : look->chunk == 0)
    return FALSE;
  if (look->is_forward)
    look->chunk++;
  else
    look->chunk--;
  return TRUE;
}

static void handle_searched (GObject *source, GAsyncResult *result, gpointer data);

/* The task that goes to the thread has no part in what may be given back on the main thread only,
 * for the thread may be the last to hold it. */
static void
search_chunk (StintFind *self, GTask *task)
{
  g_autoptr (GTask) search = g_task_new (NULL, NULL, handle_searched, g_object_ref (task));
  Look *look = g_task_get_task_data (task);

  look->size = self->size;
  look->entry = *stint_find_get_entry (self, look->chunk);
  look->chunks = stint_chunks_new (stint_reader_dup (self->reader), self->query, self->chunk_size,
                                   &look->cancelled);
  g_task_set_task_data (search, look, NULL);
  g_task_run_in_thread (search, search_in_thread);
}

/* From the chunk that is looked at on, until one must be read or it is known. */
static void
look_on (StintFind *self, GTask *task)
{
  Look *look = g_task_get_task_data (task);

  do
    {
      if (!stint_find_is_searched (self, look->chunk))
        {
          g_task_return_int (task, STINT_FIND_NOT_YET);
          return;
        }
      if (stint_find_get_entry (self, look->chunk)->count.n_hits > 0)
        {
          if (!is_near (&self->near, look->chunk, look->offset))
            {
              search_chunk (self, task);
              return;
            }
          if (answer_from (task, &self->near))
            return;
        }
    }
  while (move_on (self, look));
  g_task_return_int (task, STINT_FIND_NONE);
}

static void
handle_searched (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  StintFind *self = g_task_get_source_object (task);
  Look *look = g_task_get_task_data (task);

  g_clear_pointer (&look->chunks, stint_chunks_free);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (stint_find_get_entry (self, look->chunk)->n_searches == look->entry.n_searches)
    self->near = look->near;
  if (answer_from (task, &look->near))
    return;
  if (move_on (self, look))
    look_on (self, task);
  else
    g_task_return_int (task, STINT_FIND_NONE);
}

/* The chunk in which a hit that begins at @offset would be counted, if it has been searched. */
static guint64
find_chunk (StintFind *self, guint64 offset)
{
  guint64 i = MIN (offset / self->chunk_size, self->entries->len - 1);

  while (stint_find_is_searched (self, i) && i > 0 &&
         stint_find_get_entry (self, i)->count.start > offset)
    i--;
  return i;
}

void
stint_find_look_async (StintFind *self,
                       guint64 offset,
                       int direction,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  Look *look;

  g_return_if_fail (STINT_IS_FIND (self));
  g_return_if_fail (self->chunks != NULL);
  g_return_if_fail (direction == 1 || direction == -1);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, stint_find_look_async);
  look = g_new0 (Look, 1);
  look->offset = offset;
  look->is_forward = direction > 0;
  g_task_set_task_data (task, look, (GDestroyNotify) look_free);
  if (g_task_return_error_if_cancelled (task))
    return;
  if (self->entries->len == 0)
    {
      g_task_return_int (task, STINT_FIND_NONE);
      return;
    }
  if (cancellable != NULL)
    {
      look->cancellable = g_object_ref (cancellable);
      look->handler = g_cancellable_connect (cancellable, G_CALLBACK (handle_cancelled),
                                             &look->cancelled, NULL);
    }
  look->chunk = find_chunk (self, offset);
  look_on (self, task);
}

StintFindAnswer
stint_find_look_finish (StintFind *self,
                        GAsyncResult *result,
                        StintFindHit *hit,
                        guint64 *ordinal,
                        GError **error)
{
  g_autoptr (GError) cancelled = NULL;
  StintFindAnswer answer;
  Look *look;

  g_return_val_if_fail (g_task_is_valid (result, self), STINT_FIND_NONE);
  g_return_val_if_fail (hit != NULL && ordinal != NULL, STINT_FIND_NONE);

  answer = (StintFindAnswer) g_task_propagate_int (G_TASK (result), &cancelled);
  if (cancelled != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&cancelled));
      return STINT_FIND_NOT_YET;
    }
  look = g_task_get_task_data (G_TASK (result));
  if (answer == STINT_FIND_HIT)
    {
      *hit = look->hit;
      *ordinal = look->ordinal;
    }
  return answer;
}
