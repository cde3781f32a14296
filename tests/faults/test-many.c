/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Row 5: many jobs, one after another and at once; and what of row 3 no command line can hold.
 */
#define G_LOG_DOMAIN "test"
#include "config.h"

#include "faults-fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define IN_A_ROW 1000
#define AT_ONCE 200

static StintJob *
submit (StintJobList *list, StintJobSpec *spec, FaultsCalls *calls)
{
  g_autoptr (GError) error = NULL;
  StintJob *job = stint_job_list_submit (list, spec, NULL, &error);

  g_assert_no_error (error);
  if (calls != NULL)
    stint_job_wait_async (job, NULL, faults_note_waited, calls);
  return job;
}

static gboolean
is_idle (StintJobList *list)
{
  return stint_job_list_get_n_active (list) == 0 && stint_job_list_get_n_saving (list) == 0;
}

static void
run_one (StintJobList *list, FaultsCalls *calls)
{
  const char *const argv[] = { "true", NULL };
  g_autoptr (StintJobSpec) spec = stint_job_spec_new (STINT_JOB_KIND_SHELL, argv);
  g_autoptr (StintJob) job = NULL;

  stint_job_spec_set_directory (spec, "/");
  job = submit (list, spec, calls);
  wait_until (is_idle (list));
  stint_job_list_remove (list, job);
}

/* I6. Frees @gaps. */
static void
assert_never_blocked (FaultsGaps *gaps, const char *what)
{
  gint64 longest = faults_gaps_end (gaps);

  g_test_message ("the main loop was away for at most %.1f ms while %s", (double) longest / 1000, what);
  g_assert_cmpint (longest, <, faults_get_longest_gap ());
}

static void
test_in_a_row (void)
{
  g_autoptr (StintHistory) history = faults_history_new ();
  g_autoptr (StintJobList) list = stint_job_list_new (STINT_JOB_STORE (history));
  g_autofree FaultsCalls *calls = g_new0 (FaultsCalls, IN_A_ROW);
  FaultsGaps *gaps;
  guint baseline;

  /* What GLib and SQLite open once. */
  run_one (list, NULL);
  baseline = faults_count_settled_descriptors ();

  gaps = faults_gaps_new ();
  for (guint i = 0; i < IN_A_ROW; i++)
    {
      run_one (list, &calls[i]);
      g_assert_cmpuint (faults_count_descriptors (), <=, baseline + 3);
    }
  assert_never_blocked (gaps, "one followed another");

  wait_until (faults_count_children () == 0);
  wait_until (faults_count_descriptors () <= baseline);
  wait_until (faults_count_miscalled (calls, IN_A_ROW) == 0);
  for (guint i = 0; i < IN_A_ROW; i++)
    {
      g_assert_cmpint (calls[i].result->reason, ==, STINT_REASON_EXITED);
      g_assert_cmpint (calls[i].result->exit_code, ==, 0);
    }
  faults_calls_clear (calls, IN_A_ROW);
  g_assert_cmpuint (faults_count_saved (history, STINT_REASON_EXITED), ==, IN_A_ROW + 1);
  stint_history_close (history);
}

static guint
count_running (GPtrArray *jobs)
{
  guint n = 0;

  for (guint i = 0; i < jobs->len; i++)
    n += stint_job_get_state (jobs->pdata[i]) == STINT_JOB_RUNNING;
  return n;
}

static void
test_at_once (void)
{
  g_autoptr (StintHistory) history = faults_history_new ();
  g_autoptr (StintJobList) list = stint_job_list_new (STINT_JOB_STORE (history));
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autofree FaultsCalls *calls = g_new0 (FaultsCalls, AT_ONCE);
  FaultsGaps *gaps;
  gint64 cancelled_at;
  guint baseline;
  double seconds;

  run_one (list, NULL);
  baseline = faults_count_settled_descriptors ();

  for (guint i = 0; i < AT_ONCE; i++)
    {
      /* Every fourth leaves its session and its parent. */
      g_autoptr (StintJobSpec) spec = faults_shell (
        i % 4 == 0 ? "(setsid sleep 1000 &); exec sleep 1000" : "exec sleep 1000");

      g_ptr_array_add (jobs, submit (list, spec, &calls[i]));
    }
  gaps = faults_gaps_new ();
  wait_until (count_running (jobs) == AT_ONCE);
  assert_never_blocked (gaps, "they were started");

  gaps = faults_gaps_new ();
  cancelled_at = g_get_monotonic_time ();
  for (guint i = 0; i < AT_ONCE; i++)
    stint_job_stop (jobs->pdata[i], STINT_REASON_CANCELLED, -1);
  wait_until (stint_job_list_get_n_active (list) == 0 && faults_count_children () == 0);
  seconds = (double) (g_get_monotonic_time () - cancelled_at) / G_USEC_PER_SEC;
  g_test_message ("%d jobs were cancelled and reaped in %.3f s", AT_ONCE, seconds);

  wait_until (is_idle (list));
  assert_never_blocked (gaps, "they were ended");
  wait_until (faults_count_miscalled (calls, AT_ONCE) == 0);
  for (guint i = 0; i < AT_ONCE; i++)
    {
      g_assert_cmpint (calls[i].result->reason, ==, STINT_REASON_CANCELLED);
      g_assert_cmpint (calls[i].result->term_signal, ==, SIGTERM);
      g_assert_false (calls[i].result->escalated);
      stint_job_list_remove (list, jobs->pdata[i]);
    }
  g_ptr_array_set_size (jobs, 0);
  faults_calls_clear (calls, AT_ONCE);
  wait_until (faults_count_descriptors () <= baseline);
  g_assert_cmpuint (faults_count_saved (history, STINT_REASON_CANCELLED), ==, AT_ONCE);
  stint_history_close (history);
}

/* Row 3: an argument longer than the kernel takes, which no command line could have brought here. */
static void
test_three_megabytes (void)
{
  g_autofree char *argument = g_strnfill (3 * 1024 * 1024, 'x');
  const char *const argv[] = { "true", argument, NULL };
  g_autoptr (StintHistory) history = faults_history_new ();
  g_autoptr (StintJobList) list = stint_job_list_new (STINT_JOB_STORE (history));
  g_autoptr (StintJobSpec) spec = stint_job_spec_new (STINT_JOB_KIND_SHELL, argv);
  g_autoptr (StintJob) job = NULL;
  FaultsCalls calls = { 0 };

  stint_job_spec_set_directory (spec, "/");
  job = submit (list, spec, &calls);
  wait_until (is_idle (list) && faults_count_miscalled (&calls, 1) == 0);
  g_assert_cmpint (calls.result->reason, ==, STINT_REASON_FAILED);
  g_assert_nonnull (strstr (calls.result->error, g_strerror (E2BIG)));
  g_assert_cmpuint (strlen (calls.result->error), <, 500);
  g_assert_false (calls.result->has_exit_code);
  g_assert_cmpint (calls.result->term_signal, ==, 0);
  g_assert_cmpint (stint_result_get_exit_status (calls.result), ==, 126);
  wait_until (faults_count_children () == 0);
  g_assert_cmpuint (faults_count_saved (history, STINT_REASON_FAILED), ==, 1);
  faults_calls_clear (&calls, 1);
  stint_history_close (history);
}

/* The checks are seen to fail. */

static void
test_control_children (void)
{
  pid_t child = fork ();

  if (child == 0)
    _exit (0);
  /* It has ended and is not reaped: that counts. */
  g_assert_cmpint (waitid (P_PID, (id_t) child, &(siginfo_t){ 0 }, WEXITED | WNOWAIT), ==, 0);
  g_assert_cmpuint (faults_count_children (), ==, 1);
  g_assert_cmpint (waitpid (child, NULL, 0), ==, child);
  g_assert_cmpuint (faults_count_children (), ==, 0);
}

static void
test_control_descriptors (void)
{
  guint baseline = faults_count_descriptors ();
  int fd = open ("/dev/null", O_RDONLY | O_CLOEXEC);

  g_assert_cmpuint (faults_count_descriptors (), ==, baseline + 1);
  close (fd);
  g_assert_cmpuint (faults_count_descriptors (), ==, baseline);
}

static gboolean
block (gpointer data)
{
  gboolean *done = data;

  g_usleep ((gulong) (faults_get_longest_gap () * 3 / 2));
  *done = TRUE;
  return G_SOURCE_REMOVE;
}

static void
test_control_gaps (void)
{
  FaultsGaps *gaps = faults_gaps_new ();
  gboolean done = FALSE;

  g_idle_add (block, &done);
  wait_until (done);
  g_assert_cmpint (faults_gaps_end (gaps), >, faults_get_longest_gap ());
}

int
main (int argc, char **argv)
{
  faults_init (&argc, &argv);

  g_test_add_func ("/faults/many/row5/in-a-row", test_in_a_row);
  g_test_add_func ("/faults/many/row5/at-once", test_at_once);
  g_test_add_func ("/faults/many/row3/three-megabytes", test_three_megabytes);
  g_test_add_func ("/faults/many/control/children", test_control_children);
  g_test_add_func ("/faults/many/control/descriptors", test_control_descriptors);
  g_test_add_func ("/faults/many/control/gaps", test_control_gaps);
  return faults_run ();
}
