/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Messages of an agent's, to and from two descriptors, which one at a time has: the main context as a rule,
 * since two threads that wait for each other cost more than a question and its answer, and a message that is
 * made by one thread and freed by another costs half as much again; the thread while a line is long or the
 * agent does not read, so that neither holds up the main loop. What the one has begun the other goes on with,
 * in order; the log is written by the thread alone.
 *
 * The main context works below the priority of drawing, a few milliseconds at a time. What it has not come to
 * waits in the pipe, and so an agent that is too fast is slowed down and memory stays flat.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-acp-channel-private.h"

#include "stint-json.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* Below GTK's drawing, which is at G_PRIORITY_HIGH_IDLE + 20, and above idle work. */
#define PRIORITY (G_PRIORITY_HIGH_IDLE + 25)

/* What the main loop does at a time for one agent, and in a turn for all of them, in microseconds. */
#define BUDGET 4000
#define BUDGET_OF_ALL (4 * BUDGET)

/* What comes sooner after the last, in microseconds, and so often in a row while nothing is sent, is a stream:
 * it is read once in a while, since each word by itself costs more than the word. */
#define STREAM_GAP (2 * G_TIME_SPAN_MILLISECOND)
#define STREAM 16
#define PAUSE (2 * G_TIME_SPAN_MILLISECOND)

/* As much of the log may wait to be written: what an agent says is not to fill the memory of who has a
 * slow disk. */
#define MAX_UNLOGGED (1024 * 1024)

void
stint_acp_outgoing_free (gpointer data)
{
  StintAcpOutgoing *outgoing = data;

  json_node_unref (outgoing->node);
  g_free (outgoing);
}

static void
channel_clear (gpointer data)
{
  StintAcpChannel *self = data;

  g_queue_clear_full (&self->incoming, (GDestroyNotify) stint_acp_message_free);
  g_queue_clear_full (&self->decoded, (GDestroyNotify) stint_acp_message_free);
  g_queue_clear_full (&self->outgoing, stint_acp_outgoing_free);
  g_clear_error (&self->error);
  if (self->read_fd >= 0)
    close (self->read_fd);
  if (self->write_fd >= 0)
    close (self->write_fd);
  close (self->event_fd);
  stint_acp_log_free (self->log);
  stint_acp_lines_free (self->lines);
  g_string_free (self->text, TRUE);
  g_mutex_clear (&self->lock);
}

void
stint_acp_channel_unref (StintAcpChannel *self)
{
  g_atomic_rc_box_release_full (self, channel_clear);
}

void
stint_acp_channel_wake_thread (StintAcpChannel *self)
{
  const guint64 one = 1;
  ssize_t n = write (self->event_fd, &one, sizeof one);

  (void) n; /* full is awake */
}

/* The earlier of both; -1 is never. */
static gint64
get_earlier (gint64 one, gint64 other)
{
  return one < 0 || (other >= 0 && other < one) ? other : one;
}

void
stint_acp_channel_set_ready_time (StintAcpChannel *self)
{
  if (!self->quit)
    g_source_set_ready_time (self->source,
                             self->awake ? 0 : get_earlier (self->log_due, self->paused_until));
}

void
stint_acp_channel_wake_main (StintAcpChannel *self)
{
  self->awake = TRUE;
  stint_acp_channel_set_ready_time (self);
}

void
stint_acp_channel_log (StintAcpChannel *self,
                       StintAcpDirection direction,
                       const char *line,
                       gsize length)
{
  if (self->log != NULL)
    stint_acp_log_append (self->log, direction, line, length);
}

StintAcpMessage *
stint_acp_channel_decode (StintAcpChannel *self,
                          const char *line,
                          gsize length,
                          gboolean too_long,
                          JsonNode **answer)
{
  static const char invalid_request[] = "{\"jsonrpc\":\"2.0\",\"id\":null,"
                                        "\"error\":{\"code\":-32600,\"message\":\"Invalid Request\"}}";
  g_autoptr (GError) error = NULL;
  StintAcpMessage *message;
  gboolean invalid = FALSE;

  message = too_long ? NULL : stint_acp_message_decode (line, length, &invalid, &error);
  stint_acp_channel_log (self, message != NULL ? STINT_ACP_FROM_AGENT : STINT_ACP_JUNK, line, length);
  if (message != NULL)
    {
      message->time = g_get_real_time ();
      message->size = length;
      return message;
    }
  g_debug ("A line of the agent's is no message: %s", too_long ? "it is too long" : error->message);
  if (invalid)
    *answer = json_from_string (invalid_request, NULL);
  return NULL;
}

/* Who has the descriptors */

/* @outgoing: (transfer full) (nullable): what it is to send */
static void
give_to_thread (StintAcpChannel *self, StintAcpOutgoing *outgoing)
{
  if (self->read_tag != NULL)
    g_source_remove_unix_fd (self->source, g_steal_pointer (&self->read_tag));
  self->streak = 0;
  self->left = FALSE;
  g_mutex_lock (&self->lock);
  self->threaded = TRUE;
  self->paused_until = -1;
  if (outgoing != NULL)
    {
      self->outgoing_bytes += outgoing->size;
      g_queue_push_tail (&self->outgoing, outgoing);
    }
  g_mutex_unlock (&self->lock);
  stint_acp_channel_wake_thread (self);
}

/* Whether they are the main context's: only it gives them away. */
static gboolean
has_descriptors (StintAcpChannel *self)
{
  gboolean mine;

  if (self->read_tag != NULL)
    return TRUE;
  g_mutex_lock (&self->lock);
  mine = !self->threaded && !self->quit;
  g_mutex_unlock (&self->lock);
  if (mine)
    self->read_tag = g_source_add_unix_fd (self->source, self->read_fd, G_IO_IN);
  return mine;
}

/* The thread writes the log now and then, while it looks for it. */
static void
have_log_written (StintAcpChannel *self)
{
  gboolean watched;

  if (self->log == NULL)
    return;
  g_mutex_lock (&self->lock);
  watched = self->log_watched;
  self->log_watched = TRUE;
  g_mutex_unlock (&self->lock);
  if (!watched)
    stint_acp_channel_wake_thread (self);
}

/* Reading */

static StintAcpMessage *
pop (StintAcpChannel *self)
{
  StintAcpMessage *message;

  g_mutex_lock (&self->lock);
  message = g_queue_pop_head (&self->incoming);
  if (message != NULL)
    self->incoming_bytes -= message->size;
  g_mutex_unlock (&self->lock);
  return message;
}

/* Until then nothing is read, whatever comes; -1: it is, as soon as it comes. */
static void
pause_until (StintAcpChannel *self, gint64 until)
{
  gboolean changed;

  g_mutex_lock (&self->lock);
  changed = (self->paused_until < 0) != (until < 0);
  self->paused_until = until;
  g_mutex_unlock (&self->lock);
  self->streak = until < 0 ? 0 : self->streak;
  if (changed && self->read_tag != NULL)
    g_source_modify_unix_fd (self->source, self->read_tag, until < 0 ? G_IO_IN : 0);
}

/* Notes that something has come, or nothing when it was looked for after a pause. */
static void
note_read (StintAcpChannel *self, gboolean came)
{
  gint64 now = g_get_monotonic_time ();

  if (!came)
    {
      pause_until (self, -1);
      return;
    }
  g_mutex_lock (&self->lock);
  self->streak = self->paused_until >= 0 || now - self->last_read < STREAM_GAP ? self->streak + 1 : 0;
  self->last_read = now;
  g_mutex_unlock (&self->lock);
  if (self->streak >= STREAM)
    pause_until (self, now + PAUSE);
}

static void
handle_line (StintAcpChannel *self, const char *line, gsize length, gboolean too_long)
{
  JsonNode *answer = NULL;
  StintAcpMessage *message = stint_acp_channel_decode (self, line, length, too_long, &answer);

  have_log_written (self);
  if (answer != NULL)
    stint_acp_channel_send (self, STINT_ACP_TO_AGENT, answer);
  if (message != NULL)
    self->funcs.message (message, self->data);
}

/* Whether the main context goes on reading and taking lines: a function may have given the descriptors
 * away, or freed the channel; or they have been away, and what the thread has decoded comes first. */
static gboolean
goes_on (StintAcpChannel *self)
{
  return self->read_tag != NULL && !g_source_is_destroyed (self->source) &&
         self->incoming.length == 0;
}

/* Returns: whether there may be more at once. */
static gboolean
read_some (StintAcpChannel *self)
{
  gssize n;

  if (self->log != NULL && stint_acp_log_get_unwritten (self->log) > MAX_UNLOGGED)
    {
      give_to_thread (self, NULL);
      return FALSE;
    }
  n = stint_acp_lines_read (self->lines, self->read_fd, STINT_ACP_CHANNEL_READ);
  if (n < 0 && (errno == EAGAIN || errno == EINTR))
    {
      note_read (self, FALSE);
      return FALSE;
    }
  if (n > 0)
    {
      note_read (self, TRUE);
      return n == STINT_ACP_CHANNEL_READ;
    }
  /* Who has the rest of the log to write tells the end. */
  self->ending = TRUE;
  give_to_thread (self, NULL);
  return FALSE;
}

/* Takes what lines there are, and reads on; what is long is the thread's. Returns: whether it was too much
 * for now. */
static gboolean
read_here (StintAcpChannel *self, gint64 until)
{
  gboolean reads = TRUE;

  while (goes_on (self))
    {
      gboolean too_long;
      gsize length;
      const char *line = stint_acp_lines_next (self->lines, &length, &too_long);

      if (line != NULL)
        {
          handle_line (self, line, length, too_long);
          if (g_get_monotonic_time () >= until)
            return goes_on (self);
        }
      else if (stint_acp_lines_get_rest (self->lines) >= STINT_ACP_CHANNEL_READ)
        give_to_thread (self, NULL);
      else if (!reads)
        return FALSE;
      else if (g_get_monotonic_time () >= until)
        return TRUE;
      else
        reads = read_some (self);
    }
  return FALSE;
}

/* To be called with the lock. */
static gboolean
take (gboolean *flag)
{
  gboolean was = *flag;

  *flag = FALSE;
  return was;
}

/* Whether it is to be read now: something has come, or waits, or a pause is over. */
static gboolean
is_readable (StintAcpChannel *self)
{
  return goes_on (self) &&
         (self->left || g_source_query_unix_fd (self->source, self->read_tag) != 0 ||
          (self->paused_until >= 0 && g_get_monotonic_time () >= self->paused_until));
}

/* The turn of the main loop, of which there is one with agents, and how many of them it serves. */
static struct
{
  gint64 time;
  gint64 until;
  guint n;
  guint n_before; /* in the last such turn */
} turn;

/* Each gets its share of the turn, so that none of many that speak at once waits for the others; once it is used
 * up, which is when they are more than they were, one message. Returns: until when @source, which is being
 * dispatched, may go on. */
static gint64
take_share (GSource *source)
{
  gint64 now = g_get_monotonic_time ();

  if (g_source_get_time (source) != turn.time)
    {
      turn.time = g_source_get_time (source);
      turn.until = now + BUDGET_OF_ALL;
      turn.n_before = MAX (1, turn.n);
      turn.n = 0;
    }
  turn.n++;
  return MIN (now + MIN (BUDGET, BUDGET_OF_ALL / turn.n_before), turn.until);
}

/* With every message a function may free the channel. */
static gboolean
dispatch (GSource *source, GSourceFunc callback, gpointer user_data)
{
  StintAcpChannel *self = user_data;
  gint64 until = take_share (source);
  StintAcpMessage *message;
  gboolean grew, ended, held_up, drained;

  g_atomic_rc_box_acquire (self);
  /* What the thread has decoded came before what is still to be read. */
  while (!g_source_is_destroyed (source) && (message = pop (self)) != NULL)
    {
      self->funcs.message (message, self->data);
      if (g_get_monotonic_time () >= until)
        break;
    }
  if (is_readable (self))
    self->left = read_here (self, until);

  g_mutex_lock (&self->lock);
  self->awake = self->left || self->incoming.length > 0;
  ended = self->ended && !self->awake && !self->ended_told;
  grew = self->log_due >= 0 && (ended || g_get_monotonic_time () >= self->log_due);
  if (grew)
    self->log_due = -1;
  drained = take (&self->drained);
  held_up = take (&self->held_up);
  stint_acp_channel_set_ready_time (self);
  g_mutex_unlock (&self->lock);
  if (held_up)
    stint_acp_channel_wake_thread (self);
  has_descriptors (self);

  if (grew && !g_source_is_destroyed (source))
    self->funcs.logged (self->data);
  if (drained && !g_source_is_destroyed (source))
    self->funcs.drained (self->data);
  if (ended && !g_source_is_destroyed (source))
    {
      self->ended_told = TRUE;
      self->funcs.ended (self->error, self->data);
    }
  stint_acp_channel_unref (self);
  return G_SOURCE_CONTINUE;
}

static GSourceFuncs source_funcs = { .dispatch = dispatch };

/* The source is dispatched by its ready time and its descriptor alone; its data is the channel. */
static gboolean
unused (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static gboolean
ignores_sigpipe (void)
{
  struct sigaction action;

  return sigaction (SIGPIPE, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

StintAcpChannel *
stint_acp_channel_new (int read_fd,
                       int write_fd,
                       const char *directory,
                       const StintAcpChannelFuncs *funcs,
                       gpointer data)
{
  StintAcpChannel *self = g_atomic_rc_box_new0 (StintAcpChannel);

  self->funcs = *funcs;
  self->data = data;
  self->read_fd = read_fd;
  self->write_fd = write_fd;
  self->pipes_fail = ignores_sigpipe ();
  g_unix_set_fd_nonblocking (read_fd, TRUE, NULL);
  g_unix_set_fd_nonblocking (write_fd, TRUE, NULL);
  g_mutex_init (&self->lock);
  g_queue_init (&self->incoming);
  g_queue_init (&self->outgoing);
  g_queue_init (&self->decoded);
  self->lines = stint_acp_lines_new (STINT_ACP_MAX_LINE);
  self->text = g_string_new (NULL);
  self->last_read = g_get_monotonic_time ();
  self->log_due = self->paused_until = -1;
  self->event_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (directory != NULL)
    self->log = stint_acp_log_new (directory, STINT_ACP_LOG_LIMIT);

  self->source = g_source_new (&source_funcs, sizeof (GSource));
  g_source_set_static_name (self->source, "stint-acp-channel");
  g_source_set_priority (self->source, PRIORITY);
  g_source_set_callback (self->source, unused, self, NULL);
  /* Or each dispatch takes the descriptor out of the loop and puts it back, and wakes the loop for both. */
  g_source_set_can_recurse (self->source, TRUE);
  has_descriptors (self);
  g_source_attach (self->source, g_main_context_get_thread_default ());

  g_thread_unref (g_thread_new ("stint-acp", stint_acp_channel_run, g_atomic_rc_box_acquire (self)));
  return self;
}

/* Writing */

/* What counts is text: numbers and names are few. */
static gsize
estimate_size (JsonNode *node)
{
  gsize size = 8;
  JsonObjectIter iter;
  const char *name;
  JsonNode *member;

  if (JSON_NODE_HOLDS_VALUE (node))
    {
      const char *text = json_node_get_string (node);

      return text != NULL ? size + strlen (text) : size;
    }
  if (JSON_NODE_HOLDS_ARRAY (node))
    {
      JsonArray *array = json_node_get_array (node);

      for (guint i = 0; i < json_array_get_length (array); i++)
        size += estimate_size (json_array_get_element (array, i));
    }
  else if (JSON_NODE_HOLDS_OBJECT (node))
    {
      json_object_iter_init (&iter, json_node_get_object (node));
      while (json_object_iter_next (&iter, &name, &member))
        size += strlen (name) + estimate_size (member);
    }
  return size;
}

/* Writes @text, a line's, if it goes at once. Returns: whether it went. */
static gboolean
write_here (StintAcpChannel *self, const char *text)
{
  char line[PIPE_BUF];
  gsize length = strlen (text);
  gssize n;

  /* So much goes as a whole or not at all. */
  if (length >= sizeof line)
    return FALSE;
  memcpy (line, text, length);
  line[length] = '\n';
  do
    n = write (self->write_fd, line, length + 1);
  while (n < 0 && errno == EINTR);
  return n > 0;
}

/* Sends what is little from this thread, if nothing is before it. Returns: whether it was sent. */
static gboolean
send_here (StintAcpChannel *self, StintAcpDirection direction, JsonNode *node, gsize size)
{
  g_autofree char *text = NULL;

  if (size > STINT_ACP_CHANNEL_LITTLE || !self->pipes_fail || !has_descriptors (self) ||
      (self->log != NULL && stint_acp_log_get_unwritten (self->log) > MAX_UNLOGGED))
    return FALSE;
  text = stint_json_to_text (node, FALSE);
  if (direction == STINT_ACP_TO_AGENT && !write_here (self, text))
    return FALSE;
  /* The answer may be the next that comes. */
  pause_until (self, -1);
  stint_acp_channel_log (self, direction, text, strlen (text));
  have_log_written (self);
  return TRUE;
}

void
stint_acp_channel_send (StintAcpChannel *self, StintAcpDirection direction, JsonNode *node)
{
  gsize size = estimate_size (node);
  StintAcpOutgoing *outgoing;

  if (send_here (self, direction, node, size))
    {
      json_node_unref (node);
      return;
    }
  outgoing = g_new (StintAcpOutgoing, 1);
  *outgoing = (StintAcpOutgoing){ direction, node, size };
  give_to_thread (self, outgoing);
}

gboolean
stint_acp_channel_is_full (StintAcpChannel *self)
{
  gboolean full;

  g_mutex_lock (&self->lock);
  full = self->outgoing_bytes >= STINT_ACP_CHANNEL_MAX_UNSENT;
  self->full = self->full || full;
  g_mutex_unlock (&self->lock);
  return full;
}

void
stint_acp_channel_close_input (StintAcpChannel *self)
{
  g_mutex_lock (&self->lock);
  self->close_input = TRUE;
  g_mutex_unlock (&self->lock);
  give_to_thread (self, NULL);
}

void
stint_acp_channel_free (StintAcpChannel *self)
{
  g_mutex_lock (&self->lock);
  self->quit = TRUE;
  g_mutex_unlock (&self->lock);
  g_source_destroy (self->source);
  g_source_unref (self->source);
  stint_acp_channel_wake_thread (self);
  stint_acp_channel_unref (self);
}

gint64
stint_acp_channel_get_last_read (StintAcpChannel *self)
{
  struct pollfd fd = { .events = POLLIN };
  gint64 last;

  g_mutex_lock (&self->lock);
  last = self->last_read;
  fd.fd = self->read_fd;
  /* Who asks may come before whoever is to read: when the main loop was held up, or all of us. */
  if (poll (&fd, 1, 0) > 0 && (fd.revents & POLLIN) != 0)
    last = g_get_monotonic_time ();
  g_mutex_unlock (&self->lock);
  return last;
}

int
stint_acp_channel_get_log_error (StintAcpChannel *self)
{
  return self->log != NULL ? stint_acp_log_get_error (self->log) : 0;
}
