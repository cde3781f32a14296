/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "stint-job-spec.h"
#include "stint-processes.h"
#include "stint-result.h"
#include "stint-transcript.h"

G_BEGIN_DECLS

/**
 * StintJobState:
 * @STINT_JOB_QUEUED: waits for its turn
 * @STINT_JOB_STARTING: its row is being written, its keeper started
 * @STINT_JOB_RUNNING: the command runs
 * @STINT_JOB_STOPPING: it has been asked to end, or its leftovers are being ended
 * @STINT_JOB_FINISHED: everything is reaped, the result is there
 */
typedef enum
{
  STINT_JOB_QUEUED,
  STINT_JOB_STARTING,
  STINT_JOB_RUNNING,
  STINT_JOB_STOPPING,
  STINT_JOB_FINISHED,
} StintJobState;

/**
 * StintProgress:
 * @STINT_PROGRESS_NONE: it says nothing of it, or does not run
 * @STINT_PROGRESS_NORMAL: so much is done
 * @STINT_PROGRESS_ERROR: so much was done when something went wrong
 * @STINT_PROGRESS_UNKNOWN: it is under way, and cannot say how far
 * @STINT_PROGRESS_PAUSED: so much is done, and it does not go on at present
 *
 * What a command says of its progress (OSC 9;4), with the numbers of enum keeper_progress.
 */
typedef enum
{
  STINT_PROGRESS_NONE,
  STINT_PROGRESS_NORMAL,
  STINT_PROGRESS_ERROR,
  STINT_PROGRESS_UNKNOWN,
  STINT_PROGRESS_PAUSED,
} StintProgress;

/**
 * StintStdio:
 * @stdin_fd: what the command reads, -1: nothing (or its terminal)
 * @tee_fds: for stdout and stderr, the write end of a pipe to which the output goes on after it has
 *   been recorded, -1: none. While such a pipe is full the command waits, and its idle clock stands
 *   still.
 * @stdout_fd: what the command writes to instead, a protocol's pipe that is not recorded, -1: none
 * @narration_fd: with @stdout_fd: the read end of a pipe from which the transcript of stdout comes
 *   instead, -1: none
 *
 * Descriptors of the caller's for one run. They are duplicated; the caller keeps its own.
 */
typedef struct
{
  int stdin_fd;
  int tee_fds[2];
  int stdout_fd;
  int narration_fd;
} StintStdio;

#define STINT_STDIO_NONE ((StintStdio) { -1, { -1, -1 }, -1, -1 })

/* Closes what is open of @self, and leaves it as %STINT_STDIO_NONE. */
void stint_stdio_close (StintStdio *self);

#define STINT_TYPE_JOB (stint_job_get_type ())
G_DECLARE_FINAL_TYPE (StintJob, stint_job, STINT, JOB, GObject)

/*
 * Properties, all readable and notified on the main context that submitted the job:
 *
 *   id           guint64           0 until the store has given it one
 *   state        int               StintJobState
 *   spec         StintJobSpec      sealed
 *   title        string            for labels: cleaned, clamped
 *   pid          int               of the command, 0 before and after
 *   result       StintResult       NULL until finished
 *   stop-reason  int               StintReason; why it is being stopped, while it is
 *   paused       boolean
 *   detached     boolean           let go: it goes on when this process ends
 *   queue-position uint            1: the next to start; 0: it does not wait for others. Told
 *                                  when there is time: stint_job_list_get_position() is exact
 *   start-at     int64             microseconds since 1970 before which it does not start; 0: none
 *   follows      guint64           id of the job that it followed, 0: none
 *   attempt      uint              1, and one more for each time it was tried again
 *   silent       boolean           from #StintJob::idle-expired until there is output again
 *   warning      string            NULL, or what the user should know: output that is not stored, ...
 *
 * Signals:
 *
 *   limits-changed ()              a limit was set, or the clocks were stopped or started
 *   idle-expired ()                the idle limit expired and its action is notify; once for each
 *                                  silence
 *   limit-warning (int reason, gint64 left)
 *                                  a tenth of a limit that will end the job is left, at most a
 *                                  minute: %STINT_REASON_TIMEOUT or %STINT_REASON_IDLE_TIMEOUT, and
 *                                  microseconds. Once, and again if it has got more time since.
 */

/**
 * stint_job_new:
 * @spec: what to run; sealed by this
 * @stdio: (nullable): descriptors of the caller's
 *
 * Returns: (transfer full): a job that is queued and has not been run
 */
StintJob *stint_job_new (StintJobSpec *spec, const StintStdio *stdio);

/**
 * stint_job_run_async:
 * @self: a job that has not been run
 * @store: (type StintJobStore): where it is kept
 * @cancellable: (nullable): cancelling it stops the job gracefully, as cancelled
 * @callback: called exactly once, after everything the job started has been reaped and its end has
 *   been saved
 * @user_data: for @callback
 *
 * Runs the job. The job stays alive until it has finished, whoever holds it.
 */
void stint_job_run_async (StintJob *self,
                          gpointer store,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data);

/**
 * stint_job_run_finish:
 * @error: the job's end could not be saved. How it ended is in stint_job_get_result() all the same.
 *
 * Returns: (transfer full): the result, or %NULL with @error set
 */
StintResult *stint_job_run_finish (StintJob *self, GAsyncResult *result, GError **error);

guint64 stint_job_get_id (StintJob *self);

/* Whether another process owns it, in a terminal: its input and its row are that one's. */
gboolean stint_job_is_elsewhere (StintJob *self);
StintJobSpec *stint_job_get_spec (StintJob *self);
StintJobState stint_job_get_state (StintJob *self);
const char *stint_job_get_title (StintJob *self);

/* What it is about, once that is known, such as the first thing that an agent is told: it tells jobs of
 * one name apart, and follows the name in the title. Cleaned and clamped; the first one stays. */
void stint_job_set_subject (StintJob *self, const char *subject);
const char *stint_job_get_subject (StintJob *self); /* (nullable) */
int stint_job_get_pid (StintJob *self);

/**
 * stint_job_dup_processes:
 * @self: a job
 * @max: the most to return
 *
 * Looks which processes the job has now.
 *
 * Returns: (transfer full) (element-type StintProcess): its command and what that started, parents
 *   first; empty unless it runs or is being stopped
 */
GPtrArray *stint_job_dup_processes (StintJob *self, guint max);

/* (nullable) (transfer none): set before the state becomes finished. */
StintResult *stint_job_get_result (StintJob *self);
StintReason stint_job_get_stop_reason (StintJob *self);
gboolean stint_job_get_paused (StintJob *self);
const char *stint_job_get_warning (StintJob *self);

/* While it is queued: see the properties. Microseconds until its start time, or %STINT_NEVER if its
 * turn is all that it waits for. */
guint stint_job_get_queue_position (StintJob *self);
gint64 stint_job_get_start_at (StintJob *self);
gint64 stint_job_get_start_left (StintJob *self);

guint64 stint_job_get_follows (StintJob *self);
guint stint_job_get_attempt (StintJob *self);

/* Of which sequence it is part: to be called before it is run, or for one of the history. */
void stint_job_set_origin (StintJob *self, guint64 follows, guint attempt);

/* (transfer full) (nullable): what stint_sequence_add() has added to follow it, for a store. */
char *stint_job_dup_added (StintJob *self);

gboolean stint_job_get_silent (StintJob *self);

/* (nullable) (type filename): the job directory, with its transcript. */
const char *stint_job_get_directory (StintJob *self);

/* Whether that directory goes with the job: nothing of it is kept. */
gboolean stint_job_is_scratch (StintJob *self);

/* Microseconds since 1970; 0 before it has started. */
gint64 stint_job_get_started_at (StintJob *self);

/* Microseconds from its start to now, or to the end of its command. */
gint64 stint_job_get_elapsed (StintJob *self);

/* Microseconds left, or %STINT_NEVER without such a limit or outside running. */
gint64 stint_job_get_timeout_left (StintJob *self);
gint64 stint_job_get_idle_left (StintJob *self);

/* Microseconds until SIGKILL, or %STINT_NEVER unless it is being stopped. */
gint64 stint_job_get_kill_left (StintJob *self);

/* The whole length of the limit that the time left is a part of, for a ring; 0: no limit. */
gint64 stint_job_get_timeout_total (StintJob *self);
gint64 stint_job_get_idle_total (StintJob *self);

/* Bytes received so far, stored or not. */
guint64 stint_job_get_output_bytes (StintJob *self);

/**
 * stint_job_get_progress:
 * @self: a job
 * @percent: (out): how much is done, 0 to 100; 0 where the command does not say
 *
 * Cheap: whoever ticks calls it. No signal tells of a change.
 *
 * Returns: what the command said last of its progress, while it runs
 */
StintProgress stint_job_get_progress (StintJob *self, guint *percent);

/**
 * stint_job_new_finished:
 * @id: its id
 * @spec: what it ran
 * @result: how it ended
 * @directory: (nullable) (type filename): its directory
 *
 * A job of the history. Its result's started_at tells when it ran.
 *
 * Returns: (transfer full): a finished job
 */
StintJob *stint_job_new_finished (guint64 id,
                                  StintJobSpec *spec,
                                  StintResult *result,
                                  const char *directory);

/**
 * stint_job_wait_async:
 * @self: a job, in any state
 * @cancellable: (nullable): ends this wait, not the job
 * @callback: called exactly once
 * @user_data: for @callback
 *
 * Waits until the job has finished. Any number of callers may wait, before and after the end.
 */
void stint_job_wait_async (StintJob *self,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);

/**
 * stint_job_wait_finish:
 *
 * Returns: (transfer full): the result, or %NULL if the wait was cancelled
 */
StintResult *stint_job_wait_finish (StintJob *self, GAsyncResult *result, GError **error);

/**
 * stint_job_stop:
 * @self: a job; one that has finished is left alone
 * @reason: %STINT_REASON_TERMINATED or %STINT_REASON_CANCELLED; %STINT_REASON_TIMEOUT or
 *   %STINT_REASON_IDLE_TIMEOUT from whoever holds a limit that the keeper does not know
 * @grace: microseconds until SIGKILL, negative: the spec's
 *
 * SIGTERM to everything the job started, and SIGKILL after the grace. Asking again does not start a
 * new grace, but a shorter one wins. A job that has not started never will.
 */
void stint_job_stop (StintJob *self, StintReason reason, gint64 grace);

/* stint_job_stop() as the user's Terminate. */
void stint_job_terminate (StintJob *self);

/* SIGKILL to everything the job started, at once. */
void stint_job_kill (StintJob *self);

/* As stint_job_kill(), with the reason to give if nothing else has ended it before. */
void stint_job_kill_for (StintJob *self, StintReason reason);

/* SIGSTOP and SIGCONT to everything the job started; both limits stand still meanwhile. */
void stint_job_pause (StintJob *self);
void stint_job_resume (StintJob *self);

/**
 * stint_job_detach:
 * @self: a running job
 * @error: why it cannot be: %STINT_ERROR_NOT_RUNNING, or %STINT_ERROR_INVALID for one that nobody
 *   could find again or that is tied to this process by its stdio
 *
 * Lets the job go: when this process ends, in whatever way, the job is not stopped. Its keeper goes on
 * recording and holding its limits, and the next start takes it over. Meanwhile nothing changes:
 * the job can be watched and stopped. #StintJob:detached is notified once the keeper has agreed; if
 * it cannot, #StintJob:warning says why.
 *
 * Returns: whether the keeper was asked
 */
gboolean stint_job_detach (StintJob *self, GError **error);

/* Holds on to it again: it ends with this process. */
void stint_job_attach (StintJob *self);

/* Whether stint_job_detach() would ask. Changes with the state and with #StintJob:detached. */
gboolean stint_job_can_detach (StintJob *self);
gboolean stint_job_get_detached (StintJob *self);

/**
 * stint_job_set_timeout_left:
 * @self: a running job
 * @usec: from now, or %STINT_NEVER for no limit
 */
void stint_job_set_timeout_left (StintJob *self, gint64 usec);

/**
 * stint_job_set_idle_limit:
 * @self: a running job
 * @usec: the limit, 0: none
 */
void stint_job_set_idle_limit (StintJob *self, gint64 usec);

/**
 * stint_job_set_on_idle:
 * @self: a running job
 * @on_idle: what an expired idle limit does from now on. A silence that was only told of ends the
 *   job if that is what it is meant to do now.
 */
void stint_job_set_on_idle (StintJob *self, StintOnIdle on_idle);
StintOnIdle stint_job_get_on_idle (StintJob *self);

/**
 * stint_job_write:
 * @self: a job on a pty
 * @data: what was typed
 * @error: %STINT_ERROR_NOT_RUNNING; %STINT_ERROR_FAILED if more than a mebibyte is still unread
 *
 * Queues input for the command. Returns at once.
 */
gboolean stint_job_write (StintJob *self, GBytes *data, GError **error);

/* Sets the size of the pty and tells the command. No effect without a pty. */
void stint_job_resize (StintJob *self, guint columns, guint rows);

/* Whether its terminal takes whole lines now, and no single keys. %FALSE without a pty of ours. */
gboolean stint_job_takes_lines (StintJob *self);

/**
 * stint_job_get_transcript:
 * @self: a job
 *
 * Returns: (transfer none) (nullable): the reader of its output; %NULL before it has a directory.
 *   The same object for every caller: whoever wants news of a running job follows it.
 */
StintTranscript *stint_job_get_transcript (StintJob *self);

G_END_DECLS
