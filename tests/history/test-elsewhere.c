/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Jobs that a real `stintctl run` owns, in the list of another process: found without asking, read,
 * steered, and told the end of, whatever becomes of their owner.
 */
#include "config.h"

#include "stint-elsewhere.h"
#include "stint-job-list.h"
#include "stint-job-private.h"
#include "stint-reader.h"
#include "stint-units.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>

#define HOUR (G_GINT64_CONSTANT (3600) * G_USEC_PER_SEC)

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

typedef struct
{
  char *state; /* XDG_STATE_HOME of both */
  StintHistory *history;
  StintJobList *jobs;
  StintElsewhere *elsewhere;
  guint n_orphaned;
} Fixture;

static gboolean
tick (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static void
on_orphaned (Fixture *fixture)
{
  fixture->n_orphaned++;
}

static void
on_recovered (GObject *source, GAsyncResult *result, gpointer data)
{
  stint_history_recover_finish (STINT_HISTORY (source), result, NULL);
  *(gboolean *) data = TRUE;
}

static void
set_up (Fixture *fixture)
{
  g_autofree char *directory = NULL;
  gboolean recovered = FALSE;

  fixture->state = g_dir_make_tmp ("stint-test-XXXXXX", NULL);
  directory = g_build_filename (fixture->state, "stint", NULL);
  fixture->history = stint_history_new (directory);
  stint_history_recover_async (fixture->history, on_recovered, &recovered);
  wait_until (recovered);
  fixture->jobs = stint_job_list_new (STINT_JOB_STORE (fixture->history));
  fixture->elsewhere = stint_elsewhere_new (fixture->history, fixture->jobs);
  g_signal_connect_swapped (fixture->elsewhere, "orphaned", G_CALLBACK (on_orphaned), fixture);
}

static void
tear_down (Fixture *fixture)
{
  const char *const argv[] = { "rm", "-rf", fixture->state, NULL };

  /* A look that is under way holds it. */
  g_object_add_weak_pointer (G_OBJECT (fixture->elsewhere), (gpointer *) &fixture->elsewhere);
  g_object_unref (fixture->elsewhere);
  wait_until (fixture->elsewhere == NULL);
  g_clear_object (&fixture->jobs);
  stint_history_close (fixture->history);
  g_clear_object (&fixture->history);
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
  g_free (fixture->state);
}

/* As another window does after this one has been closed. */
static void
watch_anew (Fixture *fixture)
{
  g_clear_object (&fixture->elsewhere);
  g_clear_object (&fixture->jobs);
  fixture->jobs = stint_job_list_new (STINT_JOB_STORE (fixture->history));
  fixture->elsewhere = stint_elsewhere_new (fixture->history, fixture->jobs);
}

/* (transfer full): a stintctl that runs a shell line. */
static GSubprocess *
run_in_terminal (Fixture *fixture, const char *line)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (
      G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_autoptr (GError) error = NULL;
  GSubprocess *process;

  g_subprocess_launcher_setenv (launcher, "XDG_STATE_HOME", fixture->state, TRUE);
  process = g_subprocess_launcher_spawn (launcher, &error, g_getenv ("STINT_STINTCTL"), "run",
                                         "--name", "mine", "--timeout", "1h", "--shell", line, NULL);
  g_assert_no_error (error);
  return process;
}

static guint
count (Fixture *fixture)
{
  return g_list_model_get_n_items (G_LIST_MODEL (fixture->jobs));
}

static StintJob *
wait_for_job (Fixture *fixture)
{
  wait_until (count (fixture) == 1);
  return g_list_model_get_item (G_LIST_MODEL (fixture->jobs), 0);
}

static void
on_grew (guint *n_grown)
{
  ++*n_grown;
}

static gboolean
has_output (StintJob *job, const char *expected)
{
  StintReader *reader = stint_transcript_get_reader (stint_job_get_transcript (job));
  g_autoptr (GBytes) bytes =
      stint_reader_read_stream (reader, STINT_STREAM_STDOUT, 1000, NULL);

  return bytes != NULL && g_bytes_get_size (bytes) == strlen (expected) &&
         memcmp (g_bytes_get_data (bytes, NULL), expected, strlen (expected)) == 0;
}

static gboolean
note_failure (gpointer owner, StintJob *job, gpointer data, GError **error)
{
  ++*(guint *) data;
  return TRUE;
}

static void
test_seen_to_the_end (void)
{
  const StintContinuationFuncs funcs = { .failed = note_failure };
  Fixture fixture = { 0 };
  guint n_followed = 0;
  g_autoptr (StintContinuation) follows =
    stint_continuation_new ("note", &funcs, &n_followed, NULL);
  g_autoptr (GSubprocess) owner = NULL;
  g_autoptr (StintJob) job = NULL;
  g_autofree char *go = NULL, *line = NULL;
  guint n_grown = 0;

  set_up (&fixture);
  go = g_build_filename (fixture.state, "go", NULL);
  line = g_strdup_printf ("echo one; while ! test -e %s; do sleep 0.05; done; echo two; exit 3", go);
  owner = run_in_terminal (&fixture, line);
  job = wait_for_job (&fixture);
  g_assert_true (stint_job_is_elsewhere (job));
  g_assert_cmpuint (stint_job_get_id (job), ==, 1);
  g_assert_cmpstr (stint_job_get_title (job), ==, "mine");
  wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
  g_assert_cmpint (stint_job_get_timeout_left (job), >, 0);
  g_assert_cmpint (stint_job_get_timeout_left (job), <=, HOUR);
  /* It is nobody's here to end. */
  g_assert_cmpuint (stint_job_list_get_n_active (fixture.jobs), ==, 0);
  g_assert_false (stint_job_can_detach (job));

  g_signal_connect_swapped (stint_job_get_transcript (job), "grew", G_CALLBACK (on_grew), &n_grown);
  stint_transcript_follow (stint_job_get_transcript (job));
  stint_job_list_add_continuation (fixture.jobs, job, follows);
  wait_until (has_output (job, "one\n"));
  g_assert_true (g_file_set_contents (go, "", 0, NULL));
  wait_until (stint_job_get_state (job) == STINT_JOB_FINISHED);
  g_assert_cmpuint (n_followed, ==, 1);
  g_assert_true (has_output (job, "one\ntwo\n"));
  g_assert_cmpuint (n_grown, >, 0);
  stint_transcript_unfollow (stint_job_get_transcript (job));
  g_assert_cmpint (stint_job_get_result (job)->reason, ==, STINT_REASON_EXITED);
  g_assert_cmpint (stint_job_get_result (job)->exit_code, ==, 3);
  g_assert_true (g_subprocess_wait (owner, NULL, NULL));
  g_assert_cmpint (g_subprocess_get_exit_status (owner), ==, 3);
  g_assert_cmpuint (fixture.n_orphaned, ==, 0);
  tear_down (&fixture);
}

static void
test_steered (void)
{
  Fixture fixture = { 0 };
  g_autoptr (GSubprocess) owner = NULL;
  g_autoptr (StintJob) job = NULL;
  gint64 left;

  set_up (&fixture);
  owner = run_in_terminal (&fixture, "sleep 1000");
  job = wait_for_job (&fixture);
  wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
  stint_job_pause (job);
  left = stint_job_get_timeout_left (job);
  stint_job_set_timeout_left (job, left + 60 * G_USEC_PER_SEC);
  g_assert_cmpint (stint_job_get_timeout_left (job), ==, left + 60 * G_USEC_PER_SEC);
  stint_job_resume (job);
  stint_job_terminate (job);
  wait_until (stint_job_get_state (job) == STINT_JOB_FINISHED);
  g_assert_cmpint (stint_job_get_result (job)->reason, ==, STINT_REASON_TERMINATED);
  g_assert_true (g_subprocess_wait (owner, NULL, NULL));
  g_assert_cmpint (g_subprocess_get_exit_status (owner), ==, 143);
  tear_down (&fixture);
}

/* Who comes later has the limits as they are by then, not as they were at the start; and what it asks
 * of one leaves the other alone. */
static void
test_steered_again (void)
{
  Fixture fixture = { 0 };
  g_autoptr (GSubprocess) owner = NULL;

  set_up (&fixture);
  owner = run_in_terminal (&fixture, "sleep 1000");
  {
    g_autoptr (StintJob) job = wait_for_job (&fixture);

    wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
    stint_job_set_timeout_left (job, STINT_NEVER);
    stint_job_pause (job);
  }
  watch_anew (&fixture);
  {
    g_autoptr (StintJob) job = wait_for_job (&fixture);

    wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
    g_assert_cmpint (stint_job_get_timeout_left (job), ==, STINT_NEVER);
    g_assert_cmpint (stint_job_get_timeout_total (job), ==, 0);
    g_assert_true (stint_job_get_paused (job));
    stint_job_set_idle_limit (job, 2 * HOUR);
    g_assert_cmpint (stint_job_get_idle_left (job), ==, 2 * HOUR);
  }
  watch_anew (&fixture);
  {
    g_autoptr (StintJob) job = wait_for_job (&fixture);

    wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
    g_assert_cmpint (stint_job_get_timeout_left (job), ==, STINT_NEVER);
    g_assert_cmpint (stint_job_get_idle_total (job), ==, 2 * HOUR);
    stint_job_resume (job);
    stint_job_terminate (job);
    wait_until (stint_job_get_state (job) == STINT_JOB_FINISHED);
    g_assert_cmpint (stint_job_get_result (job)->reason, ==, STINT_REASON_TERMINATED);
  }
  g_assert_true (g_subprocess_wait (owner, NULL, NULL));
  tear_down (&fixture);
}

static gboolean
is_stopped (GSubprocess *process)
{
  g_autofree char *path = g_strdup_printf ("/proc/%s/stat", g_subprocess_get_identifier (process));
  g_autofree char *stat = NULL;

  g_assert_true (g_file_get_contents (path, &stat, NULL, NULL));
  return strrchr (stat, ')')[2] == 'T';
}

/* By Ctrl+Z at its terminal: what is asked of the job is done all the same. */
static void
test_owner_stopped (void)
{
  Fixture fixture = { 0 };
  g_autoptr (GSubprocess) owner = NULL;
  g_autoptr (StintJob) job = NULL;

  set_up (&fixture);
  stint_job_set_patience (G_USEC_PER_SEC / 10, 120 * G_USEC_PER_SEC);
  owner = run_in_terminal (&fixture, "sleep 1000");
  job = wait_for_job (&fixture);
  wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
  g_subprocess_send_signal (owner, SIGSTOP);
  wait_until (is_stopped (owner));
  stint_job_terminate (job);
  wait_until (stint_job_get_state (job) == STINT_JOB_FINISHED);
  g_assert_cmpint (stint_job_get_result (job)->reason, ==, STINT_REASON_TERMINATED);
  g_assert_null (stint_job_get_warning (job));
  g_assert_true (g_subprocess_wait (owner, NULL, NULL));
  g_assert_cmpint (g_subprocess_get_exit_status (owner), ==, 143);
  stint_job_set_patience (2 * G_USEC_PER_SEC, 10 * G_USEC_PER_SEC);
  tear_down (&fixture);
}

static void
test_killed (void)
{
  Fixture fixture = { 0 };
  g_autoptr (GSubprocess) owner = NULL;
  g_autoptr (StintJob) job = NULL;

  set_up (&fixture);
  owner = run_in_terminal (&fixture, "trap '' TERM; sleep 1000");
  job = wait_for_job (&fixture);
  wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
  stint_job_kill (job);
  wait_until (stint_job_get_state (job) == STINT_JOB_FINISHED);
  g_assert_cmpint (stint_job_get_result (job)->reason, ==, STINT_REASON_KILLED);
  g_assert_true (g_subprocess_wait (owner, NULL, NULL));
  g_assert_cmpint (g_subprocess_get_exit_status (owner), ==, 137);
  tear_down (&fixture);
}

/* Its keeper ends the job, and that is waited for. */
static void
test_owner_dies (void)
{
  Fixture fixture = { 0 };
  g_autoptr (GSubprocess) owner = NULL;
  g_autoptr (StintJob) job = NULL;
  int pid;

  set_up (&fixture);
  owner = run_in_terminal (&fixture, "exec sleep 1000");
  job = wait_for_job (&fixture);
  wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
  pid = stint_job_get_pid (job);
  g_assert_cmpint (pid, >, 1);
  g_subprocess_send_signal (owner, SIGKILL);
  g_assert_true (g_subprocess_wait (owner, NULL, NULL));
  wait_until (stint_job_get_state (job) == STINT_JOB_FINISHED);
  g_assert_cmpint (stint_job_get_result (job)->reason, ==, STINT_REASON_INTERRUPTED);
  g_assert_cmpint (kill (pid, 0), ==, -1);
  g_assert_cmpuint (fixture.n_orphaned, ==, 1);
  tear_down (&fixture);
}

/* Nor is it ended when who watches goes. */
static void
test_watcher_goes (void)
{
  Fixture fixture = { 0 };
  g_autoptr (GSubprocess) owner = NULL;
  g_autofree char *go = NULL, *line = NULL;

  set_up (&fixture);
  go = g_build_filename (fixture.state, "go", NULL);
  line = g_strdup_printf ("while ! test -e %s; do sleep 0.05; done; exit 5", go);
  owner = run_in_terminal (&fixture, line);
  {
    g_autoptr (StintJob) job = wait_for_job (&fixture);

    wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
  }
  /* Another one may watch it after that. */
  watch_anew (&fixture);
  {
    g_autoptr (StintJob) job = wait_for_job (&fixture);

    wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
    g_assert_true (g_file_set_contents (go, "", 0, NULL));
    wait_until (stint_job_get_state (job) == STINT_JOB_FINISHED);
    g_assert_cmpint (stint_job_get_result (job)->exit_code, ==, 5);
  }
  g_assert_true (g_subprocess_wait (owner, NULL, NULL));
  g_assert_cmpint (g_subprocess_get_exit_status (owner), ==, 5);
  tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  g_timeout_add (20, tick, NULL);

  g_test_add_func ("/elsewhere/seen-to-the-end", test_seen_to_the_end);
  g_test_add_func ("/elsewhere/steered", test_steered);
  g_test_add_func ("/elsewhere/steered-again", test_steered_again);
  g_test_add_func ("/elsewhere/owner-stopped", test_owner_stopped);
  g_test_add_func ("/elsewhere/killed", test_killed);
  g_test_add_func ("/elsewhere/owner-dies", test_owner_dies);
  g_test_add_func ("/elsewhere/watcher-goes", test_watcher_goes);

  return g_test_run ();
}
