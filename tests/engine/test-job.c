/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One job: its states, waiters, cancellation, limits that are changed, pauses and input.
 */
#include "engine-fixture.h"

#include "stint-index.h"

#include "stint-error.h"
#include "stint-scratch-store.h"
#include "stint-units.h"

#include <signal.h>
#include <string.h>

static void
note_state (StintJob *job, GParamSpec *pspec, GArray *states)
{
  int state = stint_job_get_state (job);

  g_array_append_val (states, state);
}

static void
test_states (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) spec = fixture_shell ("exit 3");
  g_autoptr (StintJob) job = fixture_submit (list, spec);
  g_autoptr (GArray) states = g_array_new (FALSE, FALSE, sizeof (int));
  const int expected[] = { STINT_JOB_STARTING, STINT_JOB_RUNNING, STINT_JOB_FINISHED };
  gint64 started_at;

  g_assert_cmpint (stint_job_get_state (job), ==, STINT_JOB_QUEUED);
  g_signal_connect (job, "notify::state", G_CALLBACK (note_state), states);
  wait_until (stint_job_get_started_at (job) != 0);
  started_at = stint_job_get_started_at (job);
  fixture_wait_for_all (list);
  g_assert_cmpmem (states->data, states->len * sizeof (int), expected, sizeof expected);
  g_assert_cmpint (stint_job_get_result (job)->exit_code, ==, 3);
  g_assert_cmpint (stint_job_get_pid (job), ==, 0);
  /* As its keeper noted it, then and now. */
  g_assert_cmpint (stint_job_get_started_at (job), ==, started_at);
  g_assert_cmpint (stint_job_get_result (job)->started_at, ==, started_at);
}

static void
count_notify (GObject *object, GParamSpec *pspec, gpointer data)
{
  ++*(guint *) data;
}

/* It tells jobs of one name apart: the first thing said, fit for a label. */
static void
test_subject (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) spec = fixture_shell ("true");
  g_autofree char *rest = g_strnfill (500, 'x');
  g_autofree char *subject = g_strconcat (" Mend\n\tthe build", rest, NULL);
  g_autoptr (StintJob) job = NULL;
  guint n_notified = 0;

  stint_job_spec_set_name (spec, "Agent");
  job = fixture_submit (list, spec);
  g_signal_connect (job, "notify::title", G_CALLBACK (count_notify), &n_notified);
  stint_job_set_subject (job, "\n ");
  g_assert_null (stint_job_get_subject (job));
  g_assert_cmpstr (stint_job_get_title (job), ==, "Agent");
  stint_job_set_subject (job, subject);
  stint_job_set_subject (job, "and then this");
  g_assert_cmpuint (n_notified, ==, 1);
  g_assert_true (g_str_has_prefix (stint_job_get_title (job), "Agent: Mend the buildxxx"));
  g_assert_true (g_str_has_suffix (stint_job_get_title (job), "…"));
  g_assert_cmpint (g_utf8_strlen (stint_job_get_subject (job), -1), <=, 61);
  fixture_wait_for_all (list);
}

typedef struct
{
  guint n_calls;
  StintReason reason;
  GError *error;
} Waited;

static void
handle_waited (GObject *source, GAsyncResult *result, gpointer data)
{
  Waited *waited = data;
  g_autoptr (StintResult) ended = NULL;

  waited->n_calls++;
  ended = stint_job_wait_finish (STINT_JOB (source), result, &waited->error);
  waited->reason = ended != NULL ? ended->reason : STINT_REASON_NONE;
}

/* Row 23: 16 waiters, 5 of them cancelled, 3 added after the end: each is called exactly once. */
static void
test_waiters (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) spec = fixture_shell ("sleep 1000");
  g_autoptr (StintJob) job = fixture_submit (list, spec);
  Waited waited[19] = { 0 };

  for (guint i = 0; i < 16; i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();

      stint_job_wait_async (job, cancellable, handle_waited, &waited[i]);
      if (i < 5)
        g_cancellable_cancel (cancellable);
    }
  wait_until (waited[4].n_calls == 1);
  stint_job_terminate (job);
  wait_until (waited[15].n_calls == 1);
  for (guint i = 16; i < 19; i++)
    stint_job_wait_async (job, NULL, handle_waited, &waited[i]);
  wait_until (waited[18].n_calls == 1);

  fixture_wait_for_all (list);
  for (guint i = 0; i < G_N_ELEMENTS (waited); i++)
    {
      g_assert_cmpuint (waited[i].n_calls, ==, 1);
      if (i < 5)
        g_assert_error (waited[i].error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      else
        g_assert_cmpint (waited[i].reason, ==, STINT_REASON_TERMINATED);
      g_clear_error (&waited[i].error);
    }
}

static void
drop_job (GObject *source, GAsyncResult *result, gpointer data)
{
  StintJob **job = data;
  g_autoptr (StintResult) ended = stint_job_run_finish (*job, result, NULL);

  g_assert_cmpint (ended->reason, ==, STINT_REASON_EXITED);
  g_clear_object (job);
}

/* Whoever holds it or not, a job that runs is tracked to its end, and freed after it. */
static void
test_last_reference (void)
{
  g_autoptr (StintJobStore) store = stint_scratch_store_new ();
  g_autoptr (StintJobSpec) spec = fixture_shell ("true");
  StintJob *job = stint_job_new (spec, NULL);
  StintJob *in_callback = job;
  gpointer weak = job;

  g_object_add_weak_pointer (G_OBJECT (job), &weak);
  stint_job_run_async (job, store, NULL, drop_job, &in_callback);
  wait_until (weak == NULL);
  g_assert_null (in_callback);
}

/* As by a widget that is never freed. */
static void
test_scratch_removed_at_exit (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) spec = fixture_shell ("echo kept");
  g_autoptr (StintJob) held = fixture_submit (list, spec);

  fixture_wait_for_all (list);
  g_assert_true (g_file_test (stint_job_get_directory (held), G_FILE_TEST_IS_DIR));
  stint_scratch_store_remove_all ();
  g_assert_false (g_file_test (stint_job_get_directory (held), G_FILE_TEST_EXISTS));
  stint_scratch_store_remove_all ();
}

typedef struct
{
  guint n_calls;
  StintResult *result;
} Ran;

static void
handle_ran (GObject *source, GAsyncResult *result, gpointer data)
{
  Ran *ran = data;
  g_autoptr (GError) error = NULL;

  ran->n_calls++;
  ran->result = stint_job_run_finish (STINT_JOB (source), result, &error);
  g_assert_no_error (error);
}

/* A job that is cancelled before it was spawned never is. */
static void
test_cancel_before_spawn (void)
{
  g_autoptr (StintJobStore) store = stint_scratch_store_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (StintJobSpec) spec = fixture_shell ("sleep 1000");
  g_autoptr (StintJob) job = stint_job_new (spec, NULL);
  Ran ran = { 0 };

  g_cancellable_cancel (cancellable);
  stint_job_run_async (job, store, cancellable, handle_ran, &ran);
  wait_until (ran.n_calls == 1);
  g_assert_cmpint (ran.result->reason, ==, STINT_REASON_CANCELLED);
  g_assert_cmpint (ran.result->started_at, ==, 0);
  g_assert_cmpuint (fixture_count_children (), ==, 0);
  stint_result_unref (ran.result);
}

static void
test_failed_to_start (void)
{
  const char *const argv[] = { "no-such-command-anywhere", NULL };
  g_autoptr (StintJobSpec) spec = stint_job_spec_new (STINT_JOB_KIND_SHELL, argv);
  g_autoptr (StintJob) job = fixture_run (spec);
  const StintResult *result = stint_job_get_result (job);

  g_assert_cmpint (result->reason, ==, STINT_REASON_FAILED);
  g_assert_cmpint (result->failure, ==, STINT_FAILURE_NOT_FOUND);
  g_assert_nonnull (strstr (result->error, "No such file"));
  g_assert_false (result->has_exit_code);
}

/* Without a keeper there is no job, and the message says so. */
static void
test_no_keeper (void)
{
  g_autofree char *path = g_strdup (g_getenv ("STINT_KEEPER"));
  g_autoptr (StintJobSpec) spec = fixture_shell ("true");
  g_autoptr (StintJob) job = NULL;

  g_setenv ("STINT_KEEPER", "/nonexistent/keeper", TRUE);
  job = fixture_run (spec);
  g_setenv ("STINT_KEEPER", path, TRUE);
  g_assert_cmpint (stint_job_get_result (job)->reason, ==, STINT_REASON_FAILED);
  g_assert_nonnull (strstr (stint_job_get_result (job)->error, "keeper"));
}

static StintJob *
run_until_output (StintJobList *list, StintJobSpec *spec, const char *text)
{
  StintJob *job = fixture_submit (list, spec);

  fixture_wait_for_output (job, text);
  wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
  return job;
}

/* A limit that is set, extended and switched off while the job runs. */
static void
test_limits_change (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) spec = fixture_shell ("echo up; sleep 1000");
  g_autoptr (StintJob) job = NULL;

  stint_job_spec_set_timeout (spec, 100 * G_USEC_PER_SEC);
  job = run_until_output (list, spec, "up");
  g_assert_cmpint (stint_job_get_timeout_left (job), >, 60 * G_USEC_PER_SEC);
  g_assert_cmpint (stint_job_get_timeout_total (job), ==, 100 * G_USEC_PER_SEC);
  g_assert_cmpint (stint_job_get_idle_left (job), ==, STINT_NEVER);

  stint_job_set_timeout_left (job, STINT_NEVER);
  g_assert_cmpint (stint_job_get_timeout_left (job), ==, STINT_NEVER);
  stint_job_set_idle_limit (job, 200 * G_USEC_PER_SEC);
  g_assert_cmpint (stint_job_get_idle_left (job), >, 100 * G_USEC_PER_SEC);
  g_assert_cmpint (stint_job_get_idle_total (job), ==, 200 * G_USEC_PER_SEC);

  stint_job_set_timeout_left (job, 50000);
  fixture_wait_for_all (list);
  g_assert_cmpint (stint_job_get_result (job)->reason, ==, STINT_REASON_TIMEOUT);
}

static char
get_process_state (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *stat = NULL;

  g_assert_true (g_file_get_contents (path, &stat, NULL, NULL));
  return strrchr (stat, ')')[2];
}

/* Row 13: while it is paused neither clock runs. The control: the same limit without the pause. Without
 * exec the shell might be stopped amid a vfork, and wait for its child in another state. */
static void
test_pause (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) spec = fixture_shell ("echo pid $$; exec sleep 1000");
  g_autoptr (StintJob) job = NULL;
  gint64 left, paused_at;
  int pid;

  stint_job_spec_set_timeout (spec, 2 * G_USEC_PER_SEC);
  stint_job_spec_set_idle_timeout (spec, 2 * G_USEC_PER_SEC);
  job = run_until_output (list, spec, "pid ");
  pid = fixture_read_number (job, "pid ");
  stint_job_pause (job);
  g_assert_true (stint_job_get_paused (job));
  wait_until (get_process_state (pid) == 'T');
  left = stint_job_get_timeout_left (job);
  paused_at = g_get_monotonic_time ();

  /* Longer than both limits: time itself is what is tested here. */
  wait_until (g_get_monotonic_time () > paused_at + 2500000);
  g_assert_cmpint (stint_job_get_state (job), ==, STINT_JOB_RUNNING);
  g_assert_cmpint (stint_job_get_timeout_left (job), ==, left);

  stint_job_resume (job);
  g_assert_false (stint_job_get_paused (job));
  fixture_wait_for_all (list);
  g_assert_true (stint_job_get_result (job)->reason == STINT_REASON_TIMEOUT ||
                 stint_job_get_result (job)->reason == STINT_REASON_IDLE_TIMEOUT);
  g_assert_cmpint (stint_job_get_result (job)->duration, >, 4 * G_USEC_PER_SEC);
}

static StintJobSpec *
make_terminal (const char *line)
{
  StintJobSpec *spec = stint_job_spec_new_shell (STINT_JOB_KIND_TERMINAL, line);

  stint_job_spec_set_directory (spec, "/");
  return spec;
}

static void
type (StintJob *job, const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new (text, strlen (text));
  g_autoptr (GError) error = NULL;

  g_assert_true (stint_job_write (job, bytes, &error));
  g_assert_no_error (error);
}

static void
test_input (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) spec = make_terminal ("echo ready; read x; echo got:$x; cat");
  g_autoptr (StintJob) job = run_until_output (list, spec, "ready");
  g_autoptr (GBytes) late = g_bytes_new_static ("x", 1);
  g_autoptr (GError) error = NULL;

  type (job, "hello\n");
  fixture_wait_for_output (job, "got:hello");
  type (job, "\004");
  fixture_wait_for_all (list);
  g_assert_true (stint_result_is_success (stint_job_get_result (job)));
  g_assert_false (stint_job_write (job, late, &error));
  g_assert_error (error, STINT_ERROR, STINT_ERROR_NOT_RUNNING);
}

/* Row 24: ten megabytes for a command that does not read. The queue is bounded, and says so. */
static void
test_input_unread (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) spec = make_terminal ("stty raw -echo; echo ready; exec sleep 1000");
  g_autoptr (StintJob) job = run_until_output (list, spec, "ready");
  g_autofree char *chunk = g_malloc0 (256 * 1024);
  g_autoptr (GBytes) bytes = g_bytes_new (chunk, 256 * 1024);
  g_autoptr (GError) error = NULL;
  guint n = 0;

  while (n < 40 && stint_job_write (job, bytes, &error))
    n++;
  g_assert_error (error, STINT_ERROR, STINT_ERROR_FAILED);
  g_assert_cmpuint (n, >=, 3);
  g_assert_cmpuint (n, <=, 5);
  stint_job_kill (job);
  fixture_wait_for_all (list);
  g_assert_cmpint (stint_job_get_result (job)->reason, ==, STINT_REASON_KILLED);
}

static void
test_size (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) spec =
    make_terminal ("stty size; trap 'stty size; exit' WINCH; echo ready; while :; do sleep 1; done");
  g_autoptr (StintJob) job = NULL;
  g_autoptr (StintIndex) index = NULL;
  guint columns, rows;

  stint_job_spec_set_size (spec, 100, 30);
  job = run_until_output (list, spec, "ready");
  fixture_wait_for_output (job, "30 100");
  stint_job_resize (job, 132, 43);
  fixture_wait_for_output (job, "43 132");
  fixture_wait_for_all (list);
  index = stint_index_new (stint_transcript_get_reader (stint_job_get_transcript (job)));
  g_assert_true (stint_index_find_size (index, 0, &columns, &rows));
  g_assert_cmpuint (columns, ==, 100);
  g_assert_true (stint_index_find_size (index, G_MAXINT64, &columns, &rows));
  g_assert_cmpuint (columns, ==, 132);
}

/* An agent command finds its prompt on stdin, and then the end of it. */
static void
test_stdin_text (void)
{
  const char *const argv[] = { "cat", NULL };
  g_autoptr (StintJobSpec) spec = stint_job_spec_new (STINT_JOB_KIND_AGENT, argv);
  g_autoptr (StintJob) job = NULL;
  g_autofree char *output = NULL;

  stint_job_spec_set_stdin_text (spec, "the prompt\n");
  job = fixture_run (spec);
  output = fixture_read (job, STINT_STREAM_STDOUT);
  g_assert_cmpstr (output, ==, "the prompt\n");
}

/* While it is being stopped it says why, and when SIGKILL comes. */
static void
test_stopping (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) spec = fixture_shell ("trap '' TERM; echo ready; sleep 1000 & wait; wait");
  g_autoptr (StintJob) job = NULL;

  stint_job_spec_set_grace (spec, 100 * G_USEC_PER_SEC);
  job = run_until_output (list, spec, "ready");
  g_assert_cmpint (stint_job_get_kill_left (job), ==, STINT_NEVER);
  stint_job_terminate (job);
  wait_until (stint_job_get_state (job) == STINT_JOB_STOPPING);
  g_assert_cmpint (stint_job_get_stop_reason (job), ==, STINT_REASON_TERMINATED);
  g_assert_cmpint (stint_job_get_kill_left (job), >, 50 * G_USEC_PER_SEC);
  stint_job_kill (job);
  fixture_wait_for_all (list);
  g_assert_cmpint (stint_job_get_result (job)->reason, ==, STINT_REASON_TERMINATED);
  g_assert_true (stint_job_get_result (job)->escalated);
}

/* After all of it, this process is as it was. */
static void
test_nothing_left (void)
{
  guint before = 0;

  for (guint round = 0; round < 3; round++)
    {
      g_autoptr (StintJobList) list = fixture_list ();
      g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func (g_object_unref);

      for (guint i = 0; i < 20; i++)
        {
          g_autoptr (StintJobSpec) spec = i % 2 ? make_terminal ("echo hi") : fixture_shell ("echo hi");

          g_ptr_array_add (jobs, fixture_submit (list, spec));
        }
      fixture_wait_for_all (list);
      g_ptr_array_set_size (jobs, 0);
      g_clear_object (&list);
      g_assert_cmpuint (fixture_count_children (), ==, 0);
      if (round > 0)
        g_assert_cmpuint (fixture_count_descriptors (), ==, before);
      before = fixture_count_descriptors ();
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  g_test_add_func ("/job/states", test_states);
  g_test_add_func ("/job/subject", test_subject);
  g_test_add_func ("/job/waiters", test_waiters);
  g_test_add_func ("/job/last-reference", test_last_reference);
  g_test_add_func ("/job/scratch-removed-at-exit", test_scratch_removed_at_exit);
  g_test_add_func ("/job/cancel-before-spawn", test_cancel_before_spawn);
  g_test_add_func ("/job/failed-to-start", test_failed_to_start);
  g_test_add_func ("/job/no-keeper", test_no_keeper);
  g_test_add_func ("/job/limits-change", test_limits_change);
  g_test_add_func ("/job/pause", test_pause);
  g_test_add_func ("/job/input", test_input);
  g_test_add_func ("/job/input/unread", test_input_unread);
  g_test_add_func ("/job/size", test_size);
  g_test_add_func ("/job/stdin-text", test_stdin_text);
  g_test_add_func ("/job/stopping", test_stopping);
  g_test_add_func ("/job/nothing-left", test_nothing_left);
  return g_test_run ();
}
