/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See acp-fixture.h.
 */
#define G_LOG_DOMAIN "test"
#include "config.h"

#include "acp-fixture.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

static void
handle_problem (StintAgentSession *session, const GError *error, Fixture *self)
{
  g_ptr_array_add (self->problems, g_strdup (error->message));
}

static void
handle_step (StintAgentSession *session, GParamSpec *pspec, Fixture *self)
{
  g_string_append_c (self->steps, "-citk"[stint_agent_session_get_step (session)]);
}

static void
handle_state (StintAgentSession *session, GParamSpec *pspec, Fixture *self)
{
  g_string_append_c (self->states, "srtwcSe"[stint_agent_session_get_state (session)]);
}

static void
handle_turn_ended (StintAgentSession *session, const char *reason, Fixture *self)
{
  self->n_turns++;
}

static void
set_up (Fixture *self,
        const char *agent,
        const char *mode,
        const StintAgentLimits *limits,
        StintAgentPolicy policy,
        StintJobSpec *wishes)
{
  g_autofree char *script = g_test_build_filename (G_TEST_DIST, "acp", agent, NULL);
  const char *const argv[] = { "/usr/bin/python3", "-B", script, mode, NULL };
  g_autoptr (StintAgentProfile) profile = stint_agent_profile_new_for_command (argv);
  g_autoptr (GError) error = NULL;

  /* As stint and stintctl do: an agent that goes must not end us. */
  signal (SIGPIPE, SIG_IGN);
  *self = (Fixture) { .problems = g_ptr_array_new_with_free_func (g_free) };
  self->steps = g_string_new (NULL);
  self->states = g_string_new (NULL);
  self->jobs = fixture_list ();
  self->directory = g_dir_make_tmp ("stint-acp-XXXXXX", &error);
  g_assert_no_error (error);
  self->session = stint_agent_session_new (self->jobs, profile, self->directory);
  self->conversation = stint_agent_session_get_conversation (self->session);
  if (limits != NULL)
    stint_agent_session_set_limits (self->session, limits);
  stint_agent_session_set_policy (self->session, policy);
  if (wishes != NULL)
    stint_agent_session_set_wishes (self->session, wishes);
  g_signal_connect (self->session, "problem", G_CALLBACK (handle_problem), self);
  g_signal_connect (self->session, "notify::step", G_CALLBACK (handle_step), self);
  g_signal_connect (self->session, "notify::state", G_CALLBACK (handle_state), self);
  g_signal_connect (self->session, "turn-ended", G_CALLBACK (handle_turn_ended), self);
  stint_agent_session_start (self->session, &error);
  g_assert_no_error (error);
}

void
fixture_set_up_with_policy (Fixture *self,
                            const char *mode,
                            const StintAgentLimits *limits,
                            StintAgentPolicy policy)
{
  set_up (self, "fake_agent.py", mode, limits, policy, NULL);
}

void
fixture_set_up_with_wishes (Fixture *self, const char *mode, StintJobSpec *wishes)
{
  set_up (self, "fake_agent.py", mode, NULL, STINT_AGENT_ASK, wishes);
}

void
fixture_set_up_with_recording (Fixture *self, const char *name, StintAgentPolicy policy)
{
  g_autofree char *recording = g_test_build_filename (G_TEST_DIST, "acp", "recordings", name, NULL);
  StintAgentLimits limits = STINT_AGENT_LIMITS_DEFAULT;

  /* No step is taken because it was slow: only the end of its input is not waited for as long. */
  limits.cancel_grace = 30 * G_TIME_SPAN_SECOND;
  set_up (self, "replay_agent.py", recording, &limits, policy, NULL);
}

void
fixture_set_up (Fixture *self, const char *mode, const StintAgentLimits *limits)
{
  set_up (self, "fake_agent.py", mode, limits, STINT_AGENT_ASK, NULL);
}

static void
remove_tree (const char *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      if (g_file_test (child, G_FILE_TEST_IS_DIR) && !g_file_test (child, G_FILE_TEST_IS_SYMLINK))
        remove_tree (child);
      else
        g_unlink (child);
    }
  g_rmdir (path);
}

void
fixture_tear_down (Fixture *self)
{
  g_autofree char *faults = NULL, *found = NULL;

  stint_agent_session_stop (self->session);
  fixture_wait_for_state (self, STINT_AGENT_ENDED);
  fixture_wait_for_all (self->jobs);
  wait_until (fixture_count_children () == 0);
  /* What the agent found wrong with what Stint wrote, in a turn and else. */
  g_assert_cmpstr (strstr (fixture_get_answers (self), "INVALID "), ==, NULL);
  faults = g_build_filename (self->directory, "invalid-messages", NULL);
  g_assert_false (g_file_get_contents (faults, &found, NULL, NULL));
  g_signal_handlers_disconnect_by_data (self->session, self);
  g_clear_object (&self->session);
  g_clear_object (&self->jobs);
  remove_tree (self->directory);
  g_free (self->directory);
  g_ptr_array_unref (self->problems);
  g_string_free (self->steps, TRUE);
  g_string_free (self->states, TRUE);
}

void
fixture_wait_for_state (Fixture *self, StintAgentState state)
{
  wait_until (stint_agent_session_get_state (self->session) == state);
}

const char *
fixture_run_turn (Fixture *self, const char *text)
{
  guint before = self->n_turns;

  stint_agent_session_prompt_text (self->session, text);
  wait_until (self->n_turns > before);
  return stint_agent_session_get_stop_reason (self->session);
}

const char *
fixture_get_answers (Fixture *self)
{
  static GString *answers;
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->conversation));

  if (answers == NULL)
    answers = g_string_new (NULL);
  g_string_truncate (answers, 0);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (StintConversationItem) item = g_list_model_get_item (G_LIST_MODEL (self->conversation), i);

      if (stint_conversation_item_get_kind (item) == STINT_CONVERSATION_ANSWER)
        g_string_append (answers, stint_conversation_item_get_text (item));
    }
  return answers->str;
}

StintConversationItem *
fixture_find_item (Fixture *self, StintConversationKind kind)
{
  for (guint i = g_list_model_get_n_items (G_LIST_MODEL (self->conversation)); i > 0; i--)
    {
      g_autoptr (StintConversationItem) item =
        g_list_model_get_item (G_LIST_MODEL (self->conversation), i - 1);

      if (stint_conversation_item_get_kind (item) == kind)
        return g_steal_pointer (&item);
    }
  return NULL;
}

StintAgentRequest *
fixture_wait_for_request (Fixture *self)
{
  GListModel *requests = stint_agent_session_get_requests (self->session);

  wait_until (g_list_model_get_n_items (requests) > 0);
  return g_list_model_get_item (requests, 0);
}
