/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Asks the login shell for its environment. What a profile may do is not known: it may wait for
 * input, print, start something that stays, or never end. So the shell is a job like any other,
 * that leaves no trace and has a limit. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-login-environment.h"

#include "stint-error.h"
#include "stint-job.h"
#include "stint-result.h"
#include "stint-scratch-store.h"
#include "stint-units.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixinputstream.h>
#include <glib-unix.h>
#include <glib/gi18n.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

#define MAX_BYTES (4 * 1024 * 1024)

/* For profiles that want to know who asks. */
#define MARK_VARIABLE "STINT_READS_ENVIRONMENT"

struct _StintLoginEnvironment
{
  GObject parent_instance;

  char *shell; /* (nullable) */
  gint64 timeout;

  gboolean asked;
  char *marker; /* stands before the environment: a profile may print something first */
  StintJob *job;
  GInputStream *stream;
  GByteArray *output;
  gboolean ended;    /* the job */
  gboolean complete; /* its output */

  GQueue waiting; /* of GTask */
  char **answer;  /* (nullable) */
  GError *error;  /* (nullable): not told yet */
};

G_DEFINE_FINAL_TYPE (StintLoginEnvironment, stint_login_environment, G_TYPE_OBJECT)

/* What the shell and the way of asking put into it. */
static const char *const not_the_users[] = { "_",       "SHLVL",        "PWD",
                                             "OLDPWD",  "STINT_JOB_ID", MARK_VARIABLE,
                                             "COLUMNS", "LINES",        NULL };

static void
return_answer (StintLoginEnvironment *self, GTask *task)
{
  if (self->error != NULL)
    g_task_return_error (task, g_steal_pointer (&self->error));
  else
    g_task_return_pointer (task, g_strdupv (self->answer), (GDestroyNotify) g_strfreev);
  g_object_unref (task);
}

static void
settle (StintLoginEnvironment *self, char **answer, GError *error)
{
  GTask *task;

  self->answer = answer != NULL ? answer : g_get_environ ();
  self->error = error;
  g_clear_object (&self->stream);
  g_clear_object (&self->job);
  g_clear_pointer (&self->output, g_byte_array_unref);
  while ((task = g_queue_pop_head (&self->waiting)) != NULL)
    return_answer (self, task);
}

static const char *
find_marker (const char *bytes, gsize length, const char *marker)
{
  g_autofree char *line = g_strconcat (marker, "\n", NULL);

  return memmem (bytes, length, line, strlen (line));
}

/* Returns: (transfer full) (nullable): what stands behind the marker, as `env -0` wrote it. */
static char **
parse (StintLoginEnvironment *self)
{
  const char *bytes = (const char *) self->output->data;
  const char *end = bytes + self->output->len;
  const char *found = bytes != NULL ? find_marker (bytes, self->output->len, self->marker) : NULL;
  char **environ = NULL;

  if (found == NULL)
    return NULL;
  found += strlen (self->marker) + 1;
  while (found < end)
    {
      const char *zero = memchr (found, '\0', (gsize) (end - found));
      const char *equals;

      /* It was cut off. */
      if (zero == NULL)
        {
          g_strfreev (environ);
          return NULL;
        }
      equals = strchr (found, '=');
      if (equals != NULL && equals > found)
        {
          g_autofree char *name = g_strndup (found, (gsize) (equals - found));

          if (!g_strv_contains (not_the_users, name))
            environ = g_environ_setenv (environ, name, equals + 1, TRUE);
        }
      found = zero + 1;
    }
  return environ;
}

static char *
describe_failure (StintLoginEnvironment *self, StintResult *result)
{
  g_autofree char *limit = NULL;

  if (result->reason == STINT_REASON_FAILED && result->error != NULL)
    return g_strdup (result->error);
  if (result->reason == STINT_REASON_TIMEOUT)
    {
      limit = stint_duration_format_words (self->timeout);
      /* Translators: %s is a duration, such as “5 s”. */
      return g_strdup_printf (
          _ ("It did not answer within %s: does its profile ask for something?"), limit);
    }
  return g_strdup (_ ("It ended without an answer"));
}

static void
check_done (StintLoginEnvironment *self)
{
  StintResult *result;
  char **answer;
  g_autofree char *why = NULL;

  if (!self->ended || !self->complete || self->answer != NULL)
    return;
  answer = parse (self);
  if (answer != NULL)
    {
      settle (self, answer, NULL);
      return;
    }
  result = stint_job_get_result (self->job);
  why = describe_failure (self, result);
  settle (
      self, NULL,
      g_error_new (STINT_ERROR, STINT_ERROR_FAILED,
                   /* Translators: the first %s is a shell, such as /bin/bash, the second a
                        * sentence */
                   _ ("%s was asked for the environment. %s. Jobs get the environment that Stint "
                      "was started with."),
                   stint_job_spec_get_argv (stint_job_get_spec (self->job))[0], why));
}

static void
on_ended (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintLoginEnvironment) self = user_data;
  g_autoptr (StintResult) ended = stint_job_run_finish (STINT_JOB (source), result, NULL);

  self->ended = TRUE;
  check_done (self);
}

static void read_on (StintLoginEnvironment *self);

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintLoginEnvironment) self = user_data;
  g_autoptr (GBytes) bytes =
      g_input_stream_read_bytes_finish (G_INPUT_STREAM (source), result, NULL);
  gsize length = 0;
  const guint8 *data = bytes != NULL ? g_bytes_get_data (bytes, &length) : NULL;

  if (length == 0)
    {
      self->complete = TRUE;
      check_done (self);
      return;
    }
  /* A profile that prints without end is read until its limit, and not kept. */
  if (self->output->len + length <= MAX_BYTES)
    g_byte_array_append (self->output, data, (guint) length);
  read_on (self);
}

static void
read_on (StintLoginEnvironment *self)
{
  g_input_stream_read_bytes_async (self->stream, 65536, G_PRIORITY_DEFAULT, NULL, on_read,
                                   g_object_ref (self));
}

static char *
dup_login_shell (void)
{
  struct passwd *entry = getpwuid (getuid ());
  const char *shell = entry != NULL ? entry->pw_shell : NULL;

  if (shell == NULL || *shell == '\0')
    shell = g_getenv ("SHELL");
  return g_strdup (shell != NULL && *shell != '\0' ? shell : "/bin/sh");
}

/* An interactive one where that is known to work: what sets up a PATH often stands in .bashrc, which
 * returns at once otherwise. */
static StintJobSpec *
new_spec (StintLoginEnvironment *self)
{
  static const char *const interactive[] = { "bash", "zsh", "fish", "ksh",
                                             "mksh", "sh",  "dash", NULL };
  g_autofree char *shell = self->shell != NULL ? g_strdup (self->shell) : dup_login_shell ();
  g_autofree char *name = g_path_get_basename (shell);
  g_autofree char *line = g_strdup_printf ("echo %s; exec env -0", self->marker);
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  StintJobSpec *spec;

  g_ptr_array_add (argv, shell);
  if (g_str_has_suffix (name, "csh"))
    g_ptr_array_add (argv, (gpointer) "-i");
  else
    g_ptr_array_add (argv, (gpointer) "-l");
  if (g_strv_contains (interactive, name))
    g_ptr_array_add (argv, (gpointer) "-i");
  g_ptr_array_add (argv, (gpointer) "-c");
  g_ptr_array_add (argv, line);
  g_ptr_array_add (argv, NULL);

  spec = stint_job_spec_new (STINT_JOB_KIND_SHELL, (const char *const *) argv->pdata);
  stint_job_spec_set_directory (spec, g_get_home_dir ());
  stint_job_spec_set_keep (spec, FALSE);
  stint_job_spec_set_timeout (spec, self->timeout);
  stint_job_spec_set_grace (spec, 0);
  stint_job_spec_add_env (spec, MARK_VARIABLE "=1", NULL);
  return spec;
}

static void
start (StintLoginEnvironment *self)
{
  g_autoptr (StintJobStore) store = stint_scratch_store_new ();
  g_autoptr (StintJobSpec) spec = NULL;
  StintStdio stdio = STINT_STDIO_NONE;
  int fds[2];

  self->asked = TRUE;
  if (!g_unix_open_pipe (fds, FD_CLOEXEC, &self->error))
    {
      settle (self, NULL, g_steal_pointer (&self->error));
      return;
    }
  self->marker = g_uuid_string_random ();
  self->output = g_byte_array_new ();
  self->stream = g_unix_input_stream_new (fds[0], TRUE);
  stdio.tee_fds[0] = fds[1];
  spec = new_spec (self);
  self->job = stint_job_new (spec, &stdio);
  stint_stdio_close (&stdio);
  read_on (self);
  stint_job_run_async (self->job, store, NULL, on_ended, g_object_ref (self));
}

static void
stint_login_environment_finalize (GObject *object)
{
  StintLoginEnvironment *self = STINT_LOGIN_ENVIRONMENT (object);

  g_clear_object (&self->stream);
  g_clear_object (&self->job);
  g_clear_pointer (&self->output, g_byte_array_unref);
  g_strfreev (self->answer);
  g_clear_error (&self->error);
  g_free (self->marker);
  g_free (self->shell);

  G_OBJECT_CLASS (stint_login_environment_parent_class)->finalize (object);
}

static void
stint_login_environment_class_init (StintLoginEnvironmentClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stint_login_environment_finalize;
}

static void
stint_login_environment_init (StintLoginEnvironment *self)
{
  g_queue_init (&self->waiting);
}

StintLoginEnvironment *
stint_login_environment_new (const char *shell, gint64 timeout)
{
  StintLoginEnvironment *self = g_object_new (STINT_TYPE_LOGIN_ENVIRONMENT, NULL);

  self->shell = g_strdup (shell);
  self->timeout = timeout;
  return self;
}

void
stint_login_environment_read_async (StintLoginEnvironment *self,
                                    GAsyncReadyCallback callback,
                                    gpointer user_data)
{
  GTask *task;

  g_return_if_fail (STINT_IS_LOGIN_ENVIRONMENT (self));

  task = g_task_new (self, NULL, callback, user_data);
  g_task_set_source_tag (task, stint_login_environment_read_async);
  if (self->answer != NULL)
    {
      return_answer (self, task);
      return;
    }
  g_queue_push_tail (&self->waiting, task);
  if (!self->asked)
    start (self);
}

char **
stint_login_environment_read_finish (StintLoginEnvironment *self,
                                     GAsyncResult *result,
                                     GError **error)
{
  char **answer;

  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  answer = g_task_propagate_pointer (G_TASK (result), error);
  return answer != NULL ? answer : g_get_environ ();
}
