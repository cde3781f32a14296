/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a command line of `stint` means.
 */
#include "stint-launch.h"

#include "stint-error.h"

static StintLaunch *
parse (const char *const *words)
{
  g_autoptr (GError) error = NULL;
  StintLaunch *launch = stint_launch_parse (words, &error);

  g_assert_no_error (error);
  g_assert_nonnull (launch);
  return launch;
}

#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

static void
assert_mode (const char *const *words, StintLaunchMode mode)
{
  g_autoptr (StintLaunch) launch = parse (words);

  g_assert_cmpint (launch->mode, ==, mode);
}

static void
assert_refused (const char *const *words, const char *named)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (stint_launch_parse (words, &error));
  g_assert_error (error, STINT_ERROR, STINT_ERROR_INVALID);
  g_assert_nonnull (g_strstr_len (error->message, -1, named));
  g_assert_null (g_strstr_len (error->message, -1, "\n"));
}

static void
test_modes (void)
{
  const char *const nothing[] = { NULL };

  assert_mode (nothing, STINT_LAUNCH_PRESENT);
  assert_mode (WORDS ("--foreground"), STINT_LAUNCH_PRESENT);
  assert_mode (WORDS ("--new"), STINT_LAUNCH_NEW_JOB);
  assert_mode (WORDS ("--history"), STINT_LAUNCH_HISTORY);
  assert_mode (WORDS ("--history", "make"), STINT_LAUNCH_HISTORY);
  assert_mode (WORDS ("--help"), STINT_LAUNCH_HELP);
  assert_mode (WORDS ("--version"), STINT_LAUNCH_VERSION);
  assert_mode (WORDS ("make"), STINT_LAUNCH_RUN);
  assert_mode (WORDS ("--shell", "a | b"), STINT_LAUNCH_RUN);
}

static void
test_query (void)
{
  g_autoptr (StintLaunch) none = stint_launch_parse (WORDS ("--history"), NULL);
  g_autoptr (StintLaunch) some = stint_launch_parse (WORDS ("--history", "make", "failed:yes"), NULL);
  g_autoptr (StintLaunch) dashed = stint_launch_parse (WORDS ("--history", "--", "-j4"), NULL);

  g_assert_null (none->query);
  g_assert_cmpstr (some->query, ==, "make failed:yes");
  g_assert_cmpstr (dashed->query, ==, "-j4");
}

/* Options end at the first word that is none; after it they are the command's. */
static void
test_command_is_untouched (void)
{
  g_autoptr (StintLaunch) launch =
      parse (WORDS ("--timeout", "5", "make", "--help", "--wait", "--", "-x"));
  g_autoptr (StintLaunch) dashes = parse (WORDS ("--foreground", "--", "--new", "x"));
  g_autoptr (StintJobSpec) spec = stint_launch_dup_spec (launch);
  g_autoptr (StintJobSpec) other = stint_launch_dup_spec (dashes);

  g_assert_cmpint (launch->mode, ==, STINT_LAUNCH_RUN);
  g_assert_false (launch->wait);
  g_assert_true (g_strv_equal (stint_job_spec_get_argv (spec),
                               WORDS ("make", "--help", "--wait", "--", "-x")));
  g_assert_true (dashes->foreground);
  g_assert_true (g_strv_equal (stint_job_spec_get_argv (other), WORDS ("--new", "x")));
}

static void
test_kinds (void)
{
  g_autoptr (StintLaunch) plain = parse (WORDS ("make"));
  g_autoptr (StintLaunch) shell = parse (WORDS ("--kind", "shell", "make"));
  g_autoptr (StintLaunch) pipes = parse (WORDS ("--pipes", "make"));
  g_autoptr (StintJobSpec) plain_spec = stint_launch_dup_spec (plain);
  g_autoptr (StintJobSpec) shell_spec = stint_launch_dup_spec (shell);
  g_autoptr (StintJobSpec) pipes_spec = stint_launch_dup_spec (pipes);

  g_assert_cmpint (stint_job_spec_get_kind (plain_spec), ==, STINT_JOB_KIND_TERMINAL);
  g_assert_true (stint_job_spec_get_tty (plain_spec));
  g_assert_cmpint (stint_job_spec_get_kind (shell_spec), ==, STINT_JOB_KIND_SHELL);
  g_assert_false (stint_job_spec_get_tty (shell_spec));
  g_assert_false (stint_job_spec_get_tty (pipes_spec));
}

static void
test_max_jobs (void)
{
  g_autoptr (StintLaunch) none = parse (WORDS ("make"));
  g_autoptr (StintLaunch) four = parse (WORDS ("--max-jobs", "4", "make", "--max-jobs", "5"));
  g_autoptr (StintLaunch) unlimited = parse (WORDS ("--max-jobs=0"));

  g_assert_cmpint (none->max_jobs, ==, -1);
  g_assert_cmpint (four->max_jobs, ==, 4);
  g_assert_cmpint (unlimited->max_jobs, ==, 0);
  g_assert_cmpint (unlimited->mode, ==, STINT_LAUNCH_PRESENT);
}

/* What follows the options is said to it; without that it is still in the directory that was asked for. */
static void
test_agent (void)
{
  g_autoptr (StintLaunch) words = parse (WORDS ("--agent", "gemini", "fix", "it"));
  g_autoptr (StintLaunch) silent = parse (WORDS ("--agent=my-agent --acp", "--cwd", "/tmp"));
  g_autoptr (StintJobSpec) spec = stint_launch_dup_spec (silent);

  g_assert_cmpint (words->mode, ==, STINT_LAUNCH_AGENT);
  g_assert_cmpstr (words->agent, ==, "gemini");
  g_assert_cmpint (silent->mode, ==, STINT_LAUNCH_AGENT);
  g_assert_cmpstr (silent->agent, ==, "my-agent --acp");
  g_assert_cmpstr (stint_job_spec_get_directory (spec), ==, "/tmp");
  assert_refused (WORDS ("--agent"), "--agent");

  /* What a session cannot heed is not passed over. */
  assert_refused (WORDS ("--agent", "gemini", "--shell", "ls"), "--shell");
  assert_refused (WORDS ("--agent", "gemini", "--kind", "shell"), "--kind");
  assert_refused (WORDS ("--agent", "gemini", "--tty", "x"), "--tty");
  assert_refused (WORDS ("--agent", "gemini", "--pipes"), "--pipes");
  assert_refused (WORDS ("--agent", "gemini", "--retry", "2"), "--retry");
  assert_refused (WORDS ("--agent", "gemini", "--json", "-"), "--wait");
  assert_mode (WORDS ("--agent", "gemini", "--kind", "agent", "--timeout", "5m", "--tag", "t", "x"),
               STINT_LAUNCH_AGENT);
}

static void
test_refused (void)
{
  assert_refused (WORDS ("--max-jobs", "many", "make"), "many");
  assert_refused (WORDS ("--max-jobs", "-1", "make"), "-1");
  assert_refused (WORDS ("--max-jobs"), "--max-jobs");
  assert_refused (WORDS ("--nonsense"), "--nonsense");
  assert_refused (WORDS ("--timeout", "soon", "make"), "soon");
  assert_refused (WORDS ("--env", "novalue", "make"), "novalue");
  assert_refused (WORDS ("--wait"), "--wait");
  assert_refused (WORDS ("--json", "-", "make"), "--wait");
}

/* What it would be by itself is refused; what was said is done. */
static void
test_agents (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StintLaunch) forced = NULL, agent = NULL, terminal = NULL;

  g_assert_null (stint_launch_parse (WORDS ("--pipes", "claude", "-p", "x"), &error));
  g_assert_error (error, STINT_ERROR, STINT_ERROR_WRONG_KIND);
  g_assert_nonnull (g_strstr_len (error->message, -1, "--kind agent"));
  forced = stint_launch_parse (WORDS ("--kind", "shell", "claude", "-p", "x"), NULL);
  g_assert_nonnull (forced);
  agent = stint_launch_parse (WORDS ("--kind", "agent", "claude", "-p", "x"), NULL);
  g_assert_nonnull (agent);
  terminal = stint_launch_parse (WORDS ("claude", "-p", "x"), NULL);
  g_assert_nonnull (terminal);
}

static void
test_no_history (void)
{
  g_autoptr (StintLaunch) launch = stint_launch_parse (WORDS ("--no-history", "make"), NULL);
  g_autoptr (StintJobSpec) spec = NULL;

  g_assert_nonnull (launch);
  spec = stint_launch_dup_spec (launch);
  g_assert_false (stint_job_spec_get_keep (spec));
}

static void
test_help_names_every_option (void)
{
  g_autofree char *help = stint_launch_describe ();
  const char *const options[] = { "--wait",  "--new",     "--history", "--foreground",
                                  "--help",  "--version", "--timeout", "--idle-timeout",
                                  "--grace", "--shell",   "--kind",    "--cwd",
                                  "--env",   "--max-jobs", "--agent" };

  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    if (g_strstr_len (help, -1, options[i]) == NULL)
      g_error ("--help does not name %s", options[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/launch/modes", test_modes);
  g_test_add_func ("/app/launch/query", test_query);
  g_test_add_func ("/app/launch/command-is-untouched", test_command_is_untouched);
  g_test_add_func ("/app/launch/kinds", test_kinds);
  g_test_add_func ("/app/launch/max-jobs", test_max_jobs);
  g_test_add_func ("/app/launch/agent", test_agent);
  g_test_add_func ("/app/launch/refused", test_refused);
  g_test_add_func ("/app/launch/agents", test_agents);
  g_test_add_func ("/app/launch/no-history", test_no_history);
  g_test_add_func ("/app/launch/help-names-every-option", test_help_names_every_option);
  return g_test_run ();
}
