/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See stint-cli-writer.h. A relay's thread waits for the reader; here is what the relay's pipe does not
 * take yet.
 */
#define G_LOG_DOMAIN "stintctl"
#include "config.h"

#include "stint-cli-writer.h"

#include "stint-relay.h"

#include <errno.h>
#include <glib-unix.h>
#include <unistd.h>

/* What has been sent is dropped at the latest once it is so much, and half of what is kept. */
#define MOST_SENT (1024 * 1024)

struct _StintCliWriter
{
  StintRelay *relay;
  int pipe_fd; /* -1: closed */
  GByteArray *unsent;
  gsize sent; /* of @unsent */
  gsize most; /* bytes of @unsent */
  gboolean full;
  guint source;
  gboolean closing;
  StintCliWriterFunc ended;
  gpointer user_data;
};

static void
close_pipe (StintCliWriter *self)
{
  g_clear_handle_id (&self->source, g_source_remove);
  if (self->pipe_fd >= 0)
    close (g_steal_fd (&self->pipe_fd));
}

static void
drop_sent (StintCliWriter *self)
{
  if (self->sent < MOST_SENT || self->sent < self->unsent->len / 2)
    return;
  g_byte_array_remove_range (self->unsent, 0, (guint) self->sent);
  self->sent = 0;
}

/* Returns: whether there is more that the pipe does not take now. */
static gboolean
send_some (StintCliWriter *self)
{
  while (self->sent < self->unsent->len)
    {
      ssize_t n =
          write (self->pipe_fd, self->unsent->data + self->sent, self->unsent->len - self->sent);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0 && errno == EAGAIN)
        {
          drop_sent (self);
          return TRUE;
        }
      /* That nobody reads the relay tells. */
      if (n <= 0)
        break;
      self->sent += (gsize) n;
    }
  g_byte_array_set_size (self->unsent, 0);
  self->sent = 0;
  return FALSE;
}

static gboolean
on_writable (int fd, GIOCondition condition, gpointer user_data)
{
  StintCliWriter *self = user_data;

  if (send_some (self))
    return G_SOURCE_CONTINUE;
  self->source = 0;
  if (self->closing)
    close_pipe (self);
  return G_SOURCE_REMOVE;
}

static void
on_relay_ended (StintRelay *relay, gboolean reader_gone, gpointer user_data)
{
  StintCliWriter *self = user_data;

  close_pipe (self);
  self->ended (reader_gone, self->user_data);
}

StintCliWriter *
stint_cli_writer_new (int fd,
                      gsize most,
                      StintCliWriterFunc ended,
                      gpointer user_data,
                      GError **error)
{
  g_autoptr (StintCliWriter) self = g_new0 (StintCliWriter, 1);

  g_return_val_if_fail (most <= G_MAXUINT / 4, NULL);

  self->most = most;
  self->pipe_fd = -1;
  self->unsent = g_byte_array_new ();
  self->ended = ended;
  self->user_data = user_data;
  self->relay = stint_relay_new (fd, &self->pipe_fd, on_relay_ended, self, error);
  if (self->relay == NULL || !g_unix_set_fd_nonblocking (self->pipe_fd, TRUE, error))
    return NULL;
  return g_steal_pointer (&self);
}

gboolean
stint_cli_writer_write (StintCliWriter *self, const char *text, gsize length)
{
  if (self->pipe_fd < 0 || self->closing)
    return TRUE;
  /* A later text that there is room for would hide that one is missing. */
  if (self->full || length > self->most - self->unsent->len)
    {
      self->full = TRUE;
      return FALSE;
    }
  g_byte_array_append (self->unsent, (const guint8 *) text, (guint) length);
  if (self->source == 0 && send_some (self))
    self->source = g_unix_fd_add (self->pipe_fd, G_IO_OUT, on_writable, self);
  return TRUE;
}

void
stint_cli_writer_close (StintCliWriter *self)
{
  self->closing = TRUE;
  if (self->source == 0)
    close_pipe (self);
}

void
stint_cli_writer_free (StintCliWriter *self)
{
  close_pipe (self);
  g_clear_pointer (&self->relay, stint_relay_free);
  g_byte_array_unref (self->unsent);
  g_free (self);
}
