/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-agent-option.h"
#include "stint-agent-profile.h"
#include "stint-agent-prompt.h"
#include "stint-agent-request.h"
#include "stint-acp-connection.h"
#include "stint-conversation.h"
#include "stint-job-list.h"

G_BEGIN_DECLS

/**
 * StintAgentState:
 * @STINT_AGENT_STARTING: its process, `initialize` and the session are being made
 * @STINT_AGENT_READY: it waits for a prompt
 * @STINT_AGENT_TURN: it works
 * @STINT_AGENT_WAITING: it works, and waits for the user: there are requests
 * @STINT_AGENT_CANCELLING: the turn was cancelled and has not ended yet
 * @STINT_AGENT_STOPPING: the agent is being stopped
 * @STINT_AGENT_ENDED: its job has finished
 */
typedef enum
{
  STINT_AGENT_STARTING,
  STINT_AGENT_READY,
  STINT_AGENT_TURN,
  STINT_AGENT_WAITING,
  STINT_AGENT_CANCELLING,
  STINT_AGENT_STOPPING,
  STINT_AGENT_ENDED,
} StintAgentState;

/**
 * StintAgentPolicy:
 * @STINT_AGENT_ASK: every permission is asked for
 * @STINT_AGENT_ALLOW_READS: reading and searching is allowed, the rest is asked for
 * @STINT_AGENT_ALLOW_IN_DIRECTORY: what names only files in the session's directories, and every
 *   command, is allowed; the rest is asked for
 * @STINT_AGENT_REJECT: everything is rejected
 * @STINT_AGENT_ALLOW: everything is allowed; for an agent that runs unattended, never by default
 *
 * What is answered without asking is in the conversation all the same.
 */
typedef enum
{
  STINT_AGENT_ASK,
  STINT_AGENT_ALLOW_READS,
  STINT_AGENT_ALLOW_IN_DIRECTORY,
  STINT_AGENT_REJECT,
  STINT_AGENT_ALLOW,
} StintAgentPolicy;

/**
 * StintAgentStep:
 *
 * The steps of stopping, gentlest first; each is taken when the grace of the last has passed.
 */
typedef enum
{
  STINT_AGENT_STEP_NONE,
  STINT_AGENT_STEP_CANCEL,      /* `session/cancel` */
  STINT_AGENT_STEP_CLOSE_INPUT, /* its stdin ends */
  STINT_AGENT_STEP_TERMINATE,   /* SIGTERM to its tree */
  STINT_AGENT_STEP_KILL,        /* SIGKILL to its tree */
} StintAgentStep;

/**
 * StintAgentLimits:
 * @start: from the start of its process to the session, without what the agent had to wait for a
 *   processor
 * @turn: of a turn
 * @idle: without a message from the agent in a turn; while it waits for the user or a terminal of
 *   its runs the clock stands still
 * @cancel_grace: from `session/cancel` to stopping the agent, and from closing its stdin to SIGTERM
 * @terminal: wall-clock limit of each terminal
 * @terminal_idle: idle limit of each terminal
 *
 * Microseconds; 0 is off (of a grace: none is given).
 */
typedef struct
{
  gint64 start;
  gint64 turn;
  gint64 idle;
  gint64 cancel_grace;
  gint64 terminal;
  gint64 terminal_idle;
} StintAgentLimits;

/* 30 s, none, 10 min, 5 s, none, 10 min. */
#define STINT_AGENT_LIMITS_DEFAULT                                                                 \
  ((StintAgentLimits){ 30 * G_USEC_PER_SEC, 0, 600 * G_USEC_PER_SEC, 5 * G_USEC_PER_SEC, 0,        \
                       600 * G_USEC_PER_SEC })

#define STINT_TYPE_AGENT_SESSION (stint_agent_session_get_type ())
G_DECLARE_FINAL_TYPE (StintAgentSession, stint_agent_session, STINT, AGENT_SESSION, GObject)

/*
 * One agent, its process a job, and one session of the protocol with it.
 *
 * Properties, notified:
 *
 *   state         int               StintAgentState
 *   job           StintJob          NULL before it is started
 *   conversation  StintConversation
 *   policy        int               StintAgentPolicy; writable
 *   step          int               StintAgentStep; how far stopping has come
 *   usage         string            NULL, or usage in words: "12k of 200k tokens, $0.42"
 *   stop-reason   string            NULL, or how the last turn ended: the protocol's word
 *
 * Models:
 *
 *   requests   StintAgentRequest    what waits for the user
 *   prompts    StintAgentPrompt     what waits for the turn to end; editable until it goes
 *   options    StintAgentOption     modes and config options
 *   commands   StintAgentCommand    what "/" completes
 *
 * Signals:
 *
 *   turn-ended (const char *stop_reason)   "error" if the agent answered with an error
 *   problem (GError *error)                something failed that the user should know
 *   restarted (StintAgentSession *next)    it has ended because the user has logged in at a terminal,
 *                                          and goes on as another one, as a job of its own
 */

/**
 * stint_agent_session_new:
 * @jobs: where its job and its terminals are submitted
 * @profile: the agent
 * @directory: (type filename): an absolute path
 *
 * Returns: (transfer full): a session that has not been started
 */
StintAgentSession *
stint_agent_session_new (StintJobList *jobs, StintAgentProfile *profile, const char *directory);

/* Before it is started. */
void stint_agent_session_set_limits (StintAgentSession *self, const StintAgentLimits *limits);
void stint_agent_session_add_directory (StintAgentSession *self, const char *directory);

/* (nullable) (transfer none): the name of its job, before it is started. */
void stint_agent_session_set_name (StintAgentSession *self, const char *name);

/**
 * stint_agent_session_set_wishes:
 * @self: a session that has not been started
 * @wishes: (transfer none): a spec of anything
 *
 * What else its job is to be: as @wishes says of its name, its environment (what it inherits, and the
 * changes, after the profile's own), tags, niceness, output limit, leftovers, start, what follows it,
 * and whether it is kept; the session that it is to go on with; and of the limits that @wishes has, the time limit is the job's, the idle
 * limit the agent's silence in a turn, and the grace that of each step of stopping. Of @wishes nothing
 * else counts: neither its command, its kind nor its retries.
 */
void stint_agent_session_set_wishes (StintAgentSession *self, StintJobSpec *wishes);

/* The job's own wall-clock limit, before it is started: microseconds, 0 is off. */
void stint_agent_session_set_timeout (StintAgentSession *self, gint64 usec);

/* The protocol's id of a session that the agent is to load (with its conversation) or to resume,
 * before it is started. What it cannot do is told as a problem, and a new session is made. */
void stint_agent_session_set_session_id (StintAgentSession *self, const char *session_id);

/**
 * stint_agent_session_start:
 * @self: a session that has not been started
 * @error: as of stint_job_list_submit()
 *
 * Submits its job. A session keeps itself alive until it has ended.
 */
gboolean stint_agent_session_start (StintAgentSession *self, GError **error);

/**
 * stint_agent_session_restart:
 * @self: a session that has ended
 * @error: as of stint_agent_session_start()
 *
 * Returns: (transfer full): another session with the same agent, as a new job, which loads or resumes
 *   this one if the agent can; with its policy and with the prompts that had not gone
 */
StintAgentSession *stint_agent_session_restart (StintAgentSession *self, GError **error);

/* (transfer none) (nullable): the session whose job this is, while the session is there. */
StintAgentSession *stint_agent_session_for_job (StintJob *job);

/* (transfer none) (nullable): the session of this process that has not ended and that leads, or is about
 * to load, the session @session_id of @profile's agent. */
StintAgentSession *stint_agent_session_find (StintAgentProfile *profile, const char *session_id);

StintAgentState stint_agent_session_get_state (StintAgentSession *self);

/* In words, translated: "Waiting for you", "Cancelling…". */
const char *stint_agent_session_get_state_words (StintAgentSession *self);
StintJob *stint_agent_session_get_job (StintAgentSession *self);
StintAgentProfile *stint_agent_session_get_profile (StintAgentSession *self);
const char *stint_agent_session_get_directory (StintAgentSession *self);
StintConversation *stint_agent_session_get_conversation (StintAgentSession *self);
const char *stint_agent_session_get_stop_reason (StintAgentSession *self);
StintAgentStep stint_agent_session_get_step (StintAgentSession *self);
const char *stint_agent_session_get_usage (StintAgentSession *self);

/* (nullable): the protocol's id, once there is a session. */
const char *stint_agent_session_get_session_id (StintAgentSession *self);

/* (nullable): what the agent said in its last error, or why it has ended. */
const char *stint_agent_session_get_error (StintAgentSession *self);

/* Why it is being or was stopped: %STINT_REASON_TIMEOUT, %STINT_REASON_IDLE_TIMEOUT, ...; or
 * %STINT_REASON_NONE. An agent that ends by itself when it is asked to leaves its job "exited". */
StintReason stint_agent_session_get_stop_cause (StintAgentSession *self);

StintAgentPolicy stint_agent_session_get_policy (StintAgentSession *self);

/* Open requests that the new policy answers are answered. */
void stint_agent_session_set_policy (StintAgentSession *self, StintAgentPolicy policy);

/* All (transfer none). */
GListModel *stint_agent_session_get_requests (StintAgentSession *self);
GListModel *stint_agent_session_get_prompts (StintAgentSession *self);
GListModel *stint_agent_session_get_options (StintAgentSession *self);
GListModel *stint_agent_session_get_commands (StintAgentSession *self);

/* Microseconds left of the turn's, the start's or the idle limit, or %STINT_NEVER. */
gint64 stint_agent_session_get_turn_left (StintAgentSession *self);
gint64 stint_agent_session_get_idle_left (StintAgentSession *self);

/* What the agent takes in a prompt. */
gboolean stint_agent_session_takes_images (StintAgentSession *self);
gboolean stint_agent_session_takes_embedded (StintAgentSession *self);

/**
 * stint_agent_session_prompt:
 * @self: a session that has not ended
 * @prompt: what to say
 *
 * Says it now, or when the session is ready and the turns before it have ended.
 */
void stint_agent_session_prompt (StintAgentSession *self, StintAgentPrompt *prompt);

/* stint_agent_session_prompt() of a text. */
void stint_agent_session_prompt_text (StintAgentSession *self, const char *text);

/* Takes back a prompt that has not gone. */
void stint_agent_session_remove_prompt (StintAgentSession *self, StintAgentPrompt *prompt);

/* Cancels the turn; if there is none, nothing. What is queued stays, and goes no further before the
 * next stint_agent_session_prompt() or stint_agent_session_continue(). */
void stint_agent_session_cancel (StintAgentSession *self);
void stint_agent_session_continue (StintAgentSession *self);

/* Ends the agent: the steps of StintAgentStep, one after the other. Again: SIGKILL at once. */
void stint_agent_session_stop (StintAgentSession *self);

/**
 * stint_agent_session_interrupt:
 *
 * Ctrl+C: cancels a turn; again within a second, or without a turn, ends the agent.
 *
 * Returns: %TRUE if it ends the agent
 */
gboolean stint_agent_session_interrupt (StintAgentSession *self);

/* Chooses a value of an option; a switch's is "true" or "false". */
void
stint_agent_session_set_option (StintAgentSession *self, const char *option_id, const char *value);

/* A session that the agent keeps. */
typedef struct
{
  char *id;
  char *directory;
  char *title;   /* (nullable) */
  char *updated; /* (nullable): as the agent wrote it, ISO 8601 */
} StintStoredSession;

void stint_stored_session_free (StintStoredSession *self);

gboolean stint_agent_session_can_list (StintAgentSession *self);
gboolean stint_agent_session_can_delete (StintAgentSession *self);
gboolean stint_agent_session_can_load (StintAgentSession *self);
gboolean stint_agent_session_can_resume (StintAgentSession *self);

/* All sessions that the agent keeps for the directory, page after page. */
void stint_agent_session_list_async (StintAgentSession *self,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
/* (transfer full) (element-type StintStoredSession) */
GPtrArray *
stint_agent_session_list_finish (StintAgentSession *self, GAsyncResult *result, GError **error);

void stint_agent_session_delete_async (StintAgentSession *self,
                                       const char *session_id,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
gboolean
stint_agent_session_delete_finish (StintAgentSession *self, GAsyncResult *result, GError **error);

/* (nullable) (transfer none): for its log (`logged`), while it is there. */
StintAcpConnection *stint_agent_session_get_connection (StintAgentSession *self);

G_END_DECLS
