/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the dialog for a new job means, and what is wrong with it. No widgets here. */

#include "config.h"

#include "stint-new-job-form.h"

#include "stint-agent-command.h"
#include "stint-error.h"
#include "stint-units.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HINT_CHARS 300

static gboolean
is_blank (const char *text)
{
  return text == NULL || text[strspn (text, " \t\r\n")] == '\0';
}

/* The characters that a shell acts on, outside of quotes. A word with `=` before the command sets a
 * variable. */
gboolean
stint_new_job_form_needs_shell (const char *command)
{
  gboolean in_single = FALSE;
  gboolean in_double = FALSE;
  gboolean in_word = FALSE;
  gboolean first_word = TRUE;

  g_return_val_if_fail (command != NULL, FALSE);

  for (const char *p = command; *p != '\0'; p++)
    {
      if (in_single)
        {
          in_single = *p != '\'';
          continue;
        }
      if (in_double)
        {
          if (*p == '$' || *p == '`')
            return TRUE;
          if (*p == '\\' && p[1] != '\0')
            p++;
          else if (*p == '"')
            in_double = FALSE;
          continue;
        }
      if (*p == ' ' || *p == '\t')
        {
          first_word = first_word && !in_word;
          in_word = FALSE;
          continue;
        }
      if (strchr ("|&;<>()$`*?[{\n", *p) != NULL)
        return TRUE;
      if (!in_word && (*p == '~' || *p == '#' || *p == '!'))
        return TRUE;
      if (*p == '=' && first_word && in_word)
        return TRUE;
      in_word = TRUE;
      if (*p == '\'')
        in_single = TRUE;
      else if (*p == '"')
        in_double = TRUE;
      else if (*p == '\\' && p[1] != '\0')
        p++;
    }
  return FALSE;
}

static gboolean
check_command (const char *command, GError **error)
{
  g_auto (GStrv) words = NULL;
  g_autoptr (GError) parse_error = NULL;

  if (is_blank (command))
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_NO_COMMAND, _ ("Enter the command to run"));
      return FALSE;
    }
  if (!g_shell_parse_argv (command, NULL, &words, &parse_error) &&
      g_error_matches (parse_error, G_SHELL_ERROR, G_SHELL_ERROR_BAD_QUOTING))
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_UNBALANCED,
                   _ ("A quote is opened and not closed"));
      return FALSE;
    }
  return TRUE;
}

/* (transfer full) (nullable): NULL if the field is empty. */
static char *
dup_directory (const char *text)
{
  g_autofree char *stripped = NULL;

  if (is_blank (text))
    return NULL;
  stripped = g_strstrip (g_strdup (text));
  if (stripped[0] == '~' && (stripped[1] == '\0' || stripped[1] == '/'))
    return g_strconcat (g_get_home_dir (), stripped + 1, NULL);
  return g_steal_pointer (&stripped);
}

static gboolean
check_directory (const char *text, GError **error)
{
  g_autofree char *directory = dup_directory (text);
  struct stat status;

  if (directory == NULL)
    return TRUE;
  if (!g_path_is_absolute (directory))
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                   _ ("Enter the whole path, from / or ~"));
      return FALSE;
    }
  if (stat (directory, &status) != 0)
    {
      if (errno == ENOENT || errno == ENOTDIR)
        g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID, _ ("There is no such directory"));
      else
        g_set_error_literal (error, STINT_ERROR, STINT_ERROR_INVALID, g_strerror (errno));
      return FALSE;
    }
  if (!S_ISDIR (status.st_mode))
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID, _ ("This is not a directory"));
      return FALSE;
    }
  if (access (directory, X_OK) != 0)
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID, _ ("You may not enter this directory"));
      return FALSE;
    }
  return TRUE;
}

static gint64
parse_duration (const char *text, gint64 if_empty)
{
  gint64 usec = if_empty;

  if (!is_blank (text))
    stint_duration_parse (text, &usec, NULL);
  return usec;
}

static gboolean
check_duration (const char *text, GError **error)
{
  gint64 usec;

  return is_blank (text) || stint_duration_parse (text, &usec, error);
}

gboolean
stint_new_job_form_check_variable (const StintFormVariable *variable, GError **error)
{
  g_return_val_if_fail (variable != NULL, FALSE);

  if (is_blank (variable->name))
    {
      if (variable->mode == STINT_VARIABLE_UNSET || is_blank (variable->value))
        return TRUE;
      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID, _ ("Enter the variable’s name"));
      return FALSE;
    }
  if (strchr (variable->name, '=') != NULL)
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID, _ ("A variable’s name has no “=”"));
      return FALSE;
    }
  return TRUE;
}

static gboolean
check_environment (const StintNewJobForm *self, GError **error)
{
  for (guint i = 0; i < self->n_variables; i++)
    {
      if (!stint_new_job_form_check_variable (&self->variables[i], error))
        return FALSE;
    }
  return TRUE;
}

/* A duration from now, or a time. */
static gboolean
parse_start (const char *text, gint64 *delay, gint64 *at, GError **error)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *clean = NULL;

  if (stint_duration_parse (stripped, delay, NULL) ||
      stint_start_time_parse (stripped, now, at, NULL))
    return TRUE;
  clean = stint_text_clean (stripped, 40);
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
               /* Translators: do not translate the examples */
               _ ("“%s” is neither a duration nor a time: write 10m, 03:00 or 2030-01-31 03:00"),
               clean);
  return FALSE;
}

static gboolean
check_start (const char *text, GError **error)
{
  gint64 delay, at;

  return is_blank (text) || parse_start (text, &delay, &at, error);
}

static gboolean
runs_by_shell (const StintNewJobForm *self)
{
  return self->kind == STINT_JOB_KIND_SHELL || stint_new_job_form_needs_shell (self->command);
}

static StintJobSpec *
new_spec (const StintNewJobForm *self)
{
  g_auto (GStrv) words = NULL;

  if (!runs_by_shell (self) && g_shell_parse_argv (self->command, NULL, &words, NULL))
    return stint_job_spec_new (self->kind, (const char *const *) words);
  return stint_job_spec_new_shell (self->kind, self->command);
}

/* An agent is no background shell job. */
static gboolean
check_kind (const StintNewJobForm *self, GError **error)
{
  g_autoptr (StintJobSpec) spec = new_spec (self);

  return stint_agent_command_check (spec, error);
}

gboolean
stint_new_job_form_check_field (const StintNewJobForm *self, StintFormField field, GError **error)
{
  g_return_val_if_fail (self != NULL, FALSE);

  switch (field)
    {
    case STINT_FIELD_COMMAND:
      return check_command (self->command, error) && check_kind (self, error);
    case STINT_FIELD_DIRECTORY:
      return check_directory (self->directory, error);
    case STINT_FIELD_TIMEOUT:
      return check_duration (self->timeout, error);
    case STINT_FIELD_IDLE_TIMEOUT:
      return check_duration (self->idle_timeout, error);
    case STINT_FIELD_GRACE:
      return check_duration (self->grace, error);
    case STINT_FIELD_ENVIRONMENT:
      return check_environment (self, error);
    case STINT_FIELD_START:
      return check_start (self->start, error);
    case STINT_FIELD_RETRY_DELAY:
      return check_duration (self->retry_delay, error);
    default:
      g_return_val_if_reached (FALSE);
    }
}

gboolean
stint_new_job_form_find_mistake (const StintNewJobForm *self, StintFormField *field)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (field != NULL, FALSE);

  for (StintFormField each = STINT_FIELD_COMMAND; each < STINT_N_FORM_FIELDS; each++)
    {
      if (!stint_new_job_form_check_field (self, each, NULL))
        {
          *field = each;
          return TRUE;
        }
    }
  return FALSE;
}

static void
add_variables (const StintNewJobForm *self, StintJobSpec *spec)
{
  for (guint i = 0; i < self->n_variables; i++)
    {
      const StintFormVariable *variable = &self->variables[i];
      const char *value = variable->value != NULL ? variable->value : "";
      g_autofree char *name = NULL;
      g_autofree char *change = NULL;

      if (is_blank (variable->name))
        continue;
      name = g_strstrip (g_strdup (variable->name));
      change = g_strconcat (name, "=", value, NULL);
      if (variable->mode == STINT_VARIABLE_UNSET)
        stint_job_spec_unset_env (spec, name, NULL);
      else if (variable->mode == STINT_VARIABLE_SECRET && *value == '\0')
        stint_job_spec_add_missing_secret (spec, name);
      else
        stint_job_spec_add_env (spec, change, NULL);
      if (variable->mode == STINT_VARIABLE_SECRET)
        stint_job_spec_mark_secret (spec, name);
    }
}

static void
add_tags (const char *text, StintJobSpec *spec)
{
  g_auto (GStrv) tags = g_strsplit (text != NULL ? text : "", ",", -1);

  for (guint i = 0; tags[i] != NULL; i++)
    if (!is_blank (tags[i]))
      stint_job_spec_add_tag (spec, g_strstrip (tags[i]));
}

static void
add_schedule (const StintNewJobForm *self, StintJobSpec *spec)
{
  gint64 delay = 0, at = 0;

  if (!is_blank (self->start) && parse_start (self->start, &delay, &at, NULL))
    {
      if (at > 0)
        stint_job_spec_set_start_at (spec, at);
      else
        stint_job_spec_set_start_delay (spec, delay);
    }
  stint_job_spec_set_retries (spec, MIN (self->retries, STINT_MAX_RETRIES));
  stint_job_spec_set_retry_delay (spec,
                                  parse_duration (self->retry_delay, STINT_DEFAULT_RETRY_DELAY));
  for (guint i = 0; i < self->n_then; i++)
    if (!is_blank (self->then[i].line))
      stint_job_spec_add_then (spec, self->then[i].when, self->then[i].line);
}

static void
take_base (const StintNewJobForm *self, StintJobSpec *spec)
{
  const char *shell = stint_job_spec_get_argv (self->base)[0];

  stint_job_spec_set_output_limit (spec, stint_job_spec_get_output_limit (self->base));
  if (stint_job_spec_has_niceness (self->base))
    stint_job_spec_set_niceness (spec, stint_job_spec_get_niceness (self->base));
  if (stint_job_spec_get_kind (self->base) == self->kind)
    stint_job_spec_set_tty (spec, stint_job_spec_get_tty (self->base));
  if (stint_job_spec_has_shell (self->base))
    stint_job_spec_set_shell (spec, shell);
}

StintJobSpec *
stint_new_job_form_dup_spec (const StintNewJobForm *self)
{
  g_autoptr (StintJobSpec) spec = NULL;
  g_autofree char *directory = NULL;

  g_return_val_if_fail (self != NULL, NULL);
  g_return_val_if_fail (self->command != NULL, NULL);

  spec = new_spec (self);
  if (self->base != NULL)
    take_base (self, spec);
  if (!is_blank (self->name))
    stint_job_spec_set_name (spec, self->name);
  directory = dup_directory (self->directory);
  if (directory != NULL)
    stint_job_spec_set_directory (spec, directory);
  if (!self->as_set || !is_blank (self->timeout))
    stint_job_spec_set_timeout (spec, parse_duration (self->timeout, 0));
  if (!self->as_set || !is_blank (self->idle_timeout))
    stint_job_spec_set_idle_timeout (spec, parse_duration (self->idle_timeout, 0));
  stint_job_spec_set_idle_by (spec, self->idle_by);
  stint_job_spec_set_on_idle (spec, self->on_idle);
  if (!self->as_set || !is_blank (self->grace))
    stint_job_spec_set_grace (spec, parse_duration (self->grace, self->default_grace));
  stint_job_spec_set_leftovers (spec, self->wait_for_leftovers ? STINT_LEFTOVERS_WAIT
                                                               : STINT_LEFTOVERS_TERMINATE);
  stint_job_spec_set_keep (spec, !self->unkept);
  stint_job_spec_set_session (spec, self->session);
  if (self->kind == STINT_JOB_KIND_AGENT && !is_blank (self->prompt))
    stint_job_spec_set_stdin_text (spec, self->prompt);
  add_variables (self, spec);
  add_tags (self->tags, spec);
  add_schedule (self, spec);
  return g_steal_pointer (&spec);
}

char *
stint_new_job_form_dup_hint (const StintNewJobForm *self)
{
  g_auto (GStrv) words = NULL;
  g_autofree char *joined = NULL;
  g_autofree char *text = NULL;

  g_return_val_if_fail (self != NULL, NULL);

  if (is_blank (self->command) && self->session)
    /* Translators: what an agent speaks is the Agent Client Protocol */
    return g_strdup (_ ("An agent of the Agents window, such as “gemini”, or a command that speaks ACP"));
  if (is_blank (self->command))
    return g_strdup (self->kind == STINT_JOB_KIND_SHELL
                         ? _ ("A line for a shell, such as “make && make check”")
                         : _ ("A command with its arguments, such as “make -j4”"));
  if (runs_by_shell (self))
    return g_strdup (_ ("A shell runs this line: /bin/sh -c"));
  if (!g_shell_parse_argv (self->command, NULL, &words, NULL))
    return g_strdup ("");
  joined = g_strjoinv (" · ", words);
  text = stint_text_clean (joined, HINT_CHARS);
  /* Translators: %s are the words of a command, set apart. */
  return g_strdup_printf (_ ("Runs: %s"), text);
}
