/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The way to the keeper of a job that was let go, by the socket in its directory. See the keeper's
 * adoption.c for the other end.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-keeper-adopt.h"

#include "stint-error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* A keeper answers at once, unless a disk holds it up. */
#define PATIENCE_SECONDS 20

#define MAX_GIVEN 3

/* One question. */
typedef struct
{
  int fd;
  GSource *readable;
  GSource *timeout;
} Call;

static void
call_free (gpointer data)
{
  Call *call = data;

  g_source_destroy (call->readable);
  g_source_unref (call->readable);
  g_source_destroy (call->timeout);
  g_source_unref (call->timeout);
  if (call->fd >= 0)
    close (call->fd);
  g_free (call);
}

void
stint_keeper_handover_free (StintKeeperHandover *self)
{
  const int fds[] = { self->channels.control_fd, self->channels.counters_fd,
                      self->channels.wakeup_fd, self->pty_fd };

  for (guint i = 0; i < G_N_ELEMENTS (fds); i++)
    if (fds[i] >= 0)
      close (fds[i]);
  g_free (self);
}

/* Whatever comes with the message is ours to close, however many they are. */
static gboolean
take_descriptors (StintKeeperHandover *self, struct msghdr *message)
{
  int *places[MAX_GIVEN] = { &self->channels.counters_fd, &self->channels.wakeup_fd,
                             &self->pty_fd };
  guint n = 0;

  for (struct cmsghdr *header = CMSG_FIRSTHDR (message); header != NULL;
       header = CMSG_NXTHDR (message, header))
    {
      guint n_given;

      if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
        continue;
      n_given = (guint) ((header->cmsg_len - CMSG_LEN (0)) / sizeof (int));
      for (guint i = 0; i < n_given; i++)
        {
          int fd;

          memcpy (&fd, CMSG_DATA (header) + i * sizeof fd, sizeof fd);
          if (n < MAX_GIVEN)
            *places[n++] = fd;
          else
            close (fd);
        }
    }
  return n >= 2 && (message->msg_flags & MSG_CTRUNC) == 0;
}

/* Returns: FALSE with @error if this is not a job that this build can take over. */
static gboolean
check (const struct keeper_adoption *adoption, gsize size, gboolean has_channels, GError **error)
{
  const gsize header = G_STRUCT_OFFSET (struct keeper_adoption, limits);

  if (size < header || adoption->magic != KEEPER_ADOPTION_MAGIC)
    {
      g_set_error_literal (error, STINT_ERROR, STINT_ERROR_DAMAGED,
                           _ ("What answers is not the keeper of a job"));
      return FALSE;
    }
  if (adoption->error != 0)
    {
      g_set_error_literal (error, G_IO_ERROR, g_io_error_from_errno (adoption->error),
                           _ ("Another window of Stint has taken the job over"));
      return FALSE;
    }
  if (adoption->version != KEEPER_VERSION || adoption->layout != KEEPER_LAYOUT ||
      size != sizeof *adoption || !has_channels)
    {
      g_set_error_literal (error, STINT_ERROR, STINT_ERROR_TOO_NEW,
                           _ ("The job was let go by another version of Stint. It goes on, and "
                              "what becomes of it is recorded when it has ended"));
      return FALSE;
    }
  return TRUE;
}

static StintKeeperHandover *
receive (Call *call, GError **error)
{
  g_autoptr (StintKeeperHandover) self = g_new0 (StintKeeperHandover, 1);
  union
  {
    char bytes[CMSG_SPACE (16 * sizeof (int))];
    struct cmsghdr align;
  } control;
  struct iovec part = { &self->adoption, sizeof self->adoption };
  struct msghdr message = {
    .msg_iov = &part,
    .msg_iovlen = 1,
    .msg_control = control.bytes,
    .msg_controllen = sizeof control.bytes,
  };
  gboolean has_channels;
  ssize_t n;

  self->channels = (StintKeeperChannels){ -1, -1, -1 };
  self->pty_fd = -1;
  n = recvmsg (call->fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  if (n <= 0)
    {
      /* Closed with the call in it or before that was taken: the job has ended. */
      int code = n == 0 || errno == ECONNRESET ? ECONNREFUSED : errno;

      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code),
                   _ ("The keeper of the job does not answer: %s"), g_strerror (code));
      return NULL;
    }
  has_channels = take_descriptors (self, &message);
  if (!check (&self->adoption, (gsize) n, has_channels, error))
    return NULL;
  self->channels.control_fd = g_steal_fd (&call->fd);
  return g_steal_pointer (&self);
}

static gboolean
handle_readable (int fd, GIOCondition condition, gpointer data)
{
  g_autoptr (GTask) task = g_object_ref (data);
  Call *call = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  StintKeeperHandover *handover = receive (call, &error);

  g_source_destroy (call->readable);
  g_source_destroy (call->timeout);
  if (handover != NULL)
    g_task_return_pointer (task, handover, (GDestroyNotify) stint_keeper_handover_free);
  else
    g_task_return_error (task, g_steal_pointer (&error));
  return G_SOURCE_REMOVE;
}

static gboolean
handle_timeout (gpointer data)
{
  g_autoptr (GTask) task = g_object_ref (data);
  Call *call = g_task_get_task_data (task);

  g_source_destroy (call->readable);
  g_source_destroy (call->timeout);
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_TIMED_OUT, "%s",
                           _ ("The keeper of the job does not answer"));
  return G_SOURCE_REMOVE;
}

/* Returns: the socket, or -1 with errno. Never waits: a full backlog is an error. */
static int
call_keeper (const char *directory, const char *name)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int directory_fd = open (directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
  int fd, code;

  if (directory_fd < 0)
    return -1;
  g_snprintf (address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s", directory_fd, name);
  fd = socket (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd >= 0 && connect (fd, (struct sockaddr *) &address, sizeof address) < 0)
    {
      code = errno;
      close (fd);
      fd = -1;
      errno = code;
    }
  code = errno;
  close (directory_fd);
  errno = code;
  return fd;
}

/* Stopped, it would never answer. */
static void
continue_keeper (int fd)
{
  struct ucred peer;
  socklen_t size = sizeof peer;

  if (getsockopt (fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.pid > 1)
    kill (peer.pid, SIGCONT);
}

void
stint_keeper_adopt_async (const char *directory,
                          const char *name,
                          GAsyncReadyCallback callback,
                          gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  Call *call;
  int fd = call_keeper (directory, name);

  g_task_set_source_tag (task, stint_keeper_adopt_async);
  if (fd < 0)
    {
      int code = errno;

      g_task_return_new_error (task, G_IO_ERROR, g_io_error_from_errno (code),
                               _ ("The keeper of the job cannot be reached: %s"),
                               g_strerror (code));
      return;
    }
  if (strcmp (name, KEEPER_FILE_CONTROL) == 0)
    continue_keeper (fd);

  call = g_new0 (Call, 1);
  call->fd = fd;
  call->readable = g_unix_fd_source_new (fd, G_IO_IN | G_IO_HUP | G_IO_ERR);
  g_source_set_callback (call->readable, G_SOURCE_FUNC (handle_readable), g_object_ref (task),
                         g_object_unref);
  call->timeout = g_timeout_source_new_seconds (PATIENCE_SECONDS);
  g_source_set_callback (call->timeout, handle_timeout, g_object_ref (task), g_object_unref);
  g_task_set_task_data (task, call, call_free);
  g_source_attach (call->readable, g_main_context_get_thread_default ());
  g_source_attach (call->timeout, g_main_context_get_thread_default ());
}

StintKeeperHandover *
stint_keeper_adopt_finish (GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
