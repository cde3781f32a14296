/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A request of the agent's, from when it came to its answer. Exactly one answer goes out, whoever
 * gives it.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-acp-request-private.h"

struct _StintAcpRequest
{
  GObject parent_instance;

  StintAcpConnection *connection; /* (unowned) (nullable): answered, or the connection is gone */
  char *method;
  JsonNode *id;
  JsonNode *params;
  gboolean has_nul;

  /* Until it is the request's turn, answered or abandoned: it may hold the request */
  StintAcpRequestFunc resumed; /* (nullable) */
  gpointer resumed_data;
  GDestroyNotify resumed_destroy;
};

enum
{
  SIGNAL_CANCELLED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StintAcpRequest, stint_acp_request, G_TYPE_OBJECT)

static void
clear_resumed (StintAcpRequest *self)
{
  gpointer data = g_steal_pointer (&self->resumed_data);

  if (self->resumed != NULL)
    self->resumed_destroy (data);
  self->resumed = NULL;
}

static void
stint_acp_request_finalize (GObject *object)
{
  StintAcpRequest *self = STINT_ACP_REQUEST (object);

  g_free (self->method);
  g_clear_pointer (&self->id, json_node_unref);
  g_clear_pointer (&self->params, json_node_unref);
  G_OBJECT_CLASS (stint_acp_request_parent_class)->finalize (object);
}

static void
stint_acp_request_class_init (StintAcpRequestClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stint_acp_request_finalize;
  signals[SIGNAL_CANCELLED] = g_signal_new ("cancelled", STINT_TYPE_ACP_REQUEST, G_SIGNAL_RUN_LAST,
                                            0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
stint_acp_request_init (StintAcpRequest *self)
{
}

StintAcpRequest *
stint_acp_request_new (StintAcpConnection *connection, const StintAcpMessage *message)
{
  StintAcpRequest *self = g_object_new (STINT_TYPE_ACP_REQUEST, NULL);

  self->connection = connection;
  self->method = g_strdup (message->method);
  self->id = json_node_ref (message->id);
  self->params = message->params != NULL ? json_node_ref (message->params) : NULL;
  self->has_nul = message->has_nul;
  return self;
}

JsonNode *
stint_acp_request_get_id (StintAcpRequest *self)
{
  return self->id;
}

void
stint_acp_request_cancel (StintAcpRequest *self)
{
  g_autoptr (StintAcpRequest) alive = g_object_ref (self);

  g_signal_emit (self, signals[SIGNAL_CANCELLED], 0);
  stint_acp_request_return_error (self, STINT_ACP_REQUEST_CANCELLED, "Request cancelled");
}

void
stint_acp_request_abandon (StintAcpRequest *self)
{
  g_autoptr (StintAcpRequest) alive = g_object_ref (self);

  self->connection = NULL;
  clear_resumed (self);
  g_signal_emit (self, signals[SIGNAL_CANCELLED], 0);
}

const char *
stint_acp_request_get_method (StintAcpRequest *self)
{
  return self->method;
}

JsonObject *
stint_acp_request_get_params (StintAcpRequest *self)
{
  return stint_acp_node_object (self->params);
}

gboolean
stint_acp_request_has_nul (StintAcpRequest *self)
{
  return self->has_nul;
}

gboolean
stint_acp_request_is_answered (StintAcpRequest *self)
{
  return self->connection == NULL;
}

void
stint_acp_request_set_aside (StintAcpRequest *self)
{
  g_return_if_fail (STINT_IS_ACP_REQUEST (self));

  if (self->connection != NULL)
    stint_acp_connection_set_aside (self->connection, self);
}

void
stint_acp_request_resume (StintAcpRequest *self,
                          StintAcpRequestFunc func,
                          gpointer data,
                          GDestroyNotify destroy)
{
  g_return_if_fail (STINT_IS_ACP_REQUEST (self) && self->resumed == NULL && func != NULL);

  if (self->connection == NULL)
    {
      destroy (data);
      return;
    }
  self->resumed = func;
  self->resumed_data = data;
  self->resumed_destroy = destroy;
  stint_acp_connection_take_back (self->connection, self);
}

gboolean
stint_acp_request_go_on (StintAcpRequest *self)
{
  StintAcpRequestFunc func = g_steal_pointer (&self->resumed);
  gpointer data = g_steal_pointer (&self->resumed_data);
  GDestroyNotify destroy = self->resumed_destroy;

  if (func == NULL)
    return FALSE;
  func (self, data);
  destroy (data);
  return TRUE;
}

/* Takes @value: (transfer full). */
static void
answer (StintAcpRequest *self, const char *member, JsonNode *value)
{
  g_autoptr (StintAcpRequest) alive = g_object_ref (self);
  StintAcpConnection *connection = g_steal_pointer (&self->connection);
  JsonObject *object;

  clear_resumed (self);
  if (connection == NULL)
    {
      json_node_unref (value);
      return;
    }
  object = json_object_new ();
  json_object_set_string_member (object, "jsonrpc", "2.0");
  json_object_set_member (object, "id", json_node_copy (self->id));
  json_object_set_member (object, member, value);
  stint_acp_connection_answer (connection, self, object);
}

void
stint_acp_request_return (StintAcpRequest *self, JsonNode *result)
{
  g_return_if_fail (STINT_IS_ACP_REQUEST (self));

  if (result == NULL)
    {
      result = json_node_new (JSON_NODE_OBJECT);
      json_node_take_object (result, json_object_new ());
    }
  answer (self, "result", result);
}

void
stint_acp_request_return_error (StintAcpRequest *self, int code, const char *format, ...)
{
  g_autofree char *message = NULL, *valid = NULL;
  JsonObject *object;
  JsonNode *node;
  va_list args;

  g_return_if_fail (STINT_IS_ACP_REQUEST (self));

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  valid = g_utf8_make_valid (message, -1);
  object = json_object_new ();
  json_object_set_int_member (object, "code", code);
  json_object_set_string_member (object, "message", valid);
  node = json_node_new (JSON_NODE_OBJECT);
  json_node_take_object (node, object);
  answer (self, "error", node);
}
