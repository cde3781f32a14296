/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The thread of a channel: writes the log, and reads what is long and writes what the agent does not take at
 * once, and with that what comes before and after.
 *
 * What has been decoded waits in a bounded queue: while it is full the agent is not read.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-acp-channel-private.h"

#include "stint-json.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* So many messages are handed over at a time: enough that one wake-up serves them all, and few enough
 * that the main loop has work while the next are decoded. */
#define BATCH 32

/* The log is written no more often, in microseconds: a write for each message costs more than the
 * message. What would be lost if this process were killed is no more than that. */
#define LOG_INTERVAL (10 * G_TIME_SPAN_MILLISECOND)

/* Unless there is so much. */
#define LOG_ENOUGH (256 * 1024)

/* That the log has grown is told so much later, in microseconds: with every line it would wake the main
 * loop twice for each question and its answer. */
#define LOG_DELAY (100 * G_TIME_SPAN_MILLISECOND)

/* Reading */

static void
hand_over (StintAcpChannel *self)
{
  StintAcpMessage *message;

  if (self->decoded.length == 0)
    return;
  g_mutex_lock (&self->lock);
  while ((message = g_queue_pop_head (&self->decoded)) != NULL)
    {
      self->incoming_bytes += message->size;
      g_queue_push_tail (&self->incoming, message);
    }
  stint_acp_channel_wake_main (self);
  g_mutex_unlock (&self->lock);
}

static void
send_from_thread (StintAcpChannel *self, JsonNode *node)
{
  g_mutex_lock (&self->lock);
  if (!self->quit)
    {
      StintAcpOutgoing *outgoing = g_new (StintAcpOutgoing, 1);

      *outgoing = (StintAcpOutgoing){ STINT_ACP_TO_AGENT, g_steal_pointer (&node) };
      g_queue_push_tail (&self->outgoing, outgoing);
    }
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&node, json_node_unref);
}

static void
handle_line (StintAcpChannel *self, const char *line, gsize length, gboolean too_long)
{
  JsonNode *answer = NULL;
  StintAcpMessage *message = stint_acp_channel_decode (self, line, length, too_long, &answer);

  if (message != NULL)
    {
      g_queue_push_tail (&self->decoded, message);
      if (self->decoded.length >= BATCH)
        hand_over (self);
    }
  if (answer != NULL)
    send_from_thread (self, answer);
}

static void
handle_lines (StintAcpChannel *self)
{
  const char *line;
  gboolean too_long;
  gsize length;

  while ((line = stint_acp_lines_next (self->lines, &length, &too_long)) != NULL)
    handle_line (self, line, length, too_long);
  hand_over (self);
}

static void
flush_log (StintAcpChannel *self)
{
  guint64 size;

  if (self->log == NULL)
    return;
  size = stint_acp_log_flush (self->log);
  self->log_flushed = g_get_monotonic_time ();
  g_mutex_lock (&self->lock);
  if (size != self->log_size && self->log_due < 0)
    {
      self->log_due = self->log_flushed + LOG_DELAY;
      stint_acp_channel_set_ready_time (self);
    }
  g_mutex_unlock (&self->lock);
  self->log_size = size;
}

static void
end_reading (StintAcpChannel *self, int code)
{
  const char *line;
  gsize length;

  self->ending = TRUE;
  g_mutex_lock (&self->lock);
  close (g_steal_fd (&self->read_fd));
  g_mutex_unlock (&self->lock);
  while ((line = stint_acp_lines_rest (self->lines, &length)) != NULL)
    handle_line (self, line, length, FALSE);
  hand_over (self);
  /* Who is told of the end finds all of it there. */
  flush_log (self);

  g_mutex_lock (&self->lock);
  self->ended = TRUE;
  if (code == 0)
    self->error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CLOSED,
                                       _ ("The agent has closed the connection"));
  else
    self->error = g_error_new (G_IO_ERROR, g_io_error_from_errno (code),
                               _ ("The agent cannot be read: %s"), g_strerror (code));
  stint_acp_channel_wake_main (self);
  g_mutex_unlock (&self->lock);
}

static void
read_once (StintAcpChannel *self)
{
  gssize n = stint_acp_lines_read (self->lines, self->read_fd, STINT_ACP_CHANNEL_READ);

  if (n > 0)
    {
      gint64 now = g_get_monotonic_time ();

      g_mutex_lock (&self->lock);
      self->last_read = now;
      g_mutex_unlock (&self->lock);
      handle_lines (self);
    }
  else if (n == 0 || (errno != EAGAIN && errno != EINTR))
    {
      end_reading (self, n == 0 ? 0 : errno);
    }
}

/* Writing */

/* To be called with the lock. */
static void
note_taken (StintAcpChannel *self, gsize size)
{
  self->outgoing_bytes -= size;
  if (!self->full || self->outgoing_bytes >= STINT_ACP_CHANNEL_MAX_UNSENT)
    return;
  self->full = FALSE;
  self->drained = TRUE;
  stint_acp_channel_wake_main (self);
}

/* Makes the next line. Returns: whether there is one to be written. */
static gboolean
next_text (StintAcpChannel *self)
{
  while (self->written == self->text->len)
    {
      g_autofree char *text = NULL;
      StintAcpOutgoing *outgoing;

      g_mutex_lock (&self->lock);
      outgoing = g_queue_pop_head (&self->outgoing);
      if (outgoing != NULL)
        note_taken (self, outgoing->size);
      g_mutex_unlock (&self->lock);
      if (outgoing == NULL)
        return FALSE;
      text = stint_json_to_text (outgoing->node, FALSE);
      self->text_direction = outgoing->direction;
      stint_acp_outgoing_free (outgoing);
      if (self->text_direction != STINT_ACP_TO_AGENT || self->write_fd < 0)
        {
          if (self->text_direction != STINT_ACP_TO_AGENT)
            stint_acp_channel_log (self, self->text_direction, text, strlen (text));
          continue;
        }
      if (self->text->allocated_len > STINT_ACP_KEPT)
        {
          g_string_free (self->text, TRUE);
          self->text = g_string_new (NULL);
        }
      g_string_assign (self->text, text);
      g_string_append_c (self->text, '\n');
      self->written = 0;
    }
  return TRUE;
}

static void
stop_writing (StintAcpChannel *self)
{
  if (self->write_fd >= 0)
    close (g_steal_fd (&self->write_fd));
  self->written = self->text->len;
}

/* Writes what can be written now. */
static void
write_some (StintAcpChannel *self)
{
  while (next_text (self))
    {
      ssize_t n =
          write (self->write_fd, self->text->str + self->written, self->text->len - self->written);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0 && errno == EAGAIN)
        return;
      if (n < 0)
        {
          /* What the agent does not read any more is nobody's loss: its end comes by itself. */
          stop_writing (self);
          continue;
        }
      self->written += (gsize) n;
      if (self->written == self->text->len)
        stint_acp_channel_log (self, STINT_ACP_TO_AGENT, self->text->str, self->text->len - 1);
    }
}

/* Turns */

/* The main context has the descriptors again, unless something is to be gone on with here. Returns:
 * whether it has. */
static gboolean
give_back (StintAcpChannel *self)
{
  gboolean given;

  if (self->ending || self->write_fd < 0 || self->written < self->text->len ||
      stint_acp_lines_get_rest (self->lines) >= STINT_ACP_CHANNEL_READ)
    return FALSE;
  g_mutex_lock (&self->lock);
  given = self->outgoing.length == 0 && !self->close_input;
  if (given)
    {
      self->threaded = FALSE;
      stint_acp_channel_wake_main (self);
    }
  g_mutex_unlock (&self->lock);
  return given;
}

/* Returns: whether the descriptors are still the thread's. */
static gboolean
work (StintAcpChannel *self)
{
  if (self->readable)
    read_once (self);
  else
    handle_lines (self);
  write_some (self);
  /* It may be why the descriptors are here: a disk that is too slow for the agent. */
  if (self->log != NULL && stint_acp_log_get_unwritten (self->log) >= LOG_ENOUGH)
    flush_log (self);
  return !give_back (self);
}

/* When it has not been written for a while, or there is much. Returns: when to look again, or -1. */
static gint64
look_into_log (StintAcpChannel *self)
{
  gint64 due = self->log_flushed + LOG_INTERVAL;
  gboolean watched;
  gsize unwritten;

  if (self->log == NULL)
    return -1;
  g_mutex_lock (&self->lock);
  unwritten = stint_acp_log_get_unwritten (self->log);
  watched = unwritten > 0 || g_get_monotonic_time () < due;
  self->log_watched = watched;
  g_mutex_unlock (&self->lock);
  if (unwritten >= LOG_ENOUGH || (unwritten > 0 && g_get_monotonic_time () >= due))
    {
      flush_log (self);
      due = self->log_flushed + LOG_INTERVAL;
    }
  return watched ? due : -1;
}

/* Milliseconds until then; -1 is never. */
static int
get_timeout (gint64 time)
{
  return time < 0 ? -1 : (int) (MAX (0, time - g_get_monotonic_time () + 999) / 1000);
}

static gboolean
is_threaded (StintAcpChannel *self)
{
  gboolean threaded;

  g_mutex_lock (&self->lock);
  threaded = self->threaded;
  g_mutex_unlock (&self->lock);
  return threaded;
}

/* Looks under the lock for what the thread waits for: the agent, if it may speak and if something is to be
 * written. Closes its input when all has been. */
static void
choose_fds (StintAcpChannel *self, struct pollfd *in, struct pollfd *out)
{
  self->held_up = self->incoming_bytes >= STINT_ACP_CHANNEL_MAX_INCOMING_BYTES ||
                  self->incoming.length >= STINT_ACP_CHANNEL_MAX_INCOMING ||
                  self->outgoing.length >= STINT_ACP_CHANNEL_MAX_OUTGOING ||
                  self->outgoing_bytes >= STINT_ACP_CHANNEL_MAX_UNSENT;
  if (!self->held_up)
    in->fd = self->read_fd;
  if (self->write_fd >= 0 && self->written < self->text->len)
    out->fd = self->write_fd;
  else if (self->close_input && self->outgoing.length == 0)
    stop_writing (self);
}

static void
clear_wake_up (StintAcpChannel *self)
{
  guint64 count;
  ssize_t size = read (self->event_fd, &count, sizeof count);

  (void) size;
}

/* Sleeps until something has come, or it is time for something. @mine: whether the descriptors are the
 * thread's. Returns: whether it is to go on. */
static gboolean
wait_for_work (StintAcpChannel *self, gboolean mine, gint64 log_at)
{
  struct pollfd fds[3] = { { self->event_fd, POLLIN, 0 }, { -1, POLLIN, 0 }, { -1, POLLOUT, 0 } };
  gboolean quit;
  int n;

  g_mutex_lock (&self->lock);
  quit = self->quit;
  if (mine && !quit)
    choose_fds (self, &fds[1], &fds[2]);
  g_mutex_unlock (&self->lock);
  if (quit)
    return FALSE;

  n = poll (fds, G_N_ELEMENTS (fds), get_timeout (log_at));
  if (n < 0 && errno != EINTR)
    return FALSE;
  self->came = n > 0;
  self->readable = n > 0 && fds[1].fd >= 0 && fds[1].revents != 0;
  if (n > 0 && fds[0].revents != 0)
    clear_wake_up (self);
  return TRUE;
}

gpointer
stint_acp_channel_run (gpointer data)
{
  StintAcpChannel *self = data;
  gboolean mine = FALSE;
  sigset_t pipe;

  /* An agent that is gone must not end us. */
  sigemptyset (&pipe);
  sigaddset (&pipe, SIGPIPE);
  pthread_sigmask (SIG_BLOCK, &pipe, NULL);

  do
    {
      gboolean was_mine = mine;

      mine = is_threaded (self);
      if (mine && (self->came || !was_mine))
        mine = work (self);
    }
  while (wait_for_work (self, mine, look_into_log (self)));
  if (is_threaded (self))
    write_some (self);
  flush_log (self);
  stint_acp_channel_unref (self);
  return NULL;
}
