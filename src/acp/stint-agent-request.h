/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#include "stint-conversation-item.h"

G_BEGIN_DECLS

/**
 * StintAgentRequestKind:
 * @STINT_AGENT_REQUEST_PERMISSION: the agent (or Stint, for a file outside the session's
 *   directories) asks whether it may; answered with an option
 * @STINT_AGENT_REQUEST_FORM: the agent asks for values; answered with content
 * @STINT_AGENT_REQUEST_URL: the agent asks to open a page in a browser
 * @STINT_AGENT_REQUEST_LOGIN: the agent wants a login; answered with a method of logging in
 */
typedef enum
{
  STINT_AGENT_REQUEST_PERMISSION,
  STINT_AGENT_REQUEST_FORM,
  STINT_AGENT_REQUEST_URL,
  STINT_AGENT_REQUEST_LOGIN,
} StintAgentRequestKind;

typedef enum
{
  STINT_OPTION_ALLOW_ONCE,
  STINT_OPTION_ALLOW_ALWAYS,
  STINT_OPTION_REJECT_ONCE,
  STINT_OPTION_REJECT_ALWAYS,
  STINT_OPTION_OTHER,
} StintOptionKind;

/**
 * StintAgentChoice:
 * @id: what is answered
 * @name: for people
 * @description: (nullable)
 * @kind: of a permission; a hint, the id decides
 * @needs_terminal: of a login: it is a command for a terminal
 * @supported: of a login: whether Stint knows how to
 */
typedef struct
{
  char *id;
  char *name;
  char *description;
  StintOptionKind kind;
  gboolean needs_terminal;
  gboolean supported;
} StintAgentChoice;

#define STINT_TYPE_AGENT_REQUEST (stint_agent_request_get_type ())
G_DECLARE_FINAL_TYPE (StintAgentRequest, stint_agent_request, STINT, AGENT_REQUEST, GObject)

/*
 * Something that only the user can answer. It leaves the session's `requests` when it is answered,
 * when the agent takes it back and when the turn is cancelled; `answered` is emitted then, once.
 *
 * Signals:
 *
 *   answered ()
 */

StintAgentRequestKind stint_agent_request_get_kind (StintAgentRequest *self);

/* What is asked, a line. Never NULL. */
const char *stint_agent_request_get_title (StintAgentRequest *self);

/* (nullable): the tool call that it is about, which may still change. */
StintConversationItem *stint_agent_request_get_item (StintAgentRequest *self);

/* (element-type StintAgentChoice) (transfer none): of a permission and of a login. */
GPtrArray *stint_agent_request_get_choices (StintAgentRequest *self);

/* (nullable) (transfer none): the schema of a form: flat properties of strings, numbers, booleans. */
JsonObject *stint_agent_request_get_schema (StintAgentRequest *self);

/* (nullable): the address of a page. */
const char *stint_agent_request_get_url (StintAgentRequest *self);

gboolean stint_agent_request_is_answered (StintAgentRequest *self);

/* Answers a permission or a login with a choice, which must be one of its own. */
void stint_agent_request_choose (StintAgentRequest *self, const char *choice_id);

/* Answers a permission with a reject option (never `cancelled`, unless there is none); declines
 * everything else. */
void stint_agent_request_reject (StintAgentRequest *self);

/**
 * stint_agent_request_accept:
 * @self: a form or a page
 * @content: (transfer full) (nullable): an object of the values; %NULL for a page
 * @error: %STINT_ERROR_INVALID: a value is not what the schema wants; the message names it
 *
 * Returns: whether it was answered
 */
gboolean stint_agent_request_accept (StintAgentRequest *self, JsonNode *content, GError **error);

/* Closes a form or a page without an answer (`cancel`, which is not `decline`). */
void stint_agent_request_dismiss (StintAgentRequest *self);

G_END_DECLS
