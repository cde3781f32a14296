/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Waits for a job's output without polling: arm, look again, and only then sleep on the eventfd.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-counters.h"

#include "stint-error.h"

#include <errno.h>
#include <glib-unix.h>
#include <sys/mman.h>
#include <unistd.h>

/* A flood is met in steps; the first byte after a pause is told at once. */
#define INTERVAL_MS 8

struct _StintCounters
{
  GObject parent_instance;

  struct keeper_counters *page;
  int wakeup_fd;
  guint n_followers;
  guint64 told; /* bytes at the last emission */
  GSource *wakeup_source;
  GSource *interval_source;
};

G_DEFINE_FINAL_TYPE (StintCounters, stint_counters, G_TYPE_OBJECT)

enum
{
  SIGNAL_GREW,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void wait_for_more (StintCounters *self);

static void
clear_source (GSource **source)
{
  if (*source != NULL)
    g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

static gboolean
handle_interval (gpointer data)
{
  StintCounters *self = data;

  clear_source (&self->interval_source);
  wait_for_more (self);
  return G_SOURCE_REMOVE;
}

static void
tell (StintCounters *self)
{
  self->told = stint_counters_get_bytes (self);
  self->interval_source = g_timeout_source_new (INTERVAL_MS);
  g_source_set_callback (self->interval_source, handle_interval, self, NULL);
  g_source_attach (self->interval_source, g_main_context_get_thread_default ());
  g_signal_emit (self, signals[SIGNAL_GREW], 0);
}

static gboolean
handle_wakeup (int fd, GIOCondition condition, gpointer data)
{
  g_autoptr (StintCounters) self = g_object_ref (data);
  guint64 count;

  if (read (fd, &count, sizeof count) < 0 && errno == EINTR)
    return G_SOURCE_CONTINUE;
  clear_source (&self->wakeup_source);
  tell (self);
  return G_SOURCE_REMOVE;
}

static void
wait_for_more (StintCounters *self)
{
  if (self->n_followers == 0 || self->wakeup_source != NULL || self->interval_source != NULL)
    return;

  self->page->armed = 1;
  if (stint_counters_get_bytes (self) != self->told)
    {
      tell (self);
      return;
    }
  self->wakeup_source = g_unix_fd_source_new (self->wakeup_fd, G_IO_IN);
  g_source_set_callback (self->wakeup_source, G_SOURCE_FUNC (handle_wakeup), self, NULL);
  g_source_attach (self->wakeup_source, g_main_context_get_thread_default ());
}

const struct keeper_counters *
stint_counters_get_page (StintCounters *self)
{
  return self->page;
}

gint64
stint_counters_get_last_output (StintCounters *self)
{
  gint64 out = self->page->last_output[KEEPER_STREAM_STDOUT];
  gint64 err = self->page->last_output[KEEPER_STREAM_STDERR];

  return MAX (out, err);
}

gint64
stint_counters_get_last_activity (StintCounters *self)
{
  gint64 output = stint_counters_get_last_output (self);
  gint64 other = self->page->last_activity;

  return MAX (output, other);
}

guint64
stint_counters_get_bytes (StintCounters *self)
{
  return self->page->bytes[KEEPER_STREAM_STDOUT] + self->page->bytes[KEEPER_STREAM_STDERR];
}

guint32
stint_counters_get_progress (StintCounters *self)
{
  return self->page->progress;
}

void
stint_counters_follow (StintCounters *self)
{
  g_return_if_fail (STINT_IS_COUNTERS (self));

  if (self->n_followers++ == 0)
    {
      self->told = stint_counters_get_bytes (self);
      wait_for_more (self);
    }
}

void
stint_counters_unfollow (StintCounters *self)
{
  g_return_if_fail (STINT_IS_COUNTERS (self) && self->n_followers > 0);

  if (--self->n_followers == 0)
    {
      self->page->armed = 0;
      clear_source (&self->wakeup_source);
      clear_source (&self->interval_source);
    }
}

static void
stint_counters_dispose (GObject *object)
{
  StintCounters *self = STINT_COUNTERS (object);

  clear_source (&self->wakeup_source);
  clear_source (&self->interval_source);
  G_OBJECT_CLASS (stint_counters_parent_class)->dispose (object);
}

static void
stint_counters_finalize (GObject *object)
{
  StintCounters *self = STINT_COUNTERS (object);

  if (self->page != NULL)
    munmap (self->page, sizeof *self->page);
  if (self->wakeup_fd >= 0)
    close (self->wakeup_fd);
  G_OBJECT_CLASS (stint_counters_parent_class)->finalize (object);
}

static void
stint_counters_class_init (StintCountersClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = stint_counters_dispose;
  object_class->finalize = stint_counters_finalize;

  signals[SIGNAL_GREW] = g_signal_new ("grew", STINT_TYPE_COUNTERS, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                       NULL, G_TYPE_NONE, 0);
}

static void
stint_counters_init (StintCounters *self)
{
  self->wakeup_fd = -1;
}

StintCounters *
stint_counters_new (int counters_fd, int wakeup_fd, GError **error)
{
  g_autoptr (StintCounters) self = g_object_new (STINT_TYPE_COUNTERS, NULL);
  void *page;

  self->wakeup_fd = wakeup_fd;
  page = mmap (NULL, sizeof *self->page, PROT_READ | PROT_WRITE, MAP_SHARED, counters_fd, 0);
  if (page == MAP_FAILED)
    {
      int code = errno;

      g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (code), stint_error_describe (code));
      return NULL;
    }
  self->page = page;
  return g_steal_pointer (&self);
}
