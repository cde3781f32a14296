/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * StintError:
 * @STINT_ERROR_FAILED: something outside Stint failed; the message says what
 * @STINT_ERROR_INVALID: an argument is not of its form; the message names it and says what would be
 * @STINT_ERROR_UNBALANCED: a command line's quotes do not match
 * @STINT_ERROR_WRONG_KIND: this command needs another kind of job; the message names it
 * @STINT_ERROR_NO_COMMAND: a job needs a command
 * @STINT_ERROR_SHUTTING_DOWN: Stint is shutting down and starts nothing new
 * @STINT_ERROR_NOT_RUNNING: the job has not started yet, or has ended
 * @STINT_ERROR_DAMAGED: a file is not what it should be
 * @STINT_ERROR_TOO_NEW: a file was written by a newer version
 * @STINT_ERROR_NO_JOB: there is no such job
 *
 * Errors of the engine and of what is built on it.
 */
typedef enum
{
  STINT_ERROR_FAILED,
  STINT_ERROR_INVALID,
  STINT_ERROR_UNBALANCED,
  STINT_ERROR_WRONG_KIND,
  STINT_ERROR_NO_COMMAND,
  STINT_ERROR_SHUTTING_DOWN,
  STINT_ERROR_NOT_RUNNING,
  STINT_ERROR_DAMAGED,
  STINT_ERROR_TOO_NEW,
  STINT_ERROR_NO_JOB,
} StintError;

#define STINT_ERROR (stint_error_quark ())
GQuark stint_error_quark (void);

/**
 * stint_error_describe:
 * @code: an errno
 *
 * Returns: what it means, as g_strerror(); of one that the user can do something about, also what
 */
const char *stint_error_describe (int code);

G_END_DECLS
