/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The control socket, from the engine's side.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-keeper-link.h"

#include <errno.h>
#include <glib-unix.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

struct _StintKeeperLink
{
  GObject parent_instance;

  int control_fd;
  GSource *source;
  GArray *unsent; /* of struct keeper_request: the socket was full */
  GSource *unsent_source;
};

G_DEFINE_FINAL_TYPE (StintKeeperLink, stint_keeper_link, G_TYPE_OBJECT)

enum
{
  SIGNAL_EVENT,
  SIGNAL_ENDED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static gboolean
handle_readable (int fd, GIOCondition condition, gpointer data)
{
  g_autoptr (StintKeeperLink) self = g_object_ref (data);

  while (self->source != NULL)
    {
      struct keeper_event event;
      ssize_t n = recv (fd, &event, sizeof event, MSG_DONTWAIT | MSG_TRUNC);

      if (n == (ssize_t) sizeof event)
        {
          g_signal_emit (self, signals[SIGNAL_EVENT], 0, &event);
          continue;
        }
      /* A keeper that ended with a request unread: told once, before what it had said. */
      if (n > 0 || (n < 0 && (errno == EINTR || errno == ECONNRESET)))
        continue;
      if (n < 0 && errno == EAGAIN)
        return G_SOURCE_CONTINUE;
      stint_keeper_link_close (self);
      g_signal_emit (self, signals[SIGNAL_ENDED], 0);
    }
  return G_SOURCE_REMOVE;
}

/* Returns: FALSE if the socket is full, or the system has no memory for it at the moment. */
static gboolean
send_now (StintKeeperLink *self, const struct keeper_request *request)
{
  if (send (self->control_fd, request, sizeof *request, MSG_NOSIGNAL | MSG_DONTWAIT) >= 0)
    return TRUE;
  if (errno == EAGAIN || errno == ENOBUFS || errno == ENOMEM)
    return FALSE;
  g_debug ("request %u did not reach the keeper: %s", request->type, g_strerror (errno));
  return TRUE;
}

static gboolean
handle_writable (int fd, GIOCondition condition, gpointer data)
{
  StintKeeperLink *self = data;
  guint n = 0;

  while (n < self->unsent->len &&
         send_now (self, &g_array_index (self->unsent, struct keeper_request, n)))
    n++;
  g_array_remove_range (self->unsent, 0, n);
  if (self->unsent->len > 0)
    return G_SOURCE_CONTINUE;
  g_clear_pointer (&self->unsent_source, g_source_unref);
  return G_SOURCE_REMOVE;
}

void
stint_keeper_link_send (StintKeeperLink *self, const struct keeper_request *request)
{
  guint last;

  g_return_if_fail (STINT_IS_KEEPER_LINK (self));

  if (self->control_fd < 0 || (self->unsent->len == 0 && send_now (self, request)))
    return;

  /* The keeper is held up, by a disk for one. No stop may be lost; of sizes the last one counts. */
  last = self->unsent->len;
  if (last > 0 && request->type == KEEPER_REQUEST_RESIZED &&
      g_array_index (self->unsent, struct keeper_request, last - 1).type == request->type)
    g_array_set_size (self->unsent, last - 1);
  g_array_append_val (self->unsent, *request);
  if (self->unsent_source != NULL)
    return;
  self->unsent_source = g_unix_fd_source_new (self->control_fd, G_IO_OUT);
  g_source_set_callback (self->unsent_source, G_SOURCE_FUNC (handle_writable), self, NULL);
  g_source_attach (self->unsent_source, g_main_context_get_thread_default ());
}

/* The socket is its owner's alone: while it is open there, the id that it was made with is the owner's. */
void
stint_keeper_link_continue_peer (StintKeeperLink *self)
{
  struct pollfd end = { .fd = self->control_fd };
  struct ucred peer;
  socklen_t size = sizeof peer;
  int fd;

  g_return_if_fail (STINT_IS_KEEPER_LINK (self));

  if (self->control_fd < 0 ||
      getsockopt (self->control_fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0 || peer.pid <= 1)
    return;
  fd = (int) syscall (SYS_pidfd_open, peer.pid, 0);
  if (fd < 0)
    return;
  if (poll (&end, 1, 0) == 0)
    syscall (SYS_pidfd_send_signal, fd, SIGCONT, NULL, 0);
  close (fd);
}

void
stint_keeper_link_close (StintKeeperLink *self)
{
  g_return_if_fail (STINT_IS_KEEPER_LINK (self));

  if (self->source != NULL)
    g_source_destroy (self->source);
  g_clear_pointer (&self->source, g_source_unref);
  if (self->unsent_source != NULL)
    g_source_destroy (self->unsent_source);
  g_clear_pointer (&self->unsent_source, g_source_unref);
  g_array_set_size (self->unsent, 0);
  if (self->control_fd >= 0)
    close (g_steal_fd (&self->control_fd));
}

static void
stint_keeper_link_dispose (GObject *object)
{
  stint_keeper_link_close (STINT_KEEPER_LINK (object));
  G_OBJECT_CLASS (stint_keeper_link_parent_class)->dispose (object);
}

static void
stint_keeper_link_finalize (GObject *object)
{
  g_array_unref (STINT_KEEPER_LINK (object)->unsent);
  G_OBJECT_CLASS (stint_keeper_link_parent_class)->finalize (object);
}

static void
stint_keeper_link_class_init (StintKeeperLinkClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stint_keeper_link_dispose;
  G_OBJECT_CLASS (klass)->finalize = stint_keeper_link_finalize;

  signals[SIGNAL_EVENT] = g_signal_new ("event", STINT_TYPE_KEEPER_LINK, G_SIGNAL_RUN_LAST, 0, NULL,
                                        NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[SIGNAL_ENDED] = g_signal_new ("ended", STINT_TYPE_KEEPER_LINK, G_SIGNAL_RUN_LAST, 0, NULL,
                                        NULL, NULL, G_TYPE_NONE, 0);
}

static void
stint_keeper_link_init (StintKeeperLink *self)
{
  self->control_fd = -1;
  self->unsent = g_array_new (FALSE, FALSE, sizeof (struct keeper_request));
}

StintKeeperLink *
stint_keeper_link_new (int control_fd)
{
  StintKeeperLink *self = g_object_new (STINT_TYPE_KEEPER_LINK, NULL);

  self->control_fd = control_fd;
  self->source = g_unix_fd_source_new (control_fd, G_IO_IN | G_IO_HUP | G_IO_ERR);
  g_source_set_callback (self->source, G_SOURCE_FUNC (handle_readable), self, NULL);
  g_source_attach (self->source, g_main_context_get_thread_default ());
  return self;
}
