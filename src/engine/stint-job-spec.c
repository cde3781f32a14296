/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What to run, and its defaults. When it starts and what follows it is stint-job-spec-schedule.c's,
 * how it is kept as JSON stint-job-spec-json.c's.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-job-spec-private.h"

#include "stint-error.h"
#include "stint-units.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define TITLE_CHARS 100

G_DEFINE_FINAL_TYPE (StintJobSpec, stint_job_spec, G_TYPE_OBJECT)

static const char *const no_strings[] = { NULL };

/* An array that has never held anything has no terminator either. */
static const char *const *
get_strings (GPtrArray *array)
{
  return array->len > 0 ? (const char *const *) array->pdata : no_strings;
}

static const char *const kind_nicks[] = { "shell", "terminal", "agent" };

const char *
stint_job_kind_to_nick (StintJobKind kind)
{
  g_return_val_if_fail ((guint) kind < G_N_ELEMENTS (kind_nicks), NULL);
  return kind_nicks[kind];
}

gboolean
stint_job_kind_from_nick (const char *nick, StintJobKind *kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (kind_nicks); i++)
    if (g_strcmp0 (nick, kind_nicks[i]) == 0)
      {
        *kind = (StintJobKind) i;
        return TRUE;
      }
  return FALSE;
}

static void
stint_job_spec_finalize (GObject *object)
{
  StintJobSpec *self = STINT_JOB_SPEC (object);

  g_clear_pointer (&self->argv, g_strfreev);
  g_clear_pointer (&self->shell_line, g_free);
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->directory, g_free);
  g_clear_pointer (&self->inherited, g_strfreev);
  g_clear_pointer (&self->env_changes, g_ptr_array_unref);
  g_clear_pointer (&self->secrets, g_ptr_array_unref);
  g_clear_pointer (&self->missing_secrets, g_ptr_array_unref);
  g_clear_pointer (&self->tags, g_ptr_array_unref);
  g_clear_pointer (&self->then, g_ptr_array_unref);
  g_clear_pointer (&self->stdin_text, g_free);
  g_clear_pointer (&self->session_id, g_free);
  G_OBJECT_CLASS (stint_job_spec_parent_class)->finalize (object);
}

static void
stint_job_spec_class_init (StintJobSpecClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stint_job_spec_finalize;
}

static void
stint_job_spec_init (StintJobSpec *self)
{
  self->timeout = STINT_UNSET;
  self->grace = STINT_UNSET;
  self->output_limit = STINT_DEFAULT_OUTPUT_LIMIT;
  self->idle_timeout = STINT_UNSET;
  self->niceness = STINT_UNSET;
  self->tty = STINT_UNSET;
  self->columns = 80;
  self->rows = 24;
  self->env_changes = g_ptr_array_new_null_terminated (0, g_free, TRUE);
  self->secrets = g_ptr_array_new_with_free_func (g_free);
  self->missing_secrets = g_ptr_array_new_with_free_func (g_free);
  self->tags = g_ptr_array_new_null_terminated (0, g_free, TRUE);
  stint_job_spec_init_schedule (self);
}

StintJobSpec *
stint_job_spec_new (StintJobKind kind, const char *const *argv)
{
  StintJobSpec *self = g_object_new (STINT_TYPE_JOB_SPEC, NULL);

  self->kind = kind;
  self->argv = g_strdupv ((char **) argv);
  return self;
}

StintJobSpec *
stint_job_spec_new_shell (StintJobKind kind, const char *line)
{
  const char *const argv[] = { STINT_DEFAULT_SHELL, "-c", line, NULL };
  StintJobSpec *self = stint_job_spec_new (kind, argv);

  self->shell_line = g_strdup (line);
  return self;
}

static void
copy_strings (GPtrArray *to, GPtrArray *from)
{
  for (guint i = 0; i < from->len; i++)
    g_ptr_array_add (to, g_strdup (from->pdata[i]));
}

StintJobSpec *
stint_job_spec_copy (StintJobSpec *self)
{
  StintJobSpec *copy;

  g_return_val_if_fail (STINT_IS_JOB_SPEC (self), NULL);

  copy = stint_job_spec_new (self->kind, (const char *const *) self->argv);
  copy->shell_line = g_strdup (self->shell_line);
  copy->name = g_strdup (self->name);
  copy->directory = g_strdup (self->directory);
  copy->inherited = g_strdupv (self->inherited);
  copy_strings (copy->env_changes, self->env_changes);
  copy_strings (copy->tags, self->tags);
  copy_strings (copy->missing_secrets, self->missing_secrets);
  stint_job_spec_copy_secrets (copy, self);
  copy->stdin_text = g_strdup (self->stdin_text);
  copy->session = self->session;
  copy->session_id = g_strdup (self->session_id);
  copy->timeout = self->timeout;
  copy->idle_timeout = self->idle_timeout;
  copy->idle_by = self->idle_by;
  copy->on_idle = self->on_idle;
  copy->grace = self->grace;
  copy->output_limit = self->output_limit;
  copy->niceness = self->niceness;
  copy->leftovers = self->leftovers;
  copy->tty = self->tty;
  copy->columns = self->columns;
  copy->rows = self->rows;
  stint_job_spec_copy_schedule (copy, self);
  return copy;
}

gboolean
stint_job_spec_check (StintJobSpec *self, GError **error)
{
  g_return_val_if_fail (STINT_IS_JOB_SPEC (self), FALSE);

  if (self->argv == NULL || self->argv[0] == NULL || self->argv[0][0] == '\0')
    {
      g_set_error_literal (error, STINT_ERROR, STINT_ERROR_NO_COMMAND,
                           _ ("A job needs a command to run"));
      return FALSE;
    }
  if (self->missing_secrets->len > 0)
    {
      g_autofree char *name = stint_text_clean (self->missing_secrets->pdata[0], 40);

      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                   _ ("The value of %s is a secret and was not kept: start the job anew with it"),
                   name);
      return FALSE;
    }
  return TRUE;
}

void
stint_job_spec_seal (StintJobSpec *self)
{
  g_return_if_fail (STINT_IS_JOB_SPEC (self));
  self->sealed = TRUE;
}

StintJobKind
stint_job_spec_get_kind (StintJobSpec *self)
{
  return self->kind;
}

const char *const *
stint_job_spec_get_argv (StintJobSpec *self)
{
  return (const char *const *) self->argv;
}

const char *
stint_job_spec_get_shell_line (StintJobSpec *self)
{
  return self->shell_line;
}

void
stint_job_spec_set_shell (StintJobSpec *self, const char *shell)
{
  g_return_if_fail (!self->sealed && shell != NULL && g_path_is_absolute (shell));
  if (self->shell_line == NULL)
    return;
  g_free (self->argv[0]);
  self->argv[0] = g_strdup (shell);
}

gboolean
stint_job_spec_has_shell (StintJobSpec *self)
{
  return self->shell_line != NULL && strcmp (self->argv[0], STINT_DEFAULT_SHELL) != 0;
}

gboolean
stint_job_spec_is_blank (StintJobSpec *self)
{
  return self->shell_line != NULL && strspn (self->shell_line, " \t\r\n") == strlen (self->shell_line);
}

const char *
stint_job_spec_get_name (StintJobSpec *self)
{
  return self->name;
}

static void
set_string (StintJobSpec *self, char **field, const char *value)
{
  char *old = *field;

  g_return_if_fail (!self->sealed);
  *field = g_strdup (value);
  g_free (old);
}

void
stint_job_spec_set_name (StintJobSpec *self, const char *name)
{
  set_string (self, &self->name, name);
}

char *
stint_job_spec_dup_title (StintJobSpec *self)
{
  g_autofree char *line = NULL;

  if (self->name != NULL && *self->name != '\0')
    return stint_text_clean (self->name, TITLE_CHARS);
  line = stint_job_spec_dup_command_line (self);
  return stint_text_clean (line, TITLE_CHARS);
}

/* A word as a person would have written it: quoted only if a shell would take it for more. */
static char *
quote_word (const char *word)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_@%+=:,./-^";

  if (*word != '\0' && strspn (word, plain) == strlen (word))
    return g_strdup (word);
  return g_shell_quote (word);
}

char *
stint_job_spec_dup_command_line (StintJobSpec *self)
{
  g_autoptr (GString) line = g_string_new (NULL);

  if (self->shell_line != NULL)
    return g_strdup (self->shell_line);
  for (guint i = 0; self->argv != NULL && self->argv[i] != NULL; i++)
    {
      g_autofree char *word = quote_word (self->argv[i]);

      g_string_append_printf (line, "%s%s", i > 0 ? " " : "", word);
    }
  return g_string_free (g_steal_pointer (&line), FALSE);
}

const char *
stint_job_spec_get_directory (StintJobSpec *self)
{
  return self->directory;
}

void
stint_job_spec_set_directory (StintJobSpec *self, const char *directory)
{
  set_string (self, &self->directory, directory);
}

void
stint_job_spec_resolve (StintJobSpec *self,
                        const char *caller_directory,
                        const char *workspace,
                        const char *const *environ)
{
  const char *env_workspace = g_environ_getenv ((char **) environ, "STINT_WORKSPACE");
  const char *base;

  g_return_if_fail (STINT_IS_JOB_SPEC (self) && !self->sealed);

  if (caller_directory != NULL)
    base = caller_directory;
  else if (env_workspace != NULL && *env_workspace != '\0')
    base = env_workspace;
  else if (workspace != NULL && *workspace != '\0')
    base = workspace;
  else
    base = g_get_home_dir ();

  if (self->directory == NULL || *self->directory == '\0')
    stint_job_spec_set_directory (self, base);
  else if (!g_path_is_absolute (self->directory))
    {
      g_autofree char *absolute = g_build_filename (base, self->directory, NULL);

      stint_job_spec_set_directory (self, absolute);
    }

  g_strfreev (self->inherited);
  self->inherited = g_strdupv ((char **) environ);
}

gboolean
stint_job_spec_has_environ (StintJobSpec *self)
{
  return self->inherited != NULL;
}

const char *const *
stint_job_spec_get_env_changes (StintJobSpec *self)
{
  return get_strings (self->env_changes);
}

gboolean
stint_job_spec_add_env (StintJobSpec *self, const char *change, GError **error)
{
  const char *equals = strchr (change, '=');
  g_autofree char *name = NULL;
  guint missing;

  g_return_val_if_fail (!self->sealed, FALSE);

  if (equals == NULL || equals == change)
    {
      g_autofree char *clean = stint_text_clean (change, 40);

      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                   _ ("“%s” is not of the form NAME=VALUE"), clean);
      return FALSE;
    }
  name = g_strndup (change, (gsize) (equals - change));
  if (g_ptr_array_find_with_equal_func (self->missing_secrets, name, g_str_equal, &missing))
    g_ptr_array_remove_index (self->missing_secrets, missing);
  g_ptr_array_add (self->env_changes, g_strdup (change));
  return TRUE;
}

gboolean
stint_job_spec_unset_env (StintJobSpec *self, const char *name, GError **error)
{
  g_return_val_if_fail (!self->sealed, FALSE);

  if (*name == '\0' || strchr (name, '=') != NULL)
    {
      g_autofree char *clean = stint_text_clean (name, 40);

      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                   _ ("“%s” is not the name of an environment variable"), clean);
      return FALSE;
    }
  g_ptr_array_add (self->env_changes, g_strdup (name));
  return TRUE;
}

char **
stint_job_spec_dup_environ (StintJobSpec *self, guint64 id)
{
  g_autofree char *id_text = g_strdup_printf ("%" G_GUINT64_FORMAT, id);
  char **environ = self->inherited != NULL ? g_strdupv (self->inherited) : g_get_environ ();

  environ = g_environ_setenv (environ, "STINT_JOB_ID", id_text, TRUE);
  /* As a shell does on cd: getcwd() would resolve the symbolic links on the way. */
  if (self->directory != NULL)
    environ = g_environ_setenv (environ, "PWD", self->directory, TRUE);

  for (guint i = 0; i < self->env_changes->len; i++)
    {
      const char *change = self->env_changes->pdata[i];
      const char *equals = strchr (change, '=');

      if (equals == NULL)
        {
          environ = g_environ_unsetenv (environ, change);
        }
      else
        {
          g_autofree char *name = g_strndup (change, (gsize) (equals - change));

          environ = g_environ_setenv (environ, name, equals + 1, TRUE);
        }
    }
  return environ;
}

gint64
stint_job_spec_get_timeout (StintJobSpec *self)
{
  return self->timeout != STINT_UNSET ? self->timeout : 0;
}

gboolean
stint_job_spec_has_timeout (StintJobSpec *self)
{
  return self->timeout != STINT_UNSET;
}

void
stint_job_spec_set_timeout (StintJobSpec *self, gint64 usec)
{
  g_return_if_fail (!self->sealed && usec >= 0);
  self->timeout = usec;
}

gint64
stint_job_spec_get_idle_timeout (StintJobSpec *self)
{
  if (self->idle_timeout != STINT_UNSET)
    return self->idle_timeout;
  /* A session waits for the user, and knows itself when its agent is silent. */
  if (self->kind != STINT_JOB_KIND_AGENT || self->session)
    return 0;
  if (self->timeout > 0)
    return MIN (STINT_DEFAULT_AGENT_IDLE, self->timeout / 6);
  return STINT_DEFAULT_AGENT_IDLE;
}

gboolean
stint_job_spec_has_idle_timeout (StintJobSpec *self)
{
  return self->idle_timeout != STINT_UNSET;
}

void
stint_job_spec_set_idle_timeout (StintJobSpec *self, gint64 usec)
{
  g_return_if_fail (!self->sealed && usec >= 0);
  self->idle_timeout = usec;
}

StintIdleBy
stint_job_spec_get_idle_by (StintJobSpec *self)
{
  return self->idle_by;
}

void
stint_job_spec_set_idle_by (StintJobSpec *self, StintIdleBy idle_by)
{
  g_return_if_fail (!self->sealed);
  self->idle_by = idle_by;
}

StintOnIdle
stint_job_spec_get_on_idle (StintJobSpec *self)
{
  return self->on_idle;
}

void
stint_job_spec_set_on_idle (StintJobSpec *self, StintOnIdle on_idle)
{
  g_return_if_fail (!self->sealed);
  self->on_idle = on_idle;
}

gint64
stint_job_spec_get_grace (StintJobSpec *self)
{
  return self->grace != STINT_UNSET ? self->grace : STINT_DEFAULT_GRACE;
}

gboolean
stint_job_spec_has_grace (StintJobSpec *self)
{
  return self->grace != STINT_UNSET;
}

void
stint_job_spec_set_grace (StintJobSpec *self, gint64 usec)
{
  g_return_if_fail (!self->sealed && usec >= 0);
  self->grace = usec;
}

guint64
stint_job_spec_get_output_limit (StintJobSpec *self)
{
  return self->output_limit;
}

void
stint_job_spec_set_output_limit (StintJobSpec *self, guint64 bytes)
{
  g_return_if_fail (!self->sealed);
  self->output_limit = bytes;
}

guint
stint_job_spec_get_niceness (StintJobSpec *self)
{
  return self->niceness != STINT_UNSET ? (guint) self->niceness : 0;
}

void
stint_job_spec_set_niceness (StintJobSpec *self, guint niceness)
{
  g_return_if_fail (!self->sealed && niceness <= STINT_MAX_NICENESS);
  self->niceness = (int) niceness;
}

gboolean
stint_job_spec_has_niceness (StintJobSpec *self)
{
  return self->niceness != STINT_UNSET;
}

StintLeftovers
stint_job_spec_get_leftovers (StintJobSpec *self)
{
  return self->leftovers;
}

void
stint_job_spec_set_leftovers (StintJobSpec *self, StintLeftovers leftovers)
{
  g_return_if_fail (!self->sealed);
  self->leftovers = leftovers;
}

gboolean
stint_job_spec_get_tty (StintJobSpec *self)
{
  if (self->tty != STINT_UNSET)
    return self->tty != 0;
  return self->kind == STINT_JOB_KIND_TERMINAL;
}

void
stint_job_spec_set_tty (StintJobSpec *self, gboolean tty)
{
  g_return_if_fail (!self->sealed);
  self->tty = tty ? 1 : 0;
}

void
stint_job_spec_get_size (StintJobSpec *self, guint *columns, guint *rows)
{
  *columns = self->columns;
  *rows = self->rows;
}

void
stint_job_spec_set_size (StintJobSpec *self, guint columns, guint rows)
{
  g_return_if_fail (!self->sealed && columns > 0 && rows > 0);
  self->columns = MIN (columns, G_MAXUINT16);
  self->rows = MIN (rows, G_MAXUINT16);
}

const char *const *
stint_job_spec_get_tags (StintJobSpec *self)
{
  return get_strings (self->tags);
}

void
stint_job_spec_add_tag (StintJobSpec *self, const char *tag)
{
  g_return_if_fail (!self->sealed);
  g_ptr_array_add (self->tags, g_strdup (tag));
}

const char *
stint_job_spec_get_stdin_text (StintJobSpec *self)
{
  return self->stdin_text;
}

void
stint_job_spec_set_stdin_text (StintJobSpec *self, const char *text)
{
  set_string (self, &self->stdin_text, text);
}

guint64
stint_job_spec_get_parent (StintJobSpec *self)
{
  return self->parent;
}

void
stint_job_spec_set_parent (StintJobSpec *self, guint64 parent)
{
  g_return_if_fail (STINT_IS_JOB_SPEC (self) && !self->sealed);
  self->parent = parent;
}

gboolean
stint_job_spec_get_session (StintJobSpec *self)
{
  return self->session;
}

void
stint_job_spec_set_session (StintJobSpec *self, gboolean session)
{
  g_return_if_fail (STINT_IS_JOB_SPEC (self) && !self->sealed);
  self->session = session;
}

const char *
stint_job_spec_get_session_id (StintJobSpec *self)
{
  return self->session_id;
}

void
stint_job_spec_set_session_id (StintJobSpec *self, const char *session_id)
{
  g_autofree char *old = NULL;

  g_return_if_fail (STINT_IS_JOB_SPEC (self) && !self->sealed);
  old = g_steal_pointer (&self->session_id);
  self->session_id = g_strdup (session_id);
}
