/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Part A of the mission: a supervisor of runs. Each test is named after its line.
 */
#include "engine-fixture.h"

#include "stint-scratch-store.h"
#include "stint-shutdown.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

typedef struct
{
  guint n_calls;
  StintResult *result;
} Ran;

static void
handle_ran (GObject *source, GAsyncResult *result, gpointer data)
{
  Ran *ran = data;

  ran->n_calls++;
  ran->result = stint_job_run_finish (STINT_JOB (source), result, NULL);
}

static gboolean
cancel (gpointer data)
{
  g_cancellable_cancel (data);
  return G_SOURCE_REMOVE;
}

/* A token that is cancelled ends what it was given to. */
static void
test_a1_token (void)
{
  g_autoptr (StintJobStore) store = stint_scratch_store_new ();
  g_autoptr (GCancellable) token = g_cancellable_new ();
  g_autoptr (StintJobSpec) first_spec = fixture_shell ("sleep 1000"), second_spec = fixture_shell ("sleep 1000");
  g_autoptr (StintJob) first = stint_job_new (first_spec, NULL), second = stint_job_new (second_spec, NULL);
  Ran ran[2] = { 0 };

  stint_job_run_async (first, store, token, handle_ran, &ran[0]);
  stint_job_run_async (second, store, token, handle_ran, &ran[1]);
  g_timeout_add (100, cancel, token);
  wait_until (ran[0].n_calls == 1 && ran[1].n_calls == 1);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_cmpint (ran[i].result->reason, ==, STINT_REASON_CANCELLED);
      stint_result_unref (ran[i].result);
    }
}

/* The token is seen before anything else that is ready at once: a job that is cancelled at the moment
 * at which all else is ready too, its own end among it, is followed by nothing. */

static gboolean
note_call (gpointer owner, StintJob *job, gpointer data, GError **error)
{
  (*(guint *) data)++;
  return TRUE;
}

static void
test_a1_first (void)
{
  static const StintContinuationFuncs funcs = { note_call, note_call, note_call };
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintShutdown) shutdown = stint_shutdown_new (list);
  g_autoptr (GCancellable) interrupt = g_cancellable_new ();
  g_autoptr (StintJobSpec) spec = fixture_shell ("echo ready; sleep 1000");
  g_autoptr (StintJob) job = fixture_submit (list, spec);
  guint n_calls = 0;
  g_autoptr (StintContinuation) continuation =
    stint_continuation_new ("note", &funcs, &n_calls, NULL);

  fixture_wait_for_output (job, "ready");
  wait_until (stint_job_get_pid (job) > 1);
  stint_job_list_add_continuation (list, job, continuation);
  stint_shutdown_add_cause (shutdown, "Ctrl+C", interrupt);
  kill (stint_job_get_pid (job), SIGKILL);
  while (fixture_count_children () > 0)
    g_usleep (1000);
  g_cancellable_cancel (interrupt);
  fixture_wait_for_all (list);
  g_assert_cmpuint (n_calls, ==, 0);
  g_assert_true (stint_shutdown_get_begun (shutdown));
}

/* A store that notes what it is asked to save, and takes its time. */

#define TEST_TYPE_SLOW_STORE (test_slow_store_get_type ())
G_DECLARE_FINAL_TYPE (TestSlowStore, test_slow_store, TEST, SLOW_STORE, GObject)

struct _TestSlowStore
{
  GObject parent_instance;

  guint n_saved;
};

static void
slow_begin_async (StintJobStore *store, StintJob *job, GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (store, NULL, callback, data);
  static guint64 id;

  g_task_return_pointer (task, stint_scratch_store_make_place (++id, NULL),
                         (GDestroyNotify) stint_job_place_free);
}

static StintJobPlace *
slow_begin_finish (StintJobStore *store, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static gboolean
handle_saved (gpointer data)
{
  g_autoptr (GTask) task = data;

  TEST_SLOW_STORE (g_task_get_source_object (task))->n_saved++;
  g_task_return_boolean (task, TRUE);
  return G_SOURCE_REMOVE;
}

static void
slow_finish_async (StintJobStore *store, StintJob *job, GAsyncReadyCallback callback, gpointer data)
{
  g_timeout_add (200, handle_saved, g_task_new (store, NULL, callback, data));
}

static gboolean
slow_finish_finish (StintJobStore *store, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
slow_store_iface_init (StintJobStoreInterface *iface)
{
  iface->begin_async = slow_begin_async;
  iface->begin_finish = slow_begin_finish;
  iface->finish_async = slow_finish_async;
  iface->finish_finish = slow_finish_finish;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestSlowStore,
                               test_slow_store,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (STINT_TYPE_JOB_STORE, slow_store_iface_init))

static void
test_slow_store_class_init (TestSlowStoreClass *klass)
{
}

static void
test_slow_store_init (TestSlowStore *self)
{
}

static void
note_over (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (stint_shutdown_wait_finish (STINT_SHUTDOWN (source), result, &error));
  g_assert_no_error (error);
  (*(guint *) data)++;
}

/* State is saved between the cancellation and the exit. */
static void
test_a2_saved_before_the_exit (void)
{
  g_autoptr (TestSlowStore) store = g_object_new (TEST_TYPE_SLOW_STORE, NULL);
  g_autoptr (StintJobList) list = stint_job_list_new (STINT_JOB_STORE (store));
  g_autoptr (StintShutdown) shutdown = stint_shutdown_new (list);
  g_autoptr (StintJobSpec) spec = fixture_shell ("sleep 1000");
  g_autoptr (StintJob) job = fixture_submit (list, spec);
  guint n_over = 0;

  wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
  stint_shutdown_wait_async (shutdown, note_over, &n_over);
  stint_shutdown_begin (shutdown, "test");
  wait_until (stint_job_get_state (job) == STINT_JOB_FINISHED);
  g_assert_cmpuint (n_over, ==, 0);
  wait_until (n_over == 1);
  g_assert_cmpuint (store->n_saved, ==, 1);
}

static StintJob *
run_and_stop (const char *line, gint64 grace, gboolean kill)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) spec = fixture_shell (line);
  g_autoptr (StintJob) job = NULL;

  stint_job_spec_set_grace (spec, grace);
  job = fixture_submit (list, spec);
  fixture_wait_for_output (job, "ready");
  if (kill)
    stint_job_kill (job);
  else
    stint_job_terminate (job);
  fixture_wait_for_all (list);
  return g_steal_pointer (&job);
}

/* Terminate: SIGTERM to the group, the grace, SIGKILL. Kill: at once. */
static void
test_a3_terminate_and_kill (void)
{
  g_autoptr (StintJob) gentle = run_and_stop ("echo ready; sleep 1000", 5000000, FALSE);
  g_autoptr (StintJob) stubborn =
    run_and_stop ("trap '' TERM; echo ready; while :; do sleep 1; done", 300000, FALSE);
  g_autoptr (StintJob) killed =
    run_and_stop ("trap '' TERM; echo ready; while :; do sleep 1; done", 100000000, TRUE);

  g_assert_cmpint (stint_job_get_result (gentle)->term_signal, ==, SIGTERM);
  g_assert_false (stint_job_get_result (gentle)->escalated);
  g_assert_cmpint (stint_job_get_result (stubborn)->term_signal, ==, SIGKILL);
  g_assert_true (stint_job_get_result (stubborn)->escalated);
  g_assert_cmpint (stint_job_get_result (killed)->reason, ==, STINT_REASON_KILLED);
}

/* After every way of ending the pid is gone, not a zombie. A7 too. */
static void
test_a4_reaped (void)
{
  const char *const lines[] = { "echo pid $$; echo ready; sleep 1000",
                                "trap '' TERM; echo pid $$; echo ready; while :; do sleep 1; done" };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (StintJob) job = run_and_stop (lines[i / 2], 200000, i % 2);
      int pid = fixture_read_number (job, "pid ");

      g_assert_false (fixture_pid_exists (pid));
      g_assert_cmpuint (fixture_count_children (), ==, 0);
    }
}

/* The control: a child that nobody reaps is seen as one. */
static void
test_a4_control (void)
{
  g_autoptr (GSubprocess) process = g_subprocess_new (G_SUBPROCESS_FLAGS_NONE, NULL, "sleep", "1000", NULL);
  int pid = atoi (g_subprocess_get_identifier (process));

  g_assert_true (fixture_pid_exists (pid));
  g_assert_cmpuint (fixture_count_children (), ==, 1);
  g_subprocess_force_exit (process);
  g_subprocess_wait (process, NULL, NULL);
  g_assert_false (fixture_pid_exists (pid));
}

/* Line by line, live; and all of it at the end. */
static void
test_a5_output (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) spec = fixture_shell ("echo one; while [ ! -e /nonexistent ]; do sleep 1; done");
  g_autoptr (StintJobSpec) whole_spec = fixture_shell ("for i in 1 2 3; do echo line $i; done");
  g_autoptr (StintJob) job = fixture_submit (list, spec), whole = NULL;
  g_autofree char *text = NULL;

  fixture_wait_for_output (job, "one\n");
  g_assert_cmpint (stint_job_get_state (job), !=, STINT_JOB_FINISHED);
  stint_job_kill (job);
  fixture_wait_for_all (list);
  whole = fixture_run (whole_spec);
  text = fixture_read (whole, STINT_STREAM_STDOUT);
  g_assert_cmpstr (text, ==, "line 1\nline 2\nline 3\n");
}

static StintReason
run_with_limits (const char *line, gint64 timeout, gint64 idle)
{
  g_autoptr (StintJobSpec) spec = fixture_shell (line);
  g_autoptr (StintJob) job = NULL;

  stint_job_spec_set_timeout (spec, timeout);
  stint_job_spec_set_idle_timeout (spec, idle);
  job = fixture_run (spec);
  return stint_job_get_result (job)->reason;
}

/* Cancelled, timed out, idle and exited are told apart. C3 and A7 too. */
static void
test_a6_reasons (void)
{
  g_assert_cmpint (run_with_limits ("sleep 60", 100000, 0), ==, STINT_REASON_TIMEOUT);
  g_assert_cmpint (run_with_limits ("sleep 60", 0, 100000), ==, STINT_REASON_IDLE_TIMEOUT);
  g_assert_cmpint (run_with_limits ("echo hi", 60000000, 60000000), ==, STINT_REASON_EXITED);
  g_assert_cmpint (run_with_limits ("kill -USR1 $$", 60000000, 0), ==, STINT_REASON_SIGNALED);
}

/* What the supervisor's own tests have to see. */
static void
test_a7_limits (void)
{
  g_assert_cmpint (run_with_limits ("sleep 60", 100000, 0), ==, STINT_REASON_TIMEOUT);
  g_assert_cmpint (run_with_limits ("echo hi", 60000000, 0), ==, STINT_REASON_EXITED);
}

/* kill ends the process; its output stays, and killing again is no error. */
static void
test_b2_kill (void)
{
  g_autoptr (StintJob) job = run_and_stop ("echo ready; sleep 1000", 0, TRUE);
  g_autofree char *text = fixture_read (job, STINT_STREAM_STDOUT);

  g_assert_cmpstr (text, ==, "ready\n");
  stint_job_kill (job);
  stint_job_terminate (job);
  g_assert_cmpint (stint_job_get_result (job)->reason, ==, STINT_REASON_KILLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mission/A1/token", test_a1_token);
  g_test_add_func ("/mission/A1/first", test_a1_first);
  g_test_add_func ("/mission/A2/saved-before-the-exit", test_a2_saved_before_the_exit);
  g_test_add_func ("/mission/A3/terminate-and-kill", test_a3_terminate_and_kill);
  g_test_add_func ("/mission/A4/reaped", test_a4_reaped);
  g_test_add_func ("/mission/A4/control", test_a4_control);
  g_test_add_func ("/mission/A5/output", test_a5_output);
  g_test_add_func ("/mission/A6/reasons", test_a6_reasons);
  g_test_add_func ("/mission/A7/limits", test_a7_limits);
  g_test_add_func ("/mission/B2/kill", test_b2_kill);
  return g_test_run ();
}
