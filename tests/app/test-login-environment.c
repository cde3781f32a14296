/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The login shell's environment, asked of shells that do what profiles do: print, hang, end, start
 * something that stays. Each of them is a script.
 */
#include "stint-login-environment.h"

#include "stint-error.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>

#define GENEROUS (60 * G_USEC_PER_SEC)

typedef struct
{
  char **environ;
  GError *error;
  gboolean done;
} Answer;

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Answer *answer = user_data;

  answer->environ = stint_login_environment_read_finish (STINT_LOGIN_ENVIRONMENT (source), result,
                                                         &answer->error);
  answer->done = TRUE;
}

static void
answer_clear (Answer *answer)
{
  g_clear_pointer (&answer->environ, g_strfreev);
  g_clear_error (&answer->error);
  answer->done = FALSE;
}

/* Until everything that the shell started is gone, too: the object is the job's as long. */
static void
read_environment (StintLoginEnvironment *environment, Answer *answer)
{
  stint_login_environment_read_async (environment, on_read, answer);
  while (!answer->done)
    g_main_context_iteration (NULL, TRUE);
}

/* (transfer full) (type filename): a shell that does @body and then what it was asked. */
static char *
make_shell (const char *body)
{
  g_autofree char *directory = g_dir_make_tmp ("stint-shell-XXXXXX", NULL);
  g_autofree char *text = g_strdup_printf ("#!/bin/sh\n%s\n", body);
  char *path = g_build_filename (directory, "sh", NULL);

  g_assert_true (g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_NONE, 0700, NULL));
  return path;
}

static void
remove_shell (const char *path)
{
  g_autofree char *directory = g_path_get_dirname (path);

  g_unlink (path);
  g_rmdir (directory);
}

#define RUN "while [ \"$1\" != -c ]; do shift; done; eval \"$2\""

static void
test_told (void)
{
  g_autofree char *shell = make_shell ("echo 'Welcome back!'; echo mail >&2\n"
                                       "PATH=/opt/nvm/bin:$PATH; LINES_OF='a\nb=c'; EMPTY=\n"
                                       "export PATH LINES_OF EMPTY\n" RUN);
  g_autoptr (StintLoginEnvironment) environment = stint_login_environment_new (shell, GENEROUS);
  Answer first = { 0 }, second = { 0 };

  read_environment (environment, &first);
  g_assert_no_error (first.error);
  g_assert_true (g_str_has_prefix (g_environ_getenv (first.environ, "PATH"), "/opt/nvm/bin:"));
  g_assert_cmpstr (g_environ_getenv (first.environ, "LINES_OF"), ==, "a\nb=c");
  g_assert_cmpstr (g_environ_getenv (first.environ, "EMPTY"), ==, "");
  g_assert_null (g_environ_getenv (first.environ, "STINT_JOB_ID"));
  g_assert_null (g_environ_getenv (first.environ, "STINT_READS_ENVIRONMENT"));
  g_assert_null (g_environ_getenv (first.environ, "PWD"));

  /* Read once: it need not be there any more. */
  remove_shell (shell);
  read_environment (environment, &second);
  g_assert_no_error (second.error);
  g_assert_true (g_strv_equal ((const char *const *) first.environ,
                               (const char *const *) second.environ));
  answer_clear (&first);
  answer_clear (&second);
}

static void
test_real_shell (void)
{
  g_autoptr (StintLoginEnvironment) environment =
      stint_login_environment_new ("/bin/bash", GENEROUS);
  Answer answer = { 0 };

  read_environment (environment, &answer);
  g_assert_no_error (answer.error);
  g_assert_nonnull (g_environ_getenv (answer.environ, "PATH"));
  answer_clear (&answer);
}

/* Why it did not work is told once, and there is an environment all the same. */
static void
assert_fails (const char *shell, gint64 timeout)
{
  g_autoptr (StintLoginEnvironment) environment = stint_login_environment_new (shell, timeout);
  Answer first = { 0 }, second = { 0 };

  stint_login_environment_read_async (environment, on_read, &first);
  stint_login_environment_read_async (environment, on_read, &second);
  while (!first.done || !second.done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (first.error, STINT_ERROR, STINT_ERROR_FAILED);
  g_assert_nonnull (g_strstr_len (first.error->message, -1, shell));
  g_assert_cmpstr (g_environ_getenv (first.environ, "PATH"), ==, g_getenv ("PATH"));
  g_assert_no_error (second.error);
  g_assert_cmpstr (g_environ_getenv (second.environ, "PATH"), ==, g_getenv ("PATH"));
  answer_clear (&first);
  answer_clear (&second);
}

static void
test_fails (void)
{
  static const char *const bodies[] = {
    "exit 0",
    "exit 3",
    "kill -9 $$",
    "while [ \"$1\" != -c ]; do shift; done; echo \"$2\"",
    /* The marker and no environment. */
    "while [ \"$1\" != -c ]; do shift; done; set -- $2; echo \"${2%;}\"",
  };

  for (guint i = 0; i < G_N_ELEMENTS (bodies); i++)
    {
      g_autofree char *shell = make_shell (bodies[i]);

      assert_fails (shell, GENEROUS);
      remove_shell (shell);
    }
  assert_fails ("/nonexistent/sh", GENEROUS);
}

/* It hangs, or prints without end; and nothing of it stays. */
static void
test_hangs (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *pid_path = NULL;
      g_autofree char *body = NULL;
      g_autofree char *shell = NULL;
      g_autofree char *text = NULL;
      int fd = g_file_open_tmp ("stint-pid-XXXXXX", &pid_path, NULL);

      g_close (fd, NULL);
      body = i == 0 ? g_strdup_printf ("echo $$ > %s; sleep 10000", pid_path)
                    : g_strdup_printf ("echo $$ > %s; exec yes", pid_path);
      shell = make_shell (body);
      assert_fails (shell, G_USEC_PER_SEC / 2);
      remove_shell (shell);
      /* A machine so busy that it had not even begun has nothing to be looked at. */
      if (g_file_get_contents (pid_path, &text, NULL, NULL) && *text != '\0')
        {
          g_assert_cmpint (kill ((pid_t) atoi (text), 0), ==, -1);
          g_assert_cmpint (errno, ==, ESRCH);
        }
      g_unlink (pid_path);
    }
}

int
main (int argc, char **argv)
{
  signal (SIGPIPE, SIG_IGN);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/login-environment/told", test_told);
  g_test_add_func ("/app/login-environment/real-shell", test_real_shell);
  g_test_add_func ("/app/login-environment/fails", test_fails);
  g_test_add_func ("/app/login-environment/hangs", test_hangs);
  return g_test_run ();
}
