/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The engine's side of the real keeper, without an engine: builds the launch block, holds the
 * channels, takes in the events, and afterwards looks whether anything is left.
 *
 *   g_autoptr (TestJob) job = test_job_new ("echo hello");
 *   test_job_start (job);
 *   outcome = test_job_finish (job);
 */
#pragma once

#include "job-directory.h"
#include "protocol.h"

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

typedef struct
{
  /* To be changed before the start. */
  struct keeper_launch block;
  GStrv argv;
  GStrv environ;
  char *cwd;
  char *keeper;    /* the program; $STINT_KEEPER unless changed */
  bool stray;      /* gives the keeper a descriptor that no block names */
  int given_fd[3]; /* for a stream of kind `pass` or `tee`: the keeper's end; taken */

  JobDirectory *directory;
  int control_fd; /* ours; -1 once closed */
  int wakeup_fd;
  int pty_fd; /* the master, or -1 */
  int read_fd[3]; /* of a tee: what the reader reads */
  int write_fd;   /* of a passed stdin: where to write */
  struct keeper_counters *counters;
  pid_t pid;    /* the warden */
  pid_t worker; /* 0 until it was asked for */
  int status;   /* the warden's, once reaped */
  bool reaped;
  GArray *events; /* of struct keeper_event */
  bool ended;     /* the control socket has */
  guint n_left;   /* live processes that were found after the keeper's end */
} TestJob;

/* A job that runs @script with /bin/sh; stdin is null, stdout and stderr are captured. */
TestJob *test_job_new (const char *script);
TestJob *test_job_new_argv (const char *const *argv);
void test_job_free (TestJob *job);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestJob, test_job_free)

/* The program keeper-command with @mode and @argument (or NULL), see there. */
TestJob *test_job_new_command (const char *mode, const char *argument);

/* Runs the keeper without one of its protections, see keeper-without.c. */
void test_job_without (TestJob *job, const char *protection);

void test_job_use_pty (TestJob *job, guint16 columns, guint16 rows);
/* The command's stdin is a pipe that the test writes to: job->write_fd. */
void test_job_use_stdin (TestJob *job);
/* Stream 1 or 2 is passed on to a pipe that the test reads: job->read_fd[stream]. */
void test_job_use_tee (TestJob *job, int stream);

void test_job_start (TestJob *job);

/* What the engine asks for. */
void test_job_ask (TestJob *job, const struct keeper_request *request);
void test_job_ask_type (TestJob *job, enum keeper_request_type type);
void test_job_stop (TestJob *job, enum keeper_reason reason, gint64 grace);
void test_job_kill (TestJob *job, enum keeper_reason reason);
void test_job_set_limits (TestJob *job, gint64 wall_at, gint64 idle, enum keeper_idle_action action);
/* The engine dies. */
void test_job_close_control (TestJob *job);

/* Returns: the @nth event (from 0) of that type, once it has come. Fails the test if none does. */
const struct keeper_event *test_job_await_nth (TestJob *job, enum keeper_event_type type, guint nth);
const struct keeper_event *test_job_await (TestJob *job, enum keeper_event_type type);

/* Returns: the first event of that type, or NULL if none comes within @timeout microseconds. */
const struct keeper_event *test_job_try (TestJob *job, enum keeper_event_type type, gint64 timeout);
guint test_job_count (TestJob *job, enum keeper_event_type type);

/* Waits, by the counters page and the eventfd, until that many bytes have come. */
void test_job_await_bytes (TestJob *job, guint64 bytes);
/* Waits until the output contains @text. */
void test_job_await_text (TestJob *job, const char *text);
char *test_job_dup_output (TestJob *job);
GBytes *test_job_get_output (TestJob *job);

/* Returns: the worker, which must not have ended. */
pid_t test_job_get_worker (TestJob *job);
pid_t test_job_get_leader (TestJob *job);

/* Stops the worker, and the warden before it, which would not let it stand still. */
void test_job_freeze (TestJob *job);
void test_job_thaw (TestJob *job);

/* Waits until the leader has that many children, and each of them has become the program @name. What
 * has been forked and not yet executed takes signals with the dispositions of its parent. */
void test_job_await_children (TestJob *job, guint n, const char *name);

/* Waits for `done`, and for the end of the keeper. Asserts what holds for every job: one `done`, the
 * last event; the outcome on disk is the same; nothing is left. */
const struct keeper_outcome *test_job_finish (TestJob *job);

/* The same without an assertion, for what is meant to go wrong: waits at most @timeout microseconds.
 * Returns: whether it ended; job->n_left tells what it left. */
bool test_job_try_finish (TestJob *job, gint64 timeout);

/* The file `outcome`. Returns: whether it is there and whole. */
bool test_job_read_outcome (TestJob *job, struct keeper_outcome *outcome);
