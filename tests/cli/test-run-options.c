/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options of `stintctl run`: what each sets, where they end, and what is said of what is wrong.
 */
#define G_LOG_DOMAIN "test"
#include "config.h"

#include "stint-error.h"
#include "stint-run-line.h"
#include "stint-run-options.h"

#include <locale.h>
#include <string.h>

#define MAX_WORDS 12

static StintRunOptions *
parse (const char *const *words)
{
  g_autoptr (GError) error = NULL;
  StintRunOptions *options = stint_run_options_parse (words, NULL, &error);

  g_assert_no_error (error);
  return options;
}

#define PARSE(...) parse ((const char *const[]){ __VA_ARGS__, NULL })

static StintJobSpec *
to_spec (StintRunOptions *options)
{
  g_autoptr (StintRunOptions) owned = options;

  return stint_run_options_to_spec (owned, STINT_JOB_KIND_SHELL, FALSE);
}

#define SPEC(...) to_spec (PARSE (__VA_ARGS__))

static void
assert_strings (const char *const *actual, const char *const *expected)
{
  g_assert_cmpstrv (actual, expected);
}

#define ASSERT_STRINGS(actual, ...) assert_strings (actual, (const char *const[]){ __VA_ARGS__, NULL })

static void
test_defaults (void)
{
  g_autoptr (StintRunOptions) options = PARSE ("make");
  g_autoptr (StintJobSpec) spec = stint_run_options_to_spec (options, STINT_JOB_KIND_SHELL, FALSE);

  g_assert_true (stint_run_options_has_command (options));
  g_assert_null (stint_run_options_get_json (options));
  g_assert_false (stint_run_options_get_quiet (options));
  g_assert_false (stint_run_options_get_no_history (options));
  ASSERT_STRINGS (stint_job_spec_get_argv (spec), "make");
  g_assert_cmpint (stint_job_spec_get_kind (spec), ==, STINT_JOB_KIND_SHELL);
  g_assert_false (stint_job_spec_get_tty (spec));
  g_assert_null (stint_job_spec_get_name (spec));
  g_assert_null (stint_job_spec_get_directory (spec));
  g_assert_cmpint (stint_job_spec_get_timeout (spec), ==, 0);
  g_assert_cmpint (stint_job_spec_get_idle_timeout (spec), ==, 0);
  g_assert_cmpint (stint_job_spec_get_grace (spec), ==, 5 * G_USEC_PER_SEC);
  g_assert_cmpuint (stint_job_spec_get_output_limit (spec), ==, 1u << 30);
  g_assert_cmpint (stint_job_spec_get_leftovers (spec), ==, STINT_LEFTOVERS_TERMINATE);
  g_assert_cmpuint (stint_job_spec_get_niceness (spec), ==, 0);
  g_assert_false (stint_job_spec_has_niceness (spec));
  g_assert_null (stint_job_spec_get_tags (spec)[0]);
  g_assert_null (stint_job_spec_get_env_changes (spec)[0]);
}

static void
test_all (void)
{
  g_autoptr (StintRunOptions) options =
    PARSE ("--cwd", "/tmp", "--env", "A=1", "--unset-env", "B", "--env=C=d=e", "--env", "D=", "--name", "the name",
           "--tag", "one", "--tag=two", "--timeout", "1.5s", "--idle-timeout", "250ms", "--grace", "2h",
           "--output-limit", "64K", "--nice", "7", "--leftovers", "wait", "--json", "-", "--quiet", "--no-history",
           "--kind", "agent", "--pipes", "make", "-j4");
  g_autoptr (StintJobSpec) spec = stint_run_options_to_spec (options, STINT_JOB_KIND_TERMINAL, TRUE);

  g_assert_cmpstr (stint_run_options_get_json (options), ==, "-");
  g_assert_true (stint_run_options_get_quiet (options));
  g_assert_true (stint_run_options_get_no_history (options));
  ASSERT_STRINGS (stint_job_spec_get_argv (spec), "make", "-j4");
  g_assert_cmpstr (stint_job_spec_get_directory (spec), ==, "/tmp");
  ASSERT_STRINGS (stint_job_spec_get_env_changes (spec), "A=1", "B", "C=d=e", "D=");
  g_assert_cmpstr (stint_job_spec_get_name (spec), ==, "the name");
  ASSERT_STRINGS (stint_job_spec_get_tags (spec), "one", "two");
  g_assert_cmpint (stint_job_spec_get_timeout (spec), ==, 1500000);
  g_assert_cmpint (stint_job_spec_get_idle_timeout (spec), ==, 250000);
  g_assert_cmpint (stint_job_spec_get_grace (spec), ==, G_GINT64_CONSTANT (7200) * G_USEC_PER_SEC);
  g_assert_cmpuint (stint_job_spec_get_output_limit (spec), ==, 65536);
  g_assert_cmpint (stint_job_spec_get_leftovers (spec), ==, STINT_LEFTOVERS_WAIT);
  g_assert_cmpuint (stint_job_spec_get_niceness (spec), ==, 7);
  g_assert_cmpint (stint_job_spec_get_kind (spec), ==, STINT_JOB_KIND_AGENT);
  g_assert_false (stint_job_spec_get_tty (spec));
}

/* When it starts, and what comes after it. */
static void
test_schedule (void)
{
  g_autoptr (StintJobSpec) spec =
    SPEC ("--idle-by", "activity", "--on-idle=notify", "--in", "10m", "--retry", "3", "--retry-delay=2s",
          "--then-on-success", "make install", "--then=true", "--then-on-failure", "false | x", "make");
  g_autoptr (StintJobSpec) plain = SPEC ("make");
  g_autoptr (StintJobSpec) at = SPEC ("--in=5", "--at=2999-01-01 03:00", "make");
  g_autoptr (StintJobSpec) in = SPEC ("--at=2999-01-01 03:00", "--in=5", "make");
  StintThen when;

  g_assert_cmpint (stint_job_spec_get_idle_by (spec), ==, STINT_IDLE_BY_ACTIVITY);
  g_assert_cmpint (stint_job_spec_get_on_idle (spec), ==, STINT_ON_IDLE_NOTIFY);
  g_assert_cmpint (stint_job_spec_get_start_delay (spec), ==, 600 * G_USEC_PER_SEC);
  g_assert_cmpuint (stint_job_spec_get_retries (spec), ==, 3);
  g_assert_cmpint (stint_job_spec_get_retry_delay (spec), ==, 2 * G_USEC_PER_SEC);
  g_assert_cmpuint (stint_job_spec_get_n_then (spec), ==, 3);
  g_assert_cmpstr (stint_job_spec_get_then (spec, 0, &when), ==, "make install");
  g_assert_cmpint (when, ==, STINT_THEN_ON_SUCCESS);
  g_assert_cmpstr (stint_job_spec_get_then (spec, 1, &when), ==, "true");
  g_assert_cmpint (when, ==, STINT_THEN_ALWAYS);
  g_assert_cmpstr (stint_job_spec_get_then (spec, 2, &when), ==, "false | x");
  g_assert_cmpint (when, ==, STINT_THEN_ON_FAILURE);

  g_assert_cmpint (stint_job_spec_get_idle_by (plain), ==, STINT_IDLE_BY_OUTPUT);
  g_assert_cmpint (stint_job_spec_get_on_idle (plain), ==, STINT_ON_IDLE_TERMINATE);
  g_assert_cmpint (stint_job_spec_get_start_delay (plain), ==, 0);
  g_assert_cmpint (stint_job_spec_get_start_at (plain), ==, 0);
  g_assert_cmpuint (stint_job_spec_get_retries (plain), ==, 0);
  g_assert_cmpuint (stint_job_spec_get_n_then (plain), ==, 0);

  g_assert_cmpint (stint_job_spec_get_start_at (at), >, G_GINT64_CONSTANT (32000000000) * G_USEC_PER_SEC);
  g_assert_cmpint (stint_job_spec_get_start_delay (at), ==, 0);
  g_assert_cmpint (stint_job_spec_get_start_at (in), ==, 0);
  g_assert_cmpint (stint_job_spec_get_start_delay (in), ==, 5 * G_USEC_PER_SEC);
}

static void
test_last_wins (void)
{
  g_autoptr (StintJobSpec) spec =
    SPEC ("--timeout=1", "--timeout=2", "--name=a", "--name=b", "--cwd=/a", "--cwd=/b", "--leftovers=wait",
          "--leftovers=terminate", "--tty", "--pipes", "--output-limit=1M", "--output-limit=0", "--nice=19", "--nice=0",
          "true");

  g_assert_cmpint (stint_job_spec_get_timeout (spec), ==, 2 * G_USEC_PER_SEC);
  g_assert_cmpstr (stint_job_spec_get_name (spec), ==, "b");
  g_assert_cmpstr (stint_job_spec_get_directory (spec), ==, "/b");
  g_assert_cmpint (stint_job_spec_get_leftovers (spec), ==, STINT_LEFTOVERS_TERMINATE);
  g_assert_false (stint_job_spec_get_tty (spec));
  g_assert_cmpuint (stint_job_spec_get_output_limit (spec), ==, 0);
  /* 0 has been said too: no setting comes before it. */
  g_assert_cmpuint (stint_job_spec_get_niceness (spec), ==, 0);
  g_assert_true (stint_job_spec_has_niceness (spec));
}

/* `--opt=value` and `--opt value` are one thing, whatever the value is. */
static void
test_values (void)
{
  static const char *const values[] = { "", "-", "--", "--quiet", "a b", "=", "a=b", "\n", "ü", "\xff" };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autofree char *joined = g_strconcat ("--name=", values[i], NULL);
      g_autoptr (StintJobSpec) first = SPEC (joined, "true");
      g_autoptr (StintJobSpec) second = SPEC ("--name", values[i], "true");

      g_assert_cmpstr (stint_job_spec_get_name (first), ==, values[i]);
      g_assert_cmpstr (stint_job_spec_get_name (second), ==, values[i]);
    }
}

static void
test_end_of_options (void)
{
  const struct
  {
    const char *words[MAX_WORDS];
    const char *command[MAX_WORDS];
  } cases[] = {
    { { "make", "--quiet" }, { "make", "--quiet" } },
    { { "--quiet", "make", "--timeout", "5" }, { "make", "--timeout", "5" } },
    { { "--timeout", "5", "make", "--", "x" }, { "make", "--", "x" } },
    { { "--", "--quiet" }, { "--quiet" } },
    { { "--", "--" }, { "--" } },
    { { "--", "-x", "-y" }, { "-x", "-y" } },
    { { "--quiet", "--", "make", "--tty" }, { "make", "--tty" } },
    { { "--name", "--", "--", "make" }, { "make" } },
    { { "A=1", "--quiet" }, { "A=1", "--quiet" } },
    { { "" }, { "" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (StintRunOptions) options = parse (cases[i].words);
      g_autoptr (StintJobSpec) spec = stint_run_options_to_spec (options, STINT_JOB_KIND_SHELL, FALSE);

      assert_strings (stint_job_spec_get_argv (spec), cases[i].command);
      g_assert_cmpint (stint_job_spec_get_timeout (spec), ==, i == 2 ? 5 * G_USEC_PER_SEC : 0);
    }
}

static void
test_no_command (void)
{
  g_autoptr (StintRunOptions) nothing = parse ((const char *const[]){ NULL });
  g_autoptr (StintRunOptions) only_options = PARSE ("--quiet");
  g_autoptr (StintRunOptions) only_dashes = PARSE ("--");
  g_autoptr (StintRunOptions) line = PARSE ("--shell", "");

  g_assert_false (stint_run_options_has_command (nothing));
  g_assert_false (stint_run_options_has_command (only_options));
  g_assert_false (stint_run_options_has_command (only_dashes));
  g_assert_true (stint_run_options_has_command (line));
}

static void
test_shell (void)
{
  g_autoptr (StintJobSpec) spec = SPEC ("--shell", "echo $HOME; exit 3");
  g_autoptr (StintJobSpec) blank = SPEC ("--shell", " \t\n");

  g_assert_cmpstr (stint_job_spec_get_shell_line (spec), ==, "echo $HOME; exit 3");
  ASSERT_STRINGS (stint_job_spec_get_argv (spec), "/bin/sh", "-c", "echo $HOME; exit 3");
  g_assert_false (stint_job_spec_is_blank (spec));
  g_assert_true (stint_job_spec_is_blank (blank));
}

/* Which kind, and on a pty or not, of what is said and what is not. */
static void
test_kinds (void)
{
  const struct
  {
    const char *words[MAX_WORDS];
    StintJobKind default_kind;
    gboolean default_tty;
    StintJobKind kind;
    gboolean tty;
  } cases[] = {
    { { "x" }, STINT_JOB_KIND_SHELL, FALSE, STINT_JOB_KIND_SHELL, FALSE },
    { { "x" }, STINT_JOB_KIND_TERMINAL, TRUE, STINT_JOB_KIND_TERMINAL, TRUE },
    { { "--tty", "x" }, STINT_JOB_KIND_SHELL, FALSE, STINT_JOB_KIND_TERMINAL, TRUE },
    { { "--pipes", "x" }, STINT_JOB_KIND_SHELL, FALSE, STINT_JOB_KIND_SHELL, FALSE },
    { { "--pipes", "x" }, STINT_JOB_KIND_TERMINAL, TRUE, STINT_JOB_KIND_SHELL, FALSE },
    { { "--kind", "terminal", "x" }, STINT_JOB_KIND_SHELL, FALSE, STINT_JOB_KIND_TERMINAL, TRUE },
    { { "--kind", "shell", "x" }, STINT_JOB_KIND_TERMINAL, TRUE, STINT_JOB_KIND_SHELL, FALSE },
    { { "--kind", "agent", "x" }, STINT_JOB_KIND_TERMINAL, TRUE, STINT_JOB_KIND_AGENT, FALSE },
    { { "--kind", "shell", "--tty", "x" }, STINT_JOB_KIND_SHELL, FALSE, STINT_JOB_KIND_SHELL, TRUE },
    { { "--kind", "agent", "--tty", "x" }, STINT_JOB_KIND_SHELL, FALSE, STINT_JOB_KIND_AGENT, TRUE },
    { { "--kind", "terminal", "--pipes", "x" }, STINT_JOB_KIND_SHELL, FALSE, STINT_JOB_KIND_TERMINAL, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (StintRunOptions) options = parse (cases[i].words);
      g_autoptr (StintJobSpec) spec =
        stint_run_options_to_spec (options, cases[i].default_kind, cases[i].default_tty);

      g_assert_cmpint (stint_job_spec_get_kind (spec), ==, cases[i].kind);
      g_assert_cmpint (stint_job_spec_get_tty (spec), ==, cases[i].tty);
    }
}

static void
test_agent_idle (void)
{
  g_autoptr (StintJobSpec) agent = SPEC ("--kind", "agent", "x");
  g_autoptr (StintJobSpec) sixth = SPEC ("--kind", "agent", "--timeout", "60", "x");
  g_autoptr (StintJobSpec) off = SPEC ("--kind", "agent", "--idle-timeout", "0", "x");

  g_assert_cmpint (stint_job_spec_get_idle_timeout (agent), ==, 600 * G_USEC_PER_SEC);
  g_assert_cmpint (stint_job_spec_get_idle_timeout (sixth), ==, 10 * G_USEC_PER_SEC);
  g_assert_cmpint (stint_job_spec_get_idle_timeout (off), ==, 0);
}

static void
test_extra (void)
{
  const char *const extra[] = { "--wait", "--foreground", "--max-jobs=", NULL };
  const char *const words[] = { "--wait", "--quiet", "--max-jobs", "7", "make", "--foreground", NULL };
  const char *const without[] = { "--max-jobs", NULL };
  const char *const unknown[] = { "--wait", "make", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (StintRunOptions) options = stint_run_options_parse (words, extra, &error);

  g_assert_no_error (error);
  g_assert_true (stint_run_options_has (options, "--wait"));
  g_assert_false (stint_run_options_has (options, "--foreground"));
  g_assert_cmpstr (stint_run_options_get_extra (options, "--max-jobs="), ==, "7");
  g_assert_null (stint_run_options_parse (unknown, NULL, &error));
  g_assert_error (error, STINT_ERROR, STINT_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_null (stint_run_options_parse (without, extra, &error));
  g_assert_error (error, STINT_ERROR, STINT_ERROR_INVALID);
}

/* One line that names what is wrong. */
static void
test_errors (void)
{
  const struct
  {
    const char *words[MAX_WORDS];
    const char *named;
  } cases[] = {
    { { "--frobnicate", "x" }, "--frobnicate" },
    { { "--frobnicate=5", "x" }, "--frobnicate" },
    { { "-j4", "x" }, "-j4" },
    { { "-" }, "-" },
    { { "--time", "5", "x" }, "--time" },
    { { "--timeouts", "5", "x" }, "--timeouts" },
    { { "--=5", "x" }, "--=5" },
    { { "--Timeout", "5", "x" }, "--Timeout" },
    { { "--timeout" }, "--timeout" },
    { { "--env" }, "--env" },
    { { "--json" }, "--json" },
    { { "--timeout", "soon", "x" }, "soon" },
    { { "--timeout", "", "x" }, "--timeout" },
    { { "--timeout=5x", "x" }, "5x" },
    { { "--idle-timeout", "-5", "x" }, "-5" },
    { { "--idle-timeout", "1e3", "x" }, "1e3" },
    { { "--grace", "5 x", "x" }, "5 x" },
    { { "--grace", "inf", "x" }, "inf" },
    { { "--grace", "99999999999999999999h", "x" }, "99999999999999999999h" },
    { { "--output-limit", "1.5M", "x" }, "1.5M" },
    { { "--output-limit", "much", "x" }, "much" },
    { { "--output-limit", "-1", "x" }, "-1" },
    { { "--output-limit", "99999999999T", "x" }, "99999999999T" },
    { { "--nice", "20", "x" }, "“20”" },
    { { "--nice", "-1", "x" }, "“-1”" },
    { { "--nice", "5.5", "x" }, "--nice" },
    { { "--nice", "", "x" }, "--nice" },
    { { "--idle-by", "cpu", "x" }, "--idle-by" },
    { { "--on-idle", "kill", "x" }, "--on-idle" },
    { { "--in", "soon", "x" }, "soon" },
    { { "--at", "25:00", "x" }, "25:00" },
    { { "--at", "1999-01-01 00:00", "x" }, "1999-01-01" },
    { { "--then", " ", "x" }, "--then" },
    { { "--then-on-failure=", "x" }, "--then-on-failure" },
    { { "--retry", "-1", "x" }, "“-1”" },
    { { "--retry", "1001", "x" }, "“1001”" },
    { { "--retry-delay", "x", "x" }, "--retry-delay" },
    { { "--env", "NAME", "x" }, "NAME" },
    { { "--env", "=value", "x" }, "=value" },
    { { "--env=", "x" }, "--env" },
    { { "--unset-env", "A=B", "x" }, "--unset-env" },
    { { "--unset-env", "", "x" }, "--unset-env" },
    { { "--kind", "robot", "x" }, "--kind" },
    { { "--leftovers", "keep", "x" }, "--leftovers" },
    { { "--cwd", "", "x" }, "--cwd" },
    { { "--json", "", "x" }, "--json" },
    { { "--quiet=yes", "x" }, "--quiet" },
    { { "--tty=", "x" }, "--tty" },
    { { "--shell", "echo", "x" }, "--shell" },
    /* What cannot be shown as it is. */
    { { "--fro\nb\x1b[31m", "x" }, "--fro b" },
    { { "--env", "\xff\xfe\n", "x" }, "--env" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (stint_run_options_parse (cases[i].words, NULL, &error));
      g_assert_error (error, STINT_ERROR, STINT_ERROR_INVALID);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, cases[i].named));
      g_assert_null (strpbrk (error->message, "\n\r\x1b"));
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
    }
}

static void
test_long_error (void)
{
  g_autofree char *word = g_strnfill (1 << 20, 'x');
  const char *const words[] = { "--timeout", word, "true", NULL };
  g_autoptr (GError) error = NULL;

  g_assert_null (stint_run_options_parse (words, NULL, &error));
  g_assert_cmpuint (strlen (error->message), <, 300);
}

static void
test_describe (void)
{
  static const char *const names[] = { "--shell", "--kind", "--tty", "--pipes", "--cwd", "--env", "--unset-env",
                                       "--name", "--tag", "--timeout", "--idle-timeout", "--grace",
                                       "--output-limit", "--nice", "--leftovers", "--idle-by", "--on-idle", "--in", "--at",
                                       "--then", "--then-on-success", "--then-on-failure", "--retry",
                                       "--retry-delay", "--json", "--quiet", "--no-history" };
  g_autofree char *text = stint_run_options_describe ();
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  g_assert_cmpuint (g_strv_length (lines), ==, G_N_ELEMENTS (names) + 1);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_nonnull (strstr (text, names[i]));
}

/* What the history runs again is the job that was, whatever option it was made with. */
static void
test_round_trip (void)
{
  static const char *const options[][3] = {
    { "--shell", "a 'line' | more" }, { "--kind", "agent" }, { "--kind", "terminal" }, { "--tty" },
    { "--pipes" }, { "--cwd", "/tmp/a b" }, { "--env", "A=1 2" }, { "--unset-env", "B" },
    { "--name", "the name" }, { "--tag", "one" }, { "--timeout", "1.5s" },
    { "--idle-timeout", "5m" }, { "--idle-by", "activity" }, { "--on-idle", "notify" },
    { "--grace", "2h" }, { "--output-limit", "64K" }, { "--nice", "0" }, { "--nice", "7" },
    { "--leftovers", "wait" }, { "--then", "echo x" }, { "--then-on-success", "echo y" },
    { "--then-on-failure", "echo z" }, { "--retry", "3" }, { "--retry=2", "--retry-delay=90ms" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      gboolean has_line = strcmp (options[i][0], "--shell") == 0;
      const char *given[] = { options[i][0], options[i][1] != NULL ? options[i][1] : "--", "make", NULL };
      g_autoptr (StintJobSpec) spec = NULL, again = NULL;
      g_autoptr (JsonNode) json = NULL, json_again = NULL;
      g_autofree char *text = NULL, *text_again = NULL;
      g_auto (GStrv) words = NULL;

      if (has_line)
        given[2] = NULL;
      spec = to_spec (parse (given));
      words = stint_run_words (spec);
      again = to_spec (parse ((const char *const *) words));
      json = stint_job_spec_to_json (spec);
      json_again = stint_job_spec_to_json (again);
      text = json_to_string (json, FALSE);
      text_again = json_to_string (json_again, FALSE);
      /* An agent's idle limit is said even where it is its kind's own. */
      if (stint_job_spec_get_kind (spec) == STINT_JOB_KIND_AGENT)
        g_assert_cmpint (stint_job_spec_get_idle_timeout (again), ==, stint_job_spec_get_idle_timeout (spec));
      else
        g_assert_cmpstr (text_again, ==, text);
    }
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "C.UTF-8");
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/cli/run-options/defaults", test_defaults);
  g_test_add_func ("/cli/run-options/all", test_all);
  g_test_add_func ("/cli/run-options/schedule", test_schedule);
  g_test_add_func ("/cli/run-options/last-wins", test_last_wins);
  g_test_add_func ("/cli/run-options/values", test_values);
  g_test_add_func ("/cli/run-options/end-of-options", test_end_of_options);
  g_test_add_func ("/cli/run-options/no-command", test_no_command);
  g_test_add_func ("/cli/run-options/shell", test_shell);
  g_test_add_func ("/cli/run-options/kinds", test_kinds);
  g_test_add_func ("/cli/run-options/agent-idle", test_agent_idle);
  g_test_add_func ("/cli/run-options/extra", test_extra);
  g_test_add_func ("/cli/run-options/errors", test_errors);
  g_test_add_func ("/cli/run-options/long-error", test_long_error);
  g_test_add_func ("/cli/run-options/describe", test_describe);
  g_test_add_func ("/cli/run-options/round-trip", test_round_trip);
  return g_test_run ();
}
