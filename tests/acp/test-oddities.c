/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What agents do that is allowed, and rare: other sessions, news after the end, terminals in odd places;
 * and one that dies while its terminal runs.
 */
#define G_LOG_DOMAIN "test"
#include "config.h"

#include "acp-fixture.h"

#include <string.h>

/* Another session's news are not shown, and its terminals are not ours to start. */
static void
test_other_sessions (void)
{
  Fixture f;

  fixture_set_up (&f, "", NULL);
  g_assert_cmpstr (fixture_run_turn (&f, "others"), ==, "end_turn");
  g_assert_cmpstr (fixture_get_answers (&f), ==, "ours-32002");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (f.jobs)), ==, 1);
  fixture_tear_down (&f);
}

/* What comes when the turn has ended is shown, and makes no turn of it. */
static void
test_afterwards (void)
{
  g_autoptr (StintConversationItem) tool = NULL;
  Fixture f;

  fixture_set_up (&f, "", NULL);
  g_assert_cmpstr (fixture_run_turn (&f, "afterwards"), ==, "end_turn");
  wait_until (g_str_equal (fixture_get_answers (&f), "afterwards"));
  tool = fixture_find_item (&f, STINT_CONVERSATION_TOOL);
  g_assert_cmpstr (stint_conversation_item_get_text (tool), ==, "In the background");
  g_assert_cmpint (stint_agent_session_get_state (f.session), ==, STINT_AGENT_READY);
  g_assert_cmpstr (fixture_run_turn (&f, "say more"), ==, "end_turn");
  fixture_tear_down (&f);
}

static const StintToolContent *
find_terminal (Fixture *f, const char *title)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (f->conversation));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (StintConversationItem) item = g_list_model_get_item (G_LIST_MODEL (f->conversation), i);

      if (g_str_equal (stint_conversation_item_get_text (item), title))
        return stint_conversation_item_get_contents (item)->pdata[0];
    }
  g_assert_not_reached ();
}

/* A terminal is the same job wherever it is named, released or not. */
static void
test_embedded (void)
{
  g_autoptr (StintJob) job = NULL;
  guint64 id;
  Fixture f;

  fixture_set_up (&f, "", NULL);
  g_assert_cmpstr (fixture_run_turn (&f, "embed"), ==, "end_turn");
  id = find_terminal (&f, "Before")->job_id;
  g_assert_cmpuint (id, !=, 0);
  g_assert_cmpuint (find_terminal (&f, "After")->job_id, ==, id);
  g_assert_cmpuint (find_terminal (&f, "Never")->job_id, ==, 0);
  job = stint_job_list_lookup (f.jobs, id);
  /* It is there when the agent is gone, too. */
  stint_agent_session_stop (f.session);
  fixture_wait_for_state (&f, STINT_AGENT_ENDED);
  fixture_wait_for_output (job, "shown");
  fixture_tear_down (&f);
}

/* Its terminal goes with it; nobody is left to be answered. */
static void
test_death_with_a_terminal (void)
{
  Fixture f;

  fixture_set_up (&f, "", NULL);
  g_assert_cmpstr (fixture_run_turn (&f, "leave_and_die"), ==, "ended");
  fixture_wait_for_state (&f, STINT_AGENT_ENDED);
  g_assert_cmpint (stint_job_get_result (stint_agent_session_get_job (f.session))->exit_code, ==, 3);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (f.jobs)), ==, 2);
  /* Waits for both jobs and for every process of theirs. */
  fixture_tear_down (&f);
}

/* The user sees where a page leads before it is opened, and may say no. */
static void
test_page (void)
{
  static const char *const answers[] = { "{\"action\": \"accept\"}", "{\"action\": \"decline\"}" };
  Fixture f;

  fixture_set_up (&f, "", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (answers); i++)
    {
      g_autoptr (StintAgentRequest) request = NULL;
      g_autoptr (GError) error = NULL;

      stint_agent_session_prompt_text (f.session, "url");
      request = fixture_wait_for_request (&f);
      g_assert_cmpint (stint_agent_request_get_kind (request), ==, STINT_AGENT_REQUEST_URL);
      g_assert_cmpstr (stint_agent_request_get_url (request), ==, "https://example.org/log-in");
      if (i == 0)
        stint_agent_request_accept (request, NULL, &error);
      else
        stint_agent_request_reject (request);
      g_assert_no_error (error);
      wait_until (f.n_turns == i + 1);
      g_assert_true (g_str_has_suffix (fixture_get_answers (&f), answers[i]));
    }
  fixture_tear_down (&f);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/acp/oddities/other-sessions", test_other_sessions);
  g_test_add_func ("/acp/oddities/afterwards", test_afterwards);
  g_test_add_func ("/acp/oddities/embedded", test_embedded);
  g_test_add_func ("/acp/oddities/page", test_page);
  g_test_add_func ("/acp/oddities/death-with-a-terminal", test_death_with_a_terminal);
  return g_test_run ();
}
