/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Part E of the mission: shell commands in the background. Each test is named after its line.
 */
#include "engine-fixture.h"

#include "stint-error.h"
#include "stint-shutdown.h"

#include <signal.h>

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

/* What cannot be started is a result with a message. */
static void
test_e2_not_started (void)
{
  const char *const argv[] = { "/nonexistent/command", NULL };
  g_autoptr (StintJobSpec) spec = stint_job_spec_new (STINT_JOB_KIND_SHELL, argv);
  g_autoptr (StintJob) job = fixture_run (spec);

  g_assert_cmpint (stint_job_get_result (job)->reason, ==, STINT_REASON_FAILED);
  g_assert_nonnull (stint_job_get_result (job)->error);
  g_assert_false (stint_result_is_success (stint_job_get_result (job)));
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

/* The job's own directory, else the caller's, else the workspace's. */
static void
test_e3_which_directory (void)
{
  const struct
  {
    const char *own;
    const char *caller;
    const char *workspace;
    const char *expected;
  } cases[] = {
    { "/own", "/caller", "/workspace", "/own" },
    { "own", "/caller", "/workspace", "/caller/own" },
    { NULL, "/caller", "/workspace", "/caller" },
    { NULL, NULL, "/workspace", "/workspace" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (StintJobSpec) spec = stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, "true");

      stint_job_spec_set_directory (spec, cases[i].own);
      stint_job_spec_resolve (spec, cases[i].caller, cases[i].workspace, NULL);
      g_assert_cmpstr (stint_job_spec_get_directory (spec), ==, cases[i].expected);
    }
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

static void
test_e4_no_command (void)
{
  const char *const none[] = { NULL };
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) spec = stint_job_spec_new (STINT_JOB_KIND_SHELL, none);
  g_autoptr (GError) error = NULL;

  g_assert_null (stint_job_list_submit (list, spec, NULL, &error));
  g_assert_error (error, STINT_ERROR, STINT_ERROR_NO_COMMAND);
}

/* Everything a job started ends with it, however far away it went. */
static void
test_e7_tree (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) spec =
    fixture_shell ("setsid sh -c 'trap \"\" TERM HUP; echo far $$; sleep 1000' & "
                   "(setsid sh -c 'echo farther $$; exec sleep 1000' &); wait");
  g_autoptr (StintJob) job = NULL;

  stint_job_spec_set_grace (spec, 300000);
  job = fixture_submit (list, spec);
  fixture_wait_for_output (job, "far ");
  fixture_wait_for_output (job, "farther ");
  stint_job_terminate (job);
  fixture_wait_for_all (list);
  g_assert_false (fixture_pid_exists (fixture_read_number (job, "far ")));
  g_assert_false (fixture_pid_exists (fixture_read_number (job, "farther ")));
}

static void
note_over (GObject *source, GAsyncResult *result, gpointer data)
{
  (*(guint *) data)++;
}

/* And the end of a session ends all of its jobs. */
static void
test_e7_session (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintShutdown) shutdown = stint_shutdown_new (list);
  guint n_over = 0;

  for (guint i = 0; i < 5; i++)
    {
      g_autoptr (StintJobSpec) spec = fixture_shell ("(setsid sleep 1000 &); sleep 1000");
      g_autoptr (StintJob) job = fixture_submit (list, spec);

      wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
    }
  stint_shutdown_wait_async (shutdown, note_over, &n_over);
  stint_shutdown_begin (shutdown, "test");
  wait_until (n_over == 1);
  g_assert_cmpuint (stint_job_list_get_n_active (list), ==, 0);
  g_assert_cmpuint (fixture_count_children (), ==, 0);
}

/* Three kinds, told apart: what the user types into, what runs unattended, and all else. */
static void
test_e8_kinds (void)
{
  const char *const argv[] = { "true", NULL };
  g_autoptr (StintJobSpec) shell = stint_job_spec_new (STINT_JOB_KIND_SHELL, argv);
  g_autoptr (StintJobSpec) terminal = stint_job_spec_new (STINT_JOB_KIND_TERMINAL, argv);
  g_autoptr (StintJobSpec) agent = stint_job_spec_new (STINT_JOB_KIND_AGENT, argv);

  g_assert_false (stint_job_spec_get_tty (shell));
  g_assert_true (stint_job_spec_get_tty (terminal));
  g_assert_false (stint_job_spec_get_tty (agent));
  g_assert_cmpint (stint_job_spec_get_idle_timeout (agent), >, 0);
  g_assert_cmpstr (stint_job_kind_to_nick (STINT_JOB_KIND_SHELL), ==, "shell");
  g_assert_cmpstr (stint_job_kind_to_nick (STINT_JOB_KIND_TERMINAL), ==, "terminal");
  g_assert_cmpstr (stint_job_kind_to_nick (STINT_JOB_KIND_AGENT), ==, "agent");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mission/E1/shell", test_e1_shell);
  g_test_add_func ("/mission/E2/result", test_e2_result);
  g_test_add_func ("/mission/E2/not-started", test_e2_not_started);
  g_test_add_func ("/mission/E3/directory-and-environment", test_e3_directory_and_environment);
  g_test_add_func ("/mission/E3/which-directory", test_e3_which_directory);
  g_test_add_func ("/mission/E4/blank", test_e4_blank);
  g_test_add_func ("/mission/E4/no-command", test_e4_no_command);
  g_test_add_func ("/mission/E7/tree", test_e7_tree);
  g_test_add_func ("/mission/E7/session", test_e7_session);
  g_test_add_func ("/mission/E8/kinds", test_e8_kinds);
  return g_test_run ();
}
