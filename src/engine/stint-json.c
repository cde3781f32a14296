/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See stint-json.h.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-json.h"

#include <string.h>

char *
stint_json_to_text (JsonNode *node, gboolean pretty)
{
  g_autofree char *json = json_to_string (node, pretty);
  g_autoptr (GString) text = g_string_sized_new (strlen (json));
  const char *rest = json, *fault;

  /* It can only be within a string. */
  while ((fault = strchr (rest, 0x1f)) != NULL)
    {
      g_string_append_len (text, rest, fault - rest);
      g_string_append (text, "\\u001f");
      rest = fault + 1;
    }
  g_string_append (text, rest);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

void
stint_json_add_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  if (value != NULL)
    json_builder_add_string_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

void
stint_json_add_int (JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

void
stint_json_add_bool (JsonBuilder *builder, const char *name, gboolean value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_boolean_value (builder, value);
}
