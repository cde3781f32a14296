/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The owner's end of a job that is watched from another process. To that process this one is what a
 * keeper is: it is told by the same messages, and asks by the same; but it may not let the job go, and
 * its end is not the job's.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-job-share.h"

#include "stint-job-fields.h"
#include "stint-job-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define BACKLOG 4

struct _StintJobShare
{
  StintJob *job;
  int directory_fd;
  int listen_fd;
  GSource *listen_source;
  int peer_fd; /* -1: nobody watches */
  GSource *peer_source;
  /* What somebody who comes later has missed. */
  struct keeper_event started;
  struct keeper_event stopping;
  gboolean is_started;
  gboolean is_stopping;
};

static void
clear_source (GSource **source)
{
  if (*source != NULL)
    g_source_destroy (*source);
  g_clear_pointer (source, g_source_unref);
}

static void
drop_peer (StintJobShare *self)
{
  clear_source (&self->peer_source);
  if (self->peer_fd >= 0)
    close (g_steal_fd (&self->peer_fd));
}

/* Who does not read is dropped: the job never waits for them. */
static void
tell (StintJobShare *self, const struct keeper_event *event)
{
  if (self->peer_fd >= 0 &&
      send (self->peer_fd, event, sizeof *event, MSG_NOSIGNAL | MSG_DONTWAIT) != sizeof *event)
    drop_peer (self);
}

static void
set_limits (StintJobShare *self, const struct keeper_request *request)
{
  gint64 now =
      self->job->limits.paused_at != 0 ? self->job->limits.paused_at : g_get_monotonic_time ();

  stint_job_set_on_idle (self->job, request->idle_action == KEEPER_IDLE_NOTIFY
                                        ? STINT_ON_IDLE_NOTIFY
                                        : STINT_ON_IDLE_TERMINATE);
  if (request->wall_at != self->job->limits.wall_at)
    stint_job_set_timeout_left (self->job, request->wall_at == LIMITS_NEVER
                                               ? STINT_NEVER
                                               : MAX (request->wall_at - now, 0));
  if (request->idle != self->job->limits.idle)
    stint_job_set_idle_limit (self->job, MAX (request->idle, 0));
}

static void
handle_request (StintJobShare *self, const struct keeper_request *request)
{
  switch ((enum keeper_request_type) request->type)
    {
    case KEEPER_REQUEST_LIMITS:
      set_limits (self, request);
      break;
    case KEEPER_REQUEST_STOP:
      stint_job_stop (self->job, STINT_REASON_TERMINATED, request->grace);
      break;
    case KEEPER_REQUEST_KILL:
      stint_job_kill (self->job);
      break;
    case KEEPER_REQUEST_PAUSE:
      stint_job_pause (self->job);
      break;
    case KEEPER_REQUEST_RESUME:
      stint_job_resume (self->job);
      break;
    /* Its terminal, its protocol and its place are this process's own affair. */
    case KEEPER_REQUEST_RESIZED:
    case KEEPER_REQUEST_ACTIVITY:
    case KEEPER_REQUEST_DETACH:
    case KEEPER_REQUEST_ATTACH:
    default:
      break;
    }
}

static gboolean
handle_readable (int fd, GIOCondition condition, gpointer data)
{
  StintJobShare *self = data;
  struct keeper_request request = { 0 };
  ssize_t n = recv (fd, &request, sizeof request, MSG_DONTWAIT);

  /* Who ends with events unread: told once, before what it had asked. */
  if (n < 0 && (errno == EAGAIN || errno == EINTR || errno == ECONNRESET))
    return G_SOURCE_CONTINUE;
  if (n != sizeof request)
    {
      drop_peer (self);
      return G_SOURCE_REMOVE;
    }
  handle_request (self, &request);
  return self->peer_source != NULL ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static gboolean
greet (StintJobShare *self, int fd, int error)
{
  struct keeper_adoption adoption = {
    .magic = KEEPER_ADOPTION_MAGIC,
    .version = KEEPER_VERSION,
    .layout = KEEPER_LAYOUT,
    .error = error,
    .limits = self->job->limits,
    .idle_action =
        self->job->on_idle == STINT_ON_IDLE_NOTIFY ? KEEPER_IDLE_NOTIFY : KEEPER_IDLE_TERMINATE,
  };
  union
  {
    char bytes[CMSG_SPACE (2 * sizeof (int))];
    struct cmsghdr align;
  } control = { 0 };
  struct iovec part = { &adoption, sizeof adoption };
  struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
  struct cmsghdr *header;

  if (error == 0)
    {
      message.msg_control = control.bytes;
      message.msg_controllen = sizeof control.bytes;
      header = CMSG_FIRSTHDR (&message);
      header->cmsg_level = SOL_SOCKET;
      header->cmsg_type = SCM_RIGHTS;
      header->cmsg_len = CMSG_LEN (sizeof self->job->shared_fds);
      memcpy (CMSG_DATA (header), self->job->shared_fds, sizeof self->job->shared_fds);
    }
  return sendmsg (fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof adoption;
}

static gboolean
is_same_user (int fd)
{
  struct ucred peer;
  socklen_t size = sizeof peer;

  return getsockopt (fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         (peer.uid == geteuid () || peer.uid == 0);
}

/* Who has gone may have asked for something before. */
static void
take_leave (StintJobShare *self)
{
  struct pollfd peer = { .fd = self->peer_fd };

  while (self->peer_fd >= 0 && poll (&peer, 1, 0) == 1 && (peer.revents & POLLHUP) != 0)
    handle_readable (self->peer_fd, G_IO_HUP, self);
}

static gboolean
handle_connection (int listen_fd, GIOCondition condition, gpointer data)
{
  StintJobShare *self = data;
  int fd = accept4 (listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

  if (fd < 0)
    return G_SOURCE_CONTINUE;
  /* The end of the last one may not have been looked at yet. */
  take_leave (self);
  if (!is_same_user (fd) || self->peer_fd >= 0 || !greet (self, fd, 0))
    {
      if (self->peer_fd >= 0)
        greet (self, fd, EBUSY);
      close (fd);
      return G_SOURCE_CONTINUE;
    }
  self->peer_fd = fd;
  self->peer_source = g_unix_fd_source_new (fd, G_IO_IN | G_IO_HUP | G_IO_ERR);
  g_source_set_callback (self->peer_source, G_SOURCE_FUNC (handle_readable), self, NULL);
  g_source_attach (self->peer_source, g_main_context_get_thread_default ());
  tell (self, &self->started);
  if (self->is_stopping)
    tell (self, &self->stopping);
  return G_SOURCE_CONTINUE;
}

/* By way of /proc/self/fd: the path may be longer than an address can be. It appears under its name
 * when it can be connected to. */
static gboolean
listen_in_directory (StintJobShare *self)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };

  self->directory_fd = open (self->job->directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (self->directory_fd < 0)
    return FALSE;
  self->listen_fd = socket (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  g_snprintf (address.sun_path, sizeof address.sun_path,
              "/proc/self/fd/%d/" STINT_JOB_SHARE_FILE_NEW, self->directory_fd);
  return self->listen_fd >= 0 &&
         bind (self->listen_fd, (struct sockaddr *) &address, sizeof address) == 0 &&
         listen (self->listen_fd, BACKLOG) == 0 &&
         renameat (self->directory_fd, STINT_JOB_SHARE_FILE_NEW, self->directory_fd,
                   STINT_JOB_SHARE_FILE) == 0;
}

static void
stop_listening (StintJobShare *self)
{
  clear_source (&self->listen_source);
  if (self->directory_fd >= 0)
    {
      unlinkat (self->directory_fd, STINT_JOB_SHARE_FILE_NEW, 0);
      unlinkat (self->directory_fd, STINT_JOB_SHARE_FILE, 0);
      close (g_steal_fd (&self->directory_fd));
    }
  if (self->listen_fd >= 0)
    close (g_steal_fd (&self->listen_fd));
}

static void
begin (StintJobShare *self)
{
  /* What leaves no trace is nobody else's to find. */
  if (self->job->scratch || self->job->shared_fds[0] < 0 || self->job->shared_fds[1] < 0)
    return;
  if (!listen_in_directory (self))
    {
      g_debug ("job %" G_GUINT64_FORMAT " cannot be shared: %s", self->job->id, g_strerror (errno));
      stop_listening (self);
      return;
    }
  self->listen_source = g_unix_fd_source_new (self->listen_fd, G_IO_IN);
  g_source_set_callback (self->listen_source, G_SOURCE_FUNC (handle_connection), self, NULL);
  g_source_attach (self->listen_source, g_main_context_get_thread_default ());
}

static void
handle_event (const struct keeper_event *event, gpointer data)
{
  StintJobShare *self = data;

  if (event->type == KEEPER_EVENT_STARTED)
    {
      self->started = *event;
      if (!self->is_started)
        begin (self);
      self->is_started = TRUE;
    }
  else if (event->type == KEEPER_EVENT_STOPPING)
    {
      self->stopping = *event;
      self->is_stopping = TRUE;
    }
  tell (self, event);
}

StintJobShare *
stint_job_share_new (StintJob *job)
{
  StintJobShare *self;

  g_return_val_if_fail (STINT_IS_JOB (job) && job->tap == NULL, NULL);

  self = g_new0 (StintJobShare, 1);
  self->job = g_object_ref (job);
  self->directory_fd = self->listen_fd = self->peer_fd = -1;
  job->tap = handle_event;
  job->tap_data = self;
  return self;
}

void
stint_job_share_free (StintJobShare *self)
{
  self->job->tap = NULL;
  self->job->tap_data = NULL;
  drop_peer (self);
  stop_listening (self);
  g_object_unref (self->job);
  g_free (self);
}
