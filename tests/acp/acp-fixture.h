/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tests of the agent protocol share: sessions with the scripted agent (fake_agent.py), which
 * does what its argument says.
 */
#pragma once

#include "engine-fixture.h"

#include "stint-agent-session.h"

typedef struct
{
  StintJobList *jobs;
  char *directory; /* the session's, empty at first */
  StintAgentSession *session;
  StintConversation *conversation;
  GPtrArray *problems; /* messages */
  GString *steps;      /* a letter for each step of stopping: c, i, t, k */
  GString *states;     /* a letter for each state: s, r, t, w, c, S, e */
  guint n_turns;       /* that have ended */
} Fixture;

/* Makes a session with the scripted agent in the mode @mode, and starts it with @limits (nullable). */
void fixture_set_up (Fixture *self, const char *mode, const StintAgentLimits *limits);
void fixture_set_up_with_policy (Fixture *self,
                                 const char *mode,
                                 const StintAgentLimits *limits,
                                 StintAgentPolicy policy);

/* So too, with @wishes of its job. */
void fixture_set_up_with_wishes (Fixture *self, const char *mode, StintJobSpec *wishes);

/* So too, with an agent that says again what is in recordings/@name; it is given time to end. */
void fixture_set_up_with_recording (Fixture *self, const char *name, StintAgentPolicy policy);

/* Ends the session, waits until all is gone, and checks that nothing is left. */
void fixture_tear_down (Fixture *self);

void fixture_wait_for_state (Fixture *self, StintAgentState state);

/* Says @text and waits until a turn has ended. Returns: how. */
const char *fixture_run_turn (Fixture *self, const char *text);

/* (transfer none): the answers of the agent's, all of them, in one. */
const char *fixture_get_answers (Fixture *self);

/* (transfer full) (nullable): the last item of that kind. */
StintConversationItem *fixture_find_item (Fixture *self, StintConversationKind kind);

/* (transfer full): the request that waits for the user; waits for it. */
StintAgentRequest *fixture_wait_for_request (Fixture *self);
