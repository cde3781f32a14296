/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A job of the history as a command line that runs it again.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-run-line.h"

#include "stint-units.h"

#include <string.h>

static void
add (GStrvBuilder *words, const char *option, const char *value)
{
  g_strv_builder_add (words, option);
  if (value != NULL)
    g_strv_builder_add (words, value);
}

static void
add_duration (GStrvBuilder *words, const char *option, gint64 usec)
{
  g_autofree char *text = stint_duration_format (usec);

  add (words, option, text);
}

static void
add_environment (GStrvBuilder *words, StintJobSpec *spec)
{
  const char *const *changes = stint_job_spec_get_env_changes (spec);

  for (guint i = 0; changes[i] != NULL; i++)
    add (words, strchr (changes[i], '=') != NULL ? "--env" : "--unset-env", changes[i]);
}

static void
add_limits (GStrvBuilder *words, StintJobSpec *spec)
{
  gboolean agent = stint_job_spec_get_kind (spec) == STINT_JOB_KIND_AGENT;

  if (stint_job_spec_get_timeout (spec) != 0)
    add_duration (words, "--timeout", stint_job_spec_get_timeout (spec));
  if (agent || stint_job_spec_get_idle_timeout (spec) != 0)
    add_duration (words, "--idle-timeout", stint_job_spec_get_idle_timeout (spec));
  if (stint_job_spec_get_grace (spec) != STINT_DEFAULT_GRACE)
    add_duration (words, "--grace", stint_job_spec_get_grace (spec));
  if (stint_job_spec_get_output_limit (spec) != STINT_DEFAULT_OUTPUT_LIMIT)
    {
      g_autofree char *bytes =
        g_strdup_printf ("%" G_GUINT64_FORMAT, stint_job_spec_get_output_limit (spec));

      add (words, "--output-limit", bytes);
    }
  if (stint_job_spec_get_leftovers (spec) == STINT_LEFTOVERS_WAIT)
    add (words, "--leftovers", "wait");
  if (stint_job_spec_get_idle_by (spec) == STINT_IDLE_BY_ACTIVITY)
    add (words, "--idle-by", "activity");
  if (stint_job_spec_get_on_idle (spec) == STINT_ON_IDLE_NOTIFY)
    add (words, "--on-idle", "notify");
  if (stint_job_spec_has_niceness (spec))
    {
      g_autofree char *niceness = g_strdup_printf ("%u", stint_job_spec_get_niceness (spec));

      add (words, "--nice", niceness);
    }
}

static void
add_sequel (GStrvBuilder *words, StintJobSpec *spec)
{
  static const char *const options[] = {
    [STINT_THEN_ALWAYS] = "--then",
    [STINT_THEN_ON_SUCCESS] = "--then-on-success",
    [STINT_THEN_ON_FAILURE] = "--then-on-failure",
  };

  if (stint_job_spec_get_retries (spec) > 0)
    {
      g_autofree char *retries = g_strdup_printf ("%u", stint_job_spec_get_retries (spec));

      add (words, "--retry", retries);
      add_duration (words, "--retry-delay", stint_job_spec_get_retry_delay (spec));
    }
  for (guint i = 0; i < stint_job_spec_get_n_then (spec); i++)
    {
      StintThen when;
      const char *line = stint_job_spec_get_then (spec, i, &when);

      add (words, options[when], line);
    }
}

char **
stint_run_words (StintJobSpec *spec)
{
  g_autoptr (GStrvBuilder) words = g_strv_builder_new ();
  const char *const *argv = stint_job_spec_get_argv (spec);
  const char *const *tags = stint_job_spec_get_tags (spec);

  add (words, "--kind", stint_job_kind_to_nick (stint_job_spec_get_kind (spec)));
  add (words, stint_job_spec_get_tty (spec) ? "--tty" : "--pipes", NULL);
  if (stint_job_spec_get_directory (spec) != NULL)
    add (words, "--cwd", stint_job_spec_get_directory (spec));
  if (stint_job_spec_get_name (spec) != NULL)
    add (words, "--name", stint_job_spec_get_name (spec));
  for (guint i = 0; tags[i] != NULL; i++)
    add (words, "--tag", tags[i]);
  add_environment (words, spec);
  add_limits (words, spec);
  add_sequel (words, spec);
  if (stint_job_spec_get_shell_line (spec) != NULL)
    {
      add (words, "--shell", stint_job_spec_get_shell_line (spec));
      return g_strv_builder_end (words);
    }
  g_strv_builder_add (words, "--");
  for (guint i = 0; argv[i] != NULL; i++)
    g_strv_builder_add (words, argv[i]);
  return g_strv_builder_end (words);
}

char *
stint_run_line_dup (StintJobSpec *spec)
{
  g_auto (GStrv) words = stint_run_words (spec);
  GString *line = g_string_new ("stint");

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *quoted = NULL;
      gboolean plain = *words[i] != '\0' &&
                       strspn (words[i], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                         "0123456789-_=+./:,@%") == strlen (words[i]);

      if (!plain)
        quoted = g_shell_quote (words[i]);
      g_string_append_printf (line, " %s", plain ? words[i] : quoted);
    }
  return g_string_free (line, FALSE);
}
