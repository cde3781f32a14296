/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See adoption.h. The socket is bound and found by way of /proc/self/fd: the path of a job directory
 * may be longer than an address can be, and may have been renamed.
 */
#include "adoption.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Whoever comes while somebody is being told waits. */
#define BACKLOG 4

#define MAX_GIVEN 3

int
adoption_listen (int directory_fd, int *listen_fd)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int fd = socket (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

  if (fd < 0)
    return errno;
  snprintf (address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/" KEEPER_FILE_CONTROL,
            directory_fd);
  unlinkat (directory_fd, KEEPER_FILE_CONTROL, 0);
  if (bind (fd, (struct sockaddr *) &address, sizeof address) < 0 || listen (fd, BACKLOG) < 0)
    {
      int error = errno;

      close (fd);
      return error;
    }
  *listen_fd = fd;
  return 0;
}

void
adoption_close (int directory_fd, int *listen_fd)
{
  if (*listen_fd < 0)
    return;
  unlinkat (directory_fd, KEEPER_FILE_CONTROL, 0);
  close (*listen_fd);
  *listen_fd = -1;
}

int
adoption_accept (int listen_fd)
{
  struct ucred peer;
  socklen_t size = sizeof peer;
  int fd = accept4 (listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

  if (fd < 0)
    return -1;
  /* The directory is closed to others already; who may write to it may not end the job. */
  if (getsockopt (fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0 ||
      (peer.uid != geteuid () && peer.uid != 0))
    {
      close (fd);
      return -1;
    }
  return fd;
}

/* Sends @size bytes with those of @given that are descriptors. */
static bool
send_with (int fd, const void *bytes, size_t size, const int *given, size_t n_given)
{
  union
  {
    char bytes[CMSG_SPACE (MAX_GIVEN * sizeof (int))];
    struct cmsghdr align;
  } control = { 0 };
  struct iovec part = { (void *) bytes, size };
  struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
  struct cmsghdr *header;
  int fds[MAX_GIVEN];
  size_t n = 0;

  for (size_t i = 0; i < n_given && i < MAX_GIVEN; i++)
    if (given[i] >= 0)
      fds[n++] = given[i];
  if (n > 0)
    {
      message.msg_control = control.bytes;
      message.msg_controllen = CMSG_SPACE (n * sizeof (int));
      header = CMSG_FIRSTHDR (&message);
      header->cmsg_level = SOL_SOCKET;
      header->cmsg_type = SCM_RIGHTS;
      header->cmsg_len = CMSG_LEN (n * sizeof (int));
      memcpy (CMSG_DATA (header), fds, n * sizeof (int));
    }
  return sendmsg (fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t) size;
}

bool
adoption_tell (int fd, const struct keeper_adoption *adoption, const int given[3])
{
  return send_with (fd, adoption, sizeof *adoption, given, 3);
}

bool
adoption_share (int pair_fd, int control_fd)
{
  return send_with (pair_fd, "", 1, &control_fd, 1);
}

int
adoption_take_shared (int pair_fd)
{
  int shared = -1;

  for (;;)
    {
      union
      {
        char bytes[CMSG_SPACE (sizeof (int))];
        struct cmsghdr align;
      } control = { 0 };
      char byte;
      struct iovec part = { &byte, 1 };
      struct msghdr message = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = control.bytes,
        .msg_controllen = sizeof control.bytes,
      };
      struct cmsghdr *header;
      ssize_t n = recvmsg (pair_fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return shared;
      header = CMSG_FIRSTHDR (&message);
      if (header == NULL || header->cmsg_type != SCM_RIGHTS ||
          header->cmsg_len != CMSG_LEN (sizeof (int)))
        continue;
      if (shared >= 0)
        close (shared);
      memcpy (&shared, CMSG_DATA (header), sizeof shared);
    }
}
