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

G_END_DECLS
