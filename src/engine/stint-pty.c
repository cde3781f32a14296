/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See stint-pty.h.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-pty.h"

#include "stint-error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define MAX_QUEUED (1024 * 1024)

struct _StintPty
{
  GObject parent_instance;

  int fd;
  GByteArray *queue;
  GSource *source; /* while something is queued */
};

G_DEFINE_FINAL_TYPE (StintPty, stint_pty, G_TYPE_OBJECT)

/* Returns: FALSE if nothing will ever be taken again. */
static gboolean
write_queued (StintPty *self)
{
  while (self->queue->len > 0)
    {
      ssize_t n = write (self->fd, self->queue->data, self->queue->len);

      if (n > 0)
        g_byte_array_remove_range (self->queue, 0, (guint) n);
      else if (errno == EAGAIN)
        return TRUE;
      else if (errno != EINTR)
        return FALSE;
    }
  return TRUE;
}

static gboolean
handle_writable (int fd, GIOCondition condition, gpointer data)
{
  StintPty *self = data;

  if (!write_queued (self))
    g_byte_array_set_size (self->queue, 0);
  if (self->queue->len > 0)
    return G_SOURCE_CONTINUE;
  g_clear_pointer (&self->source, g_source_unref);
  return G_SOURCE_REMOVE;
}

int
stint_pty_get_fd (StintPty *self)
{
  return self->fd;
}

gboolean
stint_pty_write (StintPty *self, GBytes *data, GError **error)
{
  gsize size;
  const guint8 *bytes = g_bytes_get_data (data, &size);

  g_return_val_if_fail (STINT_IS_PTY (self), FALSE);

  if (self->fd < 0 || size == 0)
    return TRUE;
  if (self->queue->len + size > MAX_QUEUED)
    {
      g_set_error_literal (error, STINT_ERROR, STINT_ERROR_FAILED,
                           _ ("The job does not read its input: a mebibyte is waiting already"));
      return FALSE;
    }
  g_byte_array_append (self->queue, bytes, (guint) size);
  if (self->source != NULL)
    return TRUE;

  if (!write_queued (self))
    g_byte_array_set_size (self->queue, 0);
  if (self->queue->len > 0)
    {
      self->source = g_unix_fd_source_new (self->fd, G_IO_OUT);
      g_source_set_callback (self->source, G_SOURCE_FUNC (handle_writable), self, NULL);
      g_source_attach (self->source, g_main_context_get_thread_default ());
    }
  return TRUE;
}

gboolean
stint_pty_resize (StintPty *self, guint columns, guint rows)
{
  const struct winsize size = {
    .ws_col = (unsigned short) MIN (columns, G_MAXUINT16),
    .ws_row = (unsigned short) MIN (rows, G_MAXUINT16),
  };

  g_return_val_if_fail (STINT_IS_PTY (self), FALSE);
  return self->fd >= 0 && ioctl (self->fd, TIOCSWINSZ, &size) == 0;
}

gboolean
stint_pty_takes_lines (StintPty *self)
{
  struct termios attributes;

  g_return_val_if_fail (STINT_IS_PTY (self), FALSE);
  /* Of the master this says what the command has set for its side. */
  return self->fd >= 0 && tcgetattr (self->fd, &attributes) == 0 &&
         (attributes.c_lflag & ICANON) != 0;
}

void
stint_pty_close (StintPty *self)
{
  g_return_if_fail (STINT_IS_PTY (self));

  if (self->source != NULL)
    g_source_destroy (self->source);
  g_clear_pointer (&self->source, g_source_unref);
  g_byte_array_set_size (self->queue, 0);
  if (self->fd >= 0)
    close (g_steal_fd (&self->fd));
}

static void
stint_pty_finalize (GObject *object)
{
  StintPty *self = STINT_PTY (object);

  stint_pty_close (self);
  g_byte_array_unref (self->queue);
  G_OBJECT_CLASS (stint_pty_parent_class)->finalize (object);
}

static void
stint_pty_class_init (StintPtyClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stint_pty_finalize;
}

static void
stint_pty_init (StintPty *self)
{
  self->fd = -1;
  self->queue = g_byte_array_new ();
}

StintPty *
stint_pty_new (GError **error)
{
  g_autoptr (StintPty) self = g_object_new (STINT_TYPE_PTY, NULL);

  self->fd = posix_openpt (O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (self->fd < 0 || grantpt (self->fd) < 0 || unlockpt (self->fd) < 0)
    {
      int code = errno;

      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), _ ("Cannot open a terminal: %s"),
                   stint_error_describe (code));
      return NULL;
    }
  return g_steal_pointer (&self);
}

StintPty *
stint_pty_new_for_fd (int fd)
{
  StintPty *self = g_object_new (STINT_TYPE_PTY, NULL);

  self->fd = fd;
  return self;
}
