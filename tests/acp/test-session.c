/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Agent sessions, from their start to their end, with the scripted agent: turns, what is asked of the
 * user, limits, stopping. Whatever an agent does, nothing of it is left.
 */
#define G_LOG_DOMAIN "test"
#include "config.h"

#include "acp-fixture.h"

#include "stint-error.h"
#include "stint-sequence.h"
#include "stint-units.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define SHORT (150 * G_TIME_SPAN_MILLISECOND)

static void
assert_item_text (Fixture *self, StintConversationKind kind, const char *text)
{
  g_autoptr (StintConversationItem) item = fixture_find_item (self, kind);

  g_assert_nonnull (item);
  g_assert_cmpstr (stint_conversation_item_get_text (item), ==, text);
}

/* Of one that is not to be kept nothing is: neither its own job nor those that are part of it. */
static void
assert_none_is_kept (Fixture *f, guint n_jobs)
{
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (f->jobs)), ==, n_jobs);
  for (guint i = 0; i < n_jobs; i++)
    {
      g_autoptr (StintJob) job = g_list_model_get_item (G_LIST_MODEL (f->jobs), i);

      g_assert_false (stint_job_spec_get_keep (stint_job_get_spec (job)));
    }
}

/* D2: prompt, turn, prompt. */
static void
test_turns (void)
{
  Fixture f;
  g_autofree char *log = NULL, *narration = NULL;
  g_autoptr (StintJob) job = NULL;

  fixture_set_up (&f, "", NULL);
  g_assert_cmpstr (fixture_run_turn (&f, "say hello\nworld \u2028 \U0001F600"), ==, "end_turn");
  g_assert_cmpstr (fixture_get_answers (&f), ==, "hello\nworld \u2028 \U0001F600");
  g_assert_cmpstr (fixture_run_turn (&f, "say again"), ==, "end_turn");
  assert_item_text (&f, STINT_CONVERSATION_PROMPT, "say again");
  g_assert_cmpstr (f.states->str, ==, "rtrtr");
  g_assert_cmpuint (f.problems->len, ==, 0);
  g_assert_true (stint_agent_session_for_job (stint_agent_session_get_job (f.session)) == f.session);
  g_assert_cmpstr (stint_conversation_get_agent (f.conversation), ==, "Fake agent");

  job = g_object_ref (stint_agent_session_get_job (f.session));
  fixture_wait_for_output (job, "> say again");
  log = g_build_filename (stint_job_get_directory (job), STINT_ACP_LOG_FILE, NULL);
  stint_agent_session_stop (f.session);
  fixture_wait_for_state (&f, STINT_AGENT_ENDED);
  narration = fixture_read (job, STINT_STREAM_STDOUT);
  g_assert_nonnull (strstr (narration, "hello\nworld"));
  g_assert_true (g_file_test (log, G_FILE_TEST_EXISTS));
  g_assert_cmpstr (f.steps->str, ==, "i");
  g_assert_null (stint_agent_session_for_job (job));
  fixture_tear_down (&f);
}

/* The same conversation, without the agent. */
static void
handle_loaded (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (stint_conversation_load_finish (STINT_CONVERSATION (source), result, &error));
  g_assert_no_error (error);
  *(gboolean *) data = TRUE;
}

static void
test_replay (void)
{
  g_autoptr (StintConversation) again = stint_conversation_new ();
  g_autofree char *first = NULL, *second = NULL;
  g_autoptr (StintJob) job = NULL;
  gboolean loaded = FALSE;
  Fixture f;

  fixture_set_up_with_policy (&f, "", NULL, STINT_AGENT_ALLOW);
  fixture_run_turn (&f, "upserts");
  fixture_run_turn (&f, "permission");
  fixture_run_turn (&f, "plan");
  fixture_run_turn (&f, "display");
  fixture_run_turn (&f, "usage");
  fixture_run_turn (&f, "error of its own");
  fixture_run_turn (&f, "shell echo hi");
  job = g_object_ref (stint_agent_session_get_job (f.session));
  stint_agent_session_stop (f.session);
  fixture_wait_for_state (&f, STINT_AGENT_ENDED);
  wait_until (stint_acp_connection_is_closed (stint_agent_session_get_connection (f.session)));

  stint_conversation_load_async (again, stint_job_get_directory (job), NULL, handle_loaded, &loaded);
  wait_until (loaded);
  first = stint_conversation_to_markdown (f.conversation);
  second = stint_conversation_to_markdown (again);
  g_assert_cmpstr (first, ==, second);
  g_assert_nonnull (strstr (first, "# A title"));
  g_assert_nonnull (strstr (first, "- [x] a"));
  g_assert_nonnull (strstr (first, "of its own"));
  fixture_tear_down (&f);
}

static void
test_stop_reasons (void)
{
  static const char *const reasons[] = { "max_tokens", "max_turn_requests", "refusal", "strange" };
  Fixture f;

  fixture_set_up (&f, "", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (reasons); i++)
    {
      g_autofree char *prompt = g_strconcat ("stop ", reasons[i], NULL);

      g_assert_cmpstr (fixture_run_turn (&f, prompt), ==, reasons[i]);
      assert_item_text (&f, STINT_CONVERSATION_STOP, stint_stop_reason_to_words (reasons[i]));
    }
  /* D3: a failed turn is told, and the prompt comes back. */
  g_assert_cmpstr (fixture_run_turn (&f, "error no luck"), ==, "error");
  g_assert_nonnull (strstr (stint_agent_session_get_error (f.session), "no luck"));
  g_assert_cmpint (stint_agent_session_get_state (f.session), ==, STINT_AGENT_READY);
  fixture_tear_down (&f);
}

static void
test_queue (void)
{
  g_autoptr (StintAgentPrompt) first = stint_agent_prompt_new ("say one");
  g_autoptr (StintAgentPrompt) second = stint_agent_prompt_new ("say two");
  g_autoptr (StintAgentPrompt) third = stint_agent_prompt_new ("say three");
  Fixture f;

  /* Before the agent is ready, and while it works. */
  fixture_set_up (&f, "", NULL);
  stint_agent_session_prompt (f.session, first);
  stint_agent_session_prompt (f.session, second);
  stint_agent_session_prompt (f.session, third);
  g_assert_cmpuint (g_list_model_get_n_items (stint_agent_session_get_prompts (f.session)), ==, 3);
  stint_agent_prompt_set_text (second, "say zwei");
  stint_agent_session_remove_prompt (f.session, third);
  wait_until (f.n_turns == 2);
  g_assert_cmpstr (fixture_get_answers (&f), ==, "onezwei");
  /* What came first tells the session from others of this agent. */
  g_assert_cmpstr (stint_job_get_subject (stint_agent_session_get_job (f.session)), ==, "say one");
  g_assert_true (
      g_str_has_suffix (stint_job_get_title (stint_agent_session_get_job (f.session)), ": say one"));
  g_assert_cmpuint (g_list_model_get_n_items (stint_agent_session_get_prompts (f.session)), ==, 0);
  fixture_tear_down (&f);
}

static void
test_transport (void)
{
  Fixture f;

  fixture_set_up (&f, "", NULL);
  fixture_run_turn (&f, "junk");
  g_assert_cmpstr (fixture_get_answers (&f), ==, "after");
  fixture_run_turn (&f, "split");
  g_assert_true (g_str_has_suffix (fixture_get_answers (&f), "in pieces"));
  fixture_run_turn (&f, "ids");
  g_assert_nonnull (strstr (fixture_get_answers (&f), "[[true, -32601], [true, -32601], [true, -32601], "
                                                      "[true, -32601], [true, -32601]]"));
  fixture_run_turn (&f, "unknown");
  g_assert_nonnull (strstr (fixture_get_answers (&f), "[-32602, -32602, -32602, -32002, -32602]"));
  fixture_run_turn (&f, "stderr 1000000");
  fixture_tear_down (&f);
}

/* 20,000 updates keep their order, and the main loop turns all the while. */
static gboolean
count (gpointer data)
{
  ++*(guint *) data;
  return G_SOURCE_CONTINUE;
}

static void
test_flood (void)
{
  Fixture f;
  g_auto (GStrv) lines = NULL;
  guint n_turns_of_loop = 0, source;

  fixture_set_up (&f, "", NULL);
  fixture_wait_for_state (&f, STINT_AGENT_READY);
  source = g_timeout_add (5, count, &n_turns_of_loop);
  fixture_run_turn (&f, "flood 20000");
  g_source_remove (source);
  lines = g_strsplit (fixture_get_answers (&f), "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 20001);
  for (guint i = 0; i < 20000; i++)
    g_assert_cmpuint (g_ascii_strtoull (lines[i], NULL, 10), ==, i);
  g_assert_cmpuint (n_turns_of_loop, >, 10);

  fixture_run_turn (&f, "long 4194304");
  g_assert_cmpuint (strlen (fixture_get_answers (&f)), >, 4194304);
  fixture_tear_down (&f);
}

/* Cancelling */

static void
test_cancel (void)
{
  g_autoptr (StintConversationItem) tool = NULL;
  Fixture f;

  fixture_set_up (&f, "", NULL);
  stint_agent_session_prompt_text (f.session, "wait");
  wait_until ((tool = fixture_find_item (&f, STINT_CONVERSATION_TOOL)) != NULL);
  stint_agent_session_prompt_text (f.session, "say next");
  stint_agent_session_cancel (f.session);
  g_assert_cmpint (stint_conversation_item_get_status (tool), ==, STINT_TOOL_CANCELLED);
  wait_until (f.n_turns == 1);
  g_assert_cmpstr (stint_agent_session_get_stop_reason (f.session), ==, "cancelled");
  /* Late news are accepted, and do not bring it to life again. */
  g_assert_cmpstr (stint_conversation_item_get_text (tool), ==, "Late news");
  g_assert_cmpint (stint_conversation_item_get_status (tool), ==, STINT_TOOL_CANCELLED);
  g_assert_cmpstr (fixture_get_answers (&f), ==, "late");
  /* What was queued waits for the user. */
  g_assert_cmpuint (g_list_model_get_n_items (stint_agent_session_get_prompts (f.session)), ==, 1);
  stint_agent_session_continue (f.session);
  wait_until (f.n_turns == 2);
  g_assert_cmpstr (f.steps->str, ==, "c-");

  /* An error instead of `cancelled`. */
  stint_agent_session_prompt_text (f.session, "wait_error");
  wait_until (strstr (f.states->str, "rtr") != NULL && stint_agent_session_get_state (f.session) == STINT_AGENT_TURN);
  stint_agent_session_cancel (f.session);
  wait_until (f.n_turns == 3);
  g_assert_cmpstr (stint_agent_session_get_stop_reason (f.session), ==, "cancelled");
  g_assert_null (stint_agent_session_get_error (f.session));
  fixture_tear_down (&f);
}

/* D3: once cancels the turn, twice ends the agent; at the prompt once does. */
static void
test_interrupt (void)
{
  Fixture f;

  fixture_set_up (&f, "", NULL);
  stint_agent_session_prompt_text (f.session, "wait");
  fixture_wait_for_state (&f, STINT_AGENT_TURN);
  g_assert_false (stint_agent_session_interrupt (f.session));
  g_assert_cmpint (stint_agent_session_get_state (f.session), ==, STINT_AGENT_CANCELLING);
  g_assert_true (stint_agent_session_interrupt (f.session));
  fixture_wait_for_state (&f, STINT_AGENT_ENDED);
  fixture_tear_down (&f);

  fixture_set_up (&f, "", NULL);
  fixture_wait_for_state (&f, STINT_AGENT_READY);
  g_assert_true (stint_agent_session_interrupt (f.session));
  fixture_wait_for_state (&f, STINT_AGENT_ENDED);
  fixture_tear_down (&f);
}

/* Stopping */

static void
test_ladder (void)
{
  StintAgentLimits limits = STINT_AGENT_LIMITS_DEFAULT;
  g_autoptr (StintJob) job = NULL;
  StintResult *result;
  Fixture f;

  /* It ignores the cancelling, the end of its stdin and SIGTERM: four steps, and then it is gone. */
  limits.cancel_grace = SHORT;
  fixture_set_up (&f, "stubborn", &limits);
  stint_agent_session_prompt_text (f.session, "deaf");
  wait_until (*fixture_get_answers (&f) != '\0');
  job = g_object_ref (stint_agent_session_get_job (f.session));
  stint_agent_session_stop (f.session);
  fixture_wait_for_state (&f, STINT_AGENT_ENDED);
  result = stint_job_get_result (job);
  g_assert_cmpint (result->reason, ==, STINT_REASON_TERMINATED);
  g_assert_cmpint (result->term_signal, ==, SIGKILL);
  g_assert_true (g_str_has_prefix (f.steps->str, "cit"));
  g_assert_cmpstr (stint_agent_session_get_stop_reason (f.session), ==, "cancelled");
  fixture_tear_down (&f);

  /* One that only outlives its stdin ends by SIGTERM: no step more than it needs. */
  limits.cancel_grace = 30 * G_TIME_SPAN_SECOND;
  fixture_set_up (&f, "lingers", &limits);
  fixture_wait_for_state (&f, STINT_AGENT_READY);
  stint_agent_session_stop (f.session);
  fixture_wait_for_state (&f, STINT_AGENT_ENDED);
  g_assert_cmpstr (f.steps->str, ==, "it");
  fixture_tear_down (&f);
}

static void
test_orphan (void)
{
  StintAgentLimits limits = STINT_AGENT_LIMITS_DEFAULT;
  Fixture f;
  int pid;

  limits.cancel_grace = SHORT;
  fixture_set_up (&f, "stubborn", &limits);
  fixture_run_turn (&f, "orphan");
  g_assert_cmpint (sscanf (fixture_get_answers (&f), "child %d.", &pid), ==, 1);
  g_assert_true (fixture_pid_exists (pid));
  stint_agent_session_stop (f.session);
  fixture_wait_for_state (&f, STINT_AGENT_ENDED);
  g_assert_false (fixture_pid_exists (pid));
  fixture_tear_down (&f);
}

/* Deaths in the middle of a turn: the turn ends, the agent's last words are shown. */
static void
test_deaths (void)
{
  static const char *const prompts[] = { "die 42", "die signal" };
  StintAgentLimits limits = STINT_AGENT_LIMITS_DEFAULT;
  Fixture f;

  for (guint i = 0; i < G_N_ELEMENTS (prompts); i++)
    {
      g_autoptr (StintConversationItem) stop = NULL;

      fixture_set_up (&f, "", NULL);
      g_assert_cmpstr (fixture_run_turn (&f, prompts[i]), ==, "ended");
      stop = fixture_find_item (&f, STINT_CONVERSATION_STOP);
      g_assert_nonnull (strstr (stint_conversation_item_get_text (stop), "the last words"));
      fixture_wait_for_state (&f, STINT_AGENT_ENDED);
      g_assert_cmpint (stint_job_get_result (stint_agent_session_get_job (f.session))->has_exit_code, ==, i == 0);
      fixture_tear_down (&f);
    }

  limits.cancel_grace = SHORT;
  fixture_set_up (&f, "", &limits);
  g_assert_cmpstr (fixture_run_turn (&f, "mute"), ==, "ended");
  fixture_wait_for_state (&f, STINT_AGENT_ENDED);
  fixture_tear_down (&f);

  fixture_set_up (&f, "dies", NULL);
  fixture_wait_for_state (&f, STINT_AGENT_ENDED);
  {
    g_autoptr (StintConversationItem) notice = fixture_find_item (&f, STINT_CONVERSATION_NOTICE);

    g_assert_nonnull (strstr (stint_conversation_item_get_text (notice), "no luck today"));
  }
  fixture_tear_down (&f);
}

static void
test_restart (void)
{
  g_autoptr (StintAgentSession) old = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (StintConversationItem) prompt = NULL;
  Fixture f;

  fixture_set_up (&f, "loads", NULL);
  fixture_run_turn (&f, "die 1");
  fixture_wait_for_state (&f, STINT_AGENT_ENDED);
  stint_agent_session_prompt_text (f.session, "say typed too late");
  g_signal_handlers_disconnect_by_data (f.session, &f);
  old = f.session;
  f.session = stint_agent_session_restart (old, &error);
  g_assert_no_error (error);
  f.conversation = stint_agent_session_get_conversation (f.session);
  fixture_wait_for_state (&f, STINT_AGENT_READY);
  /* It is the same session, its conversation is there, and what was typed waits. */
  g_assert_cmpstr (stint_agent_session_get_session_id (f.session), ==, "session-1");
  g_assert_cmpstr (fixture_get_answers (&f), ==, "an old answer");
  prompt = fixture_find_item (&f, STINT_CONVERSATION_PROMPT);
  g_assert_cmpstr (stint_conversation_item_get_text (prompt), ==, "an old prompt");
  g_assert_cmpuint (g_list_model_get_n_items (stint_agent_session_get_prompts (f.session)), ==, 1);
  fixture_tear_down (&f);
}

static void
load_again (StintJob *job, StintConversation *again)
{
  gboolean loaded = FALSE;

  stint_conversation_load_async (again, stint_job_get_directory (job), NULL, handle_loaded, &loaded);
  wait_until (loaded);
}

/* From what is kept of it alone, as after Stint itself has been started again. */
static void
test_continue (void)
{
  static const struct
  {
    const char *mode;
    gboolean continues;
    const char *answers;
    const char *notice; /* (nullable) */
  } cases[] = {
    { "loads", TRUE, "an old answer", NULL },
    { "resumes", TRUE, "", "goes on with an earlier session" },
    { "forgets", TRUE, "", "could not go on" },
    { "", FALSE, "", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (StintConversation) old = stint_conversation_new (), again = stint_conversation_new ();
      g_autoptr (StintJobSpec) wishes = NULL;
      g_autoptr (StintConversationItem) notice = NULL;
      g_autoptr (StintJob) job = NULL;
      Fixture f;

      fixture_set_up (&f, cases[i].mode, NULL);
      fixture_run_turn (&f, "say hello");
      job = g_object_ref (stint_agent_session_get_job (f.session));
      stint_agent_session_stop (f.session);
      fixture_wait_for_state (&f, STINT_AGENT_ENDED);
      wait_until (stint_acp_connection_is_closed (stint_agent_session_get_connection (f.session)));
      load_again (job, old);
      wishes = stint_job_spec_copy (stint_job_get_spec (job));
      fixture_tear_down (&f);
      g_assert_cmpstr (stint_conversation_get_session_id (old), ==, "session-1");
      g_assert_cmpint (stint_conversation_can_continue (old), ==, cases[i].continues);

      stint_job_spec_set_session_id (wishes, "session-1");
      fixture_set_up_with_wishes (&f, cases[i].mode, wishes);
      fixture_wait_for_state (&f, STINT_AGENT_READY);
      g_assert_cmpstr (fixture_get_answers (&f), ==, cases[i].answers);
      notice = fixture_find_item (&f, STINT_CONVERSATION_NOTICE);
      if (cases[i].notice != NULL)
        g_assert_nonnull (strstr (stint_conversation_item_get_text (notice), cases[i].notice));
      /* What it says now is shown, whichever session it is; and its own spec begins anew. */
      fixture_run_turn (&f, "say and now");
      g_assert_nonnull (strstr (fixture_get_answers (&f), "and now"));
      g_clear_object (&job);
      job = g_object_ref (stint_agent_session_get_job (f.session));
      g_assert_null (stint_job_spec_get_session_id (stint_job_get_spec (job)));
      fixture_tear_down (&f);
    }
}

/* Limits */

static void
test_start_limit (void)
{
  StintAgentLimits limits = STINT_AGENT_LIMITS_DEFAULT;
  Fixture f;

  limits.start = SHORT;
  fixture_set_up (&f, "silent", &limits);
  fixture_wait_for_state (&f, STINT_AGENT_ENDED);
  g_assert_cmpuint (f.problems->len, ==, 1);
  g_assert_nonnull (strstr (f.problems->pdata[0], "did not get ready"));
  fixture_tear_down (&f);
}

static void
test_turn_limit (void)
{
  StintAgentLimits limits = STINT_AGENT_LIMITS_DEFAULT;
  gint64 began = g_get_monotonic_time ();
  Fixture f;

  /* It lets itself be cancelled: the prompt comes back. */
  limits.turn = 2 * SHORT;
  fixture_set_up (&f, "", &limits);
  g_assert_cmpstr (fixture_run_turn (&f, "wait"), ==, "timeout");
  g_assert_cmpint (g_get_monotonic_time () - began, >=, limits.turn);
  assert_item_text (&f, STINT_CONVERSATION_STOP, stint_stop_reason_to_words ("timeout"));
  g_assert_cmpint (stint_agent_session_get_state (f.session), ==, STINT_AGENT_READY);
  fixture_tear_down (&f);

  /* It does not: it is stopped, and the job's end has the same name. */
  limits.cancel_grace = SHORT;
  fixture_set_up (&f, "stubborn", &limits);
  g_assert_cmpstr (fixture_run_turn (&f, "deaf"), ==, "timeout");
  fixture_wait_for_state (&f, STINT_AGENT_ENDED);
  g_assert_cmpint (stint_job_get_result (stint_agent_session_get_job (f.session))->reason, ==,
                   STINT_REASON_TIMEOUT);
  fixture_tear_down (&f);
}

static void
test_idle_limit (void)
{
  StintAgentLimits limits = STINT_AGENT_LIMITS_DEFAULT;
  g_autoptr (StintAgentRequest) request = NULL;
  gint64 until;
  Fixture f;

  limits.idle = 2 * SHORT;
  fixture_set_up (&f, "", &limits);
  g_assert_cmpstr (fixture_run_turn (&f, "wait"), ==, "idle-timeout");
  assert_item_text (&f, STINT_CONVERSATION_STOP, stint_stop_reason_to_words ("idle-timeout"));

  /* Waiting for the user is no silence. */
  stint_agent_session_prompt_text (f.session, "permission");
  request = fixture_wait_for_request (&f);
  g_assert_cmpint (stint_agent_session_get_state (f.session), ==, STINT_AGENT_WAITING);
  g_assert_cmpint (stint_agent_session_get_idle_left (f.session), ==, STINT_NEVER);
  until = g_get_monotonic_time () + 3 * limits.idle;
  wait_until (g_get_monotonic_time () > until);
  g_assert_cmpint (stint_agent_session_get_state (f.session), ==, STINT_AGENT_WAITING);
  stint_agent_request_choose (request, "yes");
  wait_until (f.n_turns == 2);
  g_assert_cmpstr (stint_agent_session_get_stop_reason (f.session), ==, "end_turn");

  /* Nor is a terminal that runs. */
  g_assert_cmpstr (fixture_run_turn (&f, "shell sleep 1; echo done"), ==, "end_turn");
  fixture_tear_down (&f);
}

/* What the user is asked */

static void
test_permissions (void)
{
  g_autoptr (StintAgentRequest) request = NULL, first = NULL, second = NULL, back = NULL, odd = NULL;
  g_autoptr (StintConversationItem) tool = NULL;
  Fixture f;

  fixture_set_up (&f, "", NULL);
  stint_agent_session_prompt_text (f.session, "permission");
  request = fixture_wait_for_request (&f);
  g_assert_cmpstr (stint_agent_request_get_title (request), ==, "Edit it");
  g_assert_cmpuint (stint_agent_request_get_choices (request)->len, ==, 3);
  stint_agent_request_reject (request);
  wait_until (f.n_turns == 1);
  /* The user's reject is an option. */
  g_assert_nonnull (strstr (fixture_get_answers (&f), "\"optionId\": \"no\""));
  tool = fixture_find_item (&f, STINT_CONVERSATION_TOOL);
  g_assert_cmpstr (stint_conversation_item_get_decision (tool), ==, "Reject");

  /* Several at once are answered each by itself. */
  stint_agent_session_prompt_text (f.session, "two_permissions");
  wait_until (g_list_model_get_n_items (stint_agent_session_get_requests (f.session)) == 2);
  first = g_list_model_get_item (stint_agent_session_get_requests (f.session), 0);
  second = g_list_model_get_item (stint_agent_session_get_requests (f.session), 1);
  stint_agent_request_choose (second, "yes-always");
  g_assert_cmpint (stint_agent_session_get_state (f.session), ==, STINT_AGENT_WAITING);
  stint_agent_request_choose (first, "no");
  wait_until (f.n_turns == 2);
  g_assert_nonnull (strstr (fixture_get_answers (&f), "\"yes-always\"}, {\"outcome\": \"selected\", "
                                                      "\"optionId\": \"no\"}]"));

  /* The agent takes it back. */
  fixture_run_turn (&f, "taken_back");
  g_assert_nonnull (strstr (fixture_get_answers (&f), "cancelled"));
  g_assert_cmpuint (g_list_model_get_n_items (stint_agent_session_get_requests (f.session)), ==, 0);

  /* Without an option to reject, and for a tool call that nobody has named before. */
  stint_agent_session_prompt_text (f.session, "no_reject");
  odd = fixture_wait_for_request (&f);
  g_assert_cmpstr (stint_agent_request_get_title (odd), ==, "First mention");
  stint_agent_request_reject (odd);
  wait_until (f.n_turns == 4);

  /* Cancelling the turn answers all that is open. */
  stint_agent_session_prompt_text (f.session, "two_permissions");
  wait_until (g_list_model_get_n_items (stint_agent_session_get_requests (f.session)) == 2);
  stint_agent_session_cancel (f.session);
  g_assert_cmpuint (g_list_model_get_n_items (stint_agent_session_get_requests (f.session)), ==, 0);
  wait_until (f.n_turns == 5);
  g_assert_true (g_str_has_suffix (fixture_get_answers (&f),
                                   "[{\"outcome\": \"cancelled\"}, {\"outcome\": \"cancelled\"}]"));
  fixture_tear_down (&f);
}

static void
test_dead_asker (void)
{
  g_autoptr (StintAgentRequest) request = NULL;
  Fixture f;

  /* It goes while the question is open. */
  fixture_set_up (&f, "", NULL);
  stint_agent_session_prompt_text (f.session, "permission");
  request = fixture_wait_for_request (&f);
  stint_job_kill (stint_agent_session_get_job (f.session));
  fixture_wait_for_state (&f, STINT_AGENT_ENDED);
  g_assert_true (stint_agent_request_is_answered (request));
  stint_agent_request_choose (request, "yes");
  g_assert_cmpuint (g_list_model_get_n_items (stint_agent_session_get_requests (f.session)), ==, 0);
  fixture_tear_down (&f);
}

static void
test_policies (void)
{
  g_autoptr (StintAgentRequest) edit = NULL, always = NULL, outside = NULL, around = NULL;
  g_autofree char *inside = NULL, *link = NULL, *dots = NULL;
  Fixture f;

  fixture_set_up_with_policy (&f, "", NULL, STINT_AGENT_ALLOW_READS);
  fixture_run_turn (&f, "permission read");
  g_assert_nonnull (strstr (fixture_get_answers (&f), "\"yes\""));
  /* To allow it for good is more than the policy says. */
  stint_agent_session_prompt_text (f.session, "only_always");
  always = fixture_wait_for_request (&f);
  stint_agent_request_reject (always);
  wait_until (f.n_turns == 2);
  stint_agent_session_prompt_text (f.session, "permission edit");
  edit = fixture_wait_for_request (&f);
  /* A new policy answers what is open. */
  stint_agent_session_set_policy (f.session, STINT_AGENT_REJECT);
  wait_until (f.n_turns == 3);
  g_assert_true (stint_agent_request_is_answered (edit));
  g_assert_true (g_str_has_suffix (fixture_get_answers (&f), "\"no\"}"));

  stint_agent_session_set_policy (f.session, STINT_AGENT_ALLOW_IN_DIRECTORY);
  inside = g_strdup_printf ("permission_at %s/new/file.c", f.directory);
  fixture_run_turn (&f, inside);
  g_assert_true (g_str_has_suffix (fixture_get_answers (&f), "\"yes\"}"));
  stint_agent_session_prompt_text (f.session, "permission_at /etc/passwd");
  outside = fixture_wait_for_request (&f);
  stint_agent_request_reject (outside);
  wait_until (f.n_turns == 5);

  /* Where the kernel would go, which is not what the words say. */
  link = g_build_filename (f.directory, "link", NULL);
  g_assert_cmpint (symlink ("/usr/lib", link), ==, 0);
  dots = g_strdup_printf ("permission_at %s/link/../passwd", f.directory);
  stint_agent_session_prompt_text (f.session, dots);
  around = fixture_wait_for_request (&f);
  stint_agent_request_reject (around);
  wait_until (f.n_turns == 6);
  fixture_tear_down (&f);
}

static JsonNode *
parse (const char *text)
{
  return json_from_string (text, NULL);
}

static void
test_form (void)
{
  static const char *const wrong[] = {
    "{}", "{\"name\":\"too long\"}", "{\"name\":\"a\",\"age\":0}", "{\"name\":\"a\",\"age\":1.5}",
    "{\"name\":\"a\",\"colour\":\"blue\"}", "{\"name\":1}",
  };
  g_autoptr (StintAgentRequest) request = NULL;
  g_autoptr (GError) error = NULL;
  Fixture f;

  fixture_set_up (&f, "", NULL);
  stint_agent_session_prompt_text (f.session, "form");
  request = fixture_wait_for_request (&f);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_assert_false (stint_agent_request_accept (request, parse (wrong[i]), &error));
      g_assert_error (error, STINT_ERROR, STINT_ERROR_INVALID);
      g_clear_error (&error);
    }
  g_assert_true (stint_agent_request_accept (
    request, parse ("{\"name\":\"Ann\",\"age\":3,\"colour\":\"red\"}"), &error));
  wait_until (f.n_turns == 1);
  g_assert_cmpstr (fixture_get_answers (&f), ==,
                   "{\"action\": \"accept\", \"content\": {\"age\": 3, \"colour\": \"red\", \"name\": \"Ann\"}}");

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (StintAgentRequest) again = NULL;

      stint_agent_session_prompt_text (f.session, "form");
      again = fixture_wait_for_request (&f);
      if (i == 0)
        stint_agent_request_reject (again);
      else
        stint_agent_request_dismiss (again);
      wait_until (f.n_turns == 2 + i);
      g_assert_true (g_str_has_suffix (fixture_get_answers (&f),
                                       i == 0 ? "{\"action\": \"decline\"}" : "{\"action\": \"cancel\"}"));
    }

  /* Nobody is asked for a turn that is over. */
  stint_agent_session_prompt_text (f.session, "late_form");
  wait_until (stint_agent_session_get_state (f.session) == STINT_AGENT_TURN);
  stint_agent_session_cancel (f.session);
  wait_until (f.n_turns == 4);
  g_assert_true (g_str_has_suffix (fixture_get_answers (&f), "{\"action\": \"cancel\"}"));
  g_assert_cmpuint (g_list_model_get_n_items (stint_agent_session_get_requests (f.session)), ==, 0);
  fixture_tear_down (&f);
}

static void
handle_restarted (StintAgentSession *session, StintAgentSession *next, Fixture *f)
{
  g_assert_cmpint (stint_agent_session_get_state (session), ==, STINT_AGENT_ENDED);
  g_signal_handlers_disconnect_by_data (session, f);
  g_object_unref (session);
  f->session = g_object_ref (next);
  f->conversation = stint_agent_session_get_conversation (next);
}

static void
test_login (void)
{
  static const char *const methods[] = { "key", "terminal" };
  Fixture f;

  for (guint i = 0; i < G_N_ELEMENTS (methods); i++)
    {
      g_autoptr (StintAgentRequest) request = NULL;
      const StintAgentChoice *odd;

      fixture_set_up (&f, "login", NULL);
      g_signal_connect (f.session, "restarted", G_CALLBACK (handle_restarted), &f);
      stint_agent_session_prompt_text (f.session, "say hello");
      request = fixture_wait_for_request (&f);
      g_assert_cmpint (stint_agent_request_get_kind (request), ==, STINT_AGENT_REQUEST_LOGIN);
      odd = stint_agent_request_get_choices (request)->pdata[2];
      g_assert_false (odd->supported);
      stint_agent_request_choose (request, methods[i]);
      /* What was said meanwhile is said, whoever has to be started again for it. */
      wait_until (strstr (fixture_get_answers (&f), "hello") != NULL);
      fixture_wait_for_state (&f, STINT_AGENT_READY);
      /* A terminal's login is a job, and never `authenticate`; the agent is another one then. */
      g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (f.jobs)), ==, 1 + 2 * i);
      g_assert_cmpuint (f.problems->len, ==, 0);
      fixture_tear_down (&f);
    }
}

/* Chooses the login at a terminal, when the agent asks for one. */
static void
log_in_at_terminal (Fixture *f)
{
  g_autoptr (StintAgentRequest) request = fixture_wait_for_request (f);

  g_assert_cmpint (stint_agent_request_get_kind (request), ==, STINT_AGENT_REQUEST_LOGIN);
  stint_agent_request_choose (request, "terminal");
}

/* The login is part of the session: in its environment, and as little kept. */
static void
test_login_wishes (void)
{
  const char *const inherited[] = { "PATH=/usr/bin:/bin", "OURS=ours", NULL };
  g_autoptr (StintJobSpec) wishes = stint_job_spec_new_shell (STINT_JOB_KIND_TERMINAL, "unused");
  g_autofree char *path = NULL, *found = NULL;
  g_autoptr (GError) error = NULL;
  Fixture f;

  stint_job_spec_resolve (wishes, "/", NULL, inherited);
  stint_job_spec_set_keep (wishes, FALSE);
  fixture_set_up_with_wishes (&f, "login", wishes);
  g_signal_connect (f.session, "restarted", G_CALLBACK (handle_restarted), &f);
  log_in_at_terminal (&f);
  fixture_wait_for_state (&f, STINT_AGENT_READY);
  path = g_build_filename (f.directory, "logged-in", NULL);
  g_file_get_contents (path, &found, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (found, ==, "ours");
  assert_none_is_kept (&f, 3);
  fixture_tear_down (&f);
}

/* An agent that wants a login and is followed by a line of its spec. */
static void
set_up_followed (Fixture *f, const char *mode)
{
  g_autoptr (StintJobSpec) wishes = stint_job_spec_new_shell (STINT_JOB_KIND_TERMINAL, "unused");

  stint_job_spec_add_then (wishes, STINT_THEN_ALWAYS, "echo then");
  fixture_set_up_with_wishes (f, mode, wishes);
}

/* What follows an agent follows the session, and not the first of its jobs. */
static void
test_login_followed (void)
{
  g_autoptr (StintJob) first = NULL, last = NULL;
  g_autoptr (GPtrArray) early = NULL, late = NULL;
  Fixture f;

  set_up_followed (&f, "login");
  g_signal_connect (f.session, "restarted", G_CALLBACK (handle_restarted), &f);
  first = g_object_ref (stint_agent_session_get_job (f.session));
  stint_sequence_add (f.jobs, first, STINT_THEN_ALWAYS, "echo added");
  log_in_at_terminal (&f);
  fixture_wait_for_state (&f, STINT_AGENT_READY);
  last = g_object_ref (stint_agent_session_get_job (f.session));
  g_assert_true (last != first);
  early = stint_job_list_dup_followers (f.jobs, first);
  g_assert_cmpuint (early->len, ==, 0);
  stint_agent_session_stop (f.session);
  fixture_wait_for_state (&f, STINT_AGENT_ENDED);
  fixture_wait_for_all (f.jobs);
  late = stint_job_list_dup_followers (f.jobs, last);
  g_assert_cmpuint (late->len, ==, 2);
  fixture_tear_down (&f);
}

static void
kill_at_input (StintAgentSession *session, GParamSpec *pspec, gpointer data)
{
  if (stint_agent_session_get_step (session) == STINT_AGENT_STEP_CLOSE_INPUT)
    stint_job_kill (stint_agent_session_get_job (session));
}

/* Whose job is killed while it takes its time over the end of its input is not started again. */
static void
test_login_killed (void)
{
  g_autoptr (GPtrArray) followers = NULL;
  g_autoptr (StintJob) job = NULL;
  Fixture f;

  set_up_followed (&f, "login-lingers");
  job = g_object_ref (stint_agent_session_get_job (f.session));
  g_signal_connect (f.session, "notify::step", G_CALLBACK (kill_at_input), NULL);
  log_in_at_terminal (&f);
  fixture_wait_for_state (&f, STINT_AGENT_ENDED);
  g_assert_cmpint (stint_job_get_result (job)->reason, ==, STINT_REASON_KILLED);
  fixture_wait_for_all (f.jobs);
  followers = stint_job_list_dup_followers (f.jobs, job);
  g_assert_cmpuint (followers->len, ==, 1);
  /* The agent, its login, and what follows. */
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (f.jobs)), ==, 3);
  g_signal_handlers_disconnect_by_func (f.session, kill_at_input, NULL);
  fixture_tear_down (&f);
}

/* The agent's answer says little, and its stderr why. */
static void
test_failed_start (void)
{
  g_autoptr (StintConversationItem) notice = NULL;
  Fixture f;

  fixture_set_up (&f, "fails", NULL);
  fixture_wait_for_state (&f, STINT_AGENT_ENDED);
  g_assert_nonnull (strstr (stint_agent_session_get_error (f.session), "Internal error"));
  g_assert_nonnull (strstr (stint_agent_session_get_error (f.session), "the key has expired"));
  notice = fixture_find_item (&f, STINT_CONVERSATION_NOTICE);
  g_assert_nonnull (strstr (stint_conversation_item_get_text (notice), "the key has expired"));
  fixture_tear_down (&f);
}

/* Some agents find out only when they are asked something. */
static void
test_late_login (void)
{
  Fixture f;

  fixture_set_up (&f, "login-late", NULL);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (StintAgentRequest) login = NULL;

      g_assert_cmpstr (fixture_run_turn (&f, "say hello"), ==, "error");
      login = fixture_wait_for_request (&f);
      g_assert_cmpint (stint_agent_request_get_kind (login), ==, STINT_AGENT_REQUEST_LOGIN);
      /* Who does not want to goes on without. */
      if (i == 0)
        stint_agent_request_reject (login);
      else
        stint_agent_request_choose (login, "key");
      g_assert_cmpint (stint_agent_session_get_state (f.session), ==, STINT_AGENT_READY);
    }
  g_assert_cmpstr (fixture_run_turn (&f, "say hello"), ==, "end_turn");
  g_assert_cmpstr (fixture_get_answers (&f), ==, "hello");
  fixture_tear_down (&f);
}

/* What is asked of any job is asked of an agent's too. */
static void
test_wishes (void)
{
  const char *const inherited[] = { "PATH=/usr/bin:/bin", "OURS=1", "GONE=1", NULL };
  g_autoptr (StintJobSpec) wishes = stint_job_spec_new_shell (STINT_JOB_KIND_TERMINAL, "unused");
  g_autofree char *expected = NULL;
  StintJobSpec *spec;
  Fixture f;

  stint_job_spec_resolve (wishes, "/", NULL, inherited);
  stint_job_spec_set_name (wishes, "Mine");
  stint_job_spec_add_tag (wishes, "nightly");
  stint_job_spec_set_timeout (wishes, G_TIME_SPAN_HOUR);
  stint_job_spec_set_idle_timeout (wishes, G_TIME_SPAN_HOUR);
  stint_job_spec_set_output_limit (wishes, 1 << 20);
  stint_job_spec_set_niceness (wishes, 1);
  stint_job_spec_set_keep (wishes, FALSE);
  stint_job_spec_add_then (wishes, STINT_THEN_ON_FAILURE, "false");
  g_assert_true (stint_job_spec_add_env (wishes, "MORE=2", NULL));
  stint_job_spec_mark_secret (wishes, "MORE");
  g_assert_true (stint_job_spec_unset_env (wishes, "GONE", NULL));
  fixture_set_up_with_wishes (&f, "", wishes);
  fixture_run_turn (&f, "environ OURS MORE GONE");
  g_assert_cmpstr (fixture_get_answers (&f), ==, "[\"1\", \"2\", null]");
  /* Its terminals too, and what of that may be secret is written down nowhere. */
  fixture_run_turn (&f, "shell echo $OURS,$MORE,$GONE,$(nice),$PWD");
  /* Asked for on top of what these tests run at. */
  expected = g_strdup_printf ("1,2,,%d,", MIN (getpriority (PRIO_PROCESS, 0) + 1, 19));
  g_assert_nonnull (strstr (fixture_get_answers (&f), expected));
  g_assert_nonnull (strstr (fixture_get_answers (&f), f.directory));
  spec = stint_job_get_spec (stint_agent_session_get_job (f.session));
  g_assert_cmpint (stint_job_spec_get_kind (spec), ==, STINT_JOB_KIND_AGENT);
  g_assert_cmpstr (stint_job_spec_get_name (spec), ==, "Mine");
  g_assert_cmpstr (stint_job_spec_get_directory (spec), ==, f.directory);
  g_assert_cmpstr (stint_job_spec_get_tags (spec)[0], ==, "nightly");
  g_assert_cmpint (stint_job_spec_get_timeout (spec), ==, G_TIME_SPAN_HOUR);
  /* Silence is the session's affair. */
  g_assert_cmpint (stint_job_spec_get_idle_timeout (spec), ==, 0);
  g_assert_cmpuint (stint_job_spec_get_output_limit (spec), ==, 1 << 20);
  g_assert_cmpuint (stint_job_spec_get_niceness (spec), ==, 1);
  g_assert_true (stint_job_spec_is_secret (spec, "MORE"));
  g_assert_cmpuint (stint_job_spec_get_n_then (spec), ==, 1);
  assert_none_is_kept (&f, 2);
  fixture_tear_down (&f);
}

/* What the agent says of itself */

static void
test_versions (void)
{
  static const char *const modes[] = { "version9", "version0" };
  Fixture f;

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      fixture_set_up (&f, modes[i], NULL);
      fixture_wait_for_state (&f, STINT_AGENT_ENDED);
      g_assert_cmpuint (f.problems->len, ==, 1);
      g_assert_nonnull (strstr (f.problems->pdata[0], "version"));
      fixture_tear_down (&f);
    }
}

static StintAgentOption *
get_option (Fixture *f, guint i)
{
  g_autoptr (StintAgentOption) option =
    g_list_model_get_item (stint_agent_session_get_options (f->session), i);

  g_assert_nonnull (option);
  return option;
}

static void
test_options (void)
{
  Fixture f;

  fixture_set_up (&f, "options", NULL);
  fixture_wait_for_state (&f, STINT_AGENT_READY);
  /* Unknown types are passed over; modes, when there are config options, too. */
  g_assert_cmpuint (g_list_model_get_n_items (stint_agent_session_get_options (f.session)), ==, 2);
  g_assert_cmpuint (stint_agent_option_get_values (get_option (&f, 0))->len, ==, 2);
  g_assert_true (stint_agent_option_is_boolean (get_option (&f, 1)));
  stint_agent_session_set_option (f.session, "model", "big");
  wait_until (g_str_equal (stint_agent_option_get_value (get_option (&f, 0)), "big"));
  stint_agent_session_set_option (f.session, "brave", "true");
  wait_until (g_str_equal (stint_agent_option_get_value (get_option (&f, 1)), "true"));
  fixture_tear_down (&f);

  fixture_set_up (&f, "modes", NULL);
  fixture_wait_for_state (&f, STINT_AGENT_READY);
  g_assert_cmpstr (stint_agent_option_get_value (get_option (&f, 0)), ==, "ask");
  stint_agent_session_set_option (f.session, "mode", "plan");
  wait_until (g_str_equal (stint_agent_option_get_value (get_option (&f, 0)), "plan"));
  fixture_run_turn (&f, "usage");
  g_assert_cmpstr (stint_agent_session_get_usage (f.session), ==, "25% of 200k tokens, 0.42 USD");
  g_assert_cmpuint (g_list_model_get_n_items (stint_agent_session_get_commands (f.session)), ==, 1);
  g_assert_cmpstr (stint_conversation_get_title (f.conversation), ==, "A title");
  assert_item_text (&f, STINT_CONVERSATION_NOTICE, "Careful\nwith that");
  fixture_tear_down (&f);
}

static void
test_updates (void)
{
  g_autoptr (StintConversationItem) tool = NULL, plan = NULL, display = NULL;
  const StintToolContent *content;
  Fixture f;

  fixture_set_up (&f, "", NULL);
  fixture_run_turn (&f, "upserts");
  tool = fixture_find_item (&f, STINT_CONVERSATION_TOOL);
  g_assert_cmpstr (stint_conversation_item_get_text (tool), ==, "Begun twice");
  g_assert_cmpint (stint_conversation_item_get_status (tool), ==, STINT_TOOL_COMPLETED);
  g_assert_cmpuint (stint_conversation_item_get_contents (tool)->len, ==, 1);
  content = stint_conversation_item_get_contents (tool)->pdata[0];
  g_assert_cmpint (content->kind, ==, STINT_TOOL_CONTENT_DIFF);
  /* A prompt, one tool call, the end. */
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (f.conversation)), ==, 3);

  fixture_run_turn (&f, "plan");
  plan = fixture_find_item (&f, STINT_CONVERSATION_PLAN);
  g_assert_cmpuint (stint_conversation_item_get_entries (plan)->len, ==, 1);

  fixture_run_turn (&f, "display");
  display = fixture_find_item (&f, STINT_CONVERSATION_TOOL);
  content = stint_conversation_item_get_contents (display)->pdata[0];
  g_assert_cmpstr (stint_tool_content_get_text (content), ==, "early late");
  g_assert_true (content->has_ended);
  g_assert_false (content->has_code);
  g_assert_cmpstr (content->exit_signal, ==, "SIGTERM");
  fixture_tear_down (&f);
}

static void
handle_listed (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;

  *(GPtrArray **) data =
    stint_agent_session_list_finish (STINT_AGENT_SESSION (source), result, &error);
  g_assert_no_error (error);
}

static void
test_stored_sessions (void)
{
  g_autoptr (GPtrArray) listed = NULL;
  Fixture f;

  fixture_set_up (&f, "lists", NULL);
  fixture_wait_for_state (&f, STINT_AGENT_READY);
  stint_agent_session_list_async (f.session, NULL, handle_listed, &listed);
  wait_until (listed != NULL);
  g_assert_cmpuint (listed->len, ==, 2);
  g_assert_cmpstr (((StintStoredSession *) listed->pdata[1])->id, ==, "b");
  fixture_tear_down (&f);
}

/* Shutdown: nothing more is said once it has begun. */
static void
test_shutdown (void)
{
  Fixture f;

  fixture_set_up (&f, "", NULL);
  fixture_wait_for_state (&f, STINT_AGENT_READY);
  stint_job_list_close (f.jobs);
  stint_agent_session_prompt_text (f.session, "say never");
  g_assert_cmpint (stint_agent_session_get_state (f.session), ==, STINT_AGENT_READY);
  stint_job_stop (stint_agent_session_get_job (f.session), STINT_REASON_CANCELLED, -1);
  fixture_wait_for_state (&f, STINT_AGENT_ENDED);
  g_assert_cmpstr (fixture_get_answers (&f), ==, "");
  fixture_tear_down (&f);
}

/* A log that cannot be written is told, once, and stops nothing. */
static void
handle_started (StintJob *job, GParamSpec *pspec, gpointer data)
{
  g_autofree char *path = NULL;

  if (stint_job_get_state (job) != STINT_JOB_STARTING)
    return;
  path = g_build_filename (stint_job_get_directory (job), STINT_ACP_LOG_FILE, NULL);
  g_assert_cmpint (symlink ("/dev/full", path), ==, 0);
}

static void
test_unwritable_log (void)
{
  Fixture f;

  fixture_set_up (&f, "", NULL);
  g_signal_connect (stint_agent_session_get_job (f.session), "notify::state", G_CALLBACK (handle_started),
                    NULL);
  g_assert_cmpstr (fixture_run_turn (&f, "say one"), ==, "end_turn");
  g_assert_cmpstr (fixture_run_turn (&f, "say two"), ==, "end_turn");
  g_assert_cmpuint (f.problems->len, ==, 1);
  g_assert_nonnull (strstr (f.problems->pdata[0], "cannot be kept"));
  fixture_tear_down (&f);
}

static void
test_no_such_agent (void)
{
  const char *const argv[] = { "/no/such/agent", NULL };
  g_autoptr (StintAgentProfile) profile = stint_agent_profile_new_for_command (argv);
  g_autoptr (StintJobList) jobs = fixture_list ();
  g_autoptr (StintAgentSession) session = stint_agent_session_new (jobs, profile, "/");
  g_autoptr (GError) error = NULL;

  g_assert_true (stint_agent_session_start (session, &error));
  g_assert_no_error (error);
  wait_until (stint_agent_session_get_state (session) == STINT_AGENT_ENDED);
  g_assert_nonnull (stint_agent_session_get_error (session));
  fixture_wait_for_all (jobs);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/acp/session/turns", test_turns);
  g_test_add_func ("/acp/session/replay", test_replay);
  g_test_add_func ("/acp/session/stop-reasons", test_stop_reasons);
  g_test_add_func ("/acp/session/queue", test_queue);
  g_test_add_func ("/acp/session/transport", test_transport);
  g_test_add_func ("/acp/session/flood", test_flood);
  g_test_add_func ("/acp/session/cancel", test_cancel);
  g_test_add_func ("/acp/session/interrupt", test_interrupt);
  g_test_add_func ("/acp/session/ladder", test_ladder);
  g_test_add_func ("/acp/session/orphan", test_orphan);
  g_test_add_func ("/acp/session/deaths", test_deaths);
  g_test_add_func ("/acp/session/restart", test_restart);
  g_test_add_func ("/acp/session/continue", test_continue);
  g_test_add_func ("/acp/session/limits/start", test_start_limit);
  g_test_add_func ("/acp/session/limits/turn", test_turn_limit);
  g_test_add_func ("/acp/session/limits/idle", test_idle_limit);
  g_test_add_func ("/acp/session/permissions", test_permissions);
  g_test_add_func ("/acp/session/dead-asker", test_dead_asker);
  g_test_add_func ("/acp/session/policies", test_policies);
  g_test_add_func ("/acp/session/wishes", test_wishes);
  g_test_add_func ("/acp/session/form", test_form);
  g_test_add_func ("/acp/session/login", test_login);
  g_test_add_func ("/acp/session/login/wishes", test_login_wishes);
  g_test_add_func ("/acp/session/login/followed", test_login_followed);
  g_test_add_func ("/acp/session/login/killed", test_login_killed);
  g_test_add_func ("/acp/session/failed-start", test_failed_start);
  g_test_add_func ("/acp/session/login/late", test_late_login);
  g_test_add_func ("/acp/session/versions", test_versions);
  g_test_add_func ("/acp/session/options", test_options);
  g_test_add_func ("/acp/session/updates", test_updates);
  g_test_add_func ("/acp/session/stored", test_stored_sessions);
  g_test_add_func ("/acp/session/shutdown", test_shutdown);
  g_test_add_func ("/acp/session/unwritable-log", test_unwritable_log);
  g_test_add_func ("/acp/session/no-such-agent", test_no_such_agent);
  return g_test_run ();
}
