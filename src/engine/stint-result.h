/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * StintReason:
 * @STINT_REASON_NONE: it has not finished
 * @STINT_REASON_EXITED: the command exited by itself, whatever its code
 * @STINT_REASON_SIGNALED: the command died of a signal that Stint did not send
 * @STINT_REASON_TIMEOUT: the wall-clock limit ended it
 * @STINT_REASON_IDLE_TIMEOUT: the idle limit ended it
 * @STINT_REASON_TERMINATED: somebody asked it to stop
 * @STINT_REASON_KILLED: somebody killed it
 * @STINT_REASON_CANCELLED: its run was cancelled: Ctrl+C, or Stint shut down
 * @STINT_REASON_FAILED: it could not be started
 * @STINT_REASON_INTERRUPTED: the Stint that ran it died
 *
 * Why a job finished. The first cause wins.
 */
typedef enum
{
  STINT_REASON_NONE,
  STINT_REASON_EXITED,
  STINT_REASON_SIGNALED,
  STINT_REASON_TIMEOUT,
  STINT_REASON_IDLE_TIMEOUT,
  STINT_REASON_TERMINATED,
  STINT_REASON_KILLED,
  STINT_REASON_CANCELLED,
  STINT_REASON_FAILED,
  STINT_REASON_INTERRUPTED,
} StintReason;

/**
 * StintFailure:
 * @STINT_FAILURE_NONE: it could be started
 * @STINT_FAILURE_NOT_FOUND: there is no such command
 * @STINT_FAILURE_NOT_EXECUTABLE: it is there and cannot be executed
 * @STINT_FAILURE_OTHER: the directory, the terminal, the keeper, ...
 */
typedef enum
{
  STINT_FAILURE_NONE,
  STINT_FAILURE_NOT_FOUND,
  STINT_FAILURE_NOT_EXECUTABLE,
  STINT_FAILURE_OTHER,
} StintFailure;

/* Exit statuses of the command line's contract that are not the command's own. */
#define STINT_EXIT_LIMIT 124
#define STINT_EXIT_OWN_FAILURE 125
#define STINT_EXIT_NOT_EXECUTABLE 126
#define STINT_EXIT_NOT_FOUND 127
#define STINT_EXIT_SIGNAL_BASE 128

/**
 * StintSurvivor:
 * @pid: process id
 * @name: its name, clean UTF-8
 *
 * A process that could not be ended.
 */
typedef struct
{
  int pid;
  char *name;
} StintSurvivor;

/**
 * StintResult:
 *
 * How a job ended. Immutable once it is handed out; a reference-counted box.
 *
 * Exit code and signal are never both there, and a raw wait status never is.
 */
typedef struct
{
  StintReason reason;
  StintFailure failure;
  gboolean has_exit_code;
  int exit_code;   /* if has_exit_code */
  int term_signal; /* 0: none */
  gboolean escalated;
  guint leftovers;
  StintSurvivor *survivors; /* (array length=n_survivors) */
  guint n_survivors;
  char *error;          /* (nullable): what went wrong, a sentence */
  gint64 started_at;    /* microseconds since 1970, 0: never started */
  gint64 duration;      /* microseconds, from the start to the end of the command itself */
  gint64 cpu_time;      /* microseconds, all of its processes */
  gint64 max_rss;       /* bytes, the largest of its processes */
  guint64 stdout_bytes; /* what it wrote; on a pty everything */
  guint64 stderr_bytes;
  guint64 lost_bytes; /* of that, what could not be stored */
  guint64 hole_bytes; /* of that, what the output limit removed again */
  int store_error;    /* errno behind lost_bytes, or 0 */
} StintResult;

#define STINT_TYPE_RESULT (stint_result_get_type ())
GType stint_result_get_type (void);

StintResult *stint_result_new (StintReason reason);
StintResult *stint_result_ref (StintResult *self);
void stint_result_unref (StintResult *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintResult, stint_result_unref)

/**
 * stint_result_set_wait_status:
 * @self: a result that nobody else has yet
 * @wait_status: as waitpid() gives it
 *
 * Sets exit code or signal, and never both.
 */
void stint_result_set_wait_status (StintResult *self, int wait_status);

/**
 * stint_result_load_outcome:
 * @directory: (type filename): the directory of a job whose keeper has ended
 * @interrupted: whether whoever ran it died, so that a job that somebody was still ending counts as
 *   interrupted; one that ended by itself or for its limits does not
 * @error: there is no outcome, or it is damaged
 *
 * Reads what the keeper left behind.
 *
 * Returns: (transfer full): the result, or %NULL
 */
StintResult *stint_result_load_outcome (const char *directory, gboolean interrupted, GError **error);

/**
 * stint_result_is_success:
 *
 * Returns: whether the command exited by itself with code 0
 */
gboolean stint_result_is_success (const StintResult *self);

/**
 * StintEnding:
 * @STINT_ENDING_SUCCESS: the command exited by itself with code 0
 * @STINT_ENDING_FAILURE: it could not be started, exited otherwise, or a signal or a limit ended it
 * @STINT_ENDING_CANCELLED: somebody or something stopped it
 *
 * What decides what follows a job.
 */
typedef enum
{
  STINT_ENDING_SUCCESS,
  STINT_ENDING_FAILURE,
  STINT_ENDING_CANCELLED,
} StintEnding;

StintEnding stint_result_get_ending (const StintResult *self);

/**
 * stint_result_get_exit_status:
 *
 * Returns: what a command that ran the job exits with: the command's own code, 128+n, 124 for a
 *   limit, 143 terminated, 137 killed or interrupted, 130 cancelled, 127, 126 or 125 if it failed
 */
int stint_result_get_exit_status (const StintResult *self);

/**
 * stint_result_dup_sentence:
 *
 * Returns: (transfer full): in words, translated: "Exited with code 3 after 2 min 14 s", "Stopped:
 *   no output for 10 min; SIGKILL was needed; 2 leftover processes ended"
 */
char *stint_result_dup_sentence (const StintResult *self);

/* "exited", "idle-timeout", ...: for files and command lines, not translated. */
const char *stint_reason_to_nick (StintReason reason);
StintReason stint_reason_from_nick (const char *nick);

/* "SIGKILL", "SIGRTMIN+3"; for files and people alike. (transfer full) */
char *stint_signal_dup_name (int signal_number);

G_END_DECLS
