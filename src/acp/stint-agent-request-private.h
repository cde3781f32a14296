/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a session makes what it asks the user.
 */
#pragma once

#include "stint-agent-request.h"

G_BEGIN_DECLS

typedef enum
{
  STINT_AGENT_CHOSEN,    /* id */
  STINT_AGENT_REJECTED,  /* and there was no reject option to choose */
  STINT_AGENT_ACCEPTED,  /* content */
  STINT_AGENT_DECLINED,
  STINT_AGENT_DISMISSED,
  STINT_AGENT_WITHDRAWN, /* the turn was cancelled, or the agent took it back */
} StintAgentReply;

/* Told once. @content: (transfer full) (nullable). */
typedef void (*StintAgentReplyFunc) (StintAgentRequest *request,
                                     StintAgentReply reply,
                                     const char *id,
                                     JsonNode *content,
                                     gpointer data);

/* @destroy: for @data, when the request goes. */
StintAgentRequest *stint_agent_request_new (StintAgentRequestKind kind,
                                            const char *title,
                                            StintAgentReplyFunc func,
                                            gpointer data,
                                            GDestroyNotify destroy);

void stint_agent_request_set_item (StintAgentRequest *self, StintConversationItem *item);
void stint_agent_request_set_schema (StintAgentRequest *self, JsonObject *schema);
void stint_agent_request_set_url (StintAgentRequest *self, const char *url);
StintAgentChoice *stint_agent_request_add_choice (StintAgentRequest *self,
                                                  const char *id,
                                                  const char *name);
void stint_agent_request_withdraw (StintAgentRequest *self);

/* (nullable): the id of the option that allows it once, or else, if @always, for good. */
const char *stint_agent_request_find_allow (StintAgentRequest *self, gboolean always);

/* Whether @content is what @schema wants; else @error names what is not. */
gboolean stint_agent_form_check (JsonObject *schema, JsonObject *content, GError **error);

G_END_DECLS
