/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of `stintctl run` and `stint`. GOption would take an option's value for the first word
 * of the command and the command's own options for ours; here options end where the contract says.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-run-options.h"

#include "stint-agent-command.h"
#include "stint-error.h"
#include "stint-units.h"

#include <glib/gi18n-lib.h>
#include <string.h>

typedef struct
{
  StintThen when;
  char *line;
} Then;

struct _StintRunOptions
{
  char *shell_line;
  char *directory;
  char *name;
  char *json;
  GPtrArray *env_changes;
  GPtrArray *tags;
  GPtrArray *extra;        /* of char *: those without a value */
  GHashTable *extra_values;
  gboolean has_kind;
  StintJobKind kind;
  int tty; /* -1: not said */
  gint64 timeout;      /* -1: not said */
  gint64 idle_timeout; /* -1: not said */
  gint64 grace;        /* -1: not said */
  gint64 output_limit; /* -1: not said */
  int niceness; /* -1: not said */
  StintLeftovers leftovers;
  StintIdleBy idle_by;
  StintOnIdle on_idle;
  gint64 start_delay;
  gint64 start_at; /* microseconds since 1970 */
  guint retries;
  gint64 retry_delay;
  GArray *then; /* of Then */
  gboolean quiet;
  gboolean no_history;
  char **command;
};

typedef gboolean (*TakeOption) (StintRunOptions *self, const char *value, GError **error);

static gboolean
invalid (GError **error, const char *message)
{
  g_set_error_literal (error, STINT_ERROR, STINT_ERROR_INVALID, message);
  return FALSE;
}

static gboolean
replace (char **field, const char *value)
{
  g_free (*field);
  *field = g_strdup (value);
  return TRUE;
}

static gboolean
take_shell (StintRunOptions *self, const char *value, GError **error)
{
  return replace (&self->shell_line, value);
}

static gboolean
take_kind (StintRunOptions *self, const char *value, GError **error)
{
  self->has_kind = TRUE;
  return stint_job_kind_from_nick (value, &self->kind) ||
         invalid (error, _ ("--kind takes “shell”, “terminal” or “agent”"));
}

static gboolean
take_tty (StintRunOptions *self, const char *value, GError **error)
{
  self->tty = TRUE;
  return TRUE;
}

static gboolean
take_pipes (StintRunOptions *self, const char *value, GError **error)
{
  self->tty = FALSE;
  return TRUE;
}

static gboolean
take_cwd (StintRunOptions *self, const char *value, GError **error)
{
  if (*value == '\0')
    return invalid (error, _ ("--cwd takes a directory"));
  return replace (&self->directory, value);
}

static gboolean
take_env (StintRunOptions *self, const char *value, GError **error)
{
  const char *equals = strchr (value, '=');

  if (equals == NULL || equals == value)
    {
      g_autofree char *clean = stint_text_clean (value, 40);

      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                   _ ("--env takes NAME=VALUE, and “%s” is not of that form"), clean);
      return FALSE;
    }
  g_ptr_array_add (self->env_changes, g_strdup (value));
  return TRUE;
}

static gboolean
take_unset_env (StintRunOptions *self, const char *value, GError **error)
{
  if (*value == '\0' || strchr (value, '=') != NULL)
    return invalid (error, _ ("--unset-env takes the name of a variable"));
  g_ptr_array_add (self->env_changes, g_strdup (value));
  return TRUE;
}

static gboolean
take_name (StintRunOptions *self, const char *value, GError **error)
{
  return replace (&self->name, value);
}

static gboolean
take_tag (StintRunOptions *self, const char *value, GError **error)
{
  g_ptr_array_add (self->tags, g_strdup (value));
  return TRUE;
}

static gboolean
take_duration (const char *option, const char *value, gint64 *usec, GError **error)
{
  if (stint_duration_parse (value, usec, error))
    return TRUE;
  g_prefix_error (error, "%s: ", option);
  return FALSE;
}

static gboolean
take_timeout (StintRunOptions *self, const char *value, GError **error)
{
  return take_duration ("--timeout", value, &self->timeout, error);
}

static gboolean
take_idle_timeout (StintRunOptions *self, const char *value, GError **error)
{
  return take_duration ("--idle-timeout", value, &self->idle_timeout, error);
}

static gboolean
take_grace (StintRunOptions *self, const char *value, GError **error)
{
  return take_duration ("--grace", value, &self->grace, error);
}

static gboolean
take_output_limit (StintRunOptions *self, const char *value, GError **error)
{
  guint64 bytes;

  if (!stint_size_parse (value, &bytes, error))
    {
      g_prefix_error (error, "%s: ", "--output-limit");
      return FALSE;
    }
  self->output_limit = (gint64) bytes;
  return TRUE;
}

static gboolean
read_number (const char *option, guint max, const char *value, guint64 *number, GError **error)
{
  g_autofree char *clean = NULL;

  if (g_ascii_string_to_unsigned (value, 10, 0, max, number, NULL))
    return TRUE;
  clean = stint_text_clean (value, 40);
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
               /* Translators: an option, the greatest number it takes, and what was given */
               _ ("%s takes a whole number from 0 to %u, and “%s” is not one"), option, max, clean);
  return FALSE;
}

static gboolean
take_nice (StintRunOptions *self, const char *value, GError **error)
{
  guint64 niceness;

  if (!read_number ("--nice", STINT_MAX_NICENESS, value, &niceness, error))
    return FALSE;
  self->niceness = (int) niceness;
  return TRUE;
}

static gboolean
take_leftovers (StintRunOptions *self, const char *value, GError **error)
{
  if (strcmp (value, "wait") != 0 && strcmp (value, "terminate") != 0)
    return invalid (error, _ ("--leftovers takes “terminate” or “wait”"));
  self->leftovers = *value == 'w' ? STINT_LEFTOVERS_WAIT : STINT_LEFTOVERS_TERMINATE;
  return TRUE;
}

static gboolean
take_idle_by (StintRunOptions *self, const char *value, GError **error)
{
  if (strcmp (value, "output") != 0 && strcmp (value, "activity") != 0)
    return invalid (error, _ ("--idle-by takes “output” or “activity”"));
  self->idle_by = *value == 'a' ? STINT_IDLE_BY_ACTIVITY : STINT_IDLE_BY_OUTPUT;
  return TRUE;
}

static gboolean
take_on_idle (StintRunOptions *self, const char *value, GError **error)
{
  if (strcmp (value, "terminate") != 0 && strcmp (value, "notify") != 0)
    return invalid (error, _ ("--on-idle takes “terminate” or “notify”"));
  self->on_idle = *value == 'n' ? STINT_ON_IDLE_NOTIFY : STINT_ON_IDLE_TERMINATE;
  return TRUE;
}

static gboolean
take_in (StintRunOptions *self, const char *value, GError **error)
{
  self->start_at = 0;
  return take_duration ("--in", value, &self->start_delay, error);
}

static gboolean
take_at (StintRunOptions *self, const char *value, GError **error)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  self->start_delay = 0;
  if (stint_start_time_parse (value, now, &self->start_at, error))
    return TRUE;
  g_prefix_error (error, "%s: ", "--at");
  return FALSE;
}

static void
then_clear (gpointer data)
{
  g_free (((Then *) data)->line);
}

static gboolean
add_then (StintRunOptions *self, const char *option, StintThen when, const char *line, GError **error)
{
  Then then = { when, NULL };

  if (strspn (line, " \t\r\n") == strlen (line))
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID, _ ("%s takes a shell line"), option);
      return FALSE;
    }
  then.line = g_strdup (line);
  g_array_append_val (self->then, then);
  return TRUE;
}

static gboolean
take_then (StintRunOptions *self, const char *value, GError **error)
{
  return add_then (self, "--then", STINT_THEN_ALWAYS, value, error);
}

static gboolean
take_then_on_success (StintRunOptions *self, const char *value, GError **error)
{
  return add_then (self, "--then-on-success", STINT_THEN_ON_SUCCESS, value, error);
}

static gboolean
take_then_on_failure (StintRunOptions *self, const char *value, GError **error)
{
  return add_then (self, "--then-on-failure", STINT_THEN_ON_FAILURE, value, error);
}

static gboolean
take_retry (StintRunOptions *self, const char *value, GError **error)
{
  guint64 retries;

  if (!read_number ("--retry", STINT_MAX_RETRIES, value, &retries, error))
    return FALSE;
  self->retries = (guint) retries;
  return TRUE;
}

static gboolean
take_retry_delay (StintRunOptions *self, const char *value, GError **error)
{
  return take_duration ("--retry-delay", value, &self->retry_delay, error);
}

static gboolean
take_json (StintRunOptions *self, const char *value, GError **error)
{
  if (*value == '\0')
    return invalid (error, _ ("--json takes a file, or “-” for standard output"));
  return replace (&self->json, value);
}

static gboolean
take_quiet (StintRunOptions *self, const char *value, GError **error)
{
  self->quiet = TRUE;
  return TRUE;
}

static gboolean
take_no_history (StintRunOptions *self, const char *value, GError **error)
{
  self->no_history = TRUE;
  return TRUE;
}

static const struct
{
  const char *name;
  const char *value; /* what it takes, or NULL */
  TakeOption take;
  const char *help;
} options[] = {
  { "shell", "LINE", take_shell, N_ ("Run LINE by /bin/sh -c instead of a command") },
  { "kind", "shell|terminal|agent", take_kind, N_ ("What it is") },
  { "tty", NULL, take_tty, N_ ("Run on a terminal of its own") },
  { "pipes", NULL, take_pipes, N_ ("Keep standard output and standard error apart") },
  { "cwd", "DIR", take_cwd, N_ ("Run in DIR") },
  { "env", "NAME=VALUE", take_env, N_ ("Set an environment variable") },
  { "unset-env", "NAME", take_unset_env, N_ ("Unset an environment variable") },
  { "name", "TEXT", take_name, N_ ("Name the job") },
  { "tag", "TAG", take_tag, N_ ("Tag the job") },
  { "timeout", "D", take_timeout, N_ ("End it after D: 90, 1.5s, 5m, 2h; 0 is off") },
  { "idle-timeout", "D", take_idle_timeout, N_ ("End it after D without output") },
  { "idle-by", "output|activity", take_idle_by,
    N_ ("What breaks a silence: output alone, or use of the CPU too") },
  { "on-idle", "terminate|notify", take_on_idle, N_ ("What the idle limit does: end it, or tell you") },
  { "grace", "D", take_grace, N_ ("SIGKILL follows SIGTERM after D, 5 s by default") },
  { "output-limit", "SIZE", take_output_limit, N_ ("Keep SIZE of its output: 64K, 1M, 1G") },
  { "nice", "N", take_nice, N_ ("Lower its CPU priority by N, 0 to 19") },
  { "leftovers", "terminate|wait", take_leftovers,
    N_ ("What becomes of processes that outlive the command") },
  { "in", "D", take_in, N_ ("Start it after D") },
  { "at", "TIME", take_at, N_ ("Start it at TIME: 03:00, or 2030-01-31 03:00") },
  { "then", "LINE", take_then, N_ ("Run LINE when it has ended") },
  { "then-on-success", "LINE", take_then_on_success, N_ ("Run LINE if it succeeded") },
  { "then-on-failure", "LINE", take_then_on_failure, N_ ("Run LINE if it failed") },
  { "retry", "N", take_retry, N_ ("Run it again if it fails, up to N times") },
  { "retry-delay", "D", take_retry_delay,
    N_ ("Wait D before the first retry, 1 s by default, then twice as long") },
  { "json", "FILE", take_json, N_ ("Write the result as JSON to FILE, or “-”") },
  { "quiet", NULL, take_quiet, N_ ("Pass no output through") },
  { "no-history", NULL, take_no_history, N_ ("Leave no trace of the job") },
};

void
stint_run_options_free (StintRunOptions *self)
{
  g_free (self->shell_line);
  g_free (self->directory);
  g_free (self->name);
  g_free (self->json);
  g_ptr_array_unref (self->env_changes);
  g_ptr_array_unref (self->tags);
  g_array_unref (self->then);
  g_ptr_array_unref (self->extra);
  g_hash_table_unref (self->extra_values);
  g_strfreev (self->command);
  g_free (self);
}

static gboolean
set_unknown_option (GError **error, const char *word)
{
  g_autofree char *clean = stint_text_clean (word, 40);

  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
               _ ("Unknown option “%s”; --help lists the options, and a command that starts with a "
                  "dash goes after “--”"),
               clean);
  return FALSE;
}

/* The value of the option at argv[*i]: behind its `=`, or the next word, to which it moves on. */
static const char *
take_value (const char *const *argv, guint *i)
{
  const char *equals = strchr (argv[*i], '=');

  if (equals != NULL)
    return equals + 1;
  if (argv[*i + 1] == NULL)
    return NULL;
  return argv[++*i];
}

static gboolean
set_needs_value (GError **error, const char *name, const char *form)
{
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID, _ ("--%s needs a value: %s"), name, form);
  return FALSE;
}

/* Returns: whether the option at argv[*i] is one of the caller's; an error if its value is missing. */
static gboolean
take_extra (StintRunOptions *self,
            const char *const *argv,
            guint *i,
            const char *const *extra,
            GError **error)
{
  const char *word = argv[*i];
  const char *equals = strchr (word, '=');
  gsize length = equals != NULL ? (gsize) (equals - word) : strlen (word);

  for (guint j = 0; extra != NULL && extra[j] != NULL; j++)
    {
      gsize n = strlen (extra[j]);
      const char *value;

      if (strcmp (word, extra[j]) == 0 && extra[j][n - 1] != '=')
        {
          g_ptr_array_add (self->extra, g_strdup (word));
          return TRUE;
        }
      if (extra[j][n - 1] != '=' || n - 1 != length || strncmp (word, extra[j], length) != 0)
        continue;
      value = take_value (argv, i);
      if (value == NULL)
        {
          g_autofree char *name = g_strndup (word + 2, length - 2);

          return set_needs_value (error, name, "N");
        }
      g_hash_table_insert (self->extra_values, g_strdup (extra[j]), g_strdup (value));
      return TRUE;
    }
  return FALSE;
}

/* Takes the option at argv[*i], and moves on to its value if that is a word of its own. */
static gboolean
take_option (StintRunOptions *self,
             const char *const *argv,
             guint *i,
             const char *const *extra,
             GError **error)
{
  const char *word = argv[*i];
  const char *equals = strchr (word, '=');
  gsize length = equals != NULL ? (gsize) (equals - word) : strlen (word);
  g_autoptr (GError) local_error = NULL;

  if (take_extra (self, argv, i, extra, &local_error))
    return TRUE;
  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }

  for (guint j = 0; j < G_N_ELEMENTS (options); j++)
    {
      const char *value = NULL;

      if (strlen (options[j].name) != length - 2 ||
          strncmp (word + 2, options[j].name, length - 2) != 0)
        continue;
      if (options[j].value == NULL && equals != NULL)
        {
          g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID, _ ("--%s takes no value"),
                       options[j].name);
          return FALSE;
        }
      if (options[j].value != NULL)
        {
          value = take_value (argv, i);
          if (value == NULL)
            return set_needs_value (error, options[j].name, options[j].value);
        }
      return options[j].take (self, value, error);
    }
  return set_unknown_option (error, word);
}

StintRunOptions *
stint_run_options_parse (const char *const *argv, const char *const *extra, GError **error)
{
  g_autoptr (StintRunOptions) self = g_new0 (StintRunOptions, 1);
  guint i;

  self->env_changes = g_ptr_array_new_with_free_func (g_free);
  self->tags = g_ptr_array_new_with_free_func (g_free);
  self->then = g_array_new (FALSE, FALSE, sizeof (Then));
  g_array_set_clear_func (self->then, then_clear);
  self->retry_delay = STINT_DEFAULT_RETRY_DELAY;
  self->extra = g_ptr_array_new_with_free_func (g_free);
  self->extra_values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->tty = -1;
  self->timeout = -1;
  self->idle_timeout = -1;
  self->output_limit = -1;
  self->niceness = -1;
  self->grace = -1;

  for (i = 0; argv[i] != NULL && argv[i][0] == '-'; i++)
    {
      if (strcmp (argv[i], "--") == 0)
        {
          i++;
          break;
        }
      if (argv[i][1] != '-')
        {
          set_unknown_option (error, argv[i]);
          return NULL;
        }
      if (!take_option (self, argv, &i, extra, error))
        return NULL;
    }
  self->command = g_strdupv ((char **) argv + i);

  if (self->shell_line != NULL && self->command[0] != NULL)
    {
      invalid (error, _ ("--shell LINE and a command exclude each other"));
      return NULL;
    }
  return g_steal_pointer (&self);
}

gboolean
stint_run_options_has (const StintRunOptions *self, const char *option)
{
  return g_ptr_array_find_with_equal_func (self->extra, option, g_str_equal, NULL) ||
         g_hash_table_contains (self->extra_values, option);
}

const char *
stint_run_options_get_extra (const StintRunOptions *self, const char *option)
{
  return g_hash_table_lookup (self->extra_values, option);
}

const char *
stint_run_options_get_json (const StintRunOptions *self)
{
  return self->json;
}

const char *
stint_run_options_get_directory (const StintRunOptions *self)
{
  return self->directory;
}

gboolean
stint_run_options_get_quiet (const StintRunOptions *self)
{
  return self->quiet;
}

gboolean
stint_run_options_get_no_history (const StintRunOptions *self)
{
  return self->no_history;
}

gboolean
stint_run_options_has_command (const StintRunOptions *self)
{
  return self->shell_line != NULL || self->command[0] != NULL;
}

StintJobSpec *
stint_run_options_to_spec (const StintRunOptions *self,
                           StintJobKind default_kind,
                           gboolean default_tty)
{
  gboolean tty = self->tty >= 0 ? self->tty : default_tty;
  StintJobKind kind = default_kind;
  StintJobSpec *spec;

  if (self->has_kind)
    kind = self->kind;
  else if (self->tty > 0)
    kind = STINT_JOB_KIND_TERMINAL;
  else if (self->tty == 0 && default_kind == STINT_JOB_KIND_TERMINAL)
    kind = STINT_JOB_KIND_SHELL;
  /* A kind that is said decides, unless the terminal is said as well. */
  if (self->has_kind && self->tty < 0)
    tty = kind == STINT_JOB_KIND_TERMINAL;

  spec = self->shell_line != NULL
           ? stint_job_spec_new_shell (kind, self->shell_line)
           : stint_job_spec_new (kind, (const char *const *) self->command);
  stint_job_spec_set_tty (spec, tty);
  stint_job_spec_set_name (spec, self->name);
  stint_job_spec_set_directory (spec, self->directory);
  if (self->timeout >= 0)
    stint_job_spec_set_timeout (spec, self->timeout);
  if (self->idle_timeout >= 0)
    stint_job_spec_set_idle_timeout (spec, self->idle_timeout);
  if (self->grace >= 0)
    stint_job_spec_set_grace (spec, self->grace);
  stint_job_spec_set_keep (spec, !self->no_history);
  if (self->output_limit >= 0)
    stint_job_spec_set_output_limit (spec, (guint64) self->output_limit);
  if (self->niceness >= 0)
    stint_job_spec_set_niceness (spec, (guint) self->niceness);
  stint_job_spec_set_leftovers (spec, self->leftovers);
  stint_job_spec_set_idle_by (spec, self->idle_by);
  stint_job_spec_set_on_idle (spec, self->on_idle);
  if (self->start_at > 0)
    stint_job_spec_set_start_at (spec, self->start_at);
  else
    stint_job_spec_set_start_delay (spec, self->start_delay);
  stint_job_spec_set_retries (spec, self->retries);
  stint_job_spec_set_retry_delay (spec, self->retry_delay);
  for (guint i = 0; i < self->then->len; i++)
    {
      const Then *then = &g_array_index (self->then, Then, i);

      stint_job_spec_add_then (spec, then->when, then->line);
    }
  for (guint i = 0; i < self->tags->len; i++)
    stint_job_spec_add_tag (spec, self->tags->pdata[i]);
  for (guint i = 0; i < self->env_changes->len; i++)
    {
      const char *change = self->env_changes->pdata[i];

      if (strchr (change, '=') != NULL)
        stint_job_spec_add_env (spec, change, NULL);
      else
        stint_job_spec_unset_env (spec, change, NULL);
    }
  return spec;
}

gboolean
stint_run_options_check_kind (const StintRunOptions *self, StintJobSpec *spec, GError **error)
{
  if (self->has_kind || stint_agent_command_check (spec, NULL))
    return TRUE;
  g_set_error (error, STINT_ERROR, STINT_ERROR_WRONG_KIND,
               /* Translators: %s is a program, such as “claude”; do not translate the options */
               _ ("“%s” is an agent: a question would hang it here, and nothing would notice; "
                  "--kind agent runs it as one, and --kind shell all the same"),
               stint_agent_command_find (spec));
  return FALSE;
}

gboolean
stint_run_options_check_session (const StintRunOptions *self, const char *option, GError **error)
{
  const char *other = self->shell_line != NULL                           ? "--shell"
                      : self->has_kind && self->kind != STINT_JOB_KIND_AGENT ? "--kind"
                      : self->tty > 0                                    ? "--tty"
                      : self->tty == 0                                   ? "--pipes"
                      : self->retries > 0                                ? "--retry"
                      : self->idle_by != STINT_IDLE_BY_OUTPUT            ? "--idle-by"
                      : self->on_idle != STINT_ON_IDLE_TERMINATE         ? "--on-idle"
                                                                         : NULL;

  if (other == NULL)
    return TRUE;
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
               /* Translators: both are options, such as “--tty” and “--agent” */
               _ ("%s cannot be used with %s"), other, option);
  return FALSE;
}

char *
stint_run_options_describe (void)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_autofree char *left = options[i].value != NULL
                                ? g_strdup_printf ("--%s %s", options[i].name, options[i].value)
                                : g_strdup_printf ("--%s", options[i].name);

      g_string_append_printf (text, "  %-30s %s\n", left, _ (options[i].help));
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
