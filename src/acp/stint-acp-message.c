/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One line of the protocol, decoded, and looks at what it holds. An agent may write anything: what
 * is wrong with an optional field makes it absent.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-acp-message.h"

#include "stint-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

G_DEFINE_QUARK (stint - acp - error - quark, stint_acp_error)

void
stint_acp_message_free (StintAcpMessage *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->error, json_object_unref);
  g_clear_pointer (&self->node, json_node_unref);
  g_free (self);
}

static gboolean
is_id (JsonNode *node)
{
  return json_node_is_null (node) ||
         (JSON_NODE_HOLDS_VALUE (node) && (json_node_get_value_type (node) == G_TYPE_INT64 ||
                                           json_node_get_value_type (node) == G_TYPE_STRING));
}

static JsonNode *
get_value (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && !json_node_is_null (node) ? node : NULL;
}

static gboolean
set_invalid (GError **error)
{
  g_set_error_literal (error, STINT_ERROR, STINT_ERROR_INVALID,
                       _ ("This is no JSON-RPC 2.0 message"));
  return FALSE;
}

static gboolean
fill_in (StintAcpMessage *self, JsonObject *object, GError **error)
{
  const char *method = stint_acp_get_string (object, "method");
  JsonNode *id = json_object_get_member (object, "id");

  if (id != NULL && !is_id (id))
    return set_invalid (error);
  self->id = id;
  if (method != NULL)
    {
      self->kind = id != NULL ? STINT_ACP_KIND_REQUEST : STINT_ACP_KIND_NOTIFICATION;
      self->method = method;
      self->params = get_value (object, "params");
      return TRUE;
    }

  self->kind = STINT_ACP_KIND_RESPONSE;
  if (id == NULL)
    return set_invalid (error);
  if (stint_acp_has (object, "error"))
    {
      JsonObject *failure = stint_acp_get_object (object, "error");

      self->error = failure != NULL ? json_object_ref (failure) : json_object_new ();
      return TRUE;
    }
  self->result = json_object_get_member (object, "result");
  return self->result != NULL || set_invalid (error);
}

StintAcpMessage *
stint_acp_message_from_node (JsonNode *node, GError **error)
{
  g_autoptr (JsonNode) owned = node;
  g_autoptr (StintAcpMessage) self = NULL;
  JsonObject *object = stint_acp_node_object (node);

  if (object == NULL)
    {
      set_invalid (error);
      return NULL;
    }
  self = g_new0 (StintAcpMessage, 1);
  self->node = g_steal_pointer (&owned);
  return fill_in (self, object, error) ? g_steal_pointer (&self) : NULL;
}

StintAcpMessage *
stint_acp_message_decode (const char *line, gsize length, gboolean *invalid, GError **error)
{
  gboolean has_nul;
  JsonNode *node = stint_acp_parse_json (line, length, &has_nul, error);
  StintAcpMessage *self;

  if (invalid != NULL)
    *invalid = FALSE;
  if (node == NULL)
    return NULL;
  self = stint_acp_message_from_node (node, error);
  if (self != NULL)
    self->has_nul = has_nul;
  else if (invalid != NULL)
    *invalid = TRUE;
  return self;
}

/* Looks */

static JsonNode *
get_member (JsonObject *object, const char *name)
{
  return object != NULL ? json_object_get_member (object, name) : NULL;
}

const char *
stint_acp_get_string (JsonObject *object, const char *name)
{
  JsonNode *node = get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) &&
                 json_node_get_value_type (node) == G_TYPE_STRING
             ? json_node_get_string (node)
             : NULL;
}

JsonObject *
stint_acp_get_object (JsonObject *object, const char *name)
{
  return stint_acp_node_object (get_member (object, name));
}

JsonArray *
stint_acp_get_array (JsonObject *object, const char *name)
{
  JsonNode *node = get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

gboolean
stint_acp_get_boolean (JsonObject *object, const char *name, gboolean fallback)
{
  JsonNode *node = get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) &&
                 json_node_get_value_type (node) == G_TYPE_BOOLEAN
             ? json_node_get_boolean (node)
             : fallback;
}

gint64
stint_acp_get_int (JsonObject *object, const char *name, gint64 fallback)
{
  JsonNode *node = get_member (object, name);
  double value;

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
    return fallback;
  if (json_node_get_value_type (node) == G_TYPE_INT64)
    return json_node_get_int (node);
  if (json_node_get_value_type (node) != G_TYPE_DOUBLE)
    return fallback;
  value = json_node_get_double (node);
  return value > -9e18 && value < 9e18 ? (gint64) value : fallback;
}

double
stint_acp_get_double (JsonObject *object, const char *name, double fallback)
{
  JsonNode *node = get_member (object, name);

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
    return fallback;
  return json_node_get_value_type (node) == G_TYPE_DOUBLE  ? json_node_get_double (node)
         : json_node_get_value_type (node) == G_TYPE_INT64 ? (double) json_node_get_int (node)
                                                           : fallback;
}

gboolean
stint_acp_has (JsonObject *object, const char *name)
{
  JsonNode *node = get_member (object, name);

  return node != NULL && !json_node_is_null (node);
}

JsonObject *
stint_acp_node_object (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
}

JsonObject *
stint_acp_array_object (JsonArray *array, guint i)
{
  return array != NULL ? stint_acp_node_object (json_array_get_element (array, i)) : NULL;
}

gboolean
stint_acp_can_continue (JsonObject *capabilities)
{
  return stint_acp_get_boolean (capabilities, "loadSession", FALSE) ||
         stint_acp_has (stint_acp_get_object (capabilities, "sessionCapabilities"), "resume");
}

JsonNode *
stint_acp_node_new (JsonObject *object)
{
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);

  json_node_take_object (node, object);
  return node;
}
