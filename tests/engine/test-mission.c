/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The requirements of the mission that the engine meets, each under its own name.
 */
#include "engine-fixture.h"

#include "stint-error.h"
#include "stint-scratch-store.h"

#include <errno.h>
#include <signal.h>
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
  const char *const lines[] = { "echo ready; echo pid $$; sleep 1000",
                                "trap '' TERM; echo ready; echo pid $$; while :; do sleep 1; done" };

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
  g_assert_cmpint (run_with_limits ("echo hi", 10000000, 10000000), ==, STINT_REASON_EXITED);
  g_assert_cmpint (run_with_limits ("kill -USR1 $$", 10000000, 0), ==, STINT_REASON_SIGNALED);
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

/* Any output on any stream resets the idle clock; 0 switches it off. */
static void
test_c2_activity (void)
{
  g_assert_cmpint (run_with_limits ("for i in 1 2 3 4 5 6; do sleep 0.2; printf x; done", 0, 900000),
                   ==, STINT_REASON_EXITED);
  g_assert_cmpint (run_with_limits ("for i in 1 2 3 4 5 6; do sleep 0.2; printf x >&2; done", 0, 900000),
                   ==, STINT_REASON_EXITED);
  g_assert_cmpint (run_with_limits ("sleep 1", 0, 0), ==, STINT_REASON_EXITED);
  /* Neither limit extends the other. */
  g_assert_cmpint (run_with_limits ("while :; do sleep 0.1; printf x; done", 1000000, 700000), ==,
                   STINT_REASON_TIMEOUT);
}

/* An unattended agent finds the end of its input at once, not a terminal. */
static void
test_c6_no_question (void)
{
  const char *const argv[] = { "/bin/sh", "-c", "if [ -t 0 ]; then exit 9; fi; read x; exit $?", NULL };
  g_autoptr (StintJobSpec) spec = stint_job_spec_new (STINT_JOB_KIND_AGENT, argv);
  g_autoptr (StintJob) job = fixture_run (spec);

  g_assert_true (stint_job_get_result (job)->has_exit_code);
  g_assert_cmpint (stint_job_get_result (job)->exit_code, ==, 1);
}

/* A shell runs the line; the streams are apart. */
static void
test_e1_shell (void)
{
  g_autoptr (StintJobSpec) spec = fixture_shell ("cd /usr && pwd | tr / _; echo oops >&2");
  g_autoptr (StintJob) job = fixture_run (spec);
  g_autofree char *out = fixture_read (job, STINT_STREAM_STDOUT);
  g_autofree char *err = fixture_read (job, STINT_STREAM_STDERR);

  g_assert_cmpstr (out, ==, "_usr\n");
  g_assert_cmpstr (err, ==, "oops\n");
}

/* A death by signal is never success, whatever the command's code would have been. */
static void
test_e2_result (void)
{
  g_autoptr (StintJobSpec) spec = fixture_shell ("kill -KILL $$");
  g_autoptr (StintJob) job = fixture_run (spec);

  g_assert_false (stint_result_is_success (stint_job_get_result (job)));
  g_assert_cmpint (stint_job_get_result (job)->term_signal, ==, SIGKILL);
  g_assert_false (stint_job_get_result (job)->has_exit_code);
  g_assert_cmpint (stint_job_get_result (job)->duration, >=, 0);
}

static void
test_e3_directory_and_environment (void)
{
  g_autoptr (StintJobSpec) spec =
    stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, "pwd; echo id:$STINT_JOB_ID own:$OWN");
  g_autoptr (StintJob) job = NULL;
  g_autofree char *out = NULL, *expected = NULL;

  stint_job_spec_set_directory (spec, "/usr");
  stint_job_spec_add_env (spec, "OWN=mine", NULL);
  job = fixture_run (spec);
  out = fixture_read (job, STINT_STREAM_STDOUT);
  expected = g_strdup_printf ("/usr\nid:%" G_GUINT64_FORMAT " own:mine\n", stint_job_get_id (job));
  g_assert_cmpstr (out, ==, expected);
}

static void
test_e4_blank (void)
{
  g_autoptr (StintJobSpec) spec = fixture_shell ("  \n");
  g_autoptr (StintJob) job = fixture_run (spec);
  g_autofree char *out = fixture_read (job, STINT_STREAM_STDOUT);

  g_assert_true (stint_result_is_success (stint_job_get_result (job)));
  g_assert_cmpstr (out, ==, "");
}

/* Everything a job started ends with it, however far away it went. */
static void
test_e7_tree (void)
{
  g_autoptr (StintJob) job =
    run_and_stop ("setsid sh -c 'trap \"\" TERM HUP; echo far $$; sleep 1000' & "
                  "(setsid sh -c 'echo farther $$; exec sleep 1000' &) ; sleep 0.3; echo ready; wait",
                  300000, FALSE);

  g_assert_false (fixture_pid_exists (fixture_read_number (job, "far ")));
  g_assert_false (fixture_pid_exists (fixture_read_number (job, "farther ")));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mission/A1/token", test_a1_token);
  g_test_add_func ("/mission/A3/terminate-and-kill", test_a3_terminate_and_kill);
  g_test_add_func ("/mission/A4/reaped", test_a4_reaped);
  g_test_add_func ("/mission/A4/control", test_a4_control);
  g_test_add_func ("/mission/A5/output", test_a5_output);
  g_test_add_func ("/mission/A6/reasons", test_a6_reasons);
  g_test_add_func ("/mission/B2/kill", test_b2_kill);
  g_test_add_func ("/mission/C2/activity", test_c2_activity);
  g_test_add_func ("/mission/C6/no-question", test_c6_no_question);
  g_test_add_func ("/mission/E1/shell", test_e1_shell);
  g_test_add_func ("/mission/E2/result", test_e2_result);
  g_test_add_func ("/mission/E3/directory-and-environment", test_e3_directory_and_environment);
  g_test_add_func ("/mission/E4/blank", test_e4_blank);
  g_test_add_func ("/mission/E7/tree", test_e7_tree);
  return g_test_run ();
}
