/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows 11, 13, 14, 16, 17 and 32: what ends a job and what does not, when several things happen at once.
 */
#define G_LOG_DOMAIN "test"
#include "config.h"

#include "faults-fixture.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define MSEC G_GINT64_CONSTANT (1000)
#define SECOND ((gint64) G_USEC_PER_SEC)

#define FOR_EVER "while :; do sleep 1000; done"

typedef struct
{
  StintHistory *history;
  StintJobList *list;
  FaultsCalls calls;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->history = faults_history_new ();
  fixture->list = stint_job_list_new (STINT_JOB_STORE (fixture->history));
}

/* I1, I2, I4, I5 */
static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autofree char *unfinished = NULL;

  wait_until (faults_is_idle (fixture->list));
  wait_until (faults_count_left () == 0);
  g_assert_cmpuint (faults_count_miscalled (&fixture->calls, 1), ==, 0);
  unfinished = faults_query (fixture->history, "SELECT count (*) FROM jobs WHERE state <> 'finished'");
  g_assert_cmpstr (unfinished, ==, "0");
  faults_calls_clear (&fixture->calls, 1);
  faults_without (NULL);
  g_clear_object (&fixture->list);
  stint_history_close (fixture->history);
  g_clear_object (&fixture->history);
}

static StintJob *
start (Fixture *fixture, StintJobSpec *spec)
{
  StintJob *job = faults_submit (fixture->list, spec, &fixture->calls);

  faults_wait_for_output (job, "ready");
  wait_until (stint_job_get_state (job) >= STINT_JOB_RUNNING);
  return job;
}

static StintResult *
wait_for_end (Fixture *fixture, StintJob *job)
{
  wait_until (faults_is_idle (fixture->list) && fixture->calls.called > 0);
  return stint_job_get_result (job);
}

static gboolean
has_passed (gint64 since, gint64 usec)
{
  return g_get_monotonic_time () >= since + usec;
}

/* Row 11 */

static void
test_both_limits (Fixture *fixture, gconstpointer data)
{
  StintJobSpec *spec = faults_shell ("trap '' TERM; echo ready; " FOR_EVER);
  g_autoptr (StintJob) job = NULL;
  StintResult *result;

  stint_job_spec_set_timeout (spec, 500 * MSEC);
  stint_job_spec_set_idle_timeout (spec, 500 * MSEC);
  stint_job_spec_set_grace (spec, 300 * MSEC);
  job = start (fixture, spec);
  result = wait_for_end (fixture, job);
  g_assert_true (result->reason == STINT_REASON_TIMEOUT || result->reason == STINT_REASON_IDLE_TIMEOUT);
  g_assert_true (result->escalated);
  g_assert_cmpint (result->duration, >=, 800 * MSEC);
}

static void
test_kill_in_grace (Fixture *fixture, gconstpointer data)
{
  StintJobSpec *spec = faults_shell ("trap '' TERM; echo ready; " FOR_EVER);
  g_autoptr (StintJob) job = NULL;
  StintResult *result;

  stint_job_spec_set_idle_timeout (spec, 300 * MSEC);
  stint_job_spec_set_grace (spec, 1000 * SECOND);
  job = start (fixture, spec);
  wait_until (stint_job_get_state (job) == STINT_JOB_STOPPING);
  stint_job_kill (job);
  result = wait_for_end (fixture, job);
  g_assert_cmpint (result->reason, ==, STINT_REASON_IDLE_TIMEOUT);
  g_assert_cmpint (result->term_signal, ==, SIGKILL);
  g_assert_cmpuint (result->n_survivors, ==, 0);
}

/* Asked twenty times, it has the time that it had when it was asked first. */
static void
test_terminate_again (Fixture *fixture, gconstpointer data)
{
  StintJobSpec *spec = faults_shell ("trap '' TERM; echo ready; " FOR_EVER);
  g_autoptr (StintJob) job = NULL;
  gint64 earliest = 0, latest = G_MAXINT64;
  StintResult *result;

  stint_job_spec_set_grace (spec, 1000 * SECOND);
  job = start (fixture, spec);
  for (int i = 0; i < 20; i++)
    {
      gint64 asked = g_get_monotonic_time (), before, left;

      stint_job_terminate (job);
      wait_until (stint_job_get_state (job) == STINT_JOB_STOPPING && has_passed (asked, 20 * MSEC));
      before = g_get_monotonic_time ();
      left = stint_job_get_kill_left (job);
      earliest = MAX (earliest, before + left);
      latest = MIN (latest, g_get_monotonic_time () + left);
    }
  g_assert_cmpint (earliest, <=, latest);
  stint_job_kill (job);
  result = wait_for_end (fixture, job);
  g_assert_cmpint (result->reason, ==, STINT_REASON_TERMINATED);
}

static void
control_sigkill (Fixture *fixture, gconstpointer data)
{
  StintJobSpec *spec = faults_shell ("trap '' TERM; echo ready; " FOR_EVER);
  g_autoptr (StintJob) job = NULL;
  StintResult *result;

  faults_without ("sigkill");
  job = start (fixture, spec);
  stint_job_kill (job);
  result = wait_for_end (fixture, job);
  g_assert_cmpuint (result->n_survivors, >, 0);
  g_assert_cmpuint (faults_count_left (), >, 0);
  faults_end_left ();
}

/* Row 13 */

static StintJobSpec *
limited (void)
{
  StintJobSpec *spec = faults_shell ("(setsid sleep 1000 &); echo ready; exec sleep 1000");

  stint_job_spec_set_timeout (spec, 1500 * MSEC);
  stint_job_spec_set_idle_timeout (spec, 1200 * MSEC);
  return spec;
}

static void
test_pause (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) job = start (fixture, limited ());
  gint64 paused = g_get_monotonic_time ();
  StintResult *result;

  stint_job_pause (job);
  wait_until (has_passed (paused, 2500 * MSEC));
  g_assert_cmpint (stint_job_get_state (job), ==, STINT_JOB_RUNNING);
  g_assert_true (stint_job_get_paused (job));
  stint_job_resume (job);
  result = wait_for_end (fixture, job);
  g_assert_cmpint (result->reason, ==, STINT_REASON_IDLE_TIMEOUT);
  g_assert_false (result->escalated);
  g_assert_cmpint (result->duration, >=, 2500 * MSEC);
}

/* Stopped by hand, the clocks run on. */
static void
control_pause (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) job = start (fixture, limited ());

  kill (stint_job_get_pid (job), SIGSTOP);
  g_assert_cmpint (wait_for_end (fixture, job)->reason, ==, STINT_REASON_IDLE_TIMEOUT);
}

/* Row 14 */

#define N_CANARIES 8
#define AT_ONCE 20

static guint
count_dead (const pid_t *canaries)
{
  guint n = 0;

  for (int i = 0; i < N_CANARIES; i++)
    {
      siginfo_t info = { 0 };

      waitid (P_PID, (id_t) canaries[i], &info, WEXITED | WNOHANG | WNOWAIT);
      n += info.si_pid != 0;
    }
  return n;
}

static void
start_canaries (pid_t *canaries)
{
  for (int i = 0; i < N_CANARIES; i++)
    {
      canaries[i] = fork ();
      if (canaries[i] == 0)
        {
          /* Half of them where a group's signal would reach them. */
          if (i % 2 == 0)
            setsid ();
          execlp ("sleep", "sleep", "1000", NULL);
          _exit (1);
        }
    }
}

static void
end_canaries (const pid_t *canaries)
{
  for (int i = 0; i < N_CANARIES; i++)
    {
      kill (canaries[i], SIGKILL);
      waitpid (canaries[i], NULL, 0);
    }
}

static void
test_kill_or_exit (Fixture *fixture, gconstpointer data)
{
  /* By hand more of them: a sanitizer makes a job ten times as expensive. */
  const char *wanted = g_getenv ("STINT_TEST_KILLS");
  guint rounds = (wanted != NULL ? (guint) atoi (wanted) : 300) / AT_ONCE, n_killed = 0;
  pid_t canaries[N_CANARIES];

  start_canaries (canaries);
  for (guint i = 0; i < rounds; i++)
    {
      g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func (g_object_unref);
      FaultsCalls calls[AT_ONCE] = { { 0 } };

      for (guint j = 0; j < AT_ONCE; j++)
        g_ptr_array_add (jobs, faults_submit (fixture->list, faults_shell ("sleep 0.002; exit 3"), &calls[j]));
      while (!faults_is_idle (fixture->list))
        {
          g_main_context_iteration (NULL, FALSE);
          for (guint j = 0; j < AT_ONCE; j++)
            if (stint_job_get_pid (jobs->pdata[j]) != 0 && g_test_rand_int_range (0, 3) == 0)
              stint_job_kill (jobs->pdata[j]);
        }
      wait_until (faults_count_miscalled (calls, AT_ONCE) == 0);
      for (guint j = 0; j < AT_ONCE; j++)
        {
          StintReason reason = calls[j].result->reason;

          g_assert_true (reason == STINT_REASON_EXITED || reason == STINT_REASON_KILLED);
          n_killed += reason == STINT_REASON_KILLED;
          stint_job_list_remove (fixture->list, jobs->pdata[j]);
        }
      faults_calls_clear (calls, AT_ONCE);
      g_assert_cmpuint (count_dead (canaries), ==, 0);
    }
  g_test_message ("%u of %u were killed", n_killed, rounds * AT_ONCE);
  end_canaries (canaries);
  g_object_unref (start (fixture, faults_shell ("echo ready")));
}

/* A killer that misses is seen. */
static void
control_canaries (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) job = start (fixture, faults_shell ("echo ready"));
  pid_t canaries[N_CANARIES];

  start_canaries (canaries);
  g_assert_cmpuint (count_dead (canaries), ==, 0);
  kill (canaries[3], SIGKILL);
  wait_until (count_dead (canaries) == 1);
  end_canaries (canaries);
}

/* Row 16 */

static StintJobSpec *
bomb (void)
{
  const char *const argv[] = { g_getenv ("STINT_KEEPER_COMMAND"), "bomb", NULL };
  StintJobSpec *spec = stint_job_spec_new (STINT_JOB_KIND_SHELL, argv);

  stint_job_spec_set_directory (spec, "/");
  return spec;
}

static void
test_bomb (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) job = start (fixture, bomb ());
  StintResult *result;

  stint_job_kill (job);
  result = wait_for_end (fixture, job);
  g_assert_cmpint (result->reason, ==, STINT_REASON_KILLED);
  g_assert_cmpuint (result->n_survivors, ==, 0);
}

/* A keeper that only signals the group: those in sessions of their own go on. */
static void
control_bomb (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) job = NULL;

  faults_without ("tree");
  job = start (fixture, bomb ());
  stint_job_kill (job);
  g_assert_cmpuint (wait_for_end (fixture, job)->n_survivors, >, 0);
  g_assert_cmpuint (faults_count_left (), >, 0);
  faults_end_left ();
}

/* Row 17 */

static StintJob *
start_interactive (Fixture *fixture)
{
  const char *const argv[] = { "bash", "--norc", "--noprofile", "-i", NULL };
  StintJobSpec *spec = stint_job_spec_new (STINT_JOB_KIND_TERMINAL, argv);
  g_autoptr (GBytes) input =
    g_bytes_new_static ("sleep 1000 &\necho rea''dy; sleep 1000\n", 38);
  g_autoptr (GError) error = NULL;
  StintJob *job;

  stint_job_spec_set_directory (spec, "/");
  stint_job_spec_set_tty (spec, TRUE);
  stint_job_spec_set_grace (spec, 1000 * SECOND);
  job = faults_submit (fixture->list, spec, &fixture->calls);
  wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
  g_assert_true (stint_job_write (job, input, &error));
  faults_wait_for_output (job, "ready\r");
  return job;
}

static void
test_interactive (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) job = start_interactive (fixture);
  StintResult *result;

  stint_job_terminate (job);
  result = wait_for_end (fixture, job);
  g_assert_cmpint (result->reason, ==, STINT_REASON_TERMINATED);
  g_assert_false (result->escalated);
}

static void
control_interactive (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) job = NULL;
  gint64 asked;

  faults_without ("hangup");
  job = start_interactive (fixture);
  stint_job_terminate (job);
  asked = g_get_monotonic_time ();
  wait_until (has_passed (asked, 1000 * MSEC));
  g_assert_cmpint (stint_job_get_state (job), ==, STINT_JOB_STOPPING);
  stint_job_kill (job);
  g_assert_true (wait_for_end (fixture, job)->escalated);
}

/* Row 32: the wall clock of this process is this much off; that of the keeper is by its name. */

static gint64 clock_offset;

gint64 __real_g_get_real_time (void);
gint64 __wrap_g_get_real_time (void);

gint64
__wrap_g_get_real_time (void)
{
  return __real_g_get_real_time () + clock_offset;
}

static StintJob *
start_while_clock_is_set (Fixture *fixture)
{
  StintJobSpec *spec = faults_shell ("echo ready; exec sleep 1000");
  StintJob *job;
  gint64 begun;

  stint_job_spec_set_timeout (spec, 1500 * MSEC);
  stint_job_spec_set_idle_timeout (spec, 1400 * MSEC);
  job = start (fixture, spec);
  begun = g_get_monotonic_time ();
  for (int i = 0; i < 6; i++)
    {
      const gint64 day = G_GINT64_CONSTANT (86400) * SECOND;

      clock_offset = i % 2 == 0 ? day : -day;
      wait_until (has_passed (begun, 50 * (i + 1) * MSEC));
      if (stint_job_get_state (job) == STINT_JOB_RUNNING)
        g_assert_cmpint (stint_job_get_timeout_left (job), <=, 1500 * MSEC);
    }
  clock_offset = 0;
  return job;
}

static void
test_clock (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) job = NULL;
  StintResult *result;

  faults_without ("wall-clock");
  job = start_while_clock_is_set (fixture);
  result = wait_for_end (fixture, job);
  g_assert_cmpint (result->reason, ==, STINT_REASON_IDLE_TIMEOUT);
  g_assert_cmpint (result->duration, >=, 1400 * MSEC);
}

/* A keeper that goes by a clock that can be set. */
static void
control_clock (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) job = NULL;

  faults_without ("monotonic");
  job = start_while_clock_is_set (fixture);
  /* By its clock both limits were over long since. */
  g_assert_cmpint (wait_for_end (fixture, job)->reason, ==, STINT_REASON_TIMEOUT);
  g_assert_cmpint (stint_job_get_result (job)->duration, >, 3600 * SECOND);
}

int
main (int argc, char **argv)
{
  faults_init (&argc, &argv);

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)
  ADD ("/faults/stops/row11/both-limits", test_both_limits);
  ADD ("/faults/stops/row11/kill-in-grace", test_kill_in_grace);
  ADD ("/faults/stops/row11/terminate-again", test_terminate_again);
  ADD ("/faults/stops/row11/control", control_sigkill);
  ADD ("/faults/stops/row13/pause", test_pause);
  ADD ("/faults/stops/row13/control", control_pause);
  ADD ("/faults/stops/row14/kill-or-exit", test_kill_or_exit);
  ADD ("/faults/stops/row14/control", control_canaries);
  ADD ("/faults/stops/row16/bomb", test_bomb);
  ADD ("/faults/stops/row16/control", control_bomb);
  ADD ("/faults/stops/row17/interactive", test_interactive);
  ADD ("/faults/stops/row17/control", control_interactive);
  ADD ("/faults/stops/row32/clock", test_clock);
  ADD ("/faults/stops/row32/control", control_clock);
#undef ADD
  return faults_run ();
}
