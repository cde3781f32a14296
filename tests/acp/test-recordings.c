/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Real agents, as they were recorded: the conversation comes out as they meant it, and every line that
 * Stint writes is as the protocol's schema and their own client of then have it (replay_agent.py).
 */
#define G_LOG_DOMAIN "test"
#include "config.h"

#include "acp-fixture.h"

#include <string.h>

static const StintToolContent *
get_content (StintConversationItem *tool)
{
  g_assert_nonnull (tool);
  g_assert_cmpuint (stint_conversation_item_get_contents (tool)->len, ==, 1);
  return stint_conversation_item_get_contents (tool)->pdata[0];
}

/* (transfer full): the agent's terminal, a job; waits for it. */
static StintJob *
wait_for_terminal (Fixture *f)
{
  StintJob *own = stint_agent_session_get_job (f->session), *job = NULL;

  wait_until (g_list_model_get_n_items (G_LIST_MODEL (f->jobs)) == 2);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (StintJob) item = g_list_model_get_item (G_LIST_MODEL (f->jobs), i);

      if (item != own)
        job = g_steal_pointer (&item);
    }
  return job;
}

static void
assert_markdown (Fixture *f, const char *text)
{
  g_autofree char *found = stint_conversation_to_markdown (f->conversation);

  g_assert_cmpstr (found, ==, text);
}

/* A tool call that comes twice, a permission, a shell line in a terminal of ours, and its output. */
static void
test_claude_terminal (void)
{
  g_autoptr (StintAgentRequest) request = NULL;
  g_autoptr (StintConversationItem) tool = NULL;
  const StintToolContent *content;
  g_autoptr (StintJob) job = NULL;
  Fixture f;

  fixture_set_up_with_recording (&f, "claude-code-acp-0.16.2_terminal.txt", STINT_AGENT_ASK);
  /* They come after the answer to session/new. */
  wait_until (g_list_model_get_n_items (stint_agent_session_get_commands (f.session)) == 8);
  g_assert_cmpstr (stint_conversation_get_agent (f.conversation), ==, "Claude Code");
  stint_agent_session_prompt_text (f.session, "run it");
  request = fixture_wait_for_request (&f);
  g_assert_cmpstr (stint_agent_request_get_title (request), ==, "`echo hello-from-stub; echo err >&2; exit 3`");
  g_assert_cmpuint (stint_agent_request_get_choices (request)->len, ==, 3);
  stint_agent_request_choose (request, "allow");
  wait_until (f.n_turns == 1);
  g_assert_cmpstr (stint_agent_session_get_stop_reason (f.session), ==, "end_turn");
  assert_markdown (&f, "## Prompt\n\nrun it\n\n**Say hello** (done)\n\nAll done (stub).\n\n*The agent has finished*\n\n");
  /* Its terminal is a job, which stays when the agent has released it. */
  tool = fixture_find_item (&f, STINT_CONVERSATION_TOOL);
  content = get_content (tool);
  g_assert_cmpint (content->kind, ==, STINT_TOOL_CONTENT_TERMINAL);
  job = wait_for_terminal (&f);
  g_assert_cmpuint (stint_job_get_id (job), ==, content->job_id);
  g_assert_cmpint (stint_job_get_result (job)->exit_code, ==, 3);
  fixture_wait_for_output (job, "hello-from-stub");
  fixture_tear_down (&f);
}

/* Cancelled while it waits for its terminal: it releases that with the waiter pending, and does not end
 * with its input. */
static void
test_claude_cancel (void)
{
  g_autoptr (StintConversationItem) tool = NULL;
  g_autoptr (StintJob) job = NULL;
  Fixture f;

  fixture_set_up_with_recording (&f, "claude-code-acp-0.16.2_cancel.txt", STINT_AGENT_ALLOW);
  stint_agent_session_prompt_text (f.session, "run it");
  job = wait_for_terminal (&f);
  fixture_wait_for_output (job, "begin");
  stint_agent_session_cancel (f.session);
  wait_until (f.n_turns == 1);
  g_assert_cmpstr (stint_agent_session_get_stop_reason (f.session), ==, "cancelled");
  wait_until (stint_job_get_state (job) == STINT_JOB_FINISHED);
  tool = fixture_find_item (&f, STINT_CONVERSATION_TOOL);
  g_assert_cmpint (stint_conversation_item_get_status (tool), ==, STINT_TOOL_CANCELLED);
  stint_agent_session_stop (f.session);
  fixture_wait_for_state (&f, STINT_AGENT_ENDED);
  g_assert_true (g_str_has_suffix (f.steps->str, "it"));
  fixture_tear_down (&f);
}

/* News before the session, a terminal of the agent's own, extensions, usage, a title. */
static void
test_codex (void)
{
  g_autoptr (StintConversationItem) tool = NULL;
  const StintToolContent *content;
  Fixture f;

  fixture_set_up_with_recording (&f, "codex-acp-2.6.0_meta-terminal.txt", STINT_AGENT_ASK);
  g_assert_cmpstr (fixture_run_turn (&f, "run it"), ==, "end_turn");
  /* Config options are there, so modes and models are none. */
  g_assert_cmpuint (g_list_model_get_n_items (stint_agent_session_get_options (f.session)), ==, 3);
  g_assert_cmpuint (g_list_model_get_n_items (stint_agent_session_get_commands (f.session)), ==, 16);
  g_assert_cmpstr (stint_conversation_get_title (f.conversation), ==, "run it");
  tool = fixture_find_item (&f, STINT_CONVERSATION_TOOL);
  g_assert_cmpint (stint_conversation_item_get_status (tool), ==, STINT_TOOL_FAILED);
  content = get_content (tool);
  g_assert_cmpstr (stint_tool_content_get_text (content), ==, "tick 2\ntick 3\n");
  g_assert_true (content->has_ended && content->has_code);
  g_assert_cmpint (content->exit_code, ==, 3);
  /* It is no job of ours. */
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (f.jobs)), ==, 1);
  g_assert_cmpstr (fixture_get_answers (&f), ==, "All done (stub).");
  fixture_tear_down (&f);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/acp/recordings/claude-terminal", test_claude_terminal);
  g_test_add_func ("/acp/recordings/claude-cancel", test_claude_cancel);
  g_test_add_func ("/acp/recordings/codex", test_codex);
  return g_test_run ();
}
