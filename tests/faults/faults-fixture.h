/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the rows that need the engine itself share: jobs on a real history, and checks of the invariants
 * I2, I3, I4 and I6 that return what is wrong, so that a control can see them fail.
 */
#pragma once

#include "stint-history.h"
#include "stint-job-list.h"

/* Iterates the main context until @condition holds; fails the test after some minutes. */
#define wait_until(condition)                                                                      \
  G_STMT_START                                                                                     \
  {                                                                                                \
    gint64 wait_deadline_ = g_get_monotonic_time () + 120 * G_USEC_PER_SEC;                        \
    while (!(condition))                                                                           \
      {                                                                                            \
        g_assert_cmpint (g_get_monotonic_time (), <, wait_deadline_);                              \
        g_main_context_iteration (NULL, TRUE);                                                     \
      }                                                                                            \
  }                                                                                                \
  G_STMT_END

/**
 * FaultsCalls:
 * @called: how often
 * @result: (nullable): what the last call brought
 * @cancelled: it brought %G_IO_ERROR_CANCELLED
 *
 * I4: what became of one waiter.
 */
typedef struct
{
  guint called;
  StintResult *result;
  gboolean cancelled;
} FaultsCalls;

/* Before all else: a directory of the test's own, and a main context that never sleeps for long. */
void faults_init (int *argc, char ***argv);

/* Runs the tests and removes that directory. Returns: what main() does. */
int faults_run (void);

/* How much longer things may take under sanitizers, and on a machine as busy as this one is. */
double faults_get_patience (void);

/* (transfer full): a history in a new directory. */
StintHistory *faults_history_new (void);

/* (transfer full): a spec for a command of the shell. */
StintJobSpec *faults_shell (const char *line);

/* (transfer full): a job in @list that has been submitted; its spec is given away. */
StintJob *faults_submit (StintJobList *list, StintJobSpec *spec, FaultsCalls *calls);

/* Whether all jobs of @list have ended, been reaped and been saved. */
gboolean faults_is_idle (StintJobList *list);

/* Waits until @job has written @text. */
void faults_wait_for_output (StintJob *job, const char *text);

/* The number that follows @name in what @job wrote. */
int faults_read_number (StintJob *job, const char *name);

/* (transfer full): the value of one row's one column in the database of @history. */
char *faults_query (StintHistory *history, const char *sql);

/* I1: this process adopts whatever a keeper leaves behind. With no job running: how many processes are
 * left, zombies not counted; and the same, ending them, for a control. */
guint faults_count_left (void);
void faults_end_left (void);

/* The next keepers are without one of their protections; NULL: whole again. */
void faults_without (const char *protection);

/* How many of the newest jobs in @history have finished in the way @reason says. */
guint faults_count_saved (StintHistory *history, StintReason reason);

/* I2 */
guint faults_count_children (void);

/* I3 */
guint faults_count_descriptors (void);

/* The same, once GLib's own thread has let go of what it watched: for a baseline. */
guint faults_count_settled_descriptors (void);

/**
 * FaultsGaps:
 *
 * I6: how long the main loop was away, by the gaps of a timeout of high priority; the time in which the
 * system had no processor for us is not counted.
 */
typedef struct _FaultsGaps FaultsGaps;

FaultsGaps *faults_gaps_new (void);

/* Microseconds. Frees @self. */
gint64 faults_gaps_end (FaultsGaps *self);

/* Microseconds that the main loop may be blocked. */
gint64 faults_get_longest_gap (void);

/* A GAsyncReadyCallback for stint_job_wait_async(); @data is a FaultsCalls. */
void faults_note_waited (GObject *source, GAsyncResult *result, gpointer data);

/* The same for stint_job_run_async(). */
void faults_note_run (GObject *source, GAsyncResult *result, gpointer data);

/* Returns: how many of @n waiters were not called exactly once */
guint faults_count_miscalled (const FaultsCalls *calls, guint n);
void faults_calls_clear (FaultsCalls *calls, guint n);
