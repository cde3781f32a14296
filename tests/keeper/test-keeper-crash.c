/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The real keeper: the engine dies, the worker dies, the warden dies. Whoever is left ends the job, saves
 * its output and says how it ended.
 */
#include "in-child.h"
#include "keeper-harness.h"

#include <glib.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define KIB 1024
#define MSEC ((gint64) 1000)

/* A tree of which SIGKILL to the leader alone leaves half. */
#define TREE \
  "(trap '' TERM HUP; while :; do sleep 1000; done) & setsid sleep 1000 & " \
  "$C daemon; echo ready; exec sleep 1000"

static TestJob *
new_tree (void)
{
  g_autofree char *script = g_strdup_printf ("C=%s; %s", g_getenv ("STINT_KEEPER_COMMAND"), TREE);
  TestJob *job = test_job_new (script);

  job->block.grace = 300 * MSEC;
  return job;
}

static void
start_ready (TestJob *job)
{
  test_job_start (job);
  test_job_await_text (job, "ready");
  test_job_get_worker (job);
}

static gboolean
directory_exists (TestJob *job)
{
  return g_file_test (job->directory->path, G_FILE_TEST_IS_DIR);
}

/* The engine. */

static void
test_engine_dies (void)
{
  g_autoptr (TestJob) job = new_tree ();
  struct keeper_outcome outcome;

  start_ready (job);
  test_job_close_control (job);
  g_assert_true (test_job_try_finish (job, IN_CHILD_DEADLINE));
  g_assert_cmpuint (job->n_left, ==, 0);
  g_assert_true (test_job_read_outcome (job, &outcome));
  g_assert_cmpuint (outcome.reason, ==, KEEPER_REASON_INTERRUPTED);
  g_assert_cmpint (outcome.wait_status, ==, SIGTERM);
  g_assert_cmpuint (outcome.escalated, ==, 1);
  g_assert_cmpint (outcome.ended_at - outcome.started_at, >=, 300 * MSEC);
  g_assert_true (directory_exists (job));
}

/* What the job says while it is stopped is kept too. */
static void
test_engine_dies_output (void)
{
  g_autoptr (TestJob) job =
    test_job_new ("trap 'echo goodbye; exit 7' TERM; echo ready; while :; do sleep 0.05; done");
  struct keeper_outcome outcome;
  g_autofree char *output = NULL;

  start_ready (job);
  test_job_close_control (job);
  g_assert_true (test_job_try_finish (job, IN_CHILD_DEADLINE));
  g_assert_true (test_job_read_outcome (job, &outcome));
  g_assert_cmpuint (outcome.reason, ==, KEEPER_REASON_INTERRUPTED);
  g_assert_cmpint (outcome.wait_status, ==, 7 << 8);
  g_assert_cmpuint (outcome.escalated, ==, 0);
  output = test_job_dup_output (job);
  g_assert_nonnull (strstr (output, "goodbye"));
  g_assert_cmpuint (outcome.size, ==, strlen (output));
}

/* In the middle of the start. */
static void
test_engine_dies_at_once (void)
{
  for (int i = 0; i < 50; i++)
    {
      g_autoptr (TestJob) job = test_job_new ("exec sleep 1000");
      struct keeper_outcome outcome;

      test_job_start (job);
      g_usleep ((gulong) g_test_rand_int_range (0, 2000));
      test_job_close_control (job);
      g_assert_true (test_job_try_finish (job, IN_CHILD_DEADLINE));
      g_assert_cmpuint (job->n_left, ==, 0);
      g_assert_true (test_job_read_outcome (job, &outcome));
      g_assert_cmpuint (outcome.reason, ==, KEEPER_REASON_INTERRUPTED);
    }
}

/* A job that is being stopped, or has ended, keeps its reason. */
static void
test_engine_dies_late (void)
{
  g_autoptr (TestJob) job = new_tree ();
  g_autoptr (TestJob) ended = test_job_new_command ("daemon", NULL);
  struct keeper_outcome outcome;

  start_ready (job);
  test_job_stop (job, KEEPER_REASON_CANCELLED, -1);
  test_job_await (job, KEEPER_EVENT_STOPPING);
  test_job_close_control (job);
  g_assert_true (test_job_try_finish (job, IN_CHILD_DEADLINE));
  g_assert_true (test_job_read_outcome (job, &outcome));
  g_assert_cmpuint (outcome.reason, ==, KEEPER_REASON_CANCELLED);

  ended->block.grace = 300 * MSEC;
  test_job_start (ended);
  test_job_await (ended, KEEPER_EVENT_LEADER_EXITED);
  test_job_close_control (ended);
  g_assert_true (test_job_try_finish (ended, IN_CHILD_DEADLINE));
  g_assert_cmpuint (ended->n_left, ==, 0);
  g_assert_true (test_job_read_outcome (ended, &outcome));
  g_assert_cmpuint (outcome.reason, ==, KEEPER_REASON_EXITED);
  g_assert_cmpint (outcome.wait_status, ==, 0);
}

/* A detached job goes on. Its engine may have left events unread: they are no reason to end it. */
static void
test_detach (void)
{
  for (int unread = 0; unread <= 1; unread++)
    {
      g_autoptr (TestJob) job = test_job_new ("read line; echo late; exit 4");
      struct keeper_outcome outcome;
      g_autofree char *output = NULL;

      test_job_use_stdin (job);
      test_job_start (job);
      test_job_get_worker (job);
      if (!unread)
        test_job_await (job, KEEPER_EVENT_STARTED);
      else
        while (job->counters->leader == 0)
          g_usleep (1000);
      /* Both at once, as they come when the engine ends. */
      test_job_freeze (job);
      test_job_ask_type (job, KEEPER_REQUEST_DETACH);
      test_job_close_control (job);
      test_job_thaw (job);
      g_assert_cmpint (write (job->write_fd, "\n", 1), ==, 1);
      g_assert_true (test_job_try_finish (job, IN_CHILD_DEADLINE));
      g_assert_cmpuint (job->n_left, ==, 0);
      g_assert_true (test_job_read_outcome (job, &outcome));
      g_assert_cmpuint (outcome.reason, ==, KEEPER_REASON_EXITED);
      g_assert_cmpint (outcome.wait_status, ==, 4 << 8);
      output = test_job_dup_output (job);
      g_assert_cmpstr (output, ==, "late\n");
    }
}

/* Limits hold without an engine. */
static void
test_detached_limits (void)
{
  g_autoptr (TestJob) job = test_job_new ("exec sleep 1000");
  struct keeper_outcome outcome;

  job->block.timeout = 500 * MSEC;
  test_job_start (job);
  test_job_ask_type (job, KEEPER_REQUEST_DETACH);
  test_job_close_control (job);
  g_assert_true (test_job_try_finish (job, IN_CHILD_DEADLINE));
  g_assert_true (test_job_read_outcome (job, &outcome));
  g_assert_cmpuint (outcome.reason, ==, KEEPER_REASON_TIMEOUT);
  g_assert_cmpint (outcome.leader_end_at - outcome.started_at, >=, 500 * MSEC);
}

/* The engine hangs and reads nothing: however much there is to tell, the end is on disk. */
static void
test_engine_hangs (void)
{
  g_autoptr (TestJob) job = test_job_new ("trap '' TERM; echo ready; while :; do sleep 1000; done");
  struct keeper_outcome outcome;

  start_ready (job);
  for (int i = 0; i < 2000; i++)
    test_job_stop (job, KEEPER_REASON_TERMINATED, IN_CHILD_DEADLINE);
  test_job_kill (job, KEEPER_REASON_KILLED);
  g_assert_true (wait_for_end (job->worker));
  g_assert_true (wait_for_end (job->pid));
  g_assert_true (test_job_read_outcome (job, &outcome));
  g_assert_cmpuint (outcome.reason, ==, KEEPER_REASON_TERMINATED);
  g_assert_true (test_job_try_finish (job, IN_CHILD_DEADLINE));
  g_assert_cmpuint (job->n_left, ==, 0);
}

/* Scratch: without an engine nobody else removes the directory. */
static void
test_scratch (void)
{
  for (int dies = 0; dies <= 1; dies++)
    for (int scratch = 0; scratch <= 1; scratch++)
      {
        g_autoptr (TestJob) job = test_job_new ("echo ready; exec sleep 1000");

        job->block.flags = scratch ? KEEPER_SCRATCH : 0;
        start_ready (job);
        if (dies)
          test_job_close_control (job);
        else
          test_job_kill (job, KEEPER_REASON_KILLED);
        if (!dies)
          test_job_finish (job);
        g_assert_true (test_job_try_finish (job, IN_CHILD_DEADLINE));
        g_assert_cmpint (directory_exists (job), ==, !(dies && scratch));
      }
}

/* The engine dies when the job has ended, and has not read of it. */
static void
test_scratch_unread (void)
{
  g_autofree char *script =
    g_strdup_printf ("exec %s pattern 300000", g_getenv ("STINT_KEEPER_COMMAND"));
  g_autoptr (TestJob) job = test_job_new (script);

  job->block.flags = KEEPER_SCRATCH;
  test_job_use_tee (job, 1);
  test_job_start (job);
  while (job->counters->finished == 0)
    g_usleep (1000);
  test_job_close_control (job);
  g_assert_true (test_job_try_finish (job, IN_CHILD_DEADLINE));
  g_assert_false (directory_exists (job));
}

/* The worker. */

static void
assert_taken_over (TestJob *job)
{
  const struct keeper_outcome *outcome = test_job_finish (job);

  g_assert_cmpuint (outcome->reason, ==, KEEPER_REASON_INTERRUPTED);
  g_assert_cmpint (outcome->has_status, ==, 1);
  g_assert_cmpint (outcome->wait_status, ==, SIGKILL);
  g_assert_cmpint (outcome->pid, ==, test_job_await (job, KEEPER_EVENT_STARTED)->pid);
  g_assert_cmpint (outcome->ended_at, >=, outcome->started_at);
  g_assert_cmpuint (outcome->n_survivors, ==, 0);
}

static void
kill_worker (TestJob *job)
{
  kill (test_job_get_worker (job), SIGKILL);
  /* It is its warden's to reap. */
  job->worker = 0;
}

static void
test_worker_dies (gconstpointer pty)
{
  g_autoptr (TestJob) job = new_tree ();

  if (GPOINTER_TO_INT (pty))
    test_job_use_pty (job, 80, 24);
  start_ready (job);
  test_job_await (job, KEEPER_EVENT_STARTED);
  kill_worker (job);
  assert_taken_over (job);
}

/* What it had not recorded yet is. */
static void
test_worker_dies_output (gconstpointer pty)
{
  const gsize size = GPOINTER_TO_INT (pty) ? 3000 : 500 * KIB;
  g_autofree char *script = g_strdup_printf ("%s echo; read line; %s pattern %" G_GSIZE_FORMAT
                                             "; trap '' TERM; exec sleep 1000",
                                             GPOINTER_TO_INT (pty) ? "stty raw <&1;" : "",
                                             g_getenv ("STINT_KEEPER_COMMAND"), size);
  g_autoptr (TestJob) job = test_job_new (script);
  g_autoptr (GBytes) output = NULL;
  const struct keeper_outcome *outcome;
  pid_t leader;

  if (GPOINTER_TO_INT (pty))
    test_job_use_pty (job, 80, 24);
  test_job_use_stdin (job);
  test_job_start (job);
  test_job_await_bytes (job, 1);
  leader = test_job_get_leader (job);
  test_job_freeze (job);
  g_assert_cmpint (write (job->write_fd, "\n", 1), ==, 1);
  {
    /* Until it has written all and become sleep. */
    g_autofree char *path = g_strdup_printf ("/proc/%d/comm", leader);
    gint64 deadline = g_get_monotonic_time () + IN_CHILD_DEADLINE;

    for (;;)
      {
        g_autofree char *name = NULL;

        if (g_file_get_contents (path, &name, NULL, NULL) && g_str_has_prefix (name, "sleep"))
          break;
        g_assert_cmpint (g_get_monotonic_time (), <, deadline);
        g_usleep (1000);
      }
  }
  kill_worker (job);
  test_job_thaw (job);
  outcome = test_job_finish (job);
  g_assert_cmpuint (outcome->reason, ==, KEEPER_REASON_INTERRUPTED);
  g_assert_cmpuint (outcome->stdout_bytes, ==, 1 + size);
  output = test_job_get_output (job);
  g_assert_cmpuint (g_bytes_get_size (output), ==, 1 + size);
  pattern_assert ((const guint8 *) g_bytes_get_data (output, NULL) + 1, size, 0);
}

/* At any moment, while the job ends of itself: one outcome, a whole one, and never two are told. */
static void
test_worker_dies_any_time (void)
{
  for (int i = 0; i < 100; i++)
    {
      g_autoptr (TestJob) job = test_job_new ("setsid sleep 1000 & echo output; read line; exit 3");
      struct keeper_outcome outcome;
      const struct keeper_event *done;
      int worker_fd;

      test_job_use_stdin (job);
      test_job_start (job);
      /* By then it may have ended, and its pid be another's. */
      worker_fd = (int) syscall (SYS_pidfd_open, test_job_get_worker (job), 0);
      job->worker = 0;
      g_assert_cmpint (write (job->write_fd, "\n", 1), ==, 1);
      g_usleep ((gulong) g_test_rand_int_range (0, 4000));
      syscall (SYS_pidfd_send_signal, worker_fd, SIGKILL, NULL, 0);
      close (worker_fd);

      g_assert_true (test_job_try_finish (job, IN_CHILD_DEADLINE));
      g_assert_cmpuint (job->n_left, ==, 0);
      g_assert_true (test_job_read_outcome (job, &outcome));
      g_assert_cmpuint (test_job_count (job, KEEPER_EVENT_DONE), <=, 1);
      done = test_job_try (job, KEEPER_EVENT_DONE, 0);
      if (done != NULL)
        g_assert_cmpmem (&outcome, sizeof outcome, &done->outcome, sizeof outcome);
      g_assert_true (outcome.reason == KEEPER_REASON_INTERRUPTED ||
                     outcome.reason == KEEPER_REASON_EXITED);
      if (outcome.reason == KEEPER_REASON_EXITED)
        g_assert_cmpint (outcome.wait_status, ==, 3 << 8);
    }
}

/* The command's own status was known already: that one is told. */
static void
test_worker_dies_after_leader (void)
{
  g_autoptr (TestJob) job = test_job_new_command ("daemon", NULL);
  const struct keeper_outcome *outcome;

  test_job_start (job);
  test_job_await (job, KEEPER_EVENT_LEADER_EXITED);
  kill_worker (job);
  outcome = test_job_finish (job);
  g_assert_cmpint (outcome->has_status, ==, 1);
  g_assert_cmpint (outcome->wait_status, ==, 0);
}

/* Whichever half is stopped, the limits hold and the keeper ends. */
static void
test_stopped (gconstpointer which)
{
  g_autoptr (TestJob) job = test_job_new ("setsid sleep 1000 & echo ready; exec sleep 1000");
  const struct keeper_outcome *outcome;

  job->block.timeout = 500 * MSEC;
  start_ready (job);
  if (strchr (which, 'w'))
    {
      kill (job->pid, SIGSTOP);
      g_assert_true (wait_for_state (job->pid, "T"));
    }
  else
    {
      /* It may be running again before anybody can look. */
      kill (test_job_get_worker (job), SIGSTOP);
    }
  outcome = test_job_finish (job);
  g_assert_cmpuint (outcome->reason, ==, KEEPER_REASON_TIMEOUT);
}

/* The control: with nobody to continue it the job is there when its time is over. */
static void
test_stopped_both (void)
{
  g_autoptr (TestJob) job = test_job_new ("echo ready; exec sleep 1000");

  job->block.timeout = 500 * MSEC;
  start_ready (job);
  test_job_freeze (job);
  g_assert_null (test_job_try (job, KEEPER_EVENT_DONE, 1500 * MSEC));
  g_assert_true (wait_for_state (test_job_get_leader (job), "SRD"));
  test_job_thaw (job);
  g_assert_cmpuint (test_job_finish (job)->reason, ==, KEEPER_REASON_TIMEOUT);
}

static void
test_worker_and_engine_die (void)
{
  g_autoptr (TestJob) job = new_tree ();
  struct keeper_outcome outcome;

  job->block.flags = 0;
  start_ready (job);
  test_job_close_control (job);
  kill_worker (job);
  g_assert_true (test_job_try_finish (job, IN_CHILD_DEADLINE));
  g_assert_cmpuint (job->n_left, ==, 0);
  g_assert_true (test_job_read_outcome (job, &outcome));
  g_assert_cmpuint (outcome.reason, ==, KEEPER_REASON_INTERRUPTED);
}

/* The warden. */

static void
test_warden_dies (gconstpointer pty)
{
  g_autoptr (TestJob) job = new_tree ();
  const struct keeper_outcome *outcome;

  if (GPOINTER_TO_INT (pty))
    test_job_use_pty (job, 80, 24);
  start_ready (job);
  kill (job->pid, SIGKILL);
  outcome = test_job_finish (job);
  g_assert_cmpuint (outcome->reason, ==, KEEPER_REASON_INTERRUPTED);
  g_assert_cmpuint (outcome->escalated, ==, 1);
  g_assert_cmpint (outcome->has_status, ==, 1);
}

static void
test_warden_dies_any_time (void)
{
  for (int i = 0; i < 100; i++)
    {
      g_autoptr (TestJob) job = test_job_new ("setsid sleep 1000 & exec sleep 1000");
      const struct keeper_outcome *outcome;

      test_job_start (job);
      test_job_get_worker (job);
      g_usleep ((gulong) g_test_rand_int_range (0, 2000));
      kill (job->pid, SIGKILL);
      outcome = test_job_finish (job);
      g_assert_cmpuint (outcome->reason, ==, KEEPER_REASON_INTERRUPTED);
    }
}

/* Logout: SIGTERM to every process at once, the keeper's too. */
static void
test_logout (void)
{
  for (int i = 0; i < 20; i++)
    {
      g_autoptr (TestJob) job = test_job_new ("setsid sleep 1000 & echo ready; sleep 1000");
      g_autoptr (GArray) members = NULL;
      const struct keeper_outcome *outcome;

      start_ready (job);
      members = process_children (job->worker);
      kill (job->pid, SIGTERM);
      kill (job->worker, SIGTERM);
      for (guint j = 0; j < members->len; j++)
        kill (g_array_index (members, pid_t, j), SIGTERM);
      outcome = test_job_finish (job);
      g_assert_true (outcome->reason == KEEPER_REASON_TERMINATED ||
                     outcome->reason == KEEPER_REASON_SIGNALED);
      g_assert_cmpint (outcome->wait_status, ==, SIGTERM);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/keeper/crash/engine", test_engine_dies);
  g_test_add_func ("/keeper/crash/engine-output", test_engine_dies_output);
  g_test_add_func ("/keeper/crash/engine-at-once", test_engine_dies_at_once);
  g_test_add_func ("/keeper/crash/engine-late", test_engine_dies_late);
  g_test_add_func ("/keeper/crash/engine-hangs", test_engine_hangs);
  g_test_add_func ("/keeper/crash/detach", test_detach);
  g_test_add_func ("/keeper/crash/detached-limits", test_detached_limits);
  g_test_add_func ("/keeper/crash/scratch", test_scratch);
  g_test_add_func ("/keeper/crash/scratch-unread", test_scratch_unread);
  g_test_add_data_func ("/keeper/crash/worker", GINT_TO_POINTER (FALSE), test_worker_dies);
  g_test_add_data_func ("/keeper/crash/worker-pty", GINT_TO_POINTER (TRUE), test_worker_dies);
  g_test_add_data_func ("/keeper/crash/worker-output", GINT_TO_POINTER (FALSE),
                        test_worker_dies_output);
  g_test_add_data_func ("/keeper/crash/worker-output-pty", GINT_TO_POINTER (TRUE),
                        test_worker_dies_output);
  g_test_add_func ("/keeper/crash/worker-any-time", test_worker_dies_any_time);
  g_test_add_func ("/keeper/crash/worker-after-leader", test_worker_dies_after_leader);
  g_test_add_data_func ("/keeper/crash/stopped-warden", "w", test_stopped);
  g_test_add_data_func ("/keeper/crash/stopped-worker", "", test_stopped);
  g_test_add_func ("/keeper/crash/control/stopped-both", test_stopped_both);
  g_test_add_func ("/keeper/crash/worker-and-engine", test_worker_and_engine_die);
  g_test_add_data_func ("/keeper/crash/warden", GINT_TO_POINTER (FALSE), test_warden_dies);
  g_test_add_data_func ("/keeper/crash/warden-pty", GINT_TO_POINTER (TRUE), test_warden_dies);
  g_test_add_func ("/keeper/crash/warden-any-time", test_warden_dies_any_time);
  g_test_add_func ("/keeper/crash/logout", test_logout);

  return g_test_run ();
}
