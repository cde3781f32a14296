/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A keeper that does not answer: somebody has stopped both of its halves, or goes on stopping them.
 */
#include "config.h"

#include "engine-fixture.h"

#include "stint-job-private.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#define MSEC 1000

/* Long enough never to be over. */
#define NEVER (1000 * G_USEC_PER_SEC)

typedef struct
{
  int worker;
  int warden;
} Keeper;

static int
get_parent (int pid, char *state)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *text = NULL;
  int parent;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpint (sscanf (strrchr (text, ')') + 1, " %c %d", state, &parent), ==, 2);
  return parent;
}

static gboolean
stands_still (int pid)
{
  char state;

  get_parent (pid, &state);
  return state == 'T';
}

/* The warden first, which does not let the worker stand still. */
static Keeper
stop_keeper (StintJob *job)
{
  Keeper keeper;
  char state;

  keeper.worker = get_parent (stint_job_get_pid (job), &state);
  keeper.warden = get_parent (keeper.worker, &state);
  kill (keeper.warden, SIGSTOP);
  wait_until (stands_still (keeper.warden));
  kill (keeper.worker, SIGSTOP);
  wait_until (stands_still (keeper.worker));
  return keeper;
}

static StintJob *
start (StintJobList *list, gint64 timeout)
{
  g_autoptr (StintJobSpec) spec = fixture_shell ("echo daemon $$; exec sleep 1000");
  StintJob *job;

  stint_job_spec_set_timeout (spec, timeout);
  job = fixture_submit (list, spec);
  wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
  return job;
}

/* Asked to stop, it is continued. */
static void
test_asked (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJob) job = start (list, 0);

  stint_job_set_patience (200 * MSEC, NEVER);
  stop_keeper (job);
  stint_job_terminate (job);
  fixture_wait_for_all (list);
  g_assert_cmpint (stint_job_get_result (job)->reason, ==, STINT_REASON_TERMINATED);
}

/* Its time is over. */
static void
test_timeout (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJob) job = start (list, 400 * MSEC);

  stint_job_set_patience (200 * MSEC, NEVER);
  stop_keeper (job);
  fixture_wait_for_all (list);
  g_assert_cmpint (stint_job_get_result (job)->reason, ==, STINT_REASON_TIMEOUT);
  g_assert_cmpint (stint_job_get_result (job)->duration, >=, 400 * MSEC);
}

/* The control: left alone, the job is there long after its time. */
static void
test_left_alone (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJob) job = NULL;
  gint64 begun;
  Keeper keeper;

  stint_job_set_patience (NEVER, NEVER);
  job = start (list, 400 * MSEC);
  keeper = stop_keeper (job);
  begun = g_get_monotonic_time ();
  wait_until (g_get_monotonic_time () > begun + 1200 * MSEC);
  g_assert_cmpint (stint_job_get_state (job), ==, STINT_JOB_RUNNING);
  g_assert_true (fixture_pid_exists (stint_job_get_pid (job)));
  kill (keeper.worker, SIGCONT);
  kill (keeper.warden, SIGCONT);
  fixture_wait_for_all (list);
}

static gboolean
stop_again (gpointer data)
{
  const Keeper *keeper = data;

  kill (keeper->warden, SIGSTOP);
  kill (keeper->worker, SIGSTOP);
  return G_SOURCE_CONTINUE;
}

static gboolean
has_ended (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *text = NULL;

  return !g_file_get_contents (path, &text, NULL, NULL) || strstr (text, ") Z ") != NULL;
}

/* Somebody goes on stopping it: its job is ended all the same, and the user is told. */
static void
test_past_help (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJob) job = start (list, 400 * MSEC);
  int pid = stint_job_get_pid (job);
  Keeper keeper;
  guint source;

  stint_job_set_patience (200 * MSEC, 500 * MSEC);
  keeper = stop_keeper (job);
  source = g_timeout_add (1, stop_again, &keeper);
  wait_until (stint_job_get_state (job) == STINT_JOB_FINISHED ||
              (stint_job_get_warning (job) != NULL && has_ended (pid)));
  g_source_remove (source);
  /* Not reaped before it has been continued; and it continues the worker. */
  kill (keeper.warden, SIGCONT);
  fixture_wait_for_all (list);
}

/* A job without a limit, and one that is paused, are nobody's to hurry. */
static void
test_not_due (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJob) endless = start (list, 0);
  g_autoptr (StintJob) paused = start (list, 600 * MSEC);
  gint64 begun = g_get_monotonic_time ();
  Keeper keeper;

  stint_job_set_patience (100 * MSEC, 100 * MSEC);
  stint_job_pause (paused);
  keeper = stop_keeper (endless);
  wait_until (g_get_monotonic_time () > begun + 1000 * MSEC);
  g_assert_true (stands_still (keeper.worker));
  g_assert_cmpint (stint_job_get_state (paused), ==, STINT_JOB_RUNNING);
  g_assert_null (stint_job_get_warning (paused));
  stint_job_resume (paused);
  stint_job_kill (endless);
  fixture_wait_for_all (list);
  g_assert_cmpint (stint_job_get_result (endless)->reason, ==, STINT_REASON_KILLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/overdue/asked", test_asked);
  g_test_add_func ("/overdue/timeout", test_timeout);
  g_test_add_func ("/overdue/control/left-alone", test_left_alone);
  g_test_add_func ("/overdue/past-help", test_past_help);
  g_test_add_func ("/overdue/not-due", test_not_due);
  return g_test_run ();
}
