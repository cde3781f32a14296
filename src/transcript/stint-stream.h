/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * StintStream:
 * @STINT_STREAM_STDOUT: standard output; on a pty everything
 * @STINT_STREAM_STDERR: standard error
 */
typedef enum
{
  STINT_STREAM_STDOUT,
  STINT_STREAM_STDERR,
} StintStream;

/**
 * StintStreams:
 * @STINT_STREAMS_BOTH: everything, in the order in which it came
 * @STINT_STREAMS_STDOUT: standard output only
 * @STINT_STREAMS_STDERR: standard error only
 *
 * Which streams are wanted. Choosers in *.ui files list them in this order.
 */
typedef enum
{
  STINT_STREAMS_BOTH,
  STINT_STREAMS_STDOUT,
  STINT_STREAMS_STDERR,
} StintStreams;

/* Whether what came from @stream is among @streams. */
static inline gboolean
stint_streams_include (StintStreams streams, StintStream stream)
{
  return streams == STINT_STREAMS_BOTH ||
         (streams == STINT_STREAMS_STDERR) == (stream == STINT_STREAM_STDERR);
}

G_END_DECLS
