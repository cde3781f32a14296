/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The transcript of one job: its reader, and who is told when there is more to read.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-transcript-private.h"

struct _StintTranscript
{
  GObject parent_instance;

  StintReader *reader;
  StintCounters *counters; /* (nullable): while the job runs */
  guint n_followers;
};

G_DEFINE_FINAL_TYPE (StintTranscript, stint_transcript, G_TYPE_OBJECT)

enum
{
  SIGNAL_GREW,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

StintReader *
stint_transcript_get_reader (StintTranscript *self)
{
  g_return_val_if_fail (STINT_IS_TRANSCRIPT (self), NULL);
  return self->reader;
}

gboolean
stint_transcript_is_complete (StintTranscript *self)
{
  g_return_val_if_fail (STINT_IS_TRANSCRIPT (self), TRUE);
  return self->counters == NULL;
}

static void
handle_grew (StintTranscript *self)
{
  g_signal_emit (self, signals[SIGNAL_GREW], 0);
}

void
stint_transcript_follow (StintTranscript *self)
{
  g_return_if_fail (STINT_IS_TRANSCRIPT (self));

  if (self->n_followers++ == 0 && self->counters != NULL)
    stint_counters_follow (self->counters);
}

void
stint_transcript_unfollow (StintTranscript *self)
{
  g_return_if_fail (STINT_IS_TRANSCRIPT (self) && self->n_followers > 0);

  if (--self->n_followers > 0)
    return;
  if (self->counters != NULL)
    stint_counters_unfollow (self->counters);
  else
    stint_reader_close (self->reader);
}

static void
drop_counters (StintTranscript *self)
{
  if (self->counters == NULL)
    return;
  g_signal_handlers_disconnect_by_func (self->counters, handle_grew, self);
  if (self->n_followers > 0)
    stint_counters_unfollow (self->counters);
  g_clear_object (&self->counters);
}

void
stint_transcript_complete (StintTranscript *self)
{
  g_return_if_fail (STINT_IS_TRANSCRIPT (self));

  if (self->counters == NULL)
    return;
  stint_reader_complete (self->reader);
  drop_counters (self);
  if (self->n_followers == 0)
    stint_reader_close (self->reader);
  g_signal_emit (self, signals[SIGNAL_GREW], 0);
}

void
stint_transcript_hold_open (StintTranscript *self)
{
  stint_reader_hold_open (self->reader);
}

static void
stint_transcript_dispose (GObject *object)
{
  drop_counters (STINT_TRANSCRIPT (object));
  G_OBJECT_CLASS (stint_transcript_parent_class)->dispose (object);
}

static void
stint_transcript_finalize (GObject *object)
{
  StintTranscript *self = STINT_TRANSCRIPT (object);

  g_clear_pointer (&self->reader, stint_reader_free);
  G_OBJECT_CLASS (stint_transcript_parent_class)->finalize (object);
}

static void
stint_transcript_class_init (StintTranscriptClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = stint_transcript_dispose;
  object_class->finalize = stint_transcript_finalize;

  signals[SIGNAL_GREW] = g_signal_new ("grew", STINT_TYPE_TRANSCRIPT, G_SIGNAL_RUN_LAST, 0, NULL,
                                       NULL, NULL, G_TYPE_NONE, 0);
}

static void
stint_transcript_init (StintTranscript *self)
{
}

StintTranscript *
stint_transcript_new (const char *directory)
{
  StintTranscript *self = g_object_new (STINT_TYPE_TRANSCRIPT, NULL);

  self->reader = stint_reader_new (directory);
  return self;
}

StintTranscript *
stint_transcript_new_live (const char *directory, StintCounters *counters)
{
  StintTranscript *self = g_object_new (STINT_TYPE_TRANSCRIPT, NULL);

  self->reader =
    stint_reader_new_live (directory, stint_counters_get_page (counters), G_OBJECT (counters));
  self->counters = g_object_ref (counters);
  g_signal_connect_swapped (counters, "grew", G_CALLBACK (handle_grew), self);
  return self;
}
