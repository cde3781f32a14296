/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The real keeper: how a command starts, what it finds, how it ends, and what is told of it. How it
 * is stopped is in test-keeper-stop.c, its output in test-keeper-output.c, its priority in
 * test-keeper-priority.c, crashes are in test-keeper-crash.c.
 */
#include "in-child.h"
#include "keeper-harness.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void
test_true (void)
{
  g_autoptr (TestJob) job = test_job_new_argv ((const char *const[]) { "true", NULL });
  const struct keeper_outcome *outcome;

  test_job_start (job);
  outcome = test_job_finish (job);
  g_assert_cmpuint (outcome->reason, ==, KEEPER_REASON_EXITED);
  g_assert_cmpint (outcome->has_status, ==, 1);
  g_assert_cmpint (outcome->wait_status, ==, 0);
  g_assert_cmpuint (outcome->step, ==, KEEPER_STEP_NONE);
  g_assert_cmpuint (outcome->escalated, ==, 0);
  g_assert_cmpuint (outcome->leftovers, ==, 0);
  g_assert_cmpuint (outcome->n_survivors, ==, 0);
  g_assert_cmpuint (outcome->size, ==, 0);
  g_assert_cmpuint (outcome->store_error, ==, 0);
}

/* started, leader-exited, done; and nothing else. */
static void
test_order (void)
{
  static const enum keeper_event_type types[] = { KEEPER_EVENT_STARTED, KEEPER_EVENT_LEADER_EXITED,
                                                  KEEPER_EVENT_DONE };

  for (int i = 0; i < 50; i++)
    {
      g_autoptr (TestJob) job = test_job_new_argv ((const char *const[]) { "true", NULL });
      const struct keeper_event *events;
      const struct keeper_outcome *outcome;

      test_job_start (job);
      outcome = test_job_finish (job);
      events = (const struct keeper_event *) (gpointer) job->events->data;
      g_assert_cmpuint (job->events->len, ==, G_N_ELEMENTS (types));
      for (gsize j = 0; j < G_N_ELEMENTS (types); j++)
        {
          g_assert_cmpuint (events[j].type, ==, types[j]);
          g_assert_true (j == 2 || events[j].pid == outcome->pid);
          g_assert_true (j == 0 || events[j].at >= events[j - 1].at);
        }
      g_assert_cmpint (outcome->started_at, ==, events[0].at);
      g_assert_cmpint (outcome->leader_end_at, ==, events[1].at);
    }
}

static void
test_exit_codes (void)
{
  for (int code = 0; code < 256; code += 15)
    {
      g_autofree char *script = g_strdup_printf ("exit %d", code);
      g_autoptr (TestJob) job = test_job_new (script);
      const struct keeper_outcome *outcome;

      test_job_start (job);
      outcome = test_job_finish (job);
      g_assert_cmpuint (outcome->reason, ==, KEEPER_REASON_EXITED);
      g_assert_cmpint (outcome->wait_status, ==, code << 8);
      g_assert_cmpint (test_job_await (job, KEEPER_EVENT_LEADER_EXITED)->wait_status, ==, code << 8);
    }
}

static void
test_signals (void)
{
  static const int signals[] = { SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGABRT, SIGFPE, SIGKILL,
                                 SIGSEGV, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2 };

  for (gsize i = 0; i < G_N_ELEMENTS (signals); i++)
    {
      g_autofree char *script = g_strdup_printf ("ulimit -c 0; kill -%d $$; sleep 1000", signals[i]);
      g_autoptr (TestJob) job = test_job_new (script);
      const struct keeper_outcome *outcome;

      test_job_start (job);
      outcome = test_job_finish (job);
      g_assert_cmpuint (outcome->reason, ==, KEEPER_REASON_SIGNALED);
      g_assert_true (WIFSIGNALED (outcome->wait_status));
      g_assert_cmpint (WTERMSIG (outcome->wait_status), ==, signals[i]);
    }
}

static void
test_times (void)
{
  gint64 mono = g_get_monotonic_time (), real = g_get_real_time ();
  g_autoptr (TestJob) job = test_job_new ("i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done; (exit 3)");
  const struct keeper_outcome *outcome;

  test_job_start (job);
  outcome = test_job_finish (job);
  g_assert_cmpint (outcome->started_at, >=, mono);
  g_assert_cmpint (outcome->leader_end_at, >=, outcome->started_at);
  g_assert_cmpint (outcome->ended_at, >=, outcome->leader_end_at);
  g_assert_cmpint (outcome->ended_at, <=, g_get_monotonic_time ());
  g_assert_cmpint (outcome->ended_real, >=, real);
  g_assert_cmpint (outcome->ended_real, <=, g_get_real_time ());
  g_assert_cmpint (outcome->cpu, >, 0);
  g_assert_cmpint (outcome->max_rss, >, 100 * 1024);
  g_assert_cmpint (outcome->max_rss, <, G_GINT64_CONSTANT (1) << 40);
}

/* When it began is told as it was noted then: of what the machine slept meanwhile, and of a clock that
 * was set, the end says nothing. */
static void
test_suspend (gconstpointer data)
{
  gboolean worker_dies = GPOINTER_TO_INT (data);
  gint64 before = g_get_real_time (), started;
  g_autoptr (TestJob) job = test_job_new ("echo ready; exec sleep 1000");
  const struct keeper_outcome *outcome;

  test_job_without (job, "suspend");
  test_job_start (job);
  test_job_await_text (job, "ready");
  if (worker_dies)
    kill (test_job_get_worker (job), SIGKILL);
  else
    test_job_stop (job, KEEPER_REASON_TERMINATED, 0);
  outcome = test_job_finish (job);
  started = outcome->ended_real - (outcome->ended_at - outcome->started_at);
  g_assert_cmpint (started, >=, before);
  g_assert_cmpint (started, <=, g_get_real_time ());
}

/* The start that fails. */

static void
assert_fails (TestJob *job, enum keeper_step step, int error)
{
  const struct keeper_outcome *outcome;

  test_job_start (job);
  outcome = test_job_finish (job);
  g_assert_cmpuint (outcome->reason, ==, KEEPER_REASON_FAILED);
  g_assert_cmpuint (outcome->step, ==, step);
  g_assert_cmpint (outcome->error, ==, error);
  g_assert_cmpint (outcome->has_status, ==, 0);
  g_assert_cmpuint (test_job_count (job, KEEPER_EVENT_STARTED), ==, 0);
  g_assert_cmpuint (test_job_count (job, KEEPER_EVENT_LEADER_EXITED), ==, 0);
}

static void
make_file (TestJob *job, const char *content, int mode)
{
  g_autofree char *path = g_build_filename (job->directory->path, "prog", NULL);

  g_assert_true (g_file_set_contents (path, content, -1, NULL));
  g_assert_no_errno (g_chmod (path, mode));
  g_free (job->argv[0]);
  job->argv[0] = g_steal_pointer (&path);
}

static void
test_fail_exec (void)
{
  static const char *const program[] = { "/nonexistent/program", "argument", NULL };
  static const char *const nowhere[] = { "certainly-no-such-program", NULL };
  static const char *const nothing[] = { "", NULL };
  static const char *const directory[] = { "/usr", NULL };
  g_autoptr (TestJob) job1 = test_job_new_argv (program);
  g_autoptr (TestJob) job2 = test_job_new_argv (nowhere);
  g_autoptr (TestJob) job3 = test_job_new_argv (nothing);
  g_autoptr (TestJob) job4 = test_job_new_argv (directory);
  g_autoptr (TestJob) job5 = test_job_new_argv (program);
  g_autoptr (TestJob) job6 = test_job_new_argv (program);
  g_autoptr (TestJob) job7 = test_job_new_argv (program);

  assert_fails (job1, KEEPER_STEP_EXEC, ENOENT);
  assert_fails (job2, KEEPER_STEP_EXEC, ENOENT);
  assert_fails (job3, KEEPER_STEP_EXEC, ENOENT);
  assert_fails (job4, KEEPER_STEP_EXEC, EACCES);
  make_file (job5, "#!/bin/sh\n", 0600);
  assert_fails (job5, KEEPER_STEP_EXEC, EACCES);
  make_file (job6, "#!/nonexistent/interpreter\n", 0700);
  assert_fails (job6, KEEPER_STEP_EXEC, ENOENT);
  g_free (job7->argv[1]);
  job7->argv[1] = g_strnfill (3 * 1024 * 1024, 'x');
  g_free (job7->argv[0]);
  job7->argv[0] = g_strdup ("/bin/true");
  assert_fails (job7, KEEPER_STEP_EXEC, E2BIG);
}

/* Found in the PATH, but not to be executed there: that is the error, as with execvp. */
static void
test_fail_path (void)
{
  g_autoptr (TestJob) job = test_job_new_argv ((const char *const[]) { "prog", NULL });

  make_file (job, "#!/bin/sh\n", 0600);
  g_strfreev (job->environ);
  job->environ = g_new0 (char *, 2);
  job->environ[0] = g_strdup_printf ("PATH=/nonexistent:%s:/usr", job->directory->path);
  g_free (job->argv[0]);
  job->argv[0] = g_strdup ("prog");
  assert_fails (job, KEEPER_STEP_EXEC, EACCES);
}

/* What was mounted on a directory of the PATH may have gone: it is then looked for in the others, as with
 * execvp, and if it is in none of them it is not found. */
static void
test_path_gone (void)
{
  for (int found = 0; found < 2; found++)
    {
      g_autoptr (TestJob) job = test_job_new_argv ((const char *const[]) { "true", NULL });

      test_job_without (job, "mounts");
      g_strfreev (job->environ);
      job->environ = g_new0 (char *, 2);
      job->environ[0] = g_strconcat ("PATH=/stale:/no-device:/no-server",
                                     found ? ":/usr/bin:/bin" : "", NULL);
      if (found)
        {
          test_job_start (job);
          g_assert_cmpuint (test_job_finish (job)->reason, ==, KEEPER_REASON_EXITED);
        }
      else
        {
          assert_fails (job, KEEPER_STEP_EXEC, ENOENT);
        }
    }
}

static void
test_fail_directory (void)
{
  g_autoptr (TestJob) job1 = test_job_new ("true");
  g_autoptr (TestJob) job2 = test_job_new ("true");

  g_free (job1->cwd);
  job1->cwd = g_strdup ("/nonexistent/directory");
  assert_fails (job1, KEEPER_STEP_DIRECTORY, ENOENT);
  g_free (job2->cwd);
  job2->cwd = g_strdup ("/dev/null");
  assert_fails (job2, KEEPER_STEP_DIRECTORY, ENOTDIR);
}

static void
test_fail_block (void)
{
  g_autoptr (TestJob) job = test_job_new ("true");

  job->block.magic++;
  test_job_start (job);
  g_assert_true (test_job_try_finish (job, IN_CHILD_DEADLINE));
  g_assert_true (WIFEXITED (job->status));
  g_assert_cmpint (WEXITSTATUS (job->status), ==, 125);
  g_assert_cmpuint (job->n_left, ==, 0);
}

/* What the command finds. */

/* Returns: what follows @name on its line of the output. */
static char *
dup_field (const char *output, const char *name)
{
  g_auto (GStrv) lines = g_strsplit_set (output, "\r\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], name) && lines[i][strlen (name)] == ':')
      return g_strdup (g_strstrip (lines[i] + strlen (name) + 1));
  g_error ("There is no %s in: %s", name, output);
  return NULL;
}

static void
assert_field (const char *output, const char *name, const char *expected)
{
  g_autofree char *value = dup_field (output, name);

  g_assert_cmpstr (value, ==, expected);
}

static void
assert_no_signals (const char *output, const char *name)
{
  assert_field (output, name, "0000000000000000");
}

static void
assert_state (TestJob *job, const char *in_terminal)
{
  g_autofree char *output = NULL;

  job->stray = true;
  job->block.nofile_soft = 100;
  job->block.oom_score_adj = 500;
  test_job_start (job);
  g_assert_cmpuint (test_job_finish (job)->reason, ==, KEEPER_REASON_EXITED);
  output = test_job_dup_output (job);
  g_test_message ("%s", output);
  assert_field (output, "fds", "0 1 2");
  assert_no_signals (output, "SigBlk");
  assert_no_signals (output, "SigIgn");
  assert_no_signals (output, "SigCgt");
  assert_field (output, "leads session", "1");
  assert_field (output, "leads group", "1");
  assert_field (output, "controlling terminal", in_terminal);
  assert_field (output, "in foreground", in_terminal);
  assert_field (output, "nofile", "100");
  assert_field (output, "cwd", "/usr");
  assert_field (output, "oom", "500");
}

static void
test_state (void)
{
  g_autoptr (TestJob) job = test_job_new_command ("state", NULL);
  g_autofree char *output = NULL;

  g_free (job->cwd);
  job->cwd = g_strdup ("/usr");
  assert_state (job, "0");
  output = test_job_dup_output (job);
  assert_field (output, "terminals", "000");
}

static void
test_state_pty (void)
{
  g_autoptr (TestJob) job = test_job_new_command ("state", NULL);
  g_autofree char *output = NULL;

  g_free (job->cwd);
  job->cwd = g_strdup ("/usr");
  test_job_use_pty (job, 133, 47);
  assert_state (job, "1");
  output = test_job_dup_output (job);
  assert_field (output, "terminals", "111");
  assert_field (output, "size", "133 47");
}

/* Any of the three may be a pass, a capture or nothing. */
static void
test_stdio (void)
{
  g_autoptr (TestJob) job =
    test_job_new ("cat; echo out; echo err >&2; [ -c /dev/fd/2 ] && exit 7; exit 0");
  g_autofree char *output = NULL;

  test_job_use_stdin (job);
  job->block.stdio[2].kind = KEEPER_STDIO_NULL;
  test_job_start (job);
  g_assert_cmpint (write (job->write_fd, "in\n", 3), ==, 3);
  /* The keeper keeps no copy: its end is seen. */
  g_assert_no_errno (close (job->write_fd));
  job->write_fd = -1;
  g_assert_cmpint (test_job_finish (job)->wait_status, ==, 7 << 8);
  output = test_job_dup_output (job);
  g_assert_cmpstr (output, ==, "in\nout\n");
}

/* The stream `pass`: the keeper does not touch it, and lets it go. */
static void
test_pass (void)
{
  g_autoptr (TestJob) job = test_job_new ("echo protocol; exec >&-; read line");
  char bytes[64];
  int fds[2];

  test_job_use_stdin (job);
  g_assert_no_errno (pipe2 (fds, O_CLOEXEC));
  job->block.stdio[1].kind = KEEPER_STDIO_PASS;
  job->given_fd[1] = fds[1];
  test_job_start (job);
  g_assert_cmpint (read (fds[0], bytes, sizeof bytes), ==, 9);
  g_assert_cmpint (read (fds[0], bytes, sizeof bytes), ==, 0);
  close (fds[0]);
  g_assert_cmpint (test_job_try (job, KEEPER_EVENT_DONE, 0) == NULL, ==, TRUE);
  g_assert_cmpint (write (job->write_fd, "\n", 1), ==, 1);
  g_assert_cmpuint (test_job_finish (job)->stdout_bytes, ==, 0);
}

/* A command that is given no stream at all has three, and they are /dev/null. */
static void
test_null (void)
{
  g_autoptr (TestJob) job = test_job_new ("echo a; echo b >&2; read line; exit 9");

  job->block.stdio[1].kind = job->block.stdio[2].kind = KEEPER_STDIO_NULL;
  test_job_start (job);
  g_assert_cmpint (test_job_finish (job)->wait_status, ==, 9 << 8);
}

static void
test_arguments (void)
{
  static const char *const argv[] = { "printf", "<%s>", "a b", "", "\"'\\", "line\nbreak", "\xff\xfe", NULL };
  g_autoptr (TestJob) job = test_job_new_argv (argv);
  g_autofree char *output = NULL;

  test_job_start (job);
  test_job_finish (job);
  output = test_job_dup_output (job);
  g_assert_cmpstr (output, ==, "<a b><><\"'\\><line\nbreak><\xff\xfe>");
}

/* The environment is the block's and nothing else; a long one goes through. */
static void
test_environment (void)
{
  g_autoptr (TestJob) job = test_job_new_argv ((const char *const[]) { "env", NULL });
  g_autofree char *output = NULL, *expected = NULL;
  GPtrArray *environ = g_ptr_array_new ();

  g_ptr_array_add (environ, g_strdup ("PATH=/usr/bin:/bin"));
  g_ptr_array_add (environ, g_strdup ("LD_NOTHING=a b"));
  for (int i = 0; i < 10; i++)
    {
      g_autofree char *value = g_strnfill (100 * 1024, 'x');

      g_ptr_array_add (environ, g_strdup_printf ("LONG%d=%s", i, value));
    }
  g_ptr_array_add (environ, NULL);
  g_strfreev (job->environ);
  job->environ = (GStrv) g_ptr_array_free (environ, FALSE);
  test_job_start (job);
  test_job_finish (job);
  output = test_job_dup_output (job);
  expected = g_strjoinv ("\n", job->environ);
  g_assert_cmpuint (strlen (output), ==, strlen (expected) + 1);
  g_assert_true (g_str_has_prefix (output, expected));
}

/* A script without `#!` is the shell's, as with execvp. */
static void
test_script (void)
{
  g_autoptr (TestJob) job =
    test_job_new_argv ((const char *const[]) { "prog", "one", "two words", NULL });
  g_autofree char *output = NULL;

  make_file (job, "echo \"$1-$2-$#\"\n", 0700);
  test_job_start (job);
  test_job_finish (job);
  output = test_job_dup_output (job);
  g_assert_cmpstr (output, ==, "one-two words-2\n");
}

/* Leftovers. */

static void
test_leftovers_terminate (void)
{
  g_autoptr (TestJob) job = test_job_new ("setsid sleep 1000 & sleep 1000 & exit 3");
  const struct keeper_outcome *outcome;

  test_job_start (job);
  outcome = test_job_finish (job);
  g_assert_cmpuint (outcome->reason, ==, KEEPER_REASON_EXITED);
  g_assert_cmpint (outcome->wait_status, ==, 3 << 8);
  g_assert_cmpuint (outcome->leftovers, ==, 2);
  g_assert_cmpuint (outcome->escalated, ==, 0);
}

/* The status is told at once, though the daemon has all of its grace. */
static void
test_leftovers_grace (void)
{
  g_autoptr (TestJob) job = test_job_new_command ("daemon", NULL);
  const struct keeper_event *exited;
  const struct keeper_outcome *outcome;

  job->block.grace = 300000;
  test_job_start (job);
  exited = test_job_await (job, KEEPER_EVENT_LEADER_EXITED);
  g_assert_cmpuint (exited->reason, ==, KEEPER_REASON_EXITED);
  outcome = test_job_finish (job);
  g_assert_cmpuint (outcome->reason, ==, KEEPER_REASON_EXITED);
  g_assert_cmpint (outcome->ended_at - outcome->leader_end_at, >=, 300000);
  g_assert_cmpuint (outcome->leftovers, ==, 1);
  g_assert_cmpuint (outcome->escalated, ==, 1);
  g_assert_cmpuint (test_job_count (job, KEEPER_EVENT_ESCALATED), ==, 1);
}

static void
test_leftovers_wait (void)
{
  g_autoptr (TestJob) job = test_job_new ("exec 3<&0; (read line <&3; echo late) & exit 4");
  const struct keeper_outcome *outcome;
  g_autofree char *output = NULL;

  job->block.flags = KEEPER_LEFTOVERS_WAIT;
  test_job_use_stdin (job);
  test_job_start (job);
  test_job_await (job, KEEPER_EVENT_LEADER_EXITED);
  g_assert_null (test_job_try (job, KEEPER_EVENT_DONE, 200000));
  g_assert_cmpint (write (job->write_fd, "\n", 1), ==, 1);
  outcome = test_job_finish (job);
  output = test_job_dup_output (job);
  g_assert_cmpstr (output, ==, "late\n");
  g_assert_cmpuint (outcome->reason, ==, KEEPER_REASON_EXITED);
  g_assert_cmpint (outcome->wait_status, ==, 4 << 8);
  g_assert_cmpuint (outcome->leftovers, ==, 0);
}

static void
test_leftovers_wait_stopped (void)
{
  g_autoptr (TestJob) job = test_job_new ("sleep 1000 & exit 4");
  const struct keeper_outcome *outcome;

  job->block.flags = KEEPER_LEFTOVERS_WAIT;
  test_job_start (job);
  test_job_await (job, KEEPER_EVENT_LEADER_EXITED);
  test_job_stop (job, KEEPER_REASON_TERMINATED, -1);
  outcome = test_job_finish (job);
  g_assert_cmpuint (outcome->reason, ==, KEEPER_REASON_TERMINATED);
  g_assert_cmpint (outcome->wait_status, ==, 4 << 8);
}

/* Many. */

static void
test_in_a_row (void)
{
  for (int i = 0; i < 300; i++)
    {
      g_autoptr (TestJob) job = test_job_new_argv ((const char *const[]) { "true", NULL });

      test_job_start (job);
      g_assert_cmpuint (test_job_finish (job)->reason, ==, KEEPER_REASON_EXITED);
    }
}

/* Kill against the natural end: one outcome each, and a true one. */
static void
test_kill_race (void)
{
  guint n_killed = 0;

  for (int i = 0; i < 200; i++)
    {
      g_autoptr (TestJob) job = test_job_new_argv ((const char *const[]) { "true", NULL });
      const struct keeper_outcome *outcome;

      test_job_start (job);
      g_usleep ((gulong) g_test_rand_int_range (0, 3000));
      test_job_kill (job, KEEPER_REASON_KILLED);
      outcome = test_job_finish (job);
      if (outcome->reason == KEEPER_REASON_KILLED)
        n_killed++;
      else
        g_assert_cmpuint (outcome->reason, ==, KEEPER_REASON_EXITED);
      g_assert_cmpint (outcome->has_status, ==, 1);
      g_assert_true (outcome->wait_status == 0 || outcome->wait_status == SIGKILL);
    }
  g_test_message ("%u of 200 were killed", n_killed);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/keeper/start/true", test_true);
  g_test_add_func ("/keeper/start/order", test_order);
  g_test_add_func ("/keeper/start/exit-codes", test_exit_codes);
  g_test_add_func ("/keeper/start/signals", test_signals);
  g_test_add_func ("/keeper/start/times", test_times);
  g_test_add_data_func ("/keeper/start/suspend", GINT_TO_POINTER (FALSE), test_suspend);
  g_test_add_data_func ("/keeper/start/suspend/taken-over", GINT_TO_POINTER (TRUE), test_suspend);
  g_test_add_func ("/keeper/start/fail-exec", test_fail_exec);
  g_test_add_func ("/keeper/start/fail-path", test_fail_path);
  g_test_add_func ("/keeper/start/path-gone", test_path_gone);
  g_test_add_func ("/keeper/start/fail-directory", test_fail_directory);
  g_test_add_func ("/keeper/start/fail-block", test_fail_block);
  g_test_add_func ("/keeper/start/state", test_state);
  g_test_add_func ("/keeper/start/state-pty", test_state_pty);
  g_test_add_func ("/keeper/start/stdio", test_stdio);
  g_test_add_func ("/keeper/start/pass", test_pass);
  g_test_add_func ("/keeper/start/null", test_null);
  g_test_add_func ("/keeper/start/arguments", test_arguments);
  g_test_add_func ("/keeper/start/environment", test_environment);
  g_test_add_func ("/keeper/start/script", test_script);
  g_test_add_func ("/keeper/leftovers/terminate", test_leftovers_terminate);
  g_test_add_func ("/keeper/leftovers/grace", test_leftovers_grace);
  g_test_add_func ("/keeper/leftovers/wait", test_leftovers_wait);
  g_test_add_func ("/keeper/leftovers/wait-stopped", test_leftovers_wait_stopped);
  g_test_add_func ("/keeper/many/in-a-row", test_in_a_row);
  g_test_add_func ("/keeper/many/kill-race", test_kill_race);

  return g_test_run ();
}
