/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which jobs wait for somebody at their terminal. Nothing is polled: who is quiet is listened to,
 * and who has written is looked at when it may have been quiet for long enough. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-terminal-asks.h"

#include "stint-question.h"

#include <glib/gi18n.h>
#include <string.h>

struct _StintTerminalAsks
{
  GObject parent_instance;

  StintJobList *jobs;
  StintJobBoard *board;
  StintNotifier *notifier; /* (nullable) */
  StintNotifierSees sees;  /* (nullable) */
  gpointer sees_data;
  guint quiet_ms;
  GHashTable *watches; /* StintJob → Watch: of those that run */
};

G_DEFINE_FINAL_TYPE (StintTerminalAsks, stint_terminal_asks, G_TYPE_OBJECT)

/* Either listens or has a look before it. */
typedef struct
{
  StintTerminalAsks *asks; /* borrowed: it owns this */
  StintJob *job;
  StintTranscript *transcript;
  gulong grew_id; /* while it listens */
  guint look_id;
  guint64 bytes;     /* of output, when the look was put off last */
  guint64 judged_at; /* up to here in the output bells have been told */
  gboolean told;
} Watch;

static void
take_back (Watch *watch)
{
  StintTerminalAsks *self = watch->asks;

  if (!watch->told)
    return;
  watch->told = FALSE;
  stint_job_board_set_asks (self->board, watch->job, NULL);
  stint_job_board_set_rang (self->board, watch->job, FALSE);
  if (self->notifier != NULL)
    stint_notifier_needs_nothing (self->notifier, watch->job);
}

static void
tell (Watch *watch, gboolean question)
{
  StintTerminalAsks *self = watch->asks;
  /* Translators: what a job needs the user for: its program has asked something at its terminal. */
  const char *asks = _ ("Asks a question");

  watch->told = TRUE;
  if (question)
    stint_job_board_set_asks (self->board, watch->job, asks);
  else
    stint_job_board_set_rang (self->board, watch->job, TRUE);
  if (self->notifier != NULL)
    stint_notifier_needs_you (self->notifier, watch->job, question ? asks : _ ("Rang the bell"));
}

static gboolean
is_seen (Watch *watch)
{
  StintTerminalAsks *self = watch->asks;

  return self->sees != NULL && self->sees (watch->job, self->sees_data);
}

static void
stop_listening (Watch *watch)
{
  if (watch->grew_id == 0)
    return;
  g_clear_signal_handler (&watch->grew_id, watch->transcript);
  stint_transcript_unfollow (watch->transcript);
}

static void
watch_free (gpointer data)
{
  Watch *watch = data;

  stop_listening (watch);
  g_clear_handle_id (&watch->look_id, g_source_remove);
  g_object_unref (watch->transcript);
  g_object_unref (watch->job);
  g_free (watch);
}

/* Reads the end of the output. (nullable): it cannot be read: that others tell who show it. */
static GBytes *
read_end (Watch *watch, guint64 *offset)
{
  StintReader *reader = stint_transcript_get_reader (watch->transcript);
  guint64 size = stint_reader_get_size (reader);
  guint8 end[STINT_QUESTION_BYTES];
  guint64 at = size - MIN (size, sizeof end), skipped;
  gsize n_read = 0;

  *offset = at;
  while (n_read < sizeof end)
    {
      gssize n = stint_reader_read (reader, &at, end + n_read, sizeof end - n_read, &skipped, NULL);

      if (n < 0)
        return NULL;
      if (n == 0)
        break;
      /* What lies before a hole does not go on behind it. */
      if (skipped > 0)
        {
          memmove (end, end + n_read, (gsize) n);
          n_read = 0;
          *offset = at - (guint64) n;
        }
      n_read += (gsize) n;
    }
  return g_bytes_new (end, n_read);
}

static void
judge (Watch *watch)
{
  g_auto (StintLastWords) words = { 0 };
  guint64 offset;
  g_autoptr (GBytes) end = read_end (watch, &offset);
  gboolean question, rang;
  const guint8 *data;
  gsize size;

  if (end == NULL)
    return;
  data = g_bytes_get_data (end, &size);
  stint_last_words_read (&words, data, size, offset);
  question = stint_last_words_ask (&words, stint_job_takes_lines (watch->job));
  rang = words.bell_at > watch->judged_at && !is_seen (watch);
  watch->judged_at = offset + size;
  if (question || rang)
    tell (watch, question);
}

static gboolean on_look (gpointer user_data);

static void
put_off (Watch *watch)
{
  watch->bytes = stint_job_get_output_bytes (watch->job);
  watch->look_id = g_timeout_add (watch->asks->quiet_ms, on_look, watch);
}

static void
on_grew (Watch *watch)
{
  /* A wake-up of the last time it was listened to, that comes late; or the end of the transcript. */
  if (stint_job_get_output_bytes (watch->job) == watch->bytes)
    return;
  stop_listening (watch);
  take_back (watch);
  put_off (watch);
}

static gboolean
on_look (gpointer user_data)
{
  Watch *watch = user_data;

  watch->look_id = 0;
  /* First listen, then look: nothing comes between. */
  stint_transcript_follow (watch->transcript);
  watch->grew_id =
      g_signal_connect_swapped (watch->transcript, "grew", G_CALLBACK (on_grew), watch);
  if (stint_job_get_output_bytes (watch->job) != watch->bytes)
    on_grew (watch);
  else
    judge (watch);
  return G_SOURCE_REMOVE;
}

static void
on_job_state (StintJob *job, GParamSpec *pspec, StintTerminalAsks *self)
{
  Watch *watch = g_hash_table_lookup (self->watches, job);

  if (stint_job_get_state (job) == STINT_JOB_RUNNING)
    {
      if (watch != NULL || stint_job_get_transcript (job) == NULL)
        return;
      watch = g_new0 (Watch, 1);
      watch->asks = self;
      watch->job = g_object_ref (job);
      watch->transcript = g_object_ref (stint_job_get_transcript (job));
      g_hash_table_insert (self->watches, job, watch);
      put_off (watch);
    }
  else if (watch != NULL)
    {
      take_back (watch);
      g_hash_table_remove (self->watches, job);
    }
  if (stint_job_get_state (job) == STINT_JOB_FINISHED)
    g_signal_handlers_disconnect_by_func (job, on_job_state, self);
}

static void
on_jobs (StintTerminalAsks *self, guint position, guint removed, guint added)
{
  for (guint i = position; i < position + added; i++)
    {
      g_autoptr (StintJob) job = g_list_model_get_item (G_LIST_MODEL (self->jobs), i);

      if (stint_job_get_state (job) == STINT_JOB_FINISHED || stint_job_is_elsewhere (job) ||
          !stint_job_spec_get_tty (stint_job_get_spec (job)))
        continue;
      g_signal_connect_object (job, "notify::state", G_CALLBACK (on_job_state), self, 0);
      on_job_state (job, NULL, self);
    }
}

static void
stint_terminal_asks_dispose (GObject *object)
{
  StintTerminalAsks *self = STINT_TERMINAL_ASKS (object);

  if (self->jobs != NULL)
    g_signal_handlers_disconnect_by_data (self->jobs, self);
  g_clear_pointer (&self->watches, g_hash_table_unref);
  g_clear_object (&self->jobs);
  g_clear_object (&self->board);
  g_clear_object (&self->notifier);

  G_OBJECT_CLASS (stint_terminal_asks_parent_class)->dispose (object);
}

static void
stint_terminal_asks_class_init (StintTerminalAsksClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stint_terminal_asks_dispose;
}

static void
stint_terminal_asks_init (StintTerminalAsks *self)
{
  self->watches = g_hash_table_new_full (NULL, NULL, NULL, watch_free);
}

StintTerminalAsks *
stint_terminal_asks_new (StintJobList *jobs,
                         StintJobBoard *board,
                         StintNotifier *notifier,
                         StintNotifierSees sees,
                         gpointer user_data,
                         guint quiet_ms)
{
  StintTerminalAsks *self;

  g_return_val_if_fail (STINT_IS_JOB_LIST (jobs), NULL);
  g_return_val_if_fail (STINT_IS_JOB_BOARD (board), NULL);
  g_return_val_if_fail (notifier == NULL || STINT_IS_NOTIFIER (notifier), NULL);

  self = g_object_new (STINT_TYPE_TERMINAL_ASKS, NULL);
  self->jobs = g_object_ref (jobs);
  self->board = g_object_ref (board);
  g_set_object (&self->notifier, notifier);
  self->sees = sees;
  self->sees_data = user_data;
  self->quiet_ms = quiet_ms;
  g_signal_connect_swapped (jobs, "items-changed", G_CALLBACK (on_jobs), self);
  on_jobs (self, 0, 0, g_list_model_get_n_items (G_LIST_MODEL (jobs)));
  return self;
}
