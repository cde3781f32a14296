/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows 18 and 21: the window closes, whatever its jobs are and wherever they stand; 200 of them; and that
 * many jobs through the queue leave nothing that should not be there.
 */
#define G_LOG_DOMAIN "test"
#include "config.h"

#include "faults-fixture.h"

#include "stint-shutdown.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define MSEC ((gint64) 1000)
#define SECOND ((gint64) G_USEC_PER_SEC)

typedef struct
{
  StintHistory *history;
  StintJobList *list;
  StintShutdown *shutdown;
  GPtrArray *jobs;
  GArray *calls; /* of FaultsCalls *: one a job */
  guint baseline;
} Fixture;

static StintJob *
submit (Fixture *fixture, StintJobSpec *spec)
{
  FaultsCalls *calls = g_new0 (FaultsCalls, 1);
  StintJob *job = faults_submit (fixture->list, spec, calls);

  g_array_append_val (fixture->calls, calls);
  g_ptr_array_add (fixture->jobs, job);
  return job;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) first = NULL;

  fixture->history = faults_history_new ();
  fixture->list = stint_job_list_new (STINT_JOB_STORE (fixture->history));
  fixture->shutdown = stint_shutdown_new (fixture->list);
  fixture->jobs = g_ptr_array_new_with_free_func (g_object_unref);
  fixture->calls = g_array_new (FALSE, FALSE, sizeof (FaultsCalls *));
  /* What GLib and SQLite open once. */
  first = faults_submit (fixture->list, faults_shell ("exit 0"), NULL);
  wait_until (faults_is_idle (fixture->list));
  stint_job_list_remove (fixture->list, first);
  g_clear_object (&first);
  fixture->baseline = faults_count_settled_descriptors ();
}

static void
check_count (Fixture *fixture, const char *sql, guint expected)
{
  g_autofree char *text = faults_query (fixture->history, sql);

  if ((guint) atoi (text) != expected)
    g_error ("%s: %s instead of %u", sql, text, expected);
}

static guint
count_entries (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  guint n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

/* I1 to I5 for all jobs that were submitted. */
static void
tear_down (Fixture *fixture, gconstpointer data)
{
  const guint n = fixture->jobs->len + 1;
  g_autofree char *jobs =
    g_build_filename (stint_history_get_directory (fixture->history), "jobs", NULL);

  wait_until (faults_is_idle (fixture->list));
  wait_until (faults_count_left () == 0);
  for (guint i = 0; i < fixture->calls->len; i++)
    {
      FaultsCalls *calls = g_array_index (fixture->calls, FaultsCalls *, i);

      wait_until (calls->called > 0);
      g_assert_cmpuint (faults_count_miscalled (calls, 1), ==, 0);
      faults_calls_clear (calls, 1);
      g_free (calls);
      stint_job_list_remove (fixture->list, fixture->jobs->pdata[i]);
    }
  g_ptr_array_set_size (fixture->jobs, 0);
  /* It can name what it ended. */
  g_clear_object (&fixture->shutdown);
  wait_until (faults_count_descriptors () <= fixture->baseline);
  check_count (fixture, "SELECT count (*) FROM jobs WHERE state = 'finished' AND reason IS NOT NULL", n);
  check_count (fixture, "SELECT count (*) FROM jobs", n);
  g_assert_cmpuint (count_entries (jobs), ==, n);
  for (guint i = 1; i <= n; i++)
    {
      g_autofree char *directory = g_strdup_printf ("%s/%u", jobs, i);

      /* Output, index, outcome, lock; of one that never started the lock. */
      g_assert_true (count_entries (directory) == 4 || count_entries (directory) == 1);
    }
  g_array_unref (fixture->calls);
  g_ptr_array_unref (fixture->jobs);
  g_clear_object (&fixture->list);
  stint_history_close (fixture->history);
  g_clear_object (&fixture->history);
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

/* The window closes. Returns: whether all went well */
static gboolean
close_window (Fixture *fixture)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;

  stint_shutdown_begin (fixture->shutdown, "window closed");
  stint_shutdown_wait_async (fixture->shutdown, keep_result, &result);
  wait_until (result != NULL);
  if (stint_shutdown_wait_finish (fixture->shutdown, result, &error))
    return TRUE;
  g_test_message ("%s", error->message);
  return FALSE;
}

static guint
count_in_state (Fixture *fixture, StintJobState state)
{
  guint n = 0;

  for (guint i = 0; i < fixture->jobs->len; i++)
    n += stint_job_get_state (fixture->jobs->pdata[i]) == state;
  return n;
}

/* Row 18 */

#define CLINGING                                                                                   \
  "nohup sleep 1000 >/dev/null 2>&1 &\n"                                                           \
  "(trap '' HUP; exec sleep 1000) &\n"                                                             \
  "sleep 1000 & disown\n"                                                                          \
  "(trap '' HUP TERM INT; exec setsid sleep 1000) & disown\n"                                      \
  "echo rea''dy\n"

static void
test_clinging (Fixture *fixture, gconstpointer data)
{
  const char *const argv[] = { "bash", "--norc", "--noprofile", "-i", NULL };
  StintJobSpec *spec = stint_job_spec_new (STINT_JOB_KIND_TERMINAL, argv);
  g_autoptr (GBytes) input = g_bytes_new_static (CLINGING, strlen (CLINGING));
  g_autoptr (GError) error = NULL;
  StintJob *job;

  stint_job_spec_set_directory (spec, "/");
  stint_job_spec_set_tty (spec, TRUE);
  stint_job_spec_set_grace (spec, 500 * MSEC);
  job = submit (fixture, spec);
  wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
  g_assert_true (stint_job_write (job, input, &error));
  faults_wait_for_output (job, "ready\r");
  g_assert_true (close_window (fixture));
  g_assert_cmpint (stint_job_get_result (job)->reason, ==, STINT_REASON_CANCELLED);
  g_assert_cmpuint (stint_job_get_result (job)->n_survivors, ==, 0);
}

static void
read_until (int fd, const char *text)
{
  g_autoptr (GString) seen = g_string_new (NULL);

  while (strstr (seen->str, text) == NULL)
    {
      char byte;
      ssize_t n = read (fd, &byte, 1);

      g_assert_true (n == 1 || (n < 0 && errno == EINTR));
      if (n == 1)
        g_string_append_c (seen, byte);
    }
}

/* A terminal that is only closed, as a plain terminal's window is: they are still there. */
static void
control_clinging (Fixture *fixture, gconstpointer data)
{
  int master = posix_openpt (O_RDWR | O_NOCTTY | O_CLOEXEC);
  int status;
  pid_t pid;

  g_assert_no_errno (grantpt (master));
  g_assert_no_errno (unlockpt (master));
  pid = fork ();
  if (pid == 0)
    {
      int slave;

      setsid ();
      slave = open (ptsname (master), O_RDWR | O_CLOEXEC);
      ioctl (slave, TIOCSCTTY, 0);
      for (int fd = 0; fd < 3; fd++)
        dup2 (slave, fd);
      execlp ("bash", "bash", "--norc", "--noprofile", "-i", NULL);
      _exit (1);
    }
  g_assert_cmpint (write (master, CLINGING, strlen (CLINGING)), ==, (ssize_t) strlen (CLINGING));
  read_until (master, "ready\r");
  close (master);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpuint (faults_count_left (), >=, 2);
  faults_end_left ();
}

/* Row 21 */

static const char *const lines[] = {
  "exec sleep 1000",
  "(setsid sleep 1000 &); exec sleep 1000",
  "trap '' TERM; echo ready; while :; do sleep 1000; done",
};

static void
test_ten (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < 10; i++)
    {
      StintJobSpec *spec = faults_shell (lines[i < 6 ? 0 : i == 6 ? 1 : 2]);

      stint_job_spec_set_grace (spec, 300 * MSEC);
      submit (fixture, spec);
    }
  wait_until (count_in_state (fixture, STINT_JOB_RUNNING) == 10);
  for (guint i = 7; i < 10; i++)
    faults_wait_for_output (fixture->jobs->pdata[i], "ready");
  g_assert_true (close_window (fixture));
  for (guint i = 0; i < 10; i++)
    {
      const StintResult *result = stint_job_get_result (fixture->jobs->pdata[i]);

      g_assert_cmpint (result->reason, ==, STINT_REASON_CANCELLED);
      g_assert_cmpint (result->escalated, ==, i >= 7);
    }
}

/* Jobs at every step of their start. */
static void
test_while_starting (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < 20; i++)
    {
      submit (fixture, faults_shell (lines[i % 2]));
      for (guint turns = i % 5; turns > 0; turns--)
        g_main_context_iteration (NULL, FALSE);
    }
  g_assert_true (close_window (fixture));
  for (guint i = 0; i < 20; i++)
    g_assert_cmpint (stint_job_get_result (fixture->jobs->pdata[i])->reason, ==,
                     STINT_REASON_CANCELLED);
}

/* A list that nobody shuts down: its jobs are still there. */
static void
control_open (Fixture *fixture, gconstpointer data)
{
  submit (fixture, faults_shell (lines[1]));
  wait_until (count_in_state (fixture, STINT_JOB_RUNNING) == 1);
  stint_job_list_close (fixture->list);
  g_assert_cmpuint (faults_count_children (), >, 0);
  g_assert_false (faults_is_idle (fixture->list));
  stint_job_kill (fixture->jobs->pdata[0]);
}

/* Many */

static guint
get_many (void)
{
  /* By hand 2000. */
  const char *wanted = g_getenv ("STINT_TEST_JOBS");

  return wanted != NULL ? (guint) atoi (wanted) : 200;
}

static void
test_many_at_once (Fixture *fixture, gconstpointer data)
{
  gint64 begun;

  for (guint i = 0; i < 200; i++)
    submit (fixture, faults_shell (lines[i % 4 == 0]));
  wait_until (count_in_state (fixture, STINT_JOB_RUNNING) == 200);
  begun = g_get_monotonic_time ();
  g_assert_true (close_window (fixture));
  g_test_message ("200 jobs were ended, reaped and saved in %.0f ms",
                  (double) (g_get_monotonic_time () - begun) / 1000);
  for (guint i = 0; i < 200; i++)
    {
      const StintResult *result = stint_job_get_result (fixture->jobs->pdata[i]);

      g_assert_cmpint (result->reason, ==, STINT_REASON_CANCELLED);
      g_assert_cmpint (result->term_signal, ==, SIGTERM);
      g_assert_false (result->escalated);
    }
}

static void
test_queue (Fixture *fixture, gconstpointer data)
{
  const guint n = get_many ();
  gint64 begun = g_get_monotonic_time ();

  stint_job_list_set_max_running (fixture->list, 8);
  for (guint i = 0; i < n; i++)
    submit (fixture, faults_shell (i % 3 == 0 ? "(setsid sleep 1000 &); echo out; exit 1" : "echo out"));
  while (!faults_is_idle (fixture->list))
    {
      g_main_context_iteration (NULL, TRUE);
      g_assert_cmpuint (count_in_state (fixture, STINT_JOB_STARTING) +
                          count_in_state (fixture, STINT_JOB_RUNNING) +
                          count_in_state (fixture, STINT_JOB_STOPPING),
                        <=, 8);
    }
  g_test_message ("%u jobs went through the queue in %.1f s", n,
                  (double) (g_get_monotonic_time () - begun) / SECOND);
}

int
main (int argc, char **argv)
{
  faults_init (&argc, &argv);

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)
  ADD ("/faults/close/row18/clinging", test_clinging);
  ADD ("/faults/close/row18/control", control_clinging);
  ADD ("/faults/close/row21/ten", test_ten);
  ADD ("/faults/close/row21/while-starting", test_while_starting);
  ADD ("/faults/close/row21/control", control_open);
  ADD ("/faults/close/many/at-once", test_many_at_once);
  ADD ("/faults/close/many/queue", test_queue);
#undef ADD
  return faults_run ();
}
