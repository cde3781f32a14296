/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of a StintJob, for stint-job*.c only.
 */
#pragma once

#include "stint-counters.h"
#include "stint-job-store.h"
#include "stint-job.h"
#include "stint-keeper-launch.h"
#include "stint-keeper-link.h"
#include "stint-pty.h"
#include "stint-units.h"

#include "job-limits.h"

G_BEGIN_DECLS

struct _StintJob
{
  GObject parent_instance;

  /* What it is */
  StintJobSpec *spec;
  guint64 id;
  char *title;
  char *subject; /* (nullable) */
  StintStdio stdio; /* duplicates, until it is launched */
  int stdio_error;  /* errno, if one of them could not be had */

  /* Where it stands */
  StintJobState state;
  gboolean held;  /* queued: it may not start yet */
  gboolean begun; /* the store knows it */
  guint queue_position;
  gint64 start_mono; /* held until then, STINT_NEVER: not */
  gint64 start_real; /* the same, by the wall clock; 0: not */
  gint64 start_at;   /* that or the other, since 1970 */
  guint64 follows;   /* the id of the job that it followed, 0: none */
  guint attempt;     /* 1: the first */
  StintJobSpec *added; /* (nullable): holds the lines that somebody added to follow it */
  gboolean added_moved; /* they follow its next attempt now */
  int pid;
  StintReason stop_reason;
  gboolean paused;
  gboolean tied;     /* some of its stdio ends with this process */
  gboolean let_go;   /* what its keeper has said last: it goes on when this process ends */
  guint n_notes;     /* of that, on their way to the store */
  gboolean detached; /* the same, once the store has it */
  gboolean adopted;  /* it was another process that started it */
  gboolean elsewhere; /* it is another process's */
  char *warning;
  gint64 started_at;   /* microseconds since 1970 */
  gint64 started_mono; /* monotonic, 0: not yet */
  struct limits limits;
  StintOnIdle on_idle;
  gint64 timeout_total;
  gint64 kill_at; /* monotonic */
  gint64 asked_at; /* monotonic: a request to stop that has not been answered, 0: none */
  gboolean overdue; /* its keeper should have spoken */
  guint overdue_source;
  GSource *warning_source;
  gboolean warned_timeout;
  gint64 warned_idle; /* the silence that was warned of, by its begin */
  gboolean silent;
  StintResult *result;

  /* Owned while it runs */
  StintJobStore *store;
  StintJobPlace *place; /* until it is launched */
  char *directory;
  gboolean scratch;
  StintKeeperLink *link;
  StintCounters *counters;
  StintPty *pty;
  StintTranscript *transcript;

  /* stint-job-share.c: the counters and their eventfd, for another process; -1: not shared */
  void (*tap) (const struct keeper_event *event, gpointer data);
  gpointer tap_data;
  int shared_fds[2];

  /* Who waits */
  GTask *run_task;
  GSource *cancel_source;
  GPtrArray *waiters; /* of GTask */
  gboolean keeper_runs;
  int keeper_pid; /* its warden, 0: none; not to be signalled */
  gboolean saving;
  gboolean end_left; /* to the next start: it is not saved here */
  GError *save_error;
};

/* A step of its life, for the log. */
void stint_job_log_step (StintJob *self, const char *format, ...) G_GNUC_PRINTF (2, 3);

void stint_job_set_state (StintJob *self, StintJobState state);
void stint_job_set_stop_reason (StintJob *self, StintReason reason);
void stint_job_set_paused (StintJob *self, gboolean paused);
void stint_job_set_warning (StintJob *self, const char *warning);
void stint_job_emit_limits_changed (StintJob *self);
void stint_job_emit_idle_expired (StintJob *self);
void stint_job_emit_limit_warning (StintJob *self, StintReason reason, gint64 left);

/* stint-job-alerts.c: to be called when a limit, the state or the pause has changed; when the keeper
 * has told of a silence, at a monotonic time; and when the job has ended. */
void stint_job_watch_limits (StintJob *self);
void stint_job_note_silence (StintJob *self, gint64 at);
void stint_job_clear_alerts (StintJob *self);

/* stint-job-end.c: it has ended. Takes @result; of several ends the first one counts. */
void stint_job_finish_with (StintJob *self, StintResult *result);
void stint_job_finish_with_error (StintJob *self, const GError *error);

/* It was stopped before its turn. */
void stint_job_finish_unstarted (StintJob *self);

/* Answers who ran it, if there is nothing left to wait for. */
void stint_job_complete_run (StintJob *self);

/* stint-job-elsewhere.c: its owner has gone; it ends when its keeper has ended it. */
void stint_job_await_orphan (StintJob *self);

/* stint-job-keeper.c: an open descriptor's duplicate, for @copy. Failing is told at the start. */
void stint_job_duplicate_fd (StintJob *self, int fd, int *copy);

/* Starts the keeper in the job's place and listens to it. */
gboolean stint_job_start_keeper (StintJob *self, GError **error);

/* Begins to listen to the keeper. Takes the descriptors of @channels, whatever becomes of it. */
gboolean
stint_job_take_channels (StintJob *self, StintKeeperChannels *channels, GError **error);

/* A word of the keeper is due at another time than before, or has come. */
void stint_job_watch_keeper (StintJob *self);

/* The keeper lets go of the job, or holds on to it, or says why it does not. */
void stint_job_handle_detached (StintJob *self, const struct keeper_event *event);

G_END_DECLS
