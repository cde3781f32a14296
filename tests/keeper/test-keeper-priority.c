/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The real keeper: that the job and the keeper give way, each process by its own niceness and, where
 * the kernel shares the CPU between sessions, each session by its. For many jobs of an ordinary user
 * too, whom the kernel refuses most of what comes at once.
 */
#include "in-child.h"
#include "keeper-harness.h"

#include <errno.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define NICENESS 7
#define NOBODY 65534

/* At 100 ms for one, their 24 sessions take at least 2.4 s. */
#define N_AT_ONCE 12

static bool
has_sessions (void)
{
  g_autofree char *text = NULL;

  if (g_file_get_contents ("/proc/self/autogroup", &text, NULL, NULL) && strstr (text, " nice ") != NULL)
    return true;
  g_test_message ("This kernel does not share the CPU between sessions.");
  return false;
}

/* Returns: the niceness of the session of a process. */
static int
session_niceness (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/autogroup", pid);
  g_autofree char *text = NULL;
  int value = -1000;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpint (sscanf (text, "/autogroup-%*d nice %d", &value), ==, 1);
  return value;
}

static int
expected_niceness (int inherited, int added)
{
  return CLAMP (inherited + added, inherited, MAX (inherited, 19));
}

static void
finish (TestJob *job)
{
  test_job_kill (job, KEEPER_REASON_KILLED);
  g_assert_cmpuint (test_job_finish (job)->reason, ==, KEEPER_REASON_KILLED);
}

/* The command and both halves of the keeper, relative to what they inherit. */
static void
test_processes (void)
{
  static const int added[] = { 0, 1, NICENESS, 19, 1000, -5 };
  int inherited = getpriority (PRIO_PROCESS, 0);

  for (gsize i = 0; i < G_N_ELEMENTS (added); i++)
    {
      g_autoptr (TestJob) job = test_job_new ("echo \"<$(nice)>\"; sleep 1000");
      int expected = expected_niceness (inherited, added[i]);
      g_autofree char *text = g_strdup_printf ("<%d>", expected);

      job->block.niceness = added[i];
      test_job_start (job);
      test_job_await_text (job, text);
      g_assert_cmpint (getpriority (PRIO_PROCESS, (id_t) job->pid), ==, expected);
      g_assert_cmpint (getpriority (PRIO_PROCESS, (id_t) test_job_get_worker (job)), ==, expected);
      finish (job);
    }
}

/* What begins a session of its own has its processes' niceness; its session's is nobody's business. */
static void
test_descendants (void)
{
  static const char script[] = "setsid sh -c 'echo \"<daemon $(nice)>\"; sleep 1000' &"
                               "setsid -f sh -c 'echo \"<orphan $(nice)>\"; sleep 1000' & sleep 1000";
  g_autoptr (TestJob) job = test_job_new (script);
  int expected = expected_niceness (getpriority (PRIO_PROCESS, 0), NICENESS);
  g_autofree char *daemon = g_strdup_printf ("<daemon %d>", expected);
  g_autofree char *orphan = g_strdup_printf ("<orphan %d>", expected);

  job->block.niceness = NICENESS;
  test_job_start (job);
  test_job_await_text (job, daemon);
  test_job_await_text (job, orphan);
  finish (job);
}

static bool
sessions_are_lowered (gpointer data)
{
  TestJob *job = data;

  return session_niceness (test_job_get_leader (job)) == NICENESS &&
         session_niceness (test_job_get_worker (job)) == NICENESS;
}

static void
test_no_session (void)
{
  g_autoptr (TestJob) job = test_job_new ("sleep 1000");

  if (!has_sessions ())
    return;
  test_job_start (job);
  /* Longer than until the first try. */
  g_usleep (500000);
  g_assert_cmpint (session_niceness (test_job_get_leader (job)), ==, 0);
  g_assert_cmpint (session_niceness (test_job_get_worker (job)), ==, 0);
  finish (job);
}

/* Returns: how often a process has gone to sleep. */
static guint64
count_sleeps (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/status", pid);
  g_autofree char *text = NULL;
  const char *line;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  line = strstr (text, "\nvoluntary_ctxt_switches:");
  g_assert_nonnull (line);
  return g_ascii_strtoull (strchr (line, ':') + 1, NULL, 10);
}

/* And once it is done, the worker of a job that does nothing does nothing either. */
static void
test_sessions (void)
{
  g_autoptr (TestJob) job = test_job_new ("sleep 1000");
  guint64 n_sleeps;

  job->block.niceness = NICENESS;
  test_job_start (job);
  if (has_sessions ())
    {
      int own = session_niceness (getpid ());

      g_assert_true (wait_until (sessions_are_lowered, job));
      g_assert_cmpint (session_niceness (getpid ()), ==, own);
    }
  g_assert_true (wait_for_state (test_job_get_worker (job), "S"));
  /* Where there are none, it has looked for them by then. */
  g_usleep (500000);
  n_sleeps = count_sleeps (test_job_get_worker (job));
  g_usleep (1000000);
  g_assert_cmpuint (count_sleeps (test_job_get_worker (job)), ==, n_sleeps);
  finish (job);
}

/* The command's own word counts. */
static void
test_own_session (void)
{
  static const char script[] = "until (echo 3 > /proc/self/autogroup) 2>/dev/null; do sleep 0.01; done;"
                               "echo done; sleep 1000";
  g_autoptr (TestJob) job = test_job_new (script);

  if (!has_sessions ())
    return;
  job->block.niceness = NICENESS;
  test_job_start (job);
  test_job_await_text (job, "done");
  g_usleep (1000000);
  g_assert_cmpint (session_niceness (test_job_get_leader (job)), ==, 3);
  finish (job);
}

/* As an ordinary user. */

static void
become_ordinary (void)
{
  if (geteuid () != 0)
    return;
  g_assert_no_errno (setgroups (0, NULL));
  g_assert_no_errno (setresgid (NOBODY, NOBODY, NOBODY));
  g_assert_no_errno (setresuid (NOBODY, NOBODY, NOBODY));
  /* Forgotten by that. */
  prctl (PR_SET_PDEATHSIG, SIGKILL);
}

static guint
count_lowered (TestJob *jobs[N_AT_ONCE])
{
  guint n = 0;

  for (guint i = 0; i < N_AT_ONCE; i++)
    n += sessions_are_lowered (jobs[i]);
  return n;
}

static bool
all_are_lowered (gpointer data)
{
  return count_lowered (data) == N_AT_ONCE;
}

/* A job that has finished looks whether anything is left: by then the others must be gone too. */
static void
finish_all (TestJob *jobs[N_AT_ONCE])
{
  for (guint i = 0; i < N_AT_ONCE; i++)
    test_job_kill (jobs[i], KEEPER_REASON_KILLED);
  for (guint i = 0; i < N_AT_ONCE; i++)
    {
      test_job_await (jobs[i], KEEPER_EVENT_DONE);
      jobs[i]->reaped = waitpid (jobs[i]->pid, &jobs[i]->status, 0) == jobs[i]->pid;
    }
  for (guint i = 0; i < N_AT_ONCE; i++)
    {
      g_assert_cmpuint (test_job_finish (jobs[i])->reason, ==, KEEPER_REASON_KILLED);
      test_job_free (jobs[i]);
    }
}

static void
check_at_once (gpointer data)
{
  TestJob *jobs[N_AT_ONCE];
  int expected = expected_niceness (getpriority (PRIO_PROCESS, 0), NICENESS);
  bool sessions = has_sessions ();
  gint64 at = g_get_monotonic_time ();

  become_ordinary ();
  for (guint i = 0; i < N_AT_ONCE; i++)
    {
      jobs[i] = test_job_new ("sleep 1000");
      jobs[i]->block.niceness = NICENESS;
      test_job_start (jobs[i]);
    }
  for (guint i = 0; i < N_AT_ONCE; i++)
    {
      g_assert_cmpint (getpriority (PRIO_PROCESS, (id_t) test_job_get_leader (jobs[i])), ==, expected);
      g_assert_cmpint (getpriority (PRIO_PROCESS, (id_t) test_job_get_worker (jobs[i])), ==, expected);
    }
  if (sessions)
    {
      g_test_message ("after %.1f s: %u", (g_get_monotonic_time () - at) / 1e6, count_lowered (jobs));
      g_assert_true (wait_until (all_are_lowered, jobs));
      g_test_message ("after %.1f s: all %d", (g_get_monotonic_time () - at) / 1e6, N_AT_ONCE);
    }
  finish_all (jobs);
}

static void
test_at_once (void)
{
  in_child (check_at_once, NULL);
}

/* Their starts and ends do not wait for it, nor does a stop that comes in between. */
static void
check_short (gpointer data)
{
  become_ordinary ();
  for (int i = 0; i < 40; i++)
    {
      g_autoptr (TestJob) job = test_job_new (i % 2 == 0 ? "exit 3" : "sleep 1000");
      const struct keeper_outcome *outcome;

      job->block.niceness = NICENESS;
      test_job_start (job);
      if (i % 2 != 0)
        {
          test_job_await (job, KEEPER_EVENT_STARTED);
          g_usleep ((gulong) i * 10000);
          test_job_stop (job, KEEPER_REASON_TERMINATED, -1);
        }
      outcome = test_job_finish (job);
      g_assert_cmpuint (outcome->reason, ==, i % 2 != 0 ? KEEPER_REASON_TERMINATED : KEEPER_REASON_EXITED);
      g_assert_cmpuint (outcome->escalated, ==, 0);
    }
}

static void
test_short (void)
{
  in_child (check_short, NULL);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/keeper/priority/processes", test_processes);
  g_test_add_func ("/keeper/priority/descendants", test_descendants);
  g_test_add_func ("/keeper/priority/no-session", test_no_session);
  g_test_add_func ("/keeper/priority/sessions", test_sessions);
  g_test_add_func ("/keeper/priority/own-session", test_own_session);
  g_test_add_func ("/keeper/priority/at-once", test_at_once);
  g_test_add_func ("/keeper/priority/short", test_short);

  return g_test_run ();
}
