/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See stint-relay.h.
 */
#define G_LOG_DOMAIN "stintctl"
#include "config.h"

#include "stint-relay.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib-unix.h>
#include <poll.h>
#include <unistd.h>

#define CHUNK (64 * 1024)

struct _StintRelay
{
  gatomicrefcount ref_count; /* the owner's and the thread's */
  int in_fd;
  int out_fd;
  gboolean reader_gone;
  gboolean abandoned; /* only on the main thread */
  StintRelayFunc ended;
  gpointer user_data;
};

static void
unref (gpointer data)
{
  StintRelay *self = data;

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  if (self->in_fd >= 0)
    close (self->in_fd);
  g_free (self);
}

static gboolean
tell_ended (gpointer data)
{
  StintRelay *self = data;

  if (!self->abandoned)
    self->ended (self, self->reader_gone, self->user_data);
  return G_SOURCE_REMOVE;
}

static gboolean
write_all (int fd, const guint8 *bytes, gsize size)
{
  while (size > 0)
    {
      ssize_t n = write (fd, bytes, size);

      if (n > 0)
        {
          bytes += n;
          size -= (gsize) n;
          continue;
        }
      if (n < 0 && errno == EINTR)
        continue;
      /* Somebody we share it with has made it non-blocking. */
      if (n < 0 && errno == EAGAIN)
        {
          struct pollfd wait = { .fd = fd, .events = POLLOUT };

          poll (&wait, 1, -1);
          continue;
        }
      return FALSE;
    }
  return TRUE;
}

/* Waits for input. Returns: FALSE if nobody reads the output any more: a job that is quiet is
 * stopped as well then, not only one that writes. */
static gboolean
wait_for_input (StintRelay *self)
{
  struct pollfd polls[] = {
    { .fd = self->in_fd, .events = POLLIN },
    { .fd = self->out_fd, .events = 0 },
  };

  while (polls[0].revents == 0)
    {
      if (poll (polls, G_N_ELEMENTS (polls), -1) < 0 && errno != EINTR)
        return FALSE;
      if (polls[0].revents == 0 && (polls[1].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0)
        return FALSE;
    }
  return TRUE;
}

static gpointer
run (gpointer data)
{
  StintRelay *self = data;
  g_autofree guint8 *chunk = g_malloc (CHUNK);

  for (;;)
    {
      ssize_t n;

      if (!wait_for_input (self))
        {
          self->reader_gone = TRUE;
          break;
        }
      n = read (self->in_fd, chunk, CHUNK);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        break;
      if (!write_all (self->out_fd, chunk, (gsize) n))
        {
          self->reader_gone = TRUE;
          break;
        }
    }
  /* Who still writes has to learn that nobody reads, or would wait for us while we wait for it. */
  close (g_steal_fd (&self->in_fd));
  g_idle_add_full (G_PRIORITY_DEFAULT, tell_ended, self, unref);
  return NULL;
}

StintRelay *
stint_relay_new (int out_fd, int *write_fd, StintRelayFunc ended, gpointer user_data, GError **error)
{
  StintRelay *self;
  int fds[2];

  if (pipe2 (fds, O_CLOEXEC) < 0)
    {
      int code = errno;

      g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (code), g_strerror (code));
      return NULL;
    }
  self = g_new0 (StintRelay, 1);
  g_atomic_ref_count_init (&self->ref_count);
  g_atomic_ref_count_inc (&self->ref_count);
  self->in_fd = fds[0];
  self->out_fd = out_fd;
  self->ended = ended;
  self->user_data = user_data;
  *write_fd = fds[1];
  g_thread_unref (g_thread_new ("relay", run, self));
  return self;
}

void
stint_relay_free (StintRelay *self)
{
  self->abandoned = TRUE;
  unref (self);
}
