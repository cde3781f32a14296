/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The jobs that wait: first for their time, then for their turn.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-job-queue.h"

#include "stint-clock-source.h"
#include "stint-job-private.h"
#include "stint-units.h"

struct _StintJobQueue
{
  GObject parent_instance;

  GQueue turns;       /* (unowned): held jobs whose time has come, the next one first */
  GPtrArray *delayed; /* (unowned): held jobs whose time has not */
  guint max_running;
  guint n_running; /* released, and not removed */
  gboolean closed;
  guint start_source;
  guint positions_source;
  GSource *delay_source; /* the earliest by the monotonic clock */
  GSource *wall_source;  /* the earliest by the wall clock */
};

G_DEFINE_FINAL_TYPE (StintJobQueue, stint_job_queue, G_TYPE_OBJECT)

static gboolean
has_room (StintJobQueue *self)
{
  return !self->closed && (self->max_running == 0 || self->n_running < self->max_running);
}

/* How many of those at the head do not wait for others: they start as soon as they can be. */
static guint
count_starting (StintJobQueue *self)
{
  if (self->closed)
    return 0;
  if (self->max_running == 0)
    return G_MAXUINT;
  return self->max_running - MIN (self->n_running, self->max_running);
}

/* Whoever is about to start is told no place: nothing is ahead of it. */
static gboolean
tell_positions (gpointer data)
{
  StintJobQueue *self = data;
  guint n_starting = count_starting (self), position = 0;

  self->positions_source = 0;
  for (GList *link = self->turns.head; link != NULL; link = link->next)
    if (n_starting > 0)
      {
        n_starting--;
        stint_job_set_queue_position (link->data, 0);
      }
    else
      {
        stint_job_set_queue_position (link->data, ++position);
      }
  return G_SOURCE_REMOVE;
}

/* Together, when there is nothing better to do: each of two thousand starts moves all the others. */
static void
note_moved (StintJobQueue *self)
{
  if (self->positions_source == 0)
    self->positions_source = g_idle_add_full (G_PRIORITY_HIGH_IDLE, tell_positions, self, NULL);
}

static void
release (StintJobQueue *self, StintJob *job)
{
  self->n_running++;
  stint_job_set_start (job, STINT_NEVER, 0);
  stint_job_set_queue_position (job, 0);
  note_moved (self);
  stint_job_release (job);
}

/* One a turn of the main loop: starting a job takes half a millisecond, and two hundred that become
 * ready together would hold up everything else. */
static gboolean
start_next (gpointer data)
{
  StintJobQueue *self = data;
  StintJob *job = g_queue_peek_head (&self->turns);

  /* Without an id its place is still being made. */
  if (job == NULL || !has_room (self) || stint_job_get_id (job) == 0)
    {
      self->start_source = 0;
      return G_SOURCE_REMOVE;
    }
  g_queue_pop_head (&self->turns);
  release (self, job);
  return G_SOURCE_CONTINUE;
}

static void
start_queued (StintJobQueue *self)
{
  if (self->start_source == 0 && has_room (self) && !g_queue_is_empty (&self->turns))
    self->start_source = g_idle_add_full (G_PRIORITY_DEFAULT, start_next, self, NULL);
}

static void
line_up (StintJobQueue *self, StintJob *job)
{
  g_queue_push_tail (&self->turns, job);
  note_moved (self);
  start_queued (self);
}

/* Delays */

static void update_clocks (StintJobQueue *self);

static gboolean
handle_clock (gpointer data)
{
  StintJobQueue *self = data;

  for (guint i = 0; i < self->delayed->len;)
    {
      StintJob *job = self->delayed->pdata[i];

      if (stint_job_get_start_left (job) > 0)
        {
          i++;
          continue;
        }
      g_ptr_array_remove_index (self->delayed, i);
      stint_job_set_start (job, STINT_NEVER, 0);
      line_up (self, job);
    }
  update_clocks (self);
  return G_SOURCE_REMOVE;
}

static void
clear_source (GSource **source)
{
  if (*source != NULL)
    g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

static void
attach (StintJobQueue *self, GSource *source)
{
  g_source_set_callback (source, handle_clock, self, NULL);
  g_source_attach (source, g_main_context_get_thread_default ());
}

static void
update_clocks (StintJobQueue *self)
{
  gint64 monotonic = STINT_NEVER, real = STINT_NEVER;

  clear_source (&self->delay_source);
  clear_source (&self->wall_source);
  if (self->closed)
    return;
  for (guint i = 0; i < self->delayed->len; i++)
    {
      gint64 job_monotonic, job_real;

      stint_job_get_start (self->delayed->pdata[i], &job_monotonic, &job_real);
      monotonic = MIN (monotonic, job_monotonic);
      real = job_real > 0 ? MIN (real, job_real) : real;
    }
  if (monotonic != STINT_NEVER)
    attach (self, self->delay_source = stint_monotonic_source_new (monotonic));
  if (real != STINT_NEVER)
    attach (self, self->wall_source = stint_wall_clock_source_new (real));
}

void
stint_job_queue_add (StintJobQueue *self, StintJob *job)
{
  StintJobSpec *spec = stint_job_get_spec (job);
  gint64 delay = stint_job_spec_get_start_delay (spec);
  gint64 start_at = stint_job_spec_get_start_at (spec);

  g_return_if_fail (STINT_IS_JOB_QUEUE (self));

  /* Its place is ready: it may be the one that its turn waits for. */
  g_signal_connect_object (job, "notify::id", G_CALLBACK (start_queued), self, G_CONNECT_SWAPPED);
  if (delay > 0)
    stint_job_set_start (job, g_get_monotonic_time () + delay, 0);
  else if (start_at > g_get_real_time ())
    stint_job_set_start (job, STINT_NEVER, start_at);
  if (stint_job_get_start_left (job) == STINT_NEVER)
    {
      guint n_starting = count_starting (self), length;

      line_up (self, job);
      length = g_queue_get_length (&self->turns);
      /* Whoever sees it first sees where it stands. */
      stint_job_set_queue_position (job, length - MIN (n_starting, length));
      return;
    }
  g_ptr_array_add (self->delayed, job);
  update_clocks (self);
}

void
stint_job_queue_add_running (StintJobQueue *self)
{
  g_return_if_fail (STINT_IS_JOB_QUEUE (self));
  self->n_running++;
  note_moved (self);
}

void
stint_job_queue_remove (StintJobQueue *self, StintJob *job)
{
  g_return_if_fail (STINT_IS_JOB_QUEUE (self));

  g_signal_handlers_disconnect_by_func (job, start_queued, self);
  /* One that was stopped while it waited has never had a place among those that run. */
  if (g_ptr_array_remove (self->delayed, job))
    {
      update_clocks (self);
    }
  else if (g_queue_remove (&self->turns, job))
    {
      note_moved (self);
      start_queued (self);
    }
  else
    {
      self->n_running--;
      note_moved (self);
      start_queued (self);
    }
  stint_job_set_start (job, STINT_NEVER, 0);
  stint_job_set_queue_position (job, 0);
}

guint
stint_job_queue_get_max_running (StintJobQueue *self)
{
  return self->max_running;
}

void
stint_job_queue_set_max_running (StintJobQueue *self, guint max_running)
{
  g_return_if_fail (STINT_IS_JOB_QUEUE (self));

  self->max_running = max_running;
  note_moved (self);
  start_queued (self);
}

guint
stint_job_queue_get_position (StintJobQueue *self, StintJob *job)
{
  g_return_val_if_fail (STINT_IS_JOB_QUEUE (self), 0);
  return (guint) (g_queue_index (&self->turns, job) + 1);
}

guint
stint_job_queue_get_length (StintJobQueue *self)
{
  return g_queue_get_length (&self->turns);
}

gboolean
stint_job_queue_move (StintJobQueue *self, StintJob *job, guint position)
{
  g_return_val_if_fail (STINT_IS_JOB_QUEUE (self) && position > 0, FALSE);

  if (!g_queue_remove (&self->turns, job))
    return FALSE;
  g_queue_push_nth (&self->turns, job, (int) MIN (position - 1, G_MAXINT));
  note_moved (self);
  start_queued (self);
  return TRUE;
}

gboolean
stint_job_queue_start_now (StintJobQueue *self, StintJob *job)
{
  g_return_val_if_fail (STINT_IS_JOB_QUEUE (self), FALSE);

  if (self->closed)
    return FALSE;
  if (g_ptr_array_remove (self->delayed, job))
    update_clocks (self);
  else if (!g_queue_remove (&self->turns, job))
    return FALSE;
  release (self, job);
  return TRUE;
}

void
stint_job_queue_close (StintJobQueue *self)
{
  g_return_if_fail (STINT_IS_JOB_QUEUE (self));

  self->closed = TRUE;
  note_moved (self);
  update_clocks (self);
}

static void
stint_job_queue_dispose (GObject *object)
{
  StintJobQueue *self = STINT_JOB_QUEUE (object);

  g_clear_handle_id (&self->start_source, g_source_remove);
  g_clear_handle_id (&self->positions_source, g_source_remove);
  clear_source (&self->delay_source);
  clear_source (&self->wall_source);
  G_OBJECT_CLASS (stint_job_queue_parent_class)->dispose (object);
}

static void
stint_job_queue_finalize (GObject *object)
{
  StintJobQueue *self = STINT_JOB_QUEUE (object);

  g_queue_clear (&self->turns);
  g_ptr_array_unref (self->delayed);
  G_OBJECT_CLASS (stint_job_queue_parent_class)->finalize (object);
}

static void
stint_job_queue_class_init (StintJobQueueClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stint_job_queue_dispose;
  G_OBJECT_CLASS (klass)->finalize = stint_job_queue_finalize;
}

static void
stint_job_queue_init (StintJobQueue *self)
{
  g_queue_init (&self->turns);
  self->delayed = g_ptr_array_new ();
}

StintJobQueue *
stint_job_queue_new (void)
{
  return g_object_new (STINT_TYPE_JOB_QUEUE, NULL);
}
