/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One of the command's output streams: read, recorded, and passed on if somebody reads along.
 * libc only.
 */
#pragma once

#include "progress.h"
#include "recorder.h"

struct stream
{
  enum keeper_stream id;
  int fd;     /* the read end of a pipe or a pty's master, not blocking; -1: at its end */
  bool pty;
  int tee_fd; /* the write end of the reader's pipe, not blocking; -1: none, or gone */
  uint8_t *buffer;
  size_t start; /* what of the buffer has not been passed on yet */
  size_t end;
  struct progress progress;
};

/* Takes @fd. Returns: 0 or the errno. */
int stream_open (struct stream *stream, enum keeper_stream id, int fd, bool pty, int tee_fd);
void stream_close (struct stream *stream);

/* Its reader has not yet taken what was read: nothing more is read until then. */
bool stream_is_stalled (const struct stream *stream);

/* Reads once (a pty until it is empty or the buffer is full), records, and passes on. */
void stream_read (struct stream *stream, struct recorder *recorder);

/* Passes on what was left. */
void stream_pass_on (struct stream *stream);

/* Reads what is left once everything that wrote to it has ended, whoever else may hold it. */
void stream_drain (struct stream *stream, struct recorder *recorder);
