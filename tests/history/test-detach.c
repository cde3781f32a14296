/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A job that was let go goes on without the process that started it, and the next one takes it over:
 * its output, its limits, its terminal, its end. One process starts it, see let-go.c; this one is the
 * next. Whatever a keeper leaves behind becomes a child of this one, and is looked for.
 */
#include "config.h"

#include "next-fixture.h"

#include "stint-job-list.h"
#include "stint-error.h"
#include "stint-sequence.h"
#include "stint-shutdown.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static gboolean
has_file (StintJob *job, const char *name)
{
  g_autofree char *path = g_build_filename (stint_job_get_directory (job), name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* Output before, between and after; and the end is in the history like any other. */
static void
test_adopted (gconstpointer how)
{
  g_autoptr (Next) next = next_new ();
  g_autoptr (StintJob) job = NULL;
  g_autofree char *output = NULL;
  StintResult *result;
  gint64 started_at;

  next_let_go (next, how,
               "exec 3<> fifo; echo one; read line <&3; echo two; read line <&3; echo three; exit 3",
               "timeout=1000", NULL);
  g_assert_cmpint (history_fixture_count (next->fixture,
                                          "SELECT detached FROM jobs WHERE state = 'running'"),
                   ==, 1);
  next_say (next, "\n");
  job = next_adopt_well (next);
  wait_until (next_has_written (job, "one\ntwo\n"));
  g_assert_cmpint (stint_job_get_timeout_left (job), >, 0);
  g_assert_cmpint (stint_job_get_timeout_left (job), <=, 1000 * G_USEC_PER_SEC);
  g_assert_cmpuint (stint_job_list_get_n_active (next->jobs), ==, 0);

  started_at = stint_job_get_started_at (job);
  next_say (next, "\n");
  result = next_wait_for_end (next, job);
  g_assert_cmpint (result->started_at, ==, started_at);
  g_assert_cmpint (result->reason, ==, STINT_REASON_EXITED);
  g_assert_cmpint (result->exit_code, ==, 3);
  output = next_read_output (job);
  g_assert_cmpstr (output, ==, "one\ntwo\nthree\n");
  g_assert_false (has_file (job, "control"));
  g_assert_cmpint (history_fixture_count (next->fixture,
                                          "SELECT count (*) FROM jobs WHERE state = 'finished' "
                                          "AND reason = 'exited' AND exit_code = 3 AND detached"),
                   ==, 1);
  history_fixture_assert_no_problem (next->fixture);
}

/* The control: what was not let go, or was taken back, ends with the process that started it. */
static void
test_not_let_go (gconstpointer how)
{
  g_autoptr (Next) next = next_new ();
  g_autoptr (GPtrArray) left = NULL;
  g_autoptr (GPtrArray) jobs = NULL;

  next_let_go (next, how, "sleep 1000 & exec sleep 1000", NULL);
  while (history_fixture_recover (next->fixture) == 0)
    g_usleep (10000);
  left = stint_history_take_left (next->fixture->history);
  g_assert_cmpuint (left->len, ==, 0);
  jobs = history_fixture_load (next->fixture);
  g_assert_cmpint (stint_job_get_result (jobs->pdata[0])->reason, ==, STINT_REASON_INTERRUPTED);
  g_assert_false (has_file (jobs->pdata[0], "control"));
}

/* Nobody came before it ended: the keeper has written how. */
static void
test_ended_alone (void)
{
  g_autoptr (Next) next = next_new ();
  g_autoptr (GPtrArray) left = NULL;
  g_autoptr (GPtrArray) jobs = NULL;
  StintResult *result;

  next_let_go (next, "exit", "sleep 1000", "timeout=1", NULL);
  while (history_fixture_recover (next->fixture) == 0)
    g_usleep (10000);
  left = stint_history_take_left (next->fixture->history);
  g_assert_cmpuint (left->len, ==, 0);
  jobs = history_fixture_load (next->fixture);
  result = stint_job_get_result (jobs->pdata[0]);
  g_assert_cmpint (result->reason, ==, STINT_REASON_TIMEOUT);
  g_assert_cmpint (result->duration, >=, G_USEC_PER_SEC);
}

/* It can be ended, and its limits be set, as if it had been started here. */
static void
test_controls (void)
{
  for (int how = 0; how < 4; how++)
    {
      const StintReason reasons[] = { STINT_REASON_TERMINATED, STINT_REASON_KILLED,
                                      STINT_REASON_TIMEOUT, STINT_REASON_TERMINATED };
      g_autoptr (Next) next = next_new ();
      g_autoptr (StintJob) job = NULL;

      next_let_go (next, "die", "setsid sleep 1000 & exec sleep 1000", "timeout=1000", NULL);
      job = next_adopt_well (next);
      if (how == 3)
        {
          stint_job_pause (job);
          g_assert_true (stint_job_get_paused (job));
        }
      if (how == 1)
        stint_job_kill (job);
      else if (how == 2)
        stint_job_set_timeout_left (job, G_USEC_PER_SEC / 10);
      else
        stint_job_terminate (job);
      g_assert_cmpint (next_wait_for_end (next, job)->reason, ==, reasons[how]);
    }
}

static void
test_terminal (void)
{
  g_autoptr (Next) next = next_new ();
  g_autoptr (StintJob) job = NULL;
  g_autoptr (GBytes) input = g_bytes_new_static ("hello\n", 6);
  g_autoptr (GError) error = NULL;

  next_let_go (next, "exit", "read word; echo \"got $word\"; read line < fifo; stty size", "tty", NULL);
  job = next_adopt_well (next);
  g_assert_true (stint_job_write (job, input, &error));
  wait_until (next_has_written (job, "got hello"));
  stint_job_resize (job, 77, 33);
  next_say (next, "\n");
  g_assert_cmpint (next_wait_for_end (next, job)->reason, ==, STINT_REASON_EXITED);
  g_assert_true (next_has_written (job, "33 77"));
}

/* Taken over, it can be let go again, by ending; or be held on to. */
static void
test_attach (void)
{
  g_autoptr (Next) next = next_new ();
  g_autoptr (StintJob) job = NULL;
  g_autoptr (StintShutdown) shutdown = NULL;

  next_let_go (next, "exit", "exec sleep 1000", NULL);
  job = next_adopt_well (next);
  stint_job_attach (job);
  wait_until (!stint_job_get_detached (job));
  g_assert_cmpuint (stint_job_list_get_n_active (next->jobs), ==, 1);
  g_assert_false (has_file (job, "control"));
  shutdown = stint_shutdown_new (next->jobs);
  stint_shutdown_begin (shutdown, "test");
  g_assert_cmpint (next_wait_for_end (next, job)->reason, ==, STINT_REASON_CANCELLED);
}

static void
note_change (StintJob *job, GParamSpec *pspec, gboolean *changed)
{
  *changed = TRUE;
}

/* Adds a line that is to follow it at each turn, until it is told to be held, or let go. Returns: how
 * many. */
static int
add_lines (Next *next, StintJob *job, const char *word)
{
  gboolean changed = FALSE;
  gulong handler = g_signal_connect (job, "notify::detached", G_CALLBACK (note_change), &changed);
  int n = 0;

  while (!changed)
    {
      g_autofree char *line = g_strdup_printf ("echo %s %d", word, n++);

      stint_sequence_add (next->jobs, job, STINT_THEN_ALWAYS, line);
      g_main_context_iteration (NULL, TRUE);
    }
  g_signal_handler_disconnect (job, handler);
  return n;
}

/* The history answers in order: what was noted before has been. */
static void
wait_for_notes (Next *next)
{
  g_ptr_array_unref (history_fixture_load (next->fixture));
}

/* Lines are noted while its keeper's word is: the last word counts, and no line is lost. */
static void
test_added_meanwhile (void)
{
  g_autoptr (Next) next = next_new ();
  g_autoptr (StintJob) job = NULL;
  g_autoptr (GError) error = NULL;
  int n;

  next_let_go (next, "exit", "exec sleep 1000", NULL);
  job = next_adopt_well (next);
  stint_job_attach (job);
  n = add_lines (next, job, "held");
  g_assert_cmpint (n, >, 0);
  wait_for_notes (next);
  g_assert_false (stint_job_get_detached (job));
  g_assert_cmpuint (stint_job_list_get_n_active (next->jobs), ==, 1);
  g_assert_cmpint (history_fixture_count (next->fixture, "SELECT detached FROM jobs"), ==, 0);

  g_assert_true (stint_job_detach (job, &error));
  n += add_lines (next, job, "let-go");
  wait_for_notes (next);
  g_assert_true (stint_job_get_detached (job));
  g_assert_cmpint (history_fixture_count (next->fixture,
                                          "SELECT json_array_length (added_lines) FROM jobs"),
                   ==, n);
  stint_job_list_close (next->jobs);
  stint_job_kill (job);
  g_assert_cmpint (next_wait_for_end (next, job)->reason, ==, STINT_REASON_KILLED);
}

/* A part of another job has no place among those that run, and leaves none taken. */
static void
test_part (void)
{
  g_autoptr (Next) next = next_new ();
  g_autoptr (StintJob) job = NULL;
  g_autoptr (StintJob) after = NULL;
  g_autoptr (StintJobSpec) spec = stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, "exit 0");
  g_autoptr (GError) error = NULL;

  stint_job_list_set_max_running (next->jobs, 1);
  next_let_go (next, "exit", "exec sleep 1000", "part", NULL);
  job = next_adopt_well (next);
  g_assert_cmpuint (stint_job_spec_get_parent (stint_job_get_spec (job)), ==, 1000);
  stint_job_kill (job);
  next_wait_for_end (next, job);
  stint_job_spec_set_directory (spec, "/");
  after = stint_job_list_submit (next->jobs, spec, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (next_wait_for_end (next, after)->reason, ==, STINT_REASON_EXITED);
}

/* The second to come is told that the first has it. */
static void
test_busy (void)
{
  g_autoptr (Next) next = next_new ();
  g_autoptr (StintJob) job = NULL;
  g_autoptr (StintJob) none = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (StintLeftJob) left = NULL;
  GAsyncResult *pending = NULL;

  next_let_go (next, "exit", "exec sleep 1000", NULL);
  job = next_adopt_well (next);
  left = stint_left_job_new (stint_job_get_id (job), stint_job_get_spec (job),
                             stint_job_get_directory (job));
  stint_job_list_adopt_async (next->jobs, left, history_fixture_keep_result, &pending);
  result = history_fixture_await (&pending);
  none = stint_job_list_adopt_finish (next->jobs, result, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_BUSY);
  g_assert_null (none);
  stint_job_kill (job);
  next_wait_for_end (next, job);
}

/* Returns: the parent of process @pid. */
static int
get_parent (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *text = NULL;
  int parent;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpint (sscanf (strrchr (text, ')') + 1, " %*c %d", &parent), ==, 1);
  return parent;
}

/* One half of the keeper is killed: the other tells its new engine how the job ended. */
static void
test_keeper_killed (void)
{
  for (int warden = 0; warden < 2; warden++)
    {
      g_autoptr (Next) next = next_new ();
      g_autoptr (StintJob) job = NULL;
      StintResult *result;
      int worker;

      next_let_go (next, "die", "setsid sleep 1000 & exec sleep 1000", NULL);
      job = next_adopt_well (next);
      worker = get_parent (stint_job_get_pid (job));
      kill (warden ? get_parent (worker) : worker, SIGKILL);
      result = next_wait_for_end (next, job);
      g_assert_cmpint (result->reason, ==, STINT_REASON_INTERRUPTED);
      g_assert_cmpint (result->term_signal, !=, 0);
      g_assert_false (has_file (job, "control"));
    }
}

/* A keeper that somebody has stopped is continued by whoever comes for its job. */
static void
test_keeper_stopped (void)
{
  g_autoptr (Next) next = next_new ();
  g_autoptr (StintJob) job = NULL;
  g_autofree char *path = history_fixture_path (next->fixture, "pid");
  g_autofree char *text = NULL;

  next_let_go (next, "die", "echo $$ > pid.new; mv pid.new pid; exec sleep 1000", NULL);
  while (!g_file_get_contents (path, &text, NULL, NULL))
    g_usleep (1000);
  kill (get_parent (atoi (text)), SIGSTOP);
  job = next_adopt_well (next);
  stint_job_kill (job);
  g_assert_cmpint (next_wait_for_end (next, job)->reason, ==, STINT_REASON_KILLED);
}

/* What cannot be let go says why. */
static void
test_refused (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintJobList) jobs = stint_job_list_new (STINT_JOB_STORE (fixture->history));
  g_autoptr (StintJobSpec) spec = stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, "exec sleep 1000");
  g_autoptr (StintJob) job = NULL;
  g_autoptr (GError) error = NULL;
  StintStdio stdio = STINT_STDIO_NONE;

  stdio.stdin_fd = open ("/dev/null", O_RDONLY | O_CLOEXEC);
  stint_job_spec_set_directory (spec, "/");
  job = stint_job_list_submit (jobs, spec, &stdio, &error);
  g_assert_no_error (error);
  stint_stdio_close (&stdio);
  g_assert_false (stint_job_can_detach (job));
  g_assert_false (stint_job_detach (job, &error));
  g_assert_error (error, STINT_ERROR, STINT_ERROR_NOT_RUNNING);
  g_clear_error (&error);
  wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
  g_assert_false (stint_job_can_detach (job));
  g_assert_false (stint_job_detach (job, &error));
  g_assert_error (error, STINT_ERROR, STINT_ERROR_INVALID);
  stint_job_kill (job);
  wait_until (stint_job_list_get_n_active (jobs) == 0 && stint_job_list_get_n_saving (jobs) == 0);
}

/* Where there can be no socket the job is kept, and its page says so. */
static void
test_no_socket (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintJobList) jobs = stint_job_list_new (STINT_JOB_STORE (fixture->history));
  g_autoptr (StintJobSpec) spec = stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, "exec sleep 1000");
  g_autoptr (StintJob) job = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;

  stint_job_spec_set_directory (spec, "/");
  job = stint_job_list_submit (jobs, spec, NULL, &error);
  g_assert_no_error (error);
  wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
  /* A directory is in the way. */
  path = g_build_filename (stint_job_get_directory (job), "control", NULL);
  g_assert_no_errno (mkdir (path, 0700));
  g_assert_true (stint_job_detach (job, &error));
  wait_until (stint_job_get_warning (job) != NULL);
  g_assert_false (stint_job_get_detached (job));
  g_assert_cmpuint (stint_job_list_get_n_active (jobs), ==, 1);
  stint_job_kill (job);
  wait_until (stint_job_list_get_n_active (jobs) == 0 && stint_job_list_get_n_saving (jobs) == 0);
  g_assert_no_errno (rmdir (path));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  next_watch ();
  g_test_add_data_func ("/detach/exit", "exit", test_adopted);
  g_test_add_data_func ("/detach/die", "die", test_adopted);
  g_test_add_data_func ("/detach/control/keep", "keep", test_not_let_go);
  g_test_add_data_func ("/detach/control/attach", "attach", test_not_let_go);
  g_test_add_func ("/detach/ended-alone", test_ended_alone);
  g_test_add_func ("/detach/controls", test_controls);
  g_test_add_func ("/detach/terminal", test_terminal);
  g_test_add_func ("/detach/attach", test_attach);
  g_test_add_func ("/detach/added-meanwhile", test_added_meanwhile);
  g_test_add_func ("/detach/part", test_part);
  g_test_add_func ("/detach/busy", test_busy);
  g_test_add_func ("/detach/keeper-killed", test_keeper_killed);
  g_test_add_func ("/detach/keeper-stopped", test_keeper_stopped);
  g_test_add_func ("/detach/refused", test_refused);
  g_test_add_func ("/detach/no-socket", test_no_socket);
  return g_test_run ();
}
