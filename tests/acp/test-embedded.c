/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of a prompt whose text goes with it, and what can come between.
 */
#define G_LOG_DOMAIN "test"
#include "config.h"

#include "acp-fixture.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

/* Makes a file in the session's directory, and attaches it. */
static void
attach (Fixture *self, StintAgentPrompt *prompt, const char *name, const char *data, gssize size)
{
  g_autofree char *path = g_build_filename (self->directory, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, data, size, &error);
  g_assert_no_error (error);
  stint_agent_prompt_attach_file (prompt, path);
}

static void
attach_name (Fixture *self, StintAgentPrompt *prompt, const char *name)
{
  g_autofree char *path = g_build_filename (self->directory, name, NULL);

  stint_agent_prompt_attach_file (prompt, path);
}

static guint
count_queued (Fixture *self)
{
  return g_list_model_get_n_items (stint_agent_session_get_prompts (self->session));
}

/* A prompt with a text, which an agent that takes it embedded would get so. */
static StintAgentPrompt *
new_prompt (Fixture *self)
{
  StintAgentPrompt *prompt = stint_agent_prompt_new ("blocks");

  attach (self, prompt, "a.txt", "a\n", -1);
  return prompt;
}

/* A text goes with the prompt; what is no text, is too long or cannot be read goes as a link; nothing that is
 * no file is waited for. */
static void
test_files (void)
{
  g_autoptr (StintAgentPrompt) prompt = NULL;
  g_autoptr (StintConversationItem) said = NULL, notice = NULL;
  g_autofree char *most = g_strnfill (64 * 1024, 'm'), *more = g_strnfill (64 * 1024 + 1, 'm');
  g_autofree char *fifo = NULL, *expected = NULL;
  Fixture f;

  fixture_set_up (&f, "embeds", NULL);
  prompt = new_prompt (&f);
  attach (&f, prompt, "empty", "", 0);
  attach (&f, prompt, "most", most, -1);
  attach (&f, prompt, "more", more, -1);
  attach (&f, prompt, "binary", "a\0b", 3);
  attach (&f, prompt, "latin", "\xe4", 1);
  attach_name (&f, prompt, ".");
  attach_name (&f, prompt, "missing");
  attach_name (&f, prompt, "pipe");
  fifo = g_build_filename (f.directory, "pipe", NULL);
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  stint_agent_session_prompt (f.session, prompt);
  wait_until (f.n_turns == 1);
  expected = g_strdup_printf ("[[\"resource\", \"a.txt\", \"a\\n\"], [\"resource\", \"empty\", \"\"], "
                              "[\"resource\", \"most\", \"%s\"], [\"resource_link\", \"more\", null], "
                              "[\"resource_link\", \"binary\", null], [\"resource_link\", \"latin\", null], "
                              "[\"resource_link\", \".\", null], [\"resource_link\", \"missing\", null], "
                              "[\"resource_link\", \"pipe\", null]]",
                              most);
  g_assert_cmpstr (fixture_get_answers (&f), ==, expected);

  /* Who reads the conversation sees what was named, and what became of it. */
  said = fixture_find_item (&f, STINT_CONVERSATION_PROMPT);
  g_assert_nonnull (strstr (stint_conversation_item_get_text (said), "[a.txt](file://"));
  g_assert_null (strstr (stint_conversation_item_get_text (said), "mmm"));
  notice = fixture_find_item (&f, STINT_CONVERSATION_NOTICE);
  g_assert_nonnull (strstr (stint_conversation_item_get_text (notice), "missing could not be read"));
  fixture_tear_down (&f);
}

/* All of them have a limit too. */
static void
test_many (void)
{
  g_autoptr (StintAgentPrompt) prompt = stint_agent_prompt_new ("blocks");
  g_autofree char *most = g_strnfill (64 * 1024, 'm');
  const char *embedded;
  guint n = 0;
  Fixture f;

  fixture_set_up (&f, "embeds", NULL);
  for (int i = 0; i < 5; i++)
    {
      g_autofree char *name = g_strdup_printf ("file-%d", i);

      attach (&f, prompt, name, most, -1);
    }
  stint_agent_session_prompt (f.session, prompt);
  wait_until (f.n_turns == 1);
  for (embedded = fixture_get_answers (&f); (embedded = strstr (embedded, "\"resource\"")) != NULL; embedded++)
    n++;
  g_assert_cmpuint (n, ==, 4);
  g_assert_nonnull (strstr (fixture_get_answers (&f), "[\"resource_link\", \"file-4\", null]"));
  fixture_tear_down (&f);
}

/* An agent that does not take them gets links, as always. */
static void
test_linked (void)
{
  g_autoptr (StintAgentPrompt) prompt = NULL;
  Fixture f;

  fixture_set_up (&f, "", NULL);
  prompt = new_prompt (&f);
  stint_agent_session_prompt (f.session, prompt);
  wait_until (f.n_turns == 1);
  g_assert_cmpstr (fixture_get_answers (&f), ==, "[[\"resource_link\", \"a.txt\", null]]");
  fixture_tear_down (&f);
}

/* The files of its prompt are being read: what the thread has read comes by the main loop, which has not
 * turned since. */
static void
begin_reading (Fixture *f)
{
  g_autoptr (StintAgentPrompt) prompt = NULL;

  fixture_set_up (f, "embeds", NULL);
  fixture_wait_for_state (f, STINT_AGENT_READY);
  prompt = new_prompt (f);
  stint_agent_session_prompt (f->session, prompt);
}

/* Cancelled while it is read: the turn ends, the agent hears nothing of it, and the prompt waits. */
static void
test_cancelled (void)
{
  g_autoptr (StintConversationItem) notice = NULL;
  Fixture f;

  begin_reading (&f);
  g_assert_cmpint (stint_agent_session_get_state (f.session), ==, STINT_AGENT_TURN);
  g_assert_cmpuint (count_queued (&f), ==, 0);
  g_assert_false (stint_agent_session_interrupt (f.session));
  g_assert_cmpint (stint_agent_session_get_state (f.session), ==, STINT_AGENT_READY);
  g_assert_cmpstr (stint_agent_session_get_stop_reason (f.session), ==, "cancelled");
  g_assert_cmpuint (f.n_turns, ==, 1);
  g_assert_cmpuint (count_queued (&f), ==, 1);
  wait_until ((notice = fixture_find_item (&f, STINT_CONVERSATION_NOTICE)) != NULL);
  g_assert_nonnull (strstr (stint_conversation_item_get_text (notice), "not sent"));

  stint_agent_session_continue (f.session);
  wait_until (f.n_turns == 2);
  g_assert_cmpstr (stint_agent_session_get_stop_reason (f.session), ==, "end_turn");
  g_assert_cmpstr (fixture_get_answers (&f), ==, "[[\"resource\", \"a.txt\", \"a\\n\"]]");
  g_assert_cmpuint (count_queued (&f), ==, 0);
  fixture_tear_down (&f);
}

/* Nor does an agent that is stopped meanwhile wait for it, or hear of a turn that it never had. */
static void
test_stopped (void)
{
  Fixture f;

  begin_reading (&f);
  stint_agent_session_stop (f.session);
  g_assert_cmpuint (f.n_turns, ==, 1);
  fixture_wait_for_state (&f, STINT_AGENT_ENDED);
  g_assert_cmpstr (f.steps->str, ==, "i");
  g_assert_cmpuint (count_queued (&f), ==, 1);
  g_assert_cmpstr (fixture_get_answers (&f), ==, "");
  fixture_tear_down (&f);
}

/* Its process is killed meanwhile. */
static void
test_killed (void)
{
  Fixture f;

  begin_reading (&f);
  stint_job_kill (stint_agent_session_get_job (f.session));
  fixture_wait_for_state (&f, STINT_AGENT_ENDED);
  g_assert_cmpuint (f.n_turns, ==, 1);
  fixture_tear_down (&f);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/acp/embedded/files", test_files);
  g_test_add_func ("/acp/embedded/many", test_many);
  g_test_add_func ("/acp/embedded/linked", test_linked);
  g_test_add_func ("/acp/embedded/cancelled", test_cancelled);
  g_test_add_func ("/acp/embedded/stopped", test_stopped);
  g_test_add_func ("/acp/embedded/killed", test_killed);
  return g_test_run ();
}
