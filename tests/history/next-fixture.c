/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "next-fixture.h"

#include "stint-text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static gboolean
turn (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

void
next_watch (void)
{
  history_fixture_watch ();
  prctl (PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  g_timeout_add (10, turn, NULL);
}

Next *
next_new (void)
{
  Next *next = g_new0 (Next, 1);
  g_autofree char *fifo = NULL;

  next->fixture = history_fixture_new ();
  next->jobs = stint_job_list_new (STINT_JOB_STORE (next->fixture->history));
  fifo = history_fixture_path (next->fixture, "fifo");
  g_assert_no_errno (mkfifo (fifo, 0600));
  return next;
}

void
next_free (Next *next)
{
  wait_until (waitpid (-1, NULL, WNOHANG) < 0);
  g_assert_cmpint (errno, ==, ECHILD);
  g_clear_object (&next->jobs);
  history_fixture_free (next->fixture);
  g_free (next);
}

void
next_let_go (Next *next, const char *how, const char *line, ...)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  const char *setting;
  int status;
  va_list settings;

  g_ptr_array_add (argv, (gpointer) g_getenv ("STINT_LET_GO"));
  g_ptr_array_add (argv, next->fixture->directory);
  g_ptr_array_add (argv, (gpointer) how);
  g_ptr_array_add (argv, (gpointer) line);
  va_start (settings, line);
  while ((setting = va_arg (settings, const char *)) != NULL)
    g_ptr_array_add (argv, (gpointer) setting);
  va_end (settings);
  g_ptr_array_add (argv, NULL);
  g_assert_true (g_spawn_sync (NULL, (char **) argv->pdata, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL,
                               NULL, NULL, NULL, &status, &error));
  g_assert_no_error (error);
  if (g_str_equal (how, "exit"))
    g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 0);
  else
    g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);
}

void
next_say (Next *next, const char *line)
{
  g_autofree char *path = history_fixture_path (next->fixture, "fifo");
  int fd = open (path, O_WRONLY | O_CLOEXEC);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, line, strlen (line)), ==, (gssize) strlen (line));
  close (fd);
}

StintJob *
next_adopt (Next *next, GError **error)
{
  g_autoptr (GPtrArray) left = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  GAsyncResult *pending = NULL;
  StintLeftJob *job;

  g_assert_cmpint (history_fixture_recover (next->fixture), ==, 0);
  g_assert_cmpuint (stint_history_get_n_ending (next->fixture->history), ==, 0);
  left = stint_history_take_left (next->fixture->history);
  g_assert_cmpuint (left->len, ==, 1);
  job = left->pdata[0];
  stint_job_list_adopt_async (next->jobs, job, history_fixture_keep_result, &pending);
  result = history_fixture_await (&pending);
  return stint_job_list_adopt_finish (next->jobs, result, error);
}

StintJob *
next_adopt_well (Next *next)
{
  g_autoptr (GError) error = NULL;
  StintJob *job = next_adopt (next, &error);

  g_assert_no_error (error);
  wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
  g_assert_true (stint_job_get_detached (job));
  g_assert_cmpint (stint_job_get_pid (job), >, 1);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (next->jobs)), ==, 1);
  return job;
}

char *
next_read_output (StintJob *job)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;

  bytes = stint_reader_read_stream (stint_transcript_get_reader (stint_job_get_transcript (job)),
                                    STINT_STREAM_STDOUT, G_MAXINT32, &error);
  g_assert_no_error (error);
  return stint_text_from_bytes (bytes);
}

gboolean
next_has_written (StintJob *job, const char *text)
{
  g_autofree char *output = next_read_output (job);

  return strstr (output, text) != NULL;
}

StintResult *
next_wait_for_end (Next *next, StintJob *job)
{
  wait_until (stint_job_get_state (job) == STINT_JOB_FINISHED &&
              stint_job_list_get_n_saving (next->jobs) == 0);
  return stint_job_get_result (job);
}
