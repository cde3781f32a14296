/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-acp-json.h"

G_BEGIN_DECLS

/**
 * StintAcpKind:
 * @STINT_ACP_KIND_REQUEST: has an id and a method, wants an answer
 * @STINT_ACP_KIND_NOTIFICATION: has a method and no id
 * @STINT_ACP_KIND_RESPONSE: has an id, and a result or an error
 */
typedef enum
{
  STINT_ACP_KIND_REQUEST,
  STINT_ACP_KIND_NOTIFICATION,
  STINT_ACP_KIND_RESPONSE,
} StintAcpKind;

/* JSON-RPC's and ACP's error codes. Others may come. */
#define STINT_ACP_PARSE_ERROR (-32700)
#define STINT_ACP_INVALID_REQUEST (-32600)
#define STINT_ACP_METHOD_NOT_FOUND (-32601)
#define STINT_ACP_INVALID_PARAMS (-32602)
#define STINT_ACP_INTERNAL_ERROR (-32603)
#define STINT_ACP_REQUEST_CANCELLED (-32800)
#define STINT_ACP_AUTH_REQUIRED (-32000)
#define STINT_ACP_NOT_FOUND (-32002)

/* The domain of errors that the agent answered with; the code is the protocol's. */
#define STINT_ACP_ERROR (stint_acp_error_quark ())
GQuark stint_acp_error_quark (void);

/**
 * StintAcpMessage:
 * @kind: what it is
 * @id: (nullable): null, an integer or a string, as it came; not of a notification
 * @method: (nullable): not of a response
 * @params: (nullable): of a request or a notification
 * @result: (nullable): of a response that succeeded
 * @error: (nullable): of a response that failed
 * @node: all of it
 * @time: microseconds since 1970, when it came; 0: not known
 * @size: of its line, in bytes; 0: not known
 * @has_nul: a string of it holds the character U+0000, which has become U+FFFD
 *
 * One message, decoded. Owned by one thread at a time.
 */
typedef struct
{
  StintAcpKind kind;
  JsonNode *id; /* of @node, as @method, @params and @result are */
  const char *method;
  JsonNode *params;
  JsonNode *result;
  JsonObject *error;
  JsonNode *node;
  gint64 time;
  gsize size;
  gboolean has_nul;
} StintAcpMessage;

/**
 * stint_acp_message_decode:
 * @line: (array length=length): a line without its newline, any bytes
 * @length: of @line
 * @invalid: (out) (optional): whether it is JSON but no message, so that the sender wants to be told
 * @error: what is wrong with it
 *
 * Invalid UTF-8 is read as U+FFFD. From any thread.
 *
 * Returns: (transfer full): the message, or %NULL
 */
StintAcpMessage *
stint_acp_message_decode (const char *line, gsize length, gboolean *invalid, GError **error);

/**
 * stint_acp_message_from_node:
 * @node: (transfer full): the decoded line
 * @error: it is no message
 *
 * Returns: (transfer full): the message, or %NULL
 */
StintAcpMessage *stint_acp_message_from_node (JsonNode *node, GError **error);

void stint_acp_message_free (StintAcpMessage *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintAcpMessage, stint_acp_message_free)

/* Members of @object (nullable) if they are there and of that type, else the fallback: a malformed
 * optional field is treated as absent. */
const char *stint_acp_get_string (JsonObject *object, const char *name);
JsonObject *stint_acp_get_object (JsonObject *object, const char *name);
JsonArray *stint_acp_get_array (JsonObject *object, const char *name);
gboolean stint_acp_get_boolean (JsonObject *object, const char *name, gboolean fallback);
gint64 stint_acp_get_int (JsonObject *object, const char *name, gint64 fallback);
double stint_acp_get_double (JsonObject *object, const char *name, double fallback);

/* Whether the member is there and not null. */
gboolean stint_acp_has (JsonObject *object, const char *name);

/* (nullable): the object that @node holds, or that element @i of @array is. */
JsonObject *stint_acp_node_object (JsonNode *node);
JsonObject *stint_acp_array_object (JsonArray *array, guint i);

/* Whether an agent with these capabilities (nullable) can go on with a session that it had. */
gboolean stint_acp_can_continue (JsonObject *capabilities);

/* (transfer full): a node that holds @object: (transfer full). */
JsonNode *stint_acp_node_new (JsonObject *object);

G_END_DECLS
