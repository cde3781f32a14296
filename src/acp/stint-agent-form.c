/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the values of a form are what its schema wants: flat properties of strings (free, or one of
 * several), numbers, switches, and lists of choices. What the schema says that is not known asks
 * nothing.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-agent-request-private.h"

#include "stint-acp-message.h"
#include "stint-error.h"

#include <glib/gi18n-lib.h>

static gboolean G_GNUC_PRINTF (2, 3) refuse (GError **error, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  if (error != NULL && *error == NULL)
    *error = g_error_new_valist (STINT_ERROR, STINT_ERROR_INVALID, format, args);
  va_end (args);
  return FALSE;
}

static const char *
get_label (const char *name, JsonObject *property)
{
  const char *title = stint_acp_get_string (property, "title");

  return title != NULL ? title : name;
}

/* Whether @value is in `enum`, or in `oneOf` or `anyOf` as a `const`; @known: whether there are any. */
static gboolean
is_listed (JsonObject *property, const char *value, gboolean *known)
{
  static const char *const lists[] = { "oneOf", "anyOf" };
  JsonArray *plain = stint_acp_get_array (property, "enum");

  *known = plain != NULL;
  for (guint i = 0; plain != NULL && i < json_array_get_length (plain); i++)
    {
      JsonNode *node = json_array_get_element (plain, i);

      if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING &&
          g_strcmp0 (json_node_get_string (node), value) == 0)
        return TRUE;
    }
  for (guint list = 0; list < G_N_ELEMENTS (lists); list++)
    {
      JsonArray *titled = stint_acp_get_array (property, lists[list]);

      *known = *known || titled != NULL;
      for (guint i = 0; titled != NULL && i < json_array_get_length (titled); i++)
        if (g_strcmp0 (stint_acp_get_string (stint_acp_array_object (titled, i), "const"), value) ==
            0)
          return TRUE;
    }
  return FALSE;
}

static gboolean
check_string (const char *label, JsonObject *property, const char *value, GError **error)
{
  const char *pattern = stint_acp_get_string (property, "pattern");
  glong length = g_utf8_strlen (value, -1);
  gint64 least = stint_acp_get_int (property, "minLength", 0);
  gint64 most = stint_acp_get_int (property, "maxLength", G_MAXINT64);
  g_autoptr (GRegex) regex = NULL;
  gboolean known;

  if (!is_listed (property, value, &known) && known)
    return refuse (error, _ ("“%s” is not one of the choices of “%s”"), value, label);
  if (length < least)
    return refuse (error, _ ("“%s” is too short: it needs %d characters"), label, (int) least);
  if (length > most)
    return refuse (error, _ ("“%s” is too long: it may have %d characters"), label, (int) most);
  if (pattern != NULL)
    regex = g_regex_new (pattern, 0, 0, NULL);
  if (regex != NULL && !g_regex_match (regex, value, 0, NULL))
    return refuse (error, _ ("“%s” does not have the form that is wanted: %s"), label, pattern);
  return TRUE;
}

static gboolean
check_number (const char *label,
              JsonObject *property,
              JsonNode *node,
              gboolean whole,
              GError **error)
{
  GType type = JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_INVALID;
  double value;

  if (type != G_TYPE_INT64 && (whole || type != G_TYPE_DOUBLE))
    return whole ? refuse (error, _ ("“%s” must be a whole number"), label)
                 : refuse (error, _ ("“%s” must be a number"), label);
  value = type == G_TYPE_INT64 ? (double) json_node_get_int (node) : json_node_get_double (node);
  if (stint_acp_has (property, "minimum") &&
      value < stint_acp_get_double (property, "minimum", value))
    return refuse (error, _ ("“%s” must be at least %g"), label,
                   stint_acp_get_double (property, "minimum", 0));
  if (stint_acp_has (property, "maximum") &&
      value > stint_acp_get_double (property, "maximum", value))
    return refuse (error, _ ("“%s” must be at most %g"), label,
                   stint_acp_get_double (property, "maximum", 0));
  return TRUE;
}

static gboolean
check_list (const char *label, JsonObject *property, JsonNode *node, GError **error)
{
  JsonObject *items = stint_acp_get_object (property, "items");
  JsonArray *array = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  guint n = array != NULL ? json_array_get_length (array) : 0;

  if (array == NULL)
    return refuse (error, _ ("“%s” must be a list"), label);
  if (n < stint_acp_get_int (property, "minItems", 0))
    return refuse (error, _ ("“%s” needs more choices"), label);
  if (n > stint_acp_get_int (property, "maxItems", G_MAXINT64))
    return refuse (error, _ ("“%s” has too many choices"), label);
  for (guint i = 0; i < n; i++)
    {
      JsonNode *element = json_array_get_element (array, i);
      gboolean known;

      if (!JSON_NODE_HOLDS_VALUE (element) || json_node_get_value_type (element) != G_TYPE_STRING)
        return refuse (error, _ ("“%s” must be a list"), label);
      if (items != NULL && !is_listed (items, json_node_get_string (element), &known) && known)
        return refuse (error, _ ("“%s” is not one of the choices of “%s”"),
                       json_node_get_string (element), label);
    }
  return TRUE;
}

static gboolean
check_value (const char *name, JsonObject *property, JsonNode *node, GError **error)
{
  const char *type = stint_acp_get_string (property, "type");
  const char *label = get_label (name, property);
  GType held = JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_INVALID;

  if (g_strcmp0 (type, "string") == 0)
    return held == G_TYPE_STRING
               ? check_string (label, property, json_node_get_string (node), error)
               : refuse (error, _ ("“%s” must be a text"), label);
  if (g_strcmp0 (type, "boolean") == 0)
    return held == G_TYPE_BOOLEAN || refuse (error, _ ("“%s” must be on or off"), label);
  if (g_strcmp0 (type, "integer") == 0 || g_strcmp0 (type, "number") == 0)
    return check_number (label, property, node, g_str_equal (type, "integer"), error);
  if (g_strcmp0 (type, "array") == 0)
    return check_list (label, property, node, error);
  return TRUE;
}

gboolean
stint_agent_form_check (JsonObject *schema, JsonObject *content, GError **error)
{
  JsonObject *properties = stint_acp_get_object (schema, "properties");
  JsonArray *required = stint_acp_get_array (schema, "required");
  g_autoptr (GList) names = properties != NULL ? json_object_get_members (properties) : NULL;

  for (guint i = 0; required != NULL && i < json_array_get_length (required); i++)
    {
      JsonNode *node = json_array_get_element (required, i);
      const char *name =
          JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
              ? json_node_get_string (node)
              : NULL;

      if (name != NULL && !stint_acp_has (content, name))
        return refuse (error, _ ("“%s” is missing"),
                       get_label (name, stint_acp_get_object (properties, name)));
    }
  for (GList *link = names; link != NULL && content != NULL; link = link->next)
    {
      JsonObject *property = stint_acp_get_object (properties, link->data);

      if (property != NULL && stint_acp_has (content, link->data) &&
          !check_value (link->data, property, json_object_get_member (content, link->data), error))
        return FALSE;
    }
  return TRUE;
}
