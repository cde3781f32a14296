/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See stream.h.
 */
#include "stream.h"

#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define BUFFER_SIZE (256 * 1024)

/* The kernel copies to a whole page much faster than to one that is 16 bytes off, as malloc's are. */
#define BUFFER_ALIGNMENT 4096

/* What a pty can hold: FIONREAD does not tell. */
#define PTY_DRAIN (128 * 1024)

static void
set_nonblocking (int fd)
{
  int flags = fcntl (fd, F_GETFL);

  if (flags >= 0)
    fcntl (fd, F_SETFL, flags | O_NONBLOCK);
}

int
stream_open (struct stream *stream, enum keeper_stream id, int fd, bool pty, int tee_fd)
{
  *stream = (struct stream) {
    .id = id,
    .fd = fd,
    .pty = pty,
    .tee_fd = tee_fd,
    .buffer = aligned_alloc (BUFFER_ALIGNMENT, BUFFER_SIZE),
  };
  if (stream->buffer == NULL)
    return ENOMEM;
  /* Both are the keeper's alone: the engine opened the master so, and made the tee for us. */
  if (!pty)
    set_nonblocking (fd);
  if (tee_fd >= 0)
    set_nonblocking (tee_fd);
  return 0;
}

void
stream_close (struct stream *stream)
{
  if (stream->fd >= 0)
    close (stream->fd);
  stream->fd = -1;
}

bool
stream_is_stalled (const struct stream *stream)
{
  return stream->start < stream->end;
}

void
stream_pass_on (struct stream *stream)
{
  while (stream->start < stream->end)
    {
      ssize_t n = stream->tee_fd < 0 ? -1
                                     : write (stream->tee_fd, stream->buffer + stream->start,
                                              stream->end - stream->start);

      if (n > 0)
        {
          stream->start += (size_t) n;
          continue;
        }
      if (stream->tee_fd >= 0 && errno == EINTR)
        continue;
      if (stream->tee_fd >= 0 && errno == EAGAIN)
        return;
      /* The reader is gone. What is recorded is recorded. */
      if (stream->tee_fd >= 0)
        close (stream->tee_fd);
      stream->tee_fd = -1;
      break;
    }
  stream->start = stream->end = 0;
}

/* Fills the empty buffer: from a pipe once, from a pty until it has no more. */
static void
fill (struct stream *stream)
{
  while (stream->end < BUFFER_SIZE)
    {
      ssize_t n = read (stream->fd, stream->buffer + stream->end, BUFFER_SIZE - stream->end);

      if (n > 0)
        {
          stream->end += (size_t) n;
          if (!stream->pty)
            return;
          continue;
        }
      if (n < 0 && errno == EINTR)
        continue;
      /* The end of a pipe, or EIO: no slave of the pty is open. */
      if (n == 0 || errno != EAGAIN)
        stream_close (stream);
      return;
    }
}

static void
record (struct stream *stream, struct recorder *recorder, const uint8_t *bytes, size_t size)
{
  /* Before the reader is told of what was read. */
  progress_read (&stream->progress, bytes, size, &recorder->counters->progress);
  recorder_write (recorder, stream->id, bytes, size, clock_monotonic ());
}

void
stream_read (struct stream *stream, struct recorder *recorder)
{
  if (stream->fd < 0 || stream_is_stalled (stream))
    return;
  fill (stream);
  record (stream, recorder, stream->buffer, stream->end);
  stream_pass_on (stream);
}

/* Room for @size bytes behind what the reader has not taken yet. */
static bool
reserve (struct stream *stream, size_t size)
{
  uint8_t *buffer;

  if (stream->start > 0)
    {
      memmove (stream->buffer, stream->buffer + stream->start, stream->end - stream->start);
      stream->end -= stream->start;
      stream->start = 0;
    }
  if (stream->end + size <= BUFFER_SIZE)
    return true;
  buffer = realloc (stream->buffer, stream->end + size);
  if (buffer == NULL)
    return false;
  stream->buffer = buffer;
  return true;
}

void
stream_drain (struct stream *stream, struct recorder *recorder)
{
  size_t left = PTY_DRAIN;
  int available = 0;

  if (stream->fd < 0)
    return;
  if (!stream->pty)
    left = ioctl (stream->fd, FIONREAD, &available) == 0 && available > 0 ? (size_t) available : 0;

  /* A slow reader may still have a buffer to take. What comes last is bounded by what the kernel
   * holds, so it is kept behind that, and the job need not wait for its reader. */
  if (left > 0 && !reserve (stream, left))
    return;
  while (left > 0 && stream->fd >= 0)
    {
      ssize_t n = read (stream->fd, stream->buffer + stream->end, left);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        break;
      record (stream, recorder, stream->buffer + stream->end, (size_t) n);
      stream->end += (size_t) n;
      left -= (size_t) n;
    }
  stream_pass_on (stream);
}
