/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The control socket, from the engine's side.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-keeper-link.h"

#include <errno.h>
#include <glib-unix.h>
#include <sys/socket.h>
#include <unistd.h>

struct _StintKeeperLink
{
  GObject parent_instance;

  int control_fd;
  GSource *source;
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
      if (n > 0 || (n < 0 && errno == EINTR))
        continue;
      if (n < 0 && errno == EAGAIN)
        return G_SOURCE_CONTINUE;
      stint_keeper_link_close (self);
      g_signal_emit (self, signals[SIGNAL_ENDED], 0);
    }
  return G_SOURCE_REMOVE;
}

void
stint_keeper_link_send (StintKeeperLink *self, const struct keeper_request *request)
{
  g_return_if_fail (STINT_IS_KEEPER_LINK (self));

  if (self->control_fd >= 0 &&
      send (self->control_fd, request, sizeof *request, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
    g_debug ("request %u did not reach the keeper: %s", request->type, g_strerror (errno));
}

void
stint_keeper_link_close (StintKeeperLink *self)
{
  g_return_if_fail (STINT_IS_KEEPER_LINK (self));

  if (self->source != NULL)
    g_source_destroy (self->source);
  g_clear_pointer (&self->source, g_source_unref);
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
stint_keeper_link_class_init (StintKeeperLinkClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stint_keeper_link_dispose;

  signals[SIGNAL_EVENT] = g_signal_new ("event", STINT_TYPE_KEEPER_LINK, G_SIGNAL_RUN_LAST, 0, NULL,
                                        NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
  signals[SIGNAL_ENDED] = g_signal_new ("ended", STINT_TYPE_KEEPER_LINK, G_SIGNAL_RUN_LAST, 0, NULL,
                                        NULL, NULL, G_TYPE_NONE, 0);
}

static void
stint_keeper_link_init (StintKeeperLink *self)
{
  self->control_fd = -1;
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
