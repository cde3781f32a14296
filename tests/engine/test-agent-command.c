/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * E5 of the mission: an agent's command is refused as a background shell job, with the name of the
 * right kind. What only sounds like one is not.
 */
#include "stint-agent-command.h"
#include "stint-error.h"

static const char *
find_in_line (const char *line)
{
  g_autoptr (StintJobSpec) spec = stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, line);

  return stint_agent_command_find (spec);
}

static void
test_agents (void)
{
  static const struct
  {
    const char *line, *agent;
  } cases[] = {
    { "claude -p 'fix the build'", "claude" },
    { "claude", "claude" },
    { "claude --print=x", "claude" },
    { "claude 'fix the build'", "claude" },
    { "/usr/local/bin/codex exec fix", "codex" },
    { "gemini -p hello", "gemini" },
    { "cd src && claude -p x", "claude" },
    { "git diff | claude -p 'review this'", "claude" },
    { "A=1 env B=2 claude -p x", "claude" },
    { "nohup claude -p x &", "claude" },
    { "(opencode run x)", "opencode" },
    { "true; aider --message x", "aider" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const char *found = find_in_line (cases[i].line);

      if (g_strcmp0 (found, cases[i].agent) != 0)
        g_error ("%s: found %s", cases[i].line, found);
    }
}

static void
test_others (void)
{
  static const char *const lines[] = {
    "",
    "make -j4",
    "claude --version",
    "claude mcp list",
    "echo claude -p x",
    "echo 'claude -p x'",
    "echo \"; claude -p x\"",
    "npm install claude",
    "codex --help",
    "goose configure",
    "./claude-wrapper -p x",
    "grep -r claude .",
    "echo 'unbalanced",
    "A=claude",
    "|| && ;",
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    if (find_in_line (lines[i]) != NULL)
      g_error ("%s: taken for an agent", lines[i]);
}

static void
test_which_kinds (void)
{
  const char *const words[] = { "claude", "-p", "x", NULL };
  g_autoptr (StintJobSpec) shell = stint_job_spec_new (STINT_JOB_KIND_SHELL, words);
  g_autoptr (StintJobSpec) on_terminal = stint_job_spec_new (STINT_JOB_KIND_SHELL, words);
  g_autoptr (StintJobSpec) terminal = stint_job_spec_new (STINT_JOB_KIND_TERMINAL, words);
  g_autoptr (StintJobSpec) agent = stint_job_spec_new (STINT_JOB_KIND_AGENT, words);
  g_autoptr (GError) error = NULL;

  g_assert_false (stint_agent_command_check (shell, &error));
  g_assert_error (error, STINT_ERROR, STINT_ERROR_WRONG_KIND);
  g_assert_nonnull (g_strstr_len (error->message, -1, "claude"));
  stint_job_spec_set_tty (on_terminal, TRUE);
  g_assert_true (stint_agent_command_check (on_terminal, NULL));
  g_assert_true (stint_agent_command_check (terminal, NULL));
  g_assert_true (stint_agent_command_check (agent, NULL));
}

static StintJobSpec *
new_agent (const char *line)
{
  StintJobSpec *spec = stint_job_spec_new_shell (STINT_JOB_KIND_AGENT, line);

  stint_job_spec_resolve (spec, "/tmp", NULL, NULL);
  return spec;
}

static void
test_next (void)
{
  static const struct
  {
    const char *line;
    const char *next;
  } cases[] = {
    { "claude -p 'fix it'", "claude -p --continue {prompt}" },
    { "cd src && codex exec fix", "codex exec resume --last {prompt}" },
    { "gemini -p fix", "gemini --resume latest -p {prompt}" },
    { "aider -m fix", NULL }, /* an agent, but how it goes on is not known */
    { "make", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (StintJobSpec) spec = new_agent (cases[i].line);
      g_autoptr (StintJobSpec) terminal =
        stint_job_spec_new_shell (STINT_JOB_KIND_TERMINAL, cases[i].line);
      g_autofree char *next = stint_agent_command_dup_next (spec);

      g_assert_cmpstr (next, ==, cases[i].next);
      /* Who has a terminal goes on there. */
      g_assert_null (stint_agent_command_dup_next (terminal));
    }
}

static void
test_new_next (void)
{
  const char *const words[] = { "claude", "-p", "--continue", "don't $(stop)\n{prompt} \"now\"", NULL };
  g_autoptr (StintJobSpec) spec = new_agent ("claude -p fix");
  g_autoptr (StintJobSpec) next = NULL;
  g_autoptr (StintJobSpec) on_stdin = NULL;

  stint_job_spec_set_timeout (spec, 5 * G_USEC_PER_SEC);
  stint_job_spec_set_retries (spec, 3);
  stint_job_spec_add_then (spec, STINT_THEN_ALWAYS, "make");
  stint_job_spec_add_tag (spec, "tag");
  stint_job_spec_set_stdin_text (spec, "once");

  next = stint_agent_command_new_next (spec, "claude -p --continue {prompt}", words[3], NULL);
  g_assert_cmpstrv (stint_job_spec_get_argv (next), words);
  g_assert_null (stint_job_spec_get_shell_line (next));
  g_assert_null (stint_job_spec_get_stdin_text (next));
  g_assert_cmpint (stint_job_spec_get_kind (next), ==, STINT_JOB_KIND_AGENT);
  g_assert_cmpstr (stint_job_spec_get_directory (next), ==, "/tmp");
  g_assert_cmpint (stint_job_spec_get_timeout (next), ==, 5 * G_USEC_PER_SEC);
  g_assert_cmpstr (stint_job_spec_get_tags (next)[0], ==, "tag");
  g_assert_cmpuint (stint_job_spec_get_retries (next), ==, 0);
  g_assert_cmpuint (stint_job_spec_get_n_then (next), ==, 0);

  on_stdin = stint_agent_command_new_next (spec, "agent --continue", "go on", NULL);
  g_assert_cmpstr (stint_job_spec_get_stdin_text (on_stdin), ==, "go on");
}

static void
test_bad_next (void)
{
  static const char *const lines[] = { "", "  ", "claude '{prompt}" };
  g_autoptr (StintJobSpec) spec = new_agent ("claude -p fix");

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (stint_agent_command_new_next (spec, lines[i], "go on", &error));
      g_assert_error (error, STINT_ERROR, STINT_ERROR_INVALID);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/agent-command/agents", test_agents);
  g_test_add_func ("/engine/agent-command/others", test_others);
  g_test_add_func ("/engine/agent-command/which-kinds", test_which_kinds);
  g_test_add_func ("/engine/agent-command/next", test_next);
  g_test_add_func ("/engine/agent-command/new-next", test_new_next);
  g_test_add_func ("/engine/agent-command/bad-next", test_bad_next);
  return g_test_run ();
}
