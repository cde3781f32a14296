/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads, writes, decodes and logs in a thread of its own, so that neither a flood nor a line of
 * megabytes holds up the main loop. What has been decoded waits in a bounded queue: while it is full
 * the agent is not read, and so an agent that is too fast is slowed down and memory stays flat.
 *
 * The main loop takes from the queue below the priority of drawing, a few milliseconds at a time.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-acp-channel.h"

#include "stint-json.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* Below GTK's drawing, which is at G_PRIORITY_HIGH_IDLE + 20, and above idle work. */
#define PRIORITY (G_PRIORITY_HIGH_IDLE + 25)

/* What the main loop does at a time, in microseconds. */
#define BUDGET 4000

/* Decoded and not yet taken: bytes of lines, and messages. */
#define MAX_INCOMING_BYTES (8 * 1024 * 1024)
#define MAX_INCOMING 4096

/* That the log has grown is told so much later, in microseconds: with every line it would wake the main
 * loop twice for each question and its answer. */
#define LOG_DELAY (100 * G_TIME_SPAN_MILLISECOND)

/* An agent that asks and does not read the answers is not read either. */
#define MAX_OUTGOING 4096

#define READ_SIZE (64 * 1024)

/* So many messages are handed over at a time: enough that one wake-up serves them all, and few enough
 * that the main loop has work while the next are decoded. */
#define BATCH 32

/* More than this is given back after a long line. */
#define KEPT_BUFFER (1024 * 1024)

typedef struct
{
  StintAcpDirection direction;
  JsonNode *node;
  gsize size; /* about, in bytes */
} Outgoing;

struct _StintAcpChannel
{
  /* Of the main context's thread */
  StintAcpChannelFuncs funcs;
  gpointer data;
  GSource *source;
  gboolean ended_told;

  /* Shared, under the lock */
  GMutex lock;
  GQueue incoming; /* of StintAcpMessage */
  gsize incoming_bytes;
  GQueue outgoing; /* of Outgoing */
  gsize outgoing_bytes;
  gboolean full;    /* it was too long, and somebody may wait until it is shorter */
  gboolean drained; /* it is */
  gboolean close_input;
  gboolean held_up; /* the agent is not read until the queues are shorter */
  gboolean quit;
  gboolean ended;
  GError *error;
  gboolean awake; /* the main loop has been woken for what is in the queue, or for the end */
  gint64 log_due; /* when the log's growth is to be told; -1: it has not grown */
  gint64 last_read;
  int log_error;
  int event_fd;

  /* Of the thread */
  int read_fd;
  int write_fd;
  StintAcpLog *log; /* (nullable) */
  guint64 log_size;
  GQueue decoded; /* of StintAcpMessage: not handed over yet */
  GByteArray *buffer;
  gsize scanned;       /* of the buffer holds no newline */
  gboolean discarding; /* the rest of a line that is too long */
  GString *text;       /* what is being written */
  gsize written;
  StintAcpDirection text_direction;
};

static void
outgoing_free (gpointer data)
{
  Outgoing *outgoing = data;

  json_node_unref (outgoing->node);
  g_free (outgoing);
}

static void
channel_clear (gpointer data)
{
  StintAcpChannel *self = data;

  g_queue_clear_full (&self->incoming, (GDestroyNotify) stint_acp_message_free);
  g_queue_clear_full (&self->decoded, (GDestroyNotify) stint_acp_message_free);
  g_queue_clear_full (&self->outgoing, outgoing_free);
  g_clear_error (&self->error);
  if (self->read_fd >= 0)
    close (self->read_fd);
  if (self->write_fd >= 0)
    close (self->write_fd);
  close (self->event_fd);
  stint_acp_log_free (self->log);
  g_byte_array_unref (self->buffer);
  g_string_free (self->text, TRUE);
  g_mutex_clear (&self->lock);
}

static void
channel_unref (StintAcpChannel *self)
{
  g_atomic_rc_box_release_full (self, channel_clear);
}

static void
wake_thread (StintAcpChannel *self)
{
  const guint64 one = 1;
  ssize_t n = write (self->event_fd, &one, sizeof one);

  (void) n; /* full is awake */
}

/* The thread */

/* To be called with the lock. */
static void
wake_main (StintAcpChannel *self)
{
  self->awake = TRUE;
  if (!self->quit)
    g_source_set_ready_time (self->source, 0);
}

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
  wake_main (self);
  g_mutex_unlock (&self->lock);
}

static void
log_line (StintAcpChannel *self, StintAcpDirection direction, const char *line, gsize length)
{
  if (self->log != NULL)
    stint_acp_log_append (self->log, direction, line, length);
}

static void
send_from_thread (StintAcpChannel *self, JsonNode *node)
{
  g_mutex_lock (&self->lock);
  if (!self->quit)
    {
      Outgoing *outgoing = g_new (Outgoing, 1);

      *outgoing = (Outgoing){ STINT_ACP_TO_AGENT, g_steal_pointer (&node) };
      g_queue_push_tail (&self->outgoing, outgoing);
    }
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&node, json_node_unref);
}

/* It is JSON, but no message: JSON-RPC wants that told. */
static void
answer_invalid (StintAcpChannel *self)
{
  static const char answer[] = "{\"jsonrpc\":\"2.0\",\"id\":null,"
                               "\"error\":{\"code\":-32600,\"message\":\"Invalid Request\"}}";

  send_from_thread (self, json_from_string (answer, NULL));
}

static void
handle_line (StintAcpChannel *self, const char *line, gsize length)
{
  g_autoptr (GError) error = NULL;
  StintAcpMessage *message;
  gboolean invalid;

  if (length > 0 && line[length - 1] == '\r')
    length--;
  if (length == 0)
    return;
  message = stint_acp_message_decode (line, length, &invalid, &error);
  if (message != NULL)
    {
      log_line (self, STINT_ACP_FROM_AGENT, line, length);
      message->time = g_get_real_time ();
      message->size = length;
      g_queue_push_tail (&self->decoded, message);
      if (self->decoded.length >= BATCH)
        hand_over (self);
      return;
    }
  g_debug ("A line of the agent's is no message: %s", error->message);
  log_line (self, STINT_ACP_JUNK, line, length);
  if (invalid)
    answer_invalid (self);
}

static void
give_back_buffer (StintAcpChannel *self)
{
  if (self->buffer->len == 0)
    {
      g_byte_array_unref (self->buffer);
      self->buffer = g_byte_array_new ();
    }
}

static void
handle_lines (StintAcpChannel *self)
{
  const char *data = (const char *) self->buffer->data;
  gsize start = 0, length = self->buffer->len;
  gboolean was_long = length > KEPT_BUFFER;

  while (start < length)
    {
      gsize from = MAX (start, self->scanned);
      const char *newline = from < length ? memchr (data + from, '\n', length - from) : NULL;

      if (newline == NULL)
        break;
      if (self->discarding)
        self->discarding = FALSE;
      else
        handle_line (self, data + start, (gsize) (newline - data) - start);
      start = (gsize) (newline - data) + 1;
    }
  hand_over (self);
  if (start > 0)
    g_byte_array_remove_range (self->buffer, 0, (guint) start);
  if (!self->discarding && self->buffer->len > STINT_ACP_MAX_LINE)
    {
      log_line (self, STINT_ACP_JUNK, (const char *) self->buffer->data, READ_SIZE);
      self->discarding = TRUE;
    }
  if (self->discarding)
    g_byte_array_set_size (self->buffer, 0);
  self->scanned = self->buffer->len;
  if (was_long)
    give_back_buffer (self);
}

static void
end_reading (StintAcpChannel *self, int code)
{
  close (g_steal_fd (&self->read_fd));
  if (!self->discarding && self->buffer->len > 0)
    handle_line (self, (const char *) self->buffer->data, self->buffer->len);
  hand_over (self);
  g_byte_array_set_size (self->buffer, 0);

  g_mutex_lock (&self->lock);
  self->ended = TRUE;
  if (code == 0)
    self->error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CLOSED,
                                       _ ("The agent has closed the connection"));
  else
    self->error = g_error_new (G_IO_ERROR, g_io_error_from_errno (code),
                               _ ("The agent cannot be read: %s"), g_strerror (code));
  wake_main (self);
  g_mutex_unlock (&self->lock);
}

static void
read_once (StintAcpChannel *self)
{
  guint length = self->buffer->len;
  ssize_t n;

  g_byte_array_set_size (self->buffer, length + READ_SIZE);
  n = read (self->read_fd, self->buffer->data + length, READ_SIZE);
  g_byte_array_set_size (self->buffer, length + (guint) MAX (n, 0));
  if (n > 0)
    {
      g_mutex_lock (&self->lock);
      self->last_read = g_get_monotonic_time ();
      g_mutex_unlock (&self->lock);
      handle_lines (self);
    }
  else if (n == 0 || (errno != EAGAIN && errno != EINTR))
    {
      end_reading (self, n == 0 ? 0 : errno);
    }
}

/* To be called with the lock. */
static void
note_taken (StintAcpChannel *self, gsize size)
{
  self->outgoing_bytes -= size;
  if (!self->full || self->outgoing_bytes >= STINT_ACP_CHANNEL_MAX_UNSENT)
    return;
  self->full = FALSE;
  self->drained = TRUE;
  wake_main (self);
}

/* Makes the next line. Returns: whether there is one to be written. */
static gboolean
next_text (StintAcpChannel *self)
{
  while (self->written == self->text->len)
    {
      g_autofree char *text = NULL;
      Outgoing *outgoing;

      g_mutex_lock (&self->lock);
      outgoing = g_queue_pop_head (&self->outgoing);
      if (outgoing != NULL)
        note_taken (self, outgoing->size);
      g_mutex_unlock (&self->lock);
      if (outgoing == NULL)
        return FALSE;
      text = stint_json_to_text (outgoing->node, FALSE);
      self->text_direction = outgoing->direction;
      outgoing_free (outgoing);
      if (self->text_direction != STINT_ACP_TO_AGENT || self->write_fd < 0)
        {
          if (self->text_direction != STINT_ACP_TO_AGENT)
            log_line (self, self->text_direction, text, strlen (text));
          continue;
        }
      if (self->text->allocated_len > KEPT_BUFFER)
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
        log_line (self, STINT_ACP_TO_AGENT, self->text->str, self->text->len - 1);
    }
}

static void
flush_log (StintAcpChannel *self)
{
  guint64 size;

  if (self->log == NULL)
    return;
  size = stint_acp_log_flush (self->log);
  g_mutex_lock (&self->lock);
  self->log_error = stint_acp_log_get_error (self->log);
  if (size != self->log_size && self->log_due < 0)
    {
      self->log_due = g_get_monotonic_time () + LOG_DELAY;
      if (!self->awake && !self->quit)
        g_source_set_ready_time (self->source, self->log_due);
    }
  g_mutex_unlock (&self->lock);
  self->log_size = size;
}

static gboolean
wait_for_work (StintAcpChannel *self, gboolean *readable)
{
  struct pollfd fds[3] = { { self->event_fd, POLLIN, 0 }, { -1, POLLIN, 0 }, { -1, POLLOUT, 0 } };
  guint64 count;
  ssize_t n;

  g_mutex_lock (&self->lock);
  if (self->quit)
    {
      g_mutex_unlock (&self->lock);
      return FALSE;
    }
  self->held_up = self->incoming_bytes >= MAX_INCOMING_BYTES ||
                  self->incoming.length >= MAX_INCOMING || self->outgoing.length >= MAX_OUTGOING ||
                  self->outgoing_bytes >= STINT_ACP_CHANNEL_MAX_UNSENT;
  if (!self->held_up)
    fds[1].fd = self->read_fd;
  if (self->write_fd >= 0 && self->written < self->text->len)
    fds[2].fd = self->write_fd;
  else if (self->close_input && self->outgoing.length == 0)
    stop_writing (self);
  g_mutex_unlock (&self->lock);

  if (poll (fds, G_N_ELEMENTS (fds), -1) < 0 && errno != EINTR)
    return FALSE;
  if (fds[0].revents != 0)
    {
      n = read (self->event_fd, &count, sizeof count);
      (void) n;
    }
  *readable = fds[1].fd >= 0 && fds[1].revents != 0;
  return TRUE;
}

static gpointer
run (gpointer data)
{
  StintAcpChannel *self = data;
  gboolean readable = FALSE;
  sigset_t pipe;

  /* An agent that is gone must not end us. */
  sigemptyset (&pipe);
  sigaddset (&pipe, SIGPIPE);
  pthread_sigmask (SIG_BLOCK, &pipe, NULL);

  while (wait_for_work (self, &readable))
    {
      if (readable)
        read_once (self);
      write_some (self);
      flush_log (self);
    }
  write_some (self);
  channel_unref (self);
  return NULL;
}

/* The main context */

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

/* To be called with the lock. */
static gboolean
take (gboolean *flag)
{
  gboolean was = *flag;

  *flag = FALSE;
  return was;
}

/* With every message a function may free the channel. */
static gboolean
dispatch (GSource *source, GSourceFunc callback, gpointer user_data)
{
  StintAcpChannel *self = user_data;
  gint64 until = g_get_monotonic_time () + BUDGET;
  StintAcpMessage *message;
  gboolean grew, ended, more, held_up, drained;

  g_atomic_rc_box_acquire (self);
  while (!g_source_is_destroyed (source) && (message = pop (self)) != NULL)
    {
      self->funcs.message (message, self->data);
      if (g_get_monotonic_time () >= until)
        break;
    }

  g_mutex_lock (&self->lock);
  more = self->incoming.length > 0;
  ended = self->ended && !more && !self->ended_told;
  grew = self->log_due >= 0 && (ended || g_get_monotonic_time () >= self->log_due);
  if (grew)
    self->log_due = -1;
  drained = take (&self->drained);
  held_up = take (&self->held_up);
  self->awake = more;
  if (!self->quit)
    g_source_set_ready_time (self->source, more ? 0 : self->log_due);
  g_mutex_unlock (&self->lock);
  if (held_up)
    wake_thread (self);

  if (grew && !g_source_is_destroyed (source))
    self->funcs.logged (self->data);
  if (drained && !g_source_is_destroyed (source))
    self->funcs.drained (self->data);
  if (ended && !g_source_is_destroyed (source))
    {
      self->ended_told = TRUE;
      self->funcs.ended (self->error, self->data);
    }
  channel_unref (self);
  return G_SOURCE_CONTINUE;
}

static GSourceFuncs source_funcs = { .dispatch = dispatch };

/* The source is dispatched by its ready time alone; its data is the channel. */
static gboolean
unused (gpointer data)
{
  return G_SOURCE_CONTINUE;
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
  g_unix_set_fd_nonblocking (read_fd, TRUE, NULL);
  g_unix_set_fd_nonblocking (write_fd, TRUE, NULL);
  g_mutex_init (&self->lock);
  g_queue_init (&self->incoming);
  g_queue_init (&self->outgoing);
  g_queue_init (&self->decoded);
  self->buffer = g_byte_array_new ();
  self->text = g_string_new (NULL);
  self->last_read = g_get_monotonic_time ();
  self->log_due = -1;
  self->event_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (directory != NULL)
    self->log = stint_acp_log_new (directory, STINT_ACP_LOG_LIMIT);

  self->source = g_source_new (&source_funcs, sizeof (GSource));
  g_source_set_static_name (self->source, "stint-acp-channel");
  g_source_set_priority (self->source, PRIORITY);
  g_source_set_callback (self->source, unused, self, NULL);
  g_source_attach (self->source, g_main_context_get_thread_default ());

  g_thread_unref (g_thread_new ("stint-acp", run, g_atomic_rc_box_acquire (self)));
  return self;
}

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

void
stint_acp_channel_send (StintAcpChannel *self, StintAcpDirection direction, JsonNode *node)
{
  Outgoing *outgoing = g_new (Outgoing, 1);

  *outgoing = (Outgoing){ direction, node, estimate_size (node) };
  g_mutex_lock (&self->lock);
  self->outgoing_bytes += outgoing->size;
  g_queue_push_tail (&self->outgoing, outgoing);
  g_mutex_unlock (&self->lock);
  wake_thread (self);
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
  wake_thread (self);
}

void
stint_acp_channel_free (StintAcpChannel *self)
{
  g_mutex_lock (&self->lock);
  self->quit = TRUE;
  g_mutex_unlock (&self->lock);
  g_source_destroy (self->source);
  g_source_unref (self->source);
  wake_thread (self);
  channel_unref (self);
}

gint64
stint_acp_channel_get_last_read (StintAcpChannel *self)
{
  gint64 last;

  g_mutex_lock (&self->lock);
  last = self->last_read;
  g_mutex_unlock (&self->lock);
  return last;
}

int
stint_acp_channel_get_log_error (StintAcpChannel *self)
{
  int error;

  g_mutex_lock (&self->lock);
  error = self->log_error;
  g_mutex_unlock (&self->lock);
  return error;
}
