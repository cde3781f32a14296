/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Part C of the mission: agents that hang on a question. Each test is named after its line.
 */
#include "engine-fixture.h"

#include "stint-sequence.h"

#include <string.h>

#define SEC G_GINT64_CONSTANT (1000000)

static StintJob *
run_idle (const char *line, gint64 timeout, gint64 idle)
{
  g_autoptr (StintJobSpec) spec = fixture_shell (line);

  stint_job_spec_set_timeout (spec, timeout);
  stint_job_spec_set_idle_timeout (spec, idle);
  return fixture_run (spec);
}

/* No output for that long ends the process; 0 switches it off. */
static void
test_c1_limit (void)
{
  g_autoptr (StintJob) hung = run_idle ("echo question; sleep 1000", 0, SEC / 5);
  g_autoptr (StintJob) off = run_idle ("sleep 1", 0, 0);

  g_assert_cmpint (stint_job_get_result (hung)->reason, ==, STINT_REASON_IDLE_TIMEOUT);
  g_assert_cmpint (stint_job_get_result (hung)->duration, >=, SEC / 5);
  g_assert_cmpint (stint_job_get_result (off)->reason, ==, STINT_REASON_EXITED);
}

/* Any output on any stream sets the clock back. */
static void
test_c2_any_output (void)
{
  const char *const lines[] = { "echo ready; sleep 0.5; echo x; sleep 1000",
                                "echo ready; sleep 0.5; echo x >&2; sleep 1000" };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (StintJobList) list = fixture_list ();
      g_autoptr (StintJobSpec) spec = fixture_shell (lines[i]);
      g_autoptr (StintJob) job = NULL;
      gint64 begun;

      stint_job_spec_set_idle_timeout (spec, 1000 * SEC);
      job = fixture_submit (list, spec);
      fixture_wait_for_output (job, "ready");
      begun = stint_job_get_elapsed (job);
      wait_until (stint_job_get_output_bytes (job) > strlen ("ready\n"));
      /* As much is gone as has passed since the second output, and not since the first. */
      g_assert_cmpint (1000 * SEC - stint_job_get_idle_left (job), <=,
                       stint_job_get_elapsed (job) - begun);
      stint_job_kill (job);
      fixture_wait_for_all (list);
    }
}

/* Both limits side by side: neither extends the other. */
static void
test_c2_both (void)
{
  g_autoptr (StintJob) noisy = run_idle ("while :; do sleep 0.1; echo x; done", SEC, 60 * SEC);
  g_autoptr (StintJob) silent = run_idle ("sleep 1000", 60 * SEC, SEC / 5);

  g_assert_cmpint (stint_job_get_result (noisy)->reason, ==, STINT_REASON_TIMEOUT);
  g_assert_cmpint (stint_job_get_result (silent)->reason, ==, STINT_REASON_IDLE_TIMEOUT);
}

/* Told apart in the result; tests/faults looks at the history. */
static void
test_c3_told_apart (void)
{
  g_assert_cmpstr (stint_reason_to_nick (STINT_REASON_IDLE_TIMEOUT), ==, "idle-timeout");
  g_assert_cmpstr (stint_reason_to_nick (STINT_REASON_TIMEOUT), ==, "timeout");
}

static gboolean
note_end (gpointer owner, StintJob *job, gpointer data, GError **error)
{
  *(StintReason *) data = stint_job_get_result (job)->reason;
  return TRUE;
}

/* It is waited for, and what is registered for the end of a process is called then too. */
static void
test_c4_end_is_called (void)
{
  static const StintContinuationFuncs funcs = { .failed = note_end };
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) spec = fixture_shell ("sleep 1000");
  g_autoptr (StintContinuation) continuation = NULL;
  g_autoptr (StintJob) job = NULL;
  StintReason reason = STINT_REASON_NONE;

  stint_job_spec_set_idle_timeout (spec, SEC / 5);
  job = fixture_submit (list, spec);
  continuation = stint_continuation_new ("end", &funcs, &reason, NULL);
  stint_job_list_add_continuation (list, job, continuation);
  fixture_wait_for_all (list);
  g_assert_cmpint (reason, ==, STINT_REASON_IDLE_TIMEOUT);
  g_assert_cmpuint (fixture_count_children (), ==, 0);
}

/* 600 s for agents, or a sixth of the wall-clock limit if that is less, or the caller's own. */
static void
test_c5_default (void)
{
  const char *const argv[] = { "agent", NULL };
  g_autoptr (StintJobSpec) agent = stint_job_spec_new (STINT_JOB_KIND_AGENT, argv);
  g_autoptr (StintJobSpec) shell = stint_job_spec_new (STINT_JOB_KIND_SHELL, argv);

  g_assert_cmpint (stint_job_spec_get_idle_timeout (shell), ==, 0);
  g_assert_cmpint (stint_job_spec_get_idle_timeout (agent), ==, 600 * SEC);
  stint_job_spec_set_timeout (agent, 1200 * SEC);
  g_assert_cmpint (stint_job_spec_get_idle_timeout (agent), ==, 200 * SEC);
  stint_job_spec_set_idle_timeout (agent, 5 * SEC);
  g_assert_cmpint (stint_job_spec_get_idle_timeout (agent), ==, 5 * SEC);
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

/* No retry after an idle end unless one was asked for. */
static void
test_c7_retry (void)
{
  for (guint retries = 0; retries < 2; retries++)
    {
      g_autoptr (StintJobList) list = fixture_list ();
      g_autoptr (StintJobSpec) spec = fixture_shell ("sleep 1000");
      g_autoptr (StintJob) job = NULL;

      stint_job_spec_set_idle_timeout (spec, SEC / 10);
      stint_job_spec_set_retries (spec, retries);
      stint_job_spec_set_retry_delay (spec, 0);
      job = fixture_submit (list, spec);
      fixture_wait_for_all (list);
      g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, 1 + retries);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mission/C1/limit", test_c1_limit);
  g_test_add_func ("/mission/C2/any-output", test_c2_any_output);
  g_test_add_func ("/mission/C2/both", test_c2_both);
  g_test_add_func ("/mission/C3/told-apart", test_c3_told_apart);
  g_test_add_func ("/mission/C4/end-is-called", test_c4_end_is_called);
  g_test_add_func ("/mission/C5/default", test_c5_default);
  g_test_add_func ("/mission/C6/no-question", test_c6_no_question);
  g_test_add_func ("/mission/C7/retry", test_c7_retry);
  return g_test_run ();
}
