/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of a StintAgentSession, for stint-agent-session*.c only: what others see of it is in
 * stint-agent-session.c, its life in -life.c, how a session of the protocol comes to be in -setup.c,
 * those that the agent keeps in -stored.c, prompts, turns and their limits in -turn.c, how it is
 * stopped in -stop.c, how it goes on as another one in -restart.c, what it asks the user in
 * -asks.c, and logging in in -login.c.
 */
#pragma once

#include "stint-agent-files.h"
#include "stint-agent-session.h"
#include "stint-agent-terminals.h"
#include "stint-narrator.h"

G_BEGIN_DECLS

struct _StintAgentSession
{
  GObject parent_instance;

  /* What it is */
  StintJobList *jobs;
  StintAgentProfile *profile;
  char *directory;
  GPtrArray *directories; /* the session's, that one first; NULL-terminated */
  char *name;             /* (nullable): of its job */
  StintJobSpec *wishes;   /* (nullable): of its job */
  gint64 timeout;
  StintAgentLimits limits;
  StintAgentPolicy policy;
  char *wanted_id; /* (nullable): the session to load or resume */
  gboolean probes; /* only `initialize`: a test of the agent */

  /* Where it stands */
  StintAgentState state;
  StintAgentStep step;
  StintReason stop_cause; /* what the job's end is to be called */
  char *stop_reason;
  char *usage;
  char *error;
  gboolean in_turn;
  StintAgentPrompt *reading; /* (nullable): whose turn has begun, and whose files are being read */
  gboolean log_failure_told;
  gboolean lost;   /* the agent has closed the connection, and nobody asked it to */
  gboolean held;   /* queued prompts wait for the user */
  gboolean failed_start; /* there is no session because something went wrong */
  gboolean starts_again; /* once it has ended, because somebody has logged in */
  GPtrArray *followers;  /* (nullable): of StintContinuation, for the job that it goes on as */
  gint64 interrupted_at;

  /* Owned while it runs */
  StintJob *job;
  int read_fd; /* until there is a connection */
  int write_fd;
  int narration_fd; /* until there is a narrator */
  StintAcpConnection *connection;
  StintNarrator *narrator;
  StintConversation *conversation;
  StintAgentTerminals *terminals;
  StintAgentFiles *files;
  GCancellable *cancellable; /* of calls that nobody waits for once it has ended */

  /* Of the protocol */
  char *session_id;
  JsonObject *capabilities; /* (nullable): the agent's */
  JsonArray *auth_methods;  /* (nullable) */
  GListStore *requests;
  GListStore *prompts;
  GListStore *options;
  GListStore *commands;

  /* Timers: the start's, the turn's, the idle limit's, and of the next step of stopping */
  guint start_source;
  guint turn_source;
  guint idle_source;
  guint step_source;
  guint close_source;
  gint64 started_at; /* monotonic: its process */
  gint64 turn_until; /* monotonic, 0: none */
  gint64 idle_since; /* monotonic: the last time anything happened that is no silence */
};

/* stint-agent-session.c */
void stint_agent_session_set_state (StintAgentSession *self, StintAgentState state);
void stint_agent_session_update_state (StintAgentSession *self); /* turn or waiting */
void stint_agent_session_take_job (StintAgentSession *self, StintJob *job);
void stint_agent_session_set_step (StintAgentSession *self, StintAgentStep step);
void stint_agent_session_set_stop_reason (StintAgentSession *self, const char *reason);
void stint_agent_session_set_usage (StintAgentSession *self, const char *usage);
void stint_agent_session_set_error (StintAgentSession *self, const char *error);
void stint_agent_session_emit_turn_ended (StintAgentSession *self, const char *reason);
void stint_agent_session_emit_restarted (StintAgentSession *self, StintAgentSession *next);
void stint_agent_session_emit_problem (StintAgentSession *self, const GError *error);

/* Kept in the log, and so in the conversation. */
void stint_agent_session_note_notice (StintAgentSession *self,
                                      StintNoticeSeverity severity,
                                      const char *text);
void stint_agent_session_note (StintAgentSession *self, JsonObject *note);

/* That the protocol log cannot be written is told, once. */
void stint_agent_session_check_log (StintAgentSession *self);

/* For a test of an agent: before it is started. */
void stint_agent_session_set_probes (StintAgentSession *self);
JsonObject *stint_agent_session_get_capabilities (StintAgentSession *self);
JsonArray *stint_agent_session_get_auth_methods (StintAgentSession *self);

gboolean stint_agent_session_is_over (StintAgentSession *self); /* stopping or ended */

/* stint-agent-session-life.c */

/* Its process runs: begins to speak with it, over `read_fd` and `write_fd`. */
void stint_agent_session_connect (StintAgentSession *self);

/* Gives @spec the session's environment: what its wishes inherit, the profile's changes, and
 * theirs. */
gboolean stint_agent_session_apply_environ (StintAgentSession *self,
                                            StintJobSpec *spec,
                                            GError **error);

/* stint-agent-session-setup.c */
void stint_agent_session_initialize (StintAgentSession *self);
void stint_agent_session_open (StintAgentSession *self);
void stint_agent_session_handle_notification (StintAgentSession *self,
                                              const char *method,
                                              JsonNode *params);
JsonNode *stint_agent_session_new_params (StintAgentSession *self, JsonObject **params);
gboolean stint_agent_session_has_capability (StintAgentSession *self, const char *name);

/* stint-agent-session-turn.c */
void stint_agent_session_go_on (StintAgentSession *self); /* the next prompt, if it may go */
void stint_agent_session_cancel_for (StintAgentSession *self, const char *cause);
void stint_agent_session_note_activity (StintAgentSession *self);

/* A prompt that the agent does not know of yet is the next of the queue again. Returns: whether there was
 * one. */
gboolean stint_agent_session_take_back (StintAgentSession *self);
void stint_agent_session_end_turn (StintAgentSession *self, const char *reason);

/* stint-agent-session-stop.c */
void stint_agent_session_stop_for (StintAgentSession *self, StintReason cause, StintAgentStep from);

/* The turn that was cancelled has ended: nothing is to be waited for before the next step. */
void stint_agent_session_hurry (StintAgentSession *self);

/* stint-agent-session-restart.c */

/* When its job has ended it goes on as another one, and what is to follow it waits for that one. */
void stint_agent_session_plan_start (StintAgentSession *self);

/* It does not: somebody wants it to end, or it cannot. */
void stint_agent_session_stay_ended (StintAgentSession *self);
void stint_agent_session_start_again (StintAgentSession *self);

/* stint-agent-session-asks.c */
gboolean stint_agent_session_handle_request (StintAgentSession *self, StintAcpRequest *request);

/* Takes @request. @asked: (nullable): what the agent asked, which it may take back. */
void stint_agent_session_add_request (StintAgentSession *self,
                                      StintAgentRequest *request,
                                      StintAcpRequest *asked);
void stint_agent_session_withdraw_all (StintAgentSession *self);
gboolean stint_agent_session_handle_outside (StintAgentSession *self,
                                             StintAcpRequest *request,
                                             const char *path);
void stint_agent_session_apply_policy (StintAgentSession *self);

/* stint-agent-session-login.c */
gboolean stint_agent_session_wants_login (StintAgentSession *self, const GError *error);
void stint_agent_session_ask_login (StintAgentSession *self);

G_END_DECLS
