/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The real keeper: what is asked of it while the job runs, its limits, and that whatever a job does to
 * stay, it goes.
 */
#include "in-child.h"
#include "keeper-harness.h"

#include <errno.h>
#include <glib.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define MSEC ((gint64) 1000)
#define SECOND ((gint64) 1000000)

/* Says that it is ready, then ignores what can be ignored. */
#define STUBBORN "trap '' TERM HUP INT; echo ready; while :; do sleep 1000; done"

/* The same from within a session of its own. */
#define IN_SESSION "setsid sh -c 'echo ready; exec sleep 1000'"

static TestJob *
start_ready (const char *script)
{
  TestJob *job = test_job_new (script);

  test_job_start (job);
  test_job_await_text (job, "ready");
  return job;
}

static void
assert_signaled (const struct keeper_outcome *outcome, int signal)
{
  g_assert_cmpint (outcome->has_status, ==, 1);
  g_assert_true (WIFSIGNALED (outcome->wait_status));
  g_assert_cmpint (WTERMSIG (outcome->wait_status), ==, signal);
}

static void
assert_all_in_state (TestJob *job, pid_t pid, const char *letters)
{
  g_autoptr (GArray) children = process_children (pid);

  g_assert_true (wait_for_state (pid, letters));
  for (guint i = 0; i < children->len; i++)
    assert_all_in_state (job, g_array_index (children, pid_t, i), letters);
}

/* Requests. */

static void
test_stop (void)
{
  g_autoptr (TestJob) job = start_ready ("sleep 1000 & " IN_SESSION " & wait");
  const struct keeper_event *stopping;
  const struct keeper_outcome *outcome;

  test_job_stop (job, KEEPER_REASON_TERMINATED, 50 * SECOND);
  stopping = test_job_await (job, KEEPER_EVENT_STOPPING);
  g_assert_cmpuint (stopping->reason, ==, KEEPER_REASON_TERMINATED);
  g_assert_cmpint (stopping->kill_at, ==, stopping->at + 50 * SECOND);
  outcome = test_job_finish (job);
  g_assert_cmpuint (outcome->reason, ==, KEEPER_REASON_TERMINATED);
  assert_signaled (outcome, SIGTERM);
  g_assert_cmpuint (outcome->escalated, ==, 0);
  g_assert_cmpuint (outcome->leftovers, ==, 0);
}

/* A negative grace is the launch block's. */
static void
test_stop_default_grace (void)
{
  g_autoptr (TestJob) job = test_job_new (STUBBORN);
  const struct keeper_event *stopping, *escalated;
  const struct keeper_outcome *outcome;

  job->block.grace = 300 * MSEC;
  test_job_start (job);
  test_job_await_text (job, "ready");
  test_job_stop (job, KEEPER_REASON_CANCELLED, -1);
  stopping = test_job_await (job, KEEPER_EVENT_STOPPING);
  g_assert_cmpint (stopping->kill_at, ==, stopping->at + 300 * MSEC);
  escalated = test_job_await (job, KEEPER_EVENT_ESCALATED);
  g_assert_cmpint (escalated->at, >=, stopping->kill_at);
  outcome = test_job_finish (job);
  g_assert_cmpuint (outcome->reason, ==, KEEPER_REASON_CANCELLED);
  g_assert_cmpuint (outcome->escalated, ==, 1);
  assert_signaled (outcome, SIGKILL);
}

static void
test_kill (void)
{
  g_autoptr (TestJob) job = start_ready (STUBBORN);
  const struct keeper_outcome *outcome;

  test_job_kill (job, KEEPER_REASON_KILLED);
  outcome = test_job_finish (job);
  g_assert_cmpuint (outcome->reason, ==, KEEPER_REASON_KILLED);
  g_assert_cmpuint (outcome->leftovers, ==, 0);
  assert_signaled (outcome, SIGKILL);
}

/* A grace of nothing is Kill. */
static void
test_stop_without_grace (void)
{
  g_autoptr (TestJob) job = start_ready (STUBBORN);

  test_job_stop (job, KEEPER_REASON_TERMINATED, 0);
  g_assert_cmpuint (test_job_finish (job)->reason, ==, KEEPER_REASON_TERMINATED);
}

/* Terminate twenty times, then Kill: one SIGTERM, one grace, one end. */
static void
test_stop_again (void)
{
  g_autoptr (TestJob) job = test_job_new_command ("terms", NULL);
  const struct keeper_outcome *outcome;
  g_autofree char *output = NULL;
  gint64 kill_at;

  test_job_start (job);
  test_job_await_text (job, "ready");
  for (int i = 0; i < 20; i++)
    test_job_stop (job, KEEPER_REASON_TERMINATED, IN_CHILD_DEADLINE);
  kill_at = test_job_await (job, KEEPER_EVENT_STOPPING)->kill_at;
  test_job_await_text (job, "term 1");
  test_job_kill (job, KEEPER_REASON_KILLED);
  outcome = test_job_finish (job);
  for (guint i = 0; i < job->events->len; i++)
    {
      const struct keeper_event *event = &g_array_index (job->events, struct keeper_event, i);

      if (event->type == KEEPER_EVENT_STOPPING)
        g_assert_cmpint (event->kill_at, <=, kill_at);
    }
  output = test_job_dup_output (job);
  g_assert_cmpstr (output, ==, "ready\nterm 1\n");
  g_assert_cmpuint (outcome->reason, ==, KEEPER_REASON_TERMINATED);
  g_assert_cmpuint (outcome->escalated, ==, 1);
}

/* Before the keeper has even looked. */
static void
test_stop_at_once (void)
{
  for (int i = 0; i < 50; i++)
    {
      g_autoptr (TestJob) job = test_job_new ("exec sleep 1000");
      const struct keeper_outcome *outcome;

      test_job_start (job);
      if (i % 2 == 0)
        test_job_stop (job, KEEPER_REASON_TERMINATED, -1);
      else
        test_job_kill (job, KEEPER_REASON_KILLED);
      outcome = test_job_finish (job);
      g_assert_cmpuint (outcome->reason, ==,
                        i % 2 == 0 ? KEEPER_REASON_TERMINATED : KEEPER_REASON_KILLED);
    }
}

static void
test_first_cause (void)
{
  static const struct
  {
    gint64 timeout, idle;
    enum keeper_reason asked, expected;
  } cases[] = {
    { 100 * MSEC, 0, KEEPER_REASON_NONE, KEEPER_REASON_TIMEOUT },
    { 0, 100 * MSEC, KEEPER_REASON_NONE, KEEPER_REASON_IDLE_TIMEOUT },
    { 0, 0, KEEPER_REASON_CANCELLED, KEEPER_REASON_CANCELLED },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (TestJob) job = start_ready (STUBBORN);

      test_job_set_limits (job,
                           cases[i].timeout > 0 ? g_get_monotonic_time () + cases[i].timeout
                                                : KEEPER_NEVER,
                           cases[i].idle, KEEPER_IDLE_TERMINATE);
      if (cases[i].asked != KEEPER_REASON_NONE)
        test_job_stop (job, cases[i].asked, -1);
      test_job_await (job, KEEPER_EVENT_STOPPING);
      test_job_stop (job, KEEPER_REASON_TERMINATED, -1);
      test_job_kill (job, KEEPER_REASON_KILLED);
      g_assert_cmpuint (test_job_finish (job)->reason, ==, cases[i].expected);
    }
}

/* Of both limits at once, one. */
static void
test_both_limits (void)
{
  g_autoptr (TestJob) job = start_ready ("echo ready; exec sleep 1000");

  test_job_set_limits (job, g_get_monotonic_time () - 1, 1, KEEPER_IDLE_TERMINATE);
  g_assert_cmpuint (test_job_finish (job)->reason, ==, KEEPER_REASON_TIMEOUT);
  g_assert_cmpuint (test_job_count (job, KEEPER_EVENT_STOPPING), ==, 2); /* and with the status */
}

static void
test_signals_to_keeper (void)
{
  static const int signals[] = { SIGTERM, SIGINT, SIGHUP };

  for (gsize i = 0; i < G_N_ELEMENTS (signals); i++)
    for (int to_worker = 0; to_worker <= 2; to_worker++)
      {
        g_autoptr (TestJob) job = start_ready (IN_SESSION " & wait");
        const struct keeper_outcome *outcome;
        pid_t worker = test_job_get_worker (job);

        if (to_worker != 1)
          kill (job->pid, signals[i]);
        if (to_worker != 0)
          kill (worker, signals[i]);
        outcome = test_job_finish (job);
        g_assert_cmpuint (outcome->reason, ==, KEEPER_REASON_TERMINATED);
        g_assert_cmpuint (outcome->escalated, ==, 0);
      }
}

/* Right after the start, before it listens. */
static void
test_signal_at_once (void)
{
  for (int i = 0; i < 50; i++)
    {
      g_autoptr (TestJob) job = test_job_new ("exec sleep 1000");

      test_job_start (job);
      test_job_get_worker (job);
      kill (job->pid, SIGTERM);
      g_assert_cmpuint (test_job_finish (job)->reason, ==, KEEPER_REASON_TERMINATED);
    }
}

/* What is no request of this build does no harm. */
static void
test_garbage_requests (void)
{
  g_autoptr (TestJob) job = test_job_new ("read line; exit 5");
  struct keeper_request request = { .type = 4711 };
  char bytes[4096] = { 0 };

  test_job_use_stdin (job);
  test_job_start (job);
  test_job_ask (job, &request);
  for (gsize size = 1; size <= sizeof bytes; size = size * 3 + 1)
    if (size != sizeof request)
      g_assert_cmpint (send (job->control_fd, bytes, size, MSG_NOSIGNAL), ==, (gssize) size);
  g_assert_cmpint (write (job->write_fd, "\n", 1), ==, 1);
  g_assert_cmpint (test_job_finish (job)->wait_status, ==, 5 << 8);
}

/* Jobs that would rather stay. */

static void
assert_ends (TestJob *job, bool escalated)
{
  const struct keeper_outcome *outcome = test_job_finish (job);

  g_assert_cmpuint (outcome->reason, ==, KEEPER_REASON_TERMINATED);
  g_assert_cmpuint (outcome->escalated, ==, escalated);
  g_assert_cmpuint (outcome->n_survivors, ==, 0);
}

static void
test_leader_ends_first (void)
{
  g_autoptr (TestJob) job =
    start_ready ("trap 'exit 6' TERM; (trap '' TERM HUP; echo ready; while :; do sleep 1000; done) & wait");
  const struct keeper_event *exited;

  test_job_stop (job, KEEPER_REASON_TERMINATED, 300 * MSEC);
  exited = test_job_await (job, KEEPER_EVENT_LEADER_EXITED);
  g_assert_cmpint (exited->wait_status, ==, 6 << 8);
  g_assert_null (test_job_try (job, KEEPER_EVENT_DONE, 0));
  assert_ends (job, true);
}

/* It ends just when the keeper gives it up: it is no survivor, and how it ended is known. */
static void
test_given_up_too_soon (void)
{
  g_autoptr (TestJob) job = test_job_new ("echo ready; exec sleep 1000");
  const struct keeper_outcome *outcome;

  test_job_without (job, "haste");
  test_job_start (job);
  test_job_await_text (job, "ready");
  test_job_kill (job, KEEPER_REASON_KILLED);
  outcome = test_job_finish (job);
  g_assert_cmpuint (outcome->reason, ==, KEEPER_REASON_KILLED);
  g_assert_cmpuint (outcome->n_survivors, ==, 0);
  g_assert_cmpuint (outcome->has_status, ==, 1);
  g_assert_cmpint (outcome->wait_status, ==, SIGKILL);
}

static void
test_stopped_job (void)
{
  g_autoptr (TestJob) job = start_ready ("sleep 1000 & " IN_SESSION " & wait");

  kill (-test_job_get_leader (job), SIGSTOP);
  g_assert_true (wait_for_state (test_job_get_leader (job), "T"));
  test_job_stop (job, KEEPER_REASON_TERMINATED, IN_CHILD_DEADLINE);
  assert_ends (job, false);
}

static void
test_daemons (void)
{
  static const char *const scripts[] = {
    "$C daemon; $C daemon keep; echo ready; exec sleep 1000",
    "nohup sleep 1000 & (trap '' HUP; exec sleep 1000) & echo ready; wait",
    "setsid setsid setsid sleep 1000 & (setsid sleep 1000 &) ; echo ready; exec sleep 1000",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (scripts); i++)
    {
      g_autofree char *script =
        g_strdup_printf ("C=%s; %s", g_getenv ("STINT_KEEPER_COMMAND"), scripts[i]);
      g_autoptr (TestJob) job = start_ready (script);

      test_job_stop (job, KEEPER_REASON_TERMINATED, 300 * MSEC);
      assert_ends (job, i == 0);
    }
}

static void
test_fork_bomb (void)
{
  for (int gently = 0; gently <= 1; gently++)
    {
      g_autoptr (TestJob) job = test_job_new_command ("bomb", NULL);
      const struct keeper_outcome *outcome;
      gint64 asked;

      test_job_start (job);
      test_job_await_text (job, "ready");
      asked = g_get_monotonic_time ();
      if (gently)
        test_job_stop (job, KEEPER_REASON_TERMINATED, 200 * MSEC);
      else
        test_job_kill (job, KEEPER_REASON_KILLED);
      outcome = test_job_finish (job);
      g_assert_cmpuint (outcome->n_survivors, ==, 0);
      g_test_message ("ended after %.1f ms", (double) (outcome->ended_at - asked) / 1000);
    }
}

/* An interactive shell ignores SIGTERM: it goes with its terminal, and its jobs with it. */
static void
test_interactive_shell (void)
{
  g_autoptr (TestJob) job = test_job_new_argv (
    (const char *const[]) { "bash", "--norc", "--noprofile", "-i", NULL });
  static const char input[] = "sleep 1000 &\nsleep 1000 & disown\necho rea''dy; sleep 1000\n";

  test_job_use_pty (job, 80, 24);
  test_job_start (job);
  g_assert_cmpint (write (job->pty_fd, input, strlen (input)), ==, (gssize) strlen (input));
  test_job_await_text (job, "ready");
  test_job_await_children (job, 3, "sleep");
  test_job_stop (job, KEEPER_REASON_TERMINATED, IN_CHILD_DEADLINE);
  assert_ends (job, false);
}

/* Pause. */

static void
test_pause (void)
{
  g_autoptr (TestJob) job =
    test_job_new ("sleep 1000 & " IN_SESSION " & read line; exit 8");
  pid_t leader;

  test_job_use_stdin (job);
  test_job_start (job);
  test_job_await_text (job, "ready");
  leader = test_job_get_leader (job);
  test_job_ask_type (job, KEEPER_REQUEST_PAUSE);
  assert_all_in_state (job, leader, "T");
  test_job_ask_type (job, KEEPER_REQUEST_RESUME);
  assert_all_in_state (job, leader, "SR");
  g_assert_cmpint (write (job->write_fd, "\n", 1), ==, 1);
  g_assert_cmpint (test_job_finish (job)->wait_status, ==, 8 << 8);
}

static void
test_pause_and_stop (void)
{
  g_autoptr (TestJob) job = start_ready ("sleep 1000 & " IN_SESSION " & wait");

  test_job_ask_type (job, KEEPER_REQUEST_PAUSE);
  assert_all_in_state (job, test_job_get_leader (job), "T");
  test_job_stop (job, KEEPER_REASON_TERMINATED, IN_CHILD_DEADLINE);
  assert_ends (job, false);
}

/* Paused for longer than both limits: they stand still. */
static void
test_pause_and_limits (void)
{
  g_autoptr (TestJob) job = start_ready ("echo ready; exec sleep 1000");
  const struct keeper_event *stopping;
  gint64 resumed;

  test_job_ask_type (job, KEEPER_REQUEST_PAUSE);
  g_assert_true (wait_for_state (test_job_get_leader (job), "T"));
  test_job_set_limits (job, g_get_monotonic_time () + 300 * MSEC, 200 * MSEC, KEEPER_IDLE_TERMINATE);
  g_assert_null (test_job_try (job, KEEPER_EVENT_STOPPING, 800 * MSEC));
  resumed = g_get_monotonic_time ();
  test_job_ask_type (job, KEEPER_REQUEST_RESUME);
  stopping = test_job_await (job, KEEPER_EVENT_STOPPING);
  g_assert_cmpint (stopping->at, >=, resumed + 200 * MSEC);
  g_assert_cmpuint (test_job_finish (job)->reason, ==, KEEPER_REASON_IDLE_TIMEOUT);
}

/* The last output lies before the pause: the silence since then goes on after it, and no more. */
static void
test_output_before_pause (void)
{
  g_autoptr (TestJob) job = test_job_new ("read line; echo ready; exec sleep 1000");
  const gint64 idle = 2 * SECOND;
  gint64 paused, stood;

  job->block.idle = idle;
  test_job_use_stdin (job);
  test_job_start (job);
  test_job_await (job, KEEPER_EVENT_STARTED);
  g_assert_null (test_job_try (job, KEEPER_EVENT_STOPPING, idle / 3));
  g_assert_cmpint (write (job->write_fd, "\n", 1), ==, 1);
  test_job_await_text (job, "ready");

  test_job_ask_type (job, KEEPER_REQUEST_PAUSE);
  g_assert_true (wait_for_state (test_job_get_leader (job), "T"));
  paused = g_get_monotonic_time ();
  g_assert_null (test_job_try (job, KEEPER_EVENT_STOPPING, idle / 2));
  stood = g_get_monotonic_time () - paused;
  test_job_ask_type (job, KEEPER_REQUEST_RESUME);
  g_assert_cmpint (test_job_await (job, KEEPER_EVENT_STOPPING)->at, >=,
                   job->counters->last_output[0] + stood + idle);
  g_assert_cmpuint (test_job_finish (job)->reason, ==, KEEPER_REASON_IDLE_TIMEOUT);
}

/* Limits. */

static void
test_timeout (void)
{
  g_autoptr (TestJob) job = test_job_new ("while :; do echo x; sleep 0.05; done");
  const struct keeper_event *stopping;

  job->block.timeout = 500 * MSEC;
  job->block.idle = 400 * SECOND;
  test_job_start (job);
  stopping = test_job_await (job, KEEPER_EVENT_STOPPING);
  g_assert_cmpint (stopping->at - test_job_await (job, KEEPER_EVENT_STARTED)->at, >=, 500 * MSEC);
  g_assert_cmpuint (test_job_finish (job)->reason, ==, KEEPER_REASON_TIMEOUT);
}

static void
test_timeout_extended (void)
{
  g_autoptr (TestJob) job = start_ready ("echo ready; exec sleep 1000");
  gint64 now = g_get_monotonic_time ();

  test_job_set_limits (job, now + 200 * SECOND, 0, KEEPER_IDLE_TERMINATE);
  test_job_set_limits (job, now + 300 * MSEC, 0, KEEPER_IDLE_TERMINATE);
  test_job_set_limits (job, now + 900 * MSEC, 0, KEEPER_IDLE_TERMINATE);
  g_assert_cmpint (test_job_await (job, KEEPER_EVENT_STOPPING)->at, >=, now + 900 * MSEC);
  g_assert_cmpuint (test_job_finish (job)->reason, ==, KEEPER_REASON_TIMEOUT);
}

/* Any byte on any stream is a sign of life, and the silence is counted from the last. */
static void
test_idle (void)
{
  static const char *const outputs[] = {
    "printf x",
    "printf '\\r'",
    "printf x >&2",
    "printf '\\n'",
    "echo a line",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (outputs); i++)
    {
      g_autofree char *script =
        g_strdup_printf ("for i in 1 2 3; do sleep 0.15; %s; done; exec sleep 1000", outputs[i]);
      g_autoptr (TestJob) job = test_job_new (script);
      const struct keeper_event *stopping;

      job->block.idle = 1 * SECOND;
      test_job_start (job);
      stopping = test_job_await (job, KEEPER_EVENT_STOPPING);
      g_assert_cmpint (stopping->at, >=,
                       MAX (job->counters->last_output[0], job->counters->last_output[1]) +
                         1 * SECOND);
      g_assert_cmpint (stopping->at, >=, test_job_await (job, KEEPER_EVENT_STARTED)->at + 1400 * MSEC);
      g_assert_cmpuint (test_job_finish (job)->reason, ==, KEEPER_REASON_IDLE_TIMEOUT);
    }
}

/* Output just inside the limit: it never fires. */
static void
test_idle_inside (void)
{
  g_autoptr (TestJob) job =
    test_job_new ("i=0; while [ $i -lt 40 ]; do sleep 0.1; echo x; i=$((i+1)); done");

  job->block.idle = 2 * SECOND;
  test_job_start (job);
  g_assert_cmpuint (test_job_finish (job)->reason, ==, KEEPER_REASON_EXITED);
}

static void
test_activity (void)
{
  g_autoptr (TestJob) job = test_job_new ("exec sleep 1000");
  gint64 last = 0;

  job->block.idle = 1 * SECOND;
  test_job_start (job);
  test_job_await (job, KEEPER_EVENT_STARTED);
  for (int i = 0; i < 8; i++)
    {
      g_assert_null (test_job_try (job, KEEPER_EVENT_STOPPING, 200 * MSEC));
      last = g_get_monotonic_time ();
      test_job_ask_type (job, KEEPER_REQUEST_ACTIVITY);
    }
  g_assert_cmpint (test_job_await (job, KEEPER_EVENT_STOPPING)->at, >=, last + 1 * SECOND);
  g_assert_cmpuint (test_job_finish (job)->reason, ==, KEEPER_REASON_IDLE_TIMEOUT);
}

/* Told once for each silence, and the job goes on. */
static void
test_notify (void)
{
  g_autoptr (TestJob) job = test_job_new ("read line; echo x; read line; echo y; exec sleep 1000");
  const gint64 idle = 300 * MSEC;

  job->block.idle = idle;
  job->block.idle_action = KEEPER_IDLE_NOTIFY;
  test_job_use_stdin (job);
  test_job_start (job);
  for (guint i = 0; i < 3; i++)
    {
      const struct keeper_event *expired = test_job_await_nth (job, KEEPER_EVENT_IDLE_EXPIRED, i);

      g_assert_cmpint (expired->at, >=, job->counters->last_output[0] + idle);
      /* Nothing else comes of it. */
      g_assert_null (test_job_try (job, KEEPER_EVENT_STOPPING, 3 * idle));
      g_assert_cmpuint (test_job_count (job, KEEPER_EVENT_IDLE_EXPIRED), ==, i + 1);
      if (i < 2)
        g_assert_cmpint (write (job->write_fd, "\n", 1), ==, 1);
    }
  test_job_kill (job, KEEPER_REASON_KILLED);
  test_job_finish (job);
}

/* The silence has been told of, and is now to end the job. */
static void
test_notify_then_terminate (void)
{
  g_autoptr (TestJob) job = test_job_new ("exec sleep 1000");

  job->block.idle = 200 * MSEC;
  job->block.idle_action = KEEPER_IDLE_NOTIFY;
  test_job_start (job);
  test_job_await (job, KEEPER_EVENT_IDLE_EXPIRED);
  test_job_set_limits (job, KEEPER_NEVER, 300 * MSEC, KEEPER_IDLE_TERMINATE);
  if (test_job_try (job, KEEPER_EVENT_STOPPING, 20 * SECOND) == NULL)
    g_test_fail_printf ("A silence that was told of does not end the job any more");
  test_job_kill (job, KEEPER_REASON_KILLED);
  g_assert_cmpuint (test_job_finish (job)->reason, ==, KEEPER_REASON_IDLE_TIMEOUT);
}

/* The terminal. */

static const struct keeper_index_record *
find_resize (GBytes *index, guint nth)
{
  gsize size;
  const struct keeper_index_record *records = g_bytes_get_data (index, &size);

  for (gsize i = 0; i < size / sizeof *records; i++)
    if (records[i].kind == KEEPER_INDEX_RESIZE && nth-- == 0)
      return &records[i];
  return NULL;
}

static void
test_resized (void)
{
  g_autoptr (TestJob) job =
    test_job_new ("trap 'stty size; exit' WINCH; echo ready; while :; do sleep 0.05; done");
  const struct winsize size = { .ws_col = 100, .ws_row = 30 };
  g_autoptr (GBytes) index = NULL;
  g_autofree char *output = NULL;

  test_job_use_pty (job, 80, 24);
  test_job_start (job);
  test_job_await_text (job, "ready");
  g_assert_no_errno (ioctl (job->pty_fd, TIOCSWINSZ, &size));
  test_job_ask (job, &(struct keeper_request) {
                       .type = KEEPER_REQUEST_RESIZED,
                       .columns = 100,
                       .rows = 30,
                     });
  test_job_finish (job);
  output = test_job_dup_output (job);
  g_assert_nonnull (strstr (output, "30 100"));
  index = job_directory_read (job->directory, KEEPER_FILE_INDEX);
  g_assert_cmpuint (find_resize (index, 0)->value, ==, 80 << 16 | 24);
  g_assert_cmpuint (find_resize (index, 0)->offset, ==, 0);
  g_assert_cmpuint (find_resize (index, 1)->value, ==, 100 << 16 | 30);
}

/* A repaint is no sign of life. */
static void
test_repaint (void)
{
  g_autoptr (TestJob) job =
    test_job_new ("trap 'echo repaint' WINCH; echo ready; while :; do read line; done");
  const gint64 idle = 2 * SECOND;
  struct winsize size = { .ws_col = 100, .ws_row = 30 };
  const struct keeper_event *stopping;
  gint64 last;

  job->block.idle = idle;
  test_job_use_pty (job, 80, 24);
  test_job_start (job);
  test_job_await_text (job, "ready");
  last = job->counters->last_output[0];
  for (int i = 0; i < 10; i++)
    {
      size.ws_row++;
      test_job_ask (job, &(struct keeper_request) {
                           .type = KEEPER_REQUEST_RESIZED,
                           .columns = size.ws_col,
                           .rows = size.ws_row,
                         });
      g_assert_no_errno (ioctl (job->pty_fd, TIOCSWINSZ, &size));
      if (test_job_try (job, KEEPER_EVENT_STOPPING, 100 * MSEC) != NULL)
        break;
    }
  stopping = test_job_await (job, KEEPER_EVENT_STOPPING);
  g_assert_cmpint (stopping->at, >=, last + idle);
  /* On a busy machine a repaint may come late; then it counts, and this says nothing. */
  if (job->counters->last_output[0] + idle <= stopping->at)
    g_test_message ("The repaints came too late to be taken for such");
  else
    g_assert_cmpint (stopping->at, <, job->counters->last_output[0] + idle);
  g_assert_cmpuint (test_job_finish (job)->reason, ==, KEEPER_REASON_IDLE_TIMEOUT);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/keeper/stop/stop", test_stop);
  g_test_add_func ("/keeper/stop/default-grace", test_stop_default_grace);
  g_test_add_func ("/keeper/stop/kill", test_kill);
  g_test_add_func ("/keeper/stop/without-grace", test_stop_without_grace);
  g_test_add_func ("/keeper/stop/again", test_stop_again);
  g_test_add_func ("/keeper/stop/at-once", test_stop_at_once);
  g_test_add_func ("/keeper/stop/first-cause", test_first_cause);
  g_test_add_func ("/keeper/stop/both-limits", test_both_limits);
  g_test_add_func ("/keeper/stop/signals-to-keeper", test_signals_to_keeper);
  g_test_add_func ("/keeper/stop/signal-at-once", test_signal_at_once);
  g_test_add_func ("/keeper/stop/garbage-requests", test_garbage_requests);
  g_test_add_func ("/keeper/stop/leader-ends-first", test_leader_ends_first);
  g_test_add_func ("/keeper/stop/given-up-too-soon", test_given_up_too_soon);
  g_test_add_func ("/keeper/stop/stopped-job", test_stopped_job);
  g_test_add_func ("/keeper/stop/daemons", test_daemons);
  g_test_add_func ("/keeper/stop/fork-bomb", test_fork_bomb);
  g_test_add_func ("/keeper/stop/interactive-shell", test_interactive_shell);
  g_test_add_func ("/keeper/pause/pause", test_pause);
  g_test_add_func ("/keeper/pause/stop", test_pause_and_stop);
  g_test_add_func ("/keeper/pause/limits", test_pause_and_limits);
  g_test_add_func ("/keeper/pause/output-before", test_output_before_pause);
  g_test_add_func ("/keeper/limit/timeout", test_timeout);
  g_test_add_func ("/keeper/limit/timeout-extended", test_timeout_extended);
  g_test_add_func ("/keeper/limit/idle", test_idle);
  g_test_add_func ("/keeper/limit/idle-inside", test_idle_inside);
  g_test_add_func ("/keeper/limit/activity", test_activity);
  g_test_add_func ("/keeper/limit/notify", test_notify);
  g_test_add_func ("/keeper/limit/notify-then-terminate", test_notify_then_terminate);
  g_test_add_func ("/keeper/terminal/resized", test_resized);
  g_test_add_func ("/keeper/terminal/repaint", test_repaint);

  return g_test_run ();
}
