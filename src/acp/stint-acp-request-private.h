/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a connection and its requests know of each other.
 */
#pragma once

#include "stint-acp-connection.h"

G_BEGIN_DECLS

StintAcpRequest *
stint_acp_request_new (StintAcpConnection *connection, const StintAcpMessage *message);
JsonNode *stint_acp_request_get_id (StintAcpRequest *self);

/* The agent no longer wants it: tells, and if nobody answers, answers. */
void stint_acp_request_cancel (StintAcpRequest *self);

/* There is nobody to answer to any more. */
void stint_acp_request_abandon (StintAcpRequest *self);

/* Calls what stint_acp_request_resume() left. Returns: whether there was anything. */
gboolean stint_acp_request_go_on (StintAcpRequest *self);

/* @request waits for a person and not for its turn; or for its turn again. */
void stint_acp_connection_set_aside (StintAcpConnection *self, StintAcpRequest *request);
void stint_acp_connection_take_back (StintAcpConnection *self, StintAcpRequest *request);

/* Sends @object: (transfer full), the answer to @request. */
void stint_acp_connection_answer (StintAcpConnection *self,
                                  StintAcpRequest *request,
                                  JsonObject *object);

G_END_DECLS
