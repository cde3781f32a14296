/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each of the keeper's protections is seen to matter: with it a check holds, and with it switched off
 * (keeper-without.c) the same check fails. So the checks look, and the protections protect.
 */
#include "in-child.h"
#include "keeper-harness.h"

#include <glib.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define KIB 1024
#define MSEC ((gint64) 1000)
#define SECOND ((gint64) 1000000)

/* How long to wait for an end that may not come: the first is for the true keeper. */
#define PATIENCE (without == NULL ? IN_CHILD_DEADLINE : 3 * SECOND)

/* Each prepares a job, without one protection or (NULL) with all, and returns whether its check holds. */
typedef gboolean (*Check) (const char *without);

static TestJob *
new_job (const char *without, const char *script)
{
  g_autofree char *whole = g_strdup_printf ("C=%s; %s", g_getenv ("STINT_KEEPER_COMMAND"), script);
  TestJob *job = test_job_new (whole);

  if (without != NULL)
    test_job_without (job, without);
  return job;
}

static void
start_ready (TestJob *job)
{
  test_job_start (job);
  test_job_await_text (job, "ready");
}

static const struct keeper_outcome *
get_outcome (TestJob *job)
{
  const struct keeper_event *done = test_job_try (job, KEEPER_EVENT_DONE, 0);

  return done != NULL ? &done->outcome : NULL;
}

/* Returns: whether the job ended in time, and left nothing. */
static gboolean
ends_clean (TestJob *job, gint64 patience)
{
  return test_job_try_finish (job, patience) && job->n_left == 0;
}

static gboolean
output_has (TestJob *job, const char *line)
{
  g_autofree char *output = test_job_dup_output (job);

  return output != NULL && strstr (output, line) != NULL;
}

/* A daemon that forks twice is ended with the job. */
static gboolean
check_daemon (const char *without)
{
  g_autoptr (TestJob) job = new_job (without, "$C daemon; echo ready; exec sleep 1000");

  start_ready (job);
  test_job_kill (job, KEEPER_REASON_KILLED);
  return ends_clean (job, PATIENCE);
}

/* Processes that left the leader's group are ended with the job. */
static gboolean
check_sessions (const char *without)
{
  g_autoptr (TestJob) job = new_job (without, "setsid sh -c 'echo ready; exec sleep 1000' & wait");

  job->block.grace = 300 * MSEC;
  start_ready (job);
  test_job_stop (job, KEEPER_REASON_TERMINATED, -1);
  return ends_clean (job, PATIENCE);
}

/* What ignores SIGTERM is ended by SIGKILL. */
static gboolean
check_stubborn (const char *without)
{
  g_autoptr (TestJob) job =
    new_job (without, "trap '' TERM HUP; echo ready; while :; do sleep 1000; done");

  start_ready (job);
  test_job_stop (job, KEEPER_REASON_TERMINATED, 100 * MSEC);
  return ends_clean (job, PATIENCE) && get_outcome (job)->n_survivors == 0;
}

/* What heeds SIGTERM is not killed. */
static gboolean
check_gentle (const char *without)
{
  g_autoptr (TestJob) job = new_job (without, "echo ready; exec sleep 1000");

  start_ready (job);
  test_job_stop (job, KEEPER_REASON_TERMINATED, without == NULL ? IN_CHILD_DEADLINE : 500 * MSEC);
  return ends_clean (job, PATIENCE) && !get_outcome (job)->escalated;
}

/* An interactive shell ends with its terminal, within the grace. */
static gboolean
check_shell (const char *without)
{
  static const char input[] = "sleep 1000 & sleep 1000 & disown; echo rea''dy; sleep 1000\n";
  g_autoptr (TestJob) job = new_job (without, "exec bash --norc --noprofile -i");

  test_job_use_pty (job, 80, 24);
  test_job_start (job);
  g_assert_cmpint (write (job->pty_fd, input, strlen (input)), ==, (gssize) strlen (input));
  test_job_await_text (job, "ready");
  test_job_await_children (job, 3, "sleep");
  test_job_stop (job, KEEPER_REASON_TERMINATED, without == NULL ? IN_CHILD_DEADLINE : 500 * MSEC);
  return ends_clean (job, PATIENCE) && !get_outcome (job)->escalated;
}

/* A stopped job hears of its end. */
static gboolean
check_stopped (const char *without)
{
  g_autoptr (TestJob) job = new_job (without, "echo ready; kill -STOP $$; sleep 1000");

  start_ready (job);
  g_assert_true (wait_for_state (test_job_get_leader (job), "T"));
  test_job_stop (job, KEEPER_REASON_TERMINATED, without == NULL ? IN_CHILD_DEADLINE : 500 * MSEC);
  return ends_clean (job, PATIENCE) && !get_outcome (job)->escalated;
}

/* Pause stops the tree. */
static gboolean
check_pause (const char *without)
{
  g_autoptr (TestJob) job = new_job (without, "echo ready; exec sleep 1000");
  guint64 index_size;
  gboolean stopped;
  pid_t leader;

  start_ready (job);
  index_size = job->counters->index_size;
  test_job_ask_type (job, KEEPER_REQUEST_PAUSE);
  /* What comes after it has been done: then it has been done too. */
  test_job_ask_type (job, KEEPER_REQUEST_RESIZED);
  while (job->counters->index_size == index_size)
    g_usleep (1000);
  leader = test_job_get_leader (job);
  stopped = without == NULL ? wait_for_state (leader, "T") : process_state (leader) == 'T';
  test_job_kill (job, KEEPER_REASON_KILLED);
  return ends_clean (job, IN_CHILD_DEADLINE) && stopped;
}

/* Every byte that was written before the end is in the transcript. */
static gboolean
check_last_bytes (const char *without)
{
  g_autoptr (TestJob) job = new_job (without, "echo; read line; exec $C pattern 1000000");
  guint64 bytes;

  test_job_use_stdin (job);
  test_job_start (job);
  test_job_await_bytes (job, 1);
  test_job_freeze (job);
  g_assert_cmpint (write (job->write_fd, "\n", 1), ==, 1);
  g_assert_true (wait_for_end (test_job_get_leader (job)));
  test_job_thaw (job);
  g_assert_true (ends_clean (job, IN_CHILD_DEADLINE));
  bytes = get_outcome (job)->stdout_bytes;
  return bytes == 1000001;
}

/* The worker's death is the end of the job, and it is told. */
static gboolean
check_worker_dies (const char *without)
{
  g_autoptr (TestJob) job = new_job (without, "setsid sleep 1000 & echo ready; wait");
  struct keeper_outcome outcome;

  start_ready (job);
  kill (test_job_get_worker (job), SIGKILL);
  job->worker = 0;
  return ends_clean (job, PATIENCE) && test_job_read_outcome (job, &outcome);
}

/* So is the warden's. */
static gboolean
check_warden_dies (const char *without)
{
  g_autoptr (TestJob) job = new_job (without, "echo ready; exec sleep 1000");
  struct keeper_outcome outcome;

  start_ready (job);
  test_job_get_worker (job);
  kill (job->pid, SIGKILL);
  return ends_clean (job, PATIENCE) && test_job_read_outcome (job, &outcome);
}

/* And the engine's. */
static gboolean
check_engine_dies (const char *without)
{
  g_autoptr (TestJob) job = new_job (without, "echo ready; exec sleep 1000");

  start_ready (job);
  test_job_get_worker (job);
  test_job_close_control (job);
  return ends_clean (job, PATIENCE);
}

static gboolean
check_timeout (const char *without)
{
  g_autoptr (TestJob) job = new_job (without, "echo ready; exec sleep 1000");

  job->block.timeout = 200 * MSEC;
  start_ready (job);
  return ends_clean (job, PATIENCE);
}

/* A job that waits for its reader is not idle. */
static gboolean
check_slow_reader (const char *without)
{
  g_autoptr (TestJob) job = new_job (without, "exec $C pattern 1000000000");
  gboolean stopped;

  test_job_use_tee (job, 1);
  test_job_start (job);
  test_job_await_bytes (job, 64 * KIB);
  /* From now on: what comes before the stall would be an accident. */
  test_job_try (job, KEEPER_EVENT_DONE, 500 * MSEC);
  test_job_set_limits (job, KEEPER_NEVER, 300 * MSEC, KEEPER_IDLE_TERMINATE);
  stopped = test_job_try (job, KEEPER_EVENT_STOPPING, 1500 * MSEC) != NULL;
  test_job_kill (job, KEEPER_REASON_KILLED);
  test_job_await (job, KEEPER_EVENT_DONE);
  test_job_close_control (job);
  return ends_clean (job, IN_CHILD_DEADLINE) && !stopped;
}

/* The reader cannot hold up the keeper itself. */
static gboolean
check_reader_blocks (const char *without)
{
  g_autoptr (TestJob) job = new_job (without, "exec $C pattern 1000000000");
  gboolean ended;

  test_job_use_tee (job, 1);
  test_job_start (job);
  test_job_await_bytes (job, 64 * KIB);
  test_job_get_worker (job);
  test_job_try (job, KEEPER_EVENT_DONE, 500 * MSEC);
  test_job_kill (job, KEEPER_REASON_KILLED);
  ended = test_job_try (job, KEEPER_EVENT_DONE, PATIENCE) != NULL;
  test_job_close_control (job);
  test_job_try_finish (job, without == NULL ? IN_CHILD_DEADLINE : 100 * MSEC);
  return ended;
}

static TestJob *
run_state (const char *without)
{
  g_autoptr (TestJob) job = new_job (without, "exec $C state");

  job->stray = true;
  test_job_start (job);
  g_assert_true (ends_clean (job, IN_CHILD_DEADLINE));
  return g_steal_pointer (&job);
}

static gboolean
check_descriptors (const char *without)
{
  g_autoptr (TestJob) job = run_state (without);

  return output_has (job, "fds: 0 1 2\n");
}

static gboolean
check_dispositions (const char *without)
{
  g_autoptr (TestJob) job = run_state (without);

  return output_has (job, "SigIgn:\t0000000000000000\n");
}

static gboolean
check_session (const char *without)
{
  g_autoptr (TestJob) job = run_state (without);

  return output_has (job, "leads session: 1\n") && output_has (job, "leads group: 1\n");
}

/* There are no more descriptors: still nothing is overlooked. */
static gboolean
check_no_descriptors (const char *without)
{
  g_autoptr (TestJob) job = new_job (without, "setsid sleep 1000 & echo ready; exec sleep 1000");
  struct rlimit limit = { 0 };
  g_autofree char *path = NULL;

  start_ready (job);
  /* What tells it of that it has closed by then. */
  test_job_await (job, KEEPER_EVENT_STARTED);
  /* In a session of its own, out of reach of the group's signal. */
  test_job_await_children (job, 1, "sleep");
  path = g_strdup_printf ("/proc/%d/fd/0", test_job_get_worker (job));
  while (g_file_test (path, G_FILE_TEST_IS_SYMLINK))
    {
      g_free (path);
      path = g_strdup_printf ("/proc/%d/fd/%d", job->worker, (int) ++limit.rlim_cur);
    }
  limit.rlim_max = limit.rlim_cur;
  g_assert_no_errno (prlimit (job->worker, RLIMIT_NOFILE, &limit, NULL));
  test_job_kill (job, KEEPER_REASON_KILLED);
  return ends_clean (job, PATIENCE);
}

static const struct
{
  const char *protection;
  Check check;
} controls[] = {
  { "subreaper", check_daemon },
  { "tree", check_sessions },
  { "sigkill", check_stubborn },
  { "sigterm", check_gentle },
  { "hangup", check_shell },
  { "continue", check_stopped },
  { "freeze", check_pause },
  { "drain", check_last_bytes },
  { "takeover", check_worker_dies },
  { "deathsig", check_warden_dies },
  { "end-of-file", check_engine_dies },
  { "limits", check_timeout },
  { "hold", check_slow_reader },
  { "nonblocking", check_reader_blocks },
  { "close-range", check_descriptors },
  { "reset-signals", check_dispositions },
  { "session", check_session },
  { "reserve", check_no_descriptors },
};

static void
test_control (gconstpointer data)
{
  gsize i = GPOINTER_TO_SIZE (data);

  g_assert_true (controls[i].check (NULL));
  g_assert_false (controls[i].check (controls[i].protection));
}

/* Without anything switched off it is the keeper itself: the wrapping changes nothing. */
static void
test_same (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (controls); i++)
    {
      g_autofree char *keeper = g_strdup (g_getenv ("STINT_KEEPER"));
      g_autofree char *other =
        g_build_filename (g_getenv ("STINT_KEEPER_WITHOUT_DIR"), "keeper-without", NULL);

      g_setenv ("STINT_KEEPER", other, TRUE);
      g_assert_true (controls[i].check (NULL));
      g_setenv ("STINT_KEEPER", keeper, TRUE);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (controls); i++)
    {
      g_autofree char *path = g_strdup_printf ("/keeper/control/%s", controls[i].protection);

      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_control);
    }
  g_test_add_func ("/keeper/control/same", test_same);

  return g_test_run ();
}
