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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/agent-command/agents", test_agents);
  g_test_add_func ("/engine/agent-command/others", test_others);
  g_test_add_func ("/engine/agent-command/which-kinds", test_which_kinds);
  return g_test_run ();
}
