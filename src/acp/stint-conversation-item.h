/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * StintConversationKind:
 * @STINT_CONVERSATION_PROMPT: what the user said
 * @STINT_CONVERSATION_ANSWER: what the agent said; Markdown
 * @STINT_CONVERSATION_THOUGHT: what the agent thought; Markdown
 * @STINT_CONVERSATION_PLAN: the plan; there is one, which changes
 * @STINT_CONVERSATION_TOOL: a tool call
 * @STINT_CONVERSATION_NOTICE: of the agent's or of Stint's: text with a severity
 * @STINT_CONVERSATION_STOP: a turn has ended; the text says how
 */
typedef enum
{
  STINT_CONVERSATION_PROMPT,
  STINT_CONVERSATION_ANSWER,
  STINT_CONVERSATION_THOUGHT,
  STINT_CONVERSATION_PLAN,
  STINT_CONVERSATION_TOOL,
  STINT_CONVERSATION_NOTICE,
  STINT_CONVERSATION_STOP,
} StintConversationKind;

/**
 * StintToolStatus:
 *
 * Of a tool call and of an entry of the plan. Cancelled is the host's own: the turn was cancelled
 * before the tool had ended.
 */
typedef enum
{
  STINT_TOOL_PENDING,
  STINT_TOOL_IN_PROGRESS,
  STINT_TOOL_COMPLETED,
  STINT_TOOL_FAILED,
  STINT_TOOL_CANCELLED,
} StintToolStatus;

/* Of a notice. */
typedef enum
{
  STINT_NOTICE_INFO,
  STINT_NOTICE_WARNING,
  STINT_NOTICE_ERROR,
} StintNoticeSeverity;

/* An entry of the plan. */
typedef struct
{
  char *text;
  char *priority; /* "high", "medium", "low" */
  StintToolStatus status;
} StintPlanEntry;

typedef enum
{
  STINT_TOOL_CONTENT_TEXT,     /* text: Markdown, as a rule */
  STINT_TOOL_CONTENT_DIFF,     /* path, old_text (NULL: a new file), text: the new one */
  STINT_TOOL_CONTENT_TERMINAL, /* terminal_id, job_id; stint_tool_content_get_text() if it is 0 */
  STINT_TOOL_CONTENT_MEDIA,    /* text: what it is, such as "Image (image/png)" or a URI */
} StintToolContentKind;

/* A part of a tool call's content. */
typedef struct
{
  StintToolContentKind kind;
  char *text;
  char *path;
  char *old_text;
  char *terminal_id;
  guint64 job_id;     /* of a terminal that is a job; 0: the agent's own, or not known yet */
  gboolean has_ended; /* of a display terminal */
  gboolean has_code;
  int exit_code;     /* if has_code */
  char *exit_signal; /* (nullable) */

  /*< private >*/
  struct _StintDisplay *display;
} StintToolContent;

/* (nullable): its text; of a terminal that is the agent's own, what it has shown so far. */
const char *stint_tool_content_get_text (const StintToolContent *self);

#define STINT_TYPE_CONVERSATION_ITEM (stint_conversation_item_get_type ())
G_DECLARE_FINAL_TYPE (StintConversationItem,
                      stint_conversation_item,
                      STINT,
                      CONVERSATION_ITEM,
                      GObject)

/*
 * Signals:
 *
 *   changed ()   more of it than its text has changed; that the text has grown the conversation tells
 */

StintConversationKind stint_conversation_item_get_kind (StintConversationItem *self);

/* Microseconds since 1970: when it began, and when it last changed. */
gint64 stint_conversation_item_get_time (StintConversationItem *self);
gint64 stint_conversation_item_get_end_time (StintConversationItem *self);

/* The text of everything but a plan; of a tool call its title. Never NULL. */
const char *stint_conversation_item_get_text (StintConversationItem *self);

/* Whether it may still grow or change: the message, tool call or plan is not at its end. */
gboolean stint_conversation_item_is_open (StintConversationItem *self);

/* Of a tool call. */
const char *stint_conversation_item_get_tool_id (StintConversationItem *self);
StintToolStatus stint_conversation_item_get_status (StintConversationItem *self);
/* "read", "edit", ..., "other": the protocol's word, as the agent said it. */
const char *stint_conversation_item_get_tool_kind (StintConversationItem *self);
/* (element-type StintToolContent) (transfer none): never NULL. */
GPtrArray *stint_conversation_item_get_contents (StintConversationItem *self);
/* (element-type utf8) (transfer none): "PATH" or "PATH:LINE"; never NULL. */
GPtrArray *stint_conversation_item_get_locations (StintConversationItem *self);
/* (nullable): what went in and came out, as JSON for people, clamped. */
const char *stint_conversation_item_get_input (StintConversationItem *self);
const char *stint_conversation_item_get_output (StintConversationItem *self);
/* (nullable): what was asked about it and answered: the name of the option that was chosen. */
const char *stint_conversation_item_get_decision (StintConversationItem *self);

/* Of a plan. (element-type StintPlanEntry) (transfer none): never NULL. */
GPtrArray *stint_conversation_item_get_entries (StintConversationItem *self);

/* Of a notice. */
StintNoticeSeverity stint_conversation_item_get_severity (StintConversationItem *self);

/* Of a stop: the protocol's word ("end_turn", "cancelled", ...) or "error", "timeout", "idle-timeout". */
const char *stint_conversation_item_get_stop_reason (StintConversationItem *self);

/* Status in words, translated: "running", "done". */
const char *stint_tool_status_to_words (StintToolStatus status);

/* How a turn ended, as a sentence, translated. @reason: see above. */
const char *stint_stop_reason_to_words (const char *reason);

G_END_DECLS
